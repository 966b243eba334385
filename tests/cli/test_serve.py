"""``dispenser run`` and ``dispenser demo`` as whole processes: start, stop, and what they say when they cannot."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from pytest_mock import MockerFixture
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.journal import Journal
from dispenser.web.addresses import reachable
from tests.sampled import sampled

DISPENSER = [sys.executable, "-c", "from dispenser.cli import main; main()"]
PATIENCE_S = 60


@contextmanager
def started(
    *arguments: str, by: Sequence[str] = DISPENSER, door: socket.socket | None = None, **environment: str
) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*by, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
        pass_fds=[door.fileno()] if door else (),
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def page_of(process: subprocess.Popen[str]) -> str:
    """Wait until the page is served; return its address."""
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.match(r"Page: (http://\S+)", line):
            return found[1]
    raise AssertionError(f"no page: {process.stderr.read() if process.stderr else ''}")


def ended(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*DISPENSER, *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("how", sampled([signal.SIGTERM, signal.SIGINT, signal.SIGHUP], 3))
def test_a_signal_ends_the_demo_well_and_the_shell_is_told_which(how: signal.Signals, tmp_path: Path) -> None:
    journal = tmp_path / "evening.sqlite3"
    with started("demo", "--no-browser", "--port", "0", "--journal", str(journal)) as process:
        address = page_of(process)
        body = json.dumps({"id": "one", "cards": 8}).encode()
        urlopen(Request(f"{address}api/v1/eject", body, {"Content-Type": "application/json"}), timeout=PATIENCE_S)
        process.send_signal(how)
        assert process.wait(PATIENCE_S) == 128 + how
    with Journal.read_only(journal) as closed:
        types = [entry.type for entry in closed.read()]
    assert types[-3:] == ["launcher.switched.off", "fairness.revealed", "service.stopped"]
    assert types.count("launcher.burst.ended") == 1


@pytest.mark.long
def test_a_demo_for_the_house_is_the_owners_here_and_for_those_with_the_code_elsewhere() -> None:
    with started("demo", "--lan", "--no-browser", "--port", "0") as process:
        address = page_of(process)
        assert address.startswith("http://127.0.0.1:")
        assert urlopen(f"{address}api/v1/snapshot", timeout=PATIENCE_S).status == 200
        ways = [way for way in reachable() if not way.host.endswith(".local")]
        if not ways:
            assert process.stderr is not None
            assert "No phone can reach" in process.stderr.readline()
            return
        assert process.stdout is not None
        assert ways[0].host in process.stdout.readline()
        for way in ways:
            with pytest.raises(HTTPError, match="401"):
                urlopen(f"{way.url(urlsplit(address).port or 0)}api/v1/snapshot", timeout=PATIENCE_S)
            page = urlopen(way.url(urlsplit(address).port or 0), timeout=PATIENCE_S)
            assert page.url.endswith("/t"), "sent to where one types the code"


AS_SYSTEMD_DOES = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.executable, [sys.executable, "-m", "dispenser", *sys.argv[2:]])
"""
"""A socket that somebody with the privilege has opened."""


@pytest.mark.long
def test_an_address_without_a_port_is_told_where_systemd_has_opened_that_door() -> None:
    with socket.create_server(("0.0.0.0", 0)) as door:
        port = door.getsockname()[1]
        by = [sys.executable, "-c", AS_SYSTEMD_DOES, str(door.fileno())]
        with started("demo", "--lan", "--no-browser", "--port", "0", by=by, door=door) as process:
            assert page_of(process) == f"http://127.0.0.1:{port}/"
            assert urlopen(f"http://127.0.0.1:{port}/api/v1/snapshot", timeout=PATIENCE_S).status == 200


def test_run_without_pins_says_so_and_never_simulates() -> None:
    done = ended("run")
    assert done.returncode == 69
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "no GPIO here" in done.stderr
    assert "dispenser demo" in done.stderr


def test_a_taken_port_is_said_on_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = ended("demo", "--no-browser", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 69
    assert len(done.stderr.splitlines()) == 1
    assert "port" in done.stderr


def test_wrong_settings_are_said_on_one_line_and_nothing_starts(tmp_path: Path) -> None:
    settings = tmp_path / "dispenser.toml"
    settings.write_text("[pins]\nbutton = 27\n")
    for arguments in (["run"], ["demo"], ["config", "check", str(settings)], ["config", "show"]):
        done = ended(*arguments, DISPENSER_CONFIG=str(settings))
        assert done.returncode == 78, arguments
        assert len(done.stderr.splitlines()) == 1
        assert f"{settings}: [pins] button = 27: already used by lid" in done.stderr


@pytest.mark.long
def test_an_unusable_journal_is_a_state_and_not_a_crash(tmp_path: Path) -> None:
    not_a_file = tmp_path / "journal.sqlite3"
    not_a_file.mkdir()
    with started("demo", "--no-browser", "--port", "0", "--journal", str(not_a_file)) as process:
        address = page_of(process)
        snapshot = json.load(urlopen(f"{address}api/v1/snapshot", timeout=PATIENCE_S))
        assert snapshot["state"] == "fault"
        assert str(not_a_file) in snapshot["detail"]
        not_a_file.rmdir()  # now the journal can be made
        while snapshot["state"] != "ready":
            snapshot = json.load(urlopen(f"{address}api/v1/snapshot", timeout=PATIENCE_S))
        process.terminate()
        assert process.wait(PATIENCE_S) == 128 + signal.SIGTERM


def test_a_demo_makes_no_folder_for_its_journal(tmp_path: Path) -> None:
    done = ended("demo", "--no-browser", "--journal", str(tmp_path / "evenings" / "journal.sqlite3"))
    assert done.returncode == 2
    assert "there is no such folder; make it, or name another" in done.stderr
    assert not list(tmp_path.iterdir())


def test_the_settings_shown_give_the_same_settings(tmp_path: Path) -> None:
    shown = ended("config", "show")
    assert shown.returncode == 0
    again = tmp_path / "again.toml"
    again.write_text(shown.stdout)
    assert ended("config", "show", "--config", str(again)).stdout == shown.stdout
    assert ended("config", "check", str(again)).stdout == f"{again}: all right\n"


def test_checking_settings_warns_of_pins_that_config_txt_takes(tmp_path: Path, mocker: MockerFixture) -> None:
    settings, boot = tmp_path / "dispenser.toml", tmp_path / "config.txt"
    settings.write_text("[pins]\nlid = 2\nlight = 8\n")
    boot.write_text("dtparam=i2c_arm=on\ndtparam=audio=on\n")
    mocker.patch("dispenser.drivers.gpio.boot_config.FILES", (boot,))
    checked = CliRunner().invoke(app, ["config", "check", str(settings)])
    assert (checked.exit_code, checked.stdout) == (0, f"{settings}: all right\n")
    assert checked.stderr.startswith("dispenser: warning: GPIO2 (lid) is taken by i2c_arm, line 1 of ")
    assert "light" not in checked.stderr, "the SPI bus is off"
    french = CliRunner().invoke(app, ["config", "check", str(settings)], env={"LC_ALL": "fr_FR.UTF-8"})
    assert "avertissement" in french.stderr
    settings.write_text(settings.read_text() + '[driver]\nkind = "serial"\n')
    assert CliRunner().invoke(app, ["config", "check", str(settings)]).stderr == "", "no pin of a Pi is in use"
    assert json.loads(ended("config", "show", "--json").stdout)["pins"]["button"] == 17


@pytest.mark.long
def test_a_demo_runs_on_a_computer_that_is_no_unix(tmp_path: Path) -> None:
    journal = tmp_path / "evening.sqlite3"
    by = [sys.executable, "-m", "tests.cli.elsewhere"]
    with started("demo", "--no-browser", "--port", "0", "--journal", str(journal), by=by) as process:
        address = page_of(process)
        assert urlopen(address, timeout=PATIENCE_S).status == 200
        body = json.dumps({"id": "one", "cards": 2}).encode()
        urlopen(Request(f"{address}api/v1/eject", body, {"Content-Type": "application/json"}), timeout=PATIENCE_S)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 128 + signal.SIGINT
    with Journal.read_only(journal) as closed:
        types = [entry.type for entry in closed.read()]
    assert (types[0], types[-1]) == ("service.started", "service.stopped")
    assert types.count("launcher.burst.ended") == 1
