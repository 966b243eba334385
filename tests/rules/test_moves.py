"""Moves are values: the same words give the same move, however it was made."""

from __future__ import annotations

import copy
import pickle
from contextlib import suppress
from typing import Any

import pytest

from dispenser.rules.engine.moves import DRAW, Act, Move, catch, jump_in, lay, stand


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Move(Act.LAY, 7), lay(7)),
        (Move(Act.LAY, card=52, colour=2), lay(52, colour=2)),
        (lay(52, colour=2).but(Act.JUMP_IN), jump_in(lay(52, colour=2))),
        (Move(**lay(54, colour=1, seat=2).said()), lay(54, colour=1, seat=2)),
        (pickle.loads(pickle.dumps(stand(3, colour=1))), stand(3, colour=1)),
        (copy.deepcopy(catch(2)), catch(2)),
    ],
)
def test_the_same_words_give_the_same_move(one: Move, other: Move) -> None:
    assert one is other


def test_moves_that_differ_in_a_part_are_two() -> None:
    moves = {Move(Act.LAY, 0), *(Move(Act.LAY, **{part: 0}) for part in Move.PARTS[2:])}
    assert len(moves) == len(Move.PARTS) - 1
    assert {repr(move) for move in moves} == {f"Move(lay, {part}=0)" for part in Move.PARTS[1:]}


@pytest.mark.parametrize(("act", "seat"), [("effect", 1), (Act.EFFECT, True), (Act.EFFECT, 1.0)])
def test_words_that_only_equal_others_change_no_move_of_anybody(act: Any, seat: Any) -> None:
    presses = 900 + len(repr((act, seat)))  # a move that nobody has made before
    with suppress(TypeError):
        Move(act, seat=seat, presses=presses)
    move = Move(Act.EFFECT, seat=1, presses=presses)
    assert (type(move.act), type(move.seat)) == (Act, int)
    with pytest.raises((TypeError, ValueError)):
        Move("fly")  # type: ignore[arg-type]


@pytest.mark.parametrize("part", Move.PARTS)
def test_a_move_cannot_be_changed(part: str) -> None:
    with pytest.raises(AttributeError, match=f"its {part} cannot be changed"):
        setattr(DRAW, part, 3)
    assert DRAW.said() == {"act": Act.DRAW}
