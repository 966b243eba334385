"""Self-test, calibration and manual control in a terminal: draws what a workshop tells, and sends it the answers."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol

from rich.text import Text as Styled

from dispenser.cli.spoken import MARKS, _
from dispenser.i18n import SpokenError
from dispenser.maintenance.steps import Answer
from dispenser.maintenance.wizard import ALWAYS
from dispenser.maintenance.words import ANEW, LEND_A_HAND, TAKE_BACK, key_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

_NO_REPLY = {LEND_A_HAND, ANEW, TAKE_BACK, *ALWAYS}
"""What can be said, and answers no question."""
_SHADES = " ░▒▓█"


class Workshop(Protocol):
    """A workshop that is open: in this process, or over HTTP."""

    async def look(self, number: int | None) -> dict[str, Any]:
        """What there is to see, once it is another than that of ``number``; or the same after a while."""

    async def tell(self, word: str) -> None:
        """Say one of the answers that are offered.

        :raises SpokenError: it is not offered any more.
        """


class Screen(Protocol):
    """Where it is shown."""

    @property
    def answers(self) -> list[dict[str, str]]:
        """What may be said now."""

    def show(self, seen: dict[str, Any]) -> bool:
        """Draw what is new.

        :returns: it is over.
        """

    def onlooker(self, words: str) -> None:
        """Tell what one would see at a simulated launcher."""


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


class WizardScreen:
    """Writes a self-test or a calibration, one step below the other.

    :ivar seen: the newest.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        step = {"number": 0, "steps": 1, "answers": [], "findings": []}
        self.seen: dict[str, Any] = {"wizard": step, "trouble": "", "done": "", "figures": [], "proposals": []}

    @property
    def answers(self) -> list[dict[str, str]]:
        answers: list[dict[str, str]] = self.seen["wizard"]["answers"]
        return answers

    def show(self, seen: dict[str, Any]) -> bool:
        before, self.seen = self.seen, seen
        step, last = seen["wizard"], before["wizard"]
        for finding in step["findings"]:
            if finding not in last["findings"]:
                self._print(found_line(finding))
        if seen.get("proposals") and not before.get("proposals"):
            self._print_figures(seen)
        for key, style in (("trouble", "bold red"), ("done", "")):
            if seen[key] and seen[key] != before[key]:
                self._print(Styled(seen[key], style))
        if step["over"] or step == last:
            return bool(step["over"])
        if step["number"] != last["number"]:
            self._print(Styled(f"\n{step['number']}/{step['steps']}  {step['title']}", "bold"))
        so_far = f"  ({step['seen']})" if step["seen"] else ""
        self._print(Styled.assemble(f"  {step['say']}", (so_far, "dim")))
        if not {each["answer"] for each in step["answers"]} <= _NO_REPLY:
            self._print(Styled("  " + "   ".join(each["label"] for each in step["answers"]), "dim"))
        return False

    def onlooker(self, words: str) -> None:
        self._print(Styled(f"  ~ {words}", "cyan"))

    def _print(self, words: Styled) -> None:
        self._console.print(words, soft_wrap=False, highlight=False)

    def _print_figures(self, seen: dict[str, Any]) -> None:
        """What was measured, with a small chart of each; and what follows from it."""
        from rich.table import Table

        rows = Table(title=_("Measured, ms"), title_justify="left", box=None)
        for column in ("", _("number"), _("least"), _("median"), _("most")):
            rows.add_column(column, justify="left" if not column else "right")
        rows.add_column("")
        for row in seen["figures"]:
            shades = "".join(_SHADES[round(share * (len(_SHADES) - 1))] for share in row["shades"])
            figures = [f"{row[each]:.1f}" for each in ("least", "median", "most")]
            rows.add_row(row["name"], str(row["number"]), *figures, f"|{shades}|")
        self._console.print(rows)
        proposed = Table(title=_("Proposed"), title_justify="left", box=None)
        for column in (_("setting"), _("now"), _("proposed"), _("because")):
            proposed.add_column(column)
        for each in seen["proposals"]:
            proposed.add_row(each["setting"], f"{each['now']:g}", f"{each['proposed']:g}", each["why"])
        self._console.print(proposed)

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
        self._print(Styled("\n" + _("Report"), "bold"))
        for each in self.seen["wizard"]["findings"]:
            self._print(found_line(each))
        words = _("All is well.")
        if not self.complete:
            words = _("Stopped before the end.")
        elif self.wrong:
            words = _("{number} thing is not right.", plural="{number} things are not right.", number=self.wrong)
        self._print(Styled(words))


class ManualScreen:
    """Shows in one place how the launcher is: its levels, what happened last, and the keys."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._seen: dict[str, Any] = {"acts": []}
        self._on_toy = ""
        self._shown: Styled | None = None

    @property
    def answers(self) -> list[dict[str, str]]:
        acts: list[dict[str, str]] = self._seen["acts"]
        return acts

    def show(self, seen: dict[str, Any]) -> bool:
        self._seen = seen
        levels = seen["levels"]
        lid = (_("open"), "yellow") if levels["lid_open"] else (_("shut"), "green")
        button = (_("down"), "yellow") if levels["button_down"] else (_("up"), "green")
        exit_ = (_("dark"), "yellow") if levels["exit_blocked"] else (_("clear"), "green")
        lines = Styled.assemble(
            (_("Lid"), "bold"), "  ", lid, "    ", (_("Button"), "bold"), "  ", button, "    ",
            (_("Exit"), "bold"), "  ", exit_, f"\n{seen['said']}\n",
            (f"~ {self._on_toy}\n" if self._on_toy else "", "cyan"),
            ("   ".join([*(each["label"] for each in self.answers), _("[q]uit")]), "dim"),
        )  # fmt: skip
        if lines != self._shown:
            self._shown = lines
            self._live.update(lines, refresh=True)
        return False

    def onlooker(self, words: str) -> None:
        self._on_toy = words
        self.show(self._seen)


def found_line(finding: dict[str, str]) -> Styled:
    """A mark, what was looked at, what was found; the remedy below."""
    mark, style = MARKS[finding["status"]]
    line = Styled.assemble((f"{mark} ", style), (finding["title"], "bold"), finding["text"])
    if finding["remedy"]:
        line.append(f"\n  → {finding['remedy']}", style)
    return line
