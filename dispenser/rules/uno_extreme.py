"""Uno Extrême, where a launcher is the draw pile. ``book/uno_extreme.py`` states the rules; their IDs stand where each
lives.

Nobody draws a number of cards here: a seat owes *presses*, and each press is one burst of some cards or of none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dispenser.rules import events, reasons
from dispenser.rules.book.entry import Text
from dispenser.rules.cards import (
    CUSTOMIZABLE,
    DISCARD_ALL,
    EXTREME_HIT,
    EXTREME_REVERSE,
    EXTREME_SKIP,
    PRESS_FOUR,
    PRESS_TWO,
    UNO_EXTREME,
)
from dispenser.rules.cards import EXTREME_WILD as WILD
from dispenser.rules.errors import IllegalMove
from dispenser.rules.game import Game
from dispenser.rules.moves import DONE, DRAW, EFFECT, JUMP_IN, KIND_SHIFT, NAME, PLAY, Move, first_choice, play
from dispenser.rules.scoring import lowest
from dispenser.rules.state import CARRYING_OUT, COUNTING, DREW, IDLE, NAMING, PLAYING, PRESSES, Question

# E-01, without the customizable cards: two of each card in each colour, but one Reverse.
DECK: Final = (
    *(card for card in range(WILD) for _ in range(1 if UNO_EXTREME.symbol[card] == EXTREME_REVERSE else 2)),
    *(WILD,) * 4,
    *(EXTREME_HIT,) * 4,
    PRESS_FOUR,
)

# E-26
_ACTION_POINTS: Final[dict[int, int]] = {PRESS_TWO: 20, EXTREME_REVERSE: 20, EXTREME_SKIP: 20, DISCARD_ALL: 30}
_WILD_POINTS: Final = {WILD: 50, EXTREME_HIT: 50, CUSTOMIZABLE: 50, PRESS_FOUR: 40}
POINT_VALUES: Final = (
    *(_ACTION_POINTS.get(symbol, symbol + 1) for symbol in UNO_EXTREME.symbol[:WILD]),
    *(_WILD_POINTS[card] for card in range(WILD, UNO_EXTREME.kinds)),
)

MOST_PRESSES: Final = 4
"""Presses that a customizable card can bring to a seat (assumed: as many as the hardest printed card)."""

RULE_FIRST: Final = Text("carry out what the card says first", "exécute d’abord ce que dit la carte")
NO_RULE: Final = Text("no customizable card waits to be carried out", "aucune carte à customiser n’attend son effet")
AIM_AT_ANOTHER: Final = Text("aim at another player who is still in", "vise quelqu’un d’autre qui joue encore")
NOT_THAT_COLOUR: Final = Text(
    "list the cards laid down with it: those of its colour, no others",
    "donne les cartes posées avec elle\u00a0: celles de sa couleur, et rien d’autre",
)

_WILDS: Final = [play(WILD, colour) for colour in range(4)]
_PRESS_FOURS: Final = [play(PRESS_FOUR, colour) for colour in range(4)]
_CUSTOMIZABLES: Final = [play(CUSTOMIZABLE, colour) for colour in range(4)]
_NAMES: Final = [NAME | colour for colour in range(4)]
_COLOUR: Final = UNO_EXTREME.colour
_SYMBOL: Final = UNO_EXTREME.symbol
_MATCHES: Final = UNO_EXTREME.matches
_OF_COLOUR: Final = UNO_EXTREME.of_colour
_NAMING_RULES: Final = {WILD: "E-08", PRESS_FOUR: "E-09", CUSTOMIZABLE: "E-10"}
_WILD_RULES: Final = {WILD: "E-19", PRESS_FOUR: "E-20", EXTREME_HIT: "E-21", CUSTOMIZABLE: "E-22"}


class UnoExtreme(Game):
    """Uno Extrême. E-32: the launcher points at the ``receiver`` of the open ``demand``; its ``payer`` presses.

    :ivar reload_due: the table was asked to reload the launcher and has not told yet that it did (E-31).
    """

    game_id = "uno-extreme"
    cards = UNO_EXTREME
    hand_size = 7  # E-04
    point_values = POINT_VALUES
    draw_kind = PRESSES
    turn_rule = "E-04"
    draw_rule = "E-14"
    first_card_rule = "E-04"
    points_rule = "E-26"
    reload_rule = "E-31"
    forgotten = ("E-24", 2)
    offences = {"advice": ("E-25", 4)}  # noqa: RUF012 - read only, like every class variable here
    own_scalars = ("reload_due", "eliminated")
    __slots__ = (*own_scalars, "_deck", "_effects", "_hits", "reload_at")

    def prepare(self) -> None:
        self.reload_due = False
        self.eliminated: tuple[int, ...] = ()
        """Seats over the limit, the first one out first (E-30)."""
        self.reload_at: int = self.options["reload-at"]
        self._deck = (*DECK, *(CUSTOMIZABLE,) * self.options["customizable"])  # E-02

    def deck(self) -> Sequence[int]:
        return self._deck

    def reseat(self) -> None:
        super().reseat()
        playing = [seat for seat in range(self.seats) if not self.gone >> seat & 1]
        self._hits = [  # E-21: any colour, any other player
            [play(EXTREME_HIT, colour, target) for colour in range(4) for target in playing if target != seat]
            for seat in range(self.seats)
        ]
        self._effects = [play(EFFECT | seat, presses) for seat in playing for presses in range(1, MOST_PRESSES + 1)]

    # The first card

    def dealt(self) -> None:
        self.reload_due = False
        super().dealt()

    def may_start(self, card: int) -> bool:
        return card != EXTREME_HIT  # E-11

    def first_card(self, card: int) -> None:
        first = self.left[self.dealer]
        if card >= WILD:
            self._first_wild(card, first)
            return
        symbol = _SYMBOL[card]
        if symbol == PRESS_TWO:  # E-07
            first = self._press(first, 2, "E-07")
        elif symbol == EXTREME_SKIP:  # E-06
            self.skip(first)
            first = self.left[first]
        elif symbol == EXTREME_REVERSE:  # E-05
            self.reverse()
            first = self.dealer
        self.next_turn(first)  # E-04; E-12: a Discard All is a card like any other here

    def _first_wild(self, card: int, first: int) -> None:
        """E-08, E-10: who starts names the colour. E-09: so does who starts after the four presses."""
        if card == PRESS_FOUR:
            first = self._press(first, 4, "E-09")
        self.next_turn(first)
        self.phase = NAMING

    # Moves

    def turn_moves(self, seat: int) -> list[Move]:
        phase = self.phase
        if phase == PLAYING:
            hand = self.hands[seat] if not self.hidden else self.possible(seat)
            moves = [card for card in self.matches if hand[card]]  # E-13
            if hand[WILD]:
                moves += _WILDS  # E-19
            if hand[EXTREME_HIT]:
                moves += self._hits[seat]  # E-21
            if hand[CUSTOMIZABLE]:
                moves += _CUSTOMIZABLES  # E-22
            if hand[PRESS_FOUR]:
                moves += _PRESS_FOURS  # E-20
            moves.append(DRAW)  # E-14, G-02
            return moves
        if phase == CARRYING_OUT:
            return [DONE, *self._effects]  # E-22
        return _NAMES[:]

    def carry_out(self, seat: int, move: Move) -> None:
        if move < JUMP_IN:  # PLAY
            self.exposed = 0
            self._lay(seat, move)
            return
        kind = move >> KIND_SHIFT << KIND_SHIFT
        if kind == DRAW:  # E-14
            self.exposed = 0
            self.calling = -1  # a dud leaves two cards in the hand: the call was for this turn
            self.phase = DREW
            self.demands.append(self.draw_one[seat])
        elif kind == NAME:  # E-08, E-09, E-10
            self._name(move & 255)
            self.phase = PLAYING
            self.events.append((events.NAMED, seat, self.colour))
        elif kind == DONE:  # E-22
            self._hand_over(self.following[seat])
        elif kind == EFFECT:  # E-22
            self.owe(first_choice(move), move & 255, "E-22", penalty=True)  # the next player has not acted yet
            self._hand_over(self.following[seat])
        else:
            self.speak_up(seat, move)

    def _lay(self, seat: int, move: Move) -> None:
        card = move & 255
        self.events.append((events.PLAYED, seat, move))
        self.talon.append(card)
        self.top = card
        hand = self.hands[seat]
        hand[card if hand[card] else self.unknown] -= 1
        size = self.sizes[seat] - 1
        self.sizes[seat] = size
        after = self.following[seat]
        if card < WILD:
            self.matches = _MATCHES[card]
            self.colour = _COLOUR[card]
            symbol = _SYMBOL[card]
            if symbol >= PRESS_TWO:
                if symbol == DISCARD_ALL:
                    self._discard_all(seat)
                    return
                after = self._act(seat, symbol, after)
        if size < 2:
            self.has_few(seat)
        if card >= WILD:
            self._name((move >> 8 & 255) - 1)  # E-19
            if card == CUSTOMIZABLE:  # E-22: the table carries out its own rule, even after a last card (E-23)
                self.phase = CARRYING_OUT
                self.events.append((events.RULE_SHOWN, seat, -1))
                return
            if card == EXTREME_HIT:  # E-21: nobody is skipped
                self.owe(2, seat, "E-21", receiver=(move >> 16) - 1)
            elif card == PRESS_FOUR:  # E-20
                after = self._press(after, 4, "E-20")
        self._hand_over(after)

    def _act(self, seat: int, symbol: int, after: int) -> int:
        """What a card with a symbol does; returns whose turn it is then.

        E-29: of two players the one who is not skipped plays again; this needs no code but for Reverse.
        """
        if symbol == PRESS_TWO:  # E-17
            return self._press(after, 2, "E-17")
        if symbol == EXTREME_SKIP:  # E-16
            self.skip(after)
            return self.following[after]
        self.reverse()  # E-15
        if self.playing == 2:  # E-29
            self.skip(after)
            return seat
        return self.following[seat]

    def _press(self, seat: int, presses: int, rule: str) -> int:
        """``seat`` owes presses and loses its turn; returns whose turn it is then."""
        self.owe(presses, seat, rule)
        self.skip(seat)
        return self.following[seat]

    def _name(self, colour: int) -> None:
        self.colour = colour
        self.matches = _OF_COLOUR[colour]

    def _hand_over(self, after: int) -> None:
        """The move is made: it is the turn of ``after``, unless the round is over (E-23)."""
        self.turn = after
        self.phase = PLAYING
        self.events.append(self.turn_events[after])
        if self.going_out >= 0:
            self.settle()
        if len(self.talon) >= self.reload_at or (self.asks_reload and not self.pile):
            self.ran_out()

    def has_drawn(self) -> None:
        after = self.following[self.turn]  # E-14: what came out is not played
        self.turn = after
        self.phase = PLAYING
        self.events.append(self.turn_events[after])

    # E-18

    def _discard_all(self, seat: int) -> None:
        """All cards of its colour go down with the card on top; of a hidden hand, the table says which they are."""
        hand = self.hands[seat]
        if hand[self.unknown]:
            self.question = Question("discarded", seat, "E-18")
        else:
            self._discard(seat, [card for card in _OF_COLOUR[self.colour] for _ in range(hand[card])])

    def _discard(self, seat: int, cards: Sequence[int]) -> None:
        hand = self.hands[seat]
        for card in cards:
            hand[card if hand[card] else self.unknown] -= 1
            self.events.append((events.DISCARDED, seat, card))
        self.talon[-1:-1] = cards
        self.sizes[seat] -= len(cards)
        if self.sizes[seat] < 2:
            self.has_few(seat)
        self._hand_over(self.following[seat])

    def check_answer(self, question: Question, value: Any) -> None:
        super().check_answer(question, value)
        if question.kind != "discarded":
            return
        of_colour = _OF_COLOUR[self.colour]
        if isinstance(value, int) or any(card not in of_colour for card in value):
            raise IllegalMove("E-18", NOT_THAT_COLOUR)
        hand = self.hands[question.seat]
        known = [card for card in of_colour for _ in range(hand[card])]
        kept = self.not_in(known, value)
        if kept:
            raise IllegalMove("E-18", reasons.hand_has(self.cards.names[kept[0]]))
        told = self.not_in(value, known)
        if len(told) > hand[self.unknown]:
            raise IllegalMove("E-18", reasons.hand_size(self.sizes[question.seat]))
        if not self.is_unseen(told):
            raise IllegalMove("G-04", reasons.NOT_UNSEEN)

    def answered(self, question: Question, value: Any) -> None:
        self._discard(question.seat, sorted(value))

    # E-31

    def ran_out(self) -> None:
        """The talon is large or the launcher empty: ask the table to reload, or do it where the cards are not real."""
        lifted = len(self.talon) - self.stays()
        if self.reload_due or not lifted or not IDLE < self.phase < COUNTING:
            return
        self.events.append((events.RELOAD_ASKED, -1, lifted))
        if self.asks_reload:
            self.reload_due = True
        else:
            self.lift_talon(events.RELOADED)

    def lift_talon(self, event: int) -> None:
        super().lift_talon(event)
        self.reload_due = False

    # E-26 to E-28, E-30

    def score(self) -> None:
        scoring, target = self.options["scoring"], self.options["target"]
        if scoring == "winner":
            self.add_points(self.round_winner, sum(self.points))  # E-26
            if self.scores[self.round_winner] >= target:  # E-27
                self.end_match((self.round_winner,))
            return
        still_in = [seat for seat in range(self.seats) if not self.gone >> seat & 1]
        for seat in still_in:
            self.add_points(seat, self.points[seat])
        if scoring == "elimination":
            self._eliminate(still_in, target)
        elif max(self.scores) >= target:  # E-28
            self.end_match(lowest(self.scores))

    def _eliminate(self, still_in: Sequence[int], limit: int) -> None:
        """E-30: over the limit is out; the last one in has won."""
        for seat in sorted(still_in, key=lambda seat: -self.scores[seat]):
            if self.scores[seat] > limit:
                self.gone |= 1 << seat
                self.eliminated += (seat,)
                self.events.append((events.ELIMINATED, seat, -1))
        self.reseat()
        if self.playing == 1:
            self.end_match((self.left[0],))  # all of them sit left of the only one

    def ranking(self) -> tuple[int, ...]:
        """E-30: who was eliminated later stands before who was out earlier."""
        return (*(seat for seat in super().ranking() if seat not in self.eliminated), *self.eliminated[::-1])

    def high_score_wins(self) -> bool:
        return bool(self.options["scoring"] == "winner")

    # G-06

    def why_not(self, seat: int, move: Move) -> tuple[str, Text]:  # noqa: ARG002
        kind, card = move >> KIND_SHIFT << KIND_SHIFT, move & 255
        if self.phase == NAMING:
            return _NAMING_RULES[self.top], reasons.NAME_FIRST
        if self.phase == CARRYING_OUT:
            return "E-22", RULE_FIRST
        if kind != PLAY:
            return ("E-22", NO_RULE) if kind in {DONE, EFFECT} else ("G-06", reasons.NO_SUCH_MOVE)
        if card >= WILD:
            aimed_badly = card == EXTREME_HIT and 0 <= first_choice(move) < 4
            return _WILD_RULES[card], AIM_AT_ANOTHER if aimed_badly else reasons.MAKE_A_CHOICE
        return "E-18" if _SYMBOL[card] == DISCARD_ALL else "E-13", reasons.NO_MATCH
