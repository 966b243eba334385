"""A round from the deal to the count: who deals, what is turned up, what is left in the hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dispenser.rules.engine import reasons
from dispenser.rules.engine.dealing import any_of, check_kinds, deal_these, draw_for_deal, not_in
from dispenser.rules.engine.demands import POINTS, TURN_UP, Question
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.phases import COUNTING, IDLE, MATCH_OVER, PLAYING
from dispenser.rules.engine.rules import Rules
from dispenser.rules.engine.state import NO_CARD, NO_COLOUR, NOBODY


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


# Beginning

_OF_A_MATCH_UNDER_WAY = frozenset({"turn", "scores"})
"""What is said of a match that others have begun, and only at its first deal here."""


def check_begin(rules: Rules, deal: Mapping[str, Any]) -> None:
    """Refuse a deal that cannot be; ``Game.begin`` says what ``deal`` may hold.

    :raises IllegalMove: a round is under way, the match is over, or those cards are not there.
    """
    if rules.question is not None:
        raise IllegalMove(rules.question.rule, reasons.ANSWER_FIRST)
    if rules.phase is not IDLE:
        over = rules.phase is MATCH_OVER
        raise IllegalMove("G-06", reasons.MATCH_IS_OVER if over else reasons.ROUND_UNDER_WAY)
    dealer, draws = deal.get("dealer"), deal.get("draws", ())
    if rules.chance is None and not rules.hidden and "pile" not in deal:
        raise IllegalMove("G-05", reasons.NO_CHANCE)
    if rules.chance is None and dealer is None and not draws and rules.needs_draw() and "turn" not in deal:
        raise IllegalMove("G-05", reasons.NO_DEALER)
    if deal.get("pile") and (rules.hidden or rules.chance is not None):
        raise IllegalMove("G-05", reasons.NO_ORDER)
    if dealer is not None and not rules.is_in(dealer):
        raise IllegalMove("G-06", reasons.NO_SUCH_SEAT, seat=dealer)
    if rules.round and not _OF_A_MATCH_UNDER_WAY.isdisjoint(deal):
        raise IllegalMove("G-06", reasons.ONLY_AT_FIRST)
    if "turn" in deal and not ("hands" in deal and "first" in deal and rules.is_in(deal["turn"])):
        raise IllegalMove("G-06", reasons.WHOLE_POSITION)
    check_kinds(rules, draws)
    if dealer is None and draws and rules.needs_draw():
        told, rules.events = rules.events, []  # only to see whether they are enough
        try:
            draw_for_deal(rules, draws, highest=rules.highest_deals)
        finally:
            rules.events = told
    _check_cards(rules, deal)
    if "turn" in deal and deal.get("colour", NO_COLOUR) == NO_COLOUR:
        rules.check_top(deal["first"])


def _check_cards(rules: Rules, deal: Mapping[str, Any]) -> None:
    hands, pile = deal.get("hands", ()), deal.get("pile", ())
    named = [card for hand in hands for card in hand if not (rules.hidden and card == rules.unknown)]
    named += deal.get("talon", ())
    if "first" in deal and ("hands" in deal or deal["first"] not in pile):
        named.append(deal["first"])
    if "hands" in deal:
        named += pile
        if [bool(hand) for hand in hands] != [rules.is_in(seat) for seat in range(rules.seats)]:
            raise IllegalMove("G-04", reasons.HANDS_OF_ALL)
    check_kinds(rules, (*named, *pile))
    missing = not_in(named, rules.deck()) or not_in(pile, rules.deck())
    if missing:
        raise IllegalMove("G-04", reasons.not_in_deck(rules.cards.names[missing[0]]))
    held = sum(map(len, hands))
    if held + len(deal.get("talon", ())) >= len(rules.deck()):
        raise IllegalMove("G-04", reasons.NONE_TO_TURN_UP)
    if "hands" in deal and "turn" not in deal:
        left = not_in(rules.deck(), [card for hand in hands for card in hand])
        if not any(map(rules.may_start, left)):
            raise IllegalMove("G-04", reasons.NONE_TO_TURN_UP)


def begin(rules: Rules, deal: Mapping[str, Any]) -> None:
    """Deal, and turn the first card up."""
    rules.round += 1
    rules.hands = [[0] * (rules.unknown + 1) for _ in range(rules.seats)]
    rules.sizes = [0] * rules.seats
    rules.points = [0] * rules.seats
    rules.talon, rules.under, rules.demands, rules.rejected = [], [], [], ()
    for said in (rules.exposed, rules.announced, rules.calling):
        said.clear()
    rules.going_out = NOBODY
    rules.drawn = rules.top = NO_CARD
    rules.direction = 1
    rules.reseat()
    rules.scores = list(deal.get("scores", rules.scores))
    dealer = deal.get("dealer", rules.right[deal["turn"]] if "turn" in deal else None)
    rules.dealer = rules.choose_dealer(deal.get("draws", ())) if dealer is None else dealer
    rules.tell(What.DEALER, rules.dealer)
    rules.next_first = deal.get("first", NO_CARD)
    _stack(rules, deal)
    if "hands" in deal:
        for seat, cards in enumerate(deal["hands"]):
            deal_these(rules, seat, cards)
    else:
        rules.deal()
    rules.talon = list(deal.get("talon", ()))[::-1]
    if "turn" in deal:
        _go_on(rules, deal)
    elif rules.dealt():
        turn_up(rules)


def _go_on(rules: Rules, deal: Mapping[str, Any]) -> None:
    """In the middle of a round: the card on top has done what it does, and everybody has played before."""
    card, rules.next_first = rules.next_first, NO_CARD
    if rules.hidden:
        rules.pile.pop()
    rules.talon.append(card)
    rules.direction = deal.get("direction", 1)
    rules.reseat()
    rules.shows(card, deal.get("colour"))
    rules.next_turn(deal["turn"])


def _stack(rules: Rules, deal: Mapping[str, Any]) -> None:
    """Make the draw pile: as given, the rest of the deck below it."""
    deck = list(rules.deck())
    if rules.hidden:
        rules.pile = [rules.unknown] * (len(deck) - len(deal.get("talon", ())))
        return
    on_top = list(deal.get("pile", ()))
    for card in (*on_top, *deal.get("talon", ())):
        deck.remove(card)
    if rules.next_first >= 0:
        (deck if rules.next_first in deck else on_top).remove(rules.next_first)
    rules.pile = deck + on_top[::-1]


# The first card


def turn_up(rules: Rules) -> None:
    """Turn a card up, or ask which one it is."""
    pile = rules.pile
    card, rules.next_first = rules.next_first, NO_CARD
    if rules.hidden:
        if card < 0:
            rules.question = Question(TURN_UP, None, rules.first_card_rule)
            return
        pile.pop()
    elif card < 0:
        card = pile.pop() if rules.chance is None else any_of(rules, pile)
    _turned_up(rules, card)


def _turned_up(rules: Rules, card: int) -> None:
    if not rules.may_start(card):
        rules.tell(What.PUT_BACK, card=card)
        rules.rejected += (card,)
        turn_up(rules)
        return
    back = [rules.unknown] * len(rules.rejected) if rules.hidden else list(rules.rejected[::-1])
    rules.rejected = ()
    if rules.under_pile:
        rules.under = back
    else:
        rules.pile[:0] = back
    rules.talon.append(card)
    rules.top = card
    rules.colour = rules.cards.colour[card]
    rules.matches = rules.cards.matches[card]
    rules.tell(What.TURNED_UP, card=card)
    rules.first_card(card)


# Questions


def check_answer(rules: Rules, question: Question, value: Any) -> None:
    """Refuse an answer that cannot be.

    :raises IllegalMove: naming the rule.
    """
    if isinstance(value, tuple):
        check_kinds(rules, value)
    if question.kind not in {TURN_UP, POINTS}:
        rules.check_answer(question, value)
        return
    if isinstance(value, bool):
        raise IllegalMove(question.rule, reasons.NO_SUCH_CARD)
    if question.kind == POINTS:
        assert question.seat is not None
        _check_points(rules, question.rule, question.seat, value)
        return
    check_kinds(rules, (value,))
    if not rules.is_unseen((*rules.rejected, value)):
        raise IllegalMove(question.rule, reasons.NOT_UNSEEN)


def answer(rules: Rules, value: Any) -> None:
    """Take an answer that can be."""
    question, rules.question = rules.question, None
    assert question is not None
    if question.kind == TURN_UP:
        rules.pile.pop()
        _turned_up(rules, value)
    elif question.kind == POINTS:
        assert question.seat is not None
        rules.points[question.seat] = value if isinstance(value, int) else rules.worth(value)
        if not isinstance(value, int):
            show(rules, question.seat, value)
        rules.round_over()
    else:
        rules.answered(question, value)


def show(rules: Rules, seat: int, cards: Sequence[int]) -> None:
    """A whole hand is laid open: what was hidden in it is known now."""
    hand = [0] * (rules.unknown + 1)
    for card in cards:
        hand[card] += 1
    rules.hands[seat] = hand


# Ending


def settle(rules: Rules) -> None:
    """Somebody has laid a last card: the round ends as soon as nothing is owed or asked any more."""
    if rules.demands or rules.question is not None or rules.phase is not PLAYING:
        return
    rules.round_winner = rules.going_out
    rules.turn = rules.going_out = NOBODY
    for said in (rules.exposed, rules.announced, rules.calling):
        said.clear()
    rules.phase = COUNTING
    rules.events.append(Event(What.ROUND_ENDED, rules.round_winner, rules.round))
    values = rules.values()
    for seat, hand in enumerate(rules.hands):
        known = sum(count * value for count, value in zip(hand, values, strict=False) if count)
        rules.points[seat] = -1 if values and hand[rules.unknown] else known
    rules.round_over()


def hands_are_counted(rules: Rules) -> bool:
    """Whether what each hand counts is known; asks the table for the next one that nobody has told yet.

    Then the round is over, and ``rules.points`` holds what was left in each hand.
    """
    for seat in range(rules.seats):
        if rules.points[seat] < 0:
            rules.question = Question(POINTS, seat, rules.points_rule)
            return False
    rules.phase = IDLE
    return True


def _check_points(rules: Rules, rule: str, seat: int, value: Any) -> None:
    """A number of points, or the very cards of that hand."""
    hand = rules.hands[seat]
    known = [card for card in rules.held(seat) if card != rules.unknown]
    if isinstance(value, int):
        least = rules.worth(known)
        most = least + hand[rules.unknown] * max(rules.values())
        if not least <= value <= most:
            raise IllegalMove(rule, reasons.no_such_points(least, most))
        return
    kept = not_in(known, value)
    if kept:
        raise IllegalMove(rule, reasons.hand_has(rules.cards.names[kept[0]]))
    rest = not_in(value, known)
    if len(rest) != hand[rules.unknown]:
        raise IllegalMove(rule, reasons.hand_size(rules.sizes[seat]))
    if not rules.is_unseen(rest):
        raise IllegalMove("G-04", reasons.NOT_UNSEEN)
