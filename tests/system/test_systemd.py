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


# --- what systemd says of them ---


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


def test_no_phone_can_start_a_launcher_that_was_stopped() -> None:
    door = (SYSTEMD / "dispenser-page.socket").read_text()
    assert "\nBindsTo=dispenser.service\n" in door, "a socket starts its service, but for one that goes with it"


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


@pytest.mark.parametrize("number", [20, 1018])
def test_groups_that_are_there_stay_as_they_are_and_nothing_warns(tmp_path: Path, number: int) -> None:
    """Debian's own line for the group has a number, and is read with ours at each start of the computer."""
    folder = tmp_path / "etc/sysusers.d"
    folder.mkdir(parents=True)
    (folder / "basic.conf").write_text("g dialout 20 -\n")
    (folder / "dispenser.conf").write_bytes((SYSTEMD / "sysusers.d/dispenser.conf").read_bytes())
    (tmp_path / "etc/group").write_text(f"root:x:0:\ndialout:x:{number}:pi\n")
    made = subprocess.run([tool("systemd-sysusers"), f"--root={tmp_path}"], capture_output=True, text=True, check=True)
    said = (made.stdout + made.stderr).splitlines()
    assert [line for line in said if not line.startswith("Creating ")] == []
    assert f"dialout:x:{number}:dispenser,pi" in (tmp_path / "etc/group").read_text().splitlines()


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


def test_the_udev_rule_gives_the_chips_to_the_group() -> None:
    rule = (SYSTEMD / "udev/60-dispenser-gpio.rules").read_text().splitlines()[-1]
    parts = dict(re.findall(r'(\w+)==?"([^"]+)"', rule))
    assert parts == {"SUBSYSTEM": "gpio", "KERNEL": "gpiochip*", "GROUP": "gpio", "MODE": "0660"}


def test_a_board_that_is_plugged_in_late_starts_the_service() -> None:
    rule = (SYSTEMD / "udev/61-dispenser-serial.rules").read_text().splitlines()[-1]
    parts = dict(re.findall(r'([\w{}]+)[=+]=?"([^"]+)"', rule))
    assert parts["SUBSYSTEM"] == "tty"
    assert parts["KERNEL"] == "ttyACM*|ttyUSB*"
    assert parts["TAG"] == "systemd"
    assert parts["ENV{SYSTEMD_WANTS}"] == UNIT.name
    assert parts["ENV{ID_MM_DEVICE_IGNORE}"] == "1"


# --- what the program says of them ---


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


def test_the_motor_is_turned_off_when_something_of_the_launcher_hangs_on(
    board: Board, runtime: Path, launchers: Launchers
) -> None:
    launcher = launchers.start()
    launcher.send_signal(signal.SIGSTOP)
    assert after_the_end(runtime, board).returncode == 0
    assert launcher.wait() == -signal.SIGKILL
    assert levels(board) == [0, 0, 0]


def test_after_a_good_end_there_is_nothing_to_turn_off_and_nothing_to_say(board: Board, runtime: Path) -> None:
    done = after_the_end(runtime, board)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_nothing_of_the_last_resort_lies_where_an_upgrade_could_break_it() -> None:
    (line,) = settings("ExecStopPost")
    assert line.startswith("-/bin/sh ")
    assert PROGRAMS not in line
    (folder,) = settings("RuntimeDirectory")
    assert settings("WorkingDirectory") == [f"%t/{folder}"]
    assert f"/run/{folder}" == motor_off.SYSTEM_DIRECTORY


def test_it_is_started_again_however_often_it_fails() -> None:
    assert settings("StartLimitIntervalSec") == ["0"]
    assert settings("Restart") == ["on-failure"]


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


def test_neither_pins_nor_a_microcontroller_are_hidden_from_the_service() -> None:
    assert settings("DeviceAllow") == ["char-gpiochip rw", "char-ttyACM rw", "char-ttyUSB rw"]
    assert settings("PrivateDevices") == settings("ProcSubset") == []
    assert "m dispenser dialout" in (SYSTEMD / "sysusers.d/dispenser.conf").read_text().splitlines()


def test_the_journal_is_in_the_state_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    (folder,) = settings("StateDirectory")
    monkeypatch.setenv("STATE_DIRECTORY", f"/var/lib/{folder}")
    assert str(state_folder()) == "/var/lib/dispenser"
    for board in (REPOSITORY / "hardware" / "boards").glob("*.toml"):
        assert f'path = "{state_folder()}/dispenser.sqlite3"' in board.read_text()


# --- where the installation puts them ---


def test_each_file_is_installed_where_systemd_looks_for_it() -> None:
    files = {str(path.relative_to(SYSTEMD)) for path in SYSTEMD.rglob("*.*") if path.is_file()}
    placed = Paths().system_files(SYSTEMD, serial=True)
    installed = {str(source.relative_to(SYSTEMD)): str(path) for source, path in placed.items()}
    assert installed == {name: DESTINATIONS[str(Path(name).parent)] + Path(name).name for name in files}


def test_the_program_is_installed_where_the_unit_starts_it() -> None:
    assert f"{Paths().home}/bin/" == PROGRAMS
    assert Paths().settings == SYSTEM_CONFIG
    assert str(Paths().state) == f"/var/lib/{settings('StateDirectory')[0]}"
