"""Processes under measurement: how they are started, how much memory they took, how often they woke up."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE_S = 30.0
_ROOT = Path(__file__).parents[2]


def python(*arguments: str) -> list[str]:
    """A Python without ``site``: the import hook of an editable install is not part of the product."""
    return [sys.executable, "-S", "-P", *arguments]


def environment(**more: str) -> dict[str, str]:
    """What such a Python needs to find this project and its libraries."""
    return {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join([str(_ROOT), *filter(None, sys.path)]), **more}


def peak_memory_mib(pid: int) -> float:
    """The most memory the process has had in RAM so far, MiB."""
    return _status(Path(f"/proc/{pid}/status"), "VmHWM") / 1024


def _status(path: Path, key: str) -> int:
    lines = path.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{key}:"))


class LauncherProcess:
    """``dispenser run`` on mock pins, from its start to SIGTERM.

    :param state: folder of the journal; by default a new one.
    :param settings: more of its settings, as in their file.
    :param page: address of the page, once it is up.
    :param ready_ns: from the start until the launcher said that it is ready.
    :param told: what came on the notify socket until then and since, in order.
    """

    def __init__(self, *, web: bool, state: Path | None = None, settings: str = "") -> None:
        self.page = ""
        self.told: list[str] = []
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        (folder / "settings.toml").write_text(f"[web]\nport = 0\n{settings}", encoding="utf-8")
        self._notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._notify.bind(str(folder / "notify"))
        self._notify.settimeout(PATIENCE_S)
        self._listener = threading.Thread(target=self._listen, name="notify-socket")
        script = str(Path(__file__).with_name("launcher_process.py"))
        options = ["run", "--web" if web else "--no-web", "--config", str(folder / "settings.toml")]
        command = python(script, *options)
        env = environment(NOTIFY_SOCKET=str(folder / "notify"), STATE_DIRECTORY=str(state or folder))
        begin = time.perf_counter_ns()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, env=env, text=True)
        try:
            while "READY=1" not in self.told:
                self._receive()
            self.ready_ns = time.perf_counter_ns() - begin
            self._notify.settimeout(None)
            self._listener.start()
            if web:
                self.page = self._read_address()
        except BaseException:
            self.process.kill()
            self._clean_up()
            raise

    def _receive(self) -> None:
        self.told += self._notify.recv(256).decode().split("\n")

    def _listen(self) -> None:
        """Go on listening: a socket that nobody reads would hold the sender up."""
        while self.told[-1]:
            self._receive()

    def _read_address(self) -> str:
        for line in self.process.stdout or ():
            if line.startswith("Page:"):
                return line.split()[1]
        raise RuntimeError("the process ended before it had a page")

    def look_at_the_page(self) -> None:
        """What a browser asks for first."""
        for path in ("", "api/v1/snapshot", "api/v1/odds", "api/v1/chimes"):
            with urllib.request.urlopen(self.page + path, timeout=PATIENCE_S) as answer:
                answer.read()

    def open_stream(self) -> socket.socket:
        """A client that listens to the events, once the first bytes are there."""
        host, _, port = self.page.removeprefix("http://").strip("/").rpartition(":")
        client = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
        client.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        received = b""
        while b"retry:" not in received:
            received += client.recv(4096)
        return client

    def sleeps(self) -> int:
        """How often any of its threads has slept so far."""
        tasks = [task for pid in self.pids() for task in Path(f"/proc/{pid}/task").iterdir()]
        return sum(_status(task / "status", "voluntary_ctxt_switches") for task in tasks)

    def pids(self) -> list[int]:
        """Of the service, and of the process that holds its pins."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        return [pid, *map(int, children)]

    def peak_memory_mib(self) -> float:
        return peak_memory_mib(self.process.pid)

    def peak_pins_memory_mib(self) -> float:
        """Of the process that holds the pins."""
        return max(map(peak_memory_mib, self.pids()[1:]))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self._clean_up()
        if code != 128 + signal.SIGTERM:
            raise RuntimeError(f"the launcher's process ended with {code}")

    def _clean_up(self) -> None:
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        if self._listener.is_alive():
            self._notify.shutdown(socket.SHUT_RDWR)  # the listener hears an empty message, and ends
            self._listener.join()
        self._notify.close()
        self._folder.cleanup()
