"""What the system says of a file that cannot be used, in words."""

from __future__ import annotations

import errno
from typing import Final

from dispenser.language import Text

_NOT_PERMITTED: Final = Text("that is not permitted here", "ce n’est pas permis ici")
_WHY: Final = {
    errno.ENOENT: Text("there is no such file or folder", "ce fichier ou ce dossier n’existe pas"),
    errno.ENOTDIR: Text("a part of that path is no folder", "une partie de ce chemin n’est pas un dossier"),
    errno.EISDIR: Text("that is a folder, not a file", "c’est un dossier, pas un fichier"),
    errno.EACCES: _NOT_PERMITTED,
    errno.EPERM: _NOT_PERMITTED,
    errno.EROFS: Text("one can only read there", "on ne peut que lire à cet endroit"),
    errno.ENOSPC: Text("there is no room left", "il n’y a plus de place"),
    errno.ENAMETOOLONG: Text("that name is too long", "ce nom est trop long"),
}
_OTHERWISE: Final = Text("it cannot be used", "on ne peut pas s’en servir")


def why(error: OSError) -> Text:
    """What is wrong."""
    return _WHY.get(error.errno or 0, _OTHERWISE)
