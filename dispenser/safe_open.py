"""Open regular files only (a pipe would hang, a device has no end), and replace files atomically."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

_READ: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""With O_NONBLOCK, opening a pipe without a writer returns at once."""
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)


def refuse_other_than_regular(status: os.stat_result, path: Path) -> None:
    """Raise ``OSError`` (``EISDIR``, ``EINVAL``) for a folder, a pipe or a device."""
    if stat.S_ISDIR(status.st_mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))


def opened(path: Path, *, follow_link: bool = False) -> IO[bytes]:
    """Open a regular file for reading.

    :param follow_link: permit ``path`` to be a symbolic link: only in a folder that nobody else can write to.
    :raises OSError: it does not exist, is not readable for this user, or is not a regular file.
    """
    descriptor = os.open(path, _READ | (0 if follow_link else NO_LINK))
    try:
        refuse_other_than_regular(os.fstat(descriptor), path)
    except OSError:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def fresh(path: Path, mode: int = 0o600) -> IO[bytes]:
    """Create a file for writing; an existing one of that name is deleted.

    :param mode: permissions, reduced by the umask.
    :raises OSError: it cannot be created.
    """
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, _NEW, mode), "wb")


def write_whole(path: Path, content: bytes, mode: int) -> None:
    """Write a file atomically, even if the power fails. Root keeps its owner, or uses that of the folder.

    :raises OSError: it cannot be written.
    """
    draft = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        with fresh(draft) as file:
            os.fchmod(file.fileno(), mode)  # regardless of the umask: the service reads files written by root
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            if os.geteuid() == 0:
                owner = (path if path.exists() else path.parent).stat()
                os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
        draft.replace(path)
    except OSError:
        with suppress(OSError):
            draft.unlink()
        raise
