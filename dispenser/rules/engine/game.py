"""``Game``, the public API of all games: who may act, legal moves, demands, penalties, corrections, undo.

>>> from dispenser.rules import new_game
>>> game = new_game("huit-americain", seats=3, seed=7)
>>> events = game.begin()
>>> game.turn, len(game.legal_moves(game.turn)) > 0
(2, True)

``game.state`` is the state of the table: everybody may read it, only the rules change it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Final, Unpack

from dispenser.i18n import Text
from dispenser.rules.engine import corrections, launcher, reasons, refusals, rounds
from dispenser.rules.engine.demands import Demand, Question
from dispenser.rules.engine.errors import IllegalMove, RecordError, RulesError
from dispenser.rules.engine.events import Event
from dispenser.rules.engine.history import Action, Deal, Deed, History, action_of
from dispenser.rules.engine.launcher import BY_CHANCE, Delivered
from dispenser.rules.engine.moves import Move
from dispenser.rules.engine.observation import Observation
from dispenser.rules.engine.phases import MATCH_OVER, Phase
from dispenser.rules.engine.rounds import Outcome
from dispenser.rules.engine.rules import Rules

_PLAY: Final = Deed.PLAY
_FULFIL: Final = Deed.FULFIL


@cache
def _played(seat: int, move: Move) -> Action:
    return Action(_PLAY, seat, move)


def _of_state(name: str) -> Any:
    """Return a property that reads that attribute of the state."""
    return property(attrgetter(f"state.{name}"))


def _unchanging(said: Any) -> Any:
    """Convert lists to tuples, also nested ones."""
    return tuple(map(_unchanging, said)) if isinstance(said, (list, tuple)) else said


class Game:
    """A match of one game, created by ``dispenser.rules.new_game``.

    Chance comes from a seed (one stream for everything, G-05), or from outside: ``begin`` takes the hands and the order
    of the pile, ``fulfil`` the cards that came out. Refused actions change nothing (G-06).

    :ivar state: the state of the table, and the rules.
    """

    __slots__ = ("_history", "_legal", "state")

    def __init__(self, rules: Rules) -> None:
        self.state = rules
        self._legal: dict[int, list[Move]] = {}
        """Legal moves by seat, cached until the next action."""
        self._history = History(rules, self._perform)

    # State

    game_id: str = _of_state("game_id")  # the game's name in commands and files
    seats: int = _of_state("seats")  # places at the table
    turn: int = _of_state("turn")  # whose turn it is; -1 between rounds
    phase: Phase = _of_state("phase")  # what the seat in turn must do
    demand: Demand | None = _of_state("demand")  # what is owed to the launcher now
    question: Question | None = _of_state("question")  # what the table must answer before anything else
    events: list[Event] = _of_state("events")  # the events of the last action
    offences: Mapping[str, tuple[str, int]] = _of_state("offences")
    """Offences that ``penalise`` accepts: rule, and cost in presses or cards."""

    @property
    def outcome(self) -> Outcome | None:
        """Result of the match; ``None`` until it ends."""
        state = self.state
        if state.phase is not MATCH_OVER:
            return None
        return Outcome(state.winners, state.losers, self.ranking(), tuple(state.scores))

    def ranking(self) -> tuple[int, ...]:
        """Return the seats, the best first; before the end, by the current standing."""
        return self.state.ranking()

    def observe(self, seat: int) -> Observation:
        """Return what ``seat`` may know: for bots, for players' phones, for anything that must not cheat.

        :raises ValueError: there is no such seat.
        """
        return Observation(self.state, seat, self.legal_moves)

    # Playing

    def begin(self, **said: Unpack[Deal]) -> list[Event]:
        """Deal the next round."""
        deal = {name: _unchanging(what) for name, what in said.items() if what is not None}
        return self._do(Action(Deed.BEGIN, None, deal))

    def actors(self) -> list[int]:
        """Return the seats that may act now. While something is owed or asked, only moves out of turn are possible."""
        state = self.state
        if state.exposed or state.acts_out_of_turn:
            return [seat for seat in range(state.seats) if self.legal_moves(seat)]
        return [state.turn] if self.legal_moves(state.turn) else []

    def legal_moves(self, seat: int) -> list[Move]:
        """Return the legal moves of ``seat`` now; cached, do not modify."""
        moves = self._legal.get(seat)
        if moves is None:
            moves = self._legal[seat] = self.state.moves_of(seat)
        return moves

    def play(self, seat: int, move: Move) -> list[Event]:
        """Make a move.

        :returns: the events.
        :raises IllegalMove: the error names the rule.
        """
        legal = self._legal.get(seat) or self.legal_moves(seat)
        for known in legal:  # moves are interned, so comparing identity is enough
            if known is move:
                break
        else:
            raise IllegalMove(*refusals.why_forbidden(self.state, seat, move), seat=seat, legal=legal)
        self._legal.clear()
        self._history.write(_played(seat, move))
        state = self.state  # duplicates _perform, in half the time
        state.carry_out(seat, move)
        if state.going_out >= 0:
            rounds.settle(state)
        return state.events

    def fulfil(self, delivered: Delivered) -> list[Event]:
        """Apply a press or delivered cards to the open demand.

        :param delivered: how many cards came out, which ones, or ``BY_CHANCE``.
        :raises IllegalMove: nothing is owed, or those cards cannot have come out.
        """
        state = self.state
        if not state.demands:
            raise IllegalMove("G-06", reasons.NOTHING_OWED, seat=state.turn)
        demand = state.demands[0]
        if delivered is not BY_CHANCE or state.chance is None:
            launcher.check_delivery(state, demand, delivered)
            if isinstance(delivered, list):
                delivered = tuple(delivered)
        self._legal.clear()
        self._history.write(action_of(_FULFIL, demand.payer, delivered))
        launcher.deliver(state, delivered)
        if state.going_out >= 0:
            rounds.settle(state)
        return state.events

    def fulfil_by_chance(self) -> list[Event]:
        """Deliver random cards: as many as are owed, or a random burst for a press."""
        return self.fulfil(BY_CHANCE)

    def answer(self, value: int | bool | Sequence[int]) -> list[Event]:
        """Answer ``question``, which asks for what only the table can see."""
        question = self.state.question
        if question is None:
            raise IllegalMove("G-06", reasons.NOTHING_ASKED)
        told = value if isinstance(value, int) else tuple(value)
        return self._do(Action(Deed.ANSWER, question.seat, told))

    # Corrections by the table

    def penalise(self, seat: int, offence: str) -> list[Event]:
        """Apply an offence that the table declares; it does not cost the turn.

        :param offence: a key of ``offences``.
        :raises IllegalMove: there is no such offence or seat, that seat has won, or no round is under way.
        """
        return self._do(Action(Deed.PENALISE, seat, offence))

    def correct_hand(self, seat: int, size: int | None = None, cards: Sequence[int] | None = None) -> list[Event]:
        """Correct a hand; surplus cards go to the draw pile, missing ones come from it.

        :param size: number of cards; for hidden hands.
        :param cards: or the cards.
        :raises IllegalMove: no round is under way, or that would not conserve the cards (G-04).
        """
        if (size is None) is (cards is None):
            raise IllegalMove("G-04", reasons.SIZE_OR_CARDS, seat=seat)
        if cards is None:
            return self._do(Action(Deed.HAND_SIZE, seat, size))
        return self._do(Action(Deed.HAND, seat, tuple(cards)))

    def correct_turn(self, seat: int) -> list[Event]:
        """Set the turn to ``seat``."""
        return self._do(Action(Deed.TURN, seat))

    def reload(self) -> list[Event]:
        """Apply a reload: the table took the talon except its top card, shuffled it and loaded it (E-31)."""
        return self._do(Action(Deed.RELOAD, None))

    def count_round(self, winner: Any, points: Sequence[Any] = ()) -> list[Event]:
        """End a round that the engine did not follow to its end, and score it by the rules.

        :param winner: the seat that went out first; ``None`` if unknown, in a game that does not score it.
        :param points: points in each hand, by seat; empty in a game without points.
        :raises IllegalMove: the match is over, a round cannot have ended like that, or a value is not a whole number.
        """
        return self._do(Action(Deed.COUNT_ROUND, winner, tuple(points)))

    # History

    @property
    def log(self) -> Sequence[Action]:
        """All actions since the start of the match."""
        return self._history.log

    @property
    def undone(self) -> Sequence[Action]:
        """Undone actions, the next to redo last."""
        return self._history.undone

    def undo(self) -> Action:
        """Undo the last action and return it.

        :raises NothingToUndoError: at the start of the match.
        """
        self._legal.clear()
        return self._history.undo()

    def redo(self) -> Action:
        """Redo the action that was undone last, and return it.

        :raises NothingToUndoError: nothing was undone, or another action followed.
        """
        self._legal.clear()
        return self._history.redo()

    def amend(self, number: int, action: Action) -> None:
        """Correct a wrong seat, card or count: replace a past action and replay the later ones.

        :param number: of the action, from 0, as in ``log``.
        :raises RecordError: there is no such action, or a later action is against the rules after the change; the text
            says which action.
        """
        history = self._history
        if not 0 <= number < len(history.log):
            last = len(history.log) - 1
            raise RecordError(
                Text("there is no action {number}: the match has actions 0 to {last}").filled(number=number, last=last)
            )
        past, future = list(history.log), history.undone
        self._legal.clear()
        history.go_to(number)
        for place, step in enumerate([action, *past[number + 1 :]], start=number):
            try:
                self.attempt(step)
            except RulesError as error:
                self._legal.clear()
                history.put_back(number, past, future)
                text = Text("after that change, action {number} is against the rules: {error}")
                raise RecordError(text.filled(number=place, error=error)) from error

    def attempt(self, action: Action) -> list[Event]:
        """Perform an action by the method for its deed.

        :raises RulesError: it is against the rules.
        """
        deed, seat, value = action
        if deed is Deed.BEGIN:
            return self.begin(**value)
        if deed is Deed.FULFIL:
            return self.fulfil(value)
        if deed is Deed.ANSWER:
            return self.answer(value)
        if deed is Deed.RELOAD:
            return self.reload()
        if deed is Deed.COUNT_ROUND:
            return self.count_round(seat, value)
        if seat is None:
            raise IllegalMove("G-06", reasons.NO_SUCH_SEAT)
        return self.play(seat, value) if deed is Deed.PLAY else self._do(action)

    def _do(self, action: Action) -> list[Event]:
        """Perform an action that may be against the rules."""
        self._legal.clear()
        self._history.do(action)
        return self.state.events

    def _perform(self, action: Action) -> None:
        """Execute an action. Moves and deliveries were checked before; other actions are checked here."""
        deed, seat, value = action
        state = self.state
        if deed is _PLAY and seat is not None:
            state.carry_out(seat, value)
        elif deed is _FULFIL:
            launcher.deliver(state, value)
        elif deed is Deed.BEGIN:
            rounds.begin(state, value)
        elif deed is Deed.ANSWER:
            rounds.answer(state, value)
        elif deed is Deed.COUNT_ROUND:
            rounds.count(state, seat, value)
        elif seat is None:
            corrections.reload(state)
        else:
            corrections.CARRY_OUT[deed](state, seat, value)
        if state.going_out >= 0:
            rounds.settle(state)
