"""``dispenser status`` and ``dispenser watch``: show the state of the running launcher and its events."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from typing import Annotated, Any

import typer

from dispenser.cli.failures import USAGE, complain, fail
from dispenser.cli.launcher import Answers, answering, at_launcher
from dispenser.cli.options import JsonOption
from dispenser.cli.sentences import printable, texts
from dispenser.cli.spoken import _
from dispenser.client import LauncherClient, OtherJournalError
from dispenser.journal import Record


@answering
def status(client: LauncherClient) -> Answers:
    known = client.snapshot()
    yield known, _in_words(client.url, known)


@at_launcher
def watch(
    client: LauncherClient,
    after: Annotated[
        int | None, typer.Option(min=0, help="Begin after the record of this number; else with the next one.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    known = client.snapshot()
    if after is not None and after > known["seq"]:
        newest = known["seq"]
        fail(_("--after {after}: the launcher's journal ends at record {newest}", after=after, newest=newest), USAGE)
    with suppress(KeyboardInterrupt):  # the usual way to end it
        records = all_records(client, known["seq"] if after is None else after)
        if as_json:
            for record in records:
                typer.echo(record.json())
            return
        from dispenser.cli.log import TextWriter

        typer.echo(_in_words(client.url, known))
        write = TextWriter()
        for record in records:
            write(record)


def all_records(client: LauncherClient, after: int) -> Generator[Record, None, None]:
    """Yield records without end; if the launcher starts another journal, all records of that one."""
    lost = False

    def on_link(error: Exception | None) -> None:
        nonlocal lost
        if error is not None and not lost:
            complain(f"{texts()['sentence']['lost']} {error}")
        lost = error is not None

    while True:
        try:
            yield from client.events(after, on_link=on_link)
        except OtherJournalError as error:
            complain(_("{error}; here is all of the new one", error=error))
            after = 0


def _in_words(url: str, known: dict[str, Any]) -> str:
    """Return the state of the launcher as lines of text."""
    state, sentence, cards = known["state"], texts()["sentence"], known["cards_inside"]
    lines = (
        known["detail"] or sentence[known.get("refusal") if state == "ready" and known.get("refusal") else state],
        _("Lid: {lid}", lid=_("open") if known["lid_open"] else _("shut")),
        _("Cards inside: {cards}", cards=_("nobody said how many") if cards is None else cards),
        _("Odds: {odds}", odds=known["odds"]["name"] if known["odds"] else "–"),
        _("Address: {address}", address=f"{url}/" + (f" ({_('simulated')})" if known["simulated"] else "")),
    )
    return "\n".join(map(printable, lines))
