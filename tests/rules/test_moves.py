"""Moves are values: the same words give the same move, however it was made."""

from __future__ import annotations

import copy
import pickle

import pytest

from dispenser.rules.engine.moves import Act, Move, catch, jump_in, lay, stand


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
