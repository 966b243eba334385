"""``dispenser rules play``: a whole match at the terminal, against bots, with a simulated launcher."""

from __future__ import annotations

import hashlib
import re
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from dispenser.cli.failures import IO_ERROR
from dispenser.cli.options import SeedOption, among
from dispenser.cli.rules.app import (
    GAME_IDS,
    CommandError,
    LanguageOption,
    OptionsOption,
    command,
    design_of,
    game_ids,
    language_in_force,
    new_console,
    new_match,
    obstacle,
    of_file,
)
from dispenser.config.errors import cut
from dispenser.i18n import Text, why
from dispenser.odds.presets import PRESETS

if TYPE_CHECKING:
    from dispenser.cli.match.saved import Seating
    from dispenser.odds.odds import Odds
    from dispenser.rules import Game

_BOTS: Final = ("Bob", "Chloé", "Dimitri", "Emma", "Farid", "Gaëlle", "Hugo", "Inès", "Jules", "Karim", "Lou")
_LONGEST_NAME: Final = 20
_MOST_SEED: Final = 1 << 31

_KEEPS: Final = Text("a match that was left keeps its seats, options and seed: leave out --seats, --option and --seed")
_REAL_CARDS: Final = Text("{file}: a match with real cards cannot be played on here")
_OVER: Final = Text("{file}: this match is over; to have it told again: dispenser rules replay {file}")
_MANY_NAMES: Final = Text("--name: {number} names for {seats} players: leave some out, or give more --seats")
_NO_NAME: Final = Text(
    "--name {name!r}: write a name of 1 to {most} characters that can be seen, on one line, and a letter among them"
)
_TWICE: Final = Text("--name {name}: sits there twice: give every player another name")


@command()
def play(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help=f"{GAME_IDS}; or the file of a match that was left.",
            show_default=False,
            autocompletion=among(game_ids),
        ),
    ],
    seats: Annotated[int | None, typer.Option(help="Players, you and the bots.", show_default="3")] = None,
    seed: SeedOption = None,
    lang: LanguageOption = None,
    odds: Annotated[
        str | None,
        typer.Option(
            metavar="PRESET",
            help=f"What the launcher does: {', '.join(PRESETS)}.",
            show_default="toy",
            autocompletion=among(lambda: PRESETS),
        ),
    ] = None,
    option: OptionsOption = None,
    name: Annotated[
        list[str] | None, typer.Option("--name", metavar="NAME", help="Names: yours, then the bots'.")
    ] = None,
    pause: Annotated[bool, typer.Option(help="Wait for the bots and the launcher; never in a pipe.")] = True,
    save: Annotated[
        Path | None,
        typer.Option(
            help="Where the match is saved when you leave or it is over; beside it, as NAME-2.json, if there is such a "
            "file already.",
            show_default="GAME-SEED.json, when you leave",
        ),
    ] = None,
) -> None:
    """Play a match against bots. Type ? in it for help.

    However you leave, q, Ctrl-C or the end of the input, the match is saved; one that is over is saved, too, if it
    came from a file or --save is given. Exit code: 0, also when you leave early; 2 for a wrong option; 74 when a file
    cannot be read or written.
    """
    import time
    from random import Random

    from dispenser.cli.match.match import Match
    from dispenser.cli.match.saved import MatchFile, Seating
    from dispenser.cli.match.sitting import Sitting

    language = language_in_force(lang)
    number = secrets.randbelow(_MOST_SEED) if seed is None else _number_of(seed)
    saved = Path(game) if Path(game).suffix.lower() == ".json" or Path(game).is_file() else None
    if saved and (option or seats is not None or seed is not None):
        raise CommandError(_KEEPS)
    match, seating = _left(saved) if saved else (new_match(game, seats, option, number), None)
    number = match.state.chance.seed if match.state.chance else number
    names = _names(match.seats, name or (), seating)
    preset = odds or (seating.odds if seating else "toy")
    launcher = _odds(preset, number, match)
    place = save or saved or Path(f"{match.game_id}-{number}.json")
    file = MatchFile(place, Seating(names, preset), own=saved is not None and place == saved, wanted=save is not None)
    if save is not None and (wrong := obstacle(save)):
        raise CommandError(Text("--save {file}: {what}").filled(file=save, what=wrong))
    console = new_console()
    started = Text("Seed {seed}: the same seed deals the same cards.")
    console.print(started.filled(seed=str(number))[language], style="dim")
    try:
        watched = pause and sys.stdin.isatty() and console.is_terminal
        sitting = Sitting(match, language, console, file, launcher, time.sleep if watched else None)
        Match(sitting, Random(number)).play()  # noqa: S311 - a game, not a secret
    except BrokenPipeError:
        raise
    except OSError as error:
        not_saved = Text("{file}: the match could not be saved: {why}")
        raise CommandError(not_saved.filled(file=file.path, why=why(error)), IO_ERROR) from error


def _number_of(seed: str) -> int:
    """A number as it is, and one for any other word: a recorded match has it as a number."""
    is_number = re.fullmatch("[0-9]{1,18}", seed)
    return int(seed) if is_number else int.from_bytes(hashlib.sha256(seed.encode()).digest()[:4])


def _left(path: Path) -> tuple[Game, Seating | None]:
    """A match that somebody has left.

    :raises CommandError: it cannot be played on.
    """
    from dispenser.cli.match.saved import read_match
    from dispenser.rules import RecordError
    from dispenser.rules.engine.phases import MATCH_OVER

    try:
        match, seating = read_match(path)
    except (OSError, RecordError) as error:
        raise CommandError(of_file(path, why(error) if isinstance(error, OSError) else error), IO_ERROR) from error
    if match.state.hidden or match.state.chance is None:
        raise CommandError(_REAL_CARDS.filled(file=path))
    if match.phase is MATCH_OVER:
        raise CommandError(_OVER.filled(file=path))
    return match, seating


def _names(seats: int, given: Sequence[str], seating: Seating | None) -> tuple[str | None, ...]:
    """Those that were given, then those that sat there, then others; the person, who sits first, may have none.

    :raises CommandError: they cannot be told apart, or not be shown.
    """
    if len(given) > seats:
        raise CommandError(_MANY_NAMES.filled(number=len(given), seats=seats))
    for place, name in enumerate(given):
        if not any(map(str.isalpha, name)) or not name.isprintable() or len(name) > _LONGEST_NAME:
            raise CommandError(_NO_NAME.filled(name=cut(name), most=_LONGEST_NAME))
        if name.casefold() in map(str.casefold, given[:place]):
            raise CommandError(_TWICE.filled(name=name))
    taken = {name.casefold() for name in given}
    others: tuple[str | None, ...] = seating.names[len(given) :] if seating else ()
    if not others or taken & {name.casefold() for name in others if name}:
        others = (None, *(bot for bot in _BOTS if bot.casefold() not in taken))[len(given) :]
    return (*given, *others)[:seats]


def _odds(preset: str, seed: int, game: Game) -> Odds:
    """The launcher's odds, from where the match has come to; the match's seed is theirs, too."""
    from dispenser.odds.odds import Odds
    from dispenser.rules.engine.history import Deed

    secret = hashlib.sha256(f"dispenser rules play {seed}".encode()).digest()
    spent = sum(action.deed is Deed.FULFIL for action in game.log)
    return Odds(design_of(preset), secret, spent + 1)
