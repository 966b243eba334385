"""``Rules``, the base class of all games: attributes and hooks with their defaults.

A game is a class under ``Rules`` that reads like its rule text. First come here its data, then what it must say, then
what it may say otherwise. The words that it says it with (lay, owe, skip, reverse) are those of ``Play``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

from dispenser.i18n import Text
from dispenser.rules.engine import reasons
from dispenser.rules.engine.dealing import deal_to
from dispenser.rules.engine.demands import Brings, Demand, Question
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import What, event
from dispenser.rules.engine.moves import ANNOUNCE, DRAW, PASS, TAKE, Act, Move, catch, lay, name
from dispenser.rules.engine.phases import AGAIN, ANSWERING, DREW, IN_ROUND, NAMING, PLAYING, Phase
from dispenser.rules.engine.play import Play
from dispenser.rules.engine.state import NOBODY

_LAY: Final = Act.LAY  # looked up in their class they take longer, and both are needed in every move
_DRAW: Final = Act.DRAW

Reason = tuple[str, Text]  # the ID of a rule, and why it forbids something


class Rules(Play):
    """The rules of one game, and the state of one match of it.

    :ivar ways: by seat and card, the moves that lay it: one, or one for each choice that it asks for.
    :ivar low_score_wins: whether points are bad to have.
    :ivar asks_reload: the cards are real, so somebody must load the launcher when it is empty (E-31).
    """

    __slots__ = ("asks_reload", "draw_one", "low_score_wins", "ways")

    game_id: ClassVar[str]
    words: ClassVar[Any]
    """The game's ``words.vocabulary.Vocabulary``, carried along for whoever speaks of the game."""
    hand_size: ClassVar[int]
    point_values: ClassVar[tuple[int, ...]] = ()  # what each kind counts in the hand; empty where nothing counts
    name_colour: ClassVar[Container[int]] = ()  # cards whose player names a colour or suit
    stand_ins: ClassVar[Container[int]] = ()  # cards that stand for another one, as their player says (C-12)
    plays_drawn: ClassVar[bool] = True  # whether the card that one drew instead of playing may be played
    lays_several: ClassVar[bool] = False
    """Whether a card can take others along (E-18): then ``could_leave_one`` is asked."""
    acts_out_of_turn: ClassVar[bool] = False  # whether `other_moves` may give anything
    card_phases: ClassVar[tuple[Phase, ...]] = (PLAYING, DREW, ANSWERING, AGAIN)
    """Phases in which the seat in turn may lay a card, and so may announce its last one before."""
    deal_passes: ClassVar[bool] = False
    """After the first round the deal passes to the left (C-02); else cards are drawn for it in each round."""
    highest_deals: ClassVar[bool] = True  # in the draw for the deal; else the lowest card does (C-02)
    under_pile: ClassVar[bool] = False  # a card that may not start goes under the draw pile (H-02), not back into it

    # IDs of rules that the engine names
    turn_rule: ClassVar[str]
    """Whose turn it is."""
    draw_rule: ClassVar[str]
    """Not playing."""
    first_card_rule: ClassVar[str]
    """The card turned up at the start."""
    end_rule: ClassVar[str]
    """How a round ends."""
    out_rule: ClassVar[str] = "G-06"  # who is out while others play on, where there are such
    points_rule: ClassVar[str] = ""  # what cards count, where they do
    reload_rule: ClassVar[str] = ""  # reloading the launcher, in a game that has it
    forgotten: ClassVar[tuple[str, int]]
    """A forgotten announcement, and the presses or cards that it costs."""
    brings: ClassVar[tuple[Brings, ...]] = ()
    """What else brings presses or cards, beside not playing and ``offences``: what people tell who only count."""
    offences: ClassVar[Mapping[str, tuple[str, int]]] = {}
    """What the table can declare against a seat: the rule, and the presses or cards that it costs."""
    comes_first: ClassVar[Mapping[Phase, Reason]] = {}
    """Why nothing else may be done in a phase that asks for one thing ..."""
    out_of_place: ClassVar[Mapping[Act, Reason]] = {}  # ... and why some acts may not be done in the others
    fit_rules: ClassVar[Mapping[int, str]] = {}
    """By symbol, the rule about what a card goes on, where that is not the one of ``words.matching``."""
    choice_missing: ClassVar[Text] = reasons.MAKE_A_CHOICE  # why a card that fits cannot be laid as it was

    def __init__(
        self, seats: int, options: Mapping[str, Any], *, hidden: bool, seed: int | None, bursts: Sequence[int]
    ) -> None:
        super().__init__(seats, options, hidden=hidden, seed=seed, bursts=bursts)
        self.asks_reload = bool(self.reload_rule) and (hidden or seed is None)
        self.low_score_wins = False
        self.draw_one = [Demand(self.draws, seat, seat, 1, self.draw_rule) for seat in range(seats)]
        colours = range(len(self.cards.colour_names))
        ways = [
            [lay(card, colour=colour) for colour in colours] if card in self.name_colour else [lay(card)]
            for card in range(self.cards.kinds)
        ]
        self.ways = [ways] * seats
        self.prepare()
        self.reseat()

    # What a game must say, beside its ``deck``

    @abstractmethod
    def first_card(self, card: int) -> None:
        """Card ``card`` lies face up; say whose turn it is and what it brings about."""

    @abstractmethod
    def lays(self, seat: int, move: Move) -> None:
        """``seat`` lays a card as ``move`` says."""

    @abstractmethod
    def round_over(self) -> None:
        """The round is over; ``points`` are what is left in each hand. Count, and end the match if it is decided."""

    # What it may say otherwise: the beginning

    def prepare(self) -> None:
        """Set up what a game adds to the state, out of ``seats`` and ``options``."""

    def may_start(self, card: int) -> bool:  # noqa: ARG002 - games that refuse some look at it
        """Whether ``card`` may be the first of the talon."""
        return True

    def check_top(self, card: int) -> None:
        """Refuse ``card`` on top of a round begun elsewhere when no colour is given and one is needed.

        :raises IllegalMove: naming the rule.
        """
        if self.cards.is_wild(card):
            why = reasons.COLOUR_IN_FORCE.filled(card=self.cards.names[card], colour=self.words.cards.colour)
            raise IllegalMove(self.words.rules_of(card)[0], why)

    def were_out(self, seats: tuple[int, ...]) -> None:  # noqa: ARG002 - for games in which some are out before others
        """Those seats, the first one out first, no longer play in a match that was begun elsewhere.

        :raises IllegalMove: that cannot be; naming the rule.
        """
        raise IllegalMove(self.out_rule, reasons.NOBODY_OUT)

    def order_of_leaving(self) -> tuple[int, ...]:
        """The seats that no longer play, as ``were_out`` takes them."""
        return tuple(sorted(self.gone))

    def out_at(self, scores: Sequence[int]) -> tuple[int, ...]:  # noqa: ARG002 - for games in which scores put one out
        """The same, were those the totals by seat."""
        return self.order_of_leaving()

    def deal(self) -> None:
        """Give every seat its hand."""
        for seat in self.still_in():
            deal_to(self, seat, self.hand_size)

    def dealt(self) -> bool:
        """The hands are dealt; whether a card is turned up at once."""
        return True

    # What it may say otherwise: what may be done

    def asked(self, seat: int) -> list[Move]:  # noqa: ARG002 - games that look at the hand need the seat
        """What the seat in turn may do in a phase that asks for something else than to lay a card or not."""
        assert self.phase is NAMING, f"{self.game_id} does not say what may be done in the phase {self.phase}"
        return [name(colour) for colour in range(len(self.cards.colour_names))]

    def other_moves(self, seat: int) -> list[Move]:  # noqa: ARG002 - games that have such moves look at the seat
        """What a seat may do out of turn, or while something is owed, beside announcing and catching."""
        return []

    def could_leave_one(self, seat: int) -> bool:  # noqa: ARG002 - games that have such cards look at the seat
        """Whether a card that takes others along can leave ``seat`` with one."""
        return False

    # What it may say otherwise: what each act does

    def does_not_play(self, seat: int) -> None:
        """Not able or not willing to play: one card, or one press."""
        self.has_acted()
        self.phase = DREW
        self.demands.append(self.draw_one[seat])

    def has_paid(self, demand: Demand) -> None:
        """The last card or press of ``demand`` has come, in a phase other than to play.

        Who did not play has drawn ``self.drawn``, perhaps nothing: it may be played if it fits.
        """
        if self.phase is not DREW or demand.penalty:
            return
        if not self.plays_drawn:
            self.next_turn(self.following[self.turn])
        elif self.drawn not in self.matches and self.drawn != self.unknown:
            self.passes(self.turn)

    def passes(self, seat: int) -> None:
        """The card drawn is not played."""
        self.calling.clear()  # the word was for a card of this turn
        self.events.append(event(What.PASSED, seat))
        self.next_turn(self.following[seat])

    def to_take(self) -> int:
        """How many cards whoever takes them gets now."""
        return 0

    def takes(self, seat: int) -> None:
        """``seat`` takes the cards that the cards laid before it have brought."""
        self.acts(seat, TAKE)

    def names(self, seat: int, colour: int) -> None:
        """``seat`` names the colour or suit that the card turned up asks for."""
        self.shows(self.top, colour)
        self.tell(What.NAMED, seat, colour=colour)
        self.phase = PLAYING

    def acts(self, seat: int, move: Move) -> None:
        """Whatever else a move of this game does."""
        raise NotImplementedError(f"{self.game_id} offers {move} to seat {seat} and does not say what it does")

    def has_received(self, seat: int, before: int, *, all_of_it: bool) -> None:  # noqa: ARG002 - for games that look
        """Cards that were owed to ``seat``, which had ``before``, have come, all of them or some."""
        self.has_more(seat)

    def answered(self, question: Question, value: Any) -> None:
        """A question of the game itself is answered.

        :raises IllegalMove: that cannot be; naming the rule.
        """
        raise NotImplementedError(f"{self.game_id} asks {question.kind} and does not take {value}")

    def ran_out(self) -> None:
        """The draw pile is empty; what is drawn next comes from the talon (G-01)."""

    def reloaded(self) -> None:
        """The talon has gone into the launcher (E-31)."""

    # What it may say otherwise: counting, and what is seen

    def needs_winner(self) -> bool:
        """Whether it counts who won a round, beside what is left in the hands."""
        return True

    def won_by(self, seat: int) -> None:
        """The table says that ``seat`` went out first in a round not followed to its end; ``NOBODY``: it cannot tell.

        :raises IllegalMove: that cannot be; naming the rule.
        """
        if seat == NOBODY and self.needs_winner():
            raise IllegalMove(self.end_rule, reasons.WHO_WON)
        if seat in self.gone:
            raise IllegalMove(self.out_rule, reasons.NO_LONGER_PLAYS, seat=seat)
        self.round_winner = seat

    def values(self) -> Sequence[int]:
        """What each kind counts in the hand."""
        return self.point_values

    def ranking(self) -> tuple[int, ...]:
        """Seats, the best first, who has won before all; ties by seat. Before the end it is how they stand now."""
        better = 1 if self.low_score_wins else -1

        def place(seat: int) -> tuple[bool, bool, int]:
            return seat not in self.winners, seat in self.gone, better * self.scores[seat]

        return tuple(sorted(range(self.seats), key=place))

    def public(self) -> dict[str, int]:
        """What everybody sees of the game's own state: all its whole numbers, unless a game hides some."""
        own = {name: getattr(self, name) for name in self.own}
        return {name: int(value) for name, value in own.items() if isinstance(value, int)}

    # What it may say otherwise: why not (G-06)

    def why_not(self, seat: int, move: Move) -> Reason:
        """The rule that forbids ``move`` to the seat in turn, which could do it otherwise, and why.

        Also asked, for any seat, about the moves that need no turn (V-11, V-15, V-23).
        """
        why = self.comes_first.get(self.phase) or self.out_of_place.get(move.act)
        if why:
            return why
        if move.act is Act.PASS:
            return self.draw_rule, reasons.DRAW_FIRST
        if move.act is not Act.LAY or move.card is None:
            return "G-06", reasons.NO_SUCH_MOVE
        return self.why_not_laid(seat, move.card, move)

    def why_not_laid(self, seat: int, card: int, move: Move) -> Reason:  # noqa: ARG002 - for games that look at them
        """The same of a card that the seat holds."""
        if card in self.matches:
            return self.words.rules_of(card)[0], self.choice_missing
        return self.fit_rules.get(self.cards.symbol[card], self.words.matching), reasons.NO_MATCH

    # Who may do what

    def moves_of(self, seat: int) -> list[Move]:
        """What ``seat`` may do now."""
        if seat == self.turn >= 0 and not self.demands and self.question is None:
            if self.phase is PLAYING:  # G-02: nobody must lay a card
                moves = self.cards_that_fit(seat, self.possible(seat))
                moves.append(DRAW)
            elif self.phase is DREW:  # only the card drawn may be played now (U-10, H-05, C-13)
                moves = self.cards_that_fit(seat, self.drawn_card(seat))
                moves.append(PASS)
            else:
                moves = self.asked(seat)
            may_leave_one = self.sizes[seat] == 2 or (self.lays_several and self.could_leave_one(seat))
            if may_leave_one and seat not in self.calling and self.phase in self.card_phases:
                moves.append(ANNOUNCE)  # G-03: before the last card but one is laid
        elif 0 <= seat < self.seats and self.phase in IN_ROUND:
            moves = self.other_moves(seat)
        else:
            return []
        if self.exposed and seat not in self.gone:
            for other in sorted(self.exposed):
                moves.append(ANNOUNCE if other == seat else catch(other))
        return moves

    def cards_that_fit(self, seat: int, hand: list[int]) -> list[Move]:
        """The cards of ``hand``, by kind, that ``seat`` may lay now, in all ways."""
        ways = self.ways[seat]
        moves: list[Move] = []
        for card in self.matches:
            if hand[card]:
                moves += ways[card]
        return moves

    def drawn_card(self, seat: int) -> list[int]:
        """By kind, what the card just drawn can be: itself, or any unseen one where nobody saw it.

        Where the table has set the hand right since, it is any of the hand, or none at all if it is no longer there.
        """
        card, hand = self.drawn, self.hands[seat]
        if card == self.unknown:
            return [max(0, count) for count in self.unseen()] if hand[card] else hand
        here = [0] * (self.unknown + 1)
        here[card] = hand[card]
        return here

    def carry_out(self, seat: int, move: Move) -> None:
        """Do a move that was found legal."""
        act = move.act
        if act is _LAY:
            self.lays(seat, move)
        elif act is _DRAW:
            self.does_not_play(seat)
        elif act is Act.PASS:
            self.passes(seat)
        elif act is Act.TAKE:
            self.takes(seat)
        elif act is Act.ANNOUNCE:
            self.announces(seat)
        elif act is Act.CATCH and move.seat is not None:
            self.is_caught(move.seat, seat, move, *self.forgotten)
            self.exposed.discard(move.seat)
        elif act is Act.NAME and move.colour is not None:
            self.names(seat, move.colour)
        else:
            self.acts(seat, move)

    def worth(self, cards: Iterable[int]) -> int:
        """What ``cards`` count together."""
        values = self.values()
        return sum(values[card] for card in cards)
