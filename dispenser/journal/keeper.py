"""The journal's file seen from outside: who may write it, is it still there, and how was it left.

The lock lies on the file itself (``flock`` on its inode), so it holds whatever name the file is opened by, and with
whatever else beside it deleted. The kernel releases it when the process dies. It does not get in the way of readers:
SQLite's own locks are of another kind.

Beside the journal lies a small file, ``…-state``: who has it open and what the newest entry is; or, once it was closed,
what the file looked like then, so that the next start knows at once that not one bit of it has changed.
"""

from __future__ import annotations

import glob
import os
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from zlib import crc32

import msgspec
from msgspec.structs import replace

from dispenser.i18n import Text
from dispenser.journal.check import Damage
from dispenser.journal.descriptors import WRITABLE, lock, read_at, sync, write_at
from dispenser.journal.errors import JournalDamagedError, JournalLockedError, JournalMissingError, damaged, explain_os
from dispenser.journal.file import APPLICATION_ID
from dispenser.safe_open import NO_LINK, opened, refuse_other_than_regular

_READ_BYTES = 1 << 16  # so much of a file is read at a time; 64 KiB take an SD card some 3 ms
_ATTEMPTS = 3
_LINE_BYTES = 256  # a longer note overwrites the whole of a shorter one
_TRACES = (b"CREATE TABLE entries (", b"fairness.committed")
_SEARCHED_BYTES = 1 << 24
_ours: set[tuple[int, int]] = set()  # device and inode of what this process holds: never to be opened a second time
_Look = tuple[tuple[int, ...], tuple[int, ...]]


class Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the last one who had a journal open has left beside it.

    :param process: who has it open; 0: nobody, any more.
    :param first: the chain value of its first entry: another journal has another.
    :param seq: its newest entry.
    :param chain: that entry's chain value, once the journal was closed well; so are the next two.
    :param size: of the whole file, bytes.
    :param checksum: CRC-32 of the whole file.
    :param suspect: SQLite stumbled over it.
    """

    process: int = 0
    first: str = ""
    seq: int = 0
    chain: str = ""
    size: int = 0
    checksum: int = 0
    suspect: bool = False


class JournalKeeper:
    """One journal's file, from before SQLite opens it until after it has closed it.

    Its descriptor of the file must not be closed before SQLite has closed its own: to close any of them lets go of
    all of SQLite's locks on the file.
    """

    def __init__(self, path: Path, name: str) -> None:
        """Take the lock of the journal ``path``, no link; make the file if there is none, for its owner only.

        :param name: what the journal is called in errors.
        :raises JournalLockedError: another process (or another ``Journal`` of this one) holds it.
        :raises JournalError: the file cannot be opened for writing.
        """
        self.path = path
        self._name = name
        self._wal = path.with_name(path.name + "-wal")
        self._state_fd = -1
        self._log_fd = -1
        self._log_refused: OSError | None = None
        self._syncing = threading.Lock()
        self._look: _Look | None = None
        with ExitStack() as undo:
            try:
                self._fd = _locked(path)
                undo.callback(self.release)
                self._state_fd = os.open(_state(path), WRITABLE | NO_LINK, 0o600)
                self.was = _note_beside(path)
                if self._wal.exists() and self._wal.stat().st_size:  # somebody has written to it since it was closed
                    self.was = replace(self.was, size=0)
            except BlockingIOError as error:
                raise JournalLockedError(
                    Text(
                        "{name}: another launcher (process {process}) writes to this journal. Stop that one, or "
                        "give this one a journal of its own"
                    ).filled(name=name, process=writer_of(path) or "unknown")
                ) from error
            except OSError as error:
                raise explain_os(error, name) from error
            self._leave(replace(self.was, process=os.getpid(), size=0))
            undo.pop_all()

    def release(self) -> None:
        """Let others write; may be called twice."""
        self.close_log()
        if self._fd >= 0:
            _ours.discard(_identity(os.fstat(self._fd)))
            os.close(self._fd)
            self._fd = -1
        if self._state_fd >= 0:
            os.close(self._state_fd)
            self._state_fd = -1

    # --- what lies beside it ---

    def mark(self, first: str, seq: int) -> None:
        """This process has it open, and that is its newest entry. Some 2 µs, and waits for no disk."""
        self._leave(Note(os.getpid(), first, seq))

    def seal(self, first: str, seq: int, chain: str) -> None:
        """It was closed well, with that entry at its end; nobody may have the file open."""
        if not self.is_another() and not self._wal.exists():
            self._leave(Note(0, first, seq, chain, self.size, self.checksum(self.size)))

    def leave_suspect(self) -> None:
        """Whoever opens it next shall look through all of it."""
        if not self.is_another():
            self._leave(Note(suspect=True))

    def _leave(self, note: Note) -> None:
        with suppress(OSError):  # without room for it, the next start looks through all of the journal
            write_at(self._state_fd, msgspec.json.encode(note).ljust(_LINE_BYTES), 0)

    def is_sealed(self, end: tuple[int, str]) -> bool:
        """Whether it was closed well and, by its newest entry, not written to since; its bytes will tell."""
        return self.was.size > 0 and (self.was.seq, self.was.chain) == end

    def is_as_closed(self, pause: Callable[[], object]) -> bool:
        """Whether not one bit has changed since it was closed.

        :param pause: called between two slices of the work.
        """
        return self.size == self.was.size and self.checksum(self.was.size, pause) == self.was.checksum

    # --- its bytes, beside SQLite ---

    @property
    def size(self) -> int:
        return os.fstat(self._fd).st_size

    def checksum(self, size: int, pause: Callable[[], object] = lambda: None) -> int:
        checksum = 0
        for offset in range(0, size, _READ_BYTES):
            pause()
            checksum = crc32(read_at(self._fd, min(_READ_BYTES, size - offset), offset), checksum)
        return checksum

    def refuse_misleading(self) -> None:
        """:raises JournalDamagedError: it was a journal, and SQLite would be misled by its first bytes."""
        header = read_at(self._fd, 100, 0)
        page_bytes = int.from_bytes(header[16:18])
        sound = (
            header.startswith(b"SQLite format 3\0")
            and (page_bytes == 1 or (page_bytes >= 512 and page_bytes.bit_count() == 1))
            and header[18:24] in (b"\1\1\0\x40\x20\x20", b"\2\2\0\x40\x20\x20")
            and int.from_bytes(header[56:60]) <= 1  # UTF-8
        )
        if header and not sound and self.was_journal():
            raise damaged(self._name, Text("its first bytes are not those of a journal"))

    def was_journal(self) -> bool:
        """Whether a file that SQLite cannot read was a journal of ours: nobody else's file is touched.

        The state file says so, or what is left of the content. Nothing but zeros is what a power cut leaves.
        """
        if self.was.seq:
            return True
        marked = read_at(self._fd, 4, 68) == APPLICATION_ID.to_bytes(4)
        beginning = read_at(self._fd, _SEARCHED_BYTES, 0)
        return marked or not beginning.strip(b"\0") or any(trace in beginning for trace in _TRACES)

    def put_aside(self, stamp: str) -> str:
        """Give the file, whole and with what belongs to it, another name in the same folder; return that.

        :raises JournalError: that is not possible here.
        """
        names = (f"{self.path.name}.damaged-{stamp}" + f"-{number}" * (number > 1) for number in count(1))
        aside = next(path for path in map(self.path.with_name, names) if not path.exists())
        try:
            for suffix in ("-wal", "-shm", ""):  # the file itself last: killed here, the rest would come next time
                with suppress(FileNotFoundError):
                    self.path.with_name(self.path.name + suffix).rename(aside.with_name(aside.name + suffix))
        except OSError as error:
            raise explain_os(error, self._name) from error
        self._leave(Note())  # the new journal need not be told again what is lost
        return aside.name

    # --- is it still there? ---

    def remember(self) -> None:
        """How the file looks now is how it should look: called after each change of our own."""
        self._look = self._looks()

    def still_there(self) -> None:
        """:raises JournalMissingError: somebody removed, replaced or changed the file."""
        if self._look is not None and self._look != self._looks():
            raise JournalMissingError(
                Text(
                    "{name}: the journal was removed, replaced or changed while in use; what is written now would "
                    "be lost. The launcher begins again by itself, with what it finds there or with a new journal"
                ).filled(name=self._name)
            )

    def is_another(self) -> bool:
        """The name belongs to another file now, or to none."""
        return self._look is None or self._look[0][:2] != self._looks()[0][:2]

    def _looks(self) -> _Look:
        # Not what is in it: while it is open, only a checkpoint of ours changes the file itself.
        return (
            self._status(self._name, lambda file: (file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns)),
            self._status(self._wal, _identity),
        )

    def _status(self, path: str | Path, look: Callable[[os.stat_result], tuple[int, ...]]) -> tuple[int, ...]:
        try:
            return look(os.stat(path))  # noqa: PTH116  # before each append, and a third of Path's time
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise explain_os(error, self._name) from error

    # --- its write-ahead log ---

    def empty_log(self) -> None:
        """Throw away what is in the write-ahead log."""
        with suppress(OSError):
            os.truncate(self._wal, 0)

    def open_log(self) -> None:
        """Have it at hand for ``sync_log``; SQLite has made it, and its name is on the disk with its first bytes.

        SQLite holds no locks on this file, so unlike the other it may be closed at any time.
        """
        try:
            self._log_fd = os.open(self._wal, WRITABLE & ~os.O_CREAT)
        except OSError as error:
            raise explain_os(error, self._name) from error

    def close_log(self) -> None:
        """Let go of it, after a ``sync_log`` under way; may be called twice."""
        with self._syncing:
            if self._log_fd >= 0:
                os.close(self._log_fd)
                self._log_fd = -1

    def sync_log(self) -> None:
        """Bring it safely to the disk; nothing, once it was let go of. From any thread.

        Refused once, refused for good: Linux forgets what the disk did not take, and the next attempt seems to work.
        """
        with self._syncing:
            if self._log_fd >= 0 and self._log_refused is None:
                try:
                    sync(self._log_fd)
                except OSError as error:
                    self._log_refused = error
            if self._log_refused is not None:
                raise explain_os(self._log_refused, self._name) from self._log_refused


def writer_of(path: Path) -> str | None:
    """The process that writes to this journal now; ``None`` when there is none, or this user may not know."""
    path = Path(os.path.realpath(path))
    if _is_ours(path):
        return str(os.getpid())
    with suppress(OSError), opened(path) as file:
        try:
            lock(file, shared=True)
        except BlockingIOError:
            return str(_note_beside(path).process or "unknown")
    return None


def put_aside(path: Path, name: str, stamp: str, error: JournalDamagedError) -> Damage:
    """Put a journal that SQLite cannot use aside, so that a new one can be begun.

    :raises JournalDamagedError: the same error: the file was never a journal, so it is not ours to touch.
    :raises JournalError: that is not possible here.
    """
    keeper = JournalKeeper(path, name)
    try:
        if not keeper.was_journal():
            raise error
        return Damage("put aside", kept_as=keeper.put_aside(stamp), why=error.what)
    finally:
        keeper.release()


def put_aside_before(path: Path) -> list[str]:
    """The damaged journals that lie beside this one, oldest first."""
    path = Path(os.path.realpath(path))
    found = path.parent.glob(f"{glob.escape(path.name)}.damaged-*")
    return sorted(file.name for file in found if not file.name.endswith(("-wal", "-shm")))


def _locked(path: Path) -> int:
    """A locked descriptor of the file that has this name now.

    :raises BlockingIOError: somebody else has the lock.
    """
    for _ in range(_ATTEMPTS):
        if _is_ours(path):
            raise BlockingIOError
        if path.exists():
            refuse_other_than_regular(path.stat(), path)
        fd = os.open(path, WRITABLE, 0o600)
        try:
            lock(fd)
            if os.path.samestat(os.fstat(fd), path.stat()):
                _ours.add(_identity(os.fstat(fd)))
                return fd
        except FileNotFoundError:
            pass  # renamed or removed since it was opened: look again
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)
    raise OSError(f"{path} is replaced again and again")


def _is_ours(path: Path) -> bool:
    try:
        return _identity(path.stat()) in _ours
    except OSError:
        return False


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _state(path: Path) -> Path:
    return path.with_name(path.name + "-state")


def _note_beside(path: Path) -> Note:
    """What lies beside a journal; of what cannot be read, nothing is known."""
    try:
        with opened(_state(path)) as file:
            return msgspec.json.decode(file.read(_LINE_BYTES), type=Note)
    except (OSError, msgspec.DecodeError):
        return Note()
