"""Who may write a journal, and how the last one who did left it.

The lock lies on the file itself (``flock`` on its inode), so it holds whatever name the file is opened by, and with
whatever else beside it deleted. The kernel releases it when the process dies. It does not get in the way of readers:
SQLite's own locks are of another kind.

Beside the journal lies a small file, ``...-state``: which process has it open; or, once it was closed, what the file
looked like then, so that the next start knows at once that not one bit of it has changed.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from zlib import crc32

from dispenser.journal.errors import JournalLockedError, explain_os
from dispenser.language import Text

READ_BYTES = 1 << 16
"""So much of a file is read at a time; 64 KiB take an SD card some 3 ms."""
_ATTEMPTS = 3
_ours: set[tuple[int, int]] = set()  # device and inode of what this process holds: never to be opened a second time


@dataclass(frozen=True, slots=True)
class Seal:
    """What a journal was when it was closed.

    :param size: of the whole file, bytes.
    :param checksum: CRC-32 of the whole file.
    :param seq: its last entry.
    :param chain: the chain value of that entry.
    """

    size: int
    checksum: int
    seq: int
    chain: str

    def line(self) -> str:
        return f"closed {self.size} {self.checksum:08x} {self.seq} {self.chain}\n"

    @classmethod
    def from_line(cls, line: str) -> Self | None:
        match line.split():
            case ["closed", size, checksum, seq, chain]:
                with suppress(ValueError):
                    return cls(int(size), int(checksum, 16), int(seq), chain)
        return None


class WriterLock:
    """Held for as long as a journal is open for writing.

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
        self._state = _state(path)
        self._fd = -1
        try:
            self._fd = self._locked()
            self.was = self._state.read_text("ascii", "replace")[:1000] if self._state.exists() else ""
            """What the last one who held it left to be read."""
            self._state.unlink(missing_ok=True)
        except BlockingIOError as error:
            raise JournalLockedError(
                Text(
                    "{name}: another launcher (process {process}) writes to this journal. Stop that one, or give this "
                    "one a journal of its own"
                ).filled(name=name, process=writer_of(path) or "unknown")
            ) from error
        except OSError as error:
            self.release()
            raise explain_os(error, name) from error
        self.leave(f"open {os.getpid()}\n")

    def _locked(self) -> int:
        """A locked descriptor of the file that has this name now."""
        for _ in range(_ATTEMPTS):
            if _is_ours(self.path):
                raise BlockingIOError
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(os.fstat(fd), self.path.stat()):
                    _ours.add(_identity(os.fstat(fd)))
                    return fd
            except FileNotFoundError:
                pass  # renamed or removed since it was opened: look again
            except BaseException:
                os.close(fd)
                raise
            os.close(fd)
        raise OSError(f"{self.path} is replaced again and again")

    def leave(self, line: str) -> None:
        """Write down how the journal is; without room for that the next start looks through all of it."""
        with suppress(OSError):
            self._state.unlink(missing_ok=True)
            fd = os.open(self._state, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(fd, "w", encoding="ascii") as file:
                file.write(line)

    def size(self) -> int:
        return os.fstat(self._fd).st_size

    def read(self, size: int, offset: int) -> bytes:
        """Bytes of the file as they are on the disk, beside SQLite."""
        return os.pread(self._fd, size, offset)

    def seal(self, seq: int, chain: str) -> Seal:
        """What the file is now; nobody may have it open."""
        checksum = size = 0
        while block := self.read(READ_BYTES, size):
            checksum = crc32(block, checksum)
            size += len(block)
        return Seal(size, checksum, seq, chain)

    def release(self) -> None:
        """Let others write; may be called twice."""
        if self._fd >= 0:
            _ours.discard(_identity(os.fstat(self._fd)))
            os.close(self._fd)
            self._fd = -1


def writer_of(path: Path) -> str | None:
    """The process that writes to this journal now; ``None`` when there is none, or this user may not know."""
    path = Path(os.path.realpath(path))
    if _is_ours(path):
        return str(os.getpid())
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _holder(path)
    except OSError:
        return None
    finally:
        os.close(fd)
    return None


def _is_ours(path: Path) -> bool:
    try:
        return _identity(path.stat()) in _ours
    except OSError:
        return False


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _holder(path: Path) -> str:
    with suppress(OSError):
        match _state(path).read_text("ascii", "replace").split():
            case ["open", process]:
                return process
    return "unknown"


def _state(path: Path) -> Path:
    return path.with_name(path.name + "-state")
