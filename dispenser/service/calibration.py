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

NAME = "calibration.json"  # Name of the record's file, beside the journal
_TAKEN_BACK = Text("The settings are as they were before. In force when the launcher starts again.")
Tables = dict[str, dict[str, float]]


class CalibrationError(SpokenError, OSError):
    """The record cannot be read or written; the text says what to do."""


class Kept(msgspec.Struct):
    """Content of the file.

    :param done: findings of the steps that succeeded, by name, while a calibration is under way.
    :param calibrated: settings of each calibration that was written, merged with those of the ones before it.
    """

    measured: Measured = field(default_factory=Measured)
    done: dict[str, dict[str, Any]] = field(default_factory=dict)
    calibrated: list[Tables] = field(default_factory=list)


class CalibrationRecord:
    """The record of calibrations in its file, and the settings that they have written.

    :raises CalibrationError: it cannot be read, or, from methods, not written.
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
        """Findings of the steps that need not be repeated."""
        return [Finding(check, Status.GOOD, recalled(found)) for check, found in self._kept.done.items()]

    @property
    def can_take_back(self) -> bool:
        return bool(self._kept.calibrated)

    def keep(self) -> None:
        """Write the record atomically."""
        self._write(self._path, msgspec.json.format(msgspec.json.encode(self._kept)))

    def _write(self, path: Path, content: bytes | None) -> None:
        """Write a file atomically; ``None`` as content deletes it."""
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
        """Store the measurements when another step has succeeded."""
        texts = {each.check: each.found for each in findings if each.status is Status.GOOD}
        if texts.keys() != self._kept.done.keys():
            self._kept.done = {
                check: recorded(found if isinstance(found, Text) else verbatim(found)) for check, found in texts.items()
            }
            self.keep()

    def begin_anew(self) -> None:
        """Discard the measurements; written settings can still be undone."""
        self._kept.measured, self._kept.done = Measured(), {}

    def write(self, changes: Tables) -> None:
        """Write settings and end this calibration.

        :raises ConfigError: they conflict with other settings.
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
        """Undo the settings of the last calibration; return a text for the user."""
        *earlier, _ = self._kept.calibrated
        self._write(self.file, as_toml(earlier[-1]).encode() if earlier else None)
        self._kept.calibrated = earlier
        self.keep()
        return _TAKEN_BACK
