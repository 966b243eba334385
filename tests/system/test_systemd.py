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
from dispenser.system.install.paths import Paths
from dispenser.system.systemd import PATIENCE_S
from tests.kernel_gpio import Board, Launchers, levels

REPOSITORY = Path(__file__).parents[2]
SYSTEMD = REPOSITORY / "systemd"
UNIT = SYSTEMD / "dispenser.service"
PROGRAMS = "/opt/dispenser/bin/"
HIGHEST_EXPOSURE = 14
"""Tenths, as ``systemd-analyze security`` counts them from 0 (nothing to fear) to 100."""
DESTINATIONS = {
    ".": "/etc/systemd/system/",
    "sysusers.d": "/etc/sysusers.d/",
    "tmpfiles.d": "/etc/tmpfiles.d/",
    "udev": "/etc/udev/rules.d/",
}


def tool(name: str) -> str:
    found = shutil.which(name)
    assert found, f"{name} is missing, which these tests need: 'apt-get install systemd' brings it"
    return found


def settings(key: str) -> list[str]:
    """All values of one key of the unit."""
    return re.findall(rf"^{key}=(.*)$", UNIT.read_text(), re.MULTILINE)


@pytest.fixture
def unit_here(tmp_path: Path) -> Path:
    """The unit, with its programs where this Python has them: systemd looks whether they can be run."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "python").symlink_to(sys.executable)
    (programs / "dispenser").write_text("#!/bin/sh\n")
    (programs / "dispenser").chmod(0o755)
    unit = tmp_path / UNIT.name
    text = UNIT.read_text()
    assert PROGRAMS in text
    unit.write_text(text.replace(PROGRAMS, f"{programs}/"))
    return unit


def verify(unit: Path) -> subprocess.CompletedProcess[str]:
    command = [tool("systemd-analyze"), "verify", "--man=no", "--recursive-errors=one", str(unit)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def exposure(unit: Path, threshold: int) -> subprocess.CompletedProcess[str]:
    command = [
        tool("systemd-analyze"),
        "security",
        "--offline=true",
        f"--threshold={threshold}",
        "--no-pager",
        str(unit),
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_systemd_understands_every_line_of_the_unit(unit_here: Path) -> None:
    verified = verify(unit_here)
    assert (verified.returncode, [line for line in verified.stderr.splitlines() if UNIT.name in line]) == (0, [])


def test_systemd_understands_the_units_beside_it(unit_here: Path) -> None:
    for unit in sorted(SYSTEMD.glob("*.*")):
        if unit != UNIT and unit.is_file():
            (unit_here.parent / unit.name).write_text(unit.read_text().replace(PROGRAMS, f"{unit_here.parent}/bin/"))
    for unit in unit_here.parent.glob("dispenser-*"):
        verified = verify(unit)
        said = [line for line in verified.stderr.splitlines() if "dispenser" in line]
        assert (verified.returncode, said) == (0, []), unit.name


def test_the_service_can_do_little_harm(unit_here: Path) -> None:
    judged = exposure(unit_here, HIGHEST_EXPOSURE)
    assert judged.returncode == 0, judged.stdout


def test_whatever_is_left_open_is_explained(unit_here: Path) -> None:
    listed = exposure(unit_here, HIGHEST_EXPOSURE).stdout.splitlines()
    left_open = [line.split()[1] for line in listed if line.startswith("✗")]
    assert len(left_open) > 5, "systemd-analyze says it in other words now"
    explained = re.findall(r"\w+=", "".join(line for line in UNIT.read_text().splitlines() if line.startswith("#")))
    assert {re.match(r"\w+=", name)[0] for name in left_open} <= set(explained)


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


def test_folders_are_made_and_the_token_is_kept_from_others(tmp_path: Path) -> None:
    me = f"x:{os.getuid()}:{os.getgid()}:::/:"
    (tmp_path / "etc" / "dispenser").mkdir(parents=True)
    (tmp_path / "etc" / "passwd").write_text(f"root:{me}\ndispenser:{me}\n")
    (tmp_path / "etc" / "group").write_text(f"root:x:{os.getgid()}:\ndispenser:x:{os.getgid()}:\n")
    config = tmp_path / SYSTEM_CONFIG.relative_to("/")
    config.write_text("")
    config.chmod(0o644)
    rules = (SYSTEMD / "tmpfiles.d/dispenser.conf").read_text(encoding="utf-8")
    if os.getuid():  # "root" is always user 0, and only root gives files away
        rules = re.sub(r"\broot\b", "dispenser", rules)
    command = [tool("systemd-tmpfiles"), f"--root={tmp_path}", "--create", "-"]
    subprocess.run(command, check=True, input=rules, text=True)
    assert config.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "var/lib/dispenser").stat().st_mode & 0o777 == 0o750


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


def test_nothing_of_the_last_resort_lies_where_an_upgrade_could_break_it() -> None:
    (line,) = settings("ExecStopPost")
    assert line.startswith("-/bin/sh ")
    assert PROGRAMS not in line
    (folder,) = settings("RuntimeDirectory")
    assert settings("WorkingDirectory") == [f"%t/{folder}"]
    assert f"/run/{folder}" == motor_off.SYSTEM_DIRECTORY


def test_a_restart_is_not_tried_where_it_cannot_help() -> None:
    (codes,) = settings("RestartPreventExitStatus")
    assert {int(code) for code in codes.split()} == {failures.UNAVAILABLE, failures.BAD_SETTINGS}


def test_a_stop_is_no_failure() -> None:
    (codes,) = settings("SuccessExitStatus")
    ending = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
    assert {int(code) for code in codes.split()} == {failures.ENDED_BY + number for number in ending}


def test_the_watchdog_is_patient_enough_for_a_beat_a_second() -> None:
    from dispenser.service.launcher_service import REREAD_S

    (seconds,) = settings("WatchdogSec")
    assert float(seconds) >= 5 * REREAD_S
    assert PATIENCE_S >= 5 * REREAD_S
    assert settings("Type") == ["notify"]


def test_the_journal_is_in_the_state_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    (folder,) = settings("StateDirectory")
    monkeypatch.setenv("STATE_DIRECTORY", f"/var/lib/{folder}")
    assert str(state_folder()) == "/var/lib/dispenser"
    for board in (REPOSITORY / "hardware" / "boards").glob("*.toml"):
        assert f'path = "{state_folder()}/dispenser.sqlite3"' in board.read_text()


def test_each_file_is_installed_where_systemd_looks_for_it() -> None:
    files = {str(path.relative_to(SYSTEMD)) for path in SYSTEMD.rglob("*.*") if path.is_file()}
    placed = Paths().system_files(SYSTEMD, serial=True)
    installed = {str(source.relative_to(SYSTEMD)): str(path) for source, path in placed.items()}
    assert installed == {name: DESTINATIONS[str(Path(name).parent)] + Path(name).name for name in files}


def test_the_program_is_installed_where_the_unit_starts_it() -> None:
    assert f"{Paths().home}/bin/" == PROGRAMS
    assert Paths().settings == SYSTEM_CONFIG
    assert str(Paths().state) == f"/var/lib/{settings('StateDirectory')[0]}"
