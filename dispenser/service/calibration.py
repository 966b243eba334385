"""Store a calibration, write the settings that it proposes, and undo them.

The settings go into a file of their own beside the journal, ``calibrated.toml``, which overrides the settings file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from msgspec import field

from dispenser import safe_open
from dispenser.config import as_toml
from dispenser.drivers.findings import Finding, Status
from dispenser.i18n import SpokenError, Text, recalled, recorded, verbatim, why
from dispenser.maintenance.measured import Measured
from dispenser.service.settings import Settings, calibrated_file, check

NAME = "calibration.json"  # Of the record, beside the journal
_TAKEN_BACK = Text("The settings are as they were before. In force when the launcher starts again.")
Tables = dict[str, dict[str, float]]


class CalibrationError(SpokenError, OSError):
    """The record cannot be read or written; says what to do."""


class Kept(msgspec.Struct):
    """What is in the file.

    :param done: what was found in the steps that went well, by name, while a calibration is under way.
    :param calibrated: the settings of each calibration that was written, with those of the ones before it.
    """

    measured: Measured = field(default_factory=Measured)
    done: dict[str, dict[str, Any]] = field(default_factory=dict)
    calibrated: list[Tables] = field(default_factory=list)


class CalibrationRecord:
    """The record of calibrations in its file, and the settings that they have written.

    :raises CalibrationError: it cannot be read; the methods raise it, too, when it cannot be written.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.file = calibrated_file(settings)
        self._path = self.file.with_name(NAME)
        try:
            with safe_open.opened(self._path) as file:
                self._kept = msgspec.json.decode(file.read(), type=Kept)
        except (FileNotFoundError, NotADirectoryError):
            self._kept = Kept()
        except (OSError, msgspec.DecodeError) as error:
            remedy = Text("{file}: cannot be read ({error}); move it away, and measure again")
            raise CalibrationError(remedy.filled(file=self._path, error=error)) from error

    @property
    def measured(self) -> Measured:
        return self._kept.measured

    @property
    def findings(self) -> list[Finding]:
        """Of the steps that need not be done again."""
        return [Finding(check, Status.GOOD, recalled(found)) for check, found in self._kept.done.items()]

    @property
    def can_take_back(self) -> bool:
        return bool(self._kept.calibrated)

    def keep(self) -> None:
        """Write it, whole or not at all."""
        self._write(self._path, msgspec.json.format(msgspec.json.encode(self._kept)))

    def _write(self, path: Path, content: bytes | None) -> None:
        """:param content: ``None``: there is no such file any more."""
        try:
            if content is None:
                path.unlink(missing_ok=True)
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            safe_open.write_whole(path, content, 0o644)
        except OSError as error:
            remedy = Text("{file}: cannot be written ({error}); run this as the launcher's user, or with sudo")
            raise CalibrationError(remedy.filled(file=path, error=why(error))) from error

    def note(self, findings: Sequence[Finding]) -> None:
        """Keep what was measured, when one more step is done."""
        texts = {each.check: each.found for each in findings if each.status is Status.GOOD}
        if texts.keys() != self._kept.done.keys():
            self._kept.done = {
                check: recorded(found if isinstance(found, Text) else verbatim(found)) for check, found in texts.items()
            }
            self.keep()

    def begin_anew(self) -> None:
        """Nothing is measured; what was written can still be taken back."""
        self._kept.measured, self._kept.done = Measured(), {}

    def write(self, changes: Tables) -> None:
        """Write settings: this calibration is over.

        :raises ConfigError: they do not go together with the others.
        """
        timing: dict[str, Any] = changes.get("timing", {})
        launcher: dict[str, Any] = changes.get("launcher", {})
        old = self._settings
        check(replace(old, timing=replace(old.timing, **timing), launcher=replace(old.launcher, **launcher)))
        before = self._kept.calibrated[-1] if self._kept.calibrated else {}
        now = {table: before.get(table, {}) | changes.get(table, {}) for table in before | changes}
        self._write(self.file, as_toml(now).encode())
        self.begin_anew()
        self._kept.calibrated.append(now)
        self.keep()

    def take_back(self) -> Text:
        """Take the settings of the last calibration back. Says what became of it."""
        *earlier, _ = self._kept.calibrated
        self._write(self.file, as_toml(earlier[-1]).encode() if earlier else None)
        self._kept.calibrated = earlier
        self.keep()
        return _TAKEN_BACK
