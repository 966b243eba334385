"""Evenings with simulated people who hold real cards. Any number by hand: ``tests.nightly.search.evenings``."""

from __future__ import annotations

import pytest

from tests.nightly.search.evenings import search
from tests.nightly.search.people.evening import evening
from tests.nightly.seed import SEED

FIRST = SEED
PARTS, EVENINGS = 8, 250
WHOLE_EVENINGS = 10


@pytest.mark.parametrize("part", range(PARTS))
def test_people_and_table_agree_about_each_card_and_each_press(part: int) -> None:
    assert search(EVENINGS, FIRST + part * EVENINGS) == []


@pytest.mark.parametrize("part", range(4))
def test_so_they_do_on_the_whole_service_with_a_launcher_whose_power_is_cut(part: int) -> None:
    assert search(WHOLE_EVENINGS, FIRST + part * WHOLE_EVENINGS, whole=True) == []


def test_the_same_seed_is_the_same_evening() -> None:
    assert evening(FIRST) == evening(FIRST)
