from __future__ import annotations

import os
from pathlib import Path

import pytest

from dispenser.system import programs
from dispenser.system.install import actions
from tests.system.install.machine import Machine


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    monkeypatch.setenv("PATH", f"{made.programs}:{os.defpath}")
    monkeypatch.setenv("SUDO_USER", "ada")
    monkeypatch.setattr(programs, "SYSTEM_FOLDERS", ())
    monkeypatch.setattr(actions, "SETTLE_S", 0.0)
    return made
