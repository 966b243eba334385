"""CI's share of the search: evenings with people who hold real cards. The rest by hand: ``tests.search.evenings``."""

from __future__ import annotations

import pytest

from tests.search.evenings import search

FIRST = 20_261_123
PARTS, EVENINGS = 8, 250


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_people_and_table_agree_about_each_card_and_each_press(part: int) -> None:
    assert search(EVENINGS, FIRST + part * EVENINGS) == []
