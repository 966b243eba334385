"""A round from the deal to the count: dealer, first card, points left in the hands.

Invalid values raise ``IllegalMove``; ``History.do`` then restores the state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from dispenser.rules.engine import reasons
from dispenser.rules.engine.dealing import any_of, check_kinds, deal_these, draw_for_deal, not_in
from dispenser.rules.engine.demands import POINTS, TURN_UP, Question
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.phases import COUNTING, IDLE, MATCH_OVER, PLAYING
from dispenser.rules.engine.rules import Rules
from dispenser.rules.engine.state import NO_CARD, NO_COLOUR, NOBODY


class Outcome(NamedTuple):
    """Result of a match."""

    winners: tuple[int, ...]  # several in a tie; none in a game that has only losers
    losers: tuple[int, ...]  # of a game that has losers (C-16)
    ranking: tuple[int, ...]  # all seats, the best first
    scores: tuple[int, ...]


# Start

_OF_A_MATCH_UNDER_WAY: Final = frozenset({"turn", "scores", "gone"})
"""Parts of a deal for a match that began elsewhere, allowed only at its first deal here ..."""
_OF_A_ROUND_UNDER_WAY: Final = frozenset({"turn", "direction", "colour", "stands_for"})
"""... and those for the middle of a round."""


def begin(rules: Rules, deal: Mapping[str, Any]) -> None:
    """Deal, and turn the first card up; ``Deal`` describes ``deal``."""
    _check_time(rules, deal)
    go_on(rules, deal.get("scores", ()), deal.get("gone", ()))
    _check_cards(rules, deal)
    if not _OF_A_ROUND_UNDER_WAY.isdisjoint(deal):
        _check_middle(rules, deal)
    rules.round += 1
    rules.hands = [[0] * (rules.unknown + 1) for _ in range(rules.seats)]
    rules.sizes = [0] * rules.seats
    rules.points = [0] * rules.seats
    rules.talon, rules.under, rules.demands, rules.rejected = [], [], [], ()
    for said in (rules.exposed, rules.announced, rules.calling):
        said.clear()
    rules.going_out = NOBODY
    rules.drawn = rules.top = NO_CARD
    rules.colour = NO_COLOUR
    rules.direction = 1
    rules.reseat()
    rules.dealer = _dealer(rules, deal)
    rules.emit(What.DEALER, rules.dealer)
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


def _check_time(rules: Rules, deal: Mapping[str, Any]) -> None:
    """Check that a round may begin now, and that the deal has what chance does not provide."""
    if rules.question is not None:
        raise IllegalMove(rules.question.rule, reasons.ANSWER_FIRST)
    if rules.phase is not IDLE:
        over = rules.phase is MATCH_OVER
        raise IllegalMove("G-06", reasons.MATCH_IS_OVER if over else reasons.ROUND_UNDER_WAY)
    if rules.chance is None and not rules.hidden and "pile" not in deal:
        raise IllegalMove("G-05", reasons.NO_CHANCE)
    if deal.get("pile") and (rules.hidden or rules.chance is not None):
        raise IllegalMove("G-05", reasons.NO_ORDER)
    if rules.round and not _OF_A_MATCH_UNDER_WAY.isdisjoint(deal):
        raise IllegalMove("G-06", reasons.ONLY_AT_FIRST)


def go_on(rules: Rules, scores: Sequence[int], gone: Sequence[int]) -> None:
    """Take over a match that began elsewhere: with its scores, if given, and the seats that have left it.

    :raises IllegalMove: the scores or seats are invalid.
    """
    if scores:
        if [type(score) for score in scores] != [int] * rules.seats:
            raise IllegalMove("G-06", reasons.SCORES_OF_ALL)
        rules.scores = list(scores)
    if gone:
        _take_out(rules, gone)


def _take_out(rules: Rules, seats: Sequence[int]) -> None:
    """Remove the seats that have left a match that began elsewhere."""
    if len(set(seats)) != len(seats) or not all(type(seat) is int and rules.is_in(seat) for seat in seats):
        raise IllegalMove("G-06", reasons.NO_SUCH_SEAT)
    rules.gone.update(seats)
    rules.reseat()
    rules.were_out(tuple(seats))


def _check_cards(rules: Rules, deal: Mapping[str, Any]) -> None:
    """Check that the named cards exist, that one is left to turn up, and that the dealer plays."""
    if "dealer" in deal and not rules.is_in(deal["dealer"]):
        raise IllegalMove("G-06", reasons.NO_SUCH_SEAT, seat=deal["dealer"])
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
        raise IllegalMove("G-04", reasons.NOT_IN_DECK.filled(card=rules.cards.names[missing[0]]))
    held = [card for hand in hands for card in hand]
    left = not_in(rules.deck(), held)
    none_may_start = "hands" in deal and "turn" not in deal and not any(map(rules.may_start, left))
    if none_may_start or len(held) + len(deal.get("talon", ())) >= len(rules.deck()):
        raise IllegalMove("G-04", reasons.NONE_TO_TURN_UP)


def _check_middle(rules: Rules, deal: Mapping[str, Any]) -> None:
    """Check that the deal describes the whole state in the middle of a round."""
    if not ("hands" in deal and "first" in deal and rules.is_in(deal.get("turn", NOBODY))):
        raise IllegalMove("G-06", reasons.WHOLE_POSITION)
    if deal.get("direction", 1) not in (1, -1):
        raise IllegalMove("G-06", reasons.NO_DIRECTION)
    colour, stands_for = deal.get("colour", NO_COLOUR), deal.get("stands_for", NO_CARD)
    if stands_for != NO_CARD:
        check_kinds(rules, (stands_for,))
        if deal["first"] not in rules.stand_ins or stands_for in rules.stand_ins:
            raise IllegalMove("G-06", reasons.NO_STAND_IN)
    if colour == NO_COLOUR:
        rules.check_top(deal["first"] if stands_for == NO_CARD else stands_for)
    elif colour not in range(len(rules.cards.colour_names)):
        last = len(rules.cards.colour_names) - 1
        why = reasons.NO_SUCH_COLOUR.filled(colour=rules.words.cards.colour, last=last)
        raise IllegalMove("G-06", why)


def _dealer(rules: Rules, deal: Mapping[str, Any]) -> int:
    """Return the dealer: as given, by the cards drawn for it, or the next one where the deal passes on."""
    turn: int = deal.get("turn", NOBODY)
    dealer: int = deal.get("dealer", NOBODY if turn == NOBODY else rules.right[turn])
    if dealer != NOBODY:
        return dealer
    if rules.deal_passes and rules.dealer != NOBODY:
        return rules.left[rules.dealer]
    draws = deal.get("draws", ())
    if rules.chance is None and not draws:
        raise IllegalMove("G-05", reasons.NO_DEALER)
    check_kinds(rules, draws)
    return draw_for_deal(rules, draws, highest=rules.highest_deals)


def _go_on(rules: Rules, deal: Mapping[str, Any]) -> None:
    """Continue in the middle of a round: the top card's effect is over, and everybody has played before."""
    card, rules.next_first = rules.next_first, NO_CARD
    if rules.hidden:
        rules.pile.pop()
    rules.talon.append(card)
    rules.direction = deal.get("direction", 1)
    rules.reseat()
    colour = deal.get("colour", NO_COLOUR)
    rules.shows(deal.get("stands_for", card), None if colour == NO_COLOUR else colour)
    rules.next_turn(deal["turn"])


def _stack(rules: Rules, deal: Mapping[str, Any]) -> None:
    """Build the draw pile: the given cards on top, the rest of the deck below."""
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
    """Turn up a card, or ask which one it is."""
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
        rules.emit(What.PUT_BACK, card=card)
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
    rules.shows(card)
    rules.emit(What.TURNED_UP, card=card)
    rules.first_card(card)


# Questions


def answer(rules: Rules, value: Any) -> None:
    """Apply the table's answer to the open question."""
    question, rules.question = rules.question, None
    assert question is not None
    if isinstance(value, tuple):
        check_kinds(rules, value)
    if question.kind not in {TURN_UP, POINTS}:
        rules.answered(question, value)
        return
    if isinstance(value, bool):
        raise IllegalMove(question.rule, reasons.NO_SUCH_CARD)
    if question.kind == POINTS:
        _counted(rules, question, value)
        return
    check_kinds(rules, (value,))
    if not rules.is_unseen((*rules.rejected, value)):
        raise IllegalMove(question.rule, reasons.NOT_UNSEEN)
    rules.pile.pop()
    _turned_up(rules, value)


def show(rules: Rules, seat: int, cards: Sequence[int]) -> None:
    """Set a hand whose cards are all known now."""
    hand = [0] * (rules.unknown + 1)
    for card in cards:
        hand[card] += 1
    rules.hands[seat] = hand


# Ending


def settle(rules: Rules) -> None:
    """End the round after a last card, as soon as nothing is owed or asked."""
    if rules.demands or rules.question is not None or rules.phase is not PLAYING:
        return
    _end(rules, rules.going_out)
    values = rules.values()
    for seat, hand in enumerate(rules.hands):
        known = sum(count * value for count, value in zip(hand, values, strict=False) if count)
        rules.points[seat] = -1 if values and hand[rules.unknown] else known
    _count(rules)


def _end(rules: Rules, winner: int) -> None:
    """End the play of this round."""
    rules.round_winner = winner
    rules.turn = rules.going_out = NOBODY
    for said in (rules.exposed, rules.announced, rules.calling):
        said.clear()
    rules.phase = COUNTING
    rules.events.append(Event(What.ROUND_ENDED, None if winner == NOBODY else winner, rules.round))


def count(rules: Rules, winner: Any, points: Sequence[Any]) -> None:
    """Score a round that was not followed to its end or, between rounds, one that was not followed at all.

    The values come from people, so they are checked here.
    """
    if rules.phase is MATCH_OVER:
        raise IllegalMove("G-06", reasons.MATCH_IS_OVER)
    if winner is not None and not (type(winner) is int and 0 <= winner < rules.seats):
        raise IllegalMove("G-06", reasons.NO_SUCH_SEAT)
    _check_points(rules, points)
    if rules.phase is IDLE and rules.question is None:
        rules.round += 1
        if rules.deal_passes and rules.dealer != NOBODY:
            rules.dealer = rules.left[rules.dealer]  # that round also had a dealer
    rules.question = None
    rules.demands.clear()
    rules.won_by(NOBODY if winner is None else winner)
    _end(rules, rules.round_winner)
    rules.points = list(points) or [0] * rules.seats
    _count(rules)


def _check_points(rules: Rules, points: Sequence[Any]) -> None:
    """Check the points: seats that are out have none, and nobody has more than the deck's."""
    if not rules.values():
        if any(points):
            raise IllegalMove(rules.end_rule, reasons.ONLY_PLACES)
        return
    if [type(each) for each in points] != [int] * rules.seats:
        raise IllegalMove(rules.points_rule, reasons.POINTS_OF_ALL)
    for seat, each in enumerate(points):
        most = 0 if seat in rules.gone else rules.worth(rules.deck())
        if not 0 <= each <= most:
            raise IllegalMove(rules.points_rule, reasons.NO_SUCH_POINTS.filled(least=0, most=most), seat=seat)


def _count(rules: Rules) -> None:
    """Ask for the points of the next uncounted hand; when all are counted, end the round."""
    if -1 in rules.points:
        rules.question = Question(POINTS, rules.points.index(-1), rules.points_rule)
        return
    rules.phase = IDLE
    rules.round_over()


def _counted(rules: Rules, question: Question, value: int | Sequence[int]) -> None:
    """Set the points of a hand, from a number or from its cards."""
    seat = question.seat
    assert seat is not None
    hand = rules.hands[seat]
    known = [card for card in rules.held(seat) if card != rules.unknown]
    if isinstance(value, int):
        least = rules.worth(known)
        most = least + hand[rules.unknown] * max(rules.values())
        if not least <= value <= most:
            raise IllegalMove(question.rule, reasons.NO_SUCH_POINTS.filled(least=least, most=most))
        rules.points[seat] = value
    else:
        check_entered(rules, question, known, value)
        if len(value) != rules.sizes[seat]:
            raise IllegalMove(question.rule, reasons.HAND_SIZE.filled(number=rules.sizes[seat]))
        rules.points[seat] = rules.worth(value)
        show(rules, seat, value)
    _count(rules)


def check_entered(rules: Rules, question: Question, known: Sequence[int], entered: Sequence[int]) -> None:
    """Check that the cards ``entered`` can be those of a hand with the ``known`` cards."""
    kept, rest = not_in(known, entered), not_in(entered, known)
    assert question.seat is not None
    if kept:
        raise IllegalMove(question.rule, reasons.HAND_HAS.filled(card=rules.cards.names[kept[0]]))
    if len(rest) > rules.hands[question.seat][rules.unknown]:
        raise IllegalMove(question.rule, reasons.HAND_SIZE.filled(number=rules.sizes[question.seat]))
    if not rules.is_unseen(rest):
        raise IllegalMove("G-04", reasons.NOT_UNSEEN)
