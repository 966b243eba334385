"""A second launcher, from physics alone: motor, roller, cards, barrier, lid, button, on gpiozero's own mock pins.

It was written without a look at the toy or at the inside of the driver, so that the two cannot err together. A motor
with inertia turns a roller; cards of 87 mm lie on its way one behind another; where their edges cross the barrier, the
sensor's line changes. Between two things that happen, motion is a closed formula; so times are exact.

The world goes by a clock (virtual, or a thread) and calls edges back from it, with the time at which each happened,
at once or late, as a busy callback thread does. It keeps its own account of what was true: see :class:`Truth`.
"""

from __future__ import annotations

import heapq
import itertools
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from dispenser.clocks import Clock
from dispenser.drivers.gpio.wiring import GpioWiring
from tests.nightly.search.second_pins import WorldFactory

CARD_MM = 87.0


@dataclass(frozen=True, kw_only=True)
class Physics:
    """What the launcher is like. Lengths in millimetres of card, times in seconds.

    :param volts: of the cells under load; three fresh alkaline ones give 4.5.
    :param run_up_s: time constant of the motor when driven.
    :param coast_s: when it is open.
    :param brake_s: when it is shorted.
    :param friction: slowing down, mm/s^2, whatever the motor does.
    :param first_mm: from the lowest card's edge to the barrier, at first.
    :param gaps_mm: between two cards, from, to.
    :param flicker: share of cards in which the sensor sees a hole.
    :param bounces: a contact bounces fewer times than that.
    """

    volts: float = 4.5
    run_up_s: float = 0.022
    coast_s: float = 0.025
    brake_s: float = 0.006
    friction: float = 6000.0
    first_mm: float = 40.0
    gaps_mm: tuple[float, float] = (12.0, 30.0)
    flicker: float = 0.0
    bounces: int = 4

    @property
    def top_mm_s(self) -> float:
        return max(0.0, 480.0 * (self.volts - 0.6))


@dataclass
class Truth:
    """What really happened. Times are the world's, seconds.

    :ivar left_s: when each card's tail passed the barrier.
    :ivar drives: motor driven from, to, and which way (1, -1).
    :ivar brakes: when the bridge began to brake.
    :ivar lid: each time that a hand lifted (``True``) or shut it; its contact bounces after that.
    :ivar edges: of the lines: name, active, when.
    """

    left_s: list[float] = field(default_factory=list)
    drives: list[tuple[float, float, int]] = field(default_factory=list)
    brakes: list[float] = field(default_factory=list)
    lid: list[tuple[float, bool]] = field(default_factory=list)
    pushes_s: list[float] = field(default_factory=list)
    edges: list[tuple[str, bool, float]] = field(default_factory=list)

    def of(self, line: str) -> list[tuple[bool, float]]:
        return [(active, at_s) for name, active, at_s in self.edges if name == line]


Lateness = Callable[[str, float], float | None]
"""For an edge of that line that happened then: when its callback comes, or ``None``: never."""


class SecondWorld:
    """See the module.

    :param late: when an edge's callback comes; at once, without. Order is kept whatever it says.
    :param dead: the sensor's line, frozen at that level.
    """

    def __init__(
        self,
        clock: Clock,
        random: Random,
        physics: Physics,
        *,
        cards: int = 30,
        wiring: GpioWiring | None = None,
        late: Lateness | None = None,
        dead: bool | None = None,
    ) -> None:
        self.clock = clock
        self.wiring = wiring or GpioWiring()
        self.factory = WorldFactory(self)
        self.truth = Truth()
        self.physics = physics
        self._random = random
        self._late = late
        self._dead = dead
        self._lock = threading.RLock()
        self._lines = {number: name for name, number in self.wiring.lines().items()}
        self.outputs: dict[str, float] = {}
        # motion: from _start_s on, towards _target_mm_s with _tau_s
        self._start_s = clock.time()
        self._position_mm = 0.0
        self._speed_mm_s = 0.0
        self._target_mm_s = 0.0
        self._tau_s = physics.coast_s
        self._held = 0
        self.jam_mm = math.inf
        self._drive = 0
        self._braked = False
        # the stack: (lead, tail) of the cards still here, in mm of roller
        self.stack: list[tuple[float, float]] = []
        self._next_lead_mm = physics.first_mm
        self.put_in(cards)
        # what is outside
        self.lid_open = False
        self._contact_open = False
        self.button_down = False
        self.finger_there = False
        self._hole = False
        self._agenda: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._levels = {
            name: self._electric(name) for name in ("button", "lid", "exit") if name in self._lines.values()
        }
        self._pending: list[tuple[str, float, bool]] = []
        self._queue: list[tuple[float, str, float, bool]] = []
        self._last_due_s = -math.inf
        self._timer: Any = None

    # --- for the driver's pins ---------------------------------------------------------------------------------------

    def line_of(self, number: int) -> str | None:
        name = self._lines.get(number)
        return name if name in {"button", "lid", "exit"} else None

    def level(self, line: str) -> bool:
        """What the pin shows now; its edge may still be on its way."""
        with self._lock:
            self._advance(self.clock.time())
            level = self._levels[line]
            self._plan()
            return level

    def written(self, number: int, value: float) -> None:
        """An output has changed. Never calls back, never waits for anybody who does."""
        name = self._lines.get(number)
        with self._lock:
            self.outputs[name or ""] = value
            self._advance(self.clock.time())
            self._motor()
            self._plan()

    # --- for the test ------------------------------------------------------------------------------------------------

    @property
    def driven(self) -> int:
        return self._drive

    @property
    def at_rest(self) -> bool:
        """Nothing moves, and every edge has been called back."""
        with self._lock:
            self._advance(self.clock.time())
            self._plan()
            return not (self._drive or self._speed_mm_s or self._queue)

    @property
    def covered(self) -> bool:
        """A card or a finger is in the barrier, whatever the sensor says of it."""
        return self.finger_there or any(lead <= self._position_mm < tail for lead, tail in self.stack)

    def at(self, when_s: float, what: Callable[[], None]) -> None:
        """Something outside happens then: a hand, a jam."""
        with self._lock:
            heapq.heappush(self._agenda, (max(when_s, self._start_s), next(self._numbers), what))
            self._plan()

    @property
    def position_mm(self) -> float:
        """How far the roller has carried the stack."""
        return self._position_mm

    def put_in(self, cards: int) -> None:
        for _ in range(cards):
            lead = self._next_lead_mm
            tail = lead + CARD_MM
            self.stack.append((lead, tail))
            self._next_lead_mm = tail + self._random.uniform(*self.physics.gaps_mm)

    def lift_lid(self, at_s: float, shut_s: float | None = None) -> None:
        """The lid goes up then, its contact bouncing, and down again."""
        self._bounce(at_s, self.move_lid, True)
        if shut_s is not None:
            self._bounce(shut_s, self.move_lid, False)

    def push(self, at_s: float, until_s: float) -> None:
        """The button, with its bounces."""
        self._bounce(at_s, self.move_button, True)
        self._bounce(until_s, self.move_button, False)

    def finger(self, at_s: float, until_s: float) -> None:
        """Something else lies in the exit for that time."""

        def put(there: bool) -> None:
            self.finger_there = there

        self.at(at_s, lambda: put(True))
        self.at(until_s, lambda: put(False))

    def hole(self, at_s: float, until_s: float) -> None:
        """For that time the sensor sees light through the card that is in it then."""
        self.at(at_s, lambda: self._blink(True))
        self.at(until_s, lambda: self._blink(False))

    def jam(self, at_mm: float, until_s: float) -> None:
        """Cards do not get farther than that; until then."""
        self.jam_mm = at_mm

        def free() -> None:
            self.jam_mm = math.inf
            if self._held > 0:
                self._held = 0

        self.at(until_s, free)

    # --- hands -------------------------------------------------------------------------------------------------------

    def _bounce(self, at_s: float, act: Callable[[bool, bool], None], on: bool) -> None:
        self.at(at_s, lambda: act(on, True))
        time_s = at_s
        for number in range(2 * self._random.randrange(max(1, self.physics.bounces))):
            time_s += self._random.uniform(0.0002, 0.003)
            self.at(time_s, lambda level=on == bool(number % 2): act(level, False))  # type: ignore[misc]

    def move_lid(self, open_: bool, real: bool) -> None:
        self._contact_open = open_
        if real:
            self.lid_open = open_
            self.truth.lid.append((self._start_s, open_))

    def move_button(self, down: bool, real: bool) -> None:
        self.button_down = down
        if real and down:
            self.truth.pushes_s.append(self._start_s)

    # --- motion ------------------------------------------------------------------------------------------------------

    def _motor(self) -> None:
        """What the bridge does with the motor now."""
        out = self.outputs
        on = self.wiring.motor_enable is None or out.get("motor_enable", 0.0) > 0
        forward, backward = out.get("motor_forward", 0.0), out.get("motor_backward", 0.0)
        brake = on and forward > 0 and backward > 0
        drive = 0 if brake or not on else (forward > 0) - (backward > 0)
        now_s = self._start_s
        if drive != self._drive:
            if self._drive:
                self.truth.drives[-1] = (self.truth.drives[-1][0], now_s, self._drive)
            if drive:
                self.truth.drives.append((now_s, math.inf, drive))
            self._drive = drive
        if brake and not self._braked:
            self.truth.brakes.append(now_s)
        self._braked = brake
        duty = max(forward, backward)
        self._target_mm_s = drive * duty * self.physics.top_mm_s
        self._tau_s = self.physics.run_up_s if drive else self.physics.brake_s if brake else self.physics.coast_s

    def _law(self) -> tuple[float, float]:
        """Towards which speed the motor tends now, friction taken off, and when it stands (from now, or never)."""
        speed, target, tau = self._speed_mm_s, self._target_mm_s, self._tau_s
        drag = self.physics.friction * tau
        if speed == 0:
            if abs(target) <= drag:
                return 0.0, math.inf
            return target - math.copysign(drag, target), math.inf
        end = target - math.copysign(drag, speed)
        if end * speed >= 0:
            return end, math.inf
        return end, tau * math.log((speed - end) / -end)

    def _way(self, end: float, time_s: float) -> float:
        return end * time_s + (self._speed_mm_s - end) * self._tau_s * -math.expm1(-time_s / self._tau_s)

    def _when(self, end: float, way_mm: float, latest_s: float) -> float:
        """When so much way is behind us (it is monotonous until the motor stands)."""
        high = min(latest_s, 0.001)
        while abs(self._way(end, high)) < abs(way_mm):
            if high >= min(latest_s, 20.0):
                return math.inf
            high = min(high * 2, latest_s)
        low = 0.0
        while high - low > 1e-8:
            middle = (low + high) / 2
            if abs(self._way(end, middle)) < abs(way_mm):
                low = middle
            else:
                high = middle
        return high

    def _crossing(self) -> tuple[float, Callable[[], None]] | None:
        """The next thing that motion brings."""
        end, stands_s = self._law()
        if self._speed_mm_s == 0 and end == 0:
            return None
        way = 1 if (self._speed_mm_s or end) > 0 else -1
        best, what = stands_s, self._stand
        if self._held != way:
            here = self._position_mm
            marks = [mark for card in self.stack[:2] for mark in card]
            if way > 0:
                ahead = [mark for mark in [*marks, self.jam_mm] if mark > here]
                mark = min(ahead, default=math.inf)
            else:
                back = self.stack[0][0] - self.physics.first_mm - 20 if self.stack else here - 1
                mark = max(mark for mark in [*marks, back, -math.inf] if mark < here)
            if math.isfinite(mark):
                time_s = self._when(end, mark - here, stands_s)
                if time_s < best:
                    best, what = time_s, lambda: self._cross(mark, way)
        return (self._start_s + best, what) if math.isfinite(best) else None

    def _stand(self) -> None:
        self._speed_mm_s = 0.0
        self._held = 0

    def _cross(self, mark: float, way: int) -> None:
        self._position_mm = mark
        if way > 0:
            if mark == self.jam_mm:
                self._held = 1
            elif self.stack and mark == self.stack[0][1]:
                self.stack.pop(0)
                self.truth.left_s.append(self._start_s)
            elif self._random.random() < self.physics.flicker:
                since_s = self._start_s + self._random.uniform(0.004, 0.03)
                self.hole(since_s, since_s + self._random.uniform(0.0002, 0.002))
        elif self.stack and mark == self.stack[0][0]:
            self._position_mm = math.nextafter(mark, -math.inf)
        elif mark not in {tail for _, tail in self.stack}:
            self._held = -1

    def _blink(self, hole: bool) -> None:
        self._hole = hole and any(lead <= self._position_mm < tail for lead, tail in self.stack)

    def _glide(self, to_s: float) -> None:
        time_s = to_s - self._start_s
        if time_s > 0:
            end, _ = self._law()
            if self._speed_mm_s or end:
                if not self._held or self._held * (self._speed_mm_s or end) < 0:
                    self._position_mm += self._way(end, time_s)
                self._speed_mm_s = end + (self._speed_mm_s - end) * math.exp(-time_s / self._tau_s)
            self._start_s = to_s

    def _advance(self, to_s: float) -> None:
        """Let everything happen up to then, each at its time."""
        while True:
            crossing = self._crossing()
            hand_s = self._agenda[0][0] if self._agenda else math.inf
            motion_s = crossing[0] if crossing else math.inf
            if min(hand_s, motion_s) > to_s:
                break
            if crossing is not None and motion_s <= hand_s:
                self._glide(motion_s)
                crossing[1]()
            else:
                self._glide(hand_s)
                heapq.heappop(self._agenda)[2]()
            self._look()
        self._glide(to_s)

    # --- lines and edges ---------------------------------------------------------------------------------------------

    def _electric(self, line: str) -> bool:
        wiring = self.wiring
        if line == "button":
            return self.button_down == wiring.button_active_high
        if line == "lid":
            return self._contact_open != wiring.lid_active_high
        dark = (self.covered and not self._hole) if self._dead is None else self._dead
        return dark == wiring.exit_blocked_high

    def _look(self) -> None:
        now_s = self._start_s
        for line, old in self._levels.items():
            new = self._electric(line)
            if new != old:
                self._levels[line] = new
                active = (
                    new
                    == {
                        "button": self.wiring.button_active_high,
                        "lid": not self.wiring.lid_active_high,
                        "exit": self.wiring.exit_blocked_high,
                    }[line]
                )
                self.truth.edges.append((line, active, now_s))
                self._pending.append((line, now_s, new))

    def _plan(self) -> None:
        """Send what has happened on its way, and wake when the next thing will."""
        for line, at_s, level in self._pending:
            due_s = at_s if self._late is None else self._late(line, at_s)
            if due_s is not None:
                self._last_due_s = max(self._last_due_s, due_s)
                self._queue.append((self._last_due_s, line, at_s, level))
        self._pending.clear()
        crossing = self._crossing()
        next_s = min(
            crossing[0] if crossing else math.inf,
            self._agenda[0][0] if self._agenda else math.inf,
            self._queue[0][0] if self._queue else math.inf,
        )
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if math.isfinite(next_s):
            self._timer = self.clock.call_at(next_s, self.wake)

    def wake(self) -> None:
        """On the world's thread: what is due happens, and edges are called back, with no lock held."""
        with self._lock:
            self._advance(self.clock.time())
            self._plan()
        while True:
            with self._lock:
                if not self._queue or self._queue[0][0] > self.clock.time():
                    break
                _, line, at_s, level = self._queue.pop(0)
            self.factory.pin(getattr(self.wiring, line)).deliver(at_s, level)
        with self._lock:
            self._plan()
