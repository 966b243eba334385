"""Every expectation of a scenario, of the launcher or of the rules, would fail if it were otherwise."""

from __future__ import annotations

from pathlib import Path

from dispenser.scenario.launcher.judge import judge
from dispenser.scenario.rules import parse, play
from tests.rules.scenario_mutations import mutations as rule_mutations
from tests.rules.test_scenarios import scenario_files as of_rules
from tests.rules.test_scenarios import tables_of
from tests.scenarios.mutations import mutations as launcher_mutations
from tests.scenarios.test_scenarios import played
from tests.scenarios.test_scenarios import scenario_files as of_launchers


@of_launchers
def test_a_launcher_scenario_expects_nothing_that_would_be_so_anyway(file: Path) -> None:
    """A wrong version of each expectation must fail, in one take at least: the scenario fails with it."""
    plays = played(file)
    for name, expectation in plays[0].take.expectations.items():
        for wrong, mutation in launcher_mutations(expectation, plays[0]):
            assert any(not judge(name, mutation, each.timeline).passed for each in plays), (
                f"{name} also holds with {wrong}: it proves nothing"
            )


@of_rules
def test_every_expectation_of_a_rule_scenario_can_fail(file: Path) -> None:
    tables = tables_of(file)
    proofs = 0
    for step, key, wrong in rule_mutations(tables):
        findings = play(parse(wrong))
        changed = wrong["step"][step - 1] if step else wrong["start"]
        assert findings, f"step {step}: {key} also holds in {changed}: it proves nothing"
        assert [(each.step, each.key) for each in findings] == [(step, key)], f"not {key} alone in {changed}"
        proofs += 1
    assert proofs
