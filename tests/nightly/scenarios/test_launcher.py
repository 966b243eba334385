"""Every expectation of a launcher scenario would fail if the launcher did otherwise."""

from __future__ import annotations

from pathlib import Path

from dispenser.scenario.launcher.judge import judge
from tests.scenarios.mutations import mutations
from tests.scenarios.test_scenarios import played, scenario_files


@scenario_files
def test_expects_nothing_that_would_be_so_anyway(file: Path) -> None:
    """A wrong version of each expectation must fail, in one take at least: the scenario fails with it."""
    plays = played(file)
    for name, expectation in plays[0].take.expectations.items():
        for wrong, mutation in mutations(expectation, plays[0]):
            assert any(not judge(name, mutation, each.timeline).passed for each in plays), (
                f"{name} also holds with {wrong}: it proves nothing"
            )
