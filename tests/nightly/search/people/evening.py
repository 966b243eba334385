"""An evening: people come, play, change places, go; the power fails, and the table is the same again."""

from __future__ import annotations

from typing import Final

from dispenser.rules import GAMES
from dispenser.table import commands as c
from dispenser.table import events as e
from tests.nightly.search.people.figures import Figures
from tests.nightly.search.people.kept import Kept
from tests.nightly.search.people.rounds import Rounds

NAMES: Final = ("Léa", "Tom", "Zoé", "Max", "Ana", "Bob", "Mia", "Noé", "Ida", "Eli")
ROUNDS: Final = (1, 1, 2)


class People(Rounds):
    """See the module."""

    def play(self) -> Figures:
        self._sit_down()
        for number in range(self.dice.choice(ROUNDS)):
            if number:
                self._between()
            self.round()
            self.figures.rounds += 1
            if self.match.over:
                break
        self.kill()
        if isinstance(self.sitting, Kept) and self.maybe(0.1):
            self.sitting.check_from_the_start()
        if self.maybe(0.5):
            self.say(c.EndMatch(), self.sitting.table.people.host)
        self.say(c.Close(), self.sitting.table.people.host)
        return self.figures

    def _sit_down(self) -> None:
        sitting, seats = self.sitting, GAMES[self.game_id].book.seats
        number = self.dice.choice(range(max(2, seats[0]), min(5, seats[-1]) + 1))
        sitting.said(c.Open(NAMES[0]), owner=True)
        for name in NAMES[1:number]:
            if self.telling is e.TrackingMode.CARDS and self.launcher.bots and self.maybe(0.3):
                sitting.said(c.Bot(), 1)
            elif self.maybe(0.15):
                sitting.said(c.Guest(name), 1)
            else:
                sitting.said(c.Join(name))
        people = sitting.table.people
        sitting.present = {person for person in people.order if not people.persons[person].bot}
        self._start(1)

    def _start(self, by: int | None) -> None:
        self.written.clear()
        self.say(c.Start(self.game_id, self.options, self.telling, self.deals), by, owner=by is None)

    def _between(self) -> None:
        """Somebody comes, somebody goes, a phone is lost; then the next round."""
        people, seats = self.sitting.table.people, GAMES[self.game_id].book.seats
        if self.maybe(0.3) and len(people.order) < min(6, seats[-1]):
            taken = {person.name for person in people.persons.values()}
            self.sitting.said(c.Join(next(name for name in NAMES if name not in taken)))
            self.sitting.present.add(people.order[-1])
        elif self.maybe(0.2) and len(people.order) > 2:
            leaver = self.anybody()
            if any(people.persons[each].secret for each in people.order if each != leaver):
                self.say(c.Leave(), leaver)
        self.lose_a_phone()
        people = self.sitting.table.people
        if self.maybe(0.2) and len(people.order) > 1:
            one, other = self.dice.sample(people.order, 2)
            self.say(c.Swap(one, other), owner=True)
        people = self.sitting.table.people
        if len(people.order) in seats:
            if self.sitting.say(c.Deal(), self.anybody(), at=self.sitting.table.at):
                return
            assert self.sitting.refusal is not None
            assert self.sitting.refusal.word == "wrong_number", self.sitting.refusal
            self.say(c.EndMatch(), owner=True)
        else:
            self.say(c.EndMatch(), owner=True)
            self.say(c.Guest(NAMES[-1]), owner=True)
        self._start(None)


def evening(seed: int) -> Figures:
    """One evening from its seed.

    :raises AssertionError: something is wrong; it names the seed.
    """
    people = People(seed)
    try:
        return people.play()
    except Exception as error:
        label = f"evening {seed}, {people.game_id}, {people.telling.value}, {people.options}"
        raise AssertionError(f"{label}: {type(error).__name__}: {error}") from error
