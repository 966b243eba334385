"""``dispenser log --crash``: what is known of the last crash."""

from __future__ import annotations

from pathlib import Path

import typer

from dispenser.cli.failures import IO_ERROR, fail
from dispenser.cli.spoken import _
from dispenser.i18n import why
from dispenser.journal import Journal, JournalError


def show_crash(journal: Path) -> None:
    """The newest report, as it was written; it lies beside the journal, in the state folder."""
    from dispenser.system import crash

    def entries() -> list[str]:
        try:
            with Journal.read_only(journal) as reader:
                return crash.last_entries(reader)
        except JournalError as error:
            return [str(error)]

    folder = journal.parent / crash.FOLDER
    try:
        told = crash.last(folder.parent, entries)
    except OSError as error:
        fail(_("{folder}: {why}; 'sudo' may help", folder=folder, why=why(error)), IO_ERROR)
    if told is None:
        typer.echo(_("No crash is known of."))
        return
    text, kept = told
    typer.echo(text, nl=False)
    if kept:
        typer.echo(_("\nAll reports: {folder}", folder=folder))
