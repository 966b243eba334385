"""``dispenser watch``: a running launcher live in the terminal."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.failures import USAGE, complain, fail
from dispenser.cli.launcher import at_launcher
from dispenser.cli.options import JsonOption
from dispenser.cli.spoken import _
from dispenser.client import ApiError, LauncherClient, OtherJournalError, UnreachableError

if TYPE_CHECKING:
    from rich.console import Console

    from dispenser.cli.screen import View
    from dispenser.journal import Entry

HISTORY = 300
"""Entries from before that are asked for, so that the screen is not empty at the start."""
Change = Callable[["View"], None]


@at_launcher
def watch(
    client: LauncherClient,
    after: Annotated[
        int | None,
        typer.Option(min=0, help="With --json: begin after the entry of this number; else with the next one."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """See the running launcher live in the terminal, until Ctrl-C.

    Goes on by itself after a lost connection: no entry is missed, none comes twice.
    """
    if after is not None and not as_json:
        fail(_("--after goes with --json only"), USAGE)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the terminal is put right then, too
    with suppress(KeyboardInterrupt):  # the way to end it
        if as_json:
            for entry in all_entries(client, after):
                typer.echo(entry.json().decode())
            return
        from rich.console import Console

        console = Console()
        if console.is_terminal:
            watch_in_terminal(client, console)
            return
        from dispenser.cli.log import TextWriter

        write = TextWriter(console)
        for entry in all_entries(client, after):
            write(entry)
            console.file.flush()


def all_entries(client: LauncherClient, after: int | None) -> Generator[Entry, None, None]:
    """Entries for ever; when the launcher begins another journal, that one from its first entry on."""
    newest = client.snapshot()["seq"]
    if after is not None and after > newest:
        fail(_("--after {after}: the launcher's journal ends at entry {newest}", after=after, newest=newest), USAGE)
    start = newest if after is None else after
    while True:
        try:
            yield from client.events(start)
        except OtherJournalError as error:
            complain(_("{error}; here is all of the new one", error=error))
            start = 0
        else:
            return


# --- the screen: a thread listens, the main thread draws, and only when something is new --------------------------


def watch_in_terminal(client: LauncherClient, console: Console) -> None:
    """Draw until Ctrl-C.

    :raises ApiError: no launcher answers, or it says no.
    """
    from rich.console import Group
    from rich.live import Live

    from dispenser.cli.screen import View, screen

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
                put(lambda view: view.forget())
            else:
                return
    except ApiError as error:
        put(lambda _, error=error: _give_up(error))  # type: ignore[misc]


def _give_up(error: ApiError) -> None:
    raise error
