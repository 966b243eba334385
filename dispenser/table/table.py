"""The table: one evening's people and matches on one launcher.

Pure, like the launcher machine. ``decisions.step`` takes what somebody said and ``presses.listen`` what the launcher
did; both give entries, which are in force then. ``take`` alone changes anything, one entry at a time, so the evening's
entries bring it back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from dispenser.rules.engine.events import Event
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import Act
from dispenser.table import counter
from dispenser.table import messages as m
from dispenser.table.match import Mark, Match
from dispenser.table.people import People
from dispenser.table.secrets import code_of, commitment_of, mark_of, phone_secret, seed_of, watch_key_of

MOST_NEWS: Final = 12
ANY_TIME: Final = frozenset({Act.ANNOUNCE, Act.CATCH, Act.RETRACT, Act.CATCH_RETRACT})
"""What can be said while somebody else does something: it is never too late for the state it was meant for."""


@dataclass
class News:
    """What the phones tell of an entry.

    :ivar at: the state of the table that it brought about; a number for it.
    :ivar happened: in the game.
    :ivar taken_back: actions of the game, or what was told to the ledger, that were undone or done again.
    :ivar before: how the match was told until then.
    :ivar taker: who got the cards that came, while the table plays by itself.
    """

    at: int
    entry: m.Entry
    happened: tuple[Event, ...] = ()
    taken_back: tuple[Action | counter.Deed, ...] = ()
    match: Match | None = None
    before: m.Telling | None = None
    taker: int | None = None
    said: dict[tuple[int | None, str], str] = field(default_factory=dict)
    """By listener and language, what was made of it already."""

    @cached_property
    def concerned(self) -> frozenset[int]:
        """The persons of whom it tells something that happened in the game."""
        seats: set[int | None] = set()
        for event in self.happened:
            seats |= {event.seat, event.other, event.move.seat if event.move else None}
            if event.demand is not None:
                seats |= {event.demand.payer, event.demand.receiver}
        order = self.match.order if self.match else ()
        return frozenset(person for seat, person in enumerate(order) if seat in seats)


class Table:
    """One evening.

    :param secret_of: the evening's secret by its commitment, from where the journal keeps secrets.
    :param revealed: seeds of shuffles by their commitments, for an evening whose secret is forgotten.
    :ivar code: what people type to join.
    :ivar watch_key: what the cookie of those who watch is made with.
    :ivar at: how often anything has changed.
    :ivar changed_at: when the game last did; what was meant for an older state comes too late.
    :ivar charged_at: when somebody last charged a seat.
    :ivar called_at: when it last became somebody else's turn, or somebody's to press or to tell.
    :ivar called: whose, and for what.
    :ivar counted: the count that somebody told last, and ``counted_at`` when.
    :ivar pushes: presses that have not ended, and whose they are.
    :ivar asked: presses of which nobody knows yet how many cards came.
    :ivar stand_in: whose phone stands in for the launcher.
    :ivar thrown: what that phone last said, until the next press or until something is taken back.
    :ivar taker: the last press that counted, and who gets its cards.
    :ivar seeds: of the match's shuffles so far.
    :ivar paused: bots wait until somebody says that the evening goes on.
    """

    def __init__(self, secret_of: Callable[[str], bytes], revealed: Mapping[str, bytes] = MappingProxyType({})) -> None:
        self._secret_of = secret_of
        self._revealed = revealed
        self._secret = b""
        self.code = ""
        self.watch_key = b""
        self.commitment = ""
        self.name = ""
        self.people = People()
        self.match: Match | None = None
        self.wished: m.Telling | None = None
        self.host_only = False
        self.pushes: dict[int, int | None] = {}
        self.asked: dict[int, m.CountAsked] = {}
        self.last_press: int | None = None
        self.counted: m.CountTold | None = None
        self.stand_in: int | None = None
        self.thrown: m.Thrown | None = None
        self.taker: tuple[int, int | None] = 0, None
        self.shuffles = 0
        self.paused = False
        self.seeds: list[bytes] = []
        self.at = self.changed_at = self.charged_at = self.called_at = self.counted_at = 0
        self.called: tuple[object, ...] = ()
        self.news: deque[News] = deque(maxlen=MOST_NEWS)

    # --- what is ---

    @property
    def is_open(self) -> bool:
        """An evening is under way."""
        return bool(self.name)

    def phone_secret(self, request: str) -> str:
        """The secret of the phone that sits down with that request."""
        return phone_secret(self._secret, request)

    def mark(self, said: str) -> str:
        """By which it is known that the same is said again."""
        return mark_of(self._secret, said)

    @property
    def playing(self) -> Match | None:
        """The match, while its presses count: in a round, or while the launcher deals."""
        match = self.match
        return match if match is not None and (match.in_round or match.dealing) else None

    @property
    def bot_seats(self) -> list[int]:
        """The seats that bots play for, with the cards on the phones: their own, and those of people who have gone."""
        match = self.match
        if match is None or match.telling is not m.Telling.CARDS:
            return []
        persons = self.people.persons
        return [seat for seat, number in enumerate(match.order) if persons[number].bot or persons[number].left]

    @property
    def acting_bot_seats(self) -> list[int]:
        """Those of them that may do something now."""
        return self.bot_seats if self.match is not None and self.match.in_round and not self.asked else []

    def next_commitment(self) -> str:
        """To the seed of the shuffles that come next."""
        return commitment_of(seed_of(self._secret, self.shuffles + 1))

    def seat_of(self, person: int | None) -> int | None:
        """The place of a person in the match."""
        return self.match.seat_of(person) if self.match else None

    # --- what changes it ---

    def take(self, entry: m.Entry) -> None:
        """One more entry.

        :raises RulesError: the game does not allow it, and nothing has changed.
        """
        before = self.match.telling if self.match else None
        told = _TAKES[type(entry)](self, entry)
        self.at += 1
        if (called := self._called()) != self.called:
            self.called, self.called_at = called, self.at
        if self._changes_game(entry):
            self.changed_at = self.at
        if isinstance(entry, m.Charged):
            self.charged_at = self.at
        if isinstance(entry, m.CountTold):
            self.counted, self.counted_at = entry, self.at
        happened, taken_back = told if told is not None else ((), ())
        taker = self.taker[1] if isinstance(entry, m.Paid) else None
        self.news.append(News(self.at, entry, tuple(happened), tuple(taken_back), self.match, before, taker))

    def _called(self) -> tuple[object, ...]:
        """Who is to do something now, and what for."""
        match = self.match
        if match is None:
            return ()
        if self.asked:
            return ("asked", *self.asked)
        if match.dealing:
            return ("deal", next(iter(match.dealing)))
        if match.by_itself:
            debts = match.ledger.debts
            return ("debt", debts[0].number) if debts else ("open", match.open_round)
        if (demand := match.game.demand) is not None:
            return ("owes", demand.payer, demand.receiver, demand.rule)
        return ("turn", match.game.turn, match.game.phase, match.game.question)

    def _changes_game(self, entry: m.Entry) -> bool:
        if isinstance(entry, m.Acted) and entry.action[0] == Deed.PLAY:
            return entry.action[2].get("act") not in ANY_TIME
        return isinstance(entry, _CHANGES)

    def _opened(self, entry: m.Opened) -> None:
        self.__init__(self._secret_of, self._revealed)  # type: ignore[misc]  # everything begins anew
        self._secret, self.commitment = self._secret_of(entry.commitment), entry.commitment
        self.code, self.watch_key = code_of(self._secret), watch_key_of(self._secret)
        self.name = entry.table

    def _closed(self, _: m.Closed) -> None:
        self.__init__(self._secret_of, self._revealed)  # type: ignore[misc]

    def _joined(self, entry: m.Joined) -> None:
        self.people.join(entry)
        if self.people.host is None and entry.secret:
            self.people.host = entry.person

    def _left(self, entry: m.Left) -> None:
        self.people.leave(entry.person)
        if self.stand_in == entry.person:
            self.stand_in = self.thrown = None

    def _seat_asked(self, entry: m.SeatAsked) -> None:
        self.people.persons[entry.person].asked_by = entry.secret

    def _stands_in(self, entry: m.StandsIn) -> None:
        self.stand_in, self.thrown = entry.person, None

    def _thrown(self, entry: m.Thrown) -> None:
        self.thrown = entry

    def _claimed(self, entry: m.Claimed) -> None:
        person = self.people.persons[entry.person]
        person.secret, person.asked_by = entry.secret, None
        self.people.end_help(entry.person)  # was a matter of who had the seat until now
        if self.people.host is None:
            self.people.host = entry.person

    def _renamed(self, entry: m.Renamed) -> None:
        self.people.persons[entry.person].name = entry.name

    def _seated(self, entry: m.Seated) -> None:
        self.people.order = list(entry.order)

    def _host(self, entry: m.HostChanged) -> None:
        self.people.host = entry.person

    def _helps(self, entry: m.Helps) -> None:
        pair = (entry.by_whom, entry.person)
        (self.people.helpers.add if entry.yes else self.people.helpers.discard)(pair)

    def _match_begun(self, entry: m.MatchBegun) -> None:
        if entry.anew:
            self.seeds = []
        seed = self._revealed.get(entry.commitment) or seed_of(self._secret, self.shuffles + 1)
        earlier = [] if entry.anew or self.match is None else self.match.rounds_played
        if entry.anew or self.match is None or entry.telling is not self.match.telling:
            self.wished = None
        self.match = Match(entry, seed, earlier)
        self.shuffles += 1
        self.seeds.append(seed)
        self._forget_presses()

    def _match_ended(self, _: m.MatchEnded) -> None:
        self.match, self.wished, self.seeds = None, None, []
        self._forget_presses()

    def _forget_presses(self) -> None:
        self.pushes.clear()
        self.asked.clear()

    def _telling(self, entry: m.TellingWished) -> None:
        self.wished = entry.telling

    def _round_opened(self, entry: m.RoundOpened) -> None:
        match = self._match()
        match.dealing = dict.fromkeys(entry.deals, match.game.state.hand_size)
        match.open_round = match.by_itself
        match.ledger.clear()

    def _dealt(self, entry: m.Dealt) -> None:
        match = self._match()
        left = match.dealing.get(entry.seat, 0) - entry.cards
        if left > 0:
            match.dealing[entry.seat] = left
        else:
            match.dealing.pop(entry.seat, None)
        self._press_over(entry.press)

    def _acted(self, entry: m.Acted) -> tuple[Sequence[Event], Sequence[Action]]:
        match = self._match()
        happened = match.perform(match.action(entry.action), Mark(entry.by, entry.press))
        if entry.action[0] == Deed.FULFIL:
            self._press_over(entry.press)
        return happened, ()

    def _ledger(self, entry: m.Charged | m.Forgiven | m.Paid) -> None:
        match = self._match()
        match.ledger.take(entry)
        match.undone_marks.clear()  # what was taken back of the game lies behind something new
        if isinstance(entry, m.Paid):
            self._press_over(entry.press)

    def _press_taken(self, entry: m.PressTaken) -> None:
        self.pushes[entry.press], self.thrown = entry.seat, None
        self.taker = entry.press, self._receiver(entry.seat)

    def _receiver(self, seat: int | None) -> int | None:
        """Who gets the cards that come at the press of a seat."""
        match = self._match()
        if not (match.dealing or match.by_itself) and (demand := match.game.demand) is not None:
            seat = demand.receiver
        return None if seat is None else match.order[seat]

    def _press_done(self, entry: m.PressDone) -> None:
        match = self.match
        if match is not None and (known := match.brought(entry.press)) is not None:
            match.counts[entry.press] = known + entry.cards
        self._press_over(entry.press)

    def _press_over(self, press: int | None) -> None:
        if press is not None:
            self.pushes.pop(press, None)
            self.asked.pop(press, None)
            self.last_press = press

    def _count_asked(self, entry: m.CountAsked) -> None:
        self.asked[entry.press] = entry

    def _count_told(self, entry: m.CountTold) -> None:
        match = self._match()
        if (place := match.is_current(entry.press)) is not None:
            match.amend(place, entry.cards)
            match.counts[entry.press] = entry.cards
        match.ledger.recount(entry.press, entry.cards)
        self.asked.pop(entry.press, None)

    def _card_set(self, entry: m.CardSet) -> tuple[Sequence[Event], Sequence[Action]]:
        match = self._match()
        action = match.action(entry.action)
        match.replace(entry.place, action)
        return (), (action,)

    def _undone(self, entry: m.Undone) -> tuple[Sequence[Event], Sequence[Action | counter.Deed]]:
        match, self.thrown = self._match(), None
        if not entry.steps:
            return (), (match.ledger.undo(),)
        taken = [match.undo() for _ in range(entry.steps)]
        return (), taken

    def _redone(self, entry: m.Redone) -> tuple[Sequence[Event], Sequence[Action | counter.Deed]]:
        match = self._match()
        if not entry.steps:
            return (), (match.ledger.redo(),)
        done = [match.redo() for _ in range(entry.steps)]
        return (), done

    def _host_only(self, entry: m.HostOnlySet) -> None:
        self.host_only = entry.yes

    def _paused(self, entry: m.Paused | m.Continued) -> None:
        self.paused = isinstance(entry, m.Paused)

    def _nothing(self, _: m.Entry) -> None:
        """Only news."""

    def _match(self) -> Match:
        if self.match is None:
            raise ValueError("an entry of a match, and there is none")
        return self.match


_CHANGES: Final = (
    m.Acted, m.MatchBegun, m.MatchEnded, m.RoundOpened, m.Dealt, m.Undone, m.Redone, m.CountTold, m.CardSet, m.Forgiven,
)  # fmt: skip
"""What changes the game or the ledger, so that what was meant for it before comes too late."""
_Told = tuple[Sequence[Event], Sequence[Action | counter.Deed]]
_TAKES: Final[dict[type[m.Entry], Callable[[Table, Any], _Told | None]]] = {
    m.Opened: Table._opened,
    m.Closed: Table._closed,
    m.Joined: Table._joined,
    m.Left: Table._left,
    m.SeatAsked: Table._seat_asked,
    m.Claimed: Table._claimed,
    m.Renamed: Table._renamed,
    m.Seated: Table._seated,
    m.HostChanged: Table._host,
    m.Helps: Table._helps,
    m.MatchBegun: Table._match_begun,
    m.MatchEnded: Table._match_ended,
    m.TellingWished: Table._telling,
    m.RoundOpened: Table._round_opened,
    m.Dealt: Table._dealt,
    m.Acted: Table._acted,
    m.Charged: Table._ledger,
    m.Forgiven: Table._ledger,
    m.Paid: Table._ledger,
    m.PressTaken: Table._press_taken,
    m.PressDone: Table._press_done,
    m.CountAsked: Table._count_asked,
    m.CountTold: Table._count_told,
    m.CardSet: Table._card_set,
    m.Scored: Table._nothing,
    m.Undone: Table._undone,
    m.Redone: Table._redone,
    m.HostOnlySet: Table._host_only,
    m.StandsIn: Table._stands_in,
    m.Thrown: Table._thrown,
    m.Paused: Table._paused,
    m.Continued: Table._paused,
}
