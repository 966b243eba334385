"""Goes over a whole journal and says what is wrong with it.

A journal that was closed well has a seal: if not one byte differs, that is all there is to do. Else (it was left by a
kill or a power cut, or something was altered) SQLite looks at its trees and indexes, the chain of hashes is computed
again, and what follows from the entries is compared with them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from typing import Any

from dispenser.i18n import Text, recalled
from dispenser.journal.errors import JournalDamagedError, JournalError
from dispenser.journal.file import KINDS_ARE_RIGHT, WRONG_REQUESTS
from dispenser.journal.reader import JournalReader

DAMAGED = "service.journal.damaged"
"""The type of the entry that tells of damage."""
_SLICE_ROWS = 32
"""Rows between two pauses: some 0.2 ms here, 3 ms on a Pi Zero (assumed 15 times slower)."""
_PAUSE_S = 0.002
_MOTOR_S = 0.05
_NICE = 19
_TEXTS = {
    "entries": Text("entries {first} to {last} are missing or were altered: do not trust what is said there"),
    "newest entries": Text("the newest entries, {first} to {last}, are lost"),
    "file": Text("a part of the file cannot be read: {why}"),
    "put aside": Text("the journal was damaged ({why}); it was put aside as {kept_as}, and a new one begun"),
    "replaced": Text("this is another journal than the one, of {last} entries, that was here before"),
    "gone": Text("the journal, of {last} entries, was removed or emptied; a new one is begun"),
    "header": Text("the numbers in its header by which a journal is known were altered, and are set right"),
    "index": Text("an index was damaged ({why}) and made anew; no entry was touched"),
    "requests": Text("which requests entries {first} to {last} answer was altered; it is made anew"),
    "edges": Text("recorded edges were altered; they are left out of scenarios"),
    "secret": Text("the seed that was kept for the commitment {why} was altered, so it cannot be shown as promised"),
    "unused bytes": Text(
        "the file was altered since the journal was closed, in places that hold no entry; all are in place"
    ),
    "unchecked": Text("the journal could not be checked: {why}"),
    "lost": Text("the journal before this one was removed, replaced or changed while in use"),
}
_OF_ONE = {
    "entries": Text("entry {first} is missing or was altered: do not trust what is said there"),
    "newest entries": Text("the newest entry, {first}, is lost"),
}


@dataclass(frozen=True, slots=True)
class Damage:
    """One thing that is wrong with a journal.

    :param what: one of the words above.
    :param first: the first entry it is about, where that is known.
    :param last: the last one.
    :param kept_as: the name under which a damaged file was put aside.
    :param why: what SQLite or the system said.
    """

    what: str
    first: int | None = None
    last: int | None = None
    kept_as: str | None = None
    why: str = ""

    def data(self) -> dict[str, Any]:
        """For the journal."""
        return asdict(self)

    @classmethod
    def told(cls, data: Mapping[str, Any]) -> Damage:
        """What an entry tells of it; who has damaged the entry may have written anything there."""
        return cls(**{field.name: data[field.name] for field in fields(cls) if field.name in data})

    @property
    def text(self) -> Text:
        """Where it is, what it means and what was done about it, for people."""
        texts = _TEXTS | _OF_ONE if self.first == self.last else _TEXTS
        text = texts.get(str(self.what), Text("{what}: {why}"))
        return text.filled(**asdict(self) | {"why": recalled({"detail": self.why})})

    @property
    def breaks_sqlite(self) -> bool:
        """SQLite cannot be relied on with the file, until what follows from the entries is made anew."""
        return self.what in {"file", "requests"}


def damage_of(reader: JournalReader, pause: Callable[[], object] = lambda: None) -> list[Damage]:
    """What is wrong with a journal, as far as the whole of it tells.

    :param pause: called between two slices of the work.
    """
    broken, found, seen = "", [], 0

    def count_row() -> None:
        nonlocal seen
        seen += 1
        if seen % _SLICE_ROWS == 0:
            pause()

    try:
        complaints = [text for (text,) in reader.ask("PRAGMA integrity_check(3)")]
        broken = "" if complaints == ["ok"] else "; ".join(complaints).replace("\n", " ")
        found = [Damage("entries", first, last) for first, last in reader.misfits(pause=count_row)]
        ((first, last),) = reader.ask(WRONG_REQUESTS)
        if first is not None:
            found.append(Damage("requests", first, last))
        if not broken and reader.ask(KINDS_ARE_RIGHT) != [(1,)]:
            broken = "the list of types does not fit the entries"
        if reader.damaged_edges():
            found.append(Damage("edges"))
    except JournalDamagedError as error:
        broken = broken or error.what
    return [Damage("file", why=broken), *found] if broken else found


class CheckThread:
    """A look at a journal beside the launcher, on a thread that steps back for everything else and stops while the
    motor turns.

    :param open_reader: a reader for that thread alone.
    :param look: says what is wrong; gets the reader, and what to call between two slices of its work.
    :param resting: whether the motor is off for the time being.
    :param done: called on that thread once, unless it is stopped before: with what was found, and whether the look
        went through.
    """

    def __init__(
        self,
        open_reader: Callable[[], JournalReader],
        look: Callable[[JournalReader, Callable[[], object]], list[Damage]],
        resting: Callable[[], bool],
        done: Callable[[list[Damage], bool], object],
    ) -> None:
        self._open_reader = open_reader
        self._look = look
        self._resting = resting
        self._done = done
        self._stop = threading.Event()
        self._reader: JournalReader | None = None
        self._thread = threading.Thread(target=self._run, name="journal check", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        through = False
        try:
            with self._open_reader() as self._reader:
                found = self._look(self._reader, self._pause)
                through = True
        except _StoppedError:
            return
        except (JournalError, OSError) as error:
            found = [Damage("unchecked", why=str(error))]
        if not self._stop.is_set():
            self._done(found, through)

    def _pause(self) -> None:
        wait_s = _PAUSE_S
        while self._stop.wait(wait_s) or not self._resting():
            if self._stop.is_set():
                raise _StoppedError
            wait_s = _MOTOR_S

    def stop(self) -> None:
        """End it and wait for that, some milliseconds."""
        self._stop.set()
        if self._reader is not None:
            self._reader.interrupt()
        self._thread.join()


class _StoppedError(Exception):
    """The journal is closed before the look is through."""
