"""Every expectation of a rule scenario would fail if the game did otherwise."""

from __future__ import annotations

from pathlib import Path

from dispenser.scenario.rules import parse, play
from tests.rules.scenario_mutations import mutations
from tests.rules.test_scenarios import scenario_files, tables_of


@scenario_files
def test_every_expectation_can_fail(file: Path) -> None:
    tables = tables_of(file)
    proofs = 0
    for step, key, wrong in mutations(tables):
        findings = play(parse(wrong))
        changed = wrong["step"][step - 1] if step else wrong["start"]
        assert findings, f"step {step}: {key} also holds in {changed}: it proves nothing"
        assert [(each.step, each.key) for each in findings] == [(step, key)], f"not {key} alone in {changed}"
        proofs += 1
    assert proofs
