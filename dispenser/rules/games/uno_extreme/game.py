"""Uno Extrême, where a launcher is the draw pile. ``book.py`` states the rules; their IDs stand where each lives.

Nobody draws a number of cards here: a seat owes *presses*, and each press is one burst of some cards or of none.
E-32: the launcher points at the ``receiver`` of the demand that is open; its ``payer`` presses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dispenser.language import Text
from dispenser.rules.engine import reasons
from dispenser.rules.engine.cards import SYMBOLS
from dispenser.rules.engine.dealing import lift_talon, not_in
from dispenser.rules.engine.demands import Owed, Question
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import What
from dispenser.rules.engine.moves import DONE, DRAW, Act, Move, effect, lay, name
from dispenser.rules.engine.phases import CARRYING_OUT, IN_ROUND, NAMING, PLAYING
from dispenser.rules.engine.rounds import hands_are_counted
from dispenser.rules.engine.rules import Rules
from dispenser.rules.engine.scoring import lowest, points_of_others
from dispenser.rules.games.uno_extreme.cards import (
    CUSTOMIZABLE,
    DECK,
    DISCARD_ALL,
    EXTREME_HIT,
    MOST_PRESSES,
    PRESS_FOUR,
    PRESS_TWO,
    REVERSE,
    SKIP,
    UNO_EXTREME,
    WILD,
    symbol_of,
)
from dispenser.rules.games.uno_extreme.words import DISCARDED, WORDS

_COLOURS: Final = range(4)
_COLOUR_OF: Final = UNO_EXTREME.colour
_MATCHES: Final = UNO_EXTREME.matches
_OF_COLOUR: Final = UNO_EXTREME.of_colour
_DISCARD_ALLS: Final = tuple(card for card in range(WILD) if symbol_of(card) is DISCARD_ALL)
_LAY: Final = tuple(map(lay, range(WILD)))
_NAMES: Final = [name(colour) for colour in _COLOURS]
_WILDS: Final = {card: [lay(card, colour=colour) for colour in _COLOURS] for card in (WILD, CUSTOMIZABLE, PRESS_FOUR)}

# E-26
_SYMBOL_POINTS: Final = {PRESS_TWO: 20, REVERSE: 20, SKIP: 20, DISCARD_ALL: 30}
_WILD_POINTS: Final = {WILD: 50, EXTREME_HIT: 50, CUSTOMIZABLE: 50, PRESS_FOUR: 40}
POINT_VALUES: Final = tuple(
    _WILD_POINTS.get(card, _SYMBOL_POINTS.get(symbol_of(card), symbol_of(card) + 1))
    for card in range(UNO_EXTREME.kinds)
)

RULE_FIRST: Final = Text("carry out what the card says first")
NO_RULE: Final = Text("no customizable card waits to be carried out")
AIM_AT_ANOTHER: Final = Text("aim at another player who is still in")
NOT_THAT_COLOUR: Final = Text("list the cards laid down with it: those of its colour, no others")
_NAMING_RULES: Final = {WILD: "E-08", PRESS_FOUR: "E-09", CUSTOMIZABLE: "E-10"}
_WILD_RULES: Final = {WILD: "E-19", PRESS_FOUR: "E-20", EXTREME_HIT: "E-21", CUSTOMIZABLE: "E-22"}


class UnoExtreme(Rules):
    """Uno Extrême.

    :ivar reload_due: the table was asked to reload the launcher and has not told yet that it did (E-31).
    :ivar eliminated: seats over the limit, the first one out first (E-30).
    """

    game_id = "uno-extreme"
    words = WORDS
    cards = UNO_EXTREME
    hand_size = 7  # E-04
    point_values = POINT_VALUES
    draws = Owed.PRESSES  # E-14
    lays_several = True  # E-18
    turn_rule = "E-04"
    draw_rule = "E-14"
    first_card_rule = "E-04"
    end_rule = "E-23"
    points_rule = "E-26"
    reload_rule = "E-31"
    forgotten = ("E-24", 2)
    offences = {"advice": ("E-25", 4)}  # noqa: RUF012 - read only, like every class variable here
    own_values = ("reload_due", "eliminated")
    __slots__ = (*own_values, "_deck", "_hits", "_reload_at")

    def prepare(self) -> None:
        self.reload_due = False
        self.eliminated: tuple[int, ...] = ()
        self._reload_at: int = self.options["reload-at"]
        self._deck = (*DECK, *(CUSTOMIZABLE,) * self.options["customizable"])  # E-01, E-02

    def deck(self) -> Sequence[int]:
        return self._deck

    def reseat(self) -> None:
        super().reseat()
        targets = self.still_in()
        self._hits = [  # E-21: any colour, any other player
            [
                lay(EXTREME_HIT, colour=colour, seat=target)
                for colour in _COLOURS
                for target in targets
                if target != seat
            ]
            for seat in range(self.seats)
        ]

    # The first card

    def may_start(self, card: int) -> bool:
        return card != EXTREME_HIT  # E-11

    def first_card(self, card: int) -> None:
        self.reload_due = False
        first = self.left[self.dealer]  # E-04; so it is with a Discard All (E-12)
        symbol = symbol_of(card)
        if symbol is REVERSE:  # E-05
            self.reverse()
            first = self.dealer
        elif symbol is SKIP:  # E-06
            self.skip(first)
            first = self.left[first]
        elif symbol is PRESS_TWO:  # E-07
            first = self._presses_and_misses(first, 2, "E-07")
        elif card == PRESS_FOUR:  # E-09
            first = self._presses_and_misses(first, 4, "E-09")
        self.next_turn(first)
        if card >= WILD:  # E-08, E-09, E-10: who starts names the colour
            self.phase = NAMING

    # Moves

    def turn_moves(self, seat: int) -> list[Move]:
        phase = self.phase
        if phase is NAMING:
            return _NAMES[:]  # E-08, E-09, E-10
        if phase is CARRYING_OUT:  # E-22
            presses = range(1, MOST_PRESSES + 1)
            return [DONE, *(effect(other, number) for other in self.still_in() for number in presses)]
        hand = self.possible(seat) if self.hidden else self.hands[seat]
        moves = [_LAY[card] for card in self.matches if hand[card]]  # E-13
        if hand[WILD]:
            moves += _WILDS[WILD]  # E-19
        if hand[EXTREME_HIT]:
            moves += self._hits[seat]  # E-21
        if hand[CUSTOMIZABLE]:
            moves += _WILDS[CUSTOMIZABLE]  # E-22
        if hand[PRESS_FOUR]:
            moves += _WILDS[PRESS_FOUR]  # E-20
        moves.append(DRAW)  # E-14, G-02
        return moves

    def lays(self, seat: int, move: Move) -> None:
        called = seat in self.calling
        card = self.lay(seat, move)
        symbol = symbol_of(card)
        after = self.following[seat]
        if card >= WILD:
            self._lays_wild(seat, move)
            return
        self.colour, self.matches = _COLOUR_OF[card], _MATCHES[card]
        if symbol is DISCARD_ALL:  # E-18
            self._discards_all(seat, called=called)
            return
        if not self.sizes[seat]:  # E-23
            self.goes_out(seat)
        if symbol is REVERSE:  # E-15
            self.reverse()
            after = self.following[seat]
            if self.playing == 2:  # E-29
                self.skip(after)
                after = seat
        elif symbol is SKIP:  # E-16; E-29: of two the same plays again
            self.skip(after)
            after = self.following[after]
        elif symbol is PRESS_TWO:  # E-17, E-29
            after = self._presses_and_misses(after, 2, "E-17")
        self._hand_over(after)

    def _lays_wild(self, seat: int, move: Move) -> None:
        """E-19 to E-22: it names the colour, and does what else it does, even as the last card (E-23)."""
        after = self.following[seat]
        self._names(move)
        self._is_out_without_cards(seat)
        if move.card == CUSTOMIZABLE:  # E-22: the table carries out its own rule
            self.phase = CARRYING_OUT
            self.tell(What.RULE_SHOWN, seat)
            return
        if move.card == EXTREME_HIT and move.seat is not None:  # E-21: nobody is skipped
            self.owe(2, seat, "E-21", receiver=move.seat)
        elif move.card == PRESS_FOUR:  # E-20, E-29
            after = self._presses_and_misses(after, 4, "E-20")
        self._hand_over(after)

    def acts(self, seat: int, move: Move) -> None:
        if move.act is Act.NAME:  # E-08, E-09, E-10
            self._names(move)
            self.phase = PLAYING
            self.tell(What.NAMED, seat, colour=self.colour)
            return
        if move.act is Act.EFFECT and move.seat is not None and move.presses is not None:  # E-22
            self.owe(move.presses, move.seat, "E-22", penalty=True)  # the next player has not acted yet
        self._hand_over(self.following[seat])  # E-22: done

    def has_drawn(self) -> None:
        self.next_turn(self.following[self.turn])  # E-14: what came out is not played

    def _names(self, move: Move) -> None:
        assert move.colour is not None
        self.colour, self.matches = move.colour, _OF_COLOUR[move.colour]

    def _presses_and_misses(self, seat: int, presses: int, rule: str) -> int:
        """``seat`` owes presses and loses its turn; returns whose turn it is then."""
        self.owe(presses, seat, rule)
        self.skip(seat)
        return self.following[seat]

    def _is_out_without_cards(self, seat: int) -> None:
        """E-23: who has laid the last card has won."""
        if not self.sizes[seat]:
            self.goes_out(seat)

    def _hand_over(self, after: int) -> None:
        """The move is made."""
        self.next_turn(after)
        if self.going_out >= 0 and not self.demands:
            return  # E-23: the round is over
        if len(self.talon) >= self._reload_at or (self.asks_reload and not self.pile):  # E-31
            self.ran_out()

    # E-18

    def could_leave_one(self, seat: int) -> bool:
        """G-03: a Discard All can leave one card of many."""
        known, hidden = self.hands[seat], self.hands[seat][self.unknown]
        if sum(known[WILD : self.unknown]) > 1:
            return False  # wild cards stay
        hand = self.possible(seat) if hidden else known
        for card in _DISCARD_ALLS:
            if hand[card] and card in self.matches:
                first = _COLOUR_OF[card] * SYMBOLS
                others = self.sizes[seat] - hidden - sum(known[first : first + SYMBOLS])
                if others <= 1 <= others + hidden:
                    return True
        return False

    def _discards_all(self, seat: int, *, called: bool) -> None:
        """All cards of its colour go down with the card on top; of a hidden hand, the table says which they are."""
        self.exposed.discard(seat)  # what is left counts when they are down
        self.announced.discard(seat)
        if called:
            self.calling.add(seat)
        hand = self.hands[seat]
        if hand[self.unknown]:
            self.question = Question(DISCARDED, seat, "E-18")
        else:
            self._discard(seat, [card for card in _OF_COLOUR[self.colour] for _ in range(hand[card])])

    def _discard(self, seat: int, cards: Sequence[int]) -> None:
        hand = self.hands[seat]
        for card in cards:
            hand[card if hand[card] else self.unknown] -= 1
            self.tell(What.DISCARDED, seat, card=card)
        self.talon[-1:-1] = cards
        self.sizes[seat] -= len(cards)
        if self.sizes[seat] == 1:
            self.has_one(seat)
        self.calling.clear()
        self._is_out_without_cards(seat)
        self._hand_over(self.following[seat])

    def check_answer(self, question: Question, value: Any) -> None:
        of_colour = _OF_COLOUR[self.colour]
        if isinstance(value, int) or any(card not in of_colour for card in value):
            raise IllegalMove("E-18", NOT_THAT_COLOUR)
        assert question.seat is not None
        hand = self.hands[question.seat]
        known = [card for card in of_colour for _ in range(hand[card])]
        kept, told = not_in(known, value), not_in(value, known)
        if kept:
            raise IllegalMove("E-18", reasons.hand_has(self.cards.names[kept[0]]))
        if len(told) > hand[self.unknown]:
            raise IllegalMove("E-18", reasons.hand_size(self.sizes[question.seat]))
        if not self.is_unseen(told):
            raise IllegalMove("G-04", reasons.NOT_UNSEEN)

    def answered(self, question: Question, value: Any) -> None:
        assert question.seat is not None
        self._discard(question.seat, sorted(value))

    # E-31

    def ran_out(self) -> None:
        """The talon is large or the launcher empty: ask the table to reload, or do it where the cards are not real."""
        lifted = len(self.talon) - self.stays()
        if self.reload_due or not lifted or self.phase not in IN_ROUND:
            return
        self.tell(What.RELOAD_ASKED, number=lifted)
        if self.asks_reload:
            self.reload_due = True
        else:
            lift_talon(self, What.RELOADED)

    def reloaded(self) -> None:
        self.reload_due = False

    # The score

    def round_over(self) -> None:
        if not hands_are_counted(self):
            return
        winner, scoring, target = self.round_winner, self.options["scoring"], self.options["target"]
        if scoring == "winner":
            self.add_points(winner, points_of_others(self.points, winner))  # E-26
            if self.scores[winner] >= target:  # E-27
                self.end_match((winner,))
            return
        still_in = self.still_in()
        for seat in still_in:
            self.add_points(seat, self.points[seat])
        if scoring == "elimination":
            self._eliminate(still_in, target)
        elif max(self.scores) > target:  # E-28: more than 500
            self.end_match(lowest(self.scores))

    def _eliminate(self, still_in: Sequence[int], limit: int) -> None:
        """E-30: over the limit is out; the last one in has won. If all are over it, who has won the round stays in."""
        over = [seat for seat in still_in if self.scores[seat] > limit]
        if over == still_in:
            over.remove(self.round_winner)
        for seat in sorted(over, key=lambda seat: -self.scores[seat]):
            self.gone.add(seat)
            self.eliminated += (seat,)
            self.tell(What.ELIMINATED, seat)
        self.reseat()
        if self.playing == 1:
            self.end_match(self.still_in())

    def high_score_wins(self) -> bool:
        return bool(self.options["scoring"] == "winner")  # E-26, E-28, E-30

    def ranking(self) -> tuple[int, ...]:
        """E-30: who was eliminated later stands before who was out earlier."""
        return (*(seat for seat in super().ranking() if seat not in self.eliminated), *self.eliminated[::-1])

    # G-06

    def why_not(self, seat: int, move: Move) -> tuple[str, Text]:  # noqa: ARG002, PLR0911 - one a reason
        if self.phase is NAMING:
            return _NAMING_RULES[self.top], reasons.NAME_FIRST
        if self.phase is CARRYING_OUT:
            return "E-22", RULE_FIRST
        if move.act in {Act.DONE, Act.EFFECT}:
            return "E-22", NO_RULE
        card = move.card
        if move.act is not Act.LAY or card is None:
            return "G-06", reasons.NO_SUCH_MOVE
        if card == EXTREME_HIT and move.colour in _COLOURS:
            return "E-21", AIM_AT_ANOTHER
        if card in _WILD_RULES:
            return _WILD_RULES[card], reasons.MAKE_A_CHOICE
        return "E-18" if symbol_of(card) is DISCARD_ALL else "E-13", reasons.NO_MATCH
