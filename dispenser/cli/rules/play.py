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

from dispenser.cli.failures import IO_ERROR, USAGE, fail
from dispenser.cli.file_errors import why
from dispenser.cli.options import SeedOption
from dispenser.cli.rules.app import IN_FILE, LanguageOption, UsageError, language_in_force, new_console, rules_app
from dispenser.cli.rules.options import (
    GAME_IDS,
    OptionsOption,
    game_id_of,
    games,
    named_as_typed,
    no_such_odds,
    presets,
    read_options,
)
from dispenser.language import Text
from dispenser.luck.presets import PRESETS

if TYPE_CHECKING:
    from dispenser.cli.match.names import AtTable
    from dispenser.cli.match.saved import MatchFile, Seating
    from dispenser.luck.odds import Odds
    from dispenser.rules import Game

_BOTS: Final = ("Bob", "Chloé", "Dimitri", "Emma", "Farid", "Gaëlle", "Hugo", "Inès", "Jules", "Karim", "Lou")
_SEATS: Final = 3
_LONGEST_NAME: Final = 20
_MOST_SEED: Final = 1 << 31
_NUMBER: Final = re.compile("[0-9]{1,18}")

_START: Final = Text("Seed {seed}: the same seed deals the same cards.")
_NOT_SAVED: Final = Text("{file}: the match could not be saved: {why}")
_KEEPS: Final = Text("a match that was left keeps its seats, options and seed: leave out --seats, --option and --seed")
_REAL_CARDS: Final = Text("{file}: a match with real cards cannot be played on here")
_OVER: Final = Text("{file}: this match is over; to have it told again: dispenser rules replay {file}")
_MANY_NAMES: Final = Text("--name: {number} names for {seats} players: leave some out, or give more --seats")
_NO_NAME: Final = Text(
    "--name {name!r}: write a name of 1 to {most} characters that can be seen, on one line, and a letter among them"
)
_TWICE: Final = Text("--name {name}: sits there twice: give every player another name")
_NO_PLACE: Final = Text("--save {file}: {what}")


@rules_app.command()
def play(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help=f"{GAME_IDS}; or the file of a match that was left.",
            show_default=False,
            autocompletion=games,
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
            autocompletion=presets,
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
    from dispenser.cli.match.saved import Seating

    language = language_in_force(lang)
    try:
        saved = _file_of(game, fresh=bool(seats or option) or seed is not None)
        number = secrets.randbelow(_MOST_SEED) if seed is None else _number_of(seed)
        match, seating = _left(saved, language) if saved else (_new(game, seats, option or (), number), None)
        number = match.state.chance.seed if match.state.chance else number
        names = _names(match.seats, name or (), seating)
        preset = odds or (seating.odds if seating else "toy")
        launcher = _odds(preset, number, match)
        file = _place(save, saved, f"{match.game_id}-{number}.json", Seating(names, preset))
    except UsageError as error:
        fail(error.text[language], USAGE)
    console = new_console()
    console.print(_START.filled(seed=str(number))[language], style="dim")
    try:
        Match(
            match,
            names,
            language,
            odds=launcher,
            random=Random(number),  # noqa: S311 - a game, not a secret
            console=console,
            pause=time.sleep if pause and sys.stdin.isatty() and console.is_terminal else None,
            file=file,
        ).play()
    except BrokenPipeError:
        raise
    except OSError as error:
        fail(_NOT_SAVED.filled(file=file.path, why=why(error))[language], IO_ERROR)


def _number_of(seed: str) -> int:
    """A number as it is, and one for any other word: a recorded match has it as a number."""
    return int(seed) if _NUMBER.fullmatch(seed) else int.from_bytes(hashlib.sha256(seed.encode()).digest()[:4])


def _file_of(game: str, *, fresh: bool) -> Path | None:
    """The file of a match, when it is not the name of a game.

    :param fresh: there are options that only a new match can have.
    :raises UsageError: it is a file all the same.
    """
    path = Path(game)
    if path.suffix.lower() != ".json" and not path.is_file():
        return None
    if fresh:
        raise UsageError(_KEEPS)
    return path


def _new(name: str, seats: int | None, given: Sequence[str], seed: int) -> Game:
    from dispenser.rules import new_game

    game_id = game_id_of(name)
    options = read_options(game_id, given)
    players = _SEATS if seats is None else seats
    with named_as_typed(players, options):
        return new_game(game_id, players, options, seed=seed)


def _left(path: Path, language: str) -> tuple[Game, Seating | None]:
    from dispenser.cli.match.saved import read_match
    from dispenser.rules import RecordError
    from dispenser.rules.engine.phases import MATCH_OVER

    try:
        match, seating = read_match(path)
    except OSError as error:
        fail(IN_FILE.filled(file=path, what=why(error))[language], IO_ERROR)
    except RecordError as error:
        fail(IN_FILE.filled(file=path, what=error)[language], IO_ERROR)
    if match.state.hidden or match.state.chance is None:
        raise UsageError(_REAL_CARDS.filled(file=path))
    if match.phase is MATCH_OVER:
        raise UsageError(_OVER.filled(file=path))
    return match, seating


def _names(seats: int, given: Sequence[str], seating: Seating | None) -> AtTable:
    """Those that were given, then those that sat there, then others.

    :raises UsageError: they cannot be told apart, or not be shown.
    """
    from dispenser.cli.match.names import names_at_table

    if len(given) > seats:
        raise UsageError(_MANY_NAMES.filled(number=len(given), seats=seats))
    for place, name in enumerate(given):
        if not any(map(str.isalpha, name)) or not name.isprintable() or len(name) > _LONGEST_NAME:
            shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in name[:_LONGEST_NAME])
            raise UsageError(_NO_NAME.filled(name=shown, most=_LONGEST_NAME))
        if name.casefold() in map(str.casefold, given[:place]):
            raise UsageError(_TWICE.filled(name=name))
    taken = {name.casefold() for name in given}
    others: tuple[str | None, ...] = seating.names[len(given) :] if seating else ()
    if not others or taken & {name.casefold() for name in others if name}:
        others = (None, *(bot for bot in _BOTS if bot.casefold() not in taken))[len(given) :]
    return names_at_table((*given, *others)[:seats])


def _odds(preset: str, seed: int, game: Game) -> Odds:
    """The launcher's odds, from where the match has come to; the match's seed is theirs, too.

    :raises UsageError: there are no such odds.
    """
    from dispenser.luck.odds import Odds
    from dispenser.rules.engine.history import Deed

    design = PRESETS.get(preset.lower())
    if design is None:
        raise no_such_odds(preset)
    secret = hashlib.sha256(f"dispenser rules play {seed}".encode()).digest()
    spent = sum(action.deed is Deed.FULFIL for action in game.log)
    return Odds(design, secret, spent + 1)


def _place(save: Path | None, saved: Path | None, otherwise: str, seating: Seating) -> MatchFile:
    """Where the match will be saved.

    :raises UsageError: ``--save`` names a place where that cannot be.
    """
    from dispenser.cli.match.saved import MatchFile, SavingError

    own = saved is not None and save in {None, saved}
    file = MatchFile(save or saved or Path(otherwise), seating, own=own, wanted=save is not None)
    if save is not None:
        try:
            file.check()
        except SavingError as error:
            raise UsageError(_NO_PLACE.filled(file=save, what=error)) from error
    return file
