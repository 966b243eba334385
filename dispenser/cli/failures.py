"""Errors on one line, and the exit code that goes with each kind."""

from __future__ import annotations

import errno
import re
from typing import Final, NoReturn

import typer

from dispenser.cli.spoken import in_words
from dispenser.language import Text

FOUND_WRONG = 1
USAGE = 2
UNAVAILABLE = 69
IO_ERROR = 74
BAD_SETTINGS = 78
ENDED_BY = 128
"""With the number of a signal, what a shell shows for a program that it has ended: 130 for Ctrl-C."""

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


def fail(error: Exception | str, code: int) -> NoReturn:
    """Say what is wrong on standard error, on one line, and end with ``code``."""
    complain(error)
    raise typer.Exit(code)


def complain(error: Exception | str) -> None:
    """Say what is wrong on standard error, on one line."""
    words = re.split(r"[ \t\r\n]+", in_words(error).strip())  # not at the no-break spaces of French
    typer.echo(f"dispenser: {' '.join(words)}", err=True)


def why(error: OSError) -> Text:
    """What the system says of a file that cannot be used, in words."""
    return _WHY.get(error.errno or 0, Text("it cannot be used"))
