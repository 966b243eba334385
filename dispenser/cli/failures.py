"""Print errors on one line, and map them to exit codes.

Exit codes of all commands:

=== =====================================================================
0   done
1   the command ran and reports a failure (audit, scenario, check, press refused)
2   the command line is wrong
3   ``audit``: nothing to check yet, the seed is not revealed
69  not available: no GPIO pins, no service at that address, address in use
70  internal error; systemd restarts the service
74  the journal cannot be read or written
78  the settings are invalid
130 ended by Ctrl-C (129: SIGHUP, 143: SIGTERM); 141: broken pipe on standard output
=== =====================================================================
"""

from __future__ import annotations

import os
import re
from typing import NoReturn

import typer

from dispenser.cli.spoken import in_words
from dispenser.i18n import SpokenError, Text

FOUND_WRONG = 1
USAGE = 2
UNAVAILABLE = 69
INTERNAL_ERROR = 70
IO_ERROR = 74
BAD_SETTINGS = 78
ENDED_BY = 128  # Plus a signal's number: the exit code that shells use for a program ended by that signal, such as 130
STOPPED_BY_PIPE = 141  # Exit code that shells use for a broken pipe: 128 plus the number of SIGPIPE


def fail(error: Exception | str, code: int) -> NoReturn:
    """Print an error on one line of standard error, and exit with ``code``."""
    complain(error)
    raise typer.Exit(code)


def complain(error: Exception | str) -> None:
    """Print an error on one line of standard error."""
    words = re.split(r"[ \t\r\n]+", in_words(error).strip())  # keep the no-break spaces of French
    typer.echo(f"dispenser: {' '.join(words)}", err=True)


class CommandError(SpokenError):
    """An error that ends a command with a message on standard error.

    :ivar code: the exit code.
    """

    def __init__(self, text: Text, code: int = USAGE) -> None:
        super().__init__(text)
        self.code = code


def code_of(error: SpokenError) -> int:
    """Return the exit code for an error that ends a command."""
    from dispenser.journal import FilterError, JournalError
    from dispenser.service.settings import ConfigError

    match error:
        case CommandError():
            return error.code
        case JournalError() if not isinstance(error, FilterError):
            return IO_ERROR
        case ConfigError():
            return BAD_SETTINGS
        case OSError():
            return UNAVAILABLE
    return USAGE


def print_nowhere(descriptor: int = 1) -> None:
    """Redirect a descriptor to /dev/null, so that flushing buffered output at exit does not fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
