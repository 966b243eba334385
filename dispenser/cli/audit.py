"""``dispenser audit``: prove that a journal's presses came out as the seed said."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from dispenser.cli.failures import BAD_SETTINGS, IO_ERROR, fail
from dispenser.journal import Journal, JournalError
from dispenser.luck.audit import AuditReport, Verdict
from dispenser.luck.audit import audit as audit_entries

if TYPE_CHECKING:
    from rich.console import RenderableType

SHOWN_PROBLEMS = 12
EXIT_CODES = {Verdict.PROVEN: 0, Verdict.MISFIT: 1, Verdict.NOT_REVEALED: 3}
_SQLITE = b"SQLite format 3\0"


class ExportError(ValueError):
    """A line of an exported journal that cannot be read. The text says which and why."""


class ExportedEntry(msgspec.Struct, frozen=True):
    """One line of a journal that was exported as JSON lines."""

    seq: int
    time: str
    source: str
    type: str
    data: dict[str, Any]


def audit(
    journal: Annotated[
        Path | None,
        typer.Argument(help="A journal, or its export as JSON lines; the launcher's own when left out."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole finding as JSON.")] = False,
) -> None:
    """Replay a journal and prove that every press came out as the revealed seed says.

    Exit code: 0 proven, 1 something does not fit, 3 no seed is revealed yet, 74 the journal cannot be read.
    """
    try:
        report = audit_file(journal or _default_journal())
    except (OSError, JournalError, ExportError) as error:
        fail(error, IO_ERROR)
    if as_json:
        typer.echo(json.dumps(report.to_dict(), indent=2))
    else:
        from rich.console import Console

        Console().print(finding(report))
    raise typer.Exit(EXIT_CODES[report.verdict])


def _default_journal() -> Path:
    from dispenser.config import ConfigError, load

    try:
        return load().journal_path()
    except ConfigError as error:
        fail(error, BAD_SETTINGS)


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


def read_json_lines(lines: Iterable[bytes], name: str) -> Iterator[ExportedEntry]:
    """The entries of an export, one JSON object a line; empty lines are skipped.

    :raises ExportError: naming the line and what is wrong with it.
    """
    decoder = msgspec.json.Decoder(ExportedEntry)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise ExportError(f"{name}, line {number}: {error}; give a journal, or its export as JSON lines") from error


def finding(report: AuditReport) -> RenderableType:
    """The verdict in words, and what it rests on."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    title, colour = {
        Verdict.PROVEN: ("Proven", "green"),
        Verdict.MISFIT: ("Something does not fit", "red"),
        Verdict.NOT_REVEALED: ("Nothing to prove yet", "yellow"),
    }[report.verdict]
    verdict = Panel(Text("\n".join(_sentences(report))), title=title, title_align="left", border_style=colour)
    problems = [Text.assemble(("- ", colour), str(problem.in_words)) for problem in report.problems[:SHOWN_PROBLEMS]]
    if len(report.problems) > SHOWN_PROBLEMS:
        more = len(report.problems) - SHOWN_PROBLEMS
        problems.append(Text(f"- and {more} more; look at the first ones first, the others may follow from them"))
    damage = [
        Text.assemble(("- ", "yellow"), f"told in the journal, {each}") for each in report.damage[:SHOWN_PROBLEMS]
    ]
    return Group(verdict, *problems, *damage, *([Text(), _rounds(report)] if report.rounds else []))


def _sentences(report: AuditReport) -> Iterator[str]:
    if report.verdict is Verdict.PROVEN:
        yield f"{_count(report.checked, 'press', 'presses')} came out as the revealed seeds say, without exception."
    elif report.verdict is Verdict.MISFIT:
        first = report.problems[0].seq
        yield f"{_count(len(report.problems), 'thing does', 'things do')} not fit, the first at seq {first}."
        yield f"{_count(report.checked, 'press', 'presses')} could be compared with a revealed seed."
    elif not report.rounds:
        yield "There is no commitment to a seed in this journal."
    if report.pending:
        presses = _count(report.pending, "press", "presses")
        yield f"Not revealed yet: {presses} can be checked when the service has stopped."
    elif report.verdict is Verdict.NOT_REVEALED and report.rounds:
        yield "No seed has been revealed yet, and no press was left to the odds."
    if report.exact:
        yield f"{_count(report.exact, 'press', 'presses')} asked for an exact number of cards and spent no luck."
    if report.unfinished:
        yield f"{_count(report.unfinished, 'press', 'presses')} never ended: cut off by a kill, or still under way."


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _rounds(report: AuditReport) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("seq", "draws", "checked"):
        table.add_column(heading, justify="right")
    table.add_column("odds")
    table.add_column("seed revealed")
    table.add_column("commitment (SHA-256 of the seed)", overflow="fold")
    for each in report.rounds:
        revealed = "not yet" if each.revealed_seq is None else f"at seq {each.revealed_seq}"
        odds, figures = Text(each.odds), (str(each.seq), str(each.draws), str(each.checked))
        table.add_row(*figures, odds, revealed, each.commitment)
    return table
