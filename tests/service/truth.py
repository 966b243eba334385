"""What really happened to the cards of each burst, beside what the journal told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from dispenser.journal import Record
from dispenser.simulator import Happening, Toy, ToyEvent

BLOCKED_ERROR_MS = 0.02
"""Times are told in hundredths of a millisecond."""
SETTLES_S = 0.005
"""A change at the exit counts when it has lasted for 3 ms."""
HELD_UP = 2.0
"""Told as dark for so many times as long as a card takes: something was wrong there, as everybody can see."""
CLEAR_DOUBLE = 1.6
"""A card that keeps the exit dark for so many times the usual is surely two; a short overlap cannot be told."""


@dataclass(slots=True)
class Passage:
    """Something left the exit. Two cards as one are one passage; ``dark_ms``: how long the exit was dark for it."""

    cards: int
    dark_ms: float
    by_hand: bool
    first_of_run: bool
    run: int


@dataclass(slots=True)
class Burst:
    """From the first motor run of a press to that of the next: whatever leaves in between is this press's.

    :param put_back: jammed cards that a hand put back: told as out, perhaps.
    :param ill: the exit sensor told lies meanwhile.
    """

    passages: list[Passage] = field(default_factory=list)
    under_lid: int = 0
    put_back: int = 0
    ill: bool = False

    @property
    def left(self) -> int:
        return len(self.passages)

    def __str__(self) -> str:
        dark = " ".join(f"{each.dark_ms:.2f}{'×2' * (each.cards - 1)}{'h' * each.by_hand}" for each in self.passages)
        return f"dark for {dark} ms, {self.under_lid} under the lid, {self.put_back} put back"

    def clear_doubles(self) -> int:
        """Two as one that nobody could take for one card: long, and two single ones of this run came before."""
        found = 0
        for number, passage in enumerate(self.passages):
            alone = [
                other.dark_ms
                for other in self.passages[:number]
                if other.run == passage.run and other.cards == 1 and not (other.first_of_run or other.by_hand)
            ]
            sure = len(alone) >= 2 and passage.dark_ms > CLEAR_DOUBLE * median(alone)
            found += passage.cards > 1 and sure and not (passage.first_of_run or passage.by_hand)
        return found


@dataclass(slots=True)
class Told:
    """What the journal says of the same time."""

    cause: str = ""
    delivered: int | None = 0
    left: int = 0
    sticking_out: bool = False
    suspected: int = 0
    blocked_ms: list[float] = field(default_factory=list)
    strays: int = 0
    """Cards told while it was under way, and as none of it: they left before its run began, or between two."""

    @property
    def cards(self) -> int:
        return self.left + self.sticking_out

    def __str__(self) -> str:
        sticks = ", one sticks out" * self.sticking_out
        return f"told: {self.cause}, {self.delivered}{sticks}, dark for {self.blocked_ms} ms"


class Truth:
    """Watches the toy.

    :param sensor_lies: whether the exit sensor tells anything but the truth now.
    """

    def __init__(self, toy: Toy, sensor_lies: Callable[[], bool]) -> None:
        self.bursts: dict[int, Burst] = {0: Burst()}
        self.rolled_out = 0
        """Times that the roller pushed a card (or two as one) out of the exit."""
        self.dark_since_s = -1.0
        self._toy = toy
        self._sensor_lies = sensor_lies
        self._press = 0
        self._runs = 0
        self._run_is_fresh = True
        self._hand_takes = False
        self._taken_s = -1.0
        self._lied = False
        self._dark_is_true = True  # the sensor has told when it became dark
        toy.add_listener(self._see)

    @property
    def burst(self) -> Burst:
        """The present one, or the last."""
        return self.bursts[self._press]

    def run_begins(self, press: int | None) -> None:
        """The driver is told to feed, for this press."""
        self._runs += 1
        self._run_is_fresh = True
        if press is not None:
            self._press = press
            self.bursts.setdefault(press, Burst())
        self.burst.ill |= self._sensor_lies()

    def doubt_sensor(self) -> None:
        """Somebody meddles with the sensor now."""
        self.burst.ill = self._lied = True
        self._dark_is_true = False

    @contextmanager
    def hand_takes(self) -> Iterator[None]:
        """What leaves now is pulled out by a hand."""
        self._hand_takes = True
        try:
            yield
        finally:
            self._hand_takes = False

    def _see(self, event: ToyEvent) -> None:
        if event.happening is Happening.CARD_IN_EXIT and event.value:
            self.dark_since_s = event.time_s
            self._dark_is_true = not self._sensor_lies()
        if event.happening is Happening.CARD_LEFT:
            cards = int(event.value or 0)
            dark_ms = (event.time_s - self.dark_since_s) * 1e3
            self.burst.passages.append(Passage(cards, dark_ms, self._hand_takes, self._run_is_fresh, self._runs))
            self._run_is_fresh = False
            self.burst.ill |= not self._dark_is_true
            if self._hand_takes:
                self.burst.under_lid += self._toy.view().lid_open
                self._taken_s = event.time_s
            else:
                self.rolled_out += 1
        if event.happening is Happening.LID and event.value and event.time_s - self._taken_s < SETTLES_S:
            self.burst.under_lid += 1  # nobody can tell that this hand was quicker than the other

    # --- beside the journal ---

    def compare(self, entries: Iterable[Record]) -> list[str]:
        """Where the journal tells another story of a burst, though nothing physical made it so."""
        told = read(entries)
        problems: list[str] = []
        strays = 0
        for press in sorted(self.bursts.keys() | told.keys(), reverse=True):
            # a press whose run never began may have been told of what the sensor showed
            happened, says = self.bursts.get(press, Burst(ill=self._lied)), told.get(press, Told())
            strays, says.strays = says.strays, says.strays + strays
            differences = _hidden if happened.ill else _differences
            problems += [f"press {press}: {what}; {happened}; {says}" for what in differences(happened, says)]
        return problems


def _hidden(happened: Burst, says: Told) -> Iterator[str]:
    """A sensor that lies can hide two cards before a feed is given up as blind; more must be told as doubtful."""
    pace_ms = min((each.dark_ms for each in happened.passages), default=0.0)
    held_up = any(ms > HELD_UP * pace_ms for ms in says.blocked_ms)
    if says.cause == "complete" and happened.left > says.cards + 2 and not (says.suspected or held_up):
        yield f"{happened.left} left, {says.cards} were told, and nothing of doubt"


def _differences(happened: Burst, says: Told) -> Iterator[str]:
    """What hands do under the open lid nobody can know: a card that stuck out, and so was delivered, may be put back,
    and one that was stuck may be taken out.
    """
    fewest, most = happened.left - happened.under_lid, happened.left + happened.put_back
    if says.cards > most or says.cards + says.strays < fewest:
        yield f"{happened.left} left and {says.cards} were told"
    true_ms = [each.dark_ms for each in happened.passages]
    unseen = [told_ms for told_ms in says.blocked_ms if all(abs(told_ms - ms) > BLOCKED_ERROR_MS for ms in true_ms)]
    if unseen and not happened.put_back:
        yield f"the exit was never dark for {unseen} ms"
    if says.cause == "complete" and happened.clear_doubles() > says.suspected:
        yield f"{happened.clear_doubles()} clear doubles, {says.suspected} were suspected"


def read(entries: Iterable[Record]) -> dict[int, Told]:
    """What the journal says of each press that started a motor."""
    told: dict[int, Told] = {0: Told()}
    now = told[0]
    under_way = False
    for entry in entries:
        data: dict[str, Any] = entry.data
        match entry.type:
            case "launcher.burst.started":
                now, under_way = told.setdefault(data["press"], Told()), True
            case "launcher.card.left" if under_way and data["press"] is None:
                now.strays += 1
            case "launcher.card.left":
                now.left += 1
                now.blocked_ms.append(data["blocked_ms"])
                if data["press"] is None:
                    now.suspected += bool(data["suspected_double"])
            case "launcher.burst.ended" if data["press"] in told:
                ended, under_way = told[data["press"]], False
                ended.cause, ended.delivered = data["cause"], data["delivered"]
                ended.sticking_out = bool(data["sticking_out"])
                ended.suspected += data["suspected_doubles"]
    return told
