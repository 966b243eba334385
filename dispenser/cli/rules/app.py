"""What the commands of ``dispenser rules`` have in common: the language, the console, how they end."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer

from dispenser.cli.failures import IO_ERROR, USAGE, fail
from dispenser.cli.help_pages import Commands, HelpfulCommand
from dispenser.language import SpokenError, Text, language_wanted, why

if TYPE_CHECKING:
    from rich.console import Console

STOPPED_BY_PIPE: Final = 141
"""What a shell shows for a program whose reader has gone: 128 and the number of SIGPIPE."""
Function = TypeVar("Function", bound=Callable[..., Any])


class Language(StrEnum):
    """A language that the rules are written in."""

    EN = "en"
    FR = "fr"


LanguageOption = Annotated[
    Language | None,
    typer.Option("--lang", help="Language of the texts; else the one of LC_ALL, LC_MESSAGES or LANG, else English."),
]


class CommandError(SpokenError):
    """What ends a command, as any error with a text does: the text goes to standard error, on one line.

    :ivar code: the exit code; ``USAGE`` where what was typed after the command cannot be.
    """

    def __init__(self, text: Text, code: int = USAGE) -> None:
        super().__init__(text)
        self.code = code


def of_file(file: object, what: object) -> Text:
    """What is wrong with a file."""
    return Text("{file}: {what}").filled(file=file, what=what)


def language_in_force(wanted: str | None) -> str:
    """The language that somebody asked for, else the one of the locale, else English."""
    return str(wanted) if wanted else language_wanted(os.environ)


def new_console() -> Console:
    """The terminal, or whatever standard output is."""
    from rich.console import Console

    class Terminal(Console):
        """Leaves it to ``RulesCommand`` what to do when a reader, such as ``head``, has gone."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Terminal(highlight=False)


class RulesCommand(HelpfulCommand):
    """A command of ``dispenser rules``; it ends decently when it fails, and when its output goes nowhere."""

    def invoke(self, ctx: Any) -> Any:
        """Run it, and see that all it prints arrives."""
        language = language_in_force(ctx.params.get("lang"))
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except SpokenError as error:
            fail(error.text[language], error.code if isinstance(error, CommandError) else USAGE)
        except BrokenPipeError:
            _print_nowhere()
            raise typer.Exit(STOPPED_BY_PIPE) from None
        except OSError as error:
            _print_nowhere()
            fail(Text("this cannot be printed: {why}").filled(why=why(error))[language], IO_ERROR)


def _print_nowhere() -> None:
    """What is still waiting to be printed would fail again when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def obstacle(path: Path) -> Text | None:
    """Why nothing can be written there, before there is anything to lose.

    Only an attempt tells: permissions say nothing of a full disk, or of folders that take no files. What is there stays
    as it is; nothing is left behind where there was nothing.
    """
    if not path.parent.is_dir():
        return Text("there is no folder {folder}").filled(folder=path.parent)
    was_there = path.exists()
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o666))
    except FileNotFoundError:  # the folder is there, but takes no files
        return why(PermissionError(errno.EACCES, ""))
    except OSError as error:
        return why(error)
    if not was_there:
        path.unlink()
    return None


rules_app = Commands(
    help="Five card games: their rules, and playing, replaying, checking and simulating them.", no_args_is_help=True
)


def command(name: str | None = None) -> Callable[[Function], Function]:
    """Makes a command of ``dispenser rules``."""
    return rules_app.command(name, cls=RulesCommand)
