"""The steps of ``dispenser calibrate``: measure a launcher by the times of its edges."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from dispenser.drivers.base import Edge
from dispenser.drivers.findings import Finding
from dispenser.i18n import Text
from dispenser.launcher import messages as m
from dispenser.maintenance.measured import LID_APART_MS, PUSH_APART_MS, Card, Measured, bounces, cards_of
from dispenser.maintenance.selftest import Launcher, cut_short
from dispenser.maintenance.wizard import (
    PATIENCE_S,
    Answer,
    Doing,
    Hand,
    Happened,
    Step,
    Wait,
    asked,
    first_of,
    good,
    left_out,
    run_of,
    wrong,
)

ONLY_ON_PINS = Text("a microcontroller keeps its own times: only a launcher on this machine's pins can be calibrated")
PUSHES = 8
MOST_BOUNCE_MS = 40.0  # Bounce above which no settling time works: a quick push would no longer count
LIFTS = 3
SETTLE_S = 0.6  # Seconds after a movement by hand until all its edges have arrived
SINGLES = 9
BURSTS, BURST_CARDS = 5, 5
STOPS = 8
NEEDED_CARDS = 60
MOST_FAILED = 4  # Failed runs that a step tolerates; an occasional misfeed gives no measurement
_PAUSE_S = 0.4
_MOST_REST = 0.8  # A card with more of its length left at the stop of the motor never coasts out, with any motor
_LEAVES_S = 0.5
_Timed = tuple[float, list[Card]]  # Time at which a run was commanded, and its cards


def steps(launcher: Launcher, measured: Measured) -> tuple[Step, ...]:
    """Return the steps; each stores its measurements in ``measured`` when it is complete."""
    cards, sensor = _Cards(launcher, measured), launcher.capabilities.exit_sensor

    def with_cards(check: str, title: Text, measure: Callable[[], Doing]) -> Step:
        return Step(check, title, measure if sensor else _no_sensor, if_lifted=cut_short(m.FeedEnd.LID))

    return (
        Step("button", Text("The button"), partial(_button, measured)),
        Step("lid", Text("The lid"), partial(_lid, measured)),
        with_cards("singles", Text("Single cards"), cards.singles),
        with_cards("bursts", Text("Bursts"), cards.bursts),
        with_cards("coasting", Text("Coasting"), cards.coasting),
    )


def _no_sensor() -> Doing:
    yield from ()
    return left_out(Text("no exit sensor: cards cannot be timed"))


def _button(measured: Measured) -> Doing:
    edges: list[Edge] = []
    for number in range(1, PUSHES + 1):
        say = Text("Push the button and let go ({number} of {all}).").filled(number=number, all=PUSHES)
        if not (yield from _moved(say, Hand.PUSH_BUTTON, "button", m.Press, edges)):
            return _UNMOVED
    bounce = bounces(edges, PUSH_APART_MS)
    if (longest := max(bounce, default=0.0)) > MOST_BOUNCE_MS:
        found = Text("it bounces for up to {ms:.0f} ms, nearly as long as a quick push lasts").filled(ms=longest)
        return wrong(found, Text("its contact is worn, or its wire is loose: change it, then measure again"))
    measured.button_bounce[:] = bounce
    return _contact(bounce)


def _lid(measured: Measured) -> Doing:
    edges: list[Edge] = []
    for number in range(1, LIFTS + 1):
        lift = Text("Lift the lid ({number} of {all}).").filled(number=number, all=LIFTS)
        shut = Text("Shut the lid ({number} of {all}).").filled(number=number, all=LIFTS)
        for say, hand, kind in (lift, Hand.LIFT_LID, m.LidOpened), (shut, Hand.SHUT_LID, m.LidClosed):
            if not (yield from _moved(say, hand, "lid", kind, edges)):
                return _UNMOVED
    measured.lid_bounce[:] = bounces(edges, LID_APART_MS)
    return _contact(measured.lid_bounce)


_UNMOVED = wrong(Text("nothing happened"), Text("'dispenser selftest' finds what to look at"))


def _contact(bounce: list[float]) -> Finding:
    found = Text(
        "{number} movement, the longest bounce {ms:.1f} ms", plural="{number} movements, the longest bounce {ms:.1f} ms"
    )
    return good(found.filled(number=len(bounce), ms=max(bounce, default=0.0)))


def _moved(say: Text, hand: Hand, line: str, kind: type, edges: list[Edge]) -> Generator[Wait, Happened, bool]:
    """Collect the edges of one movement and of the time after it; return whether the driver reported it."""
    came = yield from _gathered(Wait(say, hand, answers=(Answer.NOTHING,), within_s=PATIENCE_S), line, edges, kind)
    yield from _gathered(Wait(Text("Wait a moment."), within_s=SETTLE_S), line, edges)
    return isinstance(came, kind)


def _gathered(wait: Wait, line: str, edges: list[Edge], *ends: type) -> Generator[Wait, Happened, object]:
    """Collect edges of a line until an event of the types ``ends``, an answer or a timeout; return that."""
    while isinstance(came := (yield from first_of(wait, Edge, *ends)), Edge):
        if came.line == line:
            edges.append(came)
    return came


@dataclass(frozen=True, slots=True)
class _Cards:
    """The steps that eject cards."""

    launcher: Launcher
    measured: Measured

    def singles(self) -> Doing:
        runs = yield from self._runs(SINGLES, 1)
        if isinstance(runs, Finding):
            return runs
        measured, runs = self.measured, runs[1:]  # the position of the first card is unknown
        measured.first_after[:] = [(cards[0].dark_s - at_s) * 1e3 for at_s, cards in runs]
        measured.first_blocked[:] = [cards[0].blocked_ms for _, cards in runs]
        found = Text("the first card is in the exit after {after:.0f} ms, and blocks it for {ms:.0f} ms")
        after, blocked = statistics.median(measured.first_after), statistics.median(measured.first_blocked)
        return good(found.filled(after=after, ms=blocked))

    def bursts(self) -> Doing:
        runs = yield from self._runs(BURSTS, BURST_CARDS)
        if isinstance(runs, Finding):
            return runs
        measured = self.measured
        at_speed = [pair for _, cards in runs for pair in pairwise(cards[1:])]
        measured.blocked[:] = [card.blocked_ms for _, cards in runs for card in cards[1:]]
        measured.gap[:] = [(after.dark_s - before.clear_s) * 1e3 for before, after in at_speed]
        measured.period[:] = [(after.dark_s - before.dark_s) * 1e3 for before, after in at_speed]
        found = Text("a card every {period:.0f} ms, which blocks the exit for {ms:.0f} ms")
        period, blocked = statistics.median(measured.period), statistics.median(measured.blocked)
        return good(found.filled(period=period, ms=blocked))

    def coasting(self) -> Doing:
        """Bisect the largest rest of a card with which it still leaves the exit after the motor is turned off."""
        measured = self.measured
        if not measured.blocked:
            return left_out(Text("the bursts come first"))
        yield from _loaded()
        blocked = statistics.median(measured.blocked)
        late, coasted, stayed = list[float](), list[float](), list[float]()
        for _ in range(STOPS + MOST_FAILED):
            if (done := len(coasted) + len(stayed)) == STOPS:
                break
            rest = (max(coasted, default=0.0) + min(stayed, default=blocked * _MOST_REST)) / 2
            seen = _done(done, STOPS)
            stopped = yield from self._stopped_in_card(blocked - rest, seen)
            if stopped is None:
                continue
            was_in, left_after = stopped
            if left_after is None:
                stayed.append(blocked - was_in)
                yield from self._run(1, seen)  # eject the card that stayed
            else:
                coasted.append(blocked - was_in)
                late.append(left_after)
        if len(coasted) + len(stayed) < STOPS or not coasted:
            return wrong(Text("no card could be stopped in the exit"), Text("do the bursts again first"))
        measured.late[:], measured.coasted[:], measured.stayed[:] = late, coasted, stayed
        found = Text(
            "the roller turns on as far as in {ms:.0f} ms at full speed; a card left {late:.0f} ms after the motor"
        )
        return good(found.filled(ms=measured.coast_ms(), late=max(late)))

    def _runs(self, runs: int, cards: int) -> Generator[Wait, Happened, list[_Timed] | Finding]:
        """Repeat runs until ``runs`` have succeeded; return them, or a finding after too many failures."""
        yield from _loaded()
        done, flicker, failed = list[_Timed](), list[float](), 0
        while len(done) < runs:
            ended, edges, at_s = yield from self._run(cards, _done(len(done), runs))
            found = cards_of(edges, flicker)
            if ended is m.FeedEnd.COUNT and len(found) == cards:
                done.append((at_s, found))
                continue
            failed += 1
            if failed > MOST_FAILED or ended in (None, m.FeedEnd.LID):
                return cut_short(ended or m.FeedEnd.STOPPED)
        self.measured.flicker += flicker
        return done

    def _run(self, cards: int, seen: Text) -> Generator[Wait, Happened, tuple[m.FeedEnd | None, list[Edge], float]]:
        """Return the end of a run (``None`` if it was not reported), its edges, and the time of its command."""
        feed = self.launcher.settings.feed(cards)
        going = run_of(feed, feed.timeout_s + self.launcher.settings.driver_patience_s, seen)
        edges: list[Edge] = []
        ended = yield from _gathered(going, "exit", edges, m.FeedEnded)
        yield from _gathered(Wait(going.say, seen=seen, within_s=_PAUSE_S), "exit", edges)
        return ended.cause if isinstance(ended, m.FeedEnded) else None, edges, going.at_s

    def _stopped_in_card(
        self, after_ms: float, seen: Text
    ) -> Generator[Wait, Happened, tuple[float, float | None] | None]:
        """Turn the motor off when the second card of a run has been in the exit for ``after_ms``.

        :returns: how long it had been there, and how long after the stop it left (``None``: it stayed), both in ms;
            ``None`` if there was no second card, or it left too early.
        """
        feed = self.launcher.settings.feed(BURST_CARDS)
        going = run_of(feed, feed.timeout_s, seen)
        edges: list[Edge] = []
        while sum(edge.active for edge in edges) < 2:
            came = yield from first_of(going, Edge, m.FeedEnded)
            if not isinstance(came, Edge):
                return None
            if came.line == "exit":
                edges.append(came)
        dark_s, after = edges[-1].at_s, list[Edge]()
        yield from _gathered(Wait(going.say, seen=seen, until_s=dark_s + after_ms / 1e3), "exit", after)
        off = Wait(Text("The motor is off."), seen=seen, within_s=_LEAVES_S, commands=(m.Stop(),))
        too_late = bool(after)
        yield from _gathered(off, "exit", after)
        if too_late:
            return None
        left_s = next((edge.at_s for edge in after if not edge.active), None)
        return (off.at_s - dark_s) * 1e3, None if left_s is None else (left_s - off.at_s) * 1e3


def _loaded() -> Generator[Wait, Happened, Answer]:
    say = Text("Put {number} cards or more into the launcher and shut the lid. The motor will turn, again and again.")
    return (yield from asked(say.filled(number=NEEDED_CARDS), Answer.GO, hand=Hand.LOAD_CARDS))


def _done(number: int, of: int) -> Text:
    return Text("{number} of {all} runs").filled(number=number, all=of)
