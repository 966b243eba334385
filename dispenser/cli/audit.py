"""``dispenser audit``: check that presses and shuffles follow from the committed seeds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import typer

from dispenser.cli.failures import IO_ERROR, CommandError
from dispenser.cli.options import JournalOption, JsonOption
from dispenser.cli.settings import journal_path
from dispenser.cli.spoken import _, in_words
from dispenser.i18n import Text
from dispenser.journal import Journal, Record
from dispenser.odds.audit import AuditReport, Problem, Verdict
from dispenser.odds.audit import audit as audit_presses
from dispenser.table.audit import audit_shuffles

SHOWN_PROBLEMS = 12
EXIT_CODES = {Verdict.PROVEN: 0, Verdict.MISFIT: 1, Verdict.NOT_REVEALED: 3}
_COUNTED = {
    "matches": Text("Matches whose shuffles were checked move by move: {number:,}."),
    "pending_matches": Text("Matches whose shuffles are shown when they end: {number:,}."),
    "pending": Text("Presses to be checked when the service has stopped and shown the seed: {number:,}."),
    "exact": Text("Presses with an ordered number of cards, not random: {number:,}."),
    "unfinished": Text("Presses that never ended, cut off by a kill or still under way: {number:,}."),
}
_SQLITE = b"SQLite format 3\0"


def audit(journal: JournalOption = None, as_json: JsonOption = False) -> None:
    """Example: dispenser audit --journal exported.jsonl"""
    report = audit_file(journal_path(journal))
    if as_json:
        typer.echo(json.dumps(report.to_dict(), indent=2))
    else:
        typer.echo("\n".join(_in_words(report)))
    raise typer.Exit(EXIT_CODES[report.verdict])


def audit_file(path: Path) -> AuditReport:
    """Audit a journal (also one that a launcher is writing to) or its export.

    :raises JournalError, CommandError: it cannot be read.
    """
    if path.is_file():  # for anything else, Journal.read_only reports a clearer error than open()
        with path.open("rb") as file:
            if file.read(len(_SQLITE)) != _SQLITE:
                file.seek(0)
                return audit_journal(list(_records_of_export(file, path)))
    with Journal.read_only(path) as journal:
        return audit_journal(journal, journal.verify_chain())


def audit_journal(records: Iterable[Record], broken_chain: int | None = None) -> AuditReport:
    """Return one report that covers presses and shuffles."""
    report, shuffles = audit_presses(records, broken_chain), audit_shuffles(records)
    report.matches, report.pending_matches = shuffles.matches, shuffles.pending
    report.problems += [Problem(each.seq, each.type, each.text) for each in shuffles.misfits]
    report.problems.sort(key=lambda problem: problem.seq)
    return report


def _records_of_export(lines: Iterable[bytes], path: Path) -> Iterator[Record]:
    """Parse the lines of an export; a ``CommandError`` names the line that is wrong, and why."""
    decoder = msgspec.json.Decoder(Record)
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield decoder.decode(line)
            except (msgspec.MsgspecError, UnicodeError) as error:
                no_record = Text(
                    "{file}, line {number}: no record of a journal; give a journal, or its export as JSON lines"
                )
                raise CommandError(no_record.filled(file=path, number=number), IO_ERROR) from error


def _in_words(report: AuditReport) -> Iterator[str]:
    """Yield the lines of the report: verdict, figures, problems, damage, seeds."""
    title, colour = {
        Verdict.PROVEN: (_("Proven"), "green"),
        Verdict.MISFIT: (_("Something does not fit"), "red"),
        Verdict.NOT_REVEALED: (_("Nothing to prove yet"), "yellow"),
    }[report.verdict]
    yield typer.style(title, fg=colour, bold=True)
    yield from _figures(report)
    yield from (f"- {in_words(problem.in_words)}" for problem in report.problems[:SHOWN_PROBLEMS])
    if (more := len(report.problems) - SHOWN_PROBLEMS) > 0:
        yield _("- and {number} more; look at the first ones first, the others may follow from them", number=more)
    for damage in report.damage[:SHOWN_PROBLEMS]:
        yield f"- {_('reported in the journal, {damage}', damage=damage)}"
    for each in report.rounds:
        revealed = _("revealed in record {seq}", seq=each.revealed_seq) if each.revealed_seq else _("not revealed yet")
        yield _(
            "Seed of record {seq}, odds {odds}: {checked} of {draws} draws checked, {revealed}. SHA-256: {commitment}",
            seq=each.seq,
            odds=each.odds,
            checked=each.checked,
            draws=each.draws,
            revealed=revealed,
            commitment=each.commitment,
        )


def _figures(report: AuditReport) -> Iterator[str]:
    if report.verdict is Verdict.PROVEN and report.checked:
        yield _(
            "Presses that came out as the revealed seeds say, without exception: {number:,}.", number=report.checked
        )
    elif report.verdict is Verdict.MISFIT:
        first, number = report.problems[0].seq, len(report.problems)
        yield _("Things that do not fit: {number:,}, the first at record {first}.", number=number, first=first)
        yield _("Presses that could be compared with a revealed seed: {number:,}.", number=report.checked)
    elif not (report.rounds or report.pending_matches):
        yield _("There is no commitment to a seed in this journal.")
    elif not report.pending:
        yield _("No press was random.")
    for name, text in _COUNTED.items():
        if number := getattr(report, name):
            yield in_words(text.filled(number=number))
