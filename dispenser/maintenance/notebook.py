"""Where a calibration is kept between two sittings: what was measured, and what the settings were before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import field

from dispenser import safe_open
from dispenser.drivers.findings import Finding, Status
from dispenser.i18n import SpokenError, Text, recalled, recorded, verbatim, why
from dispenser.maintenance.measured import Measured

NAME = "calibration.json"
"""Beside the journal."""
SIMULATED = "calibration-simulated.json"
"""What was measured at a toy is none of a launcher's business."""
MOST_EARLIER = 20
"""Calibrations that can be taken back."""


class NotebookError(SpokenError, OSError):
    """It cannot be read or written; says what to do."""


class Noted(msgspec.Struct, omit_defaults=True):
    """A finding of a step that is done."""

    check: str
    status: str
    said: dict[str, Any]


class Before(msgspec.Struct):
    """What the settings were before an earlier calibration; as in ``Notebook``."""

    file: str
    before: dict[str, dict[str, Any]]
    written: dict[str, dict[str, Any]]


class Notebook(msgspec.Struct):
    """What is kept.

    :param done: findings of the steps that are done, while a calibration is under way.
    :param file: the settings file that the last calibration has changed.
    :param before: what its settings were.
    :param written: what they became.
    :param earlier: the same of the calibrations before, the oldest first.
    """

    measured: Measured = field(default_factory=Measured)
    done: list[Noted] = field(default_factory=list)
    file: str = ""
    before: dict[str, dict[str, Any]] = field(default_factory=dict)
    written: dict[str, dict[str, Any]] = field(default_factory=dict)
    earlier: list[Before] = field(default_factory=list)

    def note(self, findings: Sequence[Finding]) -> None:
        """What needs not be done again: all that went well."""
        self.done = [
            Noted(each.check, each.status.value, recorded(_text(each.found)))
            for each in findings
            if each.status is Status.GOOD
        ]

    def findings(self) -> list[Finding]:
        """As they were noted."""
        return [Finding(each.check, Status(each.status), recalled(each.said)) for each in self.done]

    def begin_anew(self) -> None:
        """Nothing is measured; what the settings were before stays known."""
        self.measured, self.done = Measured(), []

    def wrote(self, file: Path, before: dict[str, dict[str, Any]], written: dict[str, dict[str, Any]]) -> None:
        """Settings were written: this calibration is over. What has changed nothing needs no taking back."""
        self.begin_anew()
        if before == written:
            return
        if self.file:
            self.earlier = [*self.earlier, Before(self.file, self.before, self.written)][-MOST_EARLIER:]
        self.file, self.before, self.written = str(file.absolute()), before, written

    def took_back(self) -> None:
        """They are as they were before; the calibration before that is the last one now."""
        last = self.earlier.pop() if self.earlier else Before("", {}, {})
        self.file, self.before, self.written = last.file, last.before, last.written


def _text(found: Text | str) -> Text:
    return found if isinstance(found, Text) else verbatim(found)


def read(path: Path) -> Notebook:
    """An empty one where there is none.

    :raises NotebookError: it cannot be read.
    """
    try:
        with safe_open.opened(path) as file:
            return msgspec.json.decode(file.read(), type=Notebook)
    except (FileNotFoundError, NotADirectoryError):
        return Notebook()
    except (OSError, msgspec.DecodeError) as error:
        remedy = Text("{file}: cannot be read ({error}); move it away, and measure anew")
        raise NotebookError(remedy.filled(file=path, error=error)) from error


def keep(path: Path, notebook: Notebook) -> None:
    """Write it, whole or not at all.

    :raises NotebookError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        safe_open.write_whole(path, msgspec.json.format(msgspec.json.encode(notebook)), 0o644)
    except OSError as error:
        remedy = Text("{file}: cannot be written ({error}); run this as the launcher's user, or with sudo")
        raise NotebookError(remedy.filled(file=path, error=why(error))) from error
