"""What is kept of calibrations: enough to take each of them back, the last one first."""

from __future__ import annotations

from pathlib import Path

import pytest

from dispenser.maintenance.notebook import keep, read
from dispenser.service.changes import change, take_back

Tables = dict[str, dict[str, float]]


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "dispenser.toml"
    path.write_text("[timing]\ncoast_s = 0.1  # mine\n")
    return path


def calibrated(kept: Path, settings: Path, **timing: float) -> None:
    """Settings are written, in a sitting of its own."""
    notebook, written = read(kept), {"timing": timing}
    notebook.wrote(settings, change(settings, written), written)
    keep(kept, notebook)


def taken_back(kept: Path) -> Tables:
    notebook = read(kept)
    back = take_back(Path(notebook.file), notebook.before, notebook.written)
    notebook.took_back()
    keep(kept, notebook)
    return back  # type: ignore[return-value]


def test_one_calibration_after_the_other_is_taken_back(tmp_path: Path, settings: Path) -> None:
    before, kept = settings.read_text(), tmp_path / "calibration.json"
    calibrated(kept, settings, coast_s=0.2, lid_settle_s=0.08)
    calibrated(kept, settings, coast_s=0.3)
    assert taken_back(kept) == {"timing": {"coast_s": 0.2}}
    assert taken_back(kept) == {"timing": {"coast_s": 0.1, "lid_settle_s": None}}
    assert settings.read_text() == before
    assert read(kept).file == ""


def test_what_is_written_once_more_does_not_hide_what_was_before(tmp_path: Path, settings: Path) -> None:
    kept = tmp_path / "calibration.json"
    calibrated(kept, settings, coast_s=0.2)
    calibrated(kept, settings, coast_s=0.2)
    assert taken_back(kept) == {"timing": {"coast_s": 0.1}}
    assert read(kept).file == ""
