"""``dispenser watch``: a running launcher live in the terminal."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.failures import USAGE, complain, fail
from dispenser.cli.launcher import at_launcher
from dispenser.cli.options import JsonOption
from dispenser.cli.spoken import _
from dispenser.client import LauncherClient, OtherJournalError, UnreachableError

if TYPE_CHECKING:
    from rich.console import Console

    from dispenser.journal import Record

HISTORY = 300
"""Entries from before that are asked for, so that the screen is not empty at the start."""


@at_launcher
def watch(
    client: LauncherClient,
    after: Annotated[
        int | None,
        typer.Option(min=0, help="With --json: begin after the entry of this number; else with the next one."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """See the running launcher live in the terminal, until Ctrl-C."""
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


def all_entries(client: LauncherClient, after: int | None) -> Generator[Record, None, None]:
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


def watch_in_terminal(client: LauncherClient, console: Console) -> None:
    """Draw until Ctrl-C, when something is new. Of many entries at once, as at the start, only the last is drawn.

    :raises ApiError: no launcher answers, or it says no.
    """
    from rich.console import Group
    from rich.live import Live

    from dispenser.cli.screen import View, screen

    view = View(client.url, client.snapshot())
    with Live(console=console, screen=True, auto_refresh=False) as live:

        def draw(*_: object) -> None:
            live.update(Group(*screen(view, *console.size)), refresh=True)

        def on_link(error: Exception | None) -> None:
            view.trouble = "" if error is None else str(error)
            draw()

        if hasattr(signal, "SIGWINCH"):  # not on Windows, where the next entry draws it anew
            signal.signal(signal.SIGWINCH, draw)
        while True:
            try:
                for entry in client.events(max(0, view.snapshot["seq"] - HISTORY), on_link=on_link):
                    view.take(entry)
                    if entry.seq >= view.snapshot["seq"]:
                        with suppress(UnreachableError):  # the stream will say so
                            view.snapshot = client.snapshot()  # rather than what we make of its entries
                        draw()
            except OtherJournalError:
                view = View(client.url, client.snapshot())
