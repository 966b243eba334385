"""Uno Extrême, where a launcher is the draw pile. ``book.py`` states the rules; their IDs stand where each lives.

No rule draws a number of cards: a seat owes *presses*, and each press is one burst of cards or a dud.
E-32: the launcher points at the ``receiver`` of the open demand; its ``payer`` presses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dispenser.i18n import Text
from dispenser.rules.engine import reasons
from dispenser.rules.engine.cards import SYMBOLS
from dispenser.rules.engine.dealing import lift_talon
from dispenser.rules.engine.demands import Brings, Demand, Owed, Question
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import What
from dispenser.rules.engine.moves import DONE, Act, Move, effect, lay
from dispenser.rules.engine.phases import CARRYING_OUT, IN_ROUND, NAMING, PLAYING
from dispenser.rules.engine.rounds import check_entered
from dispenser.rules.engine.rules import Reason, Rules
from dispenser.rules.engine.state import NOBODY
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

COLOURS: Final = range(4)
DISCARD_ALLS: Final = UNO_EXTREME.all_of(DISCARD_ALL)

# E-26
_SYMBOL_POINTS: Final = {PRESS_TWO: 20, REVERSE: 20, SKIP: 20, DISCARD_ALL: 30}
_WILD_POINTS: Final = {WILD: 50, EXTREME_HIT: 50, CUSTOMIZABLE: 50, PRESS_FOUR: 40}
POINT_VALUES: Final = tuple(
    _WILD_POINTS.get(card, _SYMBOL_POINTS.get(symbol_of(card), symbol_of(card) + 1))
    for card in range(UNO_EXTREME.kinds)
)

# Causes of presses
TWO: Final = Brings("E-17", 2, PRESS_TWO, also=("E-07",))
FOUR: Final = Brings("E-20", 4, PRESS_FOUR, also=("E-09",))
HIT: Final = Brings("E-21", 2, EXTREME_HIT, name=Text("Extreme Hit"))
CUSTOM: Final = Brings("E-22", 0, CUSTOMIZABLE, most=MOST_PRESSES)

# G-06
RULE_FIRST: Final = Text("carry out what the card says first")
NO_RULE: Final = Text("no customizable card waits to be carried out")
AIM_AT_ANOTHER: Final = Text("aim at another player who is still in")
NOT_THAT_COLOUR: Final = Text("list the cards played with it: those of its colour, no others")
_NAMING_RULES: Final = {WILD: "E-08", PRESS_FOUR: "E-09", CUSTOMIZABLE: "E-10"}


class UnoExtreme(Rules):
    """Uno Extrême.

    :ivar reload_due: the table was asked to reload the launcher and has not confirmed it (E-31).
    :ivar eliminated: seats over the limit, in the order of elimination (E-30).
    """

    game_id = "uno-extreme"
    words = WORDS
    cards = UNO_EXTREME
    hand_size = 7  # E-04
    draws = Owed.PRESSES  # E-14
    plays_drawn = False  # E-14
    name_colour = (WILD, EXTREME_HIT, CUSTOMIZABLE, PRESS_FOUR)  # E-19 to E-22
    lays_several = True  # E-18
    point_values = POINT_VALUES  # E-26
    turn_rule = "E-04"
    draw_rule = "E-14"
    first_card_rule = "E-04"
    end_rule = "E-23"
    points_rule = "E-26"
    out_rule = "E-30"
    reload_rule = "E-31"
    forgotten = ("E-24", 2)
    offences = {"advice": ("E-25", 4)}
    brings = (TWO, FOUR, HIT, CUSTOM)
    comes_first = {CARRYING_OUT: ("E-22", RULE_FIRST)}
    out_of_place = {Act.DONE: ("E-22", NO_RULE), Act.EFFECT: ("E-22", NO_RULE)}
    fit_rules = {DISCARD_ALL: "E-18"}
    own = ("reload_due", "eliminated")
    __slots__ = (*own, "_effects", "_reload_at")

    def prepare(self) -> None:
        self.reload_due = False
        self.eliminated: tuple[int, ...] = ()
        self._reload_at: int = self.options["reload-at"]  # E-31
        self.low_score_wins = self.options["scoring"] != "winner"  # E-28, E-30
        self.ways = [[*ways] for ways in self.ways]  # E-21: the targets of an Extreme Hit differ by seat

    # E-01, E-02: the cards

    def deck(self) -> Sequence[int]:
        return (*DECK, *(CUSTOMIZABLE,) * self.options["customizable"])

    def reseat(self) -> None:
        """Update the targets: of an Extreme Hit, the other seats that play (E-21); of a Customizable, all (E-22)."""
        super().reseat()
        for seat, ways in enumerate(self.ways):
            others = [other for other in self.still_in() if other != seat]
            ways[EXTREME_HIT] = [lay(EXTREME_HIT, colour=colour, seat=other) for colour in COLOURS for other in others]
        presses = range(1, CUSTOM.most + 1)
        self._effects = [effect(seat, number) for seat in self.still_in() for number in presses]  # E-22

    # E-03 to E-12: the first card; E-03: the highest card drawn deals

    def may_start(self, card: int) -> bool:
        return card != EXTREME_HIT  # E-11

    def first_card(self, card: int) -> None:
        self.reload_due = False
        first = self.left[self.dealer]  # E-04; also with a Discard All (E-12)
        symbol = symbol_of(card)
        if symbol == REVERSE:  # E-05
            self.reverse()
            first = self.dealer
        elif symbol == SKIP:  # E-06
            first = self.misses(first)
        elif symbol == PRESS_TWO:  # E-07
            first = self.owes_and_misses(TWO.number, first, "E-07")
        elif card == PRESS_FOUR:  # E-09
            first = self.owes_and_misses(FOUR.number, first, "E-09")
        # E-08, E-09, E-10: the first player names the colour of a wild card, then plays
        self.next_turn(first, NAMING if card in self.name_colour else PLAYING)

    # E-13 to E-23: the turn

    def asked(self, seat: int) -> list[Move]:
        if self.phase is NAMING:
            return super().asked(seat)  # E-08, E-09, E-10
        return [DONE, *self._effects]  # E-22

    def lays(self, seat: int, move: Move) -> None:
        called = seat in self.calling
        card = self.lay(seat, move)  # E-19 to E-22: with the named colour
        symbol, after = symbol_of(card), self.following[seat]
        if not self.sizes[seat]:
            self.goes_out(seat)  # E-23: the effect of the last card still applies
        if symbol == REVERSE:  # E-15, E-29
            after = self.reverses(seat)
        elif symbol == SKIP:  # E-16; E-29: with two players, the same one plays again
            after = self.misses(after)
        elif symbol == PRESS_TWO:  # E-17, E-29
            after = self.owes_and_misses(TWO.number, after, "E-17")
        elif symbol == DISCARD_ALL:  # E-18
            self._discards_all(seat, called=called)
            return
        elif card == PRESS_FOUR:  # E-20, E-29
            after = self.owes_and_misses(FOUR.number, after, "E-20")
        elif card == EXTREME_HIT and move.seat is not None:  # E-21: nobody is skipped
            self.owe(HIT.number, seat, "E-21", receiver=move.seat)
        elif card == CUSTOMIZABLE:  # E-22: the table carries out its own rule
            self.phase = CARRYING_OUT
            self.emit(What.RULE_SHOWN, seat)
            return
        self._hand_over(after)

    def _hand_over(self, after: int) -> None:
        """End the move: pass the turn, and ask for a reload if it is due."""
        self.next_turn(after)
        must_reload = len(self.talon) >= self._reload_at or (self.asks_reload and not self.pile)  # E-31
        if must_reload and (self.going_out == NOBODY or self.demands):  # E-23: else the round is over
            self.ran_out()

    # E-22: Customizable. The table carries out its own rule, and reports when it is done; or it reports the presses
    # that the rule brings, once or more, and the rule is done when they are made

    def acts(self, seat: int, move: Move) -> None:
        if move.seat is None or move.presses is None:  # done
            self._hand_over(self.following[seat])
            return
        is_next = move.seat == self.following[seat]  # G-03: then the presses are the next player's act
        self.owe(move.presses, move.seat, "E-22", penalty=not is_next)

    def other_moves(self, seat: int) -> list[Move]:
        return self._effects[:] if self.phase is CARRYING_OUT and seat == self.turn else []

    def has_paid(self, demand: Demand) -> None:
        if demand.rule != "E-22":
            super().has_paid(demand)  # E-14: what came out is not played
        elif not any(owed.rule == "E-22" for owed in self.demands):
            self._hand_over(self.following[self.turn])

    # E-18: Discard All

    def _discards_all(self, seat: int, *, called: bool) -> None:
        """Discard all cards of the colour; for a hidden hand, ask the table which they are."""
        self.exposed.discard(seat)  # what counts is the hand after the discard
        self.announced.discard(seat)
        if called:
            self.calling.add(seat)
        hand = self.hands[seat]
        if hand[self.unknown]:
            self.question = Question(DISCARDED, seat, "E-18")
        else:
            self._discard(seat, [card for card in UNO_EXTREME.of_colour[self.colour] for _ in range(hand[card])])

    def answered(self, question: Question, value: Any) -> None:
        """Discard the cards that the table reports."""
        seat, of_colour = question.seat, UNO_EXTREME.of_colour[self.colour]
        assert seat is not None
        if isinstance(value, int) or any(card not in of_colour for card in value):
            raise IllegalMove("E-18", NOT_THAT_COLOUR)
        check_entered(self, question, [card for card in of_colour for _ in range(self.hands[seat][card])], value)
        self._discard(seat, sorted(value))

    def _discard(self, seat: int, cards: Sequence[int]) -> None:
        hand = self.hands[seat]
        for card in cards:
            hand[card if hand[card] else self.unknown] -= 1
            self.emit(What.DISCARDED, seat, card=card)
        self.talon[-1:-1] = cards
        self.sizes[seat] -= len(cards)
        if self.sizes[seat] == 1:
            self.has_one(seat)
        elif not self.sizes[seat]:
            self.goes_out(seat)  # E-18, E-23: an empty hand wins
        self.calling.clear()
        self._hand_over(self.following[seat])

    def could_leave_one(self, seat: int) -> bool:
        """G-03: whether a Discard All, on its colour or on another one, can leave one card."""
        hand, known, on_another = self.possible(seat), self.hands[seat], symbol_of(self.top) == DISCARD_ALL
        for card in DISCARD_ALLS:
            if hand[card] and (on_another or card // SYMBOLS == self.colour):
                hidden, first = known[self.unknown], card - DISCARD_ALL
                others = self.sizes[seat] - hidden - sum(known[first : first + SYMBOLS])
                if others <= 1 <= others + hidden:
                    return True
        return False

    # E-31: reloading

    def ran_out(self) -> None:
        """Ask the table to reload, or reload at once if the cards are not real."""
        lifted = len(self.talon) - self.stays()
        if self.reload_due or not lifted or self.phase not in IN_ROUND:
            return
        self.emit(What.RELOAD_ASKED, number=lifted)
        if self.asks_reload:
            self.reload_due = True
        else:
            lift_talon(self, What.RELOADED)

    def reloaded(self) -> None:
        self.reload_due = False

    # E-26 to E-28, E-30: the score

    def needs_winner(self) -> bool:
        return bool(self.options["scoring"] != "low-score")  # E-28; E-30: the winner stays in if all are over the limit

    def round_over(self) -> None:
        scoring, target = self.options["scoring"], self.options["target"]
        if scoring == "winner":
            self.winner_scores(target)  # E-26, E-27
        elif scoring == "low-score":
            self.all_score_their_own(target + 1)  # E-28: more than 500
        else:
            self._eliminate()  # E-30

    def _eliminate(self) -> None:
        """E-30: eliminate seats over the limit, except the round's winner if all are over; the last seat left wins."""
        still_in = self.still_in()
        for seat in still_in:
            self.add_points(seat, self.points[seat])
        over = [seat for seat in self.out_at(self.scores) if seat in still_in]
        if len(over) == len(still_in):
            over.remove(self.round_winner)
        for seat in over:
            self.gone.add(seat)
            self.eliminated += (seat,)
            self.emit(What.ELIMINATED, seat)
        self.reseat()
        if self.playing == 1:
            self.end_match(self.still_in())

    def were_out(self, seats: tuple[int, ...]) -> None:
        if self.options["scoring"] != "elimination" or self.playing < 2:
            super().were_out(seats)
        self.eliminated = seats

    def order_of_leaving(self) -> tuple[int, ...]:
        return self.eliminated

    def out_at(self, scores: Sequence[int]) -> tuple[int, ...]:
        if self.options["scoring"] != "elimination":
            return ()
        limit = self.options["target"]
        first = [seat for seat in self.eliminated if scores[seat] > limit or scores[seat] == self.scores[seat]]
        over = [seat for seat in range(self.seats) if scores[seat] > limit and seat not in self.eliminated]
        return (*first, *sorted(over, key=lambda seat: -scores[seat]))

    def ranking(self) -> tuple[int, ...]:
        """E-30: a seat that was eliminated later ranks before earlier ones."""
        return (*(seat for seat in super().ranking() if seat not in self.eliminated), *self.eliminated[::-1])

    # G-06

    def why_not(self, seat: int, move: Move) -> Reason:
        if self.phase is NAMING:
            return _NAMING_RULES[self.top], reasons.NAME_FIRST
        return super().why_not(seat, move)

    def why_not_laid(self, seat: int, card: int, move: Move) -> Reason:
        if card == EXTREME_HIT and move.colour in COLOURS:
            return "E-21", AIM_AT_ANOTHER
        return super().why_not_laid(seat, card, move)
