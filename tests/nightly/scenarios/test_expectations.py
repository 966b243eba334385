"""Every expectation of a scenario would fail if the launcher, or the game, did otherwise."""

from __future__ import annotations

from pathlib import Path

from dispenser.scenario.launcher.expectations import check
from dispenser.scenario.rules.format import parse
from dispenser.scenario.rules.player import play
from tests.nightly.scenarios import rule_mutations
from tests.rules import test_scenarios
from tests.scenarios.mutations import mutations
from tests.scenarios.test_scenarios import played, scenario_files


@scenario_files
def test_a_launcher_scenario_expects_nothing_that_would_be_so_anyway(file: Path) -> None:
    """A wrong version of each expectation must fail, in one take at least: the scenario fails with it."""
    plays = played(file)
    for name, expectation in plays[0].take.expectations.items():
        for wrong, mutation in mutations(expectation, plays[0]):
            assert any(not check(name, mutation, each.timeline).passed for each in plays), (
                f"{name} also holds with {wrong}: it proves nothing"
            )


@test_scenarios.scenario_files
def test_every_expectation_of_a_rule_scenario_can_fail(file: Path) -> None:
    tables = test_scenarios.tables_of(file)
    proofs = 0
    for step, key, wrong in rule_mutations.mutations(tables):
        findings = play(parse(wrong))
        changed = wrong["step"][step - 1] if step else wrong["start"]
        assert findings, f"step {step}: {key} also holds in {changed}: it proves nothing"
        assert [(each.step, each.key) for each in findings] == [(step, key)], f"not {key} alone in {changed}"
        proofs += 1
    assert proofs
