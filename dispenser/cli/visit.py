"""A wizard of the launcher that runs, in a terminal: its workshop over HTTP, as on its page."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from dispenser.cli.failures import ENDED_BY, UNAVAILABLE, fail
from dispenser.cli.spoken import _
from dispenser.cli.wizard import Paper
from dispenser.cli.workbench import keys
from dispenser.client import ApiError
from dispenser.maintenance.steps import Answer
from dispenser.maintenance.words import key_of

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from rich.console import Console

    from dispenser.client import LauncherClient

_SIGINT = 2


def visit(launcher: LauncherClient, kind: str, console: Console) -> dict[str, Any]:
    """Go through a wizard there; the workshop is left at the end, however that comes.

    :returns: what it shows last.
    """
    console.print(_("The launcher that runs does this: {url}/workshop shows the same.", url=launcher.url))
    paper = Paper(console)
    try:
        launcher.open_workshop(kind)
        try:
            asyncio.run(_Visit(launcher, paper).follow())
        finally:
            launcher.close_workshop()
    except KeyboardInterrupt:
        fail(_("Stopped before the end."), ENDED_BY + _SIGINT)
    except ApiError as error:
        fail(error, UNAVAILABLE)
    return paper.shown


class _Visit:
    """Keys go there, and what there is to see comes back; neither waits for the other."""

    def __init__(self, launcher: LauncherClient, paper: Paper) -> None:
        self._launcher = launcher
        self._paper = paper
        self._telling: set[asyncio.Task[None]] = set()

    async def follow(self) -> None:
        """Until it is over, or somebody has closed it.

        :raises ApiError: the launcher does not answer any more.
        """
        number: int | None = None
        with keys(self._take, lambda: self._tell(Answer.STOP)):
            while True:
                seen = await asyncio.to_thread(self._launcher.workshop, number)
                if not seen["open"] or self._paper.show(seen["wizard"]):
                    return
                number = seen["number"]

    def _take(self, key: str) -> None:
        """A key that is no answer now means nothing."""
        answers = self._paper.shown["answers"]
        for each in answers:
            if key.lower() == key_of(each["label"]) or (key in "\r\n" and each["answer"] == Answer.GO):
                self._tell(each["answer"])
                return

    def _tell(self, word: str) -> None:
        task = asyncio.get_running_loop().create_task(self._told(asyncio.to_thread(self._launcher.tell_workshop, word)))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _told(self, telling: Coroutine[Any, Any, None]) -> None:
        try:
            await telling
        except ApiError:  # it was answered elsewhere meanwhile; what there is to see says how it is
            return
