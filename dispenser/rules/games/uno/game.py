"""Uno, with an exact draw pile. ``book.py`` states the rules; their IDs stand where each lives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dispenser.language import Text
from dispenser.rules.engine import reasons
from dispenser.rules.engine.demands import Question
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import What
from dispenser.rules.engine.moves import CHALLENGE, DRAW, PASS, TAKE, Act, Move, lay, name
from dispenser.rules.engine.phases import ANSWERING, DREW, NAMING, PLAYING
from dispenser.rules.engine.rounds import hands_are_counted
from dispenser.rules.engine.rules import Rules
from dispenser.rules.engine.scoring import lowest, points_of_others
from dispenser.rules.engine.uno_cards import PLUS_TWO, REVERSE, SKIP, UNO, UNO_DECK, WILD, WILD_FOUR, symbol_of
from dispenser.rules.games.uno.words import WORDS

_COLOURS: Final = range(4)
_LAY: Final = tuple(map(lay, range(WILD)))
_WILDS: Final = [lay(WILD, colour=colour) for colour in _COLOURS]
_WILD_FOURS: Final = [lay(WILD_FOUR, colour=colour) for colour in _COLOURS]
_NAMES: Final = [name(colour) for colour in _COLOURS]

ANSWER_FOUR: Final = Text("the +4 first: challenge it or take the cards")
NO_FOUR: Final = Text("there is no +4 to answer")
YES_OR_NO: Final = Text("answer yes or no")

# U-20
POINT_VALUES: Final = (*(20 if symbol_of(card) >= PLUS_TWO else symbol_of(card) for card in range(WILD)), 50, 50, 0)

_SYMBOL_RULES: Final = {PLUS_TWO: "U-11", REVERSE: "U-12", SKIP: "U-13"}
_OUT_OF_PLACE: Final = {
    Act.CHALLENGE: ("U-16", NO_FOUR),
    Act.TAKE: ("U-16", NO_FOUR),
    Act.PASS: ("U-10", reasons.DRAW_FIRST),
}


def first_card_acts(rules: Rules, card: int, plus_two: str) -> None:
    """U-04 to U-07: what the card turned up does before anybody has played, and who begins.

    :param plus_two: ID of the rule by which two cards are drawn for a +2.
    """
    symbol, first = symbol_of(card), rules.following[rules.dealer]
    if card == WILD:  # U-07
        rules.turn, rules.phase = rules.dealer, NAMING
        return
    if symbol is PLUS_TWO:  # U-04
        rules.owe(2, first, plus_two)
    if symbol in {PLUS_TWO, SKIP}:  # U-04, U-06
        rules.skip(first)
        first = rules.following[first]
    elif symbol is REVERSE:  # U-05
        rules.reverse()
        first = rules.following[rules.dealer]
    rules.next_turn(first)  # U-03


class Uno(Rules):
    """Uno.

    :ivar beneath: what a +4 was laid on: the cards that went on it, and the colour then in force (U-16).
    :ivar bluff: whether another card could have been played instead; ``None`` when only who looks into the hand knows.
    """

    game_id = "uno"
    words = WORDS
    cards = UNO
    hand_size = 7  # U-03
    point_values = POINT_VALUES
    turn_rule = "U-03"
    draw_rule = "U-10"
    first_card_rule = "U-03"
    end_rule = "U-19"
    points_rule = "U-20"
    forgotten = ("U-17", 2)
    offences = {"advice": ("U-18", 4)}  # noqa: RUF012 - read only, like every class variable here
    card_phases = (PLAYING, DREW)  # who answers a +4 lays nothing
    own_values = ("beneath", "bluff")
    __slots__ = own_values

    def prepare(self) -> None:
        self.beneath: tuple[tuple[int, ...], int] = ((), -1)
        self.bluff: bool | None = False

    def deck(self) -> Sequence[int]:
        return UNO_DECK  # U-01

    # The first card

    def may_start(self, card: int) -> bool:
        return card != WILD_FOUR  # U-08

    def first_card(self, card: int) -> None:
        first_card_acts(self, card, "U-04")

    # Moves

    def turn_moves(self, seat: int) -> list[Move]:
        phase = self.phase
        if phase is PLAYING:
            hand = self.possible(seat) if self.hidden else self.hands[seat]
            return [*self._fitting(hand), DRAW]  # U-10, G-02
        if phase is DREW:  # U-10: only the drawn card may be played then
            return [*self._fitting(self.drawn_card(seat)), PASS]
        return [CHALLENGE, TAKE] if phase is ANSWERING else _NAMES[:]

    def _fitting(self, hand: Sequence[int]) -> list[Move]:
        moves = [_LAY[card] for card in self.matches if hand[card]]  # U-09
        if hand[WILD]:
            moves += _WILDS  # U-14
        if hand[WILD_FOUR]:
            moves += _WILD_FOURS  # U-15: even as a bluff
        return moves

    def lays(self, seat: int, move: Move) -> None:
        before = self.matches, self.colour
        card = self.lay(seat, move)
        symbol, after = symbol_of(card), self.following[seat]
        self.phase = PLAYING
        if not self.sizes[seat]:
            self.goes_out(seat)  # U-19: what the last card demands is still carried out
        self.shows(card, move.colour)  # U-09; U-14, U-15: the colour that is named
        if symbol is REVERSE:  # U-12
            self.reverse()
            after = self.following[seat]
        if symbol is PLUS_TWO:  # U-11
            self.owe(2, after, "U-11")
        if symbol in {PLUS_TWO, SKIP} or (symbol is REVERSE and self.playing == 2):  # U-11, U-13, U-12
            self.skip(after)
            after = self.following[after]
        elif card == WILD_FOUR:  # U-15: the next player answers before anything is drawn
            self.phase = ANSWERING
            self.beneath = before
            self.bluff = self._could_have_played(seat)
        self.turn = after
        self.events.append(self.turn_events[after])

    def acts(self, seat: int, move: Move) -> None:
        if move.act is Act.NAME:  # U-07
            self.shows(WILD, move.colour)
            self.tell(What.NAMED, seat, colour=move.colour)
            self.next_turn(self.following[self.dealer])
            return
        self.has_acted()
        if move.act is Act.TAKE:
            self._takes(seat, 4, "U-15")
        elif self.bluff is None:
            self.question = Question("bluff", self._player_before(seat), "U-16")
        else:
            self._judged(seat, bluff=self.bluff)

    def _takes(self, seat: int, count: int, rule: str) -> None:
        """U-15, U-16: draws, and loses the turn."""
        self.owe(count, seat, rule)
        self.skip(seat)
        self.next_turn(self.following[seat])

    # The challenge (U-16)

    def _player_before(self, seat: int) -> int:
        return (self.right if self.direction > 0 else self.left)[seat]

    def _could_have_played(self, seat: int) -> bool | None:
        """Whether that hand holds anything else that was playable under the +4, as far as it is known."""
        hand, (fitted, _) = self.hands[seat], self.beneath
        if hand[WILD] > 0 or any(hand[card] for card in fitted):
            return True
        return None if hand[self.unknown] else False

    def check_answer(self, question: Question, value: Any) -> None:
        if not isinstance(value, bool):
            raise IllegalMove(question.rule, YES_OR_NO)

    def answered(self, question: Question, value: Any) -> None:  # noqa: ARG002 - there is but one question
        self._judged(self.turn, bluff=value)

    def _judged(self, seat: int, *, bluff: bool) -> None:
        """``seat`` has challenged the +4, which was a bluff, or not."""
        self.tell(What.CHALLENGED, seat, bluff=bluff)
        if not bluff:
            self._takes(seat, 6, "U-16")
            return
        bluffer = self._player_before(seat)
        self.hands[bluffer][self.talon.pop()] += 1
        self.sizes[bluffer] += 1
        self.has_more(bluffer)
        self.tell(What.TAKEN_BACK, bluffer, card=WILD_FOUR)
        self.top = self.talon[-1]
        self.matches, self.colour = self.beneath
        self.owe(4, bluffer, "U-16")
        self.next_turn(seat)

    def stays(self) -> int:
        return 2 if self.phase is ANSWERING else 1  # the card beneath may come to light again

    def public(self) -> dict[str, int]:
        return {}  # whether that +4 was a bluff is what the others wonder

    # U-20, U-21

    def high_score_wins(self) -> bool:
        return bool(self.options["scoring"] == "winner")

    def round_over(self) -> None:
        if not hands_are_counted(self):
            return
        winner, target = self.round_winner, self.options["target"]
        if self.high_score_wins():  # U-20
            self.add_points(winner, points_of_others(self.points, winner))
            if self.scores[winner] >= target:
                self.end_match((winner,))
            return
        for seat, points in enumerate(self.points):  # U-21
            self.add_points(seat, points)
        if max(self.scores) >= target:
            self.end_match(lowest(self.scores))

    # G-06

    def why_not(self, seat: int, move: Move) -> tuple[str, Text]:  # noqa: ARG002
        act, card = move.act, move.card
        if self.phase is ANSWERING:
            return "U-15", ANSWER_FOUR
        if self.phase is NAMING:
            return "U-07", reasons.NAME_FIRST
        if act in _OUT_OF_PLACE:
            return _OUT_OF_PLACE[act]
        if act is not Act.LAY or card is None:
            return "G-06", reasons.NO_SUCH_MOVE
        if card >= WILD:
            return "U-14" if card == WILD else "U-15", reasons.MAKE_A_CHOICE
        return _SYMBOL_RULES.get(symbol_of(card), "U-09"), reasons.NO_MATCH
