"""What is typed after several commands: the name of a game, ``--option name=value``, odds; and what completes them.

The rule book is read in only when there is something to look up in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from dispenser.cli.options import among
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


def game_ids() -> Iterable[str]:
    """IDs of all games."""
    from dispenser.rules import GAMES

    return GAMES


def games_and_rules(incomplete: str) -> list[str]:
    """Completes to IDs of games and, behind a letter, of rules."""
    from dispenser.rules.library import RULES

    return among(game_ids)(incomplete) + (among(lambda: RULES)(incomplete.upper()) if incomplete else [])


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
