"""The self-test in a terminal through the running service, from the first step to the last."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_selftest import helpful, running, settings_for, talk


def test_the_launcher_that_runs_tests_itself_and_is_everybodys_afterwards(tmp_path: Path) -> None:
    with running() as (service, address):
        code, printed, said = talk("selftest", "-c", settings_for(address, tmp_path), "--json", keys=helpful)
        told = [entry.type for entry in service.journal.read(types=["workshop"])]
        assert service.workshop is None
    report = json.loads(printed)
    assert (code, report["passed"]) == (0, True), said
    assert [each["check"] for each in report["findings"]][:3] == ["lid", "button", "barrier"]
    assert f"The launcher that runs does this: {address}workshop" in said.replace("\n", "")
    assert "1/7  The lid" in said
    assert (told[0], told[-1]) == ("workshop.opened", "workshop.closed")
