"""The stream and the odds on top of it: one draw a press, whatever else happens."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispenser.odds.fairness import named_seed
from dispenser.odds.odds import Odds, uniforms
from dispenser.odds.policies import TOY_FIRES_ON, Memoryless, Uniform
from dispenser.odds.presets import PRESETS, OddsDesign, OddsSettingsError, design_from_description
from tests.odds.odds_designs import designs

seeds = st.binary(min_size=32, max_size=32)


def drawn(odds: Odds, presses: int) -> list[int]:
    return [odds.draw().cards for _ in range(presses)]


# --- the stream ---


def hmac_by_hand(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 as RFC 2104 spells it, for a key shorter than a block."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


@given(seeds, st.integers(1, 2**63))
def test_a_draw_is_hmac_of_its_number_cut_into_uniform_figures(seed: bytes, draw: int) -> None:
    digest = hmac_by_hand(seed, b"card-dispenser draw\0" + draw.to_bytes(8, "big"))
    for place, figure in enumerate(uniforms(seed, draw)):
        whole = int.from_bytes(digest[8 * place : 8 * place + 8], "big")
        assert 0 <= figure < 1
        assert Fraction(figure) == Fraction(whole >> 11, 2**53)


@pytest.mark.parametrize(
    ("preset", "outcomes"),
    [
        ("toy", [0, 6, 0, 0, 0, 7, 0, 0, 8, 0, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0, 6, 0, 0, 6]),
        ("gentle", [0, 0, 0, 0, 4, 0, 4, 0, 0, 0, 3, 0, 0, 3, 0, 0, 3, 0, 0, 4, 0, 0, 0, 3]),
        ("wild", [0, 0, 3, 0, 0, 8, 12, 0, 0, 0, 0, 6, 4, 0, 3, 0, 8, 2, 0, 0, 0, 9, 0, 0]),
        ("family", [0, 0, 2, 0, 0, 5, 0, 0, 0, 0, 0, 4, 0, 0, 3, 0, 5, 0, 0, 0, 0, 5, 0, 0]),
    ],
)
def test_the_outcomes_of_a_known_seed_never_change(preset: str, outcomes: list[int]) -> None:
    """If this fails, every journal written so far can no longer be proven: give the stream a new name instead."""
    assert drawn(Odds(PRESETS[preset], named_seed("pinned")), 24) == outcomes


# --- one draw a press ---


@given(designs(), seeds, st.lists(st.booleans(), max_size=60))
def test_exactly_one_draw_is_spent_on_a_press_and_none_on_a_reset(
    design: OddsDesign, seed: bytes, presses: list[bool]
) -> None:
    odds, spent = Odds(design, seed), 0
    for is_press in presses:
        if is_press:
            spent += 1
            outcome = odds.draw()
            assert outcome.draw == spent
            assert outcome.suspense == uniforms(seed, spent)[2]
        else:
            odds.reset()
        assert odds.next_draw == spent + 1


@given(designs(), seeds, st.integers(0, 30))
def test_an_outcome_depends_on_the_seed_and_the_draws_since_the_last_reset_only(
    design: OddsDesign, seed: bytes, before: int
) -> None:
    odds = Odds(design, seed)
    drawn(odds, before)
    odds.reset()
    fresh = Odds(design, seed, next_draw=before + 1)
    assert [odds.draw() for _ in range(20)] == [fresh.draw() for _ in range(20)]


@given(designs(), seeds, st.integers(1, 2**40))
def test_odds_rebuilt_from_their_description_draw_the_same(design: OddsDesign, seed: bytes, first: int) -> None:
    odds = Odds(design, seed, first)
    rebuilt = Odds(design_from_description(json.loads(json.dumps(odds.describe()))), seed, first)
    assert rebuilt.design == design
    assert rebuilt.describe() == odds.describe()
    assert [rebuilt.draw() for _ in range(40)] == [odds.draw() for _ in range(40)]


# --- the cap ---


def test_a_burst_above_the_cap_is_cut_to_it() -> None:
    design = OddsDesign("custom", Memoryless(1.0), Uniform(2, 9), cap=4)
    assert design.sizes() == ((2, 0.125), (3, 0.125), (4, 0.75))
    assert set(drawn(Odds(design, named_seed("cap")), 100)) == {2, 3, 4}


# --- what the machine relies on ---


def test_the_toy_fires_where_people_saw_it_fire_and_begins_again_after_its_table() -> None:
    odds = Odds(PRESETS["toy"], named_seed("toy"))
    fired = [press for press, cards in enumerate(drawn(odds, 192), 1) if cards]
    assert fired == [*TOY_FIRES_ON, *(96 + press for press in TOY_FIRES_ON)]


def test_draws_are_counted_from_one() -> None:
    with pytest.raises(OddsSettingsError, match="next_draw = 0: draws are counted from 1"):
        Odds(PRESETS["toy"], bytes(32), next_draw=0)
