"""The evening under way: its table, replayed from the journal, its secrets and request ids.

It does not write: the session writes the table's events in one transaction with the launcher's, so that a burst and the
debt it paid are both in the journal or neither.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from dispenser.journal import Journal, Record
from dispenser.launcher import messages as m
from dispenser.rules.engine.moves import DRAW
from dispenser.service.presence import Presence
from dispenser.service.replay import evening_under_way
from dispenser.service.requests import RequestReusedError
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.decisions import execute
from dispenser.table.errors import TableRefusal
from dispenser.table.people import Who
from dispenser.table.presses import handle_notice, order
from dispenser.table.replay import Replay
from dispenser.table.secrets import commitment_of, hashed, phone_secret, same_code
from dispenser.table.table import Table

_log = logging.getLogger(__name__)

NAME_BYTES: Final = 6
SECRET_BYTES: Final = 32
LEAST_ID: Final = 16  # Length from which a request's id is taken as unguessable, characters
_SITTING_DOWN: Final = (c.Open, c.Join, c.Claim)


class CommandResult(NamedTuple):
    """Result of a command at the table.

    :ivar secret: for the phone of a person who joined with it, or who asks for a seat.
    :ivar over: commitment of the evening that the command ended.
    :ivar seated: the person who joined.
    """

    events: list[e.Event]
    secret: str | None = None
    over: str = ""
    seated: int | None = None


class Evening:
    """The table of one journal.

    :param most_cards: limit of cards per burst.
    :param present: persons whose phones are connected.
    :ivar table: open or not.
    :ivar unrevealed: the secret of the evening under way, by its commitment.
    """

    def __init__(self, journal: Journal, most_cards: int, present: Presence) -> None:
        self._journal = journal
        self._most_cards = most_cards
        self.present = present
        self.unrevealed: dict[str, bytes] = {}
        self.table = Table(self._secret_of)
        if (opened := evening_under_way(journal)) is not None:  # older ones are not read
            records = journal.read(after=opened.seq - 1, types=[e.FAMILY])
            for record, error in Replay(self.table, None).apply_all(records):
                _log.warning("record %d of the table cannot be applied: %s", record.seq, error)
            present.expect(number for number, person in self.table.people.persons.items() if person.secret)
        self._leads = self.is_open

    def _secret_of(self, commitment: str) -> bytes:
        """:raises LookupError: the journal has no such secret (it is a copy, or the evening was closed)."""
        secret = bytes.fromhex(dict(self._journal.unrevealed_secrets())[commitment])
        self.unrevealed = {commitment: secret}
        return secret

    # --- persons ---

    @property
    def is_open(self) -> bool:
        return self.table.is_open

    def other_presser(self, person: int | None) -> str | None:
        """Return the name of whoever has to press now, unless ``person`` may do so or holds the stand-in phone."""
        match = self.table.playing if self.is_open else None
        if match is None or person == self.table.stand_in:
            return None
        seat = match.payer
        if seat is None or self.table.people.may_act_for(person, match.order[seat], self.present):
            return None
        return self.table.people.name(match.order[seat])

    def knows_code(self, offered: str) -> bool:
        return self.is_open and same_code(offered, self.table.code)

    def person_of(self, secret: str) -> int | None:
        """Return the person whose phone has this secret."""
        return self.table.people.of_secret(hashed(secret)) if self.is_open else None

    def _answered(self, command: c.Command, person: int | None, request: str | None) -> bool:
        """Return whether this request was carried out before, in this evening or the one that it ended.

        Ids are unique per person. For a person who has left their seat only the command is compared.

        :raises RequestReusedError: the id belongs to another request of that person.
        """
        if request is None or isinstance(command, _SITTING_DOWN):  # the secret makes joining idempotent
            return False
        mark, records = self.table.mark(msgspec.json.encode(command).decode()), self._answers_to(request)
        for record in records:
            same = record.type == e.Closed.type if isinstance(command, c.Close) else record.data.get("asked") == mark
            if same and person in {None, record.data.get("by")}:
                return True
        if (own := next((record for record in records if record.data.get("by") == person), None)) is not None:
            raise RequestReusedError(request, own)
        return False

    def _answers_to(self, request: str) -> list[Record]:
        """Return the answers to this id since the last evening began: persons had other numbers before."""
        records = [record for record in self._journal.answers_to(request) if record.type in e.EVENTS]
        opened = next(self._journal.read(types=[e.Opened.type], last=1), None) if records else None
        return [record for record in records if opened is not None and record.seq > opened.seq]

    # --- events and commands ---

    def on_launcher_events(self, notices: Iterable[m.Notice]) -> list[e.Event]:
        """Return the table's events that follow from notices of the launcher."""
        return [event for notice in notices for event in handle_notice(self.table, notice)] if self.is_open else []

    def lost_bursts(self, lost: m.BurstLost | None) -> list[e.Event]:
        """Return events for presses that had not ended when a service died: the table asks for their counts."""
        bursts = [m.BurstLost(press, 0) for press in self.table.pushes if press not in self.table.asked]
        return self.on_launcher_events(lost if lost and lost.press == burst.press else burst for burst in bursts)

    def pause(self) -> list[e.Event]:
        """Pause the bots of a match after a start, so that nothing moves in an empty room."""
        match = self.table.match
        if match is None or match.over or self.table.paused or not self.table.bot_seats:
            return []
        self.table.apply(paused := e.Paused())
        return [paused]

    def order(self) -> m.Order | None:
        """Return the order for the next push; ``None`` while a burst is under way, and without an evening."""
        led, self._leads = self._leads, self.is_open
        if not self.is_open:
            return m.Order() if led else None
        if self.table.pushes.keys() - self.table.asked.keys():
            return None
        return order(self.table, self._most_cards)

    def execute(
        self, command: c.Command, *, person: int | None, owner: bool, at: int | None, request: str | None
    ) -> CommandResult:  # fmt: skip
        """Execute a command; the same request again changes nothing.

        :raises TableRefusal: the command was refused; the text is the reason.
        """
        if self._answered(command, person, request):
            return CommandResult([])
        before = self.table.commitment
        seed = os.urandom(SECRET_BYTES) if isinstance(command, c.Open) and not self.is_open else b""
        commitment = commitment_of(seed) if seed else ""
        secret = None
        if isinstance(command, _SITTING_DOWN):
            # an unguessable id gives the same secret again, in case the answer is lost
            whose = command.person if isinstance(command, c.Claim) else command.name
            known = request is not None and len(request) >= LEAST_ID
            unique = f"{request} {whose!r}" if known else secrets.token_hex(SECRET_BYTES)
            secret = phone_secret(seed, unique) if seed else self.table.phone_secret(unique)
            if self.is_open and (again := self.person_of(secret)) is not None:
                return CommandResult([], secret, "", again)
            request = None  # the id is equivalent to the secret, so it is not stored
        if seed:
            self._journal.put_secret(commitment, seed.hex())
        mark = self.table.mark(msgspec.json.encode(command).decode()) if request else None
        hash_, name = secret and hashed(secret), secrets.token_hex(NAME_BYTES)
        who = Who(person, owner, at, request, mark, self.present, secret=hash_, table=name, commitment=commitment)
        try:
            events = execute(self.table, command, who)
        except TableRefusal:
            if seed:
                self.forget(commitment)
            raise
        seated = next((each.person for each in events if isinstance(each, e.Joined | e.Claimed) and each.secret), None)
        # the sender is present before their phone connects: otherwise another could claim the seat meanwhile
        self.present.expect(each for each in (person, seated) if each is not None)
        kept = seated or any(isinstance(each, e.SeatAsked) for each in events)
        return CommandResult(events, secret if kept else None, before if not self.is_open else "", seated)

    def draws(self, events: list[e.Event]) -> bool:
        """Return whether a person chose to draw on the page, which then also counts as the push."""
        match = self.table.match
        if match is None or match.counts_presses:
            return False
        return any(isinstance(event, e.Acted) and match.action(event.action).value == DRAW for event in events)

    def forget(self, commitment: str) -> None:
        """Delete the secret of an evening that has ended."""
        self.unrevealed = {}
        self._journal.forget_secret(commitment)
