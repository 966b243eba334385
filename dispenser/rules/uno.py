"""Uno, with an exact draw pile. ``book/uno.py`` states the rules; their IDs stand where each lives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dispenser.rules import events, reasons
from dispenser.rules.book.entry import Text
from dispenser.rules.cards import PLUS_TWO, REVERSE, SKIP, UNO, UNO_DECK, WILD, WILD_FOUR
from dispenser.rules.errors import IllegalMove
from dispenser.rules.game import Game
from dispenser.rules.moves import CHALLENGE, DRAW, KIND_SHIFT, NAME, PASS, PLAY, TAKE, Move, play
from dispenser.rules.scoring import lowest, points_to_winner
from dispenser.rules.state import ANSWERING, DREW, NAMING, PLAYING, Question

# U-20
POINT_VALUES: Final = (*(min(symbol, 10) + 10 * (symbol >= PLUS_TWO) for symbol in UNO.symbol[:WILD]), 50, 50, 0)

_WILDS: Final = [play(WILD, colour) for colour in range(4)]
_WILD_FOURS: Final = [play(WILD_FOUR, colour) for colour in range(4)]
_NAMES: Final = [NAME | colour for colour in range(4)]
_COLOUR: Final = UNO.colour
_SYMBOL: Final = UNO.symbol
_MATCHES: Final = UNO.matches
_OF_COLOUR: Final = UNO.of_colour
_FIRST_THINGS: Final = {ANSWERING: ("U-15", reasons.ANSWER_FOUR), NAMING: ("U-07", reasons.NAME_FIRST)}
_OUT_OF_PLACE: Final = {
    CHALLENGE: ("U-16", reasons.NO_FOUR),
    TAKE: ("U-16", reasons.NO_FOUR),
    PASS: ("U-10", reasons.DRAW_FIRST),
}


class Uno(Game):
    """Uno."""

    game_id = "uno"
    cards = UNO
    hand_size = 7  # U-03
    point_values = POINT_VALUES
    turn_rule = "U-03"
    draw_rule = "U-10"
    first_card_rule = "U-03"
    points_rule = "U-20"
    forgotten = ("U-17", 2)
    offences = {"advice": ("U-18", 4)}  # noqa: RUF012 - read only, like every class variable here
    card_phases = (PLAYING, DREW)  # who answers a +4 lays nothing
    own_scalars = ("beneath", "bluff")
    __slots__ = own_scalars

    def prepare(self) -> None:
        self.beneath: tuple[tuple[int, ...], int] = ((), -1)
        """What a +4 was laid on: the matching kinds and the colour then in force (U-16)."""
        self.bluff: bool | None = False
        """Whether another card could have been played instead; ``None`` when only who looks into the hand knows."""

    def deck(self) -> Sequence[int]:
        return UNO_DECK  # U-01

    # The first card

    def may_start(self, card: int) -> bool:
        return card != WILD_FOUR  # U-08

    def first_card(self, card: int) -> None:
        first = self.left[self.dealer]
        if card == WILD:  # U-07
            self.turn, self.phase = self.dealer, NAMING
            return
        symbol = _SYMBOL[card]
        if symbol == PLUS_TWO:  # U-04
            self.owe(2, first, "U-04")
            self.skip(first)
            first = self.left[first]
        elif symbol == SKIP:  # U-06
            self.skip(first)
            first = self.left[first]
        elif symbol > PLUS_TWO:  # U-05
            self.reverse()
            first = self.right[self.dealer]
        self.next_turn(first)  # U-03

    # Moves

    def turn_moves(self, seat: int) -> list[Move]:
        phase = self.phase
        if phase == PLAYING:
            hand = self.hands[seat] if not self.hidden else self.possible(seat)
            moves = [card for card in self.matches if hand[card]]  # U-09
            if hand[WILD]:
                moves += _WILDS  # U-14
            if hand[WILD_FOUR]:
                moves += _WILD_FOURS  # U-15: even as a bluff
            moves.append(DRAW)  # U-10, G-02
            return moves
        if phase == DREW:
            return self._drawn_moves(seat)
        if phase == ANSWERING:
            return [CHALLENGE, TAKE]
        return _NAMES[:]

    def _drawn_moves(self, seat: int) -> list[Move]:
        """U-10: only the drawn card may be played then; where nobody saw it, any that it may be."""
        card = self.drawn
        if not self.hands[seat][card]:
            return [PASS]  # the table has set the hand right since
        if card < WILD:
            return [card, PASS]
        if card == WILD:
            return [*_WILDS, PASS]
        if card == WILD_FOUR:
            return [*_WILD_FOURS, PASS]
        unseen = self.unseen()
        moves = [card for card in self.matches if unseen[card] > 0]
        return [*moves, *(_WILDS if unseen[WILD] else ()), *(_WILD_FOURS if unseen[WILD_FOUR] else ()), PASS]

    def carry_out(self, seat: int, move: Move) -> None:
        kind = move >> KIND_SHIFT << KIND_SHIFT
        if kind == PLAY:
            self.exposed = 0
            self._lay(seat, move)
        elif kind == DRAW:  # U-10
            self.exposed = 0
            self.calling = -1
            self.phase = DREW
            self.demands.append(self.draw_one[seat])
        elif kind == PASS:
            self.calling = -1  # the word was for a card of this turn
            self.events.append((events.PASSED, seat, -1))
            self.next_turn(self.following[seat])
        elif kind == TAKE:
            self._take_four(seat, 4, "U-15")
        elif kind == CHALLENGE:
            self._challenge(seat)
        elif kind == NAME:  # U-07
            self._name(seat, move & 255)
            self.next_turn(self.left[self.dealer])
        else:
            self.speak_up(seat, move)

    def _lay(self, seat: int, move: Move) -> None:
        card = move & 255
        self.events.append((events.PLAYED, seat, move))
        before = self.matches, self.colour
        self.lay(seat, card)
        after = self.following[seat]
        if card < WILD:
            self.matches = _MATCHES[card]
            self.colour = _COLOUR[card]
            symbol = _SYMBOL[card]
            if symbol >= PLUS_TWO:
                after = self._act(seat, symbol, after)
        else:
            colour = (move >> 8) - 1
            self.matches = _OF_COLOUR[colour]
            self.colour = colour
            if card == WILD_FOUR:  # U-15: the next seat answers before anything is drawn
                self.beneath = before
                self.bluff = self._could_play(seat)
                self.turn = after
                self.phase = ANSWERING
                self.events.append(self.turn_events[after])
                return
        self.turn = after
        self.phase = PLAYING
        self.events.append(self.turn_events[after])
        if self.going_out >= 0:
            self.settle()

    def _act(self, seat: int, symbol: int, after: int) -> int:
        """What a card with a symbol does; returns whose turn it is then."""
        if symbol == PLUS_TWO:  # U-11, U-19
            self.owe(2, after, "U-11")
            self.skip(after)
            return self.following[after]
        if symbol == SKIP:  # U-13
            self.skip(after)
            return self.following[after]
        self.reverse()  # U-12
        if self.playing == 2:
            self.skip(after)
            return seat
        return self.following[seat]

    def _name(self, seat: int, colour: int) -> None:
        self.colour = colour
        self.matches = _OF_COLOUR[colour]
        self.events.append((events.NAMED, seat, colour))

    # U-16

    def stays(self) -> int:
        return 2 if self.phase == ANSWERING else 1  # the card beneath may come to light again

    def _could_play(self, seat: int) -> bool | None:
        """U-15: whether that hand holds anything else that was playable under the +4, as far as it is known."""
        hand = self.hands[seat]
        if hand[WILD] > 0 or any(hand[card] for card in self.beneath[0]):
            return True
        return None if hand[self.unknown] else False

    def _challenge(self, seat: int) -> None:
        self.exposed = 0
        bluffer = self.right[seat] if self.direction > 0 else self.left[seat]
        if self.bluff is None:
            self.question = Question("bluff", bluffer, "U-16")
        else:
            self._judge(seat, bluffer, bluff=self.bluff)

    def check_answer(self, question: Question, value: Any) -> None:
        super().check_answer(question, value)
        if question.kind == "bluff" and not isinstance(value, bool):
            raise IllegalMove("U-16", reasons.YES_OR_NO)

    def answered(self, question: Question, value: Any) -> None:
        self._judge(self.turn, question.seat, bluff=value)

    def _judge(self, seat: int, bluffer: int, *, bluff: bool) -> None:
        self.events.append((events.CHALLENGED, seat, int(bluff)))
        if not bluff:
            self._take_four(seat, 6, "U-16")
            return
        self.exposed = 0
        self.hands[bluffer][self.talon.pop()] += 1
        self.sizes[bluffer] += 1
        self.has_more(bluffer)
        self.events.append((events.TAKEN_BACK, bluffer, WILD_FOUR))
        self.top = self.talon[-1]
        self.matches, self.colour = self.beneath
        self.owe(4, bluffer, "U-16")
        self.next_turn(seat)

    def _take_four(self, seat: int, count: int, rule: str) -> None:
        self.exposed = 0
        self.owe(count, seat, rule)
        self.skip(seat)
        self.next_turn(self.following[seat])

    def has_drawn(self) -> None:
        card = self.drawn
        if card < 0 or (card < WILD and card not in self.matches):
            self.events.append((events.PASSED, self.turn, -1))
            self.next_turn(self.following[self.turn])

    def public(self) -> dict[str, int]:
        return {}  # U-16: whether that +4 was a bluff is what the others wonder

    # U-20, U-21

    def score(self) -> None:
        low = self.options["scoring"] == "low-score"
        for seat, points in enumerate(self.points if low else points_to_winner(self.points, self.round_winner)):
            if points or low:
                self.add_points(seat, points)
        if max(self.scores) >= self.options["target"]:
            self.end_match(lowest(self.scores) if low else (self.round_winner,))

    def high_score_wins(self) -> bool:
        return bool(self.options["scoring"] == "winner")

    # G-06

    def why_not(self, seat: int, move: Move) -> tuple[str, Text]:  # noqa: ARG002
        kind, card = move >> KIND_SHIFT << KIND_SHIFT, move & 255
        if self.phase in _FIRST_THINGS:
            return _FIRST_THINGS[self.phase]
        if kind in _OUT_OF_PLACE:
            return _OUT_OF_PLACE[kind]
        if kind != PLAY:
            return "G-06", reasons.NO_SUCH_MOVE
        if card >= WILD:
            return "U-14" if card == WILD else "U-15", reasons.MAKE_A_CHOICE
        symbols: dict[int, str] = {PLUS_TWO: "U-11", REVERSE: "U-12", SKIP: "U-13"}
        return symbols.get(_SYMBOL[card], "U-09"), reasons.NO_MATCH
