"""What is typed after several commands: the name of a game, ``--option name=value``, odds; and what completes them.

The rule book is read in only when there is something to look up in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from dispenser.cli.rules.app import CommandError
from dispenser.language import Text
from dispenser.luck.presets import PRESETS

if TYPE_CHECKING:
    from dispenser.luck.presets import OddsDesign
    from dispenser.rules import Game

USUAL_SEATS: Final = 3
_YES_OR_NO: Final = {
    **dict.fromkeys(("yes", "oui", "true", "vrai"), True),
    **dict.fromkeys(("no", "non", "false", "faux"), False),
}


def games(incomplete: str = "") -> list[str]:
    """IDs of games that begin so."""
    from dispenser.rules import GAMES

    return [game for game in GAMES if game.startswith(incomplete.lower())]


def games_and_rules(incomplete: str) -> list[str]:
    """The same, and the IDs of rules."""
    from dispenser.rules.library import RULES

    return games(incomplete) + [rule for rule in RULES if rule.startswith(incomplete.upper()) and incomplete]


def presets(incomplete: str) -> list[str]:
    """Odds; of several with commas, the last one is being typed."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in PRESETS if name.startswith(last.lower())]


def names_and_values(context: typer.Context, incomplete: str) -> list[str]:
    """``NAME=`` of the game's options; behind the sign, the values of that option where they can be listed."""
    from dispenser.rules.book import BookError
    from dispenser.rules.library import BOOKS, game_named

    typed = context.params.get("game") or next(iter(context.args), "")  # behind an option that lacks its value: a rest
    try:
        books = [game_named(typed)]
    except BookError:  # none yet, or a file
        books = list(BOOKS.values())
    options = [option for book in books for option in book.options]
    words = [f"{option.name}=" for option in options]
    if "=" in incomplete:
        listed = [(option.name, option.values) for option in options if isinstance(option.values, tuple)]
        words = [f"{name}={_as_typed(value)}" for name, values in listed for value in values]
    return [word for word in dict.fromkeys(words) if word.startswith(incomplete.lower())]


def _as_typed(value: int | str | bool) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


GAME_IDS: Final = "uno-extreme, uno, huit-americain, 151, uno-vache"
"""For the help, which must not wait for the rule book to be read in."""
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=f"{GAME_IDS}.", autocompletion=games)]
OptionsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="What the table has chosen; `rules show GAME` lists the options.",
        autocompletion=names_and_values,
    ),
]


def new_match(name: str, seats: int | None, given: Sequence[str] | None, seed: int | None = None) -> Game:
    """A match of a game, whose name may be written with capitals and accents: ``Uno Extrême``.

    :param seats: ``USUAL_SEATS`` when left out.
    :param given: ``NAME=VALUE``, as it was typed.
    :raises CommandError: there is no such game, or not for so many, or not with such options; as it was typed.
    """
    from dispenser.rules import OptionError, new_game
    from dispenser.rules.book import BookError
    from dispenser.rules.library import game_named

    try:
        book = game_named(name)
    except BookError as error:
        raise CommandError(error.text) from error
    usual = {option.name: option.default for option in book.options}
    typed = dict(_name_and_value(text) for text in given or ())
    seats = USUAL_SEATS if seats is None else seats
    try:
        return new_game(book.id, seats, {key: _read(value, usual.get(key)) for key, value in typed.items()}, seed=seed)
    except OptionError as error:
        if error.remedy:
            too_few = Text("--seats {seats} --option {name}: {wrong}: give --option {name}={value}")
            least, value = error.remedy
            raise CommandError(too_few.filled(seats=str(seats), name=least, wrong=error.wrong, value=value)) from error
        name = error.option or next((each for each in typed if each not in usual), "")
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


def _read(value: str, usual: Any) -> int | str | bool:
    """What was typed, as an option's value; what cannot be one stays as it is, for the rules engine to say so."""
    if isinstance(usual, bool):
        return _YES_OR_NO.get(value.lower(), value)
    return int(value) if isinstance(usual, int) and re.fullmatch(r"-?[0-9]{1,9}", value) else value
