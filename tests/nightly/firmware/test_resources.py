"""The stack of the real program in a long session with everything under way."""

from __future__ import annotations

import pytest

from tests.firmware.busy import stack_stays_within_the_call_graph


@pytest.mark.parametrize("clock_mhz", [16, 8])
def test_the_stack_stays_within_what_the_call_graph_allows(clock_mhz: int) -> None:
    stack_stays_within_the_call_graph(clock_mhz, 59, 4)
