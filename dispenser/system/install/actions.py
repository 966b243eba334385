"""Actions of the installer: printed as a shell line, or executed.

Each action is idempotent: it can be repeated after it was executed, completely or partly.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dispenser.i18n import SpokenError, Text, verbatim, why
from dispenser.system.programs import answer_of
from dispenser.system.unit import UNIT

OUTPUT_LINES = 15  # Lines of output shown of a failed program
SETTLE_S = 5.0
"""Seconds for which a ready launcher must keep running: longer than systemd's restart delay."""
START_TIMEOUT_S = "100"
"""Seconds to become ready; only without a journal it takes longer, as then it keeps extending ``TimeoutStartSec=``."""


class InstallError(SpokenError, OSError):
    """An action failed. The text says why, and what to do."""


class NotRunningError(InstallError):
    """The service was started and does not run. The text is its output."""


@dataclass(frozen=True, slots=True)
class Run:
    """Run a program. Its output is shown if ``shown``, otherwise only when it fails."""

    words: tuple[str | Path, ...]
    may_fail: bool = False
    shown: bool = False

    def __str__(self) -> str:
        return shlex.join(map(str, self.words))

    def do(self) -> None:
        done = run(self.words, shown=self.shown)
        if done.returncode and not self.may_fail:
            text = Text("'{command}' failed:\n{output}\n{remedy}").filled(
                command=self,
                output="\n".join((done.stdout or "").splitlines()[-OUTPUT_LINES:]),
                remedy=Text("Fix that, and run the same command again: it continues from there."),
            )
            raise InstallError(text)


@dataclass(frozen=True, slots=True)
class Write:
    """Write a file atomically."""

    path: Path
    text: str
    mode: int = 0o644

    def __str__(self) -> str:
        return "\n".join([f"# write {self.path}:", *(f"#   {line}".rstrip() for line in self.text.splitlines())])

    def do(self) -> None:
        new = self.path.with_name(f".{self.path.name}.new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, self.mode), "wb") as file:
                os.fchmod(file.fileno(), self.mode)  # regardless of the umask
                file.write(self.text.encode("utf-8", "surrogateescape"))
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.path)
        except OSError as error:
            raise InstallError(Text("{file}: {why}").filled(file=self.path, why=why(error))) from error


@dataclass(frozen=True, slots=True)
class StartService:
    """Start the service, wait until it is ready, and check that the process is still the same a little later."""

    def __str__(self) -> str:
        return f"systemctl restart {UNIT} && sleep {SETTLE_S:g} && systemctl is-active {UNIT}"

    def do(self) -> None:
        failed = run(["timeout", START_TIMEOUT_S, "systemctl", "restart", UNIT]).returncode != 0
        process = _property("MainPID")  # 0 for none
        if not failed:
            time.sleep(SETTLE_S)
        if failed or process == "0" or _property("MainPID") != process:
            log = answer_of("journalctl", "-u", UNIT, "-n", "5", "-o", "cat", "--no-pager") or ""
            raise NotRunningError(verbatim(f"{log.strip()}\n{_property('StatusText')}".strip()))


Action = Run | Write | StartService  # `str(action)` is the action as a line of a shell


def _property(name: str) -> str:
    return (answer_of("systemctl", "show", UNIT, "--value", f"--property={name}") or "").strip()


def run(words: Sequence[str | Path], *, shown: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a program; ``stdout`` has its output and errors. If it is missing the exit code is 127, as in a shell."""
    command = [str(word) for word in words]
    try:
        return subprocess.run(  # noqa: S603 - no shell
            command,
            stdin=None if shown else subprocess.DEVNULL,
            stdout=None if shown else subprocess.PIPE,
            stderr=None if shown else subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        return subprocess.CompletedProcess(command, 127, f"{command[0]}: {error.strerror}")
