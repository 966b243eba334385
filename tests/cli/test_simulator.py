"""``dispenser simulator run`` as a process: the script as under Python, its page beside it, and the end of both."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from dispenser.client import LauncherClient
from tests.cli.test_serve import DISPENSER, PATIENCE_S, page_of, started
from tests.waiting import wait_until

SIMULATOR_RUN = ("simulator", "run", "--port", "0")


@contextmanager
def running(source: str, folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], LauncherClient]]:
    """A script with its page."""
    script = folder / "mine.py"
    script.write_text(source)
    options = ("--no-browser", "--seed", "a word", "--cards", "20")
    with started(*SIMULATOR_RUN, *options, str(script), *arguments) as process:
        yield process, LauncherClient(page_of(process, process.stderr))


def finished(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    assert process.stdout is not None
    assert process.stderr is not None
    out, errors = process.stdout.read(), process.stderr.read()
    return process.wait(PATIENCE_S), out, errors


def ended(source: str, folder: Path, *arguments: str) -> tuple[int, str, str]:
    with running(source, folder, *arguments) as (process, _):
        return finished(process)


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


def test_without_port_it_takes_a_free_one_beside_a_demo(tmp_path: Path) -> None:
    (script := tmp_path / "mine.py").write_text("")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        (config := tmp_path / "dispenser.toml").write_text(f"[web]\nport = {port}\n")
        command = [*DISPENSER, "simulator", "run", "--no-browser", "--config", str(config), str(script)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert f":{port}/" not in done.stderr


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


def test_hands_on_the_page_reach_the_script_and_ctrl_c_ends_it_with_the_motor_off(tmp_path: Path) -> None:
    with running(LAUNCH, tmp_path) as (process, client):
        assert process.stdout is not None
        assert process.stdout.readline() == "set up\n"
        stream = urlopen(f"{client.url}/api/v1/events?after=0", timeout=PATIENCE_S)
        now = client.get("/snapshot")
        assert (now["script"], now["cards_inside"], now["light_on"]) == ("mine.py", 20, True)
        client.post("/simulator/button", hold_s=10)
        wait_until(lambda: client.get("/simulator")["cards_out"] >= 3, "three cards")
        client.post("/simulator/release")
        wait_until(lambda: client.get("/snapshot")["motor_commanded"] == 0, "the motor's stop")
        client.post("/simulator/button", hold_s=10)
        wait_until(lambda: client.get("/snapshot")["motor_commanded"] == 1, "the motor's start")
        process.send_signal(signal.SIGINT)
        heard = [json.loads(line[6:]) for line in stream.read().decode().splitlines() if line.startswith("data: ")]
        assert finished(process) == (130, "", "")
    assert (heard[-1]["type"], heard[-1]["data"]) == ("simulator.script.ended", {"error": None})
    assert [record["type"] for record in heard].count("launcher.card.left") >= 3
    assert [record["data"] for record in heard if record["type"] == "simulator.motor.driven"][-1] == {"duty": 0.0}


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
    done = subprocess.run(
        [*DISPENSER, *SIMULATOR_RUN, str(tmp_path / "mine.py")],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, "BROWSER": f"{sys.executable} {browser} %s"},
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert "The script begins when the browser shows it" in done.stderr
    wait_until(lambda: heard.exists() and b"simulator.script.ended" in heard.read_bytes(), "the browser's notes")
    assert b"simulator.light.switched" in heard.read_bytes()
