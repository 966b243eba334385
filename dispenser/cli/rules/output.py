"""How the ``rules`` commands print, and what happens when nobody takes what they print."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING, Any, Final

import typer

from dispenser.cli.failures import IO_ERROR, fail
from dispenser.cli.help_pages import HelpfulGroup

if TYPE_CHECKING:
    from rich.console import Console

STOPPED_BY_PIPE: Final = 141
"""What a shell shows for a program whose reader has gone: 128 and the number of SIGPIPE."""

_WHY: Final = {
    errno.ENOENT: {"en": "there is no such file or folder", "fr": "ce fichier ou ce dossier n’existe pas"},
    errno.ENOTDIR: {"en": "a part of that path is no folder", "fr": "une partie de ce chemin n’est pas un dossier"},
    errno.EISDIR: {"en": "that is a folder, not a file", "fr": "c’est un dossier, pas un fichier"},
    errno.EACCES: {"en": "that is not permitted here", "fr": "ce n’est pas permis ici"},
    errno.EPERM: {"en": "that is not permitted here", "fr": "ce n’est pas permis ici"},
    errno.EROFS: {"en": "one can only read there", "fr": "on ne peut que lire à cet endroit"},
    errno.ENOSPC: {"en": "there is no room left", "fr": "il n’y a plus de place"},
    errno.ENAMETOOLONG: {"en": "that name is too long", "fr": "ce nom est trop long"},
}
_NOT_PRINTED: Final = {"en": "this cannot be printed: {}", "fr": "impossible de l’afficher\u00a0: {}"}
_OTHERWISE: Final = {"en": "it cannot be used", "fr": "on ne peut pas s’en servir"}


class UsageError(ValueError):
    """What was typed after a command cannot be; said in the languages of the rules.

    :ivar french: what ``str(error)`` says in English.
    """

    def __init__(self, english: str, french: str) -> None:
        super().__init__(english)
        self.french = french


def said(error: Exception, language: str) -> str:
    """What an error says, in the language of the command."""
    from dispenser.rules.book import BilingualError

    if isinstance(error, BilingualError):
        return error.text[language]
    return error.french if isinstance(error, UsageError) and language == "fr" else str(error)


def why(error: OSError, language: str) -> str:
    """What the system says of a file, in words."""
    return _WHY.get(error.errno or 0, _OTHERWISE)[language]


def new_console() -> Console:
    """The terminal, or whatever standard output is."""
    from rich.console import Console

    class Terminal(Console):
        """Leaves it to ``RulesGroup`` what to do when a reader, such as ``head``, has gone."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Terminal(highlight=False)


class RulesGroup(HelpfulGroup):
    """The commands of ``dispenser rules``; they end decently when their output goes nowhere."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command, and see that all it prints arrives."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            _print_nowhere()
            raise typer.Exit(STOPPED_BY_PIPE) from None
        except OSError as error:
            from dispenser.cli.rules.book import language_in_force

            _print_nowhere()
            language = language_in_force(None)
            fail(_NOT_PRINTED[language].format(why(error, language)), IO_ERROR)


def _print_nowhere() -> None:
    """What is still waiting to be printed would fail again when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
