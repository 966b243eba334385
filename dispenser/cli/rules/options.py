"""What is typed after several commands: the name of a game, ``--option name=value``, odds; and what completes them.

The rule book is read in only when there is something to look up in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Final

import typer

from dispenser.cli.rules.app import UsageError
from dispenser.language import Text
from dispenser.luck.presets import PRESETS

_YES: Final = frozenset({"yes", "oui", "true", "vrai"})
_NO: Final = frozenset({"no", "non", "false", "faux"})

_NO_ODDS: Final = Text("--odds {name}: there are no such odds; there are {known}")
_NAME_VALUE: Final = Text("--option {typed}: write NAME=VALUE")
_NO_OPTION: Final = Text("--option {name}: {game} has no such option; it has {known}")
_GIVE: Final = Text("--seats {seats} --option {name}: {wrong}: give --option {name}={value}")
_WRONG: Final = Text("{typed}: {wrong}")
_YES_OR_NO: Final = Text("--option {name}={value}: write yes or no")
_WHOLE_NUMBER: Final = Text("--option {name}={value}: write a whole number")


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
    name, sign, value = incomplete.partition("=")
    options = [option for book in books for option in book.options if option.name.startswith(name.lower())]
    if not sign:
        return list(dict.fromkeys(f"{option.name}=" for option in options))
    values = [each for option in options if option.name == name.lower() for each in _listed_values(option.values)]
    return [f"{name}={each}" for each in dict.fromkeys(values) if each.startswith(value.lower())]


def _listed_values(values: object) -> list[str]:
    if not isinstance(values, tuple):
        return []
    return [("yes" if value else "no") if isinstance(value, bool) else str(value) for value in values]


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


def game_id_of(name: str) -> str:
    """The ID of a game, whose name may be written with capitals and accents: ``Uno Extrême``.

    :raises UsageError: there is no such game.
    """
    from dispenser.rules.book import BookError
    from dispenser.rules.library import game_named

    try:
        return game_named(name).id
    except BookError as error:
        raise UsageError(error.text) from error


def no_such_odds(name: str) -> UsageError:
    """For the name of odds that there are not."""
    return UsageError(_NO_ODDS.filled(name=name, known=", ".join(PRESETS)))


def read_options(game: str, given: Sequence[str] | None) -> dict[str, int | str | bool]:
    """Options by name, as ``new_game`` takes them.

    :param game: its ID.
    :raises UsageError: no ``=``, no such option, or a value that it cannot have.
    """
    from dispenser.rules.library import book_of

    forms = {option.name: type(option.default) for option in book_of(game).options}
    options: dict[str, int | str | bool] = {}
    for text in given or ():
        name, sign, value = (part.strip() for part in text.partition("="))
        name = name.lower()
        if not sign:
            raise UsageError(_NAME_VALUE.filled(typed=text))
        if name not in forms:
            raise UsageError(_NO_OPTION.filled(name=name, game=game, known=", ".join(forms)))
        options[name] = _as(forms[name], name, value)
    return options


@contextmanager
def named_as_typed(seats: int, options: Mapping[str, int | str | bool]) -> Iterator[None]:
    """What the rules engine finds wrong with a game is said with the name of the option it was typed for.

    :raises UsageError: instead of the engine's errors.
    """
    from dispenser.rules import OptionError

    try:
        yield
    except OptionError as error:
        if error.remedy:
            name, value = error.remedy
            raise UsageError(_GIVE.filled(seats=str(seats), name=name, wrong=error.wrong, value=value)) from error
        wrong = error.option
        typed = f"--option {wrong}={options[wrong]}" if wrong is not None else f"--seats {seats}"
        raise UsageError(_WRONG.filled(typed=typed, wrong=error)) from error


def _as(form: type, name: str, value: str) -> int | str | bool:
    if form is bool:
        if value.lower() not in _YES | _NO:
            raise UsageError(_YES_OR_NO.filled(name=name, value=value))
        return value.lower() in _YES
    if form is int:
        try:
            return int(value)
        except ValueError:
            raise UsageError(_WHOLE_NUMBER.filled(name=name, value=value[:20])) from None
    return value
