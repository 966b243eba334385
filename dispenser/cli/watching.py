"""The live screen of ``dispenser watch``: a thread listens, the main thread draws, and only when something is new."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue

from rich.console import Console, Group
from rich.live import Live

from dispenser.cli.screen import View, screen
from dispenser.client import ApiError, LauncherClient, OtherJournalError, UnreachableError

HISTORY = 300
"""Entries from before that are asked for, so that the screen is not empty at the start."""
Change = Callable[[View], None]


def watch_in_terminal(client: LauncherClient, console: Console) -> None:
    """Draw until Ctrl-C.

    :raises ApiError: no launcher answers, or it says no.
    """
    view = View(client.url, client.snapshot())
    changes: SimpleQueue[Change] = SimpleQueue()
    signal.signal(signal.SIGWINCH, lambda *_: changes.put(lambda _: None))
    listener = threading.Thread(target=_listen, args=(client, changes.put), name="listener")
    listener.start()
    try:
        with Live(console=console, screen=True, auto_refresh=False) as live:
            while True:
                live.update(Group(*screen(view, *console.size)), refresh=True)
                changes.get()(view)
                while not changes.empty():
                    changes.get()(view)
                if not view.trouble:
                    _look_again(client, view)
    finally:
        client.close()
        listener.join()


def _look_again(client: LauncherClient, view: View) -> None:
    """The screen shows what the launcher says of itself, rather than what we make of its entries."""
    with suppress(UnreachableError):  # the listener will say so
        view.snapshot = client.snapshot()


def _listen(client: LauncherClient, put: Callable[[Change], None]) -> None:
    """Hand on every entry, and how the connection is."""

    def on_link(error: Exception | None) -> None:
        put(lambda view: setattr(view, "trouble", "" if error is None else str(error)))

    try:
        while True:
            try:
                for entry in client.events(max(0, client.snapshot()["seq"] - HISTORY), on_link=on_link):
                    put(lambda view, entry=entry: view.take(entry))  # type: ignore[misc]
            except OtherJournalError:
                put(View.forget)
            else:
                return
    except ApiError as error:
        put(lambda _, error=error: _give_up(error))  # type: ignore[misc]


def _give_up(error: ApiError) -> None:
    raise error
