"""Uno, with an exact draw pile. ``book.py`` states the rules; their IDs stand where each lives.

Hand and moves work as in every game (``engine/rules.py``): cards that fit may be laid; a player who lays none draws
one, which may be laid if it fits (U-10, G-02).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dispenser.i18n import Text
from dispenser.rules.engine import reasons
from dispenser.rules.engine.cards import Kinds
from dispenser.rules.engine.demands import Brings, Question
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import What
from dispenser.rules.engine.moves import CHALLENGE, TAKE, Act, Move
from dispenser.rules.engine.phases import ANSWERING, DREW, NAMING, PLAYING
from dispenser.rules.engine.rules import Rules
from dispenser.rules.engine.state import NO_COLOUR
from dispenser.rules.engine.uno_cards import PLUS_TWO, REVERSE, SKIP, UNO, UNO_DECK, WILD, WILD_FOUR, symbol_of
from dispenser.rules.games.uno.words import BLUFFED, DOUBTED, WORDS

BLACK: Final = (WILD, WILD_FOUR)

# U-20
POINT_VALUES: Final = (*(20 if symbol_of(card) >= PLUS_TWO else symbol_of(card) for card in range(WILD)), 50, 50, 0)

# Causes of draws
TWO: Final = Brings("U-11", 2, PLUS_TWO, also=("U-04",))
FOUR: Final = Brings("U-15", 4, WILD_FOUR)
BLUFF: Final = Brings("U-16", 4, name=BLUFFED)
DOUBT: Final = Brings("U-16", 6, name=DOUBTED)

# G-06
ANSWER_FOUR: Final = Text("the +4 first: challenge it or take the cards")
NO_FOUR: Final = Text("there is no +4 to answer")
YES_OR_NO: Final = Text("answer yes or no")


def first_card_acts(rules: Rules, card: int, number: int, plus_two: str) -> None:
    """U-04 to U-07: apply the card turned up, and choose who begins.

    :param number: cards to draw for a +2, by the rule with the ID ``plus_two``.
    """
    symbol, first = symbol_of(card), rules.following[rules.dealer]  # U-03: on the dealer's left
    if card == WILD:  # U-07: the dealer names the colour
        rules.turn, rules.phase = rules.dealer, NAMING
        return
    if symbol == PLUS_TWO:  # U-04
        first = rules.owes_and_misses(number, first, plus_two)
    elif symbol == REVERSE:  # U-05
        rules.reverse()
        first = rules.following[rules.dealer]
    elif symbol == SKIP:  # U-06
        first = rules.misses(first)
    rules.next_turn(first)


class Uno(Rules):
    """Uno.

    :ivar beneath: state before a +4: the coloured cards that fitted, and the colour in force (U-16).
    :ivar bluff: whether another card could have been played; ``None`` if the hand is hidden and must be looked at.
    """

    game_id = "uno"
    words = WORDS
    cards = UNO
    hand_size = 7  # U-03
    name_colour = BLACK  # U-14, U-15
    point_values = POINT_VALUES  # U-20
    card_phases = (PLAYING, DREW)  # no card is laid in answer to a +4
    turn_rule = "U-03"
    draw_rule = "U-10"
    first_card_rule = "U-03"
    end_rule = "U-19"
    points_rule = "U-20"
    forgotten = ("U-17", 2)
    offences = {"advice": ("U-18", 4)}
    brings = (TWO, FOUR, BLUFF, DOUBT)
    comes_first = {ANSWERING: ("U-15", ANSWER_FOUR), NAMING: ("U-07", reasons.NAME_FIRST)}
    out_of_place = {Act.CHALLENGE: ("U-16", NO_FOUR), Act.TAKE: ("U-16", NO_FOUR)}
    fit_rules = {PLUS_TWO: "U-11", REVERSE: "U-12", SKIP: "U-13"}
    own = ("beneath", "bluff")
    __slots__ = own

    def prepare(self) -> None:
        self.beneath: tuple[Kinds, int] = ((), NO_COLOUR)
        self.bluff: bool | None = False
        self.low_score_wins = self.options["scoring"] == "low-score"  # U-21

    # U-01 to U-08: the cards and the first card; U-02: the highest card drawn deals

    def deck(self) -> Sequence[int]:
        return UNO_DECK  # U-01

    def may_start(self, card: int) -> bool:
        return card != WILD_FOUR  # U-08

    def first_card(self, card: int) -> None:
        first_card_acts(self, card, TWO.number, "U-04")

    def names(self, seat: int, colour: int) -> None:
        super().names(seat, colour)  # U-07
        self.next_turn(self.following[seat])

    # U-09 to U-15, U-19: the turn

    def asked(self, seat: int) -> list[Move]:
        return [CHALLENGE, TAKE] if self.phase is ANSWERING else super().asked(seat)  # U-16, U-15; U-07

    def lays(self, seat: int, move: Move) -> None:
        if move.card == WILD_FOUR:
            self.beneath = tuple(card for card in self.matches if card < WILD), self.colour
        card = self.lay(seat, move)  # U-14, U-15: with the named colour
        symbol, after = symbol_of(card), self.following[seat]
        if not self.sizes[seat]:
            self.goes_out(seat)  # U-19: the effect of the last card still applies
        if card == WILD_FOUR:  # U-15: the next player answers before anything is drawn
            self.bluff = self._could_have_played(seat)
            self.next_turn(after, ANSWERING)
            return
        if symbol == PLUS_TWO:  # U-11
            after = self.owes_and_misses(TWO.number, after, "U-11")
        elif symbol == REVERSE:  # U-12
            after = self.reverses(seat)
        elif symbol == SKIP:  # U-13
            after = self.misses(after)
        self.next_turn(after)

    # U-15, U-16: answering a +4

    def _could_have_played(self, seat: int) -> bool | None:
        """U-15: whether the hand holds a card, other than a +4, that fitted under it, as far as it is known."""
        hand, (fitted, _) = self.hands[seat], self.beneath
        if any(hand[card] for card in (*fitted, WILD)):
            return True
        return None if hand[self.unknown] else False

    def to_take(self) -> int:
        return FOUR.number

    def takes(self, seat: int) -> None:
        self.has_acted()
        self.next_turn(self.owes_and_misses(self.to_take(), seat, "U-15"))

    def acts(self, seat: int, move: Move) -> None:  # noqa: ARG002 - only a challenge is left
        """U-16: challenge; the table is asked about the hand if the engine does not know it."""
        self.has_acted()
        if self.bluff is None:
            self.question = Question("bluff", self._player_before(seat), "U-16")
        else:
            self._judged(seat, bluff=self.bluff)

    def answered(self, question: Question, value: Any) -> None:
        if not isinstance(value, bool):
            raise IllegalMove(question.rule, YES_OR_NO)
        self._judged(self.turn, bluff=value)

    def _judged(self, seat: int, *, bluff: bool) -> None:
        """U-16: apply the challenge of ``seat``, by whether the +4 was a bluff."""
        self.emit(What.CHALLENGED, seat, bluff=bluff)
        if not bluff:
            self.next_turn(self.owes_and_misses(DOUBT.number, seat, "U-16"))
            return
        bluffer = self._player_before(seat)
        self.hands[bluffer][self.talon.pop()] += 1
        self.sizes[bluffer] += 1
        self.has_more(bluffer)
        self.emit(What.TAKEN_BACK, bluffer, card=WILD_FOUR)
        under, colour = self.talon[-1], self.beneath[1]
        self.shows(under, colour if under in BLACK else None)
        self.owe(BLUFF.number, bluffer, "U-16")
        self.next_turn(seat)

    def _player_before(self, seat: int) -> int:
        return (self.right if self.direction > 0 else self.left)[seat]

    def stays(self) -> int:
        return 2 if self.phase is ANSWERING else 1  # U-16: the card beneath may be on top again

    def public(self) -> dict[str, int]:
        return {}  # U-16: whether the +4 was a bluff is secret

    # U-20, U-21: the score

    def needs_winner(self) -> bool:
        return not self.low_score_wins  # U-21

    def round_over(self) -> None:
        target = self.options["target"]
        if self.low_score_wins:
            self.all_score_their_own(target)  # U-21
        else:
            self.winner_scores(target)  # U-20
