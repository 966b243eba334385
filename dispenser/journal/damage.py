"""What a damaged journal's file looks like before SQLite is asked, and how it is put aside."""

from __future__ import annotations

import glob
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dispenser.journal.errors import explain_os

DAMAGED = "service.journal.damaged"
"""The type of the entry that tells of damage."""
_SQLITE = b"SQLite format 3\0"
_APPLICATION_ID_AT = 68
_TRACES = (b"CREATE TABLE entries (", b"fairness.committed")
_SEARCHED_BYTES = 1 << 24
_WAL_HEADER_BYTES = 32
_FRAME_HEADER_BYTES = 24


@dataclass(frozen=True, slots=True)
class Damage:
    """One thing that is wrong with a journal.

    :param what: ``entries``, ``newest entries``, ``file``, ``index``, ``requests``, ``edges``, ``secret``, ``unused
        bytes``, or ``lost`` (all of it, while in use).
    :param detail: where it is, what it means and what was done about it, for people.
    :param first: the first entry it is about, where that is known.
    :param last: the last one.
    :param kept_as: the name under which a damaged file was put aside.
    """

    what: str
    detail: str
    first: int | None = None
    last: int | None = None
    kept_as: str | None = None

    def data(self) -> dict[str, Any]:
        """For the journal."""
        return {
            "what": self.what,
            "detail": self.detail,
            "first": self.first,
            "last": self.last,
            "kept_as": self.kept_as,
        }

    @classmethod
    def of_entries(cls, first: int, last: int) -> Damage:
        which = (
            f"entry {first} is missing or was" if first == last else f"entries {first} to {last} are missing or were"
        )
        return cls("entries", f"{which} altered: do not trust what is said there", first, last)


def header_trouble(header: bytes, application_id: int) -> str:
    """What is wrong with the first 100 bytes of a journal, as far as SQLite would be misled; "" if nothing is.

    Only for what was a journal: see ``is_journal``.
    """
    header = header.ljust(100, b"\0")
    if not header.startswith(_SQLITE):
        return "its first bytes are not those of SQLite"
    (page_bytes,) = struct.unpack_from(">H", header, 16)
    constants = struct.unpack_from(">BBBBBB", header, 18)
    (encoding,) = struct.unpack_from(">I", header, 56)
    (application,) = struct.unpack_from(">I", header, _APPLICATION_ID_AT)
    if page_bytes not in {1, *(1 << power for power in range(9, 16))}:
        return f"its header says that a page has {page_bytes} bytes"
    if constants not in {(1, 1, 0, 64, 32, 32), (2, 2, 0, 64, 32, 32)}:
        return "its header names a format that no SQLite wrote"
    if application == application_id and encoding > 1:
        return "its header names another encoding of texts"
    return ""


def is_journal(read: Callable[[int, int], bytes], application_id: int) -> bool:
    """Whether a file that SQLite cannot read was a journal of ours: nobody else's file is touched.

    :param read: so many bytes of it, from an offset on.
    """
    header = read(100, 0)
    marked = struct.pack(">I", application_id) == header[_APPLICATION_ID_AT : _APPLICATION_ID_AT + 4]
    beginning = read(_SEARCHED_BYTES, 0)
    return marked or any(trace in beginning for trace in _TRACES)


def put_aside(path: Path, name: str, stamp: str) -> str:
    """Give a damaged journal, whole and with what belongs to it, another name in the same folder; return that.

    :raises JournalError: that is not possible here.
    """
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.damaged-{stamp}-{number}")
    try:
        for suffix in ("-wal", "-shm", ""):  # the file itself last: were we killed here, the rest would come next time
            before = path.with_name(path.name + suffix)
            if before.exists():
                before.rename(aside.with_name(aside.name + suffix))
    except OSError as error:
        raise explain_os(error, name) from error
    return aside.name


def put_aside_before(path: Path) -> list[str]:
    """The damaged journals that lie beside this one, oldest first."""
    path = Path(os.path.realpath(path))
    suffixes = ("-wal", "-shm")
    found = path.parent.glob(f"{glob.escape(path.name)}.damaged-*")
    return sorted(file.name for file in found if not file.name.endswith(suffixes))


def wal_was_cut(wal: Path, whole_frames: int) -> bool:
    """Whether a write-ahead log goes on after what SQLite could read of it.

    What a kill leaves of a transaction that was not finished is no damage: its checksums are right.

    :param whole_frames: how many frames SQLite found good, up to the last finished transaction.
    """
    try:
        with wal.open("rb") as file:
            header = file.read(_WAL_HEADER_BYTES)
            if len(header) < _WAL_HEADER_BYTES:
                return False
            magic, _, page_bytes, _, *salts, sum_0, sum_1 = struct.unpack(">8I", header)
            order = ">" if magic & 1 else "<"
            if _sums(header[:24], 0, 0, order) != (sum_0, sum_1):
                return True
            frame_bytes = _FRAME_HEADER_BYTES + page_bytes
            if whole_frames > 0:
                file.seek(_WAL_HEADER_BYTES + (whole_frames - 1) * frame_bytes)
                sum_0, sum_1 = struct.unpack(">4x4x4x4xII", file.read(frame_bytes)[:_FRAME_HEADER_BYTES])
            while len(frame := file.read(frame_bytes)) == frame_bytes:
                _, _, *own_salts, stored_0, stored_1 = struct.unpack_from(">6I", frame)
                sum_0, sum_1 = _sums(frame[:8] + frame[_FRAME_HEADER_BYTES:], sum_0, sum_1, order)
                fits = (sum_0, sum_1) == (stored_0, stored_1)
                if fits != (own_salts == salts):
                    return True
                if not fits:  # left from before the log was begun anew
                    return False
    except FileNotFoundError:
        pass
    return False


def _sums(words: bytes, sum_0: int, sum_1: int, order: str) -> tuple[int, int]:
    """SQLite's checksum of a write-ahead log."""
    numbers = struct.unpack(f"{order}{len(words) // 4}I", words)
    for even, odd in zip(numbers[::2], numbers[1::2], strict=True):
        sum_0 = (sum_0 + even + sum_1) & 0xFFFFFFFF
        sum_1 = (sum_1 + odd + sum_0) & 0xFFFFFFFF
    return sum_0, sum_1
