"""Input lines, with the bouncing contacts of button and lid switch."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from dispenser.clocks import Timer
from dispenser.simulator.clockwork import Clockwork
from dispenser.simulator.parameters import Line
from dispenser.simulator.pins import SimulatorPin
from dispenser.simulator.shared import Purpose, Shared


class InputLine:
    """An input of the Pi that the simulator sets, as active or inactive whatever the polarity."""

    def __init__(self, line: Line, clockwork: Clockwork) -> None:
        self._active_high = line.active_high
        self._pin: SimulatorPin = clockwork.factory.pin(line.gpio)
        self._clockwork = clockwork
        self._physical = False
        self._driven = False

    def show(self, active: bool) -> None:
        """Set the state from the physics."""
        self._physical = active
        if not self._driven:
            self._clockwork.show(self._pin, active == self._active_high)

    def drive(self, active: bool) -> None:
        """Override the state until :meth:`release`."""
        self._driven = True
        self._clockwork.show(self._pin, active == self._active_high)

    def release(self) -> None:
        """End the override; the physics sets the state again."""
        self._driven = False
        self.show(self._physical)


class Contact:
    """A bouncing contact. The first edge is immediate, more follow while it bounces, the last one has the final state.

    :param show: sets the electrical state of the wire.
    :ivar active: the state, or, while it bounces, the final one.
    """

    def __init__(self, shared: Shared, purpose: Purpose, show: Callable[[bool], None], *, active: bool) -> None:
        self._shared = shared
        self._purpose = purpose
        self._show = show
        self._acts = 0
        self._bounces: list[Timer] = []
        self.active = active

    def move(self, active: bool, *, worn: bool = False) -> bool:
        """Close or open the contact.

        :param worn: bounce often and for up to ``bounce_worst_ms``.
        :returns: ``False`` if it was in that state already.
        """
        if active == self.active:
            return False
        self.active = active
        agenda = self._shared.agenda
        for bounce in self._bounces:
            bounce.cancel()
        self._bounces = [
            agenda.call_at(agenda.time() + after_s, partial(self._show, state))
            for after_s, state in self._edges(active, worn=worn)
        ]
        self._show(active)
        return True

    def _edges(self, active: bool, *, worn: bool) -> list[tuple[float, bool]]:
        """Return the edges after the first: pairs, to the old state and back; the last edge ends the bounce."""
        p = self._shared.parameters
        self._acts += 1
        random = self._shared.chance(self._purpose, self._acts)
        share = random.random()
        pairs = random.randint(4, 10) if worn else random.randint(0, 4)
        if pairs == 0:
            return []
        if worn:
            lasts_ms = p.bounce_max_ms + share * (p.bounce_worst_ms - p.bounce_max_ms)
        else:
            # Log-uniform: most bounces are short.
            lasts_ms = p.bounce_min_ms * math.exp(share * math.log(p.bounce_max_ms / p.bounce_min_ms))
        times = [*sorted(random.random() for _ in range(2 * pairs - 1)), 1.0]
        return [(time * lasts_ms / 1e3, active == bool(number % 2)) for number, time in enumerate(times)]


class Flutter:
    """A contact that opens briefly again and again, until it is stopped."""

    def __init__(self, shared: Shared, show: Callable[[bool], None]) -> None:
        self._shared = shared
        self._show = show
        self._times = 0
        self._pending: list[Timer] = []

    def start(self) -> None:
        """Schedule a pause, an opening, and the next start."""
        p, agenda = self._shared.parameters, self._shared.agenda
        self.stop()
        self._times += 1
        random = self._shared.chance(Purpose.FLUTTER, self._times)
        opens_s = agenda.time() + random.uniform(p.flutter_gap_min_ms, p.flutter_gap_max_ms) / 1e3
        closes_s = opens_s + random.uniform(p.bounce_min_ms, p.flutter_open_max_ms) / 1e3
        edges = ((opens_s, True), (closes_s, False))
        self._pending = [agenda.call_at(at_s, partial(self._show, state)) for at_s, state in edges]
        self._pending.append(agenda.call_at(closes_s, self.start))

    def stop(self) -> None:
        """Cancel it. The contact keeps its state, so the caller must set the true one."""
        for pending in self._pending:
            pending.cancel()
        self._pending = []
