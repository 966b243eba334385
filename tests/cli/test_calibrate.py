"""``dispenser calibrate`` in a terminal: figures, a question, settings written beside the journal, and taken back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.drivers.findings import Finding, Status
from dispenser.service.calibration import CalibrationRecord
from dispenser.service.settings import load
from tests.cli.test_selftest import helpful, talk

MEASURED = {
    "button_bounce": [0.0, 14.0],
    "lid_bounce": [3.0],
    "first_after": [26.0, 27.0],
    "first_blocked": [50.0, 52.0],
    "blocked": [44.0, 43.0],
    "gap": [13.0, 9.0],
    "period": [57.0, 58.0],
    "late": [22.0],
    "coasted": [9.0],
    "stayed": [10.0],
}
STEPS = ("button", "lid", "singles", "bursts", "coasting")
MINE = """\
# the launcher on the shelf
[timing]
button_settle_s = 0.025  # a good one

[web]
port = 8113
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "dispenser.toml"
    path.write_text(f'{MINE}\n[journal]\npath = "{tmp_path}/journal.sqlite3"\n')
    return path


def measured_before(tmp_path: Path) -> None:
    """A calibration that was stopped when all was measured."""
    record = recorded(tmp_path)
    for name, samples in MEASURED.items():
        getattr(record.measured, name).extend(samples)
    record.note([Finding(step, Status.GOOD, "done") for step in STEPS])


def recorded(tmp_path: Path) -> CalibrationRecord:
    return CalibrationRecord(load(tmp_path / "dispenser.toml"))


def test_settings_are_written_after_a_yes_and_can_be_taken_back(tmp_path: Path, config: Path) -> None:
    measured_before(tmp_path)
    before = config.read_text()
    code, printed, said = talk("calibrate", "--simulated", "--json", "-c", str(config), keys=helpful)
    assert code == 0, said
    report = json.loads(printed)
    assert report["accepted"]
    button = next(each for each in report["proposals"] if each["setting"] == "timing.button_settle_s")
    assert (button["now"], button["proposed"]) == (0.025, 0.045)
    assert "14.0 ms" in button["why"]
    assert "time per card" in said
    assert load(config).timing.button_settle_s == 0.045
    assert config.read_text() == before

    done = CliRunner().invoke(app, ["calibrate", "--simulated", "--undo", "-c", str(config)])
    assert done.exit_code == 0, done.output
    assert load(config).timing.button_settle_s == 0.025
    assert CliRunner().invoke(app, ["calibrate", "--simulated", "--undo", "-c", str(config)]).exit_code == 1


@pytest.mark.long
def test_a_no_writes_nothing_and_forgets_nothing(tmp_path: Path, config: Path) -> None:
    measured_before(tmp_path)
    before = config.read_text()
    code, printed, _ = talk(
        "calibrate", "--simulated", "--json", "-c", str(config), keys=lambda line: "n" * ("[n]o" in line)
    )
    assert (code, json.loads(printed)["accepted"]) == (0, False)
    assert config.read_text() == before
    assert len(recorded(tmp_path).findings) == len(STEPS)


def test_anew_measures_again_what_was_measured_before(tmp_path: Path, config: Path) -> None:
    measured_before(tmp_path)
    command = ("calibrate", "--simulated", "--json", "-c", str(config))
    code, _, said = talk(*command, "--anew", keys=lambda line: "q" * ("Push the button" in line))
    assert (code, "1/6  The button" in said) == (1, True), said


@pytest.mark.parametrize("named", [False, True], ids=["no file", "a file without a journal"])
def test_of_a_simulated_launcher_nothing_is_kept_unless_a_file_names_a_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    file = tmp_path / "dispenser.toml"
    file.write_text(MINE)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setenv("DISPENSER_CONFIG", str(file))
    command = ("calibrate", "--simulated", "--json", *(("-c", str(file)) if named else ()))
    code, printed, said = talk(*command, keys=lambda line: "sq" * ("Push the" in line))
    assert (code, json.loads(printed)["accepted"], "is kept" in said) == (1, False, False), said
    assert list(tmp_path.iterdir()) == [file]


def test_measurements_that_cannot_be_kept_are_told_before_anything_is_measured(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    config = tmp_path / "dispenser.toml"
    config.write_text(f'[journal]\npath = "{tmp_path}/file/journal.sqlite3"\n')
    code, _, said = talk("calibrate", "--simulated", "--json", "-c", str(config), keys=helpful)
    assert (code, said.count("\n")) == (74, 1), said
    assert "cannot be written" in said
