"""Contacts that bounce, as button and lid switch do."""

from __future__ import annotations

import math
from collections.abc import Callable

from dispenser.toy.agenda import Agenda, Entry
from dispenser.toy.parameters import ToyParameters
from dispenser.toy.streams import Purpose, Streams


class Contact:
    """One contact. The first edge comes at once, more follow while it bounces, the last is always the true one.

    :param show: puts the electrical state on the wire.
    """

    def __init__(
        self,
        parameters: ToyParameters,
        agenda: Agenda,
        streams: Streams,
        purpose: Purpose,
        *,
        show: Callable[[bool], None],
        active: bool,
    ) -> None:
        self._parameters = parameters
        self._agenda = agenda
        self._streams = streams
        self._purpose = purpose
        self._show = show
        self._acts = 0
        self._bounces: list[Entry] = []
        self.active = active
        """Where it is or, while it bounces, where it will come to rest."""

    def move(self, active: bool, *, worn: bool = False) -> bool:
        """Close or open it.

        :param worn: bounce often and for up to ``bounce_worst_ms``.
        :returns: ``False`` when it was there already.
        """
        if active == self.active:
            return False
        self.active = active
        now_s = self._agenda.now()
        self._agenda.cancel(*self._bounces)
        self._bounces = [
            self._agenda.at(now_s + after_s, _setter(self._show, state=state))
            for after_s, state in self._edges(active, worn=worn)
        ]
        self._show(active)
        return True

    def _edges(self, active: bool, *, worn: bool) -> list[tuple[float, bool]]:
        """The edges after the first: in pairs, away from the new state and back, the last at the end of the bounce."""
        p = self._parameters
        self._acts += 1
        random = self._streams.numbers(self._purpose, self._acts)
        share = random.random()
        pairs = random.randint(4, 10) if worn else random.randint(0, 4)
        if pairs == 0:
            return []
        if worn:
            lasts_ms = p.bounce_max_ms + share * (p.bounce_worst_ms - p.bounce_max_ms)
        else:
            # Most bounces are short: the logarithm is uniform.
            lasts_ms = p.bounce_min_ms * math.exp(share * math.log(p.bounce_max_ms / p.bounce_min_ms))
        times = [*sorted(random.random() for _ in range(2 * pairs - 1)), 1.0]
        return [(time * lasts_ms / 1e3, active == bool(number % 2)) for number, time in enumerate(times)]


class Flutter:
    """A contact that opens for moments by itself, again and again, until it is stopped."""

    def __init__(
        self, parameters: ToyParameters, agenda: Agenda, streams: Streams, show: Callable[[bool], None]
    ) -> None:
        self._parameters = parameters
        self._agenda = agenda
        self._streams = streams
        self._show = show
        self._times = 0
        self._pending: list[Entry] = []

    def start(self) -> None:
        """Begin with a pause."""
        p = self._parameters
        self.stop()
        self._times += 1
        random = self._streams.numbers(Purpose.FLUTTER, self._times)
        opens_s = self._agenda.now() + random.uniform(p.flutter_gap_min_ms, p.flutter_gap_max_ms) / 1e3
        closes_s = opens_s + random.uniform(p.bounce_min_ms, p.flutter_open_max_ms) / 1e3
        self._pending = [
            self._agenda.at(opens_s, _setter(self._show, state=True)),
            self._agenda.at(closes_s, _setter(self._show, state=False)),
            self._agenda.at(closes_s, self.start),
        ]

    def stop(self) -> None:
        """No more of it; the contact stays as it is, so the caller shows its true state."""
        self._agenda.cancel(*self._pending)
        self._pending = []


def _setter(show: Callable[[bool], None], *, state: bool) -> Callable[[], None]:
    return lambda: show(state)
