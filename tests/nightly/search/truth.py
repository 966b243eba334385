"""How many cards really left at each press, beside what the journal told of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from dispenser.journal import Record
from dispenser.simulator import Happening, Simulator, SimulatorEvent

SETTLES_S = 0.005
"""A change at the exit counts when it has lasted for 3 ms."""


@dataclass(slots=True)
class Burst:
    """From the first motor run of a press to that of the next: whatever leaves in between is this press's.

    :param left: two cards as one count as one.
    :param under_lid: those of them that a hand took while the lid was up.
    :param put_back: jammed cards that a hand put back: told as out, perhaps.
    :param uncertain: the exit sensor told lies meanwhile.
    """

    left: int = 0
    under_lid: int = 0
    put_back: int = 0
    uncertain: bool = False


class Truth:
    """Watches the simulator.

    :param sensor_lies: whether the exit sensor tells anything but the truth now.
    """

    def __init__(self, simulator: Simulator, sensor_lies: Callable[[], bool]) -> None:
        self.bursts: dict[int, Burst] = {0: Burst()}
        self.dark_since_s = -1.0
        self._simulator = simulator
        self._sensor_lies = sensor_lies
        self._press = 0
        self.hand_takes = False
        """What leaves now is pulled out by a hand."""
        self._taken_s = -1.0
        self._lied = False
        self._dark_is_true = True  # the sensor has told when it became dark
        simulator.add_listener(self._see)

    @property
    def burst(self) -> Burst:
        """The present one, or the last."""
        return self.bursts[self._press]

    def run_begins(self, press: int | None) -> None:
        """The driver is told to feed, for this press."""
        if press is not None:
            self._press = press
            self.bursts.setdefault(press, Burst())
        self.burst.uncertain |= self._sensor_lies()

    def doubt_sensor(self) -> None:
        """Somebody meddles with the sensor now."""
        self.burst.uncertain = self._lied = True
        self._dark_is_true = False

    def _see(self, event: SimulatorEvent) -> None:
        if event.happening is Happening.CARD_IN_EXIT and event.value:
            self.dark_since_s = event.time_s
            self._dark_is_true = not self._sensor_lies()
        if event.happening is Happening.CARD_LEFT:
            self.burst.left += 1
            self.burst.uncertain |= not self._dark_is_true
            if self.hand_takes:
                self.burst.under_lid += self._simulator.view().lid_open
                self._taken_s = event.time_s
        if event.happening is Happening.LID and event.value and event.time_s - self._taken_s < SETTLES_S:
            self.burst.under_lid += 1  # nobody can tell that this hand was quicker than the other

    def compare(self, records: Iterable[Record]) -> Iterator[str]:
        """Where the journal tells another number of cards, though the sensor told the truth.

        What hands do under the open lid nobody can know: a card that stuck out, and so was delivered, may be put back,
        and one that was stuck may be taken out.
        """
        cards, strays = told(records)
        later_strays = 0
        for press in sorted(self.bursts.keys() | cards.keys() | strays.keys(), reverse=True):
            # a press whose run never began may have been told of what the sensor showed
            happened = self.bursts.get(press, Burst(uncertain=self._lied))
            fewest, most = happened.left - happened.under_lid, happened.left + happened.put_back
            beside = strays[press] + later_strays
            if not happened.uncertain and (cards[press] > most or cards[press] + beside < fewest):
                yield f"press {press}: {happened}; told are {cards[press]}, and {beside} of none"
            later_strays = strays[press]


def told(records: Iterable[Record]) -> tuple[Counter[int], Counter[int]]:
    """What the journal says: by press the cards, and those told while it was under way and as none of it: they left
    before its run began, or between two.
    """
    cards, strays, now, under_way = Counter[int](), Counter[int](), 0, False
    for record in records:
        press = record.data.get("press")
        match record.type:
            case "launcher.burst.started":
                now, under_way = record.data["press"], True
            case "launcher.card.left":
                (strays if under_way and press is None else cards)[now] += 1
            case "launcher.burst.ended" if press == now:
                cards[now] += record.data["sticking_out"]
                under_way = False
    return cards, strays
