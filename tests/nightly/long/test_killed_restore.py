"""A restore that is killed at any step leaves the old files or the new ones, never a mixture."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from dispenser.journal import Journal
from tests.system.test_backup import Place


def test_killed_at_any_step_the_next_start_finds_the_old_or_the_new_whole(place: Place, kept: Path) -> None:
    Place(place.folder, [7], odds="wild")
    pristine = place.folder.with_name("pristine")
    with Journal.open(place.journal) as journal:  # left by a kill: its newest entry is in the write-ahead log
        journal.append("launcher", [("a", {"cards": 8})])
        shutil.copytree(place.folder, pristine)
        (pristine / "calibration.json").write_text("{}")
        (pristine / "dispenser.toml").write_text("# old\n" + (pristine / "dispenser.toml").read_text())
    command = [sys.executable, "-m", "tests.system.killed_restore", str(kept), str(pristine)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    told = [json.loads(line) for line in lines]
    old, new = ("# old", [1, 2, 3, 7, 8], True), ("[odds]", [1, 2, 3], False)
    assert [(each["settings"], each["cards"], each["measured"]) in (old, new) for each in told] == [True] * len(told), (
        told
    )
    assert not any(each["damage"] or each["plan"] for each in told), told
    assert {each["settings"] for each in told} == {"# old", "[odds]"}
    assert len([each for each in told if each["second"] is not None]) > 20, "it was killed while it was taken back, too"
