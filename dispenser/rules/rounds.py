"""A round from the deal to the score: who deals, what is turned up, what is left in the hands."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NamedTuple

from dispenser.rules import events, reasons
from dispenser.rules.dealing import Dealing
from dispenser.rules.errors import IllegalMove
from dispenser.rules.events import Event
from dispenser.rules.state import COUNTING, IDLE, MATCH_OVER, Question


class Outcome(NamedTuple):
    """How a match ended.

    :ivar winners: several where they tie; none in a game that names only a loser.
    :ivar losers: of a game that names them (C-16).
    :ivar ranking: all seats, the best first.
    """

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    ranking: tuple[int, ...]
    scores: tuple[int, ...]


class Rounds(Dealing):
    """What is the same in every game before the first move and after the last."""

    __slots__ = ()

    hand_size: ClassVar[int]
    point_values: ClassVar[tuple[int, ...]]
    """What each kind counts in the hand."""
    first_card_rule: ClassVar[str]
    """The rule about the card turned up at the start."""
    points_rule: ClassVar[str]
    """The rule about what cards count."""
    under_pile: ClassVar[bool] = False
    """A card that may not start goes under the draw pile (H-02), not back into it."""
    deal_passes: ClassVar[bool] = False
    """After the first round the deal passes to the left (C-02); else cards are drawn for it in each round."""

    # What each game says for itself

    @abstractmethod
    def first_card(self, card: int) -> None:
        """Card ``card`` lies face up; say whose turn it is and what it brings about."""

    @abstractmethod
    def score(self) -> None:
        """Write down the points of the round; ``self.points`` holds what was left in each hand."""

    def may_start(self, card: int) -> bool:  # noqa: ARG002 - games that refuse some look at it
        """Whether ``card`` may be the first of the talon."""
        return True

    def choose_dealer(self, draws: Sequence[int]) -> int:
        """Who deals."""
        return self.draw_for_deal(draws) if self.needs_draw() else self.left[self.dealer]

    def deal(self) -> None:
        """Give every seat its hand."""
        for seat in range(self.seats):
            if not self.gone >> seat & 1:
                self.deal_to(seat, self.hand_size)

    def dealt(self) -> None:
        """The hands are dealt."""
        self.turn_up()

    def values(self) -> Sequence[int]:
        """What each kind counts in the hand."""
        return self.point_values

    # Beginning

    def begin(
        self,
        *,
        dealer: int | None = None,
        draws: Sequence[int] | None = None,
        hands: Sequence[Sequence[int]] | None = None,
        pile: Sequence[int] | None = None,
        first: int | None = None,
    ) -> list[Event]:
        """Deal the next round. What is not given comes from the stream of chance.

        :param dealer: the seat that deals.
        :param draws: the cards drawn for the deal, in the order of the seats; who ties draws again after them.
        :param hands: the cards of each seat; cards of the deck that nobody has are in the pile.
        :param pile: the whole draw pile, or its beginning, the next card first; before the deal when ``hands`` is not
            given. Only without a seed and with open cards; there a talon that becomes the draw pile again keeps its
            order, the newest card first, unless ``fulfil`` says which cards came.
        :param first: the card turned up; it is set aside before the deal.
        :raises IllegalMove: a round is under way, the match is over, or those cards are not there.
        """
        if self.question is not None:
            raise IllegalMove("G-06", reasons.ANSWER_FIRST)
        if self.phase != IDLE:
            raise IllegalMove("G-06", reasons.MATCH_IS_OVER if self.phase == MATCH_OVER else reasons.ROUND_UNDER_WAY)
        if self.chance is None and not self.hidden and pile is None:
            raise IllegalMove("G-05", reasons.NO_CHANCE)
        if self.chance is None and dealer is None and not draws and self.needs_draw():
            raise IllegalMove("G-05", reasons.NO_DEALER)
        if pile and (self.hidden or self.chance is not None):
            raise IllegalMove("G-05", reasons.NO_ORDER)
        given = {
            "dealer": dealer,
            "draws": draws and tuple(draws),
            "hands": hands and tuple(map(tuple, hands)),
            "pile": pile and tuple(pile),
            "first": first,
        }
        value = {name: what for name, what in given.items() if what is not None}
        self._check_dealer(dealer, tuple(draws or ()))
        self._check_cards(value)
        self.write(("begin", -1, value))
        self.do_begin(value)
        return self.events

    def needs_draw(self) -> bool:
        """Whether cards are drawn to find the dealer of the next round."""
        return self.dealer < 0 or not self.deal_passes

    def do_begin(self, value: dict[str, Any]) -> None:
        """Carry out ``begin``."""
        self.round += 1
        unknown = self.unknown
        self.hands = [[0] * (unknown + 1) for _ in range(self.seats)]
        self.sizes = [0] * self.seats
        self.points = [0] * self.seats
        self.talon, self.under, self.demands, self.rejected = [], [], [], ()
        self.exposed = self.announced = 0
        self.calling = self.going_out = self.drawn = self.top = -1
        self.direction = 1
        self.reseat()
        dealer = value.get("dealer")
        self.dealer = self.choose_dealer(value.get("draws", ())) if dealer is None else dealer
        self.events.append((events.DEALER, self.dealer, -1))
        self.next_first = value.get("first", -1)
        self._stack(value)
        if "hands" in value:
            for seat, cards in enumerate(value["hands"]):
                self.deal_these(seat, cards)
        else:
            self.deal()
        self.dealt()

    def _stack(self, value: dict[str, Any]) -> None:
        """Make the draw pile: as given, the rest of the deck below it."""
        deck = list(self.deck())
        if self.hidden:
            self.pile = [self.unknown] * len(deck)
            return
        on_top = list(value.get("pile", ()))
        for card in on_top:
            deck.remove(card)
        if self.next_first >= 0:
            (deck if self.next_first in deck else on_top).remove(self.next_first)
        self.pile = deck + on_top[::-1]

    def _check_dealer(self, dealer: int | None, draws: Sequence[int]) -> None:
        if dealer is not None and (not 0 <= dealer < self.seats or self.gone >> dealer & 1):
            raise IllegalMove("G-06", reasons.NO_SUCH_SEAT, seat=dealer)
        self.check_kinds(draws)
        if dealer is None and draws and self.needs_draw():
            told, self.events = self.events, []  # only to see whether they are enough
            try:
                self.draw_for_deal(draws)
            finally:
                self.events = told

    def _check_cards(self, value: dict[str, Any]) -> None:
        wanted: list[int] = [card for hand in value.get("hands", ()) for card in hand]
        pile = list(value.get("pile", ()))
        if "first" in value and ("hands" in value or value["first"] not in pile):
            wanted.append(value["first"])
        if "hands" in value:
            wanted += pile
            playing = [not self.gone >> seat & 1 for seat in range(self.seats)]
            if [bool(hand) for hand in value["hands"]] != playing:
                raise IllegalMove("G-04", reasons.HANDS_OF_ALL)
        self.check_kinds((*wanted, *pile))
        missing = self.not_in(wanted, self.deck()) or self.not_in(pile, self.deck())
        if missing:
            raise IllegalMove("G-04", reasons.not_in_deck(self.cards.names[missing[0]]))
        if "hands" in value:
            left = self.not_in(self.deck(), [card for hand in value["hands"] for card in hand])
            if not any(map(self.may_start, left)):
                raise IllegalMove("G-04", reasons.NONE_TO_TURN_UP)

    # The first card

    def turn_up(self) -> None:
        """Turn a card up, or ask which one it is."""
        pile = self.pile
        card, self.next_first = self.next_first, -1
        if self.hidden:
            if card < 0:
                self.question = Question("turn-up", -1, self.first_card_rule)
                return
            pile.pop()
        elif card < 0:
            card = pile.pop() if self.chance is None else self.any_of(pile)
        self._turned_up(card)

    def _turned_up(self, card: int) -> None:
        if not self.may_start(card):
            self.events.append((events.PUT_BACK, -1, card))
            self.rejected += (card,)
            self.turn_up()
            return
        back = [self.unknown] * len(self.rejected) if self.hidden else list(self.rejected[::-1])
        self.rejected = ()
        if self.under_pile:
            self.under = back
        else:
            self.pile[:0] = back
        self.talon = [card]
        self.top = card
        self.colour = self.cards.colour[card]
        self.matches = self.cards.matches[card]
        self.events.append((events.TURNED_UP, -1, card))
        self.first_card(card)

    # Questions

    def answer(self, value: int | bool | Sequence[int]) -> list[Event]:
        """Tell what only the table can see; ``self.question`` says what is asked.

        :raises IllegalMove: nothing is asked, or that cannot be. Nothing has changed.
        """
        question = self.question
        if question is None:
            raise IllegalMove("G-06", reasons.NOTHING_ASKED)
        told: Any = value
        if not isinstance(value, int):
            told = tuple(value)
        self.check_answer(question, told)
        self.write(("answer", question.seat, told))
        self.do_answer(told)
        return self.events

    def check_answer(self, question: Question, value: Any) -> None:
        """Refuse an answer that cannot be."""
        if isinstance(value, tuple):
            self.check_kinds(value)
        if isinstance(value, bool) and question.kind in {"turn-up", "points"}:
            raise IllegalMove(question.rule, reasons.NO_SUCH_CARD)
        if question.kind == "turn-up":
            self.check_kinds((value,))
            if not self.is_unseen((*self.rejected, value)):
                raise IllegalMove(question.rule, reasons.NOT_UNSEEN)
        if question.kind == "points":
            self._check_points(question, value)

    def do_answer(self, value: Any) -> None:
        """Carry out an answer that can be."""
        question, self.question = self.question, None
        if question is None:
            raise IllegalMove("G-06", reasons.NOTHING_ASKED)
        if question.kind == "turn-up":
            self.pile.pop()
            self._turned_up(value)
        elif question.kind == "points":
            if isinstance(value, int):
                self.points[question.seat] = value
            else:
                self.points[question.seat] = self.worth(value)
                self.show(question.seat, value)
            self.count_hands()
        else:
            self.answered(question, value)

    def show(self, seat: int, cards: Sequence[int]) -> None:
        """A whole hand is laid open: what was hidden in it is known now."""
        hand = [0] * (self.unknown + 1)
        for card in cards:
            hand[card] += 1
        self.hands[seat] = hand

    def answered(self, question: Question, value: Any) -> None:
        """A question of the game itself is answered."""
        raise NotImplementedError(question.kind)

    def check_kinds(self, cards: Iterable[object]) -> None:
        """Refuse numbers that are no card of this game.

        :raises IllegalMove: naming G-04.
        """
        if any(not isinstance(card, int) or not 0 <= card < self.unknown for card in cards):
            raise IllegalMove("G-04", reasons.NO_SUCH_CARD)

    def is_unseen(self, cards: Sequence[int], also: Sequence[int] = ()) -> bool:
        """Whether all of ``cards`` can be among those whose faces the table has not seen, and those of ``also``."""
        unseen = self.unseen()
        for card in also:
            unseen[card] += 1
        for card in cards:
            if unseen[card] < 1:
                return False
            unseen[card] -= 1
        return True

    # Ending

    def worth(self, cards: Iterable[int]) -> int:
        """What ``cards`` count together."""
        values = self.values()
        return sum(values[card] for card in cards)

    def end_round(self) -> None:
        """The hand of ``going_out`` is empty, and nothing is owed any more: count what the others hold."""
        self.round_winner = self.going_out
        self.turn = self.going_out = self.calling = -1
        self.exposed = self.announced = 0
        self.phase = COUNTING
        self.events.append((events.ROUND_ENDED, self.round_winner, self.round))
        values = self.values()
        for seat, hand in enumerate(self.hands):
            known = sum(count * value for count, value in zip(hand, values, strict=False) if count)
            self.points[seat] = -1 if hand[self.unknown] else known
        self.count_hands()

    def count_hands(self) -> None:
        """Ask for the points that nobody has told yet; then score."""
        for seat in range(self.seats):
            if self.points[seat] < 0:
                self.question = Question("points", seat, self.points_rule)
                return
        self.phase = IDLE
        self.score()

    def end_match(self, winners: Sequence[int], losers: Sequence[int] = ()) -> None:
        """The match is decided."""
        self.winners, self.losers = tuple(winners), tuple(losers)
        self.phase = MATCH_OVER
        self.events += [(events.MATCH_ENDED, seat, -1) for seat in winners or (-1,)]

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; ``None`` while it goes on."""
        if self.phase != MATCH_OVER:
            return None
        return Outcome(self.winners, self.losers, self.ranking(), tuple(self.scores))

    def ranking(self) -> tuple[int, ...]:
        """Seats, the best first; ties by seat. Before the end it is how they stand now."""
        better = -1 if self.high_score_wins() else 1
        return tuple(sorted(range(self.seats), key=lambda seat: (self.gone >> seat & 1, better * self.scores[seat])))

    def high_score_wins(self) -> bool:
        """Whether points are good to have."""
        return True

    def add_points(self, seat: int, points: int) -> None:
        """Write ``points`` down for ``seat``."""
        self.scores[seat] += points
        self.events.append((events.SCORED, seat, points))

    def _check_points(self, question: Question, value: Any) -> None:
        """A number of points, or the very cards of that hand."""
        hand = self.hands[question.seat]
        if isinstance(value, int):
            known = self.worth(card for card in range(self.unknown) for _ in range(hand[card]))
            most = known + hand[self.unknown] * max(self.values())
            if not known <= value <= most:
                raise IllegalMove(question.rule, reasons.no_such_points(known, most))
            return
        rest = list(value)
        for card in range(self.unknown):
            for _ in range(hand[card]):
                if card not in rest:
                    raise IllegalMove(question.rule, reasons.hand_has(self.cards.names[card]))
                rest.remove(card)
        if len(rest) != hand[self.unknown]:
            raise IllegalMove(question.rule, reasons.hand_size(self.sizes[question.seat]))
        if not self.is_unseen(rest):
            raise IllegalMove("G-04", reasons.NOT_UNSEEN)

    @staticmethod
    def not_in(wanted: Iterable[int], pack: Sequence[int]) -> list[int]:
        """The cards of ``wanted`` that ``pack`` does not have, or not as often."""
        left = list(pack)
        missing = []
        for card in wanted:
            if card in left:
                left.remove(card)
            else:
                missing.append(card)
        return missing
