"""What the commands of ``dispenser rules`` share: a game, its options, odds by their name.

The rule book is imported only when it is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from dispenser.cli.failures import CommandError
from dispenser.cli.help_pages import Commands
from dispenser.cli.options import among
from dispenser.i18n import Text
from dispenser.odds.presets import PRESETS, OddsDesign

if TYPE_CHECKING:
    from dispenser.rules import Game

USUAL_SEATS: Final = 3


def game_ids() -> Iterable[str]:
    """Return the IDs of all games."""
    from dispenser.rules import GAMES

    return GAMES


def games_and_rules(incomplete: str) -> list[str]:
    """Complete IDs of games, and IDs of rules once a character is typed."""
    from dispenser.rules.library import RULES

    return among(game_ids)(incomplete) + (among(lambda: RULES)(incomplete) if incomplete else [])


GAME_IDS: Final = "uno-extreme, uno, huit-americain, 151, uno-vache"
"""For the help, which must not wait for the import of the rule book."""
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
    """Create a match; case and accents of the game's name do not matter: ``Uno Extrême``.

    :param seats: ``USUAL_SEATS`` when left out.
    :param given: options as typed, ``NAME=VALUE``.
    :raises SpokenError: unknown game, wrong number of seats, or wrong option; the text quotes what was typed.
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


def odds_change_nothing(match: Game) -> CommandError:
    """Return the error for ``--odds`` in a game where the launcher delivers exact numbers of cards."""
    exact = Text("--odds: in {game} the launcher gives exact numbers of cards, so the odds change nothing")
    return CommandError(exact.filled(game=match.game_id))


def design_of(odds: str) -> OddsDesign:
    """Return the odds preset of that name.

    :raises CommandError: the name is unknown.
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
    """Return an error text that begins with the file's name."""
    return Text("{file}: {what}").filled(file=file, what=what)


rules_app = Commands(no_args_is_help=True)
