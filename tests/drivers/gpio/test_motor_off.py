"""The motor is turned off from outside, whatever the launcher left behind, and whatever else is broken."""

from __future__ import annotations

import resource
import shutil
import signal
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from dispenser import motor_off
from tests.kernel_gpio import LABEL, PATIENCE_S, ROOT, Board, Launchers, bare_python, levels
from tests.kernel_gpio.launcher import MOTOR

SCRIPT = ROOT / "dispenser" / "motor_off.py"
ENABLE = MOTOR["motor_enable"]


def last_resort(
    board: Board,
    runtime: Path,
    *arguments: str,
    script: Path = SCRIPT,
    wrapped_in: tuple[str, ...] = (),
    **options: object,
) -> subprocess.CompletedProcess[str]:
    """As systemd runs it: with nothing of this project and nothing that is installed."""
    env = board.environment(RUNTIME_DIRECTORY=str(runtime))
    only_python = f"LD_PRELOAD={env.pop('LD_PRELOAD')}"  # and not what makes its world
    command = [*wrapped_in, "env", only_python, *bare_python(str(script), *arguments)]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=PATIENCE_S, **options)  # type: ignore[call-overload, no-any-return]


def asked(board: Board) -> list[str]:
    return [record.what for record in board.log()]


OFF = [
    *(f"output {offset} 0" for offset in MOTOR.values()),
    *(what for offset in MOTOR.values() for what in (f"input {offset} d", f"close {offset}")),
]
"""Low first, enable before the others, and only when all are low does the first become an input."""


# --- whatever became of the launcher ---


def test_after_a_crash_every_line_goes_low_enable_first_and_is_let_go_as_an_input(
    board: Board, runtime: Path, launchers: Launchers
) -> None:
    launchers.crash()
    assert levels(board) == [1, 1, 1], "the motor runs on"
    board.clear_log()
    done = last_resort(board, runtime)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "dispenser.motor_off: the motor is off: motor_enable, motor_forward, motor_backward\n"
    assert levels(board) == [0, 0, 0]
    assert asked(board) == OFF


@pytest.mark.parametrize("lines", [1, 3])
def test_a_launcher_that_hangs_is_ended_only_when_that_is_asked_for(
    board: Board, runtime: Path, launchers: Launchers, lines: int
) -> None:
    launcher = launchers.start(lines)
    launcher.send_signal(signal.SIGSTOP)
    told = last_resort(board, runtime)
    assert told.returncode == 69
    assert "the launcher still runs and holds it" in told.stderr
    assert told.stderr.count("(line ") == told.stderr.count("\n") == lines
    assert "--kill" in told.stderr
    assert launcher.poll() is None
    done = last_resort(board, runtime, "--kill")
    assert done.returncode == 0, done.stderr
    assert "the launcher held the motor's lines and was ended" in done.stdout
    assert launcher.wait(PATIENCE_S) == -signal.SIGKILL
    assert levels(board) == [0, 0, 0]


def test_another_program_that_holds_a_line_is_not_ended_and_keeps_no_other_from_going_low(
    board: Board, runtime: Path, launchers: Launchers, tmp_path: Path
) -> None:
    """Only who has locked the note is ever ended: not one that left another note."""
    launchers.crash()
    (tmp_path / "elsewhere").mkdir()
    other = Launchers(board, tmp_path / "elsewhere")
    try:
        process = other.start(1)
        told = last_resort(board, runtime, "--kill")
        assert process.poll() is None
    finally:
        other.end()
    assert told.returncode == 69
    assert told.stderr == (
        f"dispenser.motor_off: motor_enable (line {ENABLE}) cannot be turned off: another program "
        "holds it ('gpioinfo' shows which). End that program\n"
    )
    assert levels(board) == [1, 0, 0]


# --- whatever else is broken ---


def test_nothing_is_opened_for_writing_and_nothing_is_left_behind(
    board: Board, runtime: Path, launchers: Launchers, tmp_path: Path
) -> None:
    launchers.crash()
    board.clear_log()
    before = sorted(tmp_path.rglob("*"))
    no_byte = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (0, 0))
    assert last_resort(board, runtime, cwd=runtime, preexec_fn=no_byte).returncode == 0
    assert sorted(tmp_path.rglob("*")) == before
    assert asked(board) == OFF, "a file opened for writing would be among them"


def test_the_copy_beside_the_note_needs_no_package_and_no_environment(
    board: Board, runtime: Path, launchers: Launchers, tmp_path: Path
) -> None:
    launchers.crash()
    alone = tmp_path / "alone"
    shutil.copytree(runtime, alone)
    command = bare_python(str(alone / motor_off.COPY))
    done = subprocess.run(command, env=board.environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert levels(board) == [0, 0, 0]


def test_nothing_that_is_installed_is_imported(runtime: Path) -> None:
    """Not even found: ``-S`` leaves site-packages out, and only a few modules of Python itself are wanted."""
    command = bare_python("-X", "importtime", str(SCRIPT))
    env = {"RUNTIME_DIRECTORY": str(runtime)}
    seen = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stderr
    modules = {line.rsplit("|", 1)[1].strip() for line in seen.splitlines()}
    assert {"fcntl", "struct"} <= modules
    slow = {"argparse", "asyncio", "contextlib", "dataclasses", "json", "pathlib", "re", "site", "typing"}
    assert not modules & slow
    assert not {name for name in modules if name.partition(".")[0] in {"dispenser", "gpiozero", "lgpio", "typer"}}


# --- chips ---


@pytest.mark.parametrize("gone", [True, False])
def test_no_line_of_another_chip_is_ever_driven(board: Board, runtime: Path, launchers: Launchers, gone: bool) -> None:
    launchers.crash()
    (board.folder / "gpiochip0").unlink()
    if not gone:
        (board.folder / "gpiochip0").write_text("HAT")
    board.clear_log()
    told = last_resort(board, runtime)
    assert told.returncode == 69
    assert ("No such file" if gone else f"is a HAT, and was a {LABEL}") in told.stderr
    assert "/dev/gpiochip0" in told.stderr
    assert asked(board) == []


# --- notes ---


def test_without_a_note_there_is_nothing_to_do(board: Board, runtime: Path) -> None:
    done = last_resort(board, runtime)
    assert (done.returncode, done.stderr) == (0, "")
    assert "nothing to do" in done.stdout
    assert asked(board) == []


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("/dev/gpiochip0", "/dev/watchdog"),
        ("25 motor_enable", "25"),
        ("25 motor", "x motor"),
        ("25 motor", "-1 motor"),
        ("25 motor", "9999999999 motor"),
    ],
)
def test_a_note_that_makes_no_sense_is_refused(
    board: Board, runtime: Path, launchers: Launchers, word: str, other: str
) -> None:
    launchers.crash()
    note = runtime / motor_off.NOTE
    note.write_text(note.read_text().replace(word, other))
    board.clear_log()
    told = last_resort(board, runtime)
    assert told.returncode == 69
    assert f"by the note {note}" in told.stderr
    assert asked(board) == []


# --- the command ---


def test_help_says_what_it_does_and_an_unknown_option_is_refused(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    ask: Callable[..., int] = motor_off.main
    monkeypatch.setattr(motor_off, "obey", lambda *_, **__: pytest.fail("no motor is touched"))
    assert ask(["--help"]) == 0
    assert "Turn the motor off after the launcher's process has ended" in capfd.readouterr().out
    assert ask(["--config", "x"]) == 2
    assert "there is no --config; see --help" in capfd.readouterr().err
