"""The serial driver and the core over a line that flips bits and loses bytes."""

from __future__ import annotations

import pytest

from tests.firmware.bad_line import HURTS, every_run_is_answered_or_fails, seldom_hurt_bits_are_made_good


@pytest.mark.parametrize("seed", range(12))
def test_bits_that_are_hurt_now_and_then_are_made_good_and_nobody_hears_of_them(seed: int) -> None:
    seldom_hurt_bits_are_made_good(seed)


@pytest.mark.parametrize("hurts", HURTS)
@pytest.mark.parametrize("seed", range(6))
def test_every_run_is_answered_or_told_as_a_failure_and_none_runs_twice(seed: int, hurts: float) -> None:
    every_run_is_answered_or_fails(seed, hurts)
