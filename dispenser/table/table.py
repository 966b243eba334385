"""The table: one evening's people and matches on one launcher.

Pure, like the launcher machine. ``decisions`` converts commands into events, ``presses`` converts launcher events;
only ``Table.apply`` changes the state, one event at a time, so the journal's events restore it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Final, NamedTuple

from dispenser.rules.engine.events import Event
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import Act
from dispenser.table import counter
from dispenser.table import events as e
from dispenser.table.match import Match
from dispenser.table.people import People
from dispenser.table.secrets import code_of, commitment_of, mark_of, phone_secret, seed_of, watch_key_of

MOST_NEWS: Final = 12
ANY_TIME: Final = frozenset({Act.ANNOUNCE, Act.CATCH, Act.RETRACT, Act.CATCH_RETRACT})
"""Announcements, accepted at any time: a command for an older state is not too late."""
_CHANGES_GAME: Final = (
    e.Acted, e.MatchBegun, e.MatchEnded, e.RoundOpened, e.Dealt, e.Undone, e.Redone, e.CountTold, e.CardSet, e.Forgiven,
)  # fmt: skip
"""After these events, a command for an older state of the game is too late."""


@dataclass
class News:
    """Data from which phones describe an event.

    :ivar taken_back: actions of the game or the ledger that were undone, redone or replaced.
    :ivar before: the tracking mode before the event.
    :ivar taker: counter mode: the person who got the cards.
    """

    at: int
    event: e.Event
    happened: tuple[Event, ...] = ()
    taken_back: tuple[Action | counter.Deed, ...] = ()
    match: Match | None = None
    before: e.TrackingMode | None = None
    taker: int | None = None
    texts: dict[tuple[int | None, str], str] = field(default_factory=dict)

    @cached_property
    def concerned(self) -> frozenset[int]:
        """The persons who take part in the game events."""
        seats: set[int | None] = set()
        for event in self.happened:
            seats |= {event.seat, event.other, event.move.seat if event.move else None}
            if event.demand is not None:
                seats |= {event.demand.payer, event.demand.receiver}
        order = self.match.order if self.match else ()
        return frozenset(person for seat, person in enumerate(order) if seat in seats)


class LuckyPress(NamedTuple):
    """A press by the odds: its round, person and cards."""

    round: int
    person: int
    cards: int = 0


class Table:
    """State of one evening, changed by events.

    :param secret_of: returns the evening's secret for a commitment, from the journal's secret store.
    :param revealed: seeds of shuffles by commitment, for an evening whose secret is deleted.
    """

    def __init__(self, secret_of: Callable[[str], bytes], revealed: Mapping[str, bytes] = MappingProxyType({})) -> None:
        self._secret_of = secret_of
        self._revealed = revealed
        self._clear()

    def _clear(self) -> None:
        """Reset to the state before an evening.

        :ivar at: number of events; ``changed_at``: its value at the last change of the game, ``charged_at``: charge.
        :ivar called: who must act now, and what for; unchanged since ``called_at``.
        :ivar counted: the last count that a person told, at ``counted_at``.
        :ivar pushes: presses under way, with their seats; ``asked``: presses whose count is unknown.
        :ivar stand_in: the person whose phone stands in for the launcher; ``thrown``: its last delivery.
        :ivar luck: presses of this match by the odds, with their cards.
        :ivar taker: the last press that counted, and the person who gets its cards.
        :ivar paused: bots wait until a person continues the evening.
        """
        self._secret = self.watch_key = b""
        self.code = self.commitment = self.name = ""
        self.people = People()
        self.match: Match | None = None
        self.next_tracking_mode: e.TrackingMode | None = None
        self.host_only = self.paused = False
        self.pushes: dict[int, int | None] = {}
        self.asked: dict[int, e.CountAsked] = {}
        self.last_press: int | None = None
        self.counted: e.CountTold | None = None
        self.stand_in: int | None = None
        self.thrown: e.Thrown | None = None
        self.taker: tuple[int, int | None] = 0, None
        self.luck: dict[int, LuckyPress] = {}
        self.shuffles = 0
        self.seeds: list[bytes] = []
        self.at = self.changed_at = self.charged_at = self.called_at = self.counted_at = 0
        self.called: tuple[object, ...] = ()
        self.news: deque[News] = deque(maxlen=MOST_NEWS)

    @property
    def is_open(self) -> bool:
        return bool(self.name)

    def phone_secret(self, request: str) -> str:
        return phone_secret(self._secret, request)

    def mark(self, text: str) -> str:
        """Return a keyed hash by which a repeated command is recognized."""
        return mark_of(self._secret, text)

    @property
    def playing(self) -> Match | None:
        """The match while presses count: in a round, or while the launcher deals."""
        match = self.match
        return match if match is not None and (match.in_round or match.dealing) else None

    @property
    def bot_seats(self) -> list[int]:
        """The seats that bots play with the cards on the phones: their own, and those of people who have left."""
        match = self.match
        if match is None or match.tracking_mode is not e.TrackingMode.CARDS:
            return []
        persons = self.people.persons
        return [seat for seat, number in enumerate(match.order) if persons[number].bot or persons[number].left]

    @property
    def acting_bot_seats(self) -> list[int]:
        return self.bot_seats if self.match is not None and self.match.in_round and not self.asked else []

    def next_commitment(self) -> str:
        return commitment_of(seed_of(self._secret, self.shuffles + 1))

    def seat_of(self, person: int | None) -> int | None:
        return self.match.seat_of(person) if self.match else None

    def apply(self, event: e.Event) -> None:
        """Change the state by one event.

        :raises RulesError: the game does not allow it, and nothing has changed.
        """
        before = self.match.tracking_mode if self.match else None
        happened: Sequence[Event] = ()
        taken_back: Sequence[Action | counter.Deed] = ()
        self.note_luck(event)
        if isinstance(event, e.PeopleEvent):
            self.people.apply(event)
        elif isinstance(event, e.MatchEvent):
            if self.match is None:
                raise ValueError("an event of a match, and there is none")
            happened, taken_back = self.match.apply(event)
        self._apply_here(event)
        self.at += 1
        if (called := self._called()) != self.called:
            self.called, self.called_at = called, self.at
        if _changes_game(event):
            self.changed_at = self.at
        taker = self.taker[1] if isinstance(event, e.Paid) else None
        self.news.append(News(self.at, event, tuple(happened), tuple(taken_back), self.match, before, taker))

    def _apply_here(self, event: e.Event) -> None:  # noqa: PLR0912 - one case per event
        """Apply an event to the state outside ``people`` and ``match``."""
        match event:
            case e.Opened():
                self._clear()
                self._secret, self.commitment = self._secret_of(event.commitment), event.commitment
                self.code, self.watch_key = code_of(self._secret), watch_key_of(self._secret)
                self.name = event.table
            case e.Closed():
                self._clear()
            case e.Left() if self.stand_in == event.person:
                self.stand_in = self.thrown = None
            case e.StandsIn():
                self.stand_in, self.thrown = event.person, None
            case e.Thrown():
                self.thrown = event
            case e.MatchBegun():
                self._begin_match(event)
            case e.MatchEnded():
                self.match, self.next_tracking_mode, self.seeds = None, None, []
                self._forget_presses()
            case e.TrackingModeChosen():
                self.next_tracking_mode = event.tracking_mode
            case e.Charged():
                self.charged_at = self.at + 1
            case e.PressTaken():
                self.pushes[event.press], self.thrown = event.seat, None
                self.taker = event.press, self._receiver(event.seat)
            case e.CountAsked():
                self.asked[event.press] = event
            case e.CountTold():
                self.asked.pop(event.press, None)
                self.counted, self.counted_at = event, self.at + 1
            case e.Undone():
                self.thrown = None
            case e.HostOnlySet():
                self.host_only = event.yes
            case e.Paused() | e.Continued():
                self.paused = isinstance(event, e.Paused)
            case e.PressDone():
                if self.match is not None:
                    self.match.add_surplus(event.press, event.cards)
                self._end_press(event.press)
            case e.Dealt(press=press) | e.Paid(press=press) | e.Acted(press=press, action=[Deed.FULFIL, *_]):
                self._end_press(press)

    def note_luck(self, event: e.Event) -> None:
        """Record the person and cards of each press by the odds; undoing a move does not undo this."""
        match, luck = self.match, self.luck
        if match is None or not match.counts_presses or match.dealing:
            return
        match event:
            case e.PressTaken(press=press, seat=seat) if seat is not None:
                luck[press] = LuckyPress(len(match.rounds_played), match.order[seat])
            case (
                e.Acted(press=press, action=[Deed.FULFIL, _, int(cards)])
                | e.Paid(press=press, cards=cards)
                | e.PressDone(press=press, cards=cards)
            ) if press in luck:
                luck[press] = luck[press]._replace(cards=luck[press].cards + cards)
            case e.CountTold(press=press, cards=cards) if press in luck and press not in self.asked:
                luck[press] = luck[press]._replace(cards=cards)

    def _begin_match(self, event: e.MatchBegun) -> None:
        if event.anew:
            self.seeds, self.luck = [], {}
        seed = self._revealed.get(event.commitment) or seed_of(self._secret, self.shuffles + 1)
        earlier = [] if event.anew or self.match is None else self.match.rounds_played
        if event.anew or self.match is None or event.tracking_mode is not self.match.tracking_mode:
            self.next_tracking_mode = None
        self.match = Match(event, seed, earlier)
        self.shuffles += 1
        self.seeds.append(seed)
        self._forget_presses()

    def _forget_presses(self) -> None:
        self.pushes.clear()
        self.asked.clear()

    def _receiver(self, seat: int | None) -> int | None:
        """Return the person who gets the cards of a press of that seat."""
        match = self.match
        if match is None or seat is None:
            return None
        return match.order[match.due.receiver if match.due else seat]

    def _end_press(self, press: int | None) -> None:
        if press is not None:
            self.pushes.pop(press, None)
            self.asked.pop(press, None)
            self.last_press = press

    def _called(self) -> tuple[object, ...]:
        """Return who must act now, and what for."""
        match = self.match
        if match is None:
            return ()
        if self.asked:
            return ("asked", *self.asked)
        if match.dealing:
            return ("deal", next(iter(match.dealing)))
        if match.counter_mode:
            debts = match.ledger.debts
            return ("debt", debts[0].number) if debts else ("open", match.open_round)
        if (demand := match.game.demand) is not None:
            return ("owes", demand.payer, demand.receiver, demand.rule)
        return ("turn", match.game.turn, match.game.phase, match.game.question)


def _changes_game(event: e.Event) -> bool:
    if isinstance(event, e.Acted) and event.action[0] == Deed.PLAY:
        return event.action[2].get("act") not in ANY_TIME
    return isinstance(event, _CHANGES_GAME)
