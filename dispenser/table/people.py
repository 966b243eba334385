"""Who is at the table, who sits where, and who may do what for whom."""

from __future__ import annotations

import unicodedata
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Final

from dispenser.language import Text
from dispenser.table import messages as m
from dispenser.table.errors import TableRefusal

MOST_PEOPLE: Final = 10
"""At the table with a seat; any number may watch."""
LONGEST_NAME: Final = 24
"""As people count: a flag is one, and so is a letter with its marks."""
_MOST_SIGNS: Final = 120
"""Of all that a name is written with: one letter can have thousands of marks."""
_CONTROLS: Final = r"(?![\u200c\u200d\U000e0020-\U000e007f])\p{C}"
"""What is taken out: not what joins letters, or the parts of an emoji, and not the letters of a flag."""
_UNSEEN: Final = r"[\p{Default_Ignorable_Code_Point}\u2800\U0001d159\s]"
"""What is drawn as nothing: the empty pattern of Braille and a note without a head are signs to Unicode."""
BOT_NAMES: Final = ("Robo", "Pixel", "Turbo", "Zoé-3000", "Klaxon", "Boulon", "Gizmo", "Vis", "Tic", "Tac")


@dataclass
class Person:
    """Somebody at the table.

    :ivar secret: SHA-256 of the secret of their phone; ``None`` for bots, and for people without a phone.
    :ivar released: the host has let another phone take the seat.
    """

    number: int
    name: str
    bot: bool = False
    secret: str | None = None
    left: bool = False
    released: bool = False

    @property
    def phoneless(self) -> bool:
        """Any neighbour taps for them."""
        return self.secret is None and not self.bot

    @property
    def guest(self) -> bool:
        """They never had a phone: with the cards on the phones any neighbour may hold their hand."""
        return self.phoneless and not self.released


@dataclass
class People:
    """Everybody of one evening.

    :ivar order: the persons at the table, in the order of play.
    :ivar helpers: pairs of who may play, and for whom.
    """

    persons: dict[int, Person] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    host: int | None = None
    helpers: set[tuple[int, int]] = field(default_factory=set)

    def __getitem__(self, number: int) -> Person:
        """:raises TableRefusal: there is no such person at the table."""
        person = self.persons.get(number)
        if person is None or person.left:
            raise TableRefusal(Text("There is no such person at the table."), "unknown_person")
        return person

    def name(self, number: int) -> str:
        """Also of somebody who has left."""
        return self.persons[number].name

    def is_here(self, number: int | None) -> bool:
        """Whether that person is at the table."""
        return number is not None and number in self.persons and not self.persons[number].left

    def of_secret(self, secret: str) -> int | None:
        """The person whose phone has the secret of that hash."""
        return next((each.number for each in self.persons.values() if each.secret == secret and not each.left), None)

    def may_see_hand(self, by: int | None, person: int) -> bool:
        """Whether ``by`` may see the cards that ``person`` holds on a phone, and play them."""
        return by is not None and (by == person or (by, person) in self.helpers)

    def may_act_for(self, by: int | None, person: int, present: Container[int]) -> bool:
        """Whether ``by`` may tap for ``person``: for oneself, for whom one plays, for a neighbour whose phone is away.

        :param by: ``None`` for the launcher's owner, on the page that all share.
        :param present: persons whose phones are connected.
        """
        if self.may_see_hand(by, person):
            return True
        whom = self.persons[person]
        silent = not whom.bot and person not in present
        return (by is None or self.is_here(by)) and (whom.phoneless or whom.left or silent)

    def next_number(self) -> int:
        return len(self.persons) + 1

    def new_name(self, name: str, but: int | None = None) -> str:
        """The name as it will stand everywhere.

        :raises TableRefusal: it is none, too long, or taken.
        """
        clean = clean_name(name)
        taken = {name_key(each.name) for each in self.persons.values() if not each.left and each.number != but}
        if name_key(clean) in taken:
            raise TableRefusal(Text("There is a {name} already: add a letter.").filled(name=clean), "name_taken")
        return clean

    def bot_name(self) -> str:
        """One that nobody has."""
        taken = {name_key(each.name) for each in self.persons.values()}
        names = (*BOT_NAMES, *(f"Robo {number}" for number in range(2, 999)))
        return next(name for name in names if name_key(name) not in taken)

    def check_room(self) -> None:
        """:raises TableRefusal: all seats are taken."""
        if len(self.order) >= MOST_PEOPLE:
            raise TableRefusal(
                Text("All {number} seats are taken. You can watch.").filled(number=MOST_PEOPLE), "table_full"
            )

    def acting_host(self, present: Container[int]) -> int | None:
        """Who has the host's powers now: the host, or while they are away the person present who came first."""
        if self.host is None or self.host in present:
            return self.host
        here = (number for number in self.order if self.persons[number].secret and number in present)
        return min(here, default=self.host)

    # --- what entries change ---

    def join(self, entry: m.Joined) -> None:
        self.persons[entry.person] = Person(entry.person, entry.name, entry.bot, entry.secret)
        self.order.append(entry.person)

    def leave(self, number: int) -> None:
        person = self.persons[number]
        person.left, person.secret = True, None
        self.order.remove(number)
        self.end_help(number)
        if self.host == number:
            self.host = next((each for each in self.order if self.persons[each].secret), None)

    def end_help(self, number: int) -> None:
        """That person plays for nobody, and nobody for them."""
        self.helpers = {pair for pair in self.helpers if number not in pair}


def clean_name(name: str) -> str:
    """A first name as it was typed: composed, one space between words, without controls and marks of direction.

    :raises TableRefusal: nothing of it can be seen, or it is too long.
    """
    import regex

    kept = regex.sub(_CONTROLS, "", " ".join(name.split()))
    clean = unicodedata.normalize("NFC", " ".join(kept.split()))
    if not regex.search(r"[\p{L}\p{N}\p{S}]", regex.sub(_UNSEEN, "", clean)):
        raise TableRefusal(Text("Type a first name."), "name_missing")
    number = len(clean) if len(clean) > _MOST_SIGNS else len(letters(clean))
    if number > LONGEST_NAME:
        raise TableRefusal(
            Text("A name has at most {most} letters, and this one {number}.").filled(most=LONGEST_NAME, number=number),
            "name_too_long",
        )
    return clean


def letters(name: str) -> list[str]:
    """What people see as one each: a flag, a family, a letter with its marks."""
    import regex

    found: list[str] = regex.findall(r"\X", name)
    return found


def name_key(name: str) -> str:
    """The same for all names that look the same, whatever capitals, spaces and unseen signs they are written with."""
    import regex

    seen = regex.sub(_UNSEEN, "", name)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", seen).casefold())
