"""What the system says of a file that cannot be used, in words."""

from __future__ import annotations

import errno
from typing import Final

from dispenser.language.text import Text

_NOT_PERMITTED: Final = Text("that is not permitted here")
_WHY: Final = {
    errno.ENOENT: Text("there is no such file or folder"),
    errno.EEXIST: Text("this file is there already, and stays"),
    errno.ENOTDIR: Text("a part of that path is no folder"),
    errno.EISDIR: Text("that is a folder, not a file"),
    errno.EACCES: _NOT_PERMITTED,
    errno.EPERM: _NOT_PERMITTED,
    errno.EROFS: Text("one can only read there"),
    errno.ENOSPC: Text("there is no room left"),
    errno.ENAMETOOLONG: Text("that name is too long"),
}


def why(error: OSError) -> Text:
    """What is wrong."""
    return _WHY.get(error.errno or 0, Text("it cannot be used"))
