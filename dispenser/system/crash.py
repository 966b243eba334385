"""What is known of a crash, kept in the state folder: ``dispenser log --crash`` shows it.

While a launcher runs, there is a note of who runs. Python writes a fatal error's tracebacks into it (a broken library,
systemd's watchdog, which ends by SIGABRT what hangs), the command an exception that nobody caught, and the unit's
``ExecStopPost=`` systemd's opinion. A good end takes the note away; one that the next start finds is a crash, and
becomes a report, with the last journal entries before it. After ``kill -9`` it has little to say but who, when, and
what the journal knows.
"""

from __future__ import annotations

import faulthandler
import os
import platform
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from dispenser import safe_open
from dispenser.i18n import SpokenError
from dispenser.journal import JournalError, JournalReader
from dispenser.journal.state import lock
from dispenser.version import VERSION

if TYPE_CHECKING:
    from dispenser.service.service import Service

FOLDER: Final = "crashes"
RUNNING: Final = "running"
"""The note's name, which the unit knows, too."""
MOST_REPORTS: Final = 10
LARGEST_BYTES: Final = 64 << 10
LAST_ENTRIES: Final = 20
"""Journal entries that a report shows."""
ENTRIES: Final = "\nlast journal entries:\n"
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
"""Another one after each start of the computer."""
_HEADING: Final = 6
"""Lines that every note has."""


@contextmanager
def noted(state: Path | None) -> Iterator[list[Path]]:
    """Leave a note in the state folder until the end, and for good if that is a crash.

    What cannot be noted (a disk that is full or read-only) is no reason not to start.

    :param state: ``None``: nothing is noted.
    :returns: reports of crashes before this start that ``complete`` completes.
    """
    found: list[Path] = []
    note: IO[str] | None = None
    if state is not None:
        with suppress(OSError):
            (state / FOLDER).mkdir(mode=0o750, parents=True, exist_ok=True)
            found = keep(state / FOLDER)
            note = _begin(state / FOLDER / RUNNING)
    crashed = False
    try:
        yield found
    except Exception as error:
        crashed = not isinstance(error, SpokenError)
        raise
    finally:
        if note is not None:
            faulthandler.disable()
            with suppress(OSError), note:
                if crashed:
                    traceback.print_exc(file=note)
                else:
                    Path(note.name).unlink()


def last(state: Path, entries: Callable[[], Iterable[str]]) -> tuple[str, list[Path]] | None:
    """What the newest crash's report says, complete, and all reports; ``None`` when no crash is known.

    :param entries: the journal's last ones, for a crash after which nothing has been started.
    :raises OSError: the folder cannot be read.
    """
    folder = state / FOLDER
    kept = reports(folder)
    if (text := left(folder / RUNNING)) is not None:
        return text + _told(entries()), kept
    return (_text_of(kept[0]), kept) if kept else None


def _begin(path: Path) -> IO[str]:
    """:raises OSError: it cannot be written, or another launcher has it."""
    note = path.open("a+", encoding="utf-8")
    try:
        lock(note)
        note.truncate(0)
        note.write(
            f"dispenser: {VERSION}\npython: {sys.version.split()[0]}\n"
            f"system: {platform.system()} {platform.release()}\nprocess: {os.getpid()}\n"
            f"started: {_time(datetime.now(UTC))}\nboot: {_boot()}\n"
        )
        note.flush()
        faulthandler.enable(note)
    except OSError:
        note.close()
        raise
    return note


def _boot() -> str:
    try:
        return BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return "unknown"


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def keep(folder: Path) -> list[Path]:
    """Make a report of the note that a crash left; forget the oldest.

    :returns: the reports that lack their journal entries.
    :raises OSError: the folder cannot be written.
    """
    note = folder / RUNNING
    if (text := left(note)) is not None:
        when = datetime.fromtimestamp(note.stat().st_mtime, UTC)
        report = folder / f"crash-{when:%Y%m%d-%H%M%S}.txt"
        fresh = report.with_suffix(".new")
        with fresh.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())  # the power may go now: then there is the note, or the report
        fresh.replace(report)
        note.unlink()
    elif note.exists() and not _is_held(note):
        note.unlink()
    for old in reports(folder)[MOST_REPORTS:]:
        old.unlink()
    return [report for report in reports(folder) if ENTRIES not in _text_of(report)]


def left(note: Path) -> str | None:
    """What the note of a launcher that has crashed says, bounded; ``None`` when there is none.

    One that was cut off with the whole computer, and had nothing to complain of, has not crashed.
    """
    try:
        with safe_open.opened(note) as file:
            raw = file.read()
    except FileNotFoundError:
        return None
    lines = raw.decode(errors="replace").splitlines()
    if _is_held(note) or (len(lines) <= _HEADING and f"boot: {_boot()}" not in lines):
        return None
    if len(raw) > LARGEST_BYTES:
        half = LARGEST_BYTES // 2
        raw = raw[:half] + b"\n[...]\n" + raw[-half:]
    return raw.decode(errors="replace")


def _text_of(report: Path) -> str:
    """Also of one that a bad card has garbled: that is no reason not to start."""
    with safe_open.opened(report) as file:
        return file.read().decode(errors="replace")


def _is_held(note: Path) -> bool:
    """Whether the launcher that left it still runs."""
    with note.open("rb") as opened:
        try:
            lock(opened, shared=True)
        except BlockingIOError:
            return True
    return False


def reports(folder: Path) -> list[Path]:
    """All that are kept, the newest first."""
    return sorted(folder.glob("crash-*.txt"), reverse=True)


def last_entries(journal: JournalReader, before: int | None = None) -> list[str]:
    """The newest entries, or those before one of them, as the API tells them."""
    return [entry.json().decode() for entry in journal.read(before=before, last=LAST_ENTRIES)]


async def complete(untold: Sequence[Path], service: Service) -> None:
    """Add the journal's last entries before this start to the reports that lack them."""
    if not untold or service.session is None:
        return
    begun = service.session.first[0].seq
    with suppress(OSError, JournalError):
        entries = await service.reading.ask(lambda journal: last_entries(journal, begun))
        for report in untold:
            with report.open("a", encoding="utf-8") as file:
                file.write(_told(entries))


def _told(entries: Iterable[str]) -> str:
    return ENTRIES + "".join(f"{entry}\n" for entry in entries)
