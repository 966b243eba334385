"""What a game says, and what it says it with.

A game is a class under ``Rules`` that reads like its rule text: the first methods here are what it must say, the next
what it may say otherwise, the last its words: lay, owe, skip, reverse.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Final

from dispenser.language import Text
from dispenser.rules.engine.dealing import deal_to, draw_for_deal
from dispenser.rules.engine.demands import Demand, Owed, Question
from dispenser.rules.engine.events import Event, What, event
from dispenser.rules.engine.moves import ANNOUNCE, Act, Move, catch
from dispenser.rules.engine.phases import AGAIN, ANSWERING, DREW, IN_ROUND, MATCH_OVER, PLAYING, Phase
from dispenser.rules.engine.state import NOBODY, State

# Looked up in their classes they take longer, and each is needed in every move
_LAY: Final = Act.LAY
_DRAW: Final = Act.DRAW
_PASS: Final = Act.PASS
_ANNOUNCE: Final = Act.ANNOUNCE
_CATCH: Final = Act.CATCH
_LAID: Final = What.LAID
_OWES: Final = What.OWES

demand_of: Final = cache(Demand)
"""A demand as ``Demand`` makes it, the same one for the same words: a match has few different ones and many of each."""


class Rules(State):
    """The rules of one game, and the state of one match of it."""

    __slots__ = ("asks_reload", "draw_one", "pass_events", "skip_events", "turn_events")

    game_id: ClassVar[str]
    words: ClassVar[Any]
    """The game's ``words.vocabulary.Vocabulary``, carried along for whoever speaks of the game."""
    hand_size: ClassVar[int]
    point_values: ClassVar[tuple[int, ...]] = ()
    """What each kind counts in the hand; empty where nothing counts."""
    draws: ClassVar[Owed] = Owed.CARDS
    """What one owes the launcher who draws."""
    turn_rule: ClassVar[str]
    """The rule about whose turn it is."""
    draw_rule: ClassVar[str]
    """The rule about not playing."""
    first_card_rule: ClassVar[str]
    """The rule about the card turned up at the start."""
    end_rule: ClassVar[str]
    """The rule about how a round ends."""
    points_rule: ClassVar[str] = ""
    """The rule about what cards count, where they do."""
    reload_rule: ClassVar[str] = ""
    """The rule about reloading the launcher, in a game that has one."""
    forgotten: ClassVar[tuple[str, int]]
    """The rule about a forgotten announcement, and the presses or cards that it costs."""
    offences: ClassVar[Mapping[str, tuple[str, int]]] = {}
    """What the table can declare against a seat: the rule, and the presses or cards that it costs."""
    card_phases: ClassVar[tuple[Phase, ...]] = (PLAYING, DREW, ANSWERING, AGAIN)
    """Phases in which the seat in turn may lay a card, and so may announce its last one before."""
    deal_passes: ClassVar[bool] = False
    """After the first round the deal passes to the left (C-02); else cards are drawn for it in each round."""
    highest_deals: ClassVar[bool] = True
    """In the draw for the deal; else the lowest card does (C-02)."""
    under_pile: ClassVar[bool] = False
    """A card that may not start goes under the draw pile (H-02), not back into it."""
    lays_several: ClassVar[bool] = False
    """Whether a card can take others along (E-18): then ``could_leave_one`` is asked."""
    acts_out_of_turn: ClassVar[bool] = False
    """Whether ``other_moves`` may give anything."""

    def __init__(
        self, seats: int, options: Mapping[str, Any], *, hidden: bool, seed: int | None, bursts: Sequence[int]
    ) -> None:
        super().__init__(seats, options, hidden=hidden, seed=seed, bursts=bursts)
        self.asks_reload = bool(self.reload_rule) and (hidden or seed is None)
        """Real cards: when the launcher is empty somebody must load it (E-31). Virtual ones see to it themselves."""
        self.turn_events = [Event(What.TURN, seat) for seat in range(seats)]
        self.skip_events = [Event(What.SKIPPED, seat) for seat in range(seats)]
        self.pass_events = [Event(What.PASSED, seat) for seat in range(seats)]
        self.draw_one = [Demand(self.draws, seat, seat, 1, self.draw_rule) for seat in range(seats)]

    # What a game must say

    @abstractmethod
    def first_card(self, card: int) -> None:
        """Card ``card`` lies face up; say whose turn it is and what it brings about."""

    @abstractmethod
    def turn_moves(self, seat: int) -> list[Move]:
        """What the seat in turn may do; no demand and no question is open."""

    @abstractmethod
    def lays(self, seat: int, move: Move) -> None:
        """``seat`` lays a card as ``move`` says."""

    @abstractmethod
    def round_over(self) -> None:
        """The round is over, and nothing is owed any more: count, and end the match if it is decided."""

    @abstractmethod
    def why_not(self, seat: int, move: Move) -> tuple[str, Text]:
        """The rule that forbids ``move`` to the seat in turn, which could do it otherwise, and why.

        Also asked, for any seat, about the moves that need no turn (V-11, V-15, V-23).
        """

    # What it may say otherwise

    def may_start(self, card: int) -> bool:  # noqa: ARG002 - games that refuse some look at it
        """Whether ``card`` may be the first of the talon."""
        return True

    def shows(self, card: int, colour: int | None = None) -> None:
        """``card`` is on top, with the colour or suit that was named with it: see to what goes on it."""
        self.top = card
        self.colour = self.cards.colour[card] if colour is None else colour
        self.matches = self.cards.matches[card] if colour is None else self.cards.of_colour[colour]

    def check_top(self, card: int) -> None:
        """Refuse ``card`` on top of a round begun elsewhere when no colour is given and one is needed.

        :raises IllegalMove: naming the rule.
        """

    def deal(self) -> None:
        """Give every seat its hand."""
        for seat in self.still_in():
            deal_to(self, seat, self.hand_size)

    def dealt(self) -> bool:
        """The hands are dealt; whether a card is turned up at once."""
        return True

    def draws_instead(self, seat: int) -> None:
        """Not able or not willing to play: one card, or one press."""
        self.has_acted()
        self.phase = DREW
        self.demands.append(self.draw_one[seat])

    def has_drawn(self) -> None:
        """Who did not play has drawn ``self.drawn``, perhaps nothing: it may be played if it fits."""
        card = self.drawn
        if card not in self.matches and not (card >= 0 and self.is_wild_or_hidden(card)):
            self.passes(self.turn)

    def passes(self, seat: int) -> None:
        """The card drawn is not played."""
        self.calling.clear()  # the word was for a card of this turn
        self.events.append(self.pass_events[seat])
        self.next_turn(self.following[seat])

    def acts(self, seat: int, move: Move) -> None:
        """Whatever else a move of this game does."""
        raise NotImplementedError(f"{self.game_id} offers {move} to seat {seat} and does not say what it does")

    def other_moves(self, seat: int) -> list[Move]:  # noqa: ARG002 - games that have such moves look at the seat
        """What a seat may do out of turn, or while something is owed, beside announcing and catching."""
        return []

    def could_leave_one(self, seat: int) -> bool:  # noqa: ARG002 - games that have such cards look at the seat
        """Whether a card that takes others along can leave ``seat`` with one."""
        return False

    def answered(self, question: Question, value: Any) -> None:
        """A question of the game itself is answered."""
        raise NotImplementedError(f"{self.game_id} asks {question.kind} and does not take {value}")

    def check_answer(self, question: Question, value: Any) -> None:
        """Refuse an answer to a question of the game itself that cannot be.

        :raises IllegalMove: naming the rule.
        """

    def ran_out(self) -> None:
        """The draw pile is empty; what is drawn next comes from the talon (G-01)."""

    def reloaded(self) -> None:
        """The talon has gone into the launcher (E-31)."""

    def values(self) -> Sequence[int]:
        """What each kind counts in the hand."""
        return self.point_values

    def worth(self, cards: Iterable[int]) -> int:
        """What ``cards`` count together."""
        values = self.values()
        return sum(values[card] for card in cards)

    def high_score_wins(self) -> bool:
        """Whether points are good to have."""
        return True

    def ranking(self) -> tuple[int, ...]:
        """Seats, the best first, who has won before all; ties by seat. Before the end it is how they stand now."""
        better = -1 if self.high_score_wins() else 1

        def place(seat: int) -> tuple[bool, bool, int]:
            return seat not in self.winners, seat in self.gone, better * self.scores[seat]

        return tuple(sorted(range(self.seats), key=place))

    def public(self) -> dict[str, int]:
        """What everybody sees of the game's own state: all its whole numbers, unless a game hides some."""
        own = {name: getattr(self, name) for name in self.own_values}
        return {name: int(value) for name, value in own.items() if isinstance(value, int)}

    # Who may do what

    def moves_of(self, seat: int) -> list[Move]:
        """What ``seat`` may do now."""
        if seat == self.turn >= 0 and not self.demands and self.question is None:
            moves = self.turn_moves(seat)
            if (self.sizes[seat] == 2 or (self.lays_several and self.could_leave_one(seat))) and (
                self.phase in self.card_phases and seat not in self.calling
            ):
                moves.append(ANNOUNCE)  # G-03: before the last card but one is laid
        elif 0 <= seat < self.seats and self.phase in IN_ROUND:
            moves = self.other_moves(seat)
        else:
            return []
        if self.exposed and seat not in self.gone:
            for other in sorted(self.exposed):
                moves.append(ANNOUNCE if other == seat else catch(other))
        return moves

    def drawn_card(self, seat: int) -> Sequence[int]:
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
            self.draws_instead(seat)
        elif act is _PASS:
            self.passes(seat)
        elif act is _ANNOUNCE:
            self.announces(seat)
        elif act is _CATCH:
            assert move.seat is not None
            self.is_caught(move.seat, seat, move, *self.forgotten)
            self.exposed.discard(move.seat)
        else:
            self.acts(seat, move)

    # What a game says it with

    def tell(
        self,
        what: What,
        seat: int | None = None,
        number: int | None = None,
        *,
        card: int | None = None,
        colour: int | None = None,
        move: Move | None = None,
        other: int | None = None,
        demand: Demand | None = None,
        direction: int | None = None,
        offence: str | None = None,
        bluff: bool | None = None,
    ) -> None:
        """Something has happened."""
        self.events.append(event(what, seat, number, card, colour, move, other, demand, direction, offence, bluff))

    def is_wild_or_hidden(self, card: int) -> bool:
        """Whether the card has no colour of its own, or one that nobody has seen."""
        return card == self.unknown or self.cards.colour[card] < 0

    def lay(self, seat: int, move: Move) -> int:
        """The card of ``move`` goes from the hand to the top of the talon; returns it."""
        card = move.card
        assert card is not None
        self.events.append(event(_LAID, seat, None, None, None, move))
        hand = self.hands[seat]
        hand[card if hand[card] else self.unknown] -= 1
        self.talon.append(card)
        self.top = card
        self.sizes[seat] -= 1
        if self.exposed:
            self.exposed.clear()  # who forgot before has not been caught in time (G-03)
        if self.sizes[seat] == 1:
            self.has_one(seat)
        if self.calling:
            self.calling.clear()
        return card

    def has_one(self, seat: int) -> None:
        """A hand has shrunk to one card, which must have been announced (G-03)."""
        (self.announced if seat in self.calling else self.exposed).add(seat)

    def has_acted(self) -> None:
        """The next player has acted: too late to catch anybody, and what was called was for this turn (G-03)."""
        self.exposed.clear()
        self.calling.clear()

    def goes_out(self, seat: int) -> None:
        """``seat`` has laid its last card and won: the round ends when nothing is owed or asked any more.

        Nothing that comes out afterwards takes that back (E-23).
        """
        self.going_out = seat

    def owe(self, count: int, payer: int, rule: str, *, receiver: int = NOBODY, penalty: bool = False) -> None:
        """From now on ``payer`` owes the launcher ``count`` presses or cards, whichever this game has."""
        demand = demand_of(self.draws, payer, payer if receiver < 0 else receiver, count, rule, penalty)
        self.demands.append(demand)
        self.events.append(event(_OWES, payer, count, None, None, None, None, demand))

    def next_turn(self, seat: int) -> None:
        """``seat`` is to play."""
        self.turn = seat
        self.phase = PLAYING
        self.events.append(self.turn_events[seat])

    def skip(self, seat: int) -> None:
        """``seat`` loses its turn."""
        self.events.append(self.skip_events[seat])

    def reverse(self) -> None:
        """Play goes the other way."""
        self.direction = -self.direction
        self.following = self.left if self.direction > 0 else self.right
        self.tell(What.REVERSED, direction=self.direction)

    def announces(self, seat: int) -> None:
        """``seat`` says that it has one card, or will have (G-03)."""
        if seat in self.exposed:
            self.exposed.discard(seat)
            self.announced.add(seat)
        else:
            self.calling.add(seat)
        self.tell(What.ANNOUNCED, seat)

    def is_caught(self, forgetful: int, by: int, move: Move, rule: str, count: int) -> None:
        """``forgetful`` pays for what it has not said."""
        self.tell(What.CAUGHT, forgetful, move=move, other=by)
        self.owe(count, forgetful, rule, penalty=True)

    def add_points(self, seat: int, points: int) -> None:
        """Write ``points`` down for ``seat``."""
        self.scores[seat] += points
        self.tell(What.SCORED, seat, points)

    def end_match(self, winners: Sequence[int], losers: Sequence[int] = ()) -> None:
        """The match is decided."""
        self.winners, self.losers = tuple(winners), tuple(losers)
        self.phase = MATCH_OVER
        for seat in winners or (None,):
            self.tell(What.MATCH_ENDED, seat)

    def choose_dealer(self, draws: Sequence[int]) -> int:
        """Who deals."""
        return draw_for_deal(self, draws, highest=self.highest_deals) if self.needs_draw() else self.left[self.dealer]

    def needs_draw(self) -> bool:
        """Whether cards are drawn to find the dealer of the next round."""
        return self.dealer < 0 or not self.deal_passes
