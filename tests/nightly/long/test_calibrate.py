"""A calibration that is stopped in the middle goes on there."""

from __future__ import annotations

from pathlib import Path

from dispenser.workshop.notebook import read
from tests.cli.test_selftest import helpful, talk


def test_stopped_in_the_middle_it_goes_on_there(tmp_path: Path, config: Path) -> None:
    def until_the_lid(line: str) -> str:
        return "q" if "Lift the lid" in line else helpful(line)

    command = ("calibrate", "--simulated", "--json", "-c", str(config))
    code, _, said = talk(*command, keys=until_the_lid)
    assert (code, "Stopped" in said) == (1, True)
    code, _, said = talk(*command, keys=lambda line: "q" * ("2/6  The lid" in line))
    assert "1/6" not in said
    assert [each.check for each in read(tmp_path / "calibration-simulated.json").done] == ["button"]
