"""Starts gpiozero scripts as their authors do, with the simulator behind the pins, for a test to watch and operate."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

WATCHING = Path(__file__).with_name("watching")
PATIENCE_S = 60.0
REACTION_S = 0.5
"""After so long an act is done again: the script may not have been listening yet."""


class Lines:
    """Lines as they come, without blocking for ever."""

    def __init__(self, file: IO[str]) -> None:
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._over = False
        threading.Thread(target=self._read, args=(file,), daemon=True).start()

    def _read(self, file: IO[str]) -> None:
        with file:
            for line in file:
                self._lines.put(line)
        self._lines.put(None)

    def next(self, within_s: float = PATIENCE_S) -> str | None:
        """The next line; ``None`` when there is none for so long, or no more at all."""
        if self._over:
            return None
        try:
            line = self._lines.get(timeout=within_s)
        except queue.Empty:
            return None
        self._over = line is None
        return line

    def rest(self) -> Iterator[str]:
        """All lines up to the end."""
        while (line := self.next()) is not None:
            yield line


class Script:
    """A script under way.

    :ivar happened: what happened to the simulator so far, as (happening, value, time).
    :ivar end: duty of the motor and cards out, when all was over.
    """

    def __init__(self, process: subprocess.Popen[str], acts: int, happenings: int) -> None:
        self.process = process
        self.happened: list[tuple[str, Any, float]] = []
        self.end: tuple[float, int] | None = None
        assert process.stdout is not None
        self._said = Lines(process.stdout)
        self._news = Lines(os.fdopen(happenings))
        self._acts = os.fdopen(acts, "w", buffering=1)

    def do(self, *acts: str) -> None:
        """Acts of the simulator, such as ``hold_button``."""
        for act in acts:
            print(act, file=self._acts)

    def line(self, within_s: float = PATIENCE_S) -> str | None:
        """The next line that it prints."""
        line = self._said.next(within_s)
        return None if line is None else line.rstrip("\n")

    def until(self, happening: str, *values: Any, within_s: float = PATIENCE_S) -> bool:
        """Wait until this happens to the simulator, with one of these values if any are given.

        :returns: ``False`` when nothing happened for so long, or the script has ended.
        """
        while (line := self._news.next(within_s)) is not None:
            name, value = self._note(line)
            if name == happening and (not values or value in values):
                return True
        return False

    def _note(self, line: str) -> tuple[str, Any]:
        name, value, more = json.loads(line)
        if name == "end":
            self.end = (value, more)
        else:
            self.happened.append((name, value, more))
        return name, value

    def persuade(self, acts: tuple[str, ...], happened: Callable[[], bool]) -> None:
        """Act again and again until something comes of it: a script just started may not be ready for the first."""
        for _ in range(int(PATIENCE_S / REACTION_S)):
            self.do(*acts)
            if happened():
                return
        raise AssertionError(f"nothing came of {acts}: {self.happened}")

    def interrupt(self) -> str:
        """Ctrl-C; returns what it printed and nobody has read."""
        self.process.send_signal(signal.SIGINT)
        return self.finish()

    def finish(self) -> str:
        """Wait for its end; returns what it printed and nobody has read."""
        said = "".join(self._said.rest())
        self.process.wait(PATIENCE_S)
        for line in self._news.rest():
            self._note(line)
        self._acts.close()
        return said

    def values(self, happening: str) -> list[Any]:
        return [value for name, value, _ in self.happened if name == happening]


@contextmanager
def running(source: str, folder: Path) -> Iterator[Script]:
    """``GPIOZERO_PIN_FACTORY=launcher python script.py``."""
    path = folder / "script.py"
    path.write_text(source)
    acts_in, acts_out = os.pipe()
    happenings_in, happenings_out = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-u", str(path)],
        stdout=subprocess.PIPE,
        text=True,
        pass_fds=(acts_in, happenings_out),
        env={
            **os.environ,
            "GPIOZERO_PIN_FACTORY": "launcher",
            "DISPENSER_SIMULATOR_SEED": "recipes",  # whose first cards neither slip nor stick together
            "PYTHONPATH": str(WATCHING),
            "SIMULATOR_WATCH": f"{acts_in},{happenings_out}",
        },
    )
    os.close(acts_in)
    os.close(happenings_out)
    script = Script(process, acts_out, happenings_in)
    try:
        yield script
    finally:
        process.kill()
        script.finish()
