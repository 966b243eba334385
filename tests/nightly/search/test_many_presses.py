"""A hundred thousand presses: random evenings with faults, hands and lids, each from its seed, in virtual time.

In a third of them the service's loop and its disk are up to half a second late, in another third a little.
``python -m tests.nightly.search.many 5000000`` looks for as many as one likes.

When an evening goes wrong, the message names its seed. This shows it again, entry by entry, up to where it goes wrong::

    python -m tests.nightly.search.evening SEED 250

What a seed finds becomes a named test in ``tests/service/test_order_of_events.py``.
"""

from __future__ import annotations

import os
import sys
import time

import pytest

from tests.nightly.search.evening import play
from tests.nightly.seed import SEED

GOAL_PRESSES = 100_000
SHARDS = 20
EVENINGS = 20
PRESSES = GOAL_PRESSES // (SHARDS * EVENINGS)
"""At least so many in each evening."""


@pytest.mark.parametrize("shard", range(SHARDS))
def test_no_promise_is_broken_in_many_presses(
    shard: int, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    seeds = range(SEED + shard * EVENINGS, SEED + (shard + 1) * EVENINGS)
    begun = time.perf_counter()
    evenings = [play(seed, PRESSES) for seed in seeds]
    took_s = time.perf_counter() - begun
    presses, simulated_s = sum(each.presses for each in evenings), sum(each.simulated_s for each in evenings)
    done, in_all = so_far(tmp_path_factory, shard, presses)
    with capsys.disabled():  # to stderr: a worker of pytest-xdist has no stdout of its own
        print(
            f"\nseeds {seeds[0]} to {seeds[-1]}: {presses} presses "
            f"({sum(each.accepted for each in evenings)} accepted), {sum(each.cards for each in evenings)} cards, "
            f"{sum(each.motor_runs for each in evenings)} motor runs, the longest "
            f"{max(each.longest_run_s for each in evenings):.3f} s; "
            f"{sum(each.presses for each in evenings if each.lateness != 'in time')} presses with a late loop; "
            f"{simulated_s:.0f} simulated seconds, "
            f"{simulated_s / took_s:.0f} for each real one. {in_all} presses in {done} of {SHARDS} shards.",
            file=sys.stderr,
        )
    assert presses >= EVENINGS * PRESSES


def so_far(tmp_path_factory: pytest.TempPathFactory, shard: int, presses: int) -> tuple[int, int]:
    """How many shards of this test run are done, and their presses; shards may run in several processes."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    (folder / f"presses-{shard}").write_text(str(presses))
    counts = [int(path.read_text() or "0") for path in folder.glob("presses-*")]
    return len(counts), sum(counts)
