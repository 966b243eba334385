"""Show self-test, calibration and manual control in a terminal, and send the answers."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol

import typer

from dispenser.cli.spoken import MARKS, _
from dispenser.i18n import SpokenError
from dispenser.maintenance.wizard import ALWAYS, Answer
from dispenser.maintenance.words import ANEW, SIMULATE_HAND, TAKE_BACK, key_of

_NO_REPLY = {SIMULATE_HAND, ANEW, TAKE_BACK, *ALWAYS}  # Answers that do not reply to a question
_SHADES = " ░▒▓█"


class Workshop(Protocol):
    """An open workshop, in this process or over HTTP."""

    async def look(self, number: int | None) -> dict[str, Any]:
        """Return the state once it differs from number ``number``, or after a timeout."""

    async def send(self, word: str) -> None:
        """Send one of the offered answers.

        :raises SpokenError: it is no longer offered.
        """


async def follow(workshop: Workshop, screen: Screen, done: asyncio.Future[int], *, anew: bool = False) -> None:
    """Show the workshop and handle keys until it is over or closed, the input ends, or ``done`` is set.

    :param anew: discard earlier measurements.
    """
    seen = await workshop.look(None)
    if anew and any(each["answer"] == ANEW for each in seen["wizard"]["answers"]):
        await workshop.send(ANEW)
        seen = await workshop.look(None)
    sending: dict[str, asyncio.Task[None]] = {}

    async def send(word: str) -> None:
        with suppress(SpokenError):  # it was answered elsewhere meanwhile; the next state shows that
            await workshop.send(word)

    def take(key: str) -> None:
        """Send the answer of a key; ignore other keys, and repeats of a key while its answer is being sent."""
        for each in screen.answers:
            if key.lower() == key_of(each["label"]) or (key in "\r\n" and each["answer"] == Answer.GO):
                word = each["answer"]
                if word not in sending or sending[word].done():
                    sending[word] = asyncio.create_task(send(word))
                return
        if key.lower() == key_of(_("[q]uit")):
            end()

    def end() -> None:
        if not done.done():
            done.set_result(0)

    over = not seen["open"] or screen.show(seen)
    with keys(take, end):
        while not over and not done.done():
            looking = asyncio.create_task(workshop.look(seen["number"]))
            await asyncio.wait((looking, done), return_when=asyncio.FIRST_COMPLETED)
            if not looking.done():
                looking.cancel()
                break
            seen = looking.result()
            over = not seen["open"] or screen.show(seen)


@contextmanager
def keys(take: Callable[[str], object], ended: Callable[[], object]) -> Iterator[None]:
    """Call ``take`` with each character typed (without Enter, no echo) or read from a pipe.

    :param ended: called at the end of the input.
    """
    loop, fd = asyncio.get_running_loop(), sys.stdin.fileno()

    def read() -> None:
        try:
            typed = os.read(fd, 1024)
        except OSError:  # the terminal was closed, and SIGHUP is ignored (nohup)
            typed = b""
        if not typed:
            loop.remove_reader(fd)
            ended()
        for sign in typed.decode(errors="ignore"):
            take(sign)

    with _unseen(fd):
        try:
            loop.add_reader(fd, read)
        except PermissionError:  # a regular file
            loop.call_soon(read)
            loop.call_soon(ended)
        try:
            yield
        finally:
            loop.remove_reader(fd)


@contextmanager
def _unseen(fd: int) -> Iterator[None]:
    """Switch the terminal to single characters without echo."""
    if not os.isatty(fd):
        yield
        return
    import termios
    import tty

    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd)
        yield
    finally:
        with suppress(termios.error):  # the terminal was closed
            termios.tcsetattr(fd, termios.TCSADRAIN, before)


class Screen:
    """Prints what is new in a workshop, line by line.

    :ivar seen: the newest state.
    :param err: print to standard error.
    """

    def __init__(self, *, err: bool = False) -> None:
        self._err = err
        self._levels = self._keys = ""
        step = {"number": 0, "steps": 1, "answers": [], "findings": []}
        self.seen: dict[str, Any] = {"wizard": step, "trouble": "", "done": "", "figures": [], "proposals": []}

    @property
    def answers(self) -> list[dict[str, str]]:
        """Return the answers that are offered now."""
        answers: list[dict[str, str]] = self.seen["acts"] if "acts" in self.seen else self.seen["wizard"]["answers"]
        return answers

    def show(self, seen: dict[str, Any]) -> bool:
        """Print what is new.

        :returns: whether the workshop is over.
        """
        before, self.seen = self.seen, seen
        if "acts" in seen:
            self._show_levels(seen["levels"], seen["said"])
            return False
        step, last = seen["wizard"], before["wizard"]
        for finding in step["findings"]:
            if finding not in last["findings"]:
                self._print_finding(finding)
        if seen.get("proposals") and not before.get("proposals"):
            self._print_figures(seen)
        for key in ("trouble", "done"):
            if seen[key] and seen[key] != before[key]:
                self._print(seen[key])
        if step["over"] or step == last:
            return bool(step["over"])
        if step["number"] != last["number"]:
            self._print(f"\n{step['number']}/{step['steps']}  {step['title']}")
        self._print(f"  {step['say']}" + (f"  ({step['seen']})" if step["seen"] else ""))
        if not {each["answer"] for each in step["answers"]} <= _NO_REPLY:
            self._print("  " + "   ".join(each["label"] for each in step["answers"]))
        return False

    def onlooker(self, words: str) -> None:
        """Print what a person would see at a simulated launcher."""
        self._print(f"  ~ {words}")

    def _print(self, words: str) -> None:
        typer.echo(words, err=self._err)

    def _show_levels(self, levels: dict[str, bool], said: str) -> None:
        """Print, in manual control, the keys and levels when they have changed."""
        lid = _("open") if levels["lid_open"] else _("shut")
        button = _("down") if levels["button_down"] else _("up")
        exit_ = _("dark") if levels["exit_blocked"] else _("clear")
        keys = "   ".join([*(each["label"] for each in self.answers), _("[q]uit")])
        now = f"{_('Lid')}  {lid}    {_('Button')}  {button}    {_('Exit')}  {exit_}    {said}"
        if keys != self._keys:
            self._print(keys)
        if now != self._levels:
            self._print(now)
        self._keys, self._levels = keys, now

    def _print_finding(self, finding: dict[str, str]) -> None:
        """Print a finding: mark, check and text, with the remedy below."""
        mark, colour = MARKS[finding["status"]]
        self._print(f"{typer.style(mark, fg=colour)} {finding['title']}{finding['text']}")
        if finding["remedy"]:
            self._print(f"  → {finding['remedy']}")

    def _print_figures(self, seen: dict[str, Any]) -> None:
        """Print the measurements, each with a small chart, and the proposed settings."""
        self._print(f"{_('Measured, ms')}: {_('number')}, {_('least')}, {_('median')}, {_('most')}")
        for row in seen["figures"]:
            shades = "".join(_SHADES[round(share * (len(_SHADES) - 1))] for share in row["shades"])
            figures = "".join(f"{row[each]:8.1f}" for each in ("least", "median", "most"))
            self._print(f"{row['number']:>5}{figures}  |{shades}|  {row['name']}")
        self._print(_("Proposed"))
        for each in seen["proposals"]:
            self._print(f"  {each['setting']}: {each['now']:g} → {each['proposed']:g}, {each['why']}")

    @property
    def complete(self) -> bool:
        """Return whether each step has a finding."""
        step = self.seen["wizard"]
        return len(step["findings"]) == int(step["steps"])

    @property
    def wrong(self) -> int:
        """Return the number of findings that are wrong."""
        return sum(each["status"] == "wrong" for each in self.seen["wizard"]["findings"])

    def report(self) -> None:
        """Print all findings of a self-test again, and the result."""
        self._print("\n" + _("Report"))
        for each in self.seen["wizard"]["findings"]:
            self._print_finding(each)
        words = _("Everything works.")
        if not self.complete:
            words = _("Stopped before the end.")
        elif self.wrong:
            words = _("{number} thing is not right.", plural="{number} things are not right.", number=self.wrong)
        self._print(words)
