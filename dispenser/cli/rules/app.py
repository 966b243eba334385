"""What the commands of ``dispenser rules`` have in common: the language, the console, the end of a pipe."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from dispenser.cli.failures import IO_ERROR, fail
from dispenser.cli.file_errors import why
from dispenser.cli.help_pages import Commands, HelpfulGroup
from dispenser.language import SpokenError, Text, language_wanted

if TYPE_CHECKING:
    from rich.console import Console

STOPPED_BY_PIPE: Final = 141
"""What a shell shows for a program whose reader has gone: 128 and the number of SIGPIPE."""
IN_FILE: Final = Text("{file}: {what}")
_NOT_PRINTED: Final = Text("this cannot be printed: {why}")


class Language(StrEnum):
    """A language that the rules are written in."""

    EN = "en"
    FR = "fr"


LanguageOption = Annotated[
    Language | None,
    typer.Option("--lang", help="Language of the texts; else the one of LC_ALL, LC_MESSAGES or LANG, else English."),
]


class UsageError(SpokenError, ValueError):
    """What was typed after a command cannot be."""


def language_in_force(wanted: Language | None) -> str:
    """The language that somebody asked for, else the one of the locale, else English."""
    return wanted.value if wanted is not None else language_wanted(os.environ)


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
            _print_nowhere()
            fail(_NOT_PRINTED.filled(why=why(error))[language_in_force(None)], IO_ERROR)


def _print_nowhere() -> None:
    """What is still waiting to be printed would fail again when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


rules_app = Commands(
    cls=RulesGroup,
    help="Five card games: their rules, and playing, replaying, checking and simulating them.",
    no_args_is_help=True,
)
