"""``dispenser toy run`` as a whole process: the script as under Python, its page beside it, and the end of both."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.waiting import wait_until

DISPENSER = [sys.executable, "-c", "from dispenser.cli import main; main()", "toy", "run", "--no-browser"]
PATIENCE_S = 60


class Run:
    """A script with its page."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self._api = f"{address}api/v1"

    def get(self, path: str) -> Any:
        return json.load(urlopen(self._api + path, timeout=PATIENCE_S))

    def hand(self, path: str, **fields: Any) -> Any:
        body = json.dumps(fields).encode()
        request = Request(f"{self._api}/toy/{path}", body, {"Content-Type": "application/json"})
        return json.load(urlopen(request, timeout=PATIENCE_S))

    def listen(self) -> Any:
        return urlopen(f"{self._api}/events?after=0", timeout=PATIENCE_S)

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def finish(self) -> tuple[int, str, str]:
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        out, errors = self.process.stdout.read(), self.process.stderr.read()
        return self.process.wait(PATIENCE_S), out, errors


@contextmanager
def running(source: str, folder: Path, *arguments: str, options: tuple[str, ...] = ()) -> Iterator[Run]:
    script = folder / "mine.py"
    script.write_text(source)
    process = subprocess.Popen(
        [*DISPENSER, "--port", "0", *options, str(script), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stderr is not None
        first = process.stderr.readline()
        found = re.match(r"Page: (http://\S+)", first)
        assert found, first + process.stderr.read()
        yield Run(process, found[1])
    finally:
        process.kill()
        process.communicate()


def ended(source: str, folder: Path, *arguments: str) -> tuple[int, str, str]:
    with running(source, folder, *arguments) as run:
        return run.finish()


def test_the_script_is_run_as_python_runs_it(tmp_path: Path) -> None:
    (tmp_path / "neighbour.py").write_text("import __main__\n\nhere = __main__\n")
    source = """
import sys, threading, neighbour

print(__name__, sys.argv[1:], neighbour.here.__file__ == __file__ == sys.argv[0], __doc__)
print(threading.current_thread() is threading.main_thread(), sys.path[0])
print(neighbour.here.source_of_main)
"""
    assert ended(f'"""Mine."""\nsource_of_main = 1\n{source}', tmp_path, "--port", "7", "-x") == (
        0,
        f"__main__ ['--port', '7', '-x'] True Mine.\nTrue {tmp_path}\n1\n",
        "",
    )


@pytest.mark.long
def test_an_error_is_shown_as_python_shows_it(tmp_path: Path) -> None:
    source = "def fail():\n    return 1 / 0\n\nfail()\n"
    code, out, errors = ended(source, tmp_path)
    plain = subprocess.run([sys.executable, str(tmp_path / "mine.py")], check=False, capture_output=True, text=True)
    assert (code, out, errors) == (1, "", plain.stderr)


@pytest.mark.long
def test_threads_of_the_script_are_waited_for(tmp_path: Path) -> None:
    source = """
import threading

main = threading.main_thread()

def later():
    main.join()
    print("still here")

threading.Thread(target=later).start()
"""
    assert ended(source, tmp_path)[:2] == (0, "still here\n")


LAUNCH = """
from signal import pause
from gpiozero import LED, Button, DigitalInputDevice, Motor

motor, light = Motor(23, 24, enable=25), LED(16)
button, exit = Button(17, bounce_time=0.02), DigitalInputDevice(22, pull_up=True)
button.when_pressed = motor.forward
button.when_released = motor.stop
light.on()
print("set up")
pause()
"""


def test_hands_on_the_page_reach_the_script(tmp_path: Path) -> None:
    with running(LAUNCH, tmp_path, options=("--seed", "a word", "--cards", "20")) as run:
        assert run.line() == "set up"
        assert run.get("/snapshot")["script"] == "mine.py"
        assert run.get("/snapshot")["cards_inside"] == 20
        assert run.get("/snapshot")["light_on"] is True
        run.hand("button", hold_s=10)
        while run.get("/toy")["cards_out"] < 3:
            pass
        run.hand("release")
        while run.get("/snapshot")["motor_commanded"] != 0:
            pass
        while len(left := run.get("/journal?type=launcher.card.left")["entries"]) < 3:
            pass
        assert 3 <= len(left) <= run.get("/toy")["cards_out"]


def test_ctrl_c_ends_it_with_the_motor_off_and_the_page_hears_of_it(tmp_path: Path) -> None:
    with running(LAUNCH, tmp_path) as run:
        assert run.line() == "set up"
        stream = run.listen()
        run.hand("button", hold_s=10)
        while run.get("/snapshot")["motor_commanded"] != 1:
            pass
        run.process.send_signal(signal.SIGINT)
        heard = [json.loads(line[6:]) for line in stream.read().decode().splitlines() if line.startswith("data: ")]
        assert run.finish() == (130, "", "")
    assert heard[-1]["type"] == "toy.script.ended"
    assert heard[-1]["data"] == {"error": None}
    motor = [entry["data"] for entry in heard if entry["type"] == "toy.motor.driven"]
    assert motor[-1] == {"duty": 0.0}


@pytest.mark.long
def test_the_script_waits_for_the_browser(tmp_path: Path) -> None:
    """The browser here is a program that writes down what it hears from the moment on that it listens."""
    heard = tmp_path / "heard.txt"
    browser = tmp_path / "browser.py"
    browser.write_text(
        "import sys, urllib.request\n"
        f"open({str(heard)!r}, 'wb').write(urllib.request.urlopen(sys.argv[1] + 'api/v1/events').read())\n"
    )
    (tmp_path / "mine.py").write_text("from gpiozero import LED\nlight = LED(16)\nlight.on()\n")
    command = [each for each in DISPENSER if each != "--no-browser"]
    done = subprocess.run(
        [*command, "--port", "0", str(tmp_path / "mine.py")],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, "BROWSER": f"{sys.executable} {browser} %s"},
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert "The script begins when the browser shows it" in done.stderr
    wait_until(lambda: heard.exists() and b"toy.script.ended" in heard.read_bytes(), "the browser's notes")
    assert b"toy.light.switched" in heard.read_bytes()
