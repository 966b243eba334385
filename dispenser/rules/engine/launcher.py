"""Apply what the launcher delivered to the open demand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, Literal

from dispenser.rules.engine import reasons
from dispenser.rules.engine.dealing import check_kinds, deal_these, deal_to, not_in
from dispenser.rules.engine.demands import Demand, Owed
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.phases import PLAYING
from dispenser.rules.engine.play import demand_of
from dispenser.rules.engine.rules import Rules
from dispenser.rules.engine.state import NO_CARD

TOY_BURSTS: Final = (0,) * 11 + (3, 4, 5, 6, 7, 8)
"""Equally likely bursts if no others are given: the toy fires at 34 of 96 presses, 3 to 8 cards."""


BY_CHANCE: Final = "chance"
"""Cards: as many random ones as are owed. A press: a random one of ``bursts``."""

Delivered = int | Sequence[int] | Literal["chance"]  # how many cards came out, or which, or `BY_CHANCE`

_PRESSES: Final = Owed.PRESSES
_PRESSED: Final = What.PRESSED
_DREW: Final = What.DREW


@cache
def _came(what: What, seat: int, number: int, demand: Demand) -> Event:
    """Event for cards that came out, or are missing."""
    return Event(what, seat, number, demand=demand)


def check_delivery(rules: Rules, demand: Demand, delivered: Delivered) -> None:
    """Check that these cards can have come out.

    :raises IllegalMove: naming the rule.
    """
    if delivered is BY_CHANCE:
        if rules.chance is None and demand.kind is _PRESSES:
            raise IllegalMove("G-05", reasons.SAY_HOW_MANY, seat=demand.payer)
        return
    if isinstance(delivered, bool) or not isinstance(delivered, (int, list, tuple)):
        raise IllegalMove("G-06", reasons.SAY_HOW_MANY, seat=demand.payer)
    number = delivered if isinstance(delivered, int) else len(delivered)
    most = rules.available()
    if demand.kind is Owed.CARDS:
        most = min(most, demand.number)
    if not 0 <= number <= most:
        raise IllegalMove("G-04", reasons.TOO_MANY.filled(number=most), seat=demand.payer)
    if isinstance(delivered, int):
        return
    check_kinds(rules, delivered)
    lifted = rules.talon[: -rules.stays()]
    if rules.hidden:
        if not rules.is_unseen(delivered, lifted if number > rules.in_pile() else ()):  # G-01: unseen again
            raise IllegalMove("G-04", reasons.NOT_UNSEEN, seat=demand.payer)
        return
    rest = list(delivered)
    for pack in (rules.pile, rules.under, lifted):  # G-01: drawn in this order
        missing = not_in(rest[: len(pack)], pack)
        if missing:
            name = rules.cards.names[missing[0]]
            raise IllegalMove("G-04", reasons.NOT_IN_PILE.filled(card=name), seat=demand.payer)
        del rest[: len(pack)]


def deliver(rules: Rules, delivered: Delivered) -> None:  # noqa: PLR0912 - in one piece: it follows every other move
    """Give the delivered cards to the receiver, and update the demand."""
    demand = rules.demands[0]
    kind, payer, receiver, number, rule, penalty = demand
    if rules.exposed and not penalty and (delivered or kind is _PRESSES):
        rules.exposed.intersection_update((payer,))  # G-03: the next player has acted
    drawn = rules.drawn
    if isinstance(delivered, str):  # by chance
        wanted = rules.chance.any_of(rules.bursts) if kind is _PRESSES and rules.chance else number
        got = deal_to(rules, receiver, wanted) if wanted else 0
    elif isinstance(delivered, int):
        wanted, got = delivered, deal_to(rules, receiver, delivered) if delivered else 0
    else:
        deal_these(rules, receiver, delivered)
        wanted = got = len(delivered)
    if kind is _PRESSES:
        rules.events.append(_came(_PRESSED, payer, got, demand))
        left, short = number - 1, wanted - got
        if got and receiver != payer:
            rules.events.append(_came(_DREW, receiver, got, demand))
    else:
        rules.events.append(_came(_DREW, receiver, got, demand))
        left = number - got
        short = left if left and not rules.available() else 0  # G-01: the remaining debt is cancelled
        left -= short
    if got:
        rules.has_received(receiver, rules.sizes[receiver] - got, all_of_it=not left)
    if short:
        rules.events.append(_came(What.SHORT, receiver, short, demand))
    if rules.asks_reload and not rules.pile:
        rules.ran_out()
    if penalty:
        rules.drawn = drawn  # the card drawn before may still be playable
    if left:
        rules.demands[0] = demand_of(kind, payer, receiver, left, rule, penalty)
        return
    del rules.demands[0]
    if rules.phase is not PLAYING:
        if not got and not penalty:
            rules.drawn = NO_CARD
        rules.has_paid(demand)
