"""Lines that somebody types, or that a pipe brings: the same to the program, but for the time there is to answer."""

from __future__ import annotations

import io
import select
import signal
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import Console

_CALLS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, a request to end, a terminal that was closed."""


class Leaving(Exception):  # noqa: N818 - no error: somebody has pressed Ctrl-C or closed the terminal
    """The program is called away."""


class Keyboard:
    """Standard input, line by line. What comes from a pipe is shown as if it had been typed."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.is_person = sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        self._waits = self._called = False

    def ask(self, prompt: str, within_s: float | None = None) -> str:
        """The next line, without spaces around it; empty when ``within_s`` seconds went by and nobody typed.

        :raises EOFError: there are no more lines.
        :raises Leaving: as ``waiting``.
        """
        self._print(prompt, end="")
        with self.waiting():
            if self.is_person and within_s is not None and not select.select([sys.stdin], [], [], within_s)[0]:
                self._print()
                return ""
            line = input() + "\n" if self.is_person else sys.stdin.readline()
        if not line:
            self._print()
            raise EOFError
        if not self.is_person:  # what a pipe brings must not move the cursor of the terminal it is shown on
            self._print("".join(sign if sign.isprintable() or sign.isspace() else "\ufffd" for sign in line.strip()))
        return line.strip()

    def forget_typed(self) -> None:
        """Throw away what a person has typed already: it cannot be meant for what they have not seen yet.

        What a pipe brings is written for what comes, and kept.
        """
        if self.is_person:
            with suppress(termios.error, OSError):  # there is nothing to throw away
                termios.tcflush(sys.stdin, termios.TCIFLUSH)

    @contextmanager
    def heeding_calls(self) -> Iterator[None]:
        """In here a call to end comes as ``Leaving``, and only where the program waits: no move is left half done."""
        before = {call: signal.signal(call, self._heed) for call in _CALLS}
        try:
            yield
        finally:
            for call, handler in before.items():
                signal.signal(call, handler)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """A wait, for a line or for time to go by.

        :raises Leaving: a call has come, now or before.
        """
        self._waits = True
        try:
            if self._called:
                raise Leaving
            yield
        finally:
            self._waits = False

    def _heed(self, *_: object) -> None:
        self._called = True
        if self._waits:
            raise Leaving

    def _print(self, words: str = "", end: str = "\n") -> None:
        self._console.print(words, end=end, markup=False, highlight=False, soft_wrap=True)
