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
from dispenser.maintenance.words import ANEW, LEND_A_HAND, TAKE_BACK, key_of

_NO_REPLY = {LEND_A_HAND, ANEW, TAKE_BACK, *ALWAYS}  # What can be said, and answers no question
_SHADES = " ░▒▓█"


class Workshop(Protocol):
    """A workshop that is open: in this process, or over HTTP."""

    async def look(self, number: int | None) -> dict[str, Any]:
        """What there is to see, once it is another than that of ``number``; or the same after a while."""

    async def tell(self, word: str) -> None:
        """Say one of the answers that are offered.

        :raises SpokenError: it is not offered any more.
        """


async def follow(workshop: Workshop, screen: Screen, done: asyncio.Future[int], *, anew: bool = False) -> None:
    """Show the workshop and take keys, until it is over or closed, nobody can press a key any more, or ``done``.

    :param anew: what was measured before is measured again.
    """
    seen = await workshop.look(None)
    if anew and any(each["answer"] == ANEW for each in seen["wizard"]["answers"]):
        await workshop.tell(ANEW)
        seen = await workshop.look(None)
    telling: dict[str, asyncio.Task[None]] = {}

    async def tell(word: str) -> None:
        with suppress(SpokenError):  # it was answered elsewhere meanwhile; what there is to see says how it is
            await workshop.tell(word)

    def take(key: str) -> None:
        """A key that is no answer now means nothing; one that is held is told as fast as it is heard."""
        for each in screen.answers:
            if key.lower() == key_of(each["label"]) or (key in "\r\n" and each["answer"] == Answer.GO):
                word = each["answer"]
                if word not in telling or telling[word].done():
                    telling[word] = asyncio.create_task(tell(word))
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
    """Inside, each key that is pressed goes to ``take``, at once and unseen; and each sign that a pipe brings.

    :param ended: nobody can press any more.
    """
    loop, fd = asyncio.get_running_loop(), sys.stdin.fileno()

    def read() -> None:
        try:
            typed = os.read(fd, 1024)
        except OSError:  # the terminal is gone, and we were told not to go with it
            typed = b""
        if not typed:
            loop.remove_reader(fd)
            ended()
        for sign in typed.decode(errors="ignore"):
            take(sign)

    with _unseen(fd):
        try:
            loop.add_reader(fd, read)
        except PermissionError:  # a file
            loop.call_soon(read)
            loop.call_soon(ended)
        try:
            yield
        finally:
            loop.remove_reader(fd)


@contextmanager
def _unseen(fd: int) -> Iterator[None]:
    """Keys come one by one, and are not shown."""
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
        with suppress(termios.error):  # it is gone
            termios.tcsetattr(fd, termios.TCSADRAIN, before)


class Screen:
    """Prints what is new in a workshop, one line below the other.

    :ivar seen: the newest.
    :param err: on standard error.
    """

    def __init__(self, *, err: bool = False) -> None:
        self._err = err
        self._levels = self._keys = ""
        step = {"number": 0, "steps": 1, "answers": [], "findings": []}
        self.seen: dict[str, Any] = {"wizard": step, "trouble": "", "done": "", "figures": [], "proposals": []}

    @property
    def answers(self) -> list[dict[str, str]]:
        """What may be said now."""
        answers: list[dict[str, str]] = self.seen["acts"] if "acts" in self.seen else self.seen["wizard"]["answers"]
        return answers

    def show(self, seen: dict[str, Any]) -> bool:
        """Print what is new.

        :returns: it is over.
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
        """Tell what one would see at a simulated launcher."""
        self._print(f"  ~ {words}")

    def _print(self, words: str) -> None:
        typer.echo(words, err=self._err)

    def _show_levels(self, levels: dict[str, bool], said: str) -> None:
        """By hand: the keys, then a line for each change of a level."""
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
        """A mark, what was looked at, what was found; the remedy below."""
        mark, colour = MARKS[finding["status"]]
        self._print(f"{typer.style(mark, fg=colour)} {finding['title']}{finding['text']}")
        if finding["remedy"]:
            self._print(f"  → {finding['remedy']}")

    def _print_figures(self, seen: dict[str, Any]) -> None:
        """What was measured, with a small chart of each; and what follows from it."""
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
        """Each step has its finding."""
        step = self.seen["wizard"]
        return len(step["findings"]) == int(step["steps"])

    @property
    def wrong(self) -> int:
        """How many steps have found something wrong."""
        return sum(each["status"] == "wrong" for each in self.seen["wizard"]["findings"])

    def report(self) -> None:
        """All findings of a self-test, once more."""
        self._print("\n" + _("Report"))
        for each in self.seen["wizard"]["findings"]:
            self._print_finding(each)
        words = _("Everything works.")
        if not self.complete:
            words = _("Stopped before the end.")
        elif self.wrong:
            words = _("{number} thing is not right.", plural="{number} things are not right.", number=self.wrong)
        self._print(words)
