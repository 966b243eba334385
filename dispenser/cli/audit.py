"""``dispenser audit``: prove that a journal's presses came out as the seed said."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from dispenser.cli.failures import IO_ERROR, fail
from dispenser.cli.options import JournalOption, JsonOption
from dispenser.cli.settings import load_settings
from dispenser.cli.spoken import _
from dispenser.journal import Entry, Journal, JournalError
from dispenser.luck.audit import AuditReport, Verdict
from dispenser.luck.audit import audit as audit_entries

if TYPE_CHECKING:
    from rich.console import RenderableType

SHOWN_PROBLEMS = 12
EXIT_CODES = {Verdict.PROVEN: 0, Verdict.MISFIT: 1, Verdict.NOT_REVEALED: 3}
_SQLITE = b"SQLite format 3\0"


class ExportError(ValueError):
    """A line of an exported journal that cannot be read. The text says which and why."""


def audit(
    journal: JournalOption = None,
    file: Annotated[Path | None, typer.Argument(hidden=True)] = None,
    as_json: JsonOption = False,
) -> None:
    """Replay a journal and prove that every press came out as the revealed seed says.

    The journal may be an export of one, too: 'dispenser log --json --output FILE'.

    Exit code: 0 proven, 1 something does not fit, 3 no seed is revealed yet, 74 the journal cannot be read.
    """
    try:
        report = audit_file(journal or file or load_settings(None).journal_path())
    except (OSError, JournalError, ExportError) as error:
        fail(error, IO_ERROR)
    if as_json:
        typer.echo(json.dumps(report.to_dict(), indent=2))
    else:
        from rich.console import Console

        Console().print(finding(report))
    raise typer.Exit(EXIT_CODES[report.verdict])


def audit_file(path: Path) -> AuditReport:
    """Audit a journal (while a launcher writes to it, too) or an export of one.

    :raises OSError, JournalError, ExportError: it cannot be read.
    """
    if not path.is_file():
        Journal.read_only(path).close()  # it says what is wrong better than the operating system does
    with path.open("rb") as file:
        if file.read(len(_SQLITE)) != _SQLITE:
            file.seek(0)
            return audit_entries(read_json_lines(file, str(path)))
    with Journal.read_only(path) as journal:
        return audit_entries(journal.read(), journal.verify_chain())


def read_json_lines(lines: Iterable[bytes], name: str) -> Iterator[Entry]:
    """The entries of an export, one JSON object a line; empty lines are skipped.

    :raises ExportError: naming the line and what is wrong with it.
    """
    decoder = msgspec.json.Decoder(Entry)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise ExportError(
                _(
                    "{file}, line {number}: {error}; give a journal, or its export as JSON lines",
                    file=name,
                    number=number,
                    error=error,
                )
            ) from error


def finding(report: AuditReport) -> RenderableType:
    """The verdict in words, and what it rests on."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    title, colour = {
        Verdict.PROVEN: (_("Proven"), "green"),
        Verdict.MISFIT: (_("Something does not fit"), "red"),
        Verdict.NOT_REVEALED: (_("Nothing to prove yet"), "yellow"),
    }[report.verdict]
    verdict = Panel(Text("\n".join(_sentences(report))), title=title, title_align="left", border_style=colour)
    problems = [Text.assemble(("- ", colour), str(problem.in_words)) for problem in report.problems[:SHOWN_PROBLEMS]]
    if len(report.problems) > SHOWN_PROBLEMS:
        more = len(report.problems) - SHOWN_PROBLEMS
        problems.append(
            Text(_("- and {number} more; look at the first ones first, the others may follow from them", number=more))
        )
    damage = [
        Text.assemble(("- ", "yellow"), _("told in the journal, {damage}", damage=each))
        for each in report.damage[:SHOWN_PROBLEMS]
    ]
    return Group(verdict, *problems, *damage, *([Text(), _rounds(report)] if report.rounds else []))


def _sentences(report: AuditReport) -> Iterator[str]:
    if report.verdict is Verdict.PROVEN:
        yield _(
            "{number:,} press came out as the revealed seeds say, without exception.",
            plural="{number:,} presses came out as the revealed seeds say, without exception.",
            number=report.checked,
        )
    elif report.verdict is Verdict.MISFIT:
        yield _(
            "{number:,} thing does not fit, at seq {first}.",
            plural="{number:,} things do not fit, the first at seq {first}.",
            number=len(report.problems),
            first=report.problems[0].seq,
        )
        yield _(
            "{number:,} press could be compared with a revealed seed.",
            plural="{number:,} presses could be compared with a revealed seed.",
            number=report.checked,
        )
    elif not report.rounds:
        yield _("There is no commitment to a seed in this journal.")
    if report.pending:
        yield _(
            "Not revealed yet: {number:,} press can be checked when the service has stopped.",
            plural="Not revealed yet: {number:,} presses can be checked when the service has stopped.",
            number=report.pending,
        )
    elif report.verdict is Verdict.NOT_REVEALED and report.rounds:
        yield _("No press was left to the odds.")
    if report.exact:
        yield _(
            "{number:,} press asked for an exact number of cards and spent no luck.",
            plural="{number:,} presses asked for an exact number of cards and spent no luck.",
            number=report.exact,
        )
    if report.unfinished:
        yield _(
            "{number:,} press never ended: cut off by a kill, or still under way.",
            plural="{number:,} presses never ended: cut off by a kill, or still under way.",
            number=report.unfinished,
        )


def _rounds(report: AuditReport) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in (_("seq"), _("draws"), _("checked")):
        table.add_column(heading, justify="right")
    table.add_column(_("odds"))
    table.add_column(_("seed revealed"))
    table.add_column(_("commitment (SHA-256 of the seed)"), overflow="fold")
    for each in report.rounds:
        revealed = _("not yet") if each.revealed_seq is None else _("at seq {seq}", seq=each.revealed_seq)
        odds, figures = Text(each.odds), (str(each.seq), str(each.draws), str(each.checked))
        table.add_row(*figures, odds, revealed, each.commitment)
    return table
