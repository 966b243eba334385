"""An open file by its number, also where the system is no Unix (Windows): a place in it, its lock, and the disk."""

from __future__ import annotations

import os
from typing import IO, Final

WRITABLE: Final = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
"""How to open one that may have to be made."""


def sync(file: int) -> None:
    """Wait until the disk has all that was written to it, and how long it is; of its times nobody will ask."""
    getattr(os, "fdatasync", os.fsync)(file)


def lock(file: int | IO[bytes] | IO[str], *, shared: bool = False) -> None:
    """Hold it until it is closed. Windows has no lock of this kind: there nothing keeps two launchers from one file.

    :raises BlockingIOError: somebody else does.
    """
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def read_at(fd: int, number: int, offset: int) -> bytes:
    """So many bytes from there on, or as many as there are."""
    if hasattr(os, "pread"):
        return os.pread(fd, number, offset)
    os.lseek(fd, offset, os.SEEK_SET)
    return os.read(fd, number)


def write_at(fd: int, data: bytes, offset: int) -> None:
    """These bytes from there on."""
    if hasattr(os, "pwrite"):
        os.pwrite(fd, data, offset)
    else:
        os.lseek(fd, offset, os.SEEK_SET)
        os.write(fd, data)
