"""Corrections by the table: hand sizes, cards of a hand, whose turn it is, penalties, the reload (E-31).

A wrong card or seat of an earlier move is corrected with ``Game.amend``, which replays what followed. Impossible
corrections raise ``IllegalMove``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from dispenser.rules.engine import reasons
from dispenser.rules.engine.dealing import check_kinds, lift_talon, not_in
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import What
from dispenser.rules.engine.history import Deed
from dispenser.rules.engine.phases import IN_ROUND, PLAYING
from dispenser.rules.engine.rounds import show
from dispenser.rules.engine.rules import Rules
from dispenser.rules.engine.state import NOBODY


def _check_time(rules: Rules, seat: int) -> None:
    """Check that a round is under way and that the seat plays in it."""
    if rules.question is not None and not rules.talon:
        raise IllegalMove(rules.question.rule, reasons.ANSWER_FIRST, seat=seat)
    if rules.phase not in IN_ROUND or not rules.talon:
        raise IllegalMove("G-06", reasons.NO_ROUND, seat=seat)
    if not rules.is_in(seat):
        raise IllegalMove("G-06", reasons.NO_SUCH_SEAT, seat=seat)


def penalise(rules: Rules, seat: int, offence: str) -> None:
    """Apply an offence that the table declares; it does not cost the turn, and who has won does not pay (E-23)."""
    if offence not in rules.offences:
        known = ", ".join(rules.offences) or reasons.NO_OFFENCES
        raise IllegalMove("G-06", reasons.NO_OFFENCE.filled(known=known), seat=seat)
    _check_time(rules, seat)
    if seat == rules.going_out:
        raise IllegalMove(rules.end_rule, reasons.HAS_WON, seat=seat)
    rule, count = rules.offences[offence]
    rules.emit(What.PENALISED, seat, offence=offence)
    rules.owe(count, seat, rule, penalty=True)


def resize(rules: Rules, seat: int, size: int) -> None:
    """Set the size of a hidden hand; surplus cards go to the draw pile, missing ones come from it."""
    _check_time(rules, seat)
    if not rules.hidden:
        raise IllegalMove("G-04", reasons.SIZE_OR_CARDS, seat=seat)
    least = max(1, rules.sizes[seat] - rules.hands[seat][rules.unknown])
    most = rules.sizes[seat] + rules.in_pile()
    if not least <= size <= most:
        raise IllegalMove("G-04", reasons.NO_SUCH_SIZE.filled(least=least, most=most), seat=seat)
    more = size - rules.sizes[seat]
    rules.hands[seat][rules.unknown] += more
    _exchange(rules, [rules.unknown] * -more, [rules.unknown] * more)
    _resized(rules, seat, size)


def replace(rules: Rules, seat: int, wanted: Sequence[int]) -> None:
    """Set the cards of a hand: they must be its own, or in the draw pile."""
    _check_time(rules, seat)
    check_kinds(rules, wanted)
    own = rules.held(seat)
    leave, join = not_in(own, wanted), not_in(wanted, own)
    there = rules.is_unseen(join) if rules.hidden else not not_in(join, [*rules.pile, *rules.under])
    if not wanted or not there or len(wanted) > rules.sizes[seat] + rules.in_pile():
        raise IllegalMove("G-04", reasons.NOT_UNSEEN, seat=seat)
    if rules.hidden:  # a newly known face was in the hand already: only the size differs
        more = len(wanted) - len(own)
        leave, join = [rules.unknown] * -more, [rules.unknown] * more
    _exchange(rules, leave, join)
    show(rules, seat, wanted)
    _resized(rules, seat, len(wanted))


def give_turn(rules: Rules, seat: int, _: None = None) -> None:
    """Set the turn to ``seat``, unless something must be finished first."""
    _check_time(rules, seat)
    if rules.phase is not PLAYING or rules.demands or rules.question is not None:
        raise IllegalMove("G-06", reasons.FINISH_FIRST, seat=seat)
    rules.turn = seat
    rules.calling.clear()
    rules.emit(What.TURN, seat)


def reload(rules: Rules) -> None:
    """Apply a reload: the table took the talon except its top card, shuffled it and loaded it (E-31)."""
    if not rules.reload_rule:
        raise IllegalMove("G-01", reasons.NO_RELOAD_HERE)
    if rules.phase not in IN_ROUND or len(rules.talon) <= rules.stays():
        raise IllegalMove(rules.reload_rule, reasons.NO_RELOAD)
    lift_talon(rules, What.RELOADED)
    rules.reloaded()


CARRY_OUT: Final[Mapping[Deed, Callable[[Rules, int, Any], None]]] = {
    Deed.PENALISE: penalise,
    Deed.HAND_SIZE: resize,
    Deed.HAND: replace,
    Deed.TURN: give_turn,
}
"""Corrections of a single seat."""


def _exchange(rules: Rules, into_pile: Sequence[int], out_of_pile: Sequence[int]) -> None:
    """Put cards at the bottom of the draw pile, and remove others from it or from below it."""
    for card in out_of_pile:
        (rules.pile if card in rules.pile else rules.under).remove(card)
    rules.pile[:0] = into_pile


def _resized(rules: Rules, seat: int, size: int) -> None:
    rules.sizes[seat] = size
    if size > 1:
        rules.has_more(seat)
    if rules.going_out == seat:
        rules.going_out = NOBODY  # it was not the last card
    rules.emit(What.CORRECTED, seat, size)
