"""One interface for five games: who may act, legal moves, demands on the launcher, penalties, corrections.

Each game is a module of its own that reads like its rules. What they share is here and below: ``corrections``,
``rounds`` (from the deal to the score), ``dealing`` (cards on the move), ``history`` (undo), ``state`` (the data).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from dispenser.rules import events, reasons
from dispenser.rules.book.entry import Text
from dispenser.rules.chance import Chance
from dispenser.rules.corrections import Corrections
from dispenser.rules.errors import IllegalMove
from dispenser.rules.events import Event
from dispenser.rules.history import CHECKPOINT_EVERY, Action
from dispenser.rules.moves import ANNOUNCE, CANCEL, CATCH, CATCH_RETRACT, JUMP_IN, KIND_SHIFT, PLAY, RETRACT, Move
from dispenser.rules.state import (
    AGAIN,
    ANSWERING,
    CARDS,
    COUNTING,
    DREW,
    IDLE,
    MATCH_OVER,
    PLAYING,
    PRESSES,
    Demand,
    demand_of,
)

TOY_BURSTS: Final = (0,) * 11 + (3, 4, 5, 6, 7, 8)
"""Equally likely bursts when nobody else says what a press ejects: the toy fires at 34 of 96 presses, 3 to 8 cards."""


class Game(Corrections):
    """A match of one game. ``dispenser.rules.new_game`` makes one.

    Chance enters by ``seed`` (one stream for everything, G-05), or from outside: ``begin`` takes the hands and the
    order of the pile, ``fulfil`` what came out.

    :param seats: places at the table, numbered clockwise from 0.
    :param options: every option of the game.
    :param hidden: the cards are real; hands are known by their size.
    :param bursts: what a press ejects, each entry as likely, when ``fulfil`` is not told.
    """

    __slots__ = ("asks_reload", "bursts", "draw_one", "turn_events")

    game_id: ClassVar[str]
    turn_rule: ClassVar[str]
    """The rule about whose turn it is."""
    card_phases: ClassVar[tuple[int, ...]] = (PLAYING, DREW, ANSWERING, AGAIN)
    """Phases in which the seat in turn may lay a card, and so may announce its last one before."""
    acts_out_of_turn: ClassVar[bool] = False
    """Whether ``other_moves`` may give anything."""
    draw_kind: ClassVar[str] = CARDS
    draw_rule: ClassVar[str]
    """The rule about not playing."""
    forgotten: ClassVar[tuple[str, int]]
    """The rule about a forgotten announcement, and the presses or cards that it costs."""
    offences: ClassVar[Mapping[str, tuple[str, int]]] = {}
    """What the table can declare against a seat: the rule, and the presses or cards that it costs."""

    def __init__(
        self,
        seats: int,
        options: Mapping[str, Any],
        *,
        hidden: bool = False,
        seed: int | None = None,
        bursts: Sequence[int] = TOY_BURSTS,
    ) -> None:
        super().__init__(seats, options, hidden=hidden, chance=None if seed is None else Chance(seed))
        self.bursts = tuple(bursts)
        self.asks_reload = bool(self.reload_rule) and (hidden or seed is None)
        """Real cards: when the launcher is empty somebody must load it (E-31). Virtual ones see to it themselves."""
        self.turn_events = [(events.TURN, seat, -1) for seat in range(seats)]
        self.draw_one = [Demand(self.draw_kind, seat, seat, 1, self.draw_rule) for seat in range(seats)]

    # What each game says for itself

    @abstractmethod
    def turn_moves(self, seat: int) -> list[Move]:
        """What the seat in turn may do; no demand and no question is open."""

    @abstractmethod
    def carry_out(self, seat: int, move: Move) -> None:
        """Do a move that was found legal."""

    @abstractmethod
    def why_not(self, seat: int, move: Move) -> tuple[str, Text]:
        """The rule that forbids ``move`` to the seat in turn, which could do it otherwise, and why.

        Also asked, for any seat, about the moves that need no turn (V-11, V-15, V-23).
        """

    def other_moves(self, seat: int) -> list[Move]:  # noqa: ARG002 - games that have such moves look at the seat
        """What a seat may do out of turn, or while something is owed, beside announcing and catching."""
        return []

    def has_drawn(self) -> None:
        """Who did not play has drawn; ``self.drawn`` is the card, -1 when there was none."""

    def ran_out(self) -> None:
        """The draw pile is empty; what is drawn next comes from the talon (G-01)."""

    def public(self) -> dict[str, int]:
        """What everybody sees of the game's own state: all its whole numbers, unless a game hides some."""
        own = {name: getattr(self, name) for name in self.own_scalars}
        return {name: int(value) for name, value in own.items() if isinstance(value, int)}

    # Who may do what

    @property
    def demand(self) -> Demand | None:
        """What is owed to the launcher now."""
        return self.demands[0] if self.demands else None

    def actors(self) -> list[int]:
        """Seats that may act now. While something is owed or asked these are only seats that may speak up."""
        if self.exposed or self.acts_out_of_turn:
            return [seat for seat in range(self.seats) if self.legal_moves(seat)]
        waits = self.turn < 0 or self.demands or self.question is not None
        return [] if waits else [self.turn]

    def legal_moves(self, seat: int) -> list[Move]:
        """What ``seat`` may do now; do not change the list."""
        if seat == self.turn >= 0 and not self.demands and self.question is None:
            moves = self.turn_moves(seat)
            if self.sizes[seat] == 2 and self.calling != seat and self.phase in self.card_phases:
                moves.append(ANNOUNCE)  # G-03: before the last card but one is laid
        elif 0 <= seat < self.seats and IDLE < self.phase < COUNTING:
            moves = self.other_moves(seat)
        else:
            return []
        exposed = self.exposed
        if exposed and not self.gone >> seat & 1:
            for other in range(self.seats):
                if exposed >> other & 1:
                    moves.append(ANNOUNCE if other == seat else CATCH | other)
        self.legal = moves
        self.legal_for = seat
        return moves

    def play(self, seat: int, move: Move) -> list[Event]:
        """Do a move.

        :returns: what it brought about.
        :raises IllegalMove: nothing has changed (G-06); the error names the rule.
        """
        legal = self.legal if seat == self.legal_for else self.legal_moves(seat)
        if move not in legal:
            raise IllegalMove(*self._forbidden(seat, move), seat=seat, legal=legal)
        log = self.log  # as in write(), which would cost a tenth of the whole move
        if not len(log) % CHECKPOINT_EVERY and log:
            self.checkpoint()
        log.append(("play", seat, move))
        if self.undone:
            self.undone = []
        self.legal_for = None
        self.events = []
        self.carry_out(seat, move)
        return self.events

    def fulfil(self, delivered: int | Sequence[int] | None = None) -> list[Event]:
        """The launcher was pressed, or has let cards out, for the demand that is open.

        :param delivered: how many cards came out, or which; ``None`` leaves it to chance.
        :raises IllegalMove: nothing is owed, or that cannot have come out. Nothing has changed.
        """
        if not self.demands:
            raise IllegalMove("G-06", reasons.NOTHING_OWED, seat=self.turn)
        demand = self.demands[0]
        if delivered is not None:
            self._check_delivery(demand, delivered)
            if not isinstance(delivered, int):
                delivered = tuple(delivered)
        elif self.chance is None and demand.kind is PRESSES:
            raise IllegalMove("G-05", reasons.SAY_HOW_MANY, seat=demand.payer)
        log = self.log  # as in play()
        if not len(log) % CHECKPOINT_EVERY and log:
            self.checkpoint()
        log.append(("fulfil", demand.payer, delivered))
        if self.undone:
            self.undone = []
        self.legal_for = None
        self.events = []
        self._deliver(delivered)
        return self.events

    def penalise(self, seat: int, offence: str) -> list[Event]:
        """The table declares an offence; it does not cost the turn.

        :param offence: a key of ``self.offences``.
        :raises IllegalMove: there is no such offence or seat, or no round is under way.
        """
        if offence not in self.offences:
            raise IllegalMove("G-06", reasons.no_offence(", ".join(self.offences)), seat=seat)
        if not IDLE < self.phase < COUNTING or not self.talon:
            raise IllegalMove("G-06", reasons.NO_ROUND, seat=seat)
        if not 0 <= seat < self.seats or self.gone >> seat & 1:
            raise IllegalMove("G-06", reasons.NO_SUCH_SEAT, seat=seat)
        self.write(("penalise", seat, offence))
        self._penalise(seat, offence)
        return self.events

    # Carrying out

    def perform(self, action: Action) -> None:
        name, seat, value = action
        match name:
            case "play":
                self.carry_out(seat, value)
            case "fulfil":
                self._deliver(value)
            case "begin":
                self.do_begin(value)
            case "answer":
                self.do_answer(value)
            case "penalise":
                self._penalise(seat, value)
            case _:
                self.set_right(name, seat, value)

    def attempt(self, action: Action) -> None:
        name, seat, value = action
        match name:
            case "play":
                self.play(seat, value)
            case "fulfil":
                self.fulfil(value)
            case "begin":
                self.begin(**value)
            case "answer":
                self.answer(value)
            case "penalise":
                self.penalise(seat, value)
            case _:
                self.correct(name, seat, value)

    def owe(self, count: int, payer: int, rule: str, receiver: int = -1, *, penalty: bool = False) -> None:
        """From now on ``payer`` owes the launcher ``count`` presses or cards, whichever this game has."""
        to = payer if receiver < 0 else receiver
        self.demands.append(demand_of(self.draw_kind, payer, to, count, rule, penalty))
        self.events.append((events.OWES, payer, count))

    def next_turn(self, seat: int) -> None:
        """``seat`` is to play."""
        self.turn = seat
        self.phase = PLAYING
        self.events.append(self.turn_events[seat])

    def skip(self, seat: int) -> None:
        """``seat`` loses its turn."""
        self.events.append((events.SKIPPED, seat, -1))

    def reverse(self) -> None:
        """Play goes the other way."""
        self.direction = -self.direction
        self.following = self.left if self.direction > 0 else self.right
        self.events.append((events.REVERSED, -1, self.direction))

    def speak_up(self, seat: int, move: Move) -> None:
        """Announce, or catch somebody who has not (G-03)."""
        if move == ANNOUNCE:
            if self.exposed >> seat & 1:
                self.exposed &= ~(1 << seat)
                self.announced |= 1 << seat
            else:
                self.calling = seat
            self.events.append((events.ANNOUNCED, seat, -1))
        else:
            forgetful = move & 255
            self.exposed &= ~(1 << forgetful)
            self.events.append((events.CAUGHT, forgetful, seat))
            rule, count = self.forgotten
            self.owe(count, forgetful, rule, penalty=True)

    def _penalise(self, seat: int, offence: str) -> None:
        self.events.append((events.PENALISED, seat, list(self.offences).index(offence)))
        rule, count = self.offences[offence]
        self.owe(count, seat, rule, penalty=True)

    def _deliver(self, delivered: int | Sequence[int] | None) -> None:  # noqa: PLR0912 - once for every second move
        demands = self.demands
        kind, payer, receiver, number, rule, penalty = demands[0]
        if self.exposed and not penalty and (delivered or delivered is None or kind is PRESSES):
            self.exposed &= 1 << payer  # G-03: the next player has acted
        wanted, drawn = number, self.drawn
        if delivered is None:
            if kind is PRESSES and self.chance is not None:
                wanted = self.chance.any_of(self.bursts)
            got = self.deal_to(receiver, wanted) if wanted else 0
        elif isinstance(delivered, int):
            wanted = delivered
            got = self.deal_to(receiver, wanted)
        else:
            wanted = got = len(delivered)
            self.deal_these(receiver, delivered)
        if kind is PRESSES:
            self.events.append((events.PRESSED, payer, got))
            if got and receiver != payer:
                self.events.append((events.DREW, receiver, got))
            left = number - 1
            if got < wanted:
                self.events.append((events.SHORT, receiver, wanted - got))
        else:
            self.events.append((events.DREW, receiver, got))
            left = number - got
            if left and not self.available():  # G-01: met with what there is
                self.events.append((events.SHORT, receiver, left))
                left = 0
        if self.asks_reload and not self.pile:
            self.ran_out()
        if penalty:
            self.drawn = drawn  # somebody may still be looking at the card drawn before it
        if left:
            demands[0] = demand_of(kind, payer, receiver, left, rule, penalty)
            return
        del demands[0]
        if self.phase == DREW and not penalty:
            if not got:
                self.drawn = -1
            self.has_drawn()
        if self.going_out >= 0:
            self.settle()

    def settle(self) -> None:
        """Somebody has no card left: the round ends as soon as nothing is owed or asked any more."""
        if not self.demands and self.question is None and self.phase == PLAYING:
            self.end_round()

    def _check_delivery(self, demand: Demand, delivered: int | Sequence[int]) -> None:
        number = delivered if isinstance(delivered, int) else len(delivered)
        most = self.available()
        if demand.kind is CARDS:
            most = min(most, demand.number)
        if not 0 <= number <= most:
            raise IllegalMove("G-04", reasons.too_many(most), seat=demand.payer)
        if isinstance(delivered, int):
            return
        self.check_kinds(delivered)
        if self.hidden:
            talon = self.talon[: -self.stays()] if number > self.in_pile() else ()  # G-01: unseen again
            if not self.is_unseen(delivered, talon):
                raise IllegalMove("G-04", reasons.NOT_UNSEEN, seat=demand.payer)
            return
        rest = list(delivered)
        for pack in (self.pile, self.under, self.talon[: -self.stays()]):  # G-01: one after the other
            missing = self.not_in(rest[: len(pack)], pack)
            if missing:
                raise IllegalMove("G-04", reasons.not_in_pile(self.cards.names[missing[0]]), seat=demand.payer)
            del rest[: len(pack)]

    def _forbidden(self, seat: int, move: Move) -> tuple[str, Text]:
        """Why ``move`` is not among the legal moves of ``seat``: the moment, the seat, the card, the game's rule."""
        kind = move >> KIND_SHIFT << KIND_SHIFT
        if not IDLE < self.phase < COUNTING:
            return "G-06", reasons.MATCH_IS_OVER if self.phase == MATCH_OVER else reasons.NO_ROUND
        if not 0 <= seat < self.seats or self.gone >> seat & 1:
            return "G-06", reasons.NO_SUCH_SEAT
        if kind in {ANNOUNCE, CATCH}:
            return self.forgotten[0], reasons.NOTHING_TO_SAY
        if kind in {RETRACT, CATCH_RETRACT}:
            return self.why_not(seat, move)
        return self._not_now(seat, move, kind) or self.why_not(seat, move)

    def _not_now(self, seat: int, move: Move, kind: int) -> tuple[str, Text] | None:  # noqa: PLR0911 - one a reason
        if self.question is not None:
            return self.question.rule, reasons.ANSWER_FIRST
        if self.demands:
            return self.demands[0].rule, reasons.PAY_FIRST
        if PLAY <= kind <= CANCEL and ((move & 255) >= self.unknown or not self.possible(seat)[move & 255]):
            return "G-04", reasons.NOT_IN_HAND
        if seat != self.turn and not JUMP_IN <= kind <= CANCEL:  # these need no turn: the game says why not
            return self.turn_rule, reasons.NOT_YOUR_TURN
        if kind == PLAY and move & 255 in self.legal_moves(seat):  # with a choice that this card does not ask for
            return "G-06", reasons.NO_SUCH_MOVE
        if self.phase == DREW and (kind != PLAY or move & 255 != self.drawn):
            return self.draw_rule, reasons.ONLY_DRAWN
        return None
