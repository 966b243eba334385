"""One match in one tracking mode: the game, its actions, and what its presses are for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from operator import gt
from typing import Any, NamedTuple

from dispenser.rules import Game, new_game
from dispenser.rules.charges import charges
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import DRAW, Move
from dispenser.rules.engine.phases import COUNTING, IN_ROUND, MATCH_OVER
from dispenser.rules.engine.record import Notes, NotSoError, notes_of
from dispenser.table import counter
from dispenser.table import events as e
from dispenser.table.counter import Ledger


class Turns:
    """Moves that seats may make out of turn; each one is offered once."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._let_go: set[tuple[int, Move]] = set()
        """Moves out of turn that were offered to a seat."""

    def chances(self, seat: int) -> tuple[Move, ...]:
        """Return the moves that a seat may make out of turn and was not yet offered."""
        if seat == self._game.turn and not self._game.demand:
            return ()
        chances = tuple(move for move in self._game.legal_moves(seat) if (seat, move) not in self._let_go)
        self._let_go.update((seat, move) for move in chances)
        return chances

    def on_events(self, happened: Sequence[Event]) -> None:
        """Offer all moves again after a card was laid."""
        if any(event.what is What.LAID for event in happened):
            self._let_go.clear()


class Mark(NamedTuple):
    """Data about an action of the game: which press of the launcher it was.

    :ivar most: the largest number of cards of that press that could count at the time.
    :ivar shown: the press brought cards into a hand on a phone, so somebody has seen them.
    """

    press: int | None
    most: int = 0
    shown: bool = False


class RoundResult(NamedTuple):
    """Result of a round; ``points`` and ``scores`` by person, ``actions``: length of the log at its end."""

    actions: int
    winner: int | None
    points: dict[int, int]
    scores: dict[int, int]


class Due(NamedTuple):
    """What the next press pays: cards of the deal, a debt of the ledger or a demand of the game.

    :ivar left: presses or cards still owed, of ``total``.
    """

    payer: int
    receiver: int
    kind: Owed
    left: int
    total: int


@dataclass
class Match:
    """A match since its start, or since people or the tracking mode changed.

    :ivar dealing: seats that the launcher still deals to, with the number of cards.
    :ivar counts: by press, how many cards came, with surplus that nobody owed.
    """

    begun: e.MatchBegun
    seed: bytes
    earlier: list[RoundResult] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.order: tuple[int, ...] = tuple(self.begun.order)
        self.tracking_mode = self.begun.tracking_mode
        self.game: Game = new_game(
            self.begun.game,
            len(self.order),
            self.begun.options,
            hidden=self.tracking_mode is not e.TrackingMode.CARDS,
            seed=int.from_bytes(self.seed, "big"),
            scores=self.begun.scores,
            gone=self.begun.gone,
        )
        self.turns = Turns(self.game)
        self.ledger = Ledger(charges(self.game))
        self.notes: Notes = notes_of(self.game.state.cards)
        self.marks: list[Mark] = []
        self.undone_marks: list[Mark] = []
        self.rounds: list[RoundResult] = []
        self.dealing: dict[int, int] = {}
        self.counts: dict[int, int] = {}
        self._due: tuple[tuple[int, int, str], int] | None = None
        self.open_round = False

    @property
    def counts_presses(self) -> bool:
        """Whether debts are presses, with cards by the odds; otherwise they are exact numbers of cards."""
        return self.game.state.draws is Owed.PRESSES

    @property
    def scored(self) -> bool:
        """Whether the game has points; otherwise players have places in the order of going out."""
        return bool(self.game.state.values()) or any(self.game.state.scores)

    @property
    def counter_mode(self) -> bool:
        """Whether the tracking mode is counter: the engine does not follow the play."""
        return self.tracking_mode is e.TrackingMode.COUNTER

    @property
    def in_round(self) -> bool:
        return self.open_round if self.counter_mode else self._followed and not self.counting

    @property
    def _followed(self) -> bool:
        """Whether the engine is within a round, also while a card is turned up or hands are counted."""
        return self.game.phase in IN_ROUND or self.game.question is not None

    @property
    def counting(self) -> bool:
        """Whether the round is over, and hands are being counted."""
        return self.game.phase is COUNTING

    @property
    def between(self) -> bool:
        return not (self.in_round or self.counting or self.dealing or self.over)

    @property
    def over(self) -> bool:
        return self.game.phase is MATCH_OVER

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.game.state.scores)

    @property
    def out(self) -> tuple[int, ...]:
        """The seats that have left the match, in the order in which they left."""
        return self.game.state.order_of_leaving()

    @property
    def rounds_played(self) -> list[RoundResult]:
        return [*self.earlier, *self.rounds]

    def seat_of(self, person: int | None) -> int | None:
        return self.order.index(person) if person in self.order else None

    def is_current(self, press: int) -> int | None:
        """Return the index in the log of the action that the press paid, if there is one."""
        for place in reversed(range(len(self.marks))):
            if self.marks[place].press == press and self.game.log[place].deed is Deed.FULFIL:
                return place
        return None

    def brought(self, press: int) -> int | None:
        """Return how many cards a press brought, or ``None`` if it paid nothing."""
        place = self.is_current(press)
        if place is None:
            return self.ledger.brought(press)
        return self.counts.get(press, int(self.game.log[place].value))

    @property
    def round_begins(self) -> int:
        """Index in the log after the last round that has ended."""
        return self.rounds[-1].actions if self.rounds else 0

    def may_recount(self, press: int) -> bool:
        """Whether the press may be recounted: no round has ended since, so real hands may still hold its cards."""
        if self.tracking_mode is e.TrackingMode.CARDS:
            return False
        place = self.is_current(press)
        return place is None or place >= self.round_begins

    @property
    def most_due(self) -> int:
        """The largest number of cards of the next press that counts; more are surplus."""
        demand, available = self.game.demand, self.game.state.available()
        if demand is None:
            return 0
        return available if demand.kind is Owed.PRESSES else min(available, demand.number)

    @property
    def due(self) -> Due | None:
        """What the next press pays, or ``None`` if nothing is owed."""
        if self.dealing:
            seat, cards = next(iter(self.dealing.items()))
            return Due(seat, seat, Owed.CARDS, cards, cards)
        if self.counter_mode:
            debt = next(iter(self.ledger.debts), None)
            return debt and Due(debt.seat, debt.seat, debt.charge.kind, debt.left, debt.total)
        demand = self.game.demand
        total = self._due[1] if self._due else 0
        return demand and Due(demand.payer, demand.receiver, demand.kind, demand.number, total)

    @property
    def payer(self) -> int | None:
        """The seat that the next press is for: it pays or, where a press means not playing (E-14), it declines."""
        if (due := self.due) is not None:
            return due.payer
        return self.game.turn if not self.counter_mode and self.in_round and self.press_declines else None

    @property
    def press_declines(self) -> bool:
        return self.counts_presses and self.may_decline

    def _update_due(self) -> None:
        """Update the total of the debt due after an action was done, undone or corrected."""
        demand = self.game.demand
        if demand is None:
            self._due = None
            return
        debt = demand.payer, demand.receiver, demand.rule
        before = self._due[1] if self._due and self._due[0] == debt else 0
        self._due = debt, max(before, demand.number)

    @property
    def may_decline(self) -> bool:
        """Whether the player in turn may choose not to play, by pressing (E-14)."""
        turn = self.game.turn
        return turn >= 0 and self.game.demand is None and DRAW in self.game.legal_moves(turn)

    @property
    def dealer(self) -> int | None:
        """The dealer of this round or, between rounds, of the next; ``None`` if unknown or the deal does not pass."""
        state = self.game.state
        if not state.deal_passes:
            return None
        if state.dealer >= 0:
            return state.dealer if self._followed or self.counting else state.left[state.dealer]
        if self.begun.dealer is None:
            return None
        return (self.begun.dealer + len(self.rounds)) % len(self.order)  # the engine has not followed these rounds

    @property
    def next_deal(self) -> Action:
        """The action that deals the next round; the game chooses the dealer unless ``begun`` names one."""
        dealer = self.begun.dealer if self.game.state.dealer < 0 else None
        return Action(Deed.BEGIN, None, {} if dealer is None else {"dealer": dealer})

    def apply(self, event: e.MatchEvent) -> tuple[Sequence[Event], Sequence[Action | counter.Deed]]:
        """Change the state by one event.

        :returns: events of the game; the actions that were undone, redone or replaced.
        :raises RulesError: the game does not allow it, and nothing has changed.
        """
        match event:
            case e.RoundOpened():
                self.dealing = dict.fromkeys(event.deals, self.game.state.hand_size)
                self.open_round = self.counter_mode
                self.ledger.clear()
            case e.Dealt():
                left = self.dealing.get(event.seat, 0) - event.cards
                self.dealing |= {event.seat: left}
                if left <= 0:
                    del self.dealing[event.seat]
            case e.Acted():
                return self.perform(self.action(event.action), Mark(event.press)), ()
            case e.Charged() | e.Forgiven() | e.Paid():
                self.ledger.apply(event)
                self.undone_marks.clear()  # a new deed ends redo of game actions
                return (), [self.ledger.charged(event.debt)] if isinstance(event, e.Forgiven) else ()
            case e.CountTold():
                self._recount(event.press, event.cards)
            case e.CardSet():
                action = self.action(event.action)
                self.replace(event.place, action)
                return (), (action,)
            case e.Undone(steps=steps):
                return (), [self.undo() for _ in range(steps)] or [self.ledger.undo()]
            case e.Redone(steps=steps):
                return (), [self.redo() for _ in range(steps)] or [self.ledger.redo()]
        return (), ()

    def _recount(self, press: int, cards: int) -> None:
        """:raises RulesError: later actions are impossible with the new count."""
        if (place := self.is_current(press)) is not None:
            action, counting = self.game.log[place], min(cards, self.marks[place].most)
            if action.value != counting:
                self.replace(place, action._replace(value=counting))
            self.counts[press] = cards
        self.ledger.recount(press, cards)

    def add_surplus(self, press: int, cards: int) -> None:
        """Add cards that a press brought beyond what was owed."""
        if (known := self.brought(press)) is not None:
            self.counts[press] = known + cards

    def action(self, written: Sequence[Any]) -> Action:
        try:
            return self.notes.read(list(written))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise NotSoError from error

    def perform(self, action: Action, mark: Mark) -> list[Event]:
        """Perform an action of the game and store its mark.

        :raises RulesError: it is against the rules, and nothing has changed.
        """
        before = self.scores
        was_on = self.in_round or self.counting or action.deed is Deed.COUNT_ROUND
        if action.deed is Deed.FULFIL:
            mark = mark._replace(most=self.most_due)
        hands = self._hands_on_phones()
        happened = list(self.game.attempt(action))
        self.turns.on_events(happened)
        mark = mark._replace(shown=any(map(gt, self._hands_on_phones(), hands)))
        self.marks.append(mark)
        self.undone_marks.clear()
        self.ledger.undone.clear()
        self._update_due()
        self._note_end(before, was_on=was_on)
        return happened

    def _hands_on_phones(self) -> list[int]:
        """Return the count of each card of each seat, where phones show hands; otherwise an empty list."""
        return [] if self.game.state.hidden else [number for hand in self.game.state.hands for number in hand]

    def _note_end(self, before: Sequence[int], *, was_on: bool) -> None:
        state = self.game.state
        if not was_on or self._followed:
            return
        self.open_round = False
        points = {person: after - was for person, after, was in zip(self.order, state.scores, before, strict=True)}
        winner = self.order[state.round_winner] if state.round_winner >= 0 else None
        self.rounds.append(
            RoundResult(len(self.game.log), winner, points, dict(zip(self.order, state.scores, strict=True)))
        )

    def undo(self) -> Action:
        action = self.game.undo()
        self.undone_marks.append(self.marks.pop())
        while self.rounds and self.rounds[-1].actions > len(self.game.log):
            self.rounds.pop()
        if self.counter_mode and action.deed is Deed.COUNT_ROUND:
            self.open_round = True
        self.turns = Turns(self.game)
        self._update_due()
        return action

    def redo(self) -> Action:
        before = self.scores
        was_on = self.in_round or self.counting
        action = self.game.redo()
        self.marks.append(self.undone_marks.pop())
        self._note_end(before, was_on=was_on or action.deed is Deed.COUNT_ROUND)
        self.turns = Turns(self.game)
        self._update_due()
        return action

    def replace(self, place: int, action: Action) -> None:
        """Replace an action of the past, and redo all later ones.

        :raises RulesError: later actions are impossible with it.
        """
        self.game.amend(place, action)
        self.undone_marks.clear()
        self.turns = Turns(self.game)
        self._update_due()

    def steps_back(self) -> int:
        return _steps(self.marks)

    def steps_forward(self) -> int:
        return _steps(self.undone_marks)


def _steps(marks: Sequence[Mark]) -> int:
    """Return how many of the last marks are of the same press."""
    if not marks or marks[-1].press is None:
        return min(1, len(marks))
    return sum(1 for _ in takewhile(lambda mark: mark.press == marks[-1].press, reversed(marks)))
