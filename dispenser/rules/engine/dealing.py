"""Deal, draw and shuffle. No card is lost and none appears (G-04)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dispenser.rules.engine import reasons
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import Event, What, event
from dispenser.rules.engine.state import State


def deal_to(state: State, seat: int, wanted: int) -> int:
    """Deal up to ``wanted`` cards of the draw pile to a hand; return how many there were (G-01).

    With a stream of chance, cards are drawn at random positions, so the pile is never shuffled (G-05).
    """
    hand = state.hands[seat]
    chance = None if state.hidden else state.chance
    got = 0
    while got < wanted and (state.pile or refill(state)):
        pile = state.pile
        more = min(wanted - got, len(pile))
        if chance is not None:
            state.drawn = chance.deal(pile, more, hand)
        else:
            for card in pile[: -more - 1 : -1]:
                hand[card] += 1
            state.drawn = pile[-more]
            del pile[-more:]
        got += more
    state.sizes[seat] += got
    return got


def deal_these(state: State, seat: int, cards: Sequence[int]) -> None:
    """Deal known cards of the draw pile; the caller has checked that they can be there."""
    for card in cards:
        if not state.pile:
            refill(state)
        state.pile.remove(state.unknown if state.hidden else card)
        state.hands[seat][card] += 1
        state.drawn = card
    state.sizes[seat] += len(cards)


def refill(state: State) -> bool:
    """G-01: draw next from the cards under the pile, then from the talon except its top card.

    In a hidden game the cards of the talon become unknown. Return whether there is anything to draw.
    """
    if state.under:
        state.pile, state.under = state.under, []
        return True
    if len(state.talon) <= state.stays():
        return False
    lift_talon(state, What.RESHUFFLED)
    return True


def lift_talon(state: State, what: What) -> None:
    """Move the talon, except what stays, into the draw pile; append an event ``what``."""
    back = state.talon[: -state.stays()]
    del state.talon[: len(back)]
    state.pile[:0] = [state.unknown] * len(back) if state.hidden else back
    state.events.append(event(what, None, len(back)))


def draw_for_deal(state: State, given: Sequence[int] = (), *, highest: bool = True) -> int:
    """Every seat draws a card, the best deals; ties draw again (E-03, U-02, C-02).

    :param given: the cards drawn, in order of seats, then those of the ties; otherwise drawn at random.
    :param highest: the highest card deals, otherwise the lowest.
    :raises IllegalMove: too few or too many cards are given.
    """
    waiting = list(given)
    drawing = state.still_in()
    while len(drawing) > 1:
        deck = list(state.deck())
        draws: dict[int, int] = {}
        for seat in drawing:
            if given and not waiting:
                raise IllegalMove("G-05", reasons.MORE_DRAWS)
            card = waiting.pop(0) if given else any_of(state, deck)
            state.events.append(Event(What.DEALER_DREW, seat, card=card))
            draws[seat] = state.cards.value[card]
        best = (max if highest else min)(draws.values())
        drawing = [seat for seat, value in draws.items() if value == best]
    if waiting:
        raise IllegalMove("G-05", reasons.FEWER_DRAWS)
    return drawing[0]


def any_of(state: State, pack: list[int]) -> int:
    """Draw a random card from a pack (G-05)."""
    if state.chance is None:
        raise IllegalMove("G-05", reasons.NO_CHANCE)
    return state.chance.take(pack)


def check_kinds(state: State, cards: Iterable[object]) -> None:
    """Check that all numbers are cards of this game.

    :raises IllegalMove: G-04.
    """
    if any(not isinstance(card, int) or not 0 <= card < state.unknown for card in cards):
        raise IllegalMove("G-04", reasons.NO_SUCH_CARD)


def not_in(wanted: Iterable[int], pack: Iterable[int]) -> list[int]:
    """Return the cards of ``wanted`` that ``pack`` does not contain, or not as often."""
    left = list(pack)
    missing = []
    for card in wanted:
        if card in left:
            left.remove(card)
        else:
            missing.append(card)
    return missing
