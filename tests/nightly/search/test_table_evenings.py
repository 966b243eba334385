"""Evenings of people who hold real cards, each from its seed: they and the table agree about every card and press."""

from __future__ import annotations

import pytest

from tests.nightly.search.people import People
from tests.nightly.seed import SEED

EVENINGS = 320


@pytest.mark.parametrize("seed", range(SEED, SEED + EVENINGS), ids="seed {}".format)
def test_people_and_table_agree_about_each_card_and_each_press(seed: int) -> None:
    People(seed).play()
