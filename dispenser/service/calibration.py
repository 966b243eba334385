"""Write what a calibration has measured and proposed, and take its settings back. Nothing else writes either."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dispenser.drivers.findings import Finding
from dispenser.i18n import Text
from dispenser.maintenance.measured import Measured
from dispenser.maintenance.notebook import NAME, SIMULATED, keep, read
from dispenser.service.changes import change, take_back
from dispenser.service.settings import Settings

_TAKEN_BACK = Text("The settings in {file} are as they were before. In force when the launcher starts again.")
_SOME_STAY = Text(
    "The settings in {file} are as they were before, but for {names}: changed since, and left as they are. In force "
    "when the launcher starts again."
)


def record_path(settings: Settings, *, simulated: bool) -> Path:
    """Where it is kept: beside the journal."""
    return settings.journal_path().parent / (SIMULATED if simulated else NAME)


class CalibrationRecord:
    """The notebook of calibrations in its file, and the settings file that they change.

    :param path: of the notebook.
    :param settings_file: the settings file, also where a calibration writes beside it; see ``change``.
    :raises NotebookError: it cannot be read; the methods raise it, too, when it cannot be written.
    """

    def __init__(self, path: Path, settings_file: Path) -> None:
        self._path, self._settings_file = path, settings_file
        self._notebook = read(path)

    @property
    def measured(self) -> Measured:
        return self._notebook.measured

    @property
    def findings(self) -> list[Finding]:
        """Of the steps that need not be done again."""
        return self._notebook.findings()

    @property
    def file(self) -> str:
        """What the last calibration has written to; empty when there is nothing to take back."""
        return self._notebook.file

    def keep(self) -> None:
        keep(self._path, self._notebook)

    def note(self, findings: Sequence[Finding]) -> None:
        """Keep what was measured, when one more step is done."""
        done = len(self._notebook.done)
        self._notebook.note(findings)
        if len(self._notebook.done) != done:
            self.keep()

    def begin_anew(self) -> None:
        """Measure all again."""
        self._notebook.begin_anew()

    def write(self, file: Path, changes: dict[str, dict[str, Any]]) -> None:
        """Write settings: this calibration is over.

        :raises ConfigError: they cannot be written.
        """
        self._notebook.wrote(file, change(file, changes, self._settings_file), changes)
        self.keep()

    def take_back(self) -> Text:
        """Take the settings of the last calibration back; one that somebody has changed since stays. Says what became.

        :raises ConfigError: they cannot be written.
        """
        notebook = self._notebook
        file, before = notebook.file, notebook.before
        back = take_back(Path(file), before, notebook.written, self._settings_file)
        stay = [f"{table}.{key}" for table, keys in before.items() for key in keys if key not in back.get(table, {})]
        notebook.took_back()
        self.keep()
        return _SOME_STAY.filled(file=file, names=", ".join(stay)) if stay else _TAKEN_BACK.filled(file=file)
