"""One evening with :mod:`second_world`: feeds, lids, pushes, jams, as a seed says, and a judge of what was true."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass, replace
from random import Random

from dispenser.clocks.virtual import VirtualWorld
from dispenser.drivers.base import DriverEvent, Edge
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.launcher.messages import (
    ExitBlocked,
    ExitCleared,
    Feed,
    FeedEnd,
    FeedEnded,
    LidClosed,
    LidOpened,
    Press,
    Retract,
    RetractEnded,
)
from tests.nightly.search.second_clocks import LateClock, LateLoop
from tests.nightly.search.second_world import Lateness, Physics, SecondWorld

MODES = ("punctual", "late", "drip", "missed", "alarm")
"""Edges are called back at once; after stalls of the pins' thread, many in one go; each late by its own; some never.

In ``alarm`` edges are punctual, but what the driver sets its own clock for comes up to 0.1 s late."""
SAME_S = 1e-4
TIMING = GpioTiming()


@dataclass
class Fed:
    command: Feed
    at_s: float
    events: int
    lid_open: bool
    stopped_s: float = math.inf


class Evening:
    """Play it with :meth:`play`; ``faults`` says what was not as promised.

    :param clean: contacts do not bounce, the sensor does not flicker, no finger is in the exit; with late edges,
        ``blocked_ms`` and ``fed`` are not judged.
    """

    def __init__(self, seed: int, mode: str, *, clean: bool = False) -> None:
        self.name = f"seed {seed} {mode}"
        self.clean = clean
        self.random = random = Random(f"second world {seed} {mode}")
        self.mode = mode
        self.clock = VirtualWorld(1000.0)
        wiring = GpioWiring()
        if random.random() < 0.3:
            wiring = replace(
                wiring,
                motor_pwm=random.random() < 0.5,
                motor_enable=random.choice([25, None]),
                motor_backward=random.choice([24, None]),
                exit_blocked_high=random.random() < 0.5,
                lid_active_high=random.random() < 0.5,
                button_active_high=random.random() < 0.5,
            )
        self.physics = Physics(
            volts=random.choice([4.5, 4.5, 4.0, 3.4, 2.8, 2.2]),
            first_mm=random.uniform(5, 60),
            gaps_mm=random.choice([(12.0, 30.0), (12.0, 14.0), (12.0, 60.0), (60.0, 250.0)]),
            flicker=random.choice([0.0, 0.0, 0.3, 0.8]),
            bounces=0 if clean else 4,
        )
        if clean:
            self.physics = replace(self.physics, flicker=0.0)
        self.dead = random.choice([True, False]) if random.random() < 0.06 else None
        self.world = SecondWorld(
            self.clock,
            random,
            self.physics,
            cards=random.choice([0, 1, 3, 8, 30, 60]),
            wiring=wiring,
            late=self._lateness(),
            dead=self.dead,
        )
        self.loop = LateLoop(self.clock, self._loop_late)
        self.events: list[tuple[float, DriverEvent]] = []
        self.recorded: list[Edge] = []
        self.feeds: list[Fed] = []
        self.lid_quiet_s = self.button_quiet_s = 0.0
        self.faults: list[str] = []
        self.causes: Counter[str] = Counter()
        clock = LateClock(self.clock, random) if mode == "alarm" else self.clock
        self.slack_s = 0.1 if mode == "alarm" else 0.0
        self.driver = GpioDriver(wiring, self.world.factory, self.loop, clock=clock)

    def _loop_late(self) -> float:
        return 0.5 * self.random.random() ** 3 if self.random.random() < 0.3 else 0.0

    def _lateness(self) -> Lateness | None:
        random = self.random
        if self.mode in {"punctual", "alarm"}:
            return None
        if self.mode == "missed":
            return lambda _, at_s: None if random.random() < 0.05 else at_s
        if self.mode == "drip":
            return lambda _, at_s: at_s + (0.5 * random.random() ** 3 if random.random() < 0.4 else 0.0)
        stall = [0.0, 0.0]

        def late(line: str, at_s: float) -> float:
            while at_s > stall[1]:
                stall[0] = max(at_s - 0.05, stall[1]) + random.expovariate(6)
                stall[1] = stall[0] + 0.5 * random.random() ** 2
            return stall[1] if at_s >= stall[0] else at_s

        return late

    # --- what is done ------------------------------------------------------------------------------------------------

    def play(self) -> Evening:
        random = self.random
        self.driver.open(lambda event: self.events.append((self.clock.time(), event)), self.recorded.append)
        self.loop.call_at(self.clock.time() + 1, self._reread)
        for _ in range(random.randrange(1, 5)):
            self.clock.run_for(random.uniform(0.05, 0.4))
            self._outside()
            self._feed()
            self.clock.run_for(random.uniform(0.0, 0.3))
            if random.random() < 0.2 and self.driver.capabilities.retract:
                self._retract()
        self.clock.run_for(4.0)
        self._judge_all()
        self.driver.close()
        return self

    def _reread(self) -> None:
        self.driver.reread()
        self.loop.call_at(self.clock.time() + 1, self._reread)

    def _outside(self) -> None:
        """What may go wrong during the next feed."""
        random, now_s = self.random, self.clock.time()
        if random.random() < 0.35 and now_s > self.lid_quiet_s:
            up_s = now_s + random.uniform(0.0, 0.8) * random.random()
            shut_s = up_s + random.choice([0.06, 0.1, 0.3, 1.0])
            self.world.lift_lid(up_s, shut_s)
            self.lid_quiet_s = shut_s + 0.1
        if random.random() < 0.3 and now_s > self.button_quiet_s:
            down_s = now_s + random.uniform(0.0, 0.5)
            up_s = down_s + random.uniform(0.06, 0.3)
            self.world.push(down_s, up_s)
            self.button_quiet_s = up_s + 0.1
        if random.random() < 0.15:
            self.world.jam(self.world.position_mm + random.uniform(1, 300), now_s + random.uniform(0.3, 3))
        if random.random() < 0.08 and not self.clean:
            self.world.finger(now_s + random.uniform(0, 0.2), now_s + random.uniform(0.25, 1.5))

    def _feed(self) -> None:
        random = self.random
        command = Feed(
            random.choice([1, 1, 2, 3, 4, 6, 12]),
            timeout_s=random.choice([0.05, 0.4, 1.0, 3.0]),
            stall_s=random.choice([0.2, 0.5]),
            blind_s=random.choice([0.12, 0.12, 0.2, 0.4]),
            duty=random.choice([1.0, 1.0, 0.7]),
        )
        fed = Fed(command, self.clock.time(), len(self.events), self.world.lid_open)
        self.feeds.append(fed)
        self.driver.feed(command)
        if random.random() < 0.1:
            self.clock.run_for(random.uniform(0.0, 0.5))
            if not self._ended(fed, FeedEnded):
                fed.stopped_s = self.clock.time()
                self.driver.stop()
        self._await(fed, FeedEnded, command.timeout_s)

    def _retract(self) -> None:
        at, longest_s = len(self.events), self.random.uniform(0.03, 0.3)
        self.driver.retract(Retract(longest_s))
        self._await(Fed(Feed(1, 1, 1), self.clock.time(), at, self.world.lid_open), RetractEnded, longest_s)

    def _ended(self, fed: Fed, kind: type) -> list[tuple[float, DriverEvent]]:
        return [(at_s, event) for at_s, event in self.events[fed.events :] if isinstance(event, kind)]

    def _await(self, fed: Fed, kind: type, longest_s: float) -> None:
        latest_s = self.clock.time() + longest_s + 3
        while not self._ended(fed, kind):
            if self.clock.time() > latest_s:
                self.fault(f"no {kind.__name__} for {fed}")
                return
            self.clock.run_for(0.002)
        if isinstance(event := self._ended(fed, kind)[0][1], FeedEnded):
            self.causes[event.cause.value] += 1

    # --- what was promised -------------------------------------------------------------------------------------------

    def fault(self, text: str) -> None:
        self.faults.append(f"{self.name}: {text}")

    @property
    def exact(self) -> bool:
        return self.mode == "punctual"

    def _judge_all(self) -> None:
        self._judge_motor()
        self._judge_order()
        for fed in self.feeds:
            self._judge_feed(fed)
        if self.mode != "missed":
            self._judge_levels_told()
            self._judge_recorded()
        levels = self.driver.levels()
        real = (self.world.lid_open, self._dark(), self.world.button_down)
        if (levels.lid_open, levels.exit_blocked, levels.button_down) != real:
            self.fault(f"{levels}, really {real}")

    def _dark(self) -> bool:
        return self.world.covered if self.dead is None else self.dead

    def _judge_motor(self) -> None:
        truth = self.world.truth
        open_spans = [(at_s, next((end for end, up in truth.lid if end > at_s and not up), math.inf))
                      for at_s, up in truth.lid if up]  # fmt: skip
        for begin_s, end_s, way in truth.drives:
            longest = max((f.command.timeout_s for f in self.feeds if f.at_s <= begin_s + SAME_S), default=0)
            mine = [f for f in self.feeds if f.at_s - SAME_S <= begin_s]
            if way > 0 and mine:
                longest = mine[-1].command.timeout_s
            if end_s - begin_s > longest + SAME_S + self.slack_s and way > 0:
                self.fault(f"driven for {end_s - begin_s:.4f} s, at most {longest}")
            for up_s, down_s in open_spans:
                if up_s <= begin_s < down_s and end_s > begin_s:  # the pins of a bridge without enable go one by one
                    self.fault(f"started at {begin_s:.4f} with the lid up from {up_s:.4f} to {down_s:.4f}")
                elif self.mode in {"punctual", "alarm"} and min(down_s, end_s) - max(up_s, begin_s) > SAME_S:
                    self.fault(f"driven {begin_s:.4f} to {end_s:.4f} although lid up {up_s:.4f}")
            if self.exact:
                for active, at_s in truth.of("lid"):
                    if not active and at_s <= begin_s < at_s + TIMING.lid_settle_s - SAME_S:
                        self.fault(f"started at {begin_s:.4f}, the lid's contact shut only at {at_s:.4f}")

    def _judge_order(self) -> None:
        for kinds in ((LidOpened, LidClosed), (ExitBlocked, ExitCleared)):
            told = [type(event) for _, event in self.events if isinstance(event, kinds)]
            if any(a is b for a, b in itertools.pairwise(told)):
                self.fault(f"told twice: {[k.__name__ for k in told]}")
        presses = sum(isinstance(event, Press) for _, event in self.events)
        if self.mode != "missed" and presses != len(self.world.truth.pushes_s):
            self.fault(f"{presses} presses told, {len(self.world.truth.pushes_s)} made")

    def settled_exit(self) -> list[tuple[float, float, bool]]:
        """Times that the exit was dark by more than a moment: from, to, whether its ends were sharp."""
        edges = self.world.truth.of("exit")
        darks: list[tuple[float, float, bool]] = []
        dark_s: float | None = None
        for index, (active, at_s) in enumerate(edges):
            until_s = edges[index + 1][1] if index + 1 < len(edges) else math.inf
            if until_s - at_s < TIMING.exit_settle_s:
                continue
            if active and dark_s is None:
                dark_s = at_s
            elif not active and dark_s is not None:
                near = [e for _, e in edges if 0 < abs(e - at_s) < 0.004 or 0 < abs(e - dark_s) < 0.004]
                darks.append((dark_s, at_s, not near))
                dark_s = None
        if dark_s is not None:
            darks.append((dark_s, math.inf, True))
        return darks

    def _judge_levels_told(self) -> None:
        truth = [dark for dark in self.settled_exit() if dark[1] < math.inf]
        places = [index for index, (_, event) in enumerate(self.events) if isinstance(event, ExitCleared)]
        told = [event for _, event in self.events if isinstance(event, ExitCleared)]
        if len(told) != len(truth):
            self.fault(f"{len(told)} times told clear {[e.blocked_ms for e in told]}, really {len(truth)}: "
                       f"{[round((b - a) * 1000, 2) for a, b, _ in truth]}")  # fmt: skip
            return
        if self.clean and self.mode in {"late", "drip"}:
            return
        for index, event, (dark_s, clear_s, sharp) in zip(places, told, truth, strict=True):
            if abs(event.blocked_ms - (clear_s - dark_s) * 1000) > (1 if sharp else 5):
                self.fault(f"{event}, really {(clear_s - dark_s) * 1000:.2f} ms, from {dark_s:.4f}")
            begun = [fed for fed in self.feeds if fed.events <= index]
            if event.fed and begun and clear_s < begun[-1].at_s - SAME_S:
                self.fault(f"{event} was over at {clear_s:.4f}, before the feed at {begun[-1].at_s:.4f} began")

    def _judge_recorded(self) -> None:
        recorded = [(edge.line, edge.active, round(edge.at_s, 4)) for edge in self.recorded]
        real = [(line, active, round(at_s, 4)) for line, active, at_s in self.world.truth.edges]
        if recorded != real:
            self.fault(f"edges recorded {len(recorded)}, really {len(real)}")

    def _judge_feed(self, fed: Fed) -> None:
        index = self.feeds.index(fed)
        last = self.feeds[index + 1].events if index + 1 < len(self.feeds) else None
        ends = [(at_s, e) for at_s, e in self.events[fed.events : last] if isinstance(e, FeedEnded)]
        if len(ends) != 1:
            self.fault(f"{len(ends)} ends for {fed}")
            return
        told_s, end = ends[0]
        mine = [e for _, e in self.events[fed.events :][: [e for _, e in self.events[fed.events :]].index(end)]]
        counted = sum(isinstance(e, ExitCleared) and e.fed for e in mine)
        if end.cards_seen != counted:
            self.fault(f"{end}, but {counted} were told before it, {fed}")
        if self.exact:
            self._judge_punctual(fed, end, told_s)

    def _judge_punctual(self, fed: Fed, end: FeedEnded, told_s: float) -> None:
        drives = [d for d in self.world.truth.drives if fed.at_s - SAME_S <= d[0] <= told_s and d[2] > 0]
        lifted = [at_s for at_s, up in self.world.truth.lid if up and fed.at_s - 1.5 <= at_s <= told_s]
        if not drives:
            if end.cause not in {FeedEnd.LID, FeedEnd.STOPPED} or (end.cause is FeedEnd.LID and not lifted):
                self.fault(f"never driven, {end}, lid {self.world.truth.lid}, {fed}")
            return
        if any(
            on_s - off_s > TIMING.exit_settle_s + SAME_S for (_, off_s, _), (on_s, _, _) in itertools.pairwise(drives)
        ):
            self.fault(f"driven {len(drives)} times for {fed}: {drives} {end}")
        begin_s, off_s = drives[0][0], drives[-1][1]
        final_s = off_s + TIMING.coast_s
        cleared = [at_s for _, at_s, _ in self.settled_exit()]
        seen = [at_s for at_s in cleared if fed.at_s <= at_s <= final_s + TIMING.brake_s + 0.005]
        sure = [at_s for at_s in cleared if fed.at_s <= at_s <= final_s - 0.005]
        if not len(sure) <= (end.cards_seen or 0) <= len(seen):
            self.fault(f"{end}, really {len(seen)}, {fed}, off {off_s:.4f}, cleared {seen}")
        self._judge_cause(fed, end, begin_s, off_s, seen, told_s)

    def _judge_cause(
        self, fed: Fed, end: FeedEnded, begin_s: float, off_s: float, seen: list[float], told_s: float
    ) -> None:
        command, cause = fed.command, end.cause
        edges = [(active, at_s) for active, at_s in self.world.truth.of("exit") if at_s <= off_s]
        dark = edges[-1][0] if edges else (self.dead is True)
        heard_s = max([begin_s, *(at_s for _, at_s in edges)])
        quiet_s = off_s - heard_s
        late_dark = [at_s for active, at_s in self.world.truth.of("exit") if active and begin_s <= at_s < told_s]
        any_edge = bool(late_dark) or any(begin_s <= at_s for _, at_s in edges)
        where = f"{end} {fed} begin {begin_s:.4f} off {off_s:.4f} quiet {quiet_s:.4f} dark {dark}"
        limit_s = command.stall_s if dark else command.blind_s
        if quiet_s > limit_s + 0.005:
            self.fault(f"quiet too long: {where}")
        done = len(seen) >= command.cards and seen[command.cards - 1] <= off_s + 0.005
        if cause is FeedEnd.COUNT:
            if not done:
                self.fault(f"not so many: {where} {seen}")
            elif not -0.0035 <= off_s - seen[command.cards - 1] <= 0.0005:
                self.fault(f"brake {off_s - seen[command.cards - 1]:.4f} s after the last card: {where}")
        elif done and off_s - seen[command.cards - 1] > SAME_S:
            self.fault(f"not stopped by count: {where} {seen}")
        settled_s = max([begin_s, *(at_s for span in self.settled_exit() for at_s in span[:2] if at_s <= off_s)])
        if cause in {FeedEnd.STALL, FeedEnd.BLIND} and off_s - settled_s < limit_s - SAME_S:
            self.fault(f"too early: {where}")
        if cause is FeedEnd.BLIND and (dark or any_edge):
            self.fault(f"not blind: {where}")
        if cause is FeedEnd.STALL and not (dark or any_edge):
            self.fault(f"blind, not stalled: {where}")
        early_s = (
            begin_s + command.timeout_s - off_s
        )  # an edge that may be the last card's stops it until it is settled
        if cause is FeedEnd.TIMEOUT and not -SAME_S < early_s < TIMING.exit_settle_s:
            self.fault(f"timeout at another time: {where}")
        if cause is FeedEnd.STOPPED and not -SAME_S < fed.stopped_s - off_s < TIMING.exit_settle_s:
            self.fault(f"stopped at {fed.stopped_s}: {where}")
        if cause is FeedEnd.LID and not any(
            up and -SAME_S < at_s - off_s < TIMING.exit_settle_s for at_s, up in self.world.truth.lid
        ):
            self.fault(f"no lid: {where} {self.world.truth.lid}")
