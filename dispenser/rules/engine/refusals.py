"""Find out why a move is not allowed: by phase, seat and card; a game adds its own reasons."""

from __future__ import annotations

from dispenser.rules.engine import reasons
from dispenser.rules.engine.moves import LAYING, Act, Move, lay
from dispenser.rules.engine.phases import DREW, IN_ROUND, MATCH_OVER
from dispenser.rules.engine.rules import Reason, Rules


def why_forbidden(rules: Rules, seat: int, move: Move) -> Reason:  # noqa: PLR0911 - one a reason
    """Return the rule that forbids ``move``, which is not legal for ``seat``, and the reason."""
    if rules.question is not None:
        return rules.question.rule, reasons.ANSWER_FIRST
    if rules.phase not in IN_ROUND:
        return "G-06", reasons.MATCH_IS_OVER if rules.phase is MATCH_OVER else reasons.NO_ROUND
    if seat in rules.gone:
        return rules.out_rule, reasons.NO_LONGER_PLAYS
    if not rules.is_in(seat):
        return "G-06", reasons.NO_SUCH_SEAT
    if move.act in {Act.ANNOUNCE, Act.CATCH}:
        announces = move.act is Act.ANNOUNCE
        return rules.forgotten[0], reasons.NOTHING_TO_ANNOUNCE if announces else reasons.NOT_FORGOTTEN
    if move.act in {Act.RETRACT, Act.CATCH_RETRACT}:
        return rules.why_not(seat, move)
    return _not_now(rules, seat, move) or rules.why_not(seat, move)


def _not_now(rules: Rules, seat: int, move: Move) -> Reason | None:  # noqa: PLR0911 - one a reason
    card = move.card
    needs_turn = move.act not in {Act.JUMP_IN, Act.CANCEL}  # for the others, the game gives the reason
    if rules.demands:
        return rules.demands[0].rule, reasons.PAY_FIRST
    if move.act in LAYING and (card is None or not 0 <= card < rules.unknown or not rules.possible(seat)[card]):
        return "G-04", reasons.NOT_IN_HAND
    if card is not None and move.act not in LAYING:
        return "G-06", reasons.NO_SUCH_MOVE
    if seat != rules.turn and needs_turn:
        return rules.turn_rule, reasons.NOT_YOUR_TURN
    if move.act is Act.LAY and card is not None and lay(card) in rules.moves_of(seat):
        return "G-06", reasons.NO_SUCH_MOVE  # with a choice that this card does not ask for
    if rules.phase is DREW and (move.act is not Act.LAY or card != rules.drawn):
        return rules.draw_rule, reasons.ONLY_DRAWN
    return None
