"""``dispenser selftest`` in a terminal: what it asks for is done by the simulated hand, a key for each answer."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.cli.wizard import keys
from dispenser.client import LauncherClient
from dispenser.service.service import Service
from tests.web.served import Page, served

COMMAND = (sys.executable, "-m", "dispenser")


def talk(*words: str, keys: Callable[[str], str]) -> tuple[int, str, str]:
    """Exit code, what was printed, what was said in between, with a key at each line that wants one."""
    with subprocess.Popen(
        [*COMMAND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        said = []
        for line in process.stderr:
            said.append(line)
            if pressed := keys(line):
                process.stdin.write(pressed)
                process.stdin.flush()
        return process.wait(), process.stdout.read(), "".join(said)


def helpful(line: str) -> str:
    """Does what is asked for; answers yes."""
    offered = [key for mark, key in (("[h]and", "h"), ("[g]o on", "g"), ("[y]es", "y")) if mark in line]
    return "".join(offered)


def test_a_whole_self_test_with_its_report_for_programs() -> None:
    code, printed, said = talk("selftest", "--simulated", "--seed", "a", "--json", keys=helpful)
    report = json.loads(printed)
    assert (code, report["passed"]) == (0, True), said
    assert [each["check"] for each in report["findings"]][:3] == ["lid", "button", "barrier"]
    assert "1/7  The lid" in said
    assert "~ the motor turns backward" in said


def test_quitting_tells_what_was_done_and_that_it_is_not_all() -> None:
    def two_steps(line: str) -> str:
        return "q" if "Push the button" in line else helpful(line)

    code, printed, _ = talk("selftest", "--simulated", "--json", keys=two_steps)
    assert code == 1
    assert json.loads(printed) == {
        "passed": False,
        "findings": [{"check": "lid", "status": "good", "text": "it was seen to open and to shut", "remedy": ""}],
    }


def test_by_hand_shows_how_the_launcher_is() -> None:
    command = [*COMMAND, "manual", "--simulated"]
    done = subprocess.run(command, input="q", capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Lid  shut    Button  up    Exit  clear" in done.stdout


# --- while a launcher runs ---


@contextmanager
def running() -> Iterator[tuple[Service, str]]:
    """A launcher with its page, on a thread of its own; it says of itself that it is a real one."""
    ready: Future[tuple[Page, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def run() -> None:
        async with served() as page:
            as_it_is, over = page.service.snapshot, asyncio.Event()
            page.service.snapshot = lambda language="en": as_it_is(language) | {"simulated": False}  # type: ignore[method-assign]
            ready.set_result((page, asyncio.get_running_loop(), over))
            await over.wait()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    page, loop, over = ready.result(60)
    try:
        yield page.service, page.address
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()


def settings_for(address: str, folder: Path) -> str:
    config = folder / "dispenser.toml"
    config.write_text(f"[web]\nport = {urlsplit(address).port}\n")
    return str(config)


def test_who_quits_leaves_its_workshop(tmp_path: Path) -> None:
    def quits(line: str) -> str:
        return "q" if "[q]uit" in line else ""

    with running() as (service, address):
        code, printed, _ = talk("selftest", "-c", settings_for(address, tmp_path), "--json", keys=quits)
        assert service.workshop is None
    assert (code, json.loads(printed)["passed"]) == (1, False)


def test_while_somebody_is_there_it_says_so(tmp_path: Path) -> None:
    with running() as (_, address):
        client = LauncherClient(address)
        client.post("/workshop/open", kind="manual")
        done = CliRunner().invoke(app, ["selftest", "-c", settings_for(address, tmp_path)])
        assert client.get("/workshop")["open"], "who was there first stays"
    assert done.exit_code == 69
    assert "somebody is in the workshop already" in done.output


def test_a_terminal_that_is_gone_ends_what_waits_for_its_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever was left behind by a connection (nohup, say) must not hold the pins for ever."""

    async def sit() -> None:
        ours, theirs = pty.openpty()
        typed: asyncio.Queue[str] = asyncio.Queue()
        over, failures = asyncio.Event(), list[object]()
        asyncio.get_running_loop().set_exception_handler(lambda _, about: (failures.append(about), over.set()))
        with os.fdopen(theirs) as terminal:
            monkeypatch.setattr(sys, "stdin", terminal)
            with keys(typed.put_nowait, over.set):
                os.write(ours, b"f")
                assert await typed.get() == "f"
                os.close(ours)
                await over.wait()
        assert failures == []

    asyncio.run(sit())
