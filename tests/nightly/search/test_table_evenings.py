"""Evenings of people who hold real cards, each from its seed: they and the table agree about every card and press."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nightly.search.people import People
from tests.nightly.search.pure_table import PureTable
from tests.nightly.search.whole_table import WholeTable
from tests.nightly.seed import SEED

EVENINGS, WHOLE_EVENINGS = 320, 40


@pytest.mark.parametrize("seed", range(SEED, SEED + EVENINGS), ids="seed {}".format)
def test_people_and_table_agree_about_each_card_and_each_press(seed: int) -> None:
    People(seed, PureTable()).play()


@pytest.mark.parametrize("seed", range(SEED, SEED + WHOLE_EVENINGS), ids="seed {}".format)
def test_so_they_do_on_the_whole_service_with_a_launcher_whose_power_is_cut(seed: int, tmp_path: Path) -> None:
    whole = WholeTable(seed, tmp_path)
    People(seed, whole).play()
    whole.close()
