"""The people at the table: their names, the order of their seats, and permission checks for commands."""

from __future__ import annotations

import unicodedata
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from zlib import crc32

from dispenser.i18n import Text
from dispenser.table import events as e
from dispenser.table.errors import TableRefusal

MOST_PEOPLE: Final = 10  # With a seat; any number may watch
LONGEST_NAME: Final = 24  # Grapheme clusters, as people count: a flag is one, so is a letter with its marks
_MOST_SIGNS: Final = 120  # Code points: one letter can have thousands of combining marks
_CONTROLS: Final = r"(?![\u200c\u200d\U000e0020-\U000e007f])\p{C}"
"""Removed from names: control and format characters, except joiners, parts of emoji and the letters of a flag."""
_UNSEEN: Final = r"[\p{Default_Ignorable_Code_Point}\u2800\U0001d159\s]"
"""Characters drawn as nothing: also the blank Braille pattern and the null notehead, which Unicode calls symbols."""
BOT_NAMES: Final = ("Robo", "Pixel", "Turbo", "Zoé-3000", "Klaxon", "Boulon", "Gizmo", "Vis", "Tic", "Tac")


class Who(NamedTuple):
    """The sender of a command, and facts from outside that the table needs to decide.

    :ivar at: version of the table that the command was meant for, from the view of the phone.
    :ivar request: id set by the phone; ``asked``: keyed hash of the command, to recognize it when it is sent again.
    :ivar secret: SHA-256 of a fresh secret, for a person who takes a seat.
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
    """A person or bot at the table.

    :ivar secret: SHA-256 of the secret of their phone; ``None`` for bots and people without a phone.
    :ivar seated_by: the person who added somebody without a phone.
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
        """Whether the person has no phone, so that others tap for them."""
        return self.secret is None and not self.bot

    @property
    def asked_number(self) -> int:
        """Two digits shown on the phone that asks for the seat, and to the host, who compares them."""
        return crc32((self.asked_by or "").encode()) % 90 + 10

    @property
    def guest(self) -> bool:
        """Whether the person never had a phone; with cards on the phones they share one."""
        return self.phoneless and not self.left


@dataclass
class People:
    """All people of one evening."""

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
        """Return a name, also of a person who has left."""
        return self.persons[number].name

    def is_here(self, number: int | None) -> bool:
        return number is not None and number in self.persons and not self.persons[number].left

    def of_secret(self, secret: str) -> int | None:
        """Return the person whose phone has the secret with that hash."""
        return next((each.number for each in self.persons.values() if each.secret == secret and not each.left), None)

    def asked_for(self, secrets: Container[str]) -> int | None:
        """Return the person whose seat is asked for by a phone that has one of the secrets with those hashes."""
        asking = (number for number, each in self.persons.items() if each.asked_by and each.asked_by in secrets)
        return next(asking, None)

    def may_see_hand(self, by: int | None, person: int) -> bool:
        """Decide whether ``by`` may see, and play, the cards that ``person`` holds on a phone."""
        if by is None:
            return False
        return by == person or (by, person) in self.helpers or by == self.shared_phone(person)

    def has_phone(self, number: int | None) -> bool:
        """Decide whether the person is at the table with a phone of their own."""
        return number is not None and self.is_here(number) and self.persons[number].secret is not None

    def shared_phone(self, number: int) -> int | None:
        """Return the person whose phone a guest shares: the one who added the guest, or else the host.

        :returns: ``None`` if a helper plays for them, or nobody has a phone.
        """
        person = self.persons[number]
        if not person.guest or self._has_helper(number):
            return None
        return next((each for each in (person.seated_by, self.host) if self.has_phone(each)), None)

    def can_hold_cards(self, number: int) -> bool:
        """Decide whether the person's cards can be on a phone; a bot needs none."""
        played = self.persons[number].bot or self.has_phone(number) or self._has_helper(number)
        return played or self.shared_phone(number) is not None

    def _has_helper(self, number: int) -> bool:
        return any(whom == number and self.has_phone(by) for by, whom in self.helpers)

    def may_act_for(self, by: int | None, person: int, present: Container[int]) -> bool:
        """Decide whether ``by`` may tap for ``person``: oneself, somebody helped, somebody without a connected phone.

        :param by: ``None`` for the launcher's owner, on the shared page.
        """
        if self.may_see_hand(by, person):
            return True
        whom = self.persons[person]
        silent = not whom.bot and person not in present
        return (by is None or self.is_here(by)) and (whom.phoneless or whom.left or silent)

    def check_seated(self, who: Who) -> None:
        """:raises TableRefusal: the sender only watches."""
        if not (who.owner or self.is_here(who.person)):
            raise TableRefusal(Text("You’re only watching: take a seat to play."), "watching")

    def check_host(self, who: Who, *, in_person: bool = False) -> None:
        """:raises TableRefusal: the sender is neither the host nor the launcher's owner.

        :param in_person: refuse also an acting host, who replaces a host whose phone is not connected.
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
        """Return the cleaned name.

        :raises TableRefusal: the name is empty, too long, or taken.
        """
        clean = clean_name(name)
        taken = {name_key(each.name) for each in self.persons.values() if not each.left and each.number != but}
        if name_key(clean) in taken:
            raise TableRefusal(Text("There is a {name} already: add a letter.").filled(name=clean), "name_taken")
        return clean

    def bot_name(self) -> str:
        """Return a bot name that is not taken."""
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
        """Return who has the host's powers: the host or, if disconnected, the connected person who came first."""
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
                self._end_help(event.person)  # help belonged to the previous holder of the seat
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
    """Normalize a typed name: NFC, single spaces, without controls and direction marks.

    :raises TableRefusal: no visible character is left, or it is too long.
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
    """Split a name into grapheme clusters: a flag, a family, a letter with its combining marks."""
    import regex

    found: list[str] = regex.findall(r"\X", name)
    return found


def name_key(name: str) -> str:
    """Return a key that is equal for names that look the same, ignoring case, spaces and invisible characters."""
    import regex

    seen = regex.sub(_UNSEEN, "", name)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", seen).casefold())
