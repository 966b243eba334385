"""However a launcher's process ends in the middle of a burst, its motor is off. Somebody outside watches the pins."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from dispenser.cli.failures import INTERNAL_ERROR
from dispenser.journal import Journal
from dispenser.service.settings import Settings
from dispenser.system.signals import ENDING, on_signal
from tests.sampled import sampled
from tests.waiting import wait_until

PATIENCE_S = 60
MOTOR_ENABLE = f"GPIO{Settings().pins.motor_enable}"
"""The pin that counts: without it the direction moves nothing."""


class Watched:
    """A launcher's process, and what is seen of it from outside."""

    def __init__(self, folder: Path, how: str = "cli") -> None:
        self._mirror = folder / "pins"
        self.journal = folder / "journal.sqlite3"
        config = folder / "slow.toml"
        config.write_text("[launcher]\nfeed_base_s = 6.0\nstall_s = 3.0\nblind_s = 3.0\n")
        options = [str(config)]
        if how == "cli":
            options = ["demo", "-c", str(config), "--no-browser", "--port", "0", "--journal", str(self.journal)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.system.ending_launcher", how, str(self._mirror), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            text=True,
        )

    def levels(self) -> list[float]:
        """All that the motor's pin has had."""
        lines = [line.split() for line in self._mirror.read_text().splitlines()]
        return [float(level) for pin, level in lines if pin == MOTOR_ENABLE]

    @property
    def motor_off(self) -> bool:
        return not self.levels()[-1]

    @property
    def has_turned(self) -> bool:
        return any(self.levels())

    def throw(self) -> None:
        """Ask for many cards and wait until the motor turns."""
        page = next(filter(None, (re.match(r"Page: (http://\S+)", line) for line in self.process.stdout or ())))[1]
        json_type = {"Content-Type": "application/json"}
        urlopen(Request(f"{page}api/v1/eject", b'{"cards": 8}', json_type), timeout=PATIENCE_S)
        wait_until(lambda: self.has_turned)

    def happen(self, way: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{way}\n")
        self.process.stdin.flush()

    def last_types(self) -> list[str]:
        with Journal.read_only(self.journal) as journal:
            return [record.type for record in journal.read()]


@contextmanager
def watched(folder: Path, how: str = "cli") -> Iterator[Watched]:
    launcher = Watched(folder, how)
    try:
        yield launcher
    finally:
        launcher.process.kill()
        launcher.process.communicate(timeout=PATIENCE_S)


ORDERLY = ["launcher.switched.off", "fairness.revealed", "service.stopped"]


def test_a_watchdogs_abort_shows_each_thread(tmp_path: Path) -> None:
    with watched(tmp_path) as launcher:
        launcher.throw()
        launcher.process.send_signal(signal.SIGABRT)
        assert "Fatal Python error: Aborted" in launcher.process.communicate(timeout=PATIENCE_S)[1]


@pytest.mark.parametrize("number", sampled([signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT], 4))
def test_a_signal_ends_it_in_good_order(number: signal.Signals, tmp_path: Path) -> None:
    with watched(tmp_path) as launcher:
        launcher.throw()
        launcher.process.send_signal(number)
        assert launcher.process.wait(PATIENCE_S) == 128 + number
        assert launcher.motor_off
        assert launcher.last_types()[-3:] == ORDERLY


def test_every_signal_that_ends_programs_is_listened_to() -> None:
    heard: list[int] = []

    async def story() -> None:
        on_signal(lambda _: heard.append(len(heard)), lambda: None)
        for number in ENDING:
            signal.raise_signal(number)
            await asyncio.sleep(0.01)

    asyncio.run(story())
    assert len(heard) == len(ENDING) == 12


def test_ctrl_z_turns_the_motor_off_first(tmp_path: Path) -> None:
    with watched(tmp_path) as launcher:
        launcher.throw()
        launcher.process.send_signal(signal.SIGTSTP)
        assert os.WIFSTOPPED(os.waitpid(launcher.process.pid, os.WUNTRACED)[1])
        assert launcher.motor_off
        launcher.process.send_signal(signal.SIGCONT)
        launcher.process.terminate()
        assert launcher.process.wait(PATIENCE_S) == 128 + signal.SIGTERM


@pytest.mark.parametrize("way", sampled(["a thread dies", "a callback raises"], 2))
def test_an_internal_error_turns_the_motor_off_and_ends_the_service(way: str, tmp_path: Path) -> None:
    with watched(tmp_path) as launcher:
        launcher.throw()
        launcher.happen(way)
        assert launcher.process.wait(PATIENCE_S) == INTERNAL_ERROR, "systemd starts it again"
        assert launcher.motor_off


@pytest.mark.parametrize("way", sampled(["sys.exit in a callback", "the loop is stopped"], 2))
def test_an_end_that_nobody_foresaw_stops_the_service(way: str, tmp_path: Path) -> None:
    with watched(tmp_path) as launcher:
        launcher.throw()
        launcher.happen(way)
        assert launcher.process.wait(PATIENCE_S) != 0
        assert launcher.motor_off
        assert launcher.last_types()[-3:] == ORDERLY


@pytest.mark.parametrize("how", sampled(["asyncio.run ends", "it forgets the loop"], 2))
def test_a_program_that_does_not_stop_what_it_has_started_leaves_no_motor_on(how: str, tmp_path: Path) -> None:
    with watched(tmp_path, how) as launcher:
        launcher.process.wait(PATIENCE_S)
        assert launcher.has_turned
        assert launcher.motor_off
