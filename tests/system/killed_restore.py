"""Kills a restore at each of its steps, and what takes it back at each of its own: a process of its own, which forks.

``python -m tests.system.killed_restore BACKUP PRISTINE`` prints a line for each kill: what the next start finds.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from dispenser.journal import Journal
from dispenser.system.restore import restore
from dispenser.system.swap import plan_beside, settle

STEPS = {"os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.chown"}
KILLED, FAILED = 9, 10
_left = -1


def _count(event: str, about: tuple[object, ...]) -> None:
    global _left  # noqa: PLW0603 - a hook has no other place
    writes = event == "open" and isinstance(about[2], int) and about[2] & (os.O_WRONLY | os.O_RDWR)
    if (writes or event in STEPS) and _left >= 0:
        _left -= 1
        if _left < 0:
            os._exit(KILLED)


def killed(step: int, act: Callable[[], object]) -> bool:
    """Do something in a process that dies at a step; whether it came so far."""
    global _left  # noqa: PLW0603
    child = os.fork()
    if child == 0:
        code = FAILED
        try:
            _left = step
            act()
            code = 0
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in {0, KILLED}, code
    return code == KILLED


def look(folder: Path) -> dict[str, object]:
    """What there is, for whoever comes after."""
    with Journal.read_only(folder / "journal.sqlite3") as journal:
        cards = [entry.data["cards"] for entry in journal]
        return {
            "settings": (folder / "dispenser.toml").read_text().splitlines()[0],
            "cards": cards,
            "measured": (folder / "calibration.json").exists(),
            "damage": [str(each.text) for each in journal.find_damage()],
            "plan": plan_beside(folder / "journal.sqlite3").exists(),
        }


def main(backup: Path, pristine: Path) -> None:
    sys.addaudithook(_count)
    here = pristine.with_name("here")  # which the settings name
    journal = here / "journal.sqlite3"

    def restored(step: int) -> bool:
        shutil.rmtree(here, ignore_errors=True)
        shutil.copytree(pristine, here)
        return killed(step, lambda: restore(backup, here / "dispenser.toml", journal))

    step = 0
    while restored(step):
        second = 0
        while plan_beside(journal).exists() and killed(second, lambda: settle(plan_beside(journal))):
            _tell(here, step, second)
            restored(step)
            second += 1
        _tell(here, step, None)
        step += 1
    _tell(here, None, None)


def _tell(here: Path, step: int | None, second: int | None) -> None:
    settle(plan_beside(here / "journal.sqlite3"))
    print(json.dumps({"step": step, "second": second, **look(here)}))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
