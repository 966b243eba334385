"""Roller, stack, and the card that passes the exit sensor.

Positions are marks on the travel of the roller surface, in mm. A card moves once the roller grips it (``grip_mm``), its
front reaches the barrier at ``dark_mm``, and its end leaves it at ``out_mm``: the card is out. Backward travel passes
the same marks in reverse, until the card is back in the stack.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from dispenser.clocks import Timer
from dispenser.simulator.faults import SimulatorFault
from dispenser.simulator.motor import Motor
from dispenser.simulator.shared import Purpose, Shared
from dispenser.simulator.view import Happening


@dataclass(slots=True)
class Attempt:
    """One attempt of the roller to feed the next card (or a double); positions are travel in mm.

    :param number: number of the attempt; its random draws depend on it.
    :param origin_mm: travel at its start.
    :param jam_mm: where the card jams; infinite if it does not.
    :param slips: the roller does not grip the card.
    :param missed: it slips, and the roller has turned far enough for that to show.
    """

    number: int
    origin_mm: float
    grip_mm: float
    dark_mm: float
    out_mm: float
    jam_mm: float
    cards: int
    slips: bool
    missed: bool = False


class Feeder:
    """The mechanics: stack, roller and exit.

    :param show_exit: called with the state of the light barrier (``True``: dark).
    :ivar cards_held: cards in stack and path.
    :ivar cards_out: cards that have left.
    :ivar dark: a card is in the light barrier.
    :ivar jammed: that card is jammed.
    """

    def __init__(self, shared: Shared, show_exit: Callable[[bool], None]) -> None:
        self._shared = shared
        self._faults, self._report = shared.faults, shared.report
        self._show_exit = show_exit
        self._motor = Motor(shared.parameters)
        self._drive = (0.0, 0.0, False)
        self._attempt: Attempt | None = None
        self._attempts = 0
        self._rescues = 0
        self._rescue_mm: float | None = None
        self._next: Timer | None = None
        self.cards_held = 0
        self.cards_out = 0
        self.dark = False
        self.jammed = False

    # --- interface to the simulator ---

    def speed_mm_s(self) -> float:
        """Return the roller's surface speed."""
        return self._motor.speed_mm_s(self._shared.agenda.time())

    def _travel_mm(self) -> float:
        return self._motor.travel_mm(self._shared.agenda.time())

    def cards_in_stack(self) -> int:
        """Return the number of cards in the stack, including those that were pulled back into it."""
        attempt = self._attempt
        if attempt is None or attempt.slips:
            return self.cards_held
        in_path = self.dark or self._travel_mm() > attempt.grip_mm
        return self.cards_held - attempt.cards if in_path else self.cards_held

    def drive(self, duty: float, motor_v: float, *, braking: bool) -> None:
        """Set the motor's duty and voltage."""
        if (duty, motor_v, braking) == self._drive:
            return
        self._drive = (duty, motor_v, braking)
        self._drive_on()
        self._plan()

    def put(self, cards: int) -> None:
        """Add cards to the stack; a negative number removes them."""
        self.cards_held += cards
        self.look_again()

    def take(self) -> int:
        """Remove the card that sticks out, unless it is jammed; return the number of cards: 0, 1, or 2 for a double."""
        return 0 if self.jammed or not self.dark else self._release(leaves=True)

    def free(self) -> bool:
        """Put the jammed card back onto the stack; return ``False`` if none is jammed."""
        return self.jammed and bool(self._release(leaves=False))

    def look_again(self) -> None:
        """Apply changed cards or faults to the next card that reaches the barrier."""
        now_mm = self._travel_mm()
        attempt = self._attempt
        if attempt is None:
            self._begin(now_mm)
        elif not self.dark:
            gripped = now_mm > attempt.grip_mm
            if not gripped and not self._reachable():
                self._attempt = None
            elif not (gripped and attempt.slips):
                self._attempt = self._draw(attempt.number, attempt.origin_mm)
        self._plan()

    # --- attempts ---

    def _reachable(self) -> int:
        return 0 if self._faults.on(SimulatorFault.EMPTY_STACK) else self.cards_held

    def _begin(self, now_mm: float) -> None:
        """Start an attempt with the next card of the stack, if there is one."""
        self._attempt = None
        if self._reachable():
            self._attempts += 1
            self._attempt = self._draw(self._attempts, now_mm)

    def _draw(self, number: int, origin_mm: float) -> Attempt:
        p = self._shared.parameters
        random = self._shared.chance(Purpose.CARD, number)
        # Always the same draws in the same order: a parameter or fault must not change the other draws.
        slips = random.random() < p.probability("misfeed")
        double = random.random() < p.probability("double")
        jams = random.random() < p.probability("jam")
        gap_mm = _cut(random.gauss(p.gap_mean_mm, p.gap_spread_mm), p.gap_mean_mm, p.gap_mean_mm - p.gap_min_mm)
        slip = _cut(random.gauss(1.0, p.slip_spread), 1.0, 3.0 * p.slip_spread)
        offset_mm = random.uniform(p.double_offset_min_mm, p.double_offset_max_mm)
        jam_share = random.uniform(0.1, 0.6)
        slips |= self._faults.on(SimulatorFault.MISFEED)
        jams |= self._faults.on(SimulatorFault.ROLLER_JAM)
        double = (double or self._faults.on(SimulatorFault.DOUBLE_FEED)) and self.cards_held >= 2
        # The end of the previous card is already one barrier distance ahead of the roller.
        grip_mm = origin_mm + gap_mm - p.barrier_distance_mm
        dark_mm = grip_mm + p.barrier_distance_mm * slip
        length_mm = p.card_length_mm + (offset_mm if double else 0.0)
        return Attempt(
            number,
            origin_mm,
            grip_mm,
            dark_mm,
            out_mm=dark_mm + length_mm * slip,
            jam_mm=dark_mm + jam_share * p.card_length_mm * slip if jams else math.inf,
            cards=2 if double else 1,
            slips=slips,
        )

    def _struck(self, fault: SimulatorFault) -> None:
        if self._faults.strike(fault):
            self._report(Happening.FAULT, fault.value)

    # --- motion ---

    def _drive_on(self) -> None:
        """Begin the next stretch of motion, and update the attempt for the motion before it."""
        motor, now_s = self._motor, self._shared.agenda.time()
        before, stood = motor.direction, motor.speed_mm_s(now_s) == 0.0
        duty, motor_v, braking = self._drive
        motor.drive(now_s, duty, motor_v, braking=braking)
        now_mm = motor.travel_mm(now_s)
        attempt = self._attempt
        if attempt is not None and not self.dark:
            attempt.missed |= attempt.slips and before > 0 and now_mm > attempt.grip_mm
            pulled_back = before < 0 and (attempt.missed or now_mm < attempt.grip_mm)
            if pulled_back or (attempt.missed and stood and motor.direction > 0):
                if attempt.missed:
                    self._struck(SimulatorFault.MISFEED)
                self._begin(now_mm)
        if motor.direction < 0 and (stood or before > 0):
            self._rescue_mm = now_mm - self._shared.parameters.jam_free_travel_mm
        elif motor.direction >= 0:
            self._rescue_mm = None

    def _plan(self) -> None:
        """Schedule the next event, if any."""
        act, mark_mm = self._ahead()
        when_s = None if mark_mm is None else self._motor.when(mark_mm)
        if when_s is None:
            act, when_s = self._drive_on, self._motor.turns_at_s
        if self._next is not None:
            self._next.cancel()
        self._next = None if when_s is None else self._shared.agenda.call_at(when_s, lambda: self._happen(act))

    def _ahead(self) -> tuple[Callable[[], object], float | None]:
        """Return the next event in the current direction, and its mark."""
        attempt, direction = self._attempt, self._motor.direction
        if attempt is not None and direction > 0 and not self.jammed and not attempt.slips:
            if not self.dark:
                return self._darken, attempt.dark_mm
            return (
                (self._jam, attempt.jam_mm)
                if attempt.jam_mm < attempt.out_mm
                else (partial(self._release, leaves=True), attempt.out_mm)
            )
        if attempt is not None and direction < 0 and self.dark:
            return (
                (self._rescue, self._rescue_mm)
                if self.jammed
                else (partial(self._set_dark, dark=False), attempt.dark_mm)
            )
        return self._drive_on, None

    def _happen(self, act: Callable[[], object]) -> None:
        act()
        self._plan()

    # --- events (state first: a listener may switch the motor at once) ---

    def _set_dark(self, *, dark: bool) -> None:
        self.dark = dark
        self._show_exit(dark)
        self._report(Happening.CARD_IN_EXIT, dark)

    def _darken(self) -> None:
        if self._attempt is not None and self._attempt.cards > 1:
            self._struck(SimulatorFault.DOUBLE_FEED)
        self._set_dark(dark=True)

    def _jam(self) -> None:
        self.jammed = True
        self._struck(SimulatorFault.ROLLER_JAM)
        self._report(Happening.JAM, self.jammed)

    def _rescue(self) -> None:
        """Let the jammed card come free by chance, after the roller has pulled back far enough."""
        attempt = self._attempt
        self._rescue_mm = None
        self._rescues += 1
        random = self._shared.chance(Purpose.JAM, self._rescues)
        if attempt is None or random.random() >= self._shared.parameters.jam_free_probability:
            return
        # The roller slipped on the jammed card, so the card's positions shift relative to the travel.
        slipped_mm = self._travel_mm() - attempt.jam_mm
        attempt.origin_mm += slipped_mm
        attempt.grip_mm += slipped_mm
        attempt.dark_mm += slipped_mm
        attempt.out_mm += slipped_mm
        attempt.jam_mm = math.inf
        self.jammed = False
        self._report(Happening.JAM, self.jammed)

    def _release(self, *, leaves: bool) -> int:
        """Move the card in the barrier out or back onto the stack; start the next attempt."""
        attempt, was_jammed = self._attempt, self.jammed
        cards = 0 if attempt is None else attempt.cards
        if leaves:
            self.cards_held -= cards
            self.cards_out += cards
        self.jammed = self.dark = False
        self._begin(self._travel_mm())
        self._plan()
        self._set_dark(dark=False)
        if was_jammed:
            self._report(Happening.JAM, self.jammed)
        if leaves:
            self._report(Happening.CARD_LEFT, cards)
        return cards


def _cut(value: float, middle: float, width: float) -> float:
    return min(max(value, middle - width), middle + width)
