"""The driver on a launcher that was written from physics alone; see :mod:`tests.nightly.search.second_world`."""

from __future__ import annotations

import pytest

from dispenser.launcher.messages import FeedEnd
from tests.nightly.search.second_evening import Evening
from tests.nightly.search.second_threads import Together
from tests.nightly.seed import SEED

RUNS = 400
SEEDS = range(SEED, SEED + RUNS)


@pytest.mark.parametrize("mode", ["punctual", "missed", "alarm"])
def test_evenings_on_the_second_world_keep_every_promise(mode: str) -> None:
    print(f"seeds {SEEDS}")
    evenings = [Evening(seed, mode).play() for seed in SEEDS]
    assert [fault for evening in evenings for fault in evening.faults] == []
    assert any(evening.causes[FeedEnd.COUNT.value] for evening in evenings)


@pytest.mark.parametrize("mode", ["late", "drip"])
def test_edges_taken_late_lose_no_card_and_no_end(mode: str) -> None:
    print(f"seeds {SEEDS}")
    evenings = [Evening(seed, mode, clean=True).play() for seed in SEEDS]
    assert [fault for evening in evenings for fault in evening.faults] == []


def test_two_threads_at_once_keep_every_promise() -> None:
    print(f"seeds {SEEDS}")
    assert [fault for seed in SEEDS for fault in Together(seed).play().faults] == []
