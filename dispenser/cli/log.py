"""``dispenser log``: show, filter and export the journal, also while a launcher writes to it."""

from __future__ import annotations

import codecs
import csv
import re
import sys
from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import IO, TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from dispenser.cli.failures import USAGE, complain, fail
from dispenser.cli.options import JournalOption, JsonOption, among, finite
from dispenser.cli.sentences import describe, printable, record_types
from dispenser.cli.settings import journal_path, load_settings
from dispenser.cli.spoken import _, language
from dispenser.journal import (
    Damage,
    Journal,
    JournalReader,
    Record,
    public_data,
)

if TYPE_CHECKING:
    from dispenser.table.replay import Chronicle

SOURCES = ("api", "bot", "button", "launcher", "mqtt", "owner", "phone", "service", "table", "simulator", "web")
SHOWN = 100  # Records that the terminal shows by default


def log(
    journal: JournalOption = None,
    types: Annotated[
        list[str] | None,
        typer.Option(
            "--type",
            help="Only this type and those below it, such as launcher.press. May be repeated.",
            autocompletion=among(record_types),
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(help="Only from this source, such as button.", autocompletion=among(lambda: SOURCES)),
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="From this record number or time on: 2026-11-20T18:00, 18:00 (today), 90m (ago).")
    ] = None,
    until: Annotated[str | None, typer.Option(help="Up to this record number or time.")] = None,
    last: Annotated[int | None, typer.Option(min=0, help="Only the newest N records.")] = None,
    as_json: JsonOption = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print CSV for a spreadsheet; like JSON, with all records.")
    ] = False,
    scenario: Annotated[
        int | None,
        typer.Option(metavar="SEQ", help="Write the events around this record as a scenario that can be replayed."),
    ] = None,
    before_s: Annotated[
        float,
        typer.Option(
            "--seconds-before", min=0, max=300, callback=finite, help="How many seconds before the record to include."
        ),
    ] = 10.0,
    after_s: Annotated[
        float, typer.Option("--seconds-after", min=0, max=300, callback=finite, help="Seconds after the record.")
    ] = 5.0,
) -> None:
    """The terminal shows the newest 100 records unless --since or --last says otherwise; an export has them all.

    Example: dispenser log --since 90m --type launcher.press
    """
    for_people = not (as_json or as_csv)
    if last is None and since is None and for_people:
        last = SHOWN
    file = sys.stdout.buffer
    wanted = {"types": types or None, "source": source, **_bound("since", since), **_bound("until", until)}
    with Journal.read_only(journal_path(journal)) as reader:
        if scenario is not None:
            from dispenser.scenario.launcher.recorder import record

            settings = load_settings(None)
            typer.echo(record(reader, scenario, settings, before_s=before_s, after_s=after_s), nl=False)
            return
        write = TextWriter(Names(reader).words) if for_people else _export(file, as_csv=as_csv)
        first = last_shown = 0
        for each in reader.read(**wanted, last=last):
            write(each)
            first, last_shown = first or each.seq, each.seq
        file.flush()
        if not first and for_people:
            complain(_("the journal has no such record"))
        _warn(reader, first, last_shown)


def _warn(journal: JournalReader, first: int, last: int) -> None:
    """Print a warning if a record in the printed range does not fit the hash chain."""
    for begin, end in journal.misfits(after=max(0, first - 1)) if last else ():
        if begin > last:
            break
        damage = Damage("records", begin, end)
        complain(_("{damage}. 'dispenser audit' looks at all of them", damage=damage.text))


def _bound(name: str, text: str | None) -> dict[str, Any]:
    """Return arguments of ``JournalReader.read`` for ``--since`` or ``--until``; a numbered record is included."""
    if text is None:
        return {}
    try:
        bound = parse_bound(text, datetime.now().astimezone())
    except (ValueError, OverflowError):
        wrong = _(
            "{option} {text}: give a record's number, a time such as 2026-11-20T18:00 or 18:00 (today), or 90m (ago)",
            option=f"--{name}",
            text=text,
        )
        fail(wrong, USAGE)
    if isinstance(bound, datetime):
        return {name: bound}
    return {"after": bound - 1} if name == "since" else {"before": bound + 1}


def parse_bound(text: str, now: datetime) -> int | datetime:
    """Parse a record's number or a time: ISO 8601 (default: local), a time of today, or 90m for 90 minutes ago.

    :raises ValueError, OverflowError: it is none of these.
    """
    if text.isdecimal():
        return int(text)
    if ago := re.fullmatch(r"(\d+)([smhd])", text):
        unit = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}[ago[2]]
        return now - timedelta(**{unit: int(ago[1])})
    if re.fullmatch(r"\d\d?:\d\d(:\d\d)?", text):
        return datetime.combine(now.date(), time.fromisoformat(text.zfill(5))).astimezone()
    return datetime.fromisoformat(text).astimezone()


def _export(file: IO[bytes], *, as_csv: bool) -> Callable[[Record], object]:
    """Return a writer: JSON lines as the API sends them, or CSV (RFC 4180, UTF-8, header, ``data`` as JSON)."""
    if not as_csv:
        return lambda record: file.write(record.json() + b"\n")
    rows = csv.writer(codecs.getwriter("utf-8")(file))
    rows.writerow(("seq", "time", "source", "type", "data"))
    return lambda record: rows.writerow(
        (record.seq, record.time, record.source, record.type, msgspec.json.encode(public_data(record.data)).decode())
    )


class Names:
    """Describes table events with people's names, which it reads from earlier events when needed."""

    def __init__(self, journal: JournalReader) -> None:
        self._journal = journal
        self._chronicle: Chronicle | None = None
        self._said = 0

    def words(self, record: Record) -> str:
        """Return the description of a table event; empty for any other record."""
        if not record.type.startswith("table."):
            return ""
        from dispenser.table.events import FAMILY, MatchEnded, Opened
        from dispenser.table.replay import Chronicle, seeds_in

        if self._chronicle is None:
            begun = next(self._journal.read(before=record.seq + 1, types=[Opened.type], last=1), record)
            seeds = seeds_in(self._journal.read(after=begun.seq, types=[MatchEnded.type]))
            self._chronicle, self._said = Chronicle(seeds), begun.seq - 1
        for earlier in self._journal.read(after=self._said, before=record.seq, types=[FAMILY]):
            self._chronicle.words(earlier, language())
        self._said = record.seq
        return self._chronicle.words(record, language())


class TextWriter:
    """Prints one line per record and a heading per day, in local time."""

    def __init__(self, known: Callable[[Record], str] = lambda _: "") -> None:
        """``known`` returns a better description of a record, or an empty string."""
        self._known = known
        self._day = ""

    def __call__(self, record: Record) -> None:
        moment = datetime.fromisoformat(record.time).astimezone()
        if (day := f"{moment:%Y-%m-%d, %Z}") != self._day:
            self._day = day
            typer.echo(day)
        time_of_day = f"{moment:%H:%M:%S}.{moment.microsecond // 1000:03}"
        words = self._known(record) or describe(record)
        typer.echo(f"{record.seq:>6}  {time_of_day}  {printable(record.source):<8}  {printable(words)}")
