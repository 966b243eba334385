"""The shuffles of an evening can be proven, and nobody changes what was played without being found out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dispenser.rules import GAMES
from dispenser.table.audit import audit_shuffles
from tests.table.played import Line, evening

SEEDS = st.integers(0, 10_000).map(str)
few = settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])


@cache
def an_evening() -> tuple[Line, ...]:
    return tuple(evening("an evening", "uno-extreme", steps=150).lines)


def changed(change: Callable[[Line], dict[str, Any] | None]) -> tuple[list[Line], int]:
    """The evening with the first record changed for which ``change`` gives other data, and that record's number."""
    lines = list(an_evening())
    for place, line in enumerate(lines):
        if (data := change(line)) is not None:
            lines[place] = replace(line, data={**line.data, **data})
            return lines, line.seq
    raise AssertionError("nothing to change")


@few
@given(seed=SEEDS, game=st.sampled_from(sorted(GAMES)))
def test_what_was_played_is_proven_with_all_that_was_taken_back_and_set_right(seed: str, game: str) -> None:
    report = audit_shuffles(evening(seed, game, steps=80, recount=0.2).lines)
    assert report.misfits == []
    assert (report.matches, report.pending) == (1, 0)


def test_while_a_match_is_on_its_shuffles_are_awaited_not_doubted() -> None:
    report = audit_shuffles(evening("still playing", steps=40, close=False).lines)
    assert (report.matches, report.pending, report.misfits) == (0, 1, [])


@few
@given(digit=st.integers(0, 63))
def test_another_seed_is_named(digit: int) -> None:
    def other(line: Line) -> dict[str, Any] | None:
        if line.type != "table.match.ended":
            return None
        (seed,) = line.data["seeds"]
        return {"seeds": [seed[:digit] + ("0" if seed[digit] != "0" else "1") + seed[digit + 1 :]]}

    lines, seq = changed(other)
    assert [each.seq for each in audit_shuffles(lines).misfits] == [seq]


@pytest.mark.parametrize(
    ("kind", "data"), [("table.match.begun", {"commitment": "0" * 64}), ("table.match.ended", {"seeds": []})]
)
def test_another_commitment_or_a_seed_too_few_is_named_where_seeds_are_shown(kind: str, data: dict[str, Any]) -> None:
    lines, _ = changed(lambda line: data if line.type == kind else None)
    assert [each.type for each in audit_shuffles(lines).misfits] == ["table.match.ended"]


def lays() -> list[Line]:
    """The records that tell of a card that is laid."""
    told = (line for line in an_evening() if line.type == "table.acted")
    return [line for line in told if isinstance(move := line.data["action"][2], dict) and move.get("act") == "lay"]


@pytest.mark.parametrize(
    "tamper",
    [lambda seat, move: (seat, move | {"card": "no such card"}), lambda seat, move: ((seat + 1) % 3, move)],
    ids=["a card that nobody had", "by somebody else"],
)
@few
@given(place=st.integers(0, 12))
def test_a_card_that_was_laid_otherwise_is_named(tamper: Callable[[int, Any], Any], place: int) -> None:
    other = lays()[place]
    deed, seat, move = other.data["action"]
    lines, seq = changed(lambda line: {"action": [deed, *tamper(seat, move)]} if line is other else None)
    assert [each.seq for each in audit_shuffles(lines).misfits] == [seq]


@few
@given(place=st.integers(0, 12))
def test_where_a_card_laid_is_taken_out_what_follows_does_not_fit(place: int) -> None:
    out = lays()[place]
    misfits = audit_shuffles([line for line in an_evening() if line is not out]).misfits
    assert misfits
    assert misfits[0].seq > out.seq


def test_a_seed_that_was_shown_serves_no_second_match() -> None:
    lines = list(an_evening())
    begun = next(line for line in lines if line.type == "table.match.begun")
    ended = next(line for line in lines if line.type == "table.match.ended")
    last = lines[-1].seq
    place = lines.index(ended) + 1
    again = [replace(begun, seq=last + 1), replace(ended, seq=last + 2)]
    misfits = audit_shuffles([*lines[:place], *again, *lines[place:]]).misfits
    assert [each.seq for each in misfits] == [last + 1]


@pytest.mark.parametrize(
    "data", [{"action": 3}, {"action": []}, {"action": ["play", 99, {}]}, {"action": [None, None, None]}]
)
def test_what_no_table_writes_is_named_and_stops_nothing(data: dict[str, Any]) -> None:
    lines, seq = changed(lambda line: data if line.type == "table.acted" and line.seq > 20 else None)
    report = audit_shuffles(lines)
    assert [each.seq for each in report.misfits] == [seq]
    assert report.matches == 1
