"""What the system says of a file, or of an address, that cannot be used, in words."""

from __future__ import annotations

import errno
from typing import Final

from dispenser.i18n.text import Text

_NOT_PERMITTED: Final = Text("that is not permitted here")
_WHY: Final = {
    errno.ENOENT: Text("there is no such file or folder"),
    errno.EEXIST: Text("this file is there already, and stays"),
    errno.ENOTDIR: Text("a part of that path is no folder"),
    errno.EINVAL: Text("that is a pipe or a device, not a file"),
    errno.EISDIR: Text("that is a folder, not a file"),
    errno.EACCES: _NOT_PERMITTED,
    errno.EPERM: _NOT_PERMITTED,
    errno.EROFS: Text("one can only read there"),
    errno.ENOSPC: Text("there is no room left"),
    errno.ENAMETOOLONG: Text("that name is too long"),
    errno.ECONNREFUSED: Text("the connection is refused"),
    errno.ECONNRESET: Text("the connection has broken off"),
    errno.EHOSTUNREACH: Text("no way leads there"),
    errno.ENETUNREACH: Text("no way leads there"),
    errno.EADDRINUSE: Text("that address is taken"),
    errno.EADDRNOTAVAIL: Text("this machine does not have that address"),
}


def why(error: OSError, otherwise: Text | None = None) -> Text:
    """What is wrong.

    :param otherwise: what to say of all that has no words of its own.
    """
    return _WHY.get(error.errno or 0, otherwise or Text("it cannot be used"))
