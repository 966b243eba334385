"""Keep what a calibration measures, write the settings that it proposes, take them back. Nothing else writes either."""

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
from dispenser.service.changes import change, take_back
from dispenser.service.settings import Settings

MOST_KEPT = 20
"""Calibrations that can be taken back."""
_TAKEN_BACK = Text("The settings in {file} are as they were before. In force when the launcher starts again.")
_SOME_STAY = Text(
    "The settings in {file} are as they were before, but for {names}: changed since, and left as they are. In force "
    "when the launcher starts again."
)


class CalibrationError(SpokenError, OSError):
    """The record cannot be read or written; says what to do."""


class Noted(msgspec.Struct, omit_defaults=True):
    """A finding of a step that is done."""

    check: str
    status: str
    said: dict[str, Any]


class Change(msgspec.Struct):
    """What a calibration has changed: the file, its settings before, and after; ``None``: the key was not there."""

    file: str
    before: dict[str, dict[str, Any]]
    written: dict[str, dict[str, Any]]


class Kept(msgspec.Struct):
    """What is in the file.

    :param done: findings of the steps that are done, while a calibration is under way.
    :param changes: of the calibrations that can be taken back, the newest last.
    """

    measured: Measured = field(default_factory=Measured)
    done: list[Noted] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)


def _text(found: Text | str) -> Text:
    return found if isinstance(found, Text) else verbatim(found)


def record_path(settings: Settings, *, simulated: bool) -> Path:
    """Where it is kept: beside the journal; what was measured at a simulated launcher apart."""
    return settings.journal_path().parent / ("calibration-simulated.json" if simulated else "calibration.json")


class CalibrationRecord:
    """The record of calibrations in its file, and the settings file that they change.

    :param path: of the record; there may be none yet.
    :param settings_file: the settings file, also where a calibration writes beside it; see ``change``.
    :raises CalibrationError: it cannot be read; the methods raise it, too, when it cannot be written.
    """

    def __init__(self, path: Path, settings_file: Path) -> None:
        self._path, self._settings_file = path, settings_file
        try:
            with safe_open.opened(path) as file:
                self._kept = msgspec.json.decode(file.read(), type=Kept)
        except (FileNotFoundError, NotADirectoryError):
            self._kept = Kept()
        except (OSError, msgspec.DecodeError) as error:
            remedy = Text("{file}: cannot be read ({error}); move it away, and measure anew")
            raise CalibrationError(remedy.filled(file=path, error=error)) from error

    @property
    def measured(self) -> Measured:
        return self._kept.measured

    @property
    def findings(self) -> list[Finding]:
        """Of the steps that need not be done again: all that went well."""
        return [Finding(each.check, Status(each.status), recalled(each.said)) for each in self._kept.done]

    @property
    def can_take_back(self) -> bool:
        return bool(self._kept.changes)

    def keep(self) -> None:
        """Write it, whole or not at all."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            safe_open.write_whole(self._path, msgspec.json.format(msgspec.json.encode(self._kept)), 0o644)
        except OSError as error:
            remedy = Text("{file}: cannot be written ({error}); run this as the launcher's user, or with sudo")
            raise CalibrationError(remedy.filled(file=self._path, error=why(error))) from error

    def note(self, findings: Sequence[Finding]) -> None:
        """Keep what was measured, when one more step is done."""
        before = len(self._kept.done)
        self._kept.done = [
            Noted(each.check, each.status.value, recorded(_text(each.found)))
            for each in findings
            if each.status is Status.GOOD
        ]
        if len(self._kept.done) != before:
            self.keep()

    def begin_anew(self) -> None:
        """Nothing is measured; what was written can still be taken back."""
        self._kept.measured, self._kept.done = Measured(), []

    def write(self, file: Path, changes: dict[str, dict[str, Any]]) -> None:
        """Write settings: this calibration is over. What has changed nothing needs no taking back.

        :raises ConfigError: they cannot be written.
        """
        before = change(file, changes, self._settings_file)
        self.begin_anew()
        if before != changes:
            self._kept.changes = [*self._kept.changes, Change(str(file.absolute()), before, changes)][-MOST_KEPT:]
        self.keep()

    def take_back(self) -> Text:
        """Take the settings of the last calibration back; one that somebody has changed since stays. Says what became.

        :raises ConfigError: they cannot be written.
        """
        last = self._kept.changes[-1]
        back = take_back(Path(last.file), last.before, last.written, self._settings_file)
        stay = [
            f"{table}.{key}" for table, keys in last.before.items() for key in keys if key not in back.get(table, ())
        ]
        self._kept.changes.pop()
        self.keep()
        if stay:
            return _SOME_STAY.filled(file=last.file, names=", ".join(stay))
        return _TAKEN_BACK.filled(file=last.file)
