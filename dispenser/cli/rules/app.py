"""What the commands of ``dispenser rules`` have in common: language, console, a game and its options, how they end.

The rule book is read in only when there is something to look up in it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer

from dispenser.cli.failures import USAGE, fail
from dispenser.cli.help_pages import Commands, HelpfulCommand
from dispenser.cli.options import among
from dispenser.i18n import SpokenError, Text, language_wanted
from dispenser.odds.presets import PRESETS, OddsDesign

if TYPE_CHECKING:
    from rich.console import Console

    from dispenser.rules import Game

Function = TypeVar("Function", bound=Callable[..., Any])


class Language(StrEnum):
    """A language that the rules are written in."""

    EN = "en"
    FR = "fr"


LanguageOption = Annotated[
    Language | None,
    typer.Option("--lang", help="Language of the texts; else the one of LC_ALL, LC_MESSAGES or LANG, else English."),
]
USUAL_SEATS: Final = 3


class CommandError(SpokenError):
    """What ends a command, as any error with a text does: the text goes to standard error, on one line.

    :ivar code: the exit code; ``USAGE`` where what was typed after the command cannot be.
    """

    def __init__(self, text: Text, code: int = USAGE) -> None:
        super().__init__(text)
        self.code = code


def game_ids() -> Iterable[str]:
    """IDs of all games."""
    from dispenser.rules import GAMES

    return GAMES


def games_and_rules(incomplete: str) -> list[str]:
    """Completes to IDs of games and, behind a letter, of rules."""
    from dispenser.rules.library import RULES

    return among(game_ids)(incomplete) + (among(lambda: RULES)(incomplete) if incomplete else [])


GAME_IDS: Final = "uno-extreme, uno, huit-americain, 151, uno-vache"
"""For the help, which must not wait for the rule book to be read in."""
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=f"{GAME_IDS}.", autocompletion=among(game_ids))]
OptionsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="What the table has chosen; `rules show GAME` lists the options.",
    ),
]


def new_match(name: str, seats: int | None, given: Sequence[str] | None, seed: int | None = None) -> Game:
    """A match of a game, whose name may be written with capitals and accents: ``Uno Extrême``.

    :param seats: ``USUAL_SEATS`` when left out.
    :param given: ``NAME=VALUE``, as it was typed.
    :raises SpokenError: there is no such game, or not for so many, or not with such options; as it was typed.
    """
    from dispenser.rules import OptionError, new_game
    from dispenser.rules.library import game_named

    book = game_named(name)
    known = {option.name: option for option in book.options}
    typed = dict(_name_and_value(text) for text in given or ())
    seats = USUAL_SEATS if seats is None else seats
    try:
        options = {name: known[name].read(value) if name in known else value for name, value in typed.items()}
        return new_game(book.id, seats, options, seed=seed)
    except OptionError as error:
        if error.remedy:
            too_few = Text("--seats {seats} --option {name}: {wrong}: give --option {name}={value}")
            least, value = error.remedy
            raise CommandError(too_few.filled(seats=str(seats), name=least, wrong=error.wrong, value=value)) from error
        name = error.option or next((each for each in typed if each not in known), "")
        of = f"--option {name}={typed[name]}" if name else f"--seats {seats}"
        raise CommandError(Text("{typed}: {wrong}").filled(typed=of, wrong=error)) from error


def design_of(odds: str) -> OddsDesign:
    """The odds of that name.

    :raises CommandError: there are no such odds.
    """
    if odds.lower() not in PRESETS:
        there_are = Text("--odds {name}: there are no such odds; there are {known}")
        raise CommandError(there_are.filled(name=odds, known=", ".join(PRESETS)))
    return PRESETS[odds.lower()]


def _name_and_value(text: str) -> tuple[str, str]:
    name, sign, value = (part.strip() for part in text.partition("="))
    if not sign:
        raise CommandError(Text("--option {typed}: write NAME=VALUE").filled(typed=text))
    return name.lower(), value


def of_file(file: object, what: object) -> Text:
    """What is wrong with a file."""
    return Text("{file}: {what}").filled(file=file, what=what)


def language_in_force(wanted: str | None) -> str:
    """The language that somebody asked for, else the one of the locale, else English."""
    return str(wanted) if wanted else language_wanted(os.environ)


def new_console() -> Console:
    """The terminal, or whatever standard output is."""
    from rich.console import Console

    return Console(highlight=False)


class RulesCommand(HelpfulCommand):
    """A command of ``dispenser rules``: an error with a text ends it, said in the language of ``--lang``."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except SpokenError as error:
            code = error.code if isinstance(error, CommandError) else USAGE
            fail(error.text[language_in_force(ctx.params.get("lang"))], code)


rules_app = Commands(
    help="Five card games: their rules, and playing, replaying, checking and simulating them.", no_args_is_help=True
)


def command(name: str | None = None) -> Callable[[Function], Function]:
    """Makes a command of ``dispenser rules``."""
    return rules_app.command(name, cls=RulesCommand)
