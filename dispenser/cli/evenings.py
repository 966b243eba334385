"""``dispenser evenings``: list, export and delete the evenings in a journal."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from dispenser.cli.failures import complain
from dispenser.cli.help_pages import Commands
from dispenser.cli.launcher import Answers, answering
from dispenser.cli.options import JournalOption, JsonOption
from dispenser.cli.sentences import printable
from dispenser.cli.settings import journal_path
from dispenser.cli.spoken import _, language
from dispenser.client import LauncherClient
from dispenser.i18n import isolated
from dispenser.journal import Journal

if TYPE_CHECKING:
    from dispenser.table.evenings import EveningInBrief

evenings_app = Commands(invoke_without_command=True)


@evenings_app.callback()
def evenings(
    context: typer.Context,
    journal: JournalOption = None,
    name: Annotated[str | None, typer.Option(help="Only evenings with a person of this name.")] = None,
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print all rounds as a table for a spreadsheet.")] = False,
) -> None:
    """Example: dispenser evenings --csv > points.csv"""
    if context.invoked_subcommand is not None:
        return
    from dispenser.service.evenings import Evenings
    from dispenser.table.export import as_csv as table_of

    known = Evenings()
    with Journal.read_only(journal_path(journal)) as reader:
        if as_csv:
            typer.echo(table_of(known.stories(reader, name)).encode(), nl=False)
        elif as_json:
            for story in known.stories(reader, name):
                typer.echo(msgspec.json.encode(story))
        else:
            found = known.listed(reader, name)
            for each in found:
                typer.echo(printable(_line(each)))
            if not found:
                complain(_("the journal has no such evening") if name else _("No evening yet."))


def _line(each: EveningInBrief) -> str:
    """Return one line: id (for ``delete``), time, people and games."""
    from dispenser.rules.library import book_of

    begun = datetime.fromisoformat(each.begun).astimezone()
    end = datetime.fromisoformat(each.ended).astimezone().strftime("%H:%M") if each.ended else "…"
    who = list(map(isolated, each.people))
    if each.bots:
        who.append(_("{number} bot", plural="{number} bots", number=each.bots))
    games = list(dict.fromkeys(book_of(match.game).name[language()] for match in each.matches))
    played = ", ".join(games) or _("nothing was played")
    return f"{each.id}  {begun:%Y-%m-%d %H:%M}–{end}  {', '.join(who)}: {played}"


@evenings_app.command()
@answering
def delete(
    client: LauncherClient,
    evening: Annotated[str, typer.Argument(help="Number of the evening in the list.", show_default=False)],
) -> Answers:
    """Delete an evening for good: the running launcher takes it out of its journal.

    Names, moves and points are gone from the journal's file, and from everything that is made of it; copies and exports
    that you made before keep them. That an evening was deleted, and when, stays in the journal.

    Example: dispenser evenings delete 5f0c2a9be1d4
    """
    record = client.delete_evening(evening)
    yield record, _("Deleted: {number} record.", plural="Deleted: {number} records.", number=int(record.data["count"]))
