"""The units say what the program understands, systemd understands the units, and we speak systemd's protocol."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dispenser import motor_off
from dispenser.cli import app, failures
from dispenser.service.settings import SYSTEM_CONFIG, state_folder
from dispenser.system.systemd import EXTEND_TIMEOUT_S
from tests.kernel_gpio import Board, Launchers, levels

REPOSITORY = Path(__file__).parents[2]
SYSTEMD = REPOSITORY / "systemd"
UNIT = SYSTEMD / "dispenser.service"
PROGRAMS = "/opt/dispenser/bin/"
_EXIT_CODES = ("SuccessExitStatus", "RestartPreventExitStatus")
HIGHEST_EXPOSURE = 15
"""Tenths, as ``systemd-analyze security`` counts them from 0 (nothing to fear) to 100."""


def tool(name: str) -> str:
    found = shutil.which(name)
    assert found, f"{name} is missing, which these tests need: 'apt-get install systemd' brings it"
    return found


def settings(key: str) -> list[str]:
    """All values of one key of the unit."""
    return re.findall(rf"^{key}=(.*)$", UNIT.read_text(), re.MULTILINE)


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The units, with programs that are there: systemd looks whether they can be run."""
    (tmp_path / "bin").mkdir()
    for name in ("dispenser", "python"):
        (tmp_path / "bin" / name).symlink_to(sys.executable)
    for unit in SYSTEMD.glob("dispenser*"):
        (tmp_path / unit.name).write_text(unit.read_text().replace(PROGRAMS, f"{tmp_path}/bin/"))
    return tmp_path


def analyze(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([tool("systemd-analyze"), *command], capture_output=True, text=True, check=False)


def test_systemd_understands_every_line_of_the_units(units: Path) -> None:
    for unit in units.glob("dispenser*"):
        verified = analyze("verify", "--man=no", "--recursive-errors=one", unit)
        said = [line for line in verified.stderr.splitlines() if "dispenser" in line]
        assert (verified.returncode, said) == (0, []), unit.name


def test_the_service_can_do_little_harm_and_what_is_left_open_is_explained(units: Path) -> None:
    judged = analyze("security", "--offline=true", f"--threshold={HIGHEST_EXPOSURE}", "--no-pager", units / UNIT.name)
    assert judged.returncode == 0, judged.stdout
    left_open = [line.split()[1] for line in judged.stdout.splitlines() if line.startswith("✗")]
    assert len(left_open) > 5, "systemd-analyze says it in other words now"
    explained = re.findall(r"\w+=", "".join(line for line in UNIT.read_text().splitlines() if line.startswith("#")))
    assert {re.match(r"\w+=", name)[0] for name in left_open} <= set(explained)


def test_folders_are_made_and_the_token_is_kept_from_others(tmp_path: Path) -> None:
    config = tmp_path / SYSTEM_CONFIG.relative_to("/")
    config.parent.mkdir(parents=True)
    config.touch(0o644)
    (tmp_path / "etc/passwd").write_text(f"dispenser:x:{os.getuid()}:{os.getgid()}:::/:\n")
    (tmp_path / "etc/group").write_text(f"dispenser:x:{os.getgid()}:\n")
    rules = (SYSTEMD / "tmpfiles.d/dispenser.conf").read_text(encoding="utf-8")
    if os.getuid():  # "root" is always user 0, and only root gives files away
        rules = re.sub(r"\broot\b", "dispenser", rules)
    subprocess.run(
        [tool("systemd-tmpfiles"), f"--root={tmp_path}", "--create", "-"], check=True, input=rules, text=True
    )
    assert config.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "var/lib/dispenser").stat().st_mode & 0o777 == 0o750


def test_the_user_and_its_right_to_the_pins_are_made(tmp_path: Path) -> None:
    command = [tool("systemd-sysusers"), f"--root={tmp_path}", "--dry-run", str(SYSTEMD / "sysusers.d/dispenser.conf")]
    made = subprocess.run(command, capture_output=True, text=True, check=True)
    said = made.stdout + made.stderr
    assert "Creating group 'gpio'" in said
    assert "Creating user 'dispenser'" in said
    assert settings("User") == settings("Group") == ["dispenser"]
    assert settings("SupplementaryGroups") == [], "it is in these groups already"
    assert "m dispenser gpio" in (SYSTEMD / "sysusers.d/dispenser.conf").read_text().splitlines()
    assert "Creating group 'dialout'" in said, "who owns the serial ports on Debian"


def test_the_command_line_is_one_that_the_program_knows() -> None:
    (line,) = settings("ExecStart")
    program, command, *arguments = shlex.split(line)
    assert program == f"{PROGRAMS}dispenser"
    help_ = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"})
    assert help_.exit_code == 0
    for option in (argument for argument in arguments if argument.startswith("-")):
        assert re.search(rf"(?<!\S){re.escape(option.split('=')[0])}(?=[\s,])", help_.stdout), f"run knows no {option}"


def after_the_end(runtime: Path, board: Board) -> subprocess.CompletedProcess[str]:
    """What systemd runs then, where it runs it."""
    (line,) = settings("ExecStopPost")
    command = shlex.split(line.removeprefix("-"))
    env = board.environment(RUNTIME_DIRECTORY=str(runtime))
    return subprocess.run(command, cwd=runtime, env=env, capture_output=True, text=True, check=False)


def test_the_motor_is_turned_off_after_a_crash_and_the_note_of_its_pins_stays(
    board: Board, runtime: Path, launchers: Launchers
) -> None:
    launchers.crash()
    assert levels(board) == [1, 1, 1]
    done = after_the_end(runtime, board)
    assert (done.returncode, done.stderr) == (0, "")
    assert levels(board) == [0, 0, 0]
    assert settings("RuntimeDirectoryPreserve") == ["yes"]
    assert sorted(path.name for path in runtime.iterdir()) == [motor_off.NOTE, motor_off.COPY]


def test_an_end_is_told_from_a_failure_and_a_failure_from_what_no_restart_mends() -> None:
    ends, hopeless = ({int(code) for code in settings(key)[0].split()} for key in _EXIT_CODES)
    assert ends == {failures.ENDED_BY + number for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)}
    assert hopeless == {failures.UNAVAILABLE, failures.BAD_SETTINGS}
    assert settings("Restart") == ["on-failure"]
    assert settings("StartLimitIntervalSec") == ["0"], "however often it fails"


def test_the_watchdog_is_patient_enough_for_a_beat_a_second() -> None:
    from dispenser.service.launcher_service import REREAD_S

    (seconds,) = settings("WatchdogSec")
    assert float(seconds) >= 5 * REREAD_S
    assert EXTEND_TIMEOUT_S >= 5 * REREAD_S
    assert settings("Type") == ["notify"]


def test_the_journal_is_in_the_state_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    (folder,) = settings("StateDirectory")
    monkeypatch.setenv("STATE_DIRECTORY", f"/var/lib/{folder}")
    assert str(state_folder()) == "/var/lib/dispenser"
    for board in (REPOSITORY / "hardware" / "boards").glob("*.toml"):
        assert f'path = "{state_folder()}/dispenser.sqlite3"' in board.read_text()
