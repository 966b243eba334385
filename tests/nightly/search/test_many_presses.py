"""A hundred thousand presses: random evenings with faults, hands and lids, each from its seed, in virtual time.

In a third of them the service's loop and its disk are up to half a second late, in another third a little.

When an evening goes wrong, the message names its seed. This shows it again, entry by entry, up to where it goes wrong::

    python -m tests.nightly.search.evening SEED 250

What a seed finds becomes a named test in ``tests/service/test_order_of_events.py``.
"""

from __future__ import annotations

import pytest

from tests.nightly.search.evening import play
from tests.nightly.seed import SEED

GOAL_PRESSES = 100_000
SHARDS = 20
EVENINGS = 20
PRESSES = GOAL_PRESSES // (SHARDS * EVENINGS)
"""At least so many in each evening."""


@pytest.mark.parametrize("shard", range(SHARDS))
def test_no_promise_is_broken_in_many_presses(shard: int) -> None:
    seeds = range(SEED + shard * EVENINGS, SEED + (shard + 1) * EVENINGS)
    print(f"seeds {seeds}")
    assert sum(play(seed, PRESSES) for seed in seeds) >= EVENINGS * PRESSES
