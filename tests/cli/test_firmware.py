"""``dispenser firmware``, ``doctor`` and ``run`` with a microcontroller: here a fake one, often on a true port."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli import app
from dispenser.cli.firmware import report, source_folder, watch
from dispenser.config import DriverSettings
from dispenser.doctor import Finding, Status
from dispenser.doctor_serial import look_at_microcontroller
from dispenser.drivers import wire_tables as wire
from dispenser.drivers.serial_link import LinkError, SerialLink
from dispenser.journal import Journal
from tests.cli.test_serve import PATIENCE_S, ended, page_of, started
from tests.conftest import FakeScheduler
from tests.drivers.fake_board import FakeBoard, FakeLink
from tests.drivers.pty_board import PtyBoard


@pytest.fixture
def board(tmp_path: Path) -> Iterator[PtyBoard]:
    with PtyBoard(tmp_path) as board:
        yield board


def dispenser(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


# --- info and monitor ---------------------------------------------------------------------------------------------


def test_info_tells_version_and_dictionary(board: PtyBoard) -> None:
    told = dispenser("firmware", "info", "--port", board.port)
    assert told.exit_code == 0, told.output
    assert "firmware: 1.2.3" in told.output
    assert f"dictionary: {wire.DICTIONARY:08x}" in told.output


def test_info_shows_what_its_sensors_see_in_words(board: PtyBoard) -> None:
    board.do(lambda: board.board.lid(up=True))
    board.do(lambda: board.board.exit(blocked=True))
    time.sleep(0.1)
    told = dispenser("firmware", "info", "--port", board.port).output.splitlines()
    assert {"fits: yes", "lid: open", "exit: blocked", "button: up", "supply: 4.50 V"} < set(told)
    assert not re.search("True|False|None", " ".join(told))


@pytest.mark.parametrize("odds", wire.Odds)
def test_info_shows_the_odds_that_it_plays_with_alone(board: PtyBoard, odds: wire.Odds) -> None:
    board.board.odds = odds
    told = dispenser("firmware", "info", "--port", board.port)
    assert f"odds alone: {odds.name.lower()}" in told.output.splitlines()
    told = dispenser("firmware", "info", "--port", board.port, "--json")
    assert json.loads(told.output)["odds_alone"] == odds.name.lower()


def test_info_as_json(board: PtyBoard) -> None:
    told = json.loads(dispenser("firmware", "info", "--port", board.port, "--json").output)
    assert told["firmware"] == "1.2.3"
    assert told["fits"] is True
    assert (told["reset_cause"], told["board"], told["cell_mv"]) == ("power_on", "host", 4500)


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_firmware_that_does_not_fit_is_shown_and_said_to_be_wrong(board: PtyBoard, options: list[str]) -> None:
    board.board.dictionary ^= 1
    told = dispenser("firmware", "info", "--port", board.port, *options)
    assert told.exit_code == 1
    assert f"{wire.DICTIONARY ^ 1:08x}" in told.output
    if not options:
        assert "dispenser firmware flash" in told.output


def test_no_port_is_said_on_one_line(tmp_path: Path) -> None:
    for command in ("info", "monitor"):
        told = dispenser("firmware", command, "--port", str(tmp_path / "nothing"))
        assert told.exit_code == 69
        assert len(told.output.splitlines()) == 1
        assert "it is not there" in told.output


def test_a_port_that_is_no_path_is_refused() -> None:
    told = dispenser("firmware", "info", "--port", "COM3")
    assert told.exit_code == 2
    assert "/dev/serial/by-id" in told.output


@pytest.mark.parametrize("name", ["/dev/null", "folder", "file"])
def test_what_is_no_serial_port_is_said_to_be_none(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    told = dispenser("firmware", "info", "--port", str(tmp_path / name))
    assert told.exit_code == 69
    assert "it is not a serial port" in told.output
    assert "Errno" not in told.output


def test_monitor_says_when_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    link = FakeLink(FakeBoard(FakeScheduler()))
    link.open()
    link.mute = True
    lines = watch(link)
    assert "38400" in next(lines)
    link.mute = False
    assert "at rest" in next(lines)


def test_monitor_of_a_pulled_plug_ends_with_one_clear_line(board: PtyBoard) -> None:
    with started("firmware", "monitor", "--port", board.port) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert "at rest" in process.stdout.readline()
        board.unplug()
        assert process.wait(PATIENCE_S) == 69
        assert process.stderr is not None
        (line,) = process.stderr.read().splitlines()
    assert "plug was pulled" in line
    assert "device" not in line


def test_help_names_every_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """In square brackets a word would be taken for a style, and vanish."""
    monkeypatch.setenv("COLUMNS", "200")
    for words in (["run"], ["doctor"], ["firmware", "info"]):
        told = dispenser(*words, "--help").output
        assert "else as the settings say" in told, words


def test_monitor_tells_what_changes_and_takes_no_session() -> None:
    scheduler = FakeScheduler()
    board = FakeBoard(scheduler)
    link = FakeLink(board)
    link.open()
    lines = watch(link)
    assert next(lines).endswith("at rest; 0 presses, 0 cards, 0 times lid up; no run; odds toy; 4.5 V")
    board.lid(up=True)
    assert "lid open; 0 presses, 0 cards, 1 times lid up" in next(lines)
    board.press()
    board.exit(blocked=True)
    assert "lid open, exit blocked" in next(lines)
    assert not board.hosted
    assert board.alone_presses == 1
    board.odds = wire.Odds.COUNTDOWN
    assert "odds countdown" in next(lines)


def test_a_report_tells_runs_and_latches() -> None:
    board = FakeBoard(FakeScheduler())
    board.latches = wire.Latch.HOST_SILENT
    board.run_kind, board.run_end = wire.RunKind.FEED, wire.FeedEnd.STOPPED
    assert "feed stopped, locked: host silent" in report(board.state())


# --- build and flash: the true Makefile is tried by the tests of the firmware; here a small one -----------------------


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Makefile that writes down what it is asked; avr-gcc and avrdude need not be there."""
    folder = tmp_path / "firmware"
    folder.mkdir()
    note = "@echo $@ CLOCK=$(CLOCK) PORT=$(PORT) >> asked"
    (folder / "Makefile").write_text(
        f"BAUD := $(if $(CLOCK),38400,115200)\nall size flash:\n\t{note}\nbaud:\n\t@echo $(BAUD)\n"
    )
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("avr-gcc", "avrdude"):
        (tools / tool).write_text("#!/bin/sh\n")
        (tools / tool).chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    return folder


def asked(source: Path) -> list[str]:
    return (source / "asked").read_text().splitlines()


def test_build_builds_and_tells_the_size(source: Path) -> None:
    done = dispenser("firmware", "build", "CLOCK=8", "--source", str(source))
    assert done.exit_code == 0, done.output
    assert asked(source) == ["all CLOCK=8 PORT=", "size CLOCK=8 PORT="]


def test_flash_writes_to_the_port_and_asks_who_is_there(source: Path, board: PtyBoard) -> None:
    done = dispenser("firmware", "flash", "--port", board.port, "--source", str(source))
    assert done.exit_code == 0, done.output
    assert asked(source) == [f"flash CLOCK= PORT={board.port}"]
    assert "firmware: 1.2.3" in done.output
    assert "baud" not in done.output


def test_flash_asks_as_fast_as_the_firmware_was_built_to_speak(
    source: Path, board: PtyBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_at = []
    link = SerialLink

    def note_baud(port: str, baud: int) -> SerialLink:
        asked_at.append(baud)
        return link(port, baud)

    monkeypatch.setattr("dispenser.drivers.serial_link.SerialLink", note_baud)
    done = dispenser("firmware", "flash", "CLOCK=8", "--port", board.port, "--source", str(source))
    assert done.exit_code == 0, done.output
    assert asked_at[-1] == 38400
    assert "baud = 38400 under [driver]" in done.output


@pytest.mark.parametrize("word", ["clean", "-n", "BRIDGE:=0", "8"])
def test_what_is_no_option_is_refused(source: Path, word: str) -> None:
    done = dispenser("firmware", "build", "--source", str(source), "--", word)
    assert done.exit_code == 2
    assert "NAME=VALUE" in done.output
    assert not (source / "asked").exists()


def test_the_true_makefile_refuses_an_option_it_does_not_know() -> None:
    done = dispenser("firmware", "build", "BRIGDE=0")
    assert done.exit_code == 1


def test_flash_does_not_write_into_a_running_launchers_line(source: Path, board: PtyBoard) -> None:
    launcher = SerialLink(board.port)
    launcher.open()
    done = dispenser("firmware", "flash", "--port", board.port, "--source", str(source))
    launcher.close()
    assert done.exit_code == 69
    assert "another program uses it" in done.output
    assert not (source / "asked").exists()


def test_a_make_that_fails_is_said(source: Path) -> None:
    (source / "Makefile").write_text("all:\n\t@false\n")
    done = dispenser("firmware", "build", "--source", str(source))
    assert done.exit_code == 1
    assert "failed" in done.output


def test_without_the_sources_it_says_where_they_should_be(tmp_path: Path) -> None:
    done = dispenser("firmware", "build", "--source", str(tmp_path))
    assert done.exit_code == 69
    assert str(tmp_path) in done.output


def test_the_sources_beside_the_program_are_found() -> None:
    assert (source_folder(None) / "wire" / "messages.toml").exists()


def test_missing_tools_are_named_with_their_packages(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(source))
    done = dispenser("firmware", "build", "--source", str(source))
    assert done.exit_code == 69
    assert "make, avr-gcc missing: sudo apt install make gcc-avr avr-libc" in done.output
    assert "avrdude" not in done.output, "nobody needs it to build"


# --- doctor -------------------------------------------------------------------------------------------------------


def findings(board: FakeBoard, link: FakeLink | None = None, *, runs: bool = False) -> dict[str, Finding]:
    line = link or FakeLink(board)
    return {found.check: found for found in look_at_microcontroller(lambda: line, runs=runs)}


@pytest.fixture
def fake() -> FakeBoard:
    return FakeBoard(FakeScheduler())


def test_the_doctor_finds_a_healthy_microcontroller_and_leaves_it_alone(fake: FakeBoard) -> None:
    found = findings(fake)
    assert list(found) == ["line", "firmware", "start", "lid", "button", "exit", "cells"]
    assert {finding.status for finding in found.values()} == {Status.GOOD}
    assert "1.2.3" in found["firmware"].text
    assert f"{wire.DICTIONARY:08x}" in found["firmware"].text
    fake.scheduler.run_for(0.1)
    assert not fake.hosted
    assert fake.starts == []
    assert not fake.light


def test_the_doctor_tells_what_is_not_at_rest(fake: FakeBoard) -> None:
    fake.lid(up=True)
    fake.exit(blocked=True)
    fake.button_down = True
    found = findings(fake)
    assert [found[name].status for name in ("lid", "button", "exit")] == [Status.NOTE] * 3
    assert all(found[name].remedy for name in ("lid", "button", "exit"))


def test_the_doctor_knows_a_launcher_without_exit_sensor(fake: FakeBoard) -> None:
    fake.capabilities = wire.Capability.RETRACT
    assert "not counted" in findings(fake)["exit"].text


def test_doctor_and_info_tell_of_a_lock_and_leave_it(board: PtyBoard, fake: FakeBoard) -> None:
    fake.latches = wire.Latch.WATCHDOG
    assert findings(fake)["motor"].status is Status.WRONG
    assert fake.latches == wire.Latch.WATCHDOG
    board.board.latches = wire.Latch.MOTOR_GUARD
    assert "motor: locked: motor guard" in dispenser("firmware", "info", "--port", board.port).output
    assert board.board.latches == wire.Latch.MOTOR_GUARD


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (wire.ResetCause.BROWN_OUT, "voltage"),
        (wire.ResetCause.WATCHDOG, "hung"),
        (wire.ResetCause.UNKNOWN, "boot loaders hide it"),
    ],
)
def test_the_doctor_tells_of_a_bad_start(fake: FakeBoard, cause: wire.ResetCause, words: str) -> None:
    fake.reboot(cause)
    found = findings(fake)["start"]
    assert found.status is Status.NOTE
    assert words in found.text


def test_the_doctor_tells_of_another_firmware(fake: FakeBoard) -> None:
    fake.dictionary ^= 1
    found = findings(fake)
    assert found["firmware"].status is Status.WRONG
    assert "dispenser firmware flash" in found["firmware"].text
    assert "lid" not in found


def test_the_doctor_tells_when_nobody_answers(fake: FakeBoard) -> None:
    link = FakeLink(fake)
    link.mute = True
    found = findings(fake, link)
    assert found["firmware"].status is Status.WRONG
    assert "does not answer" in found["firmware"].text


def test_the_doctor_tells_of_a_missing_line(fake: FakeBoard) -> None:
    link = FakeLink(fake)
    link.unplug()
    found = findings(fake, link)
    assert list(found) == ["line"]
    assert found["line"].status is Status.WRONG


def test_the_doctor_leaves_a_running_launcher_alone(fake: FakeBoard) -> None:
    link = FakeLink(fake)
    found = findings(fake, link, runs=True)
    assert list(found) == ["line"]
    assert link.opens == 0


@pytest.mark.parametrize(("cell_mv", "status"), [(3000, Status.NOTE), (0, Status.NOTE), (4400, Status.GOOD)])
def test_low_cells_are_noted(fake: FakeBoard, cell_mv: int, status: Status) -> None:
    fake.cell_mv = cell_mv
    assert findings(fake)["cells"].status is status


def test_doctor_on_the_command_line(board: PtyBoard, tmp_path: Path) -> None:
    settings = tmp_path / "dispenser.toml"
    settings.write_text(f'[journal]\npath = "{tmp_path / "j.sqlite3"}"\n[web]\nport = 1\n')
    done = dispenser("doctor", "--json", "--config", str(settings), "--driver", "serial", "--serial-port", board.port)
    found = {finding["check"]: finding for finding in json.loads(done.output)["findings"]}
    assert found["firmware"]["status"] == "good"
    assert "1.2.3" in found["firmware"]["text"]
    assert "pins" not in found


# --- run ----------------------------------------------------------------------------------------------------------


def test_run_without_a_microcontroller_says_so_and_never_simulates(tmp_path: Path) -> None:
    done = ended("run", "--driver", "serial", "--serial-port", str(tmp_path / "nothing"))
    assert done.returncode == 69
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "it is not there" in done.stderr
    assert "Traceback" not in done.stderr


def test_run_with_another_firmware_says_what_to_do(board: PtyBoard) -> None:
    board.board.dictionary ^= 1
    done = ended("run", "--driver", "serial", "--serial-port", board.port)
    assert done.returncode == 69
    assert "dispenser firmware flash" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_evening_on_a_microcontroller_with_a_pulled_cable(board: PtyBoard, tmp_path: Path) -> None:
    """The whole program over a serial line: cards leave, the cable is pulled and plugged in, the journal tells."""
    journal = tmp_path / "evening.sqlite3"
    settings = tmp_path / "dispenser.toml"
    settings.write_text(
        f'[driver]\nkind = "serial"\nport = "{board.port}"\n[journal]\npath = "{journal}"\n[web]\nport = 0\n'
    )
    with started("run", "--config", str(settings)) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Firmware of the microcontroller: 1.2.3 on host, dictionary ")
        address = page_of(process)

        def get() -> dict[str, object]:
            answer: dict[str, object] = json.load(urlopen(f"{address}api/v1/snapshot", timeout=PATIENCE_S))
            return answer

        def post(path: str, **body: object) -> None:
            data = json.dumps(body).encode()
            urlopen(
                Request(f"{address}api/v1/{path}", data, {"Content-Type": "application/json"}), timeout=PATIENCE_S
            ).read()

        def wait_for(state: str) -> None:
            end = time.monotonic() + PATIENCE_S
            while get()["state"] != state:
                assert time.monotonic() < end, f"it is {get()}"
                time.sleep(0.05)

        post("eject", id="one", cards=4)
        wait_for("ready")
        board.unplug()
        wait_for("fault")
        assert "USB cable" in str(get()["detail"])
        board.plug()
        end = time.monotonic() + PATIENCE_S
        while get()["state"] == "fault" and time.monotonic() < end:
            post("reset", id=uuid.uuid4().hex)
            time.sleep(0.2)
        assert get()["state"] == "ready"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
    with Journal.read_only(journal) as closed:
        entries = list(closed.read())
    (burst,) = [entry.data for entry in entries if entry.type == "launcher.burst.ended"]
    assert (burst["planned"], burst["delivered"], burst["cause"]) == (4, 4, "complete")
    assert [entry.data["new"] for entry in entries if entry.type == "launcher.state.changed"][-3:] == [
        "fault",
        "ready",
        "off",
    ]


def test_a_locked_motor_is_a_fault_at_the_start_until_a_person_resets(board: PtyBoard, tmp_path: Path) -> None:
    """It hung in a run before this program was started: nobody else would tell, and nothing else may unlock it."""
    board.board.latches = wire.Latch.WATCHDOG
    settings = tmp_path / "dispenser.toml"
    settings.write_text(
        f'[driver]\nkind = "serial"\nport = "{board.port}"\n'
        f'[journal]\npath = "{tmp_path / "j.sqlite3"}"\n[web]\nport = 0\n'
    )
    with started("run", "--config", str(settings)) as process:
        url = page_of(process).rstrip("/")
        refused = dispenser("press", "--url", url, "--cards", "2")
        assert refused.exit_code == 1
        assert "the motor is off" in refused.output
        assert board.board.latches == wire.Latch.WATCHDOG
        assert "Done: ready." in dispenser("reset", "--url", url).output
        assert "Two cards!" in dispenser("press", "--url", url, "--cards", "2").output
        assert board.board.latches == wire.Latch(0)
    with Journal.read_only(tmp_path / "j.sqlite3") as closed:
        faults = [entry.data["detail"] for entry in closed.read() if entry.data.get("new") == "fault"]
    assert "hung, or something reset it" in faults[0]


def test_without_a_page_the_terminal_tells_of_a_fault_and_its_detail(board: PtyBoard, tmp_path: Path) -> None:
    settings = tmp_path / "dispenser.toml"
    settings.write_text(f'[journal]\npath = "{tmp_path / "j.sqlite3"}"\n')
    with started(
        *("run", "--no-web", "--config", str(settings), "--driver", "serial", "--serial-port", board.port)
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        while "ready" not in process.stdout.readline():
            assert process.poll() is None
        board.unplug()
        line = process.stderr.readline()
    assert "NOT ready" in line
    assert "plug was pulled" in line
    assert "dispenser reset" in line


# --- settings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("kind", "usb", 'use "gpio" or "serial"'),
        ("port", "COM3", "whole path"),
        ("baud", 300, "9600"),
    ],
)
def test_settings_that_cannot_work_are_refused(key: str, value: object, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        DriverSettings(**{key: value})


def test_an_error_of_the_line_is_an_os_error() -> None:
    assert issubclass(LinkError, OSError)
