"""``Rules``, the base class of all games: attributes and hooks with their defaults.

A game is a subclass of ``Rules``, ordered like its rule text. Here come first its data, then abstract methods, then
hooks with defaults. The operations that it uses (lay, owe, skip, reverse) are those of ``Play``.
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

_LAY: Final = Act.LAY  # a lookup in the class is slower, and every move needs both
_DRAW: Final = Act.DRAW

Reason = tuple[str, Text]  # the ID of a rule, and why it forbids the move


class Rules(Play):
    """The rules of one game, and the state of one match of it.

    :ivar ways: by seat and card, the moves that lay it: one for each combination of choices.
    :ivar low_score_wins: whether fewer points are better.
    :ivar asks_reload: the cards are real, so people must reload an empty launcher (E-31).
    """

    __slots__ = ("asks_reload", "draw_one", "low_score_wins", "ways")

    game_id: ClassVar[str]
    words: ClassVar[Any]
    """The game's ``words.vocabulary.Vocabulary``, kept here for modules that describe the game."""
    hand_size: ClassVar[int]
    point_values: ClassVar[tuple[int, ...]] = ()  # points of each kind in the hand; empty without points
    name_colour: ClassVar[Container[int]] = ()  # cards whose player names a colour or suit
    stand_ins: ClassVar[Container[int]] = ()  # cards that stand for another one, chosen by their player (C-12)
    plays_drawn: ClassVar[bool] = True  # whether the card drawn instead of playing may be played
    lays_several: ClassVar[bool] = False
    """Whether a card can take others along (E-18); then ``could_leave_one`` is called."""
    acts_out_of_turn: ClassVar[bool] = False  # whether `other_moves` may return any
    card_phases: ClassVar[tuple[Phase, ...]] = (PLAYING, DREW, ANSWERING, AGAIN)
    """Phases in which the seat in turn may lay a card, and so announce its last one before the lay."""
    deal_passes: ClassVar[bool] = False
    """After the first round the deal passes to the left (C-02); otherwise every round draws cards for it."""
    highest_deals: ClassVar[bool] = True  # in the draw for the deal; otherwise the lowest card (C-02)
    under_pile: ClassVar[bool] = False  # a card that may not start goes under the draw pile (H-02), not back into it

    # IDs of rules that the engine refers to
    turn_rule: ClassVar[str]
    """Order of play."""
    draw_rule: ClassVar[str]
    """Not playing."""
    first_card_rule: ClassVar[str]
    """The card turned up at the start."""
    end_rule: ClassVar[str]
    """How a round ends."""
    out_rule: ClassVar[str] = "G-06"  # seats that are out while others play on, in a game that has them
    points_rule: ClassVar[str] = ""  # points of cards, in a game that has them
    reload_rule: ClassVar[str] = ""  # reloading the launcher
    forgotten: ClassVar[tuple[str, int]]
    """A forgotten announcement: its rule, and its cost in presses or cards."""
    brings: ClassVar[tuple[Brings, ...]] = ()
    """Other causes of presses or cards, except not playing and ``offences``: charges of the tracking mode *counter*."""
    offences: ClassVar[Mapping[str, tuple[str, int]]] = {}
    """Offences that the table can declare against a seat: rule, and cost in presses or cards."""
    comes_first: ClassVar[Mapping[Phase, Reason]] = {}
    """Reason why nothing else is allowed in a phase that demands one thing ..."""
    out_of_place: ClassVar[Mapping[Act, Reason]] = {}  # ... and why some acts are not allowed in the others
    fit_rules: ClassVar[Mapping[int, str]] = {}
    """By symbol, the rule about which cards fit on it, if it is not ``words.matching``."""
    choice_missing: ClassVar[Text] = reasons.MAKE_A_CHOICE  # why a fitting card cannot be laid in that way

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

    # Abstract methods of a game, besides ``deck``

    @abstractmethod
    def first_card(self, card: int) -> None:
        """Apply the card turned up: set whose turn it is, and its effect."""

    @abstractmethod
    def lays(self, seat: int, move: Move) -> None:
        """Lay a card by ``move``, and apply its effect."""

    @abstractmethod
    def round_over(self) -> None:
        """Score the round, whose ``points`` are those left in each hand; end the match if it is decided."""

    # Hooks: the start

    def prepare(self) -> None:
        """Initialize the game's own state from ``seats`` and ``options``."""

    def may_start(self, card: int) -> bool:  # noqa: ARG002 - games that refuse some look at it
        """Decide whether ``card`` may be the first of the talon."""
        return True

    def check_top(self, card: int) -> None:
        """Check ``card`` on top of a round that began elsewhere, without a given colour.

        :raises IllegalMove: a colour is needed; naming the rule.
        """
        if self.cards.is_wild(card):
            why = reasons.COLOUR_IN_FORCE.filled(card=self.cards.names[card], colour=self.words.cards.colour)
            raise IllegalMove(self.words.rules_of(card)[0], why)

    def were_out(self, seats: tuple[int, ...]) -> None:  # noqa: ARG002 - for games in which some are out before others
        """Set the seats that have left a match that began elsewhere, in the order of leaving.

        :raises IllegalMove: not possible in this game; naming the rule.
        """
        raise IllegalMove(self.out_rule, reasons.NOBODY_OUT)

    def order_of_leaving(self) -> tuple[int, ...]:
        """Return the seats that have left, as for ``were_out``."""
        return tuple(sorted(self.gone))

    def out_at(self, scores: Sequence[int]) -> tuple[int, ...]:  # noqa: ARG002 - for games in which scores put one out
        """Return the seats that would have left with these scores by seat, in the same order."""
        return self.order_of_leaving()

    def deal(self) -> None:
        """Deal every seat its hand."""
        for seat in self.still_in():
            deal_to(self, seat, self.hand_size)

    def dealt(self) -> bool:
        """Called after the deal; return whether to turn up a card at once."""
        return True

    # Hooks: legal moves

    def asked(self, seat: int) -> list[Move]:  # noqa: ARG002 - games that look at the hand need the seat
        """Return the moves of the seat in turn in a phase other than to lay a card or not."""
        assert self.phase is NAMING, f"{self.game_id} does not say what may be done in the phase {self.phase}"
        return [name(colour) for colour in range(len(self.cards.colour_names))]

    def other_moves(self, seat: int) -> list[Move]:  # noqa: ARG002 - games that have such moves look at the seat
        """Return the moves of a seat out of turn, or while something is owed, except announcing and catching."""
        return []

    def could_leave_one(self, seat: int) -> bool:  # noqa: ARG002 - games that have such cards look at the seat
        """Decide whether a card that takes others along can leave ``seat`` one card."""
        return False

    # Hooks: effects of acts

    def does_not_play(self, seat: int) -> None:
        """Draw one card, or owe one press, instead of playing."""
        self.has_acted()
        self.phase = DREW
        self.demands.append(self.draw_one[seat])

    def has_paid(self, demand: Demand) -> None:
        """Called when the last card or press of ``demand`` has come, in a phase other than to play.

        A player who did not play has drawn ``self.drawn``, perhaps nothing: it may be played if it fits.
        """
        if self.phase is not DREW or demand.penalty:
            return
        if not self.plays_drawn:
            self.next_turn(self.following[self.turn])
        elif self.drawn not in self.matches and self.drawn != self.unknown:
            self.passes(self.turn)

    def passes(self, seat: int) -> None:
        """End the turn without playing the drawn card."""
        self.calling.clear()  # the announcement was for a card of this turn
        self.events.append(event(What.PASSED, seat))
        self.next_turn(self.following[seat])

    def to_take(self) -> int:
        """Return how many cards ``TAKE`` delivers now."""
        return 0

    def takes(self, seat: int) -> None:
        """Take the cards due from the cards laid before."""
        self.acts(seat, TAKE)

    def names(self, seat: int, colour: int) -> None:
        """Name the colour or suit that the card turned up requires."""
        self.shows(self.top, colour)
        self.emit(What.NAMED, seat, colour=colour)
        self.phase = PLAYING

    def acts(self, seat: int, move: Move) -> None:
        """Perform another act of this game."""
        raise NotImplementedError(f"{self.game_id} offers {move} to seat {seat} and does not say what it does")

    def has_received(self, seat: int, before: int, *, all_of_it: bool) -> None:  # noqa: ARG002 - for games that look
        """Called when cards owed to ``seat`` have come, all or some; ``before``: the previous size of its hand."""
        self.has_more(seat)

    def answered(self, question: Question, value: Any) -> None:
        """Apply the answer to a question of the game's own.

        :raises IllegalMove: the answer is invalid; naming the rule.
        """
        raise NotImplementedError(f"{self.game_id} asks {question.kind} and does not take {value}")

    def ran_out(self) -> None:
        """Called when the draw pile is empty, so that the next draw takes the talon (G-01)."""

    def reloaded(self) -> None:
        """Called when the talon was loaded into the launcher (E-31)."""

    # Hooks: scores, and public state

    def needs_winner(self) -> bool:
        """Decide whether scoring needs the winner of the round, besides the points in the hands."""
        return True

    def won_by(self, seat: int) -> None:
        """Set the winner of a round that was not followed to its end; ``NOBODY`` if unknown.

        :raises IllegalMove: that seat cannot have won, or must be known; naming the rule.
        """
        if seat == NOBODY and self.needs_winner():
            raise IllegalMove(self.end_rule, reasons.WHO_WON)
        if seat in self.gone:
            raise IllegalMove(self.out_rule, reasons.NO_LONGER_PLAYS, seat=seat)
        self.round_winner = seat

    def values(self) -> Sequence[int]:
        """Return the points of each kind in the hand."""
        return self.point_values

    def ranking(self) -> tuple[int, ...]:
        """Return the seats, the best first, winners before all; ties by seat. Before the end: the current standing."""
        better = 1 if self.low_score_wins else -1

        def place(seat: int) -> tuple[bool, bool, int]:
            return seat not in self.winners, seat in self.gone, better * self.scores[seat]

        return tuple(sorted(range(self.seats), key=place))

    def public(self) -> dict[str, int]:
        """Return the public part of the game's own state: all its whole numbers, unless overridden."""
        own = {name: getattr(self, name) for name in self.own}
        return {name: int(value) for name, value in own.items() if isinstance(value, int)}

    # Hooks: reasons of refusals (G-06)

    def why_not(self, seat: int, move: Move) -> Reason:
        """Return the rule that forbids ``move`` to the seat in turn, and the reason.

        Also called, for any seat, about the moves that need no turn (V-11, V-15, V-23).
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
        """Return rule and reason why a card that the seat holds cannot be laid."""
        if card in self.matches:
            return self.words.rules_of(card)[0], self.choice_missing
        return self.fit_rules.get(self.cards.symbol[card], self.words.matching), reasons.NO_MATCH

    # Execution

    def moves_of(self, seat: int) -> list[Move]:
        """Return the legal moves of ``seat`` now."""
        if seat == self.turn >= 0 and not self.demands and self.question is None:
            if self.phase is PLAYING:  # G-02: laying a card is optional
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
        """Return the moves that lay a fitting card of ``hand``, which is counts by kind."""
        ways = self.ways[seat]
        moves: list[Move] = []
        for card in self.matches:
            if hand[card]:
                moves += ways[card]
        return moves

    def drawn_card(self, seat: int) -> list[int]:
        """Return, by kind, what the card just drawn can be: itself, or any unseen one if it is hidden.

        If the hand was corrected since, it is any card of the hand, or none if the drawn card is no longer there.
        """
        card, hand = self.drawn, self.hands[seat]
        if card == self.unknown:
            return [max(0, count) for count in self.unseen()] if hand[card] else hand
        here = [0] * (self.unknown + 1)
        here[card] = hand[card]
        return here

    def carry_out(self, seat: int, move: Move) -> None:
        """Execute a legal move."""
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
        """Return the points of ``cards``."""
        values = self.values()
        return sum(values[card] for card in cards)
