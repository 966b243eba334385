"""Who is at the table, who sits where, and who may do what for whom."""

from __future__ import annotations

import unicodedata
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from zlib import crc32

from dispenser.i18n import Text
from dispenser.table import events as e
from dispenser.table.errors import TableRefusal

MOST_PEOPLE: Final = 10  # At the table with a seat; any number may watch
LONGEST_NAME: Final = 24  # As people count: a flag is one, and so is a letter with its marks
_MOST_SIGNS: Final = 120  # Of all that a name is written with: one letter can have thousands of marks
_CONTROLS: Final = r"(?![\u200c\u200d\U000e0020-\U000e007f])\p{C}"
"""What is taken out: not what joins letters, or the parts of an emoji, and not the letters of a flag."""
_UNSEEN: Final = r"[\p{Default_Ignorable_Code_Point}\u2800\U0001d159\s]"
"""What is drawn as nothing: the empty pattern of Braille and a note without a head are signs to Unicode."""
BOT_NAMES: Final = ("Robo", "Pixel", "Turbo", "Zoé-3000", "Klaxon", "Boulon", "Gizmo", "Vis", "Tic", "Tac")


class Who(NamedTuple):
    """Who sends a command, and what a pure table cannot find out by itself.

    :ivar at: the state of the table that it was meant for, as the phone's view told it.
    :ivar request: an id of the phone's; ``asked``: a mark by which the same command is known again.
    :ivar secret: SHA-256 of a fresh secret, for whoever sits down.
    :ivar table: a fresh name for an evening, and ``commitment`` to its fresh secret.
    """

    person: int | None = None
    owner: bool = False
    at: int | None = None
    request: str | None = None
    asked: str | None = None
    present: Container[int] = frozenset()
    secret: str | None = None
    table: str = ""
    commitment: str = ""


@dataclass
class Person:
    """Somebody at the table.

    :ivar secret: SHA-256 of the secret of their phone; ``None`` for bots, and for people without a phone.
    :ivar seated_by: who gave the seat to somebody without a phone.
    :ivar asked_by: SHA-256 of the secret of a new phone that asks for the seat.
    """

    number: int
    name: str
    bot: bool = False
    secret: str | None = None
    left: bool = False
    seated_by: int | None = None
    asked_by: str | None = None

    @property
    def phoneless(self) -> bool:
        """Any neighbour taps for them."""
        return self.secret is None and not self.bot

    @property
    def asked_number(self) -> int:
        """Two digits by which the host knows the phone that asks for the seat: it shows them, too."""
        return crc32((self.asked_by or "").encode()) % 90 + 10

    @property
    def guest(self) -> bool:
        """They never had a phone: with the cards on the phones they share one."""
        return self.phoneless and not self.left


@dataclass
class People:
    """Everybody of one evening."""

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
        return number is not None and number in self.persons and not self.persons[number].left

    def of_secret(self, secret: str) -> int | None:
        """The person whose phone has the secret of that hash."""
        return next((each.number for each in self.persons.values() if each.secret == secret and not each.left), None)

    def asked_for(self, secrets: Container[str]) -> int | None:
        """Whose seat is asked for by the phone that has one of the secrets of those hashes."""
        asking = (number for number, each in self.persons.items() if each.asked_by and each.asked_by in secrets)
        return next(asking, None)

    def may_see_hand(self, by: int | None, person: int) -> bool:
        """Whether ``by`` may see the cards that ``person`` holds on a phone, and play them."""
        if by is None:
            return False
        return by == person or (by, person) in self.helpers or by == self.shared_phone(person)

    def has_phone(self, number: int | None) -> bool:
        """Whether somebody at the table has a phone of their own."""
        return number is not None and self.is_here(number) and self.persons[number].secret is not None

    def shared_phone(self, number: int) -> int | None:
        """Whose phone is passed to somebody who has none: that of who gave them the seat, or else the host's.

        :returns: ``None`` where a neighbour plays for them, or nobody has a phone.
        """
        person = self.persons[number]
        if not person.guest or self._has_helper(number):
            return None
        return next((each for each in (person.seated_by, self.host) if self.has_phone(each)), None)

    def can_hold_cards(self, number: int) -> bool:
        """Whether that person's cards can be on a phone; a bot needs none."""
        played = self.persons[number].bot or self.has_phone(number) or self._has_helper(number)
        return played or self.shared_phone(number) is not None

    def _has_helper(self, number: int) -> bool:
        return any(whom == number and self.has_phone(by) for by, whom in self.helpers)

    def may_act_for(self, by: int | None, person: int, present: Container[int]) -> bool:
        """Whether ``by`` may tap for ``person``: for oneself, for whom one plays, for a neighbour whose phone is away.

        :param by: ``None`` for the launcher's owner, on the page that all share.
        """
        if self.may_see_hand(by, person):
            return True
        whom = self.persons[person]
        silent = not whom.bot and person not in present
        return (by is None or self.is_here(by)) and (whom.phoneless or whom.left or silent)

    def check_seated(self, who: Who) -> None:
        """:raises TableRefusal: watchers can't move anything."""
        if not (who.owner or self.is_here(who.person)):
            raise TableRefusal(Text("You’re only watching: take a seat to play."), "watching")

    def check_host(self, who: Who, *, in_person: bool = False) -> None:
        """:raises TableRefusal: that is for the host, or the launcher's owner.

        :param in_person: whoever acts as host, while the host's phone is silent, may not do it.
        """
        self.check_seated(who)
        host = self.host if in_person else self.acting_host(who.present)
        if not (who.owner or who.person == host):
            raise TableRefusal(
                Text("Ask {name}, who hosts.").filled(name=self.name(host) if host else "?"), "host_only"
            )

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

    def apply(self, event: e.PeopleEvent) -> None:
        """Change the state by one event."""
        match event:
            case e.Joined(person=number, secret=secret):
                seated_by = None if secret else event.by
                self.persons[number] = Person(number, event.name, event.bot, secret, seated_by=seated_by)
                self.order.append(number)
                if self.host is None and secret:
                    self.host = number
            case e.Left():
                self._leave(event.person)
            case e.SeatAsked():
                self.persons[event.person].asked_by = event.secret
            case e.Claimed():
                person = self.persons[event.person]
                person.secret, person.asked_by = event.secret, None
                self._end_help(event.person)  # was a matter of who had the seat until now
                if self.host is None:
                    self.host = event.person
            case e.Renamed():
                self.persons[event.person].name = event.name
            case e.Seated():
                self.order = list(event.order)
            case e.HostChanged():
                self.host = event.person
            case e.Helps():
                (self.helpers.add if event.yes else self.helpers.discard)((event.by_whom, event.person))

    def _leave(self, number: int) -> None:
        person = self.persons[number]
        person.left, person.secret, person.asked_by = True, None, None
        self.order.remove(number)
        self._end_help(number)
        if self.host == number:
            self.host = next((each for each in self.order if self.persons[each].secret), None)

    def _end_help(self, number: int) -> None:
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
