"""``dispenser log``: show, filter and export the journal, also while a launcher writes to it."""

from __future__ import annotations

import codecs
import csv
import enum
import io
import re
import sys
import time as clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import msgspec
import typer

from dispenser.cli.failures import IO_ERROR, USAGE, complain, fail
from dispenser.cli.options import JournalOption, JsonOption, among
from dispenser.cli.sentences import describe, entry_types, printable
from dispenser.cli.settings import load_settings
from dispenser.cli.spoken import _
from dispenser.journal import Damage, Entry, FilterError, Journal, JournalDamagedError, JournalError, JournalReader
from dispenser.language import verbatim
from dispenser.service.settings import ConfigError

if TYPE_CHECKING:
    from rich.console import Console

SOURCES = ("api", "button", "launcher", "service", "toy", "web")
SHOWN = 100
"""Entries shown in the terminal when nobody says how many."""
POLL_S = 0.25
"""``--follow`` looks for new entries this often, seconds."""
Write = Callable[[Entry], object]


class LogError(ValueError):
    """Arguments that make no sense. The text says which and what would."""


class Format(enum.StrEnum):
    """How entries are written."""

    TEXT = "text"
    JSONL = "jsonl"
    CSV = "csv"


def log(
    journal: JournalOption = None,
    types: Annotated[
        list[str] | None,
        typer.Option(
            "--type",
            help="Only this type and those below it, such as launcher.press. May be repeated.",
            autocompletion=among(entry_types),
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(help="Only from this source, such as button.", autocompletion=among(lambda: SOURCES)),
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="From this entry number or time on: 2026-11-20T18:00, 18:00 (today), 90m (ago).")
    ] = None,
    until: Annotated[str | None, typer.Option(help="Up to this entry number or time.")] = None,
    last: Annotated[int | None, typer.Option(min=0, help="Only the newest so many.")] = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with new entries until Ctrl-C.")] = False,
    as_json: JsonOption = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print a table for a spreadsheet; like JSON, it has all.")
    ] = False,
    format_: Annotated[Format, typer.Option("--format", hidden=True)] = Format.TEXT,
    output: Annotated[Path | None, typer.Option(help="Write to this new file, not to the terminal.")] = None,
    scenario: Annotated[
        int | None,
        typer.Option(metavar="SEQ", help="Write what happened around this entry as a scenario: a bug report to play."),
    ] = None,
    before_s: Annotated[
        float, typer.Option("--seconds-before", "--before", min=0, max=300, help="So long before it belongs to it.")
    ] = 10.0,
    after_s: Annotated[
        float, typer.Option("--seconds-after", "--after", min=0, max=300, help="So long after it belongs to it.")
    ] = 5.0,
) -> None:
    """Show the journal: everything that happened, oldest first.

    The terminal shows the newest 100 entries unless --since or --last says otherwise; an export has them all. Times
    are local in text, UTC in exports. Exit code: 0, 2 for bad arguments, 74 for a journal that cannot be read.
    """
    format_ = Format.JSONL if as_json else Format.CSV if as_csv else format_
    if last is None and since is None and format_ is Format.TEXT:
        last = SHOWN
    try:
        filters = _filters(types, source, since, until, follow=follow)
        with Journal.read_only(journal or load_settings(None).journal_path()) as reader:
            if scenario is not None:
                _write_scenario(reader, scenario, before_s, after_s, output)
                return
            entries = filters.read(reader, last, (lambda: clock.sleep(POLL_S)) if follow else None)
            with _opened(output) as file:
                write = _writer(format_, file, to_terminal=output is None)
                first = last_shown = 0
                for entry in entries:
                    write(entry)
                    first, last_shown = first or entry.seq, entry.seq
                    if follow:
                        file.flush()
                if not first and format_ is Format.TEXT:
                    complain(_("the journal has no such entry"))
            _warn(reader, first, last_shown)
    except KeyboardInterrupt:  # the way to end --follow
        return
    except BrokenPipeError:  # "| head": the command line's own business
        raise
    except (LogError, FilterError, ConfigError) as error:
        fail(error, USAGE)
    except (JournalError, OSError) as error:
        fail(error, IO_ERROR)


def _warn(journal: JournalReader, first: int, last: int) -> None:
    """Say which of the entries shown, or between them, do not fit the chain."""
    for begin, end in journal.misfits(after=max(0, first - 1)) if last else ():
        if begin > last:
            break
        damage = Damage.of_entries(begin, end)
        complain(_("{damage}. 'dispenser audit' looks at all of them", damage=damage.detail))


# --- which entries -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filters:
    """Which entries are wanted; a bound is an entry's number or a time, and itself wanted."""

    types: list[str] | None = None
    source: str | None = None
    since: int | datetime | None = None
    until: int | datetime | None = None

    def read(self, journal: JournalReader, last: int | None, wait: Callable[[], None] | None) -> Iterator[Entry]:
        """The newest ``last`` of the wanted entries (``None``: all) and, if there is a ``wait``, new ones for ever.

        :param wait: called before each look for new entries.
        """
        seen = journal.last_seq
        first = self._between(journal, 0, seen, last)
        return first if wait is None else self._follow(journal, first, seen, wait)

    def _follow(
        self, journal: JournalReader, first: Iterator[Entry], seen: int, wait: Callable[[], None]
    ) -> Iterator[Entry]:
        yield from first
        while True:
            wait()
            newest = journal.last_seq
            yield from self._between(journal, seen, newest)
            seen = newest

    def _between(self, journal: JournalReader, after: int, to: int, last: int | None = None) -> Iterator[Entry]:
        since = until = None
        if isinstance(self.since, int):
            after = max(after, self.since - 1)
        else:
            since = self.since
        if isinstance(self.until, int):
            to = min(to, self.until)
        else:
            until = self.until
        return journal.read(after, to + 1, types=self.types, source=self.source, since=since, until=until, last=last)


def _filters(
    types: list[str] | None, source: str | None, since: str | None, until: str | None, *, follow: bool
) -> Filters:
    if follow and until is not None:
        raise LogError(_("--follow goes on for ever: leave out --until"))
    now = datetime.now().astimezone()
    return Filters(
        types or None,
        source,
        None if since is None else parse_bound("--since", since, now),
        None if until is None else parse_bound("--until", until, now),
    )


def parse_bound(option: str, text: str, now: datetime) -> int | datetime:
    """An entry's number, or a time: ISO 8601 (local unless it has a zone), a time of today, or 90m for so long ago.

    :raises LogError: it is none of these.
    """
    if text.isdecimal():
        return int(text)
    try:
        if ago := re.fullmatch(r"(\d+)([smhd])", text):
            unit = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}[ago[2]]
            return now - timedelta(**{unit: int(ago[1])})
        if re.fullmatch(r"\d\d?:\d\d(:\d\d)?", text):
            return datetime.combine(now.date(), time.fromisoformat(text.zfill(5))).astimezone()
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError) as error:
        raise LogError(
            _(
                "{option} {text}: give an entry's number, a time such as 2026-11-20T18:00 or 18:00 (today), "
                "or 90m (ago)",
                option=option,
                text=text,
            )
        ) from error


def _write_scenario(journal: JournalReader, seq: int, before_s: float, after_s: float, output: Path | None) -> None:
    from dispenser.scenario.launcher.recorder import record

    try:
        text = record(journal, seq, load_settings(None), before_s=before_s, after_s=after_s)
    except (KeyError, TypeError) as error:
        raise JournalDamagedError(
            verbatim(
                _("an entry around {seq} is damaged ({error}): 'dispenser audit' names it", seq=seq, error=repr(error))
            )
        ) from error
    with _opened(output) as file:
        file.write(text.encode())


# --- how they are written ------------------------------------------------------------------------------------------


@contextmanager
def _opened(output: Path | None) -> Iterator[IO[bytes]]:
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        file = output.open("xb")
    except FileExistsError as error:
        raise LogError(
            _("--output {file}: this file is there already, and stays: give another name", file=output)
        ) from error
    except OSError as error:
        raise LogError(
            _("--output {file}: {why}: give a name in a folder you may write to", file=output, why=error.strerror)
        ) from error
    with file:
        yield file


def _writer(format_: Format, file: IO[bytes], *, to_terminal: bool) -> Write:
    if format_ is Format.JSONL:  # byte for byte as the API sends it
        return lambda entry: file.write(entry.json() + b"\n")
    if format_ is Format.CSV:
        return csv_writer(file)
    from rich.console import Console

    return TextWriter(Console() if to_terminal else Console(file=io.TextIOWrapper(file, "utf-8")))


def csv_writer(file: IO[bytes]) -> Write:
    """RFC 4180, UTF-8, a heading line; ``data`` is a JSON object in one column, digit for digit as in the journal."""
    rows = csv.writer(codecs.getwriter("utf-8")(file))
    rows.writerow(("seq", "time", "source", "type", "data"))
    fields = msgspec.json.Decoder(_Fields)

    def write(entry: Entry) -> None:
        data = bytes(fields.decode(entry.json()).data).decode()
        rows.writerow((entry.seq, entry.time, entry.source, entry.type, data))

    return write


class _Fields(msgspec.Struct):
    data: msgspec.Raw


def day_in_words(moment: datetime) -> str:
    """Such as ``Friday 20 November 2026, CET``."""
    days = (_("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"), _("Friday"), _("Saturday"), _("Sunday"))
    months = (
        *(_("January"), _("February"), _("March"), _("April"), _("May"), _("June")),
        *(_("July"), _("August"), _("September"), _("October"), _("November"), _("December")),
    )
    return f"{days[moment.weekday()]} {moment.day} {months[moment.month - 1]} {moment:%Y, %Z}"


class TextWriter:
    """A line per entry and a heading per day, in local time; long sentences go on below themselves."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._day = ""

    def __call__(self, entry: Entry) -> None:
        from rich.text import Text

        moment = datetime.fromisoformat(entry.time).astimezone()
        day = day_in_words(moment)
        if day != self._day:
            self._day = day
            self._console.print(Text(day, "bold"))
        words, style = describe(entry)
        margin = f"{entry.seq:>6}  {moment:%H:%M:%S}.{moment.microsecond // 1000:03}  "
        source = f"{printable(entry.source):<8}  "
        lines = [Text(printable(words), style)]
        room = self._console.width - len(margin) - len(source)
        if self._console.is_terminal and room > 20:
            lines = list(lines[0].wrap(self._console, room))
        self._print(Text.assemble((margin, "dim"), (source, "cyan"), lines[0]))
        for line in lines[1:]:
            self._print(Text(" " * (len(margin) + len(source))) + line)

    def _print(self, line: object) -> None:
        self._console.print(line, soft_wrap=True)
