"""Files beside a journal, in a folder that may be another user's: the service's, where root looks after it.

Whoever may write to such a folder can put a link there that leads anywhere. So nothing is read or written through one,
and a link to the journal itself counts only if root or this user has made it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from dispenser.i18n import Text
from dispenser.journal import JournalError

_MOST_LINKS: Final = 40
"""As many as Linux follows."""


def is_trusted(owner: int) -> bool:
    """Whether what that user has written may be acted on: it is root, or this user. Where there are no users, it is."""
    return not hasattr(os, "geteuid") or owner in {0, os.geteuid()}


def followed(path: Path) -> Path:
    """Where a journal is, links followed.

    :raises JournalError: somebody else has made one of the links.
    """
    here = Path(os.path.abspath(path))  # noqa: PTH100 - without following a link
    for _ in range(_MOST_LINKS):
        link = next((each for each in reversed((here, *here.parents)) if each.is_symlink()), None)
        if link is None:
            break
        if not is_trusted(link.lstat().st_uid):
            text = Text("{link} is a link that neither root nor you have made: remove it, or name the file itself")
            raise JournalError(text.filled(link=link))
        here = Path(os.path.abspath(link.parent / link.readlink() / here.relative_to(link)))  # noqa: PTH100
    return here
