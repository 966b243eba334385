"""Programs of the system as they answer elsewhere: scripts on ``PATH`` that print what was recorded."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from dispenser.system import programs


class Programs:
    """A folder of them, the first on ``PATH``."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self._log = folder / "bin", folder / "calls"
        self.folder.mkdir()
        self._log.touch()
        monkeypatch.setenv("PATH", str(self.folder), prepend=":")
        monkeypatch.setattr(programs, "SYSTEM_FOLDERS", ())

    def put(self, name: str, answer: str = "", *, code: int = 0, then: str = "") -> None:
        """A program that prints an answer.

        :param then: more of the script.
        """
        program = self.folder / name
        calls = f'echo {name} "$*" >>{shlex.quote(str(self._log))}'
        program.write_text(f"#!/bin/sh\n{calls}\n{then}\nprintf %s {shlex.quote(answer)}\nexit {code}\n")
        program.chmod(0o755)

    @property
    def calls(self) -> list[str]:
        """The command lines, in their order."""
        return self._log.read_text().splitlines()
