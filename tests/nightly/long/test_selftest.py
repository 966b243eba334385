"""A self-test in a terminal through the running service, and a calibration that is stopped in the middle."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_calibrate import recorded
from tests.cli.test_selftest import helpful, running, settings_for, talk


def test_the_launcher_that_runs_tests_itself_and_is_everybodys_afterwards(tmp_path: Path) -> None:
    with running() as (service, address):
        code, printed, said = talk("selftest", "-c", settings_for(address, tmp_path), "--json", keys=helpful)
        told = [record.type for record in service.journal.read(types=["workshop"])]
        assert service.workshop is None
    report = json.loads(printed)
    assert (code, report["passed"]) == (0, True), said
    assert [each["check"] for each in report["findings"]][:3] == ["lid", "button", "barrier"]
    assert f"The launcher that runs does this: {address}workshop" in said.replace("\n", "")
    assert "1/7  The lid" in said
    assert (told[0], told[-1]) == ("workshop.opened", "workshop.closed")


def test_stopped_in_the_middle_it_goes_on_there(tmp_path: Path, config: Path) -> None:
    def until_the_lid(line: str) -> str:
        return "q" if "Lift the lid" in line else helpful(line)

    command = ("calibrate", "--simulated", "--json", "-c", str(config))
    code, _, said = talk(*command, keys=until_the_lid)
    assert (code, "Stopped" in said) == (1, True)
    code, _, said = talk(*command, keys=lambda line: "q" * ("2/6  The lid" in line))
    assert "1/6" not in said
    assert [each.check for each in recorded(tmp_path).findings] == ["button"]
