"""Starts gpiozero scripts as their authors do, with the toy behind the pins, and gives the test eyes and hands."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WATCHING = Path(__file__).with_name("watching")
PATIENCE_S = 60
REACTION_S = 0.5
"""After so long an act is done again: the script may not have been listening yet."""


class Script:
    """A script under way.

    :ivar happened: what happened to the toy so far, as (happening, value, time).
    """

    def __init__(self, process: subprocess.Popen[str], acts: int, happenings: int) -> None:
        self.process = process
        self.happened: list[tuple[str, Any, float]] = []
        self.end: tuple[float, int] | None = None
        self._over = False
        self._acts = os.fdopen(acts, "w", buffering=1)
        self._news: queue.Queue[list[Any] | None] = queue.Queue()
        threading.Thread(target=self._listen, args=(happenings,), daemon=True).start()

    def _listen(self, happenings: int) -> None:
        with os.fdopen(happenings) as lines:
            for line in lines:
                self._news.put(json.loads(line))
        self._news.put(None)

    def do(self, *acts: str) -> None:
        """Acts of the toy, such as ``hold_button``."""
        for act in acts:
            print(act, file=self._acts)

    def until(self, happening: str, *values: Any, within_s: float = PATIENCE_S) -> bool:
        """Wait until this happens to the toy, with one of these values if any are given.

        :returns: ``False`` when it did not for so long, or the script has ended.
        """
        while not self._over:
            try:
                news = self._news.get(timeout=within_s)
            except queue.Empty:
                return False
            if news is None:
                self._over = True
            elif news[0] == "end":
                self.end = (news[1], news[2])
            else:
                self.happened.append((news[0], news[1], news[2]))
                if news[0] == happening and (not values or news[1] in values):
                    return True
        return False

    def persuade(self, acts: tuple[str, ...], happening: str, *values: Any) -> None:
        """Act again and again until it happens: a script that has just been started may not be ready for the first."""
        for _ in range(int(PATIENCE_S / REACTION_S)):
            self.do(*acts)
            if self.until(happening, *values, within_s=REACTION_S):
                return
        raise AssertionError(f"no {happening} after {acts}: {self.happened}")

    def interrupt(self) -> str:
        """Ctrl-C; returns what the script printed."""
        self.process.send_signal(signal.SIGINT)
        return self.finish()

    def finish(self) -> str:
        """Wait for its end; returns what it printed."""
        self._acts.close()
        out, _ = self.process.communicate(timeout=PATIENCE_S)
        self.until("the end of all news")
        return out

    def values(self, happening: str) -> list[Any]:
        return [value for name, value, _ in self.happened if name == happening]


@contextmanager
def running(source: str, folder: Path, **environment: str) -> Iterator[Script]:
    """``GPIOZERO_PIN_FACTORY=toy python script.py``."""
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
            "GPIOZERO_PIN_FACTORY": "toy",
            "DISPENSER_TOY_SEED": "recipes",  # whose first cards neither slip nor stick together
            "PYTHONPATH": str(WATCHING),
            "TOY_WATCH": f"{acts_in},{happenings_out}",
            **environment,
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
