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
from typing import IO
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from pytest_mock import MockerFixture
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.client import LauncherClient
from dispenser.journal import Journal
from dispenser.launcher.commands import Eject
from dispenser.web.addresses import reachable

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


def page_of(process: subprocess.Popen[str], told: IO[str] | None = None) -> str:
    """Wait until the page is served; return its address, which stands on standard output unless told otherwise."""
    for line in told or process.stdout or ():
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


NO_UNIX = [sys.executable, "-m", "tests.cli.elsewhere"]


def test_ctrl_c_ends_the_demo_well_on_a_computer_that_is_no_unix(tmp_path: Path) -> None:
    """Signals elsewhere: ``tests/system/test_signals.py``."""
    journal = tmp_path / "evening.sqlite3"
    with started("demo", "--no-browser", "--port", "0", "--journal", str(journal), by=NO_UNIX) as process:
        address = page_of(process)
        assert urlopen(address, timeout=PATIENCE_S).status == 200
        LauncherClient(address).send(Eject(8))
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 128 + signal.SIGINT
    with Journal.read_only(journal) as closed:
        types = [record.type for record in closed.read()]
    assert (types[0], types[-1]) == ("service.started", "service.stopped")
    assert {"launcher.switched.off", "fairness.revealed"} <= set(types[-3:])
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


def test_what_cannot_start_says_why_on_one_line_and_simulates_nothing(tmp_path: Path) -> None:
    other = tmp_path / "three.py"
    other.write_text("pause()\n" * 10)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for words, code, why in (
            (["run"], 69, "no GPIO here"),
            (["demo", "--port", str(taken.getsockname()[1])], 69, "port"),
            (
                ["demo", "--journal", str(tmp_path / "evenings" / "journal.sqlite3")],
                2,
                "there is no such folder; make it",
            ),
            (["demo", "--journal", str(other)], 2, "this file is not a journal"),
            (["demo", "--journal", "/"], 2, "--journal /: that is a folder"),
        ):
            done = ended(*words)
            assert (done.returncode, done.stdout, done.stderr.count("\n")) == (code, "", 1), done.stderr
            assert why in done.stderr
    assert list(tmp_path.iterdir()) == [other]


def test_wrong_settings_are_said_on_one_line_and_nothing_starts(tmp_path: Path) -> None:
    settings = tmp_path / "dispenser.toml"
    settings.write_text("[pins]\nbutton = 27\n")
    for arguments in (["run"], ["demo"], ["config", "check", str(settings)], ["config", "show"]):
        done = ended(*arguments, DISPENSER_CONFIG=str(settings))
        assert done.returncode == 78, arguments
        assert len(done.stderr.splitlines()) == 1
        assert f"{settings}: [pins] button = 27: already used by lid" in done.stderr


def test_the_settings_shown_give_the_same_settings(tmp_path: Path) -> None:
    shown = ended("config", "show")
    assert shown.returncode == 0
    again = tmp_path / "again.toml"
    again.write_text(shown.stdout)
    assert ended("config", "show", "--config", str(again)).stdout == shown.stdout
    assert ended("config", "check", str(again)).stdout == f"{again}: valid\n"


def test_checking_settings_warns_of_pins_that_config_txt_takes(tmp_path: Path, mocker: MockerFixture) -> None:
    settings, boot = tmp_path / "dispenser.toml", tmp_path / "config.txt"
    settings.write_text("[pins]\nlid = 2\nlight = 8\n")
    boot.write_text("dtparam=i2c_arm=on\ndtparam=audio=on\n")
    mocker.patch("dispenser.drivers.gpio.boot_config.FILES", (boot,))
    checked = CliRunner().invoke(app, ["config", "check", str(settings)])
    assert (checked.exit_code, checked.stdout) == (0, f"{settings}: valid\n")
    assert checked.stderr.startswith("dispenser: warning: GPIO2 (lid) is taken by i2c_arm, line 1 of ")
    assert "light" not in checked.stderr, "the SPI bus is off"
    french = CliRunner().invoke(app, ["config", "check", str(settings)], env={"LC_ALL": "fr_FR.UTF-8"})
    assert "avertissement" in french.stderr
    settings.write_text(settings.read_text() + '[driver]\nkind = "serial"\n')
    assert CliRunner().invoke(app, ["config", "check", str(settings)]).stderr == "", "no pin of a Pi is in use"
    assert json.loads(ended("config", "show", "--json").stdout)["pins"]["button"] == 17
