"""``dispenser rules play``: a whole match at the terminal, against bots, with a simulated launcher."""

from __future__ import annotations

import hashlib
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.failures import IO_ERROR, USAGE, fail
from dispenser.cli.rules.book import GAMES, LanguageOption, language_in_force, rules_app
from dispenser.cli.rules.options import OptionsOption, game_id_of, named_as_typed, no_such_odds, read_options
from dispenser.cli.rules.output import UsageError, new_console, said, why
from dispenser.luck.odds import PRESETS

if TYPE_CHECKING:
    from dispenser.cli.match.names import AtTable
    from dispenser.cli.match.saved import MatchFile, Table
    from dispenser.luck.odds import Odds
    from dispenser.rules import Game

_BOTS = ("Bob", "Chloé", "Dimitri", "Emma", "Farid", "Gaëlle", "Hugo", "Inès", "Jules", "Karim", "Lou")
_SEATS = 3
_LONGEST_NAME = 20
_MOST_SEED = 1 << 31
_START = {"en": "Seed {}: the same seed deals the same cards.", "fr": "Graine {} : la même graine, la même donne."}

_IN_FILE = {"en": "{}: {}", "fr": "{}\u00a0: {}"}
_NOT_SAVED = {
    "en": "{}: the match could not be saved: {}",
    "fr": "{}\u00a0: la partie n’a pas pu être enregistrée\u00a0: {}",
}


@rules_app.command()
def play(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help=f"{GAMES}; or the file of a match that was left.", show_default=False)
    ],
    seats: Annotated[int | None, typer.Option(help="Players, you and the bots.", show_default="3")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="For the same cards again.", show_default="random")] = None,
    lang: LanguageOption = None,
    odds: Annotated[
        str | None,
        typer.Option(metavar="PRESET", help=f"What the launcher does: {', '.join(PRESETS)}.", show_default="toy"),
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
    from dispenser.cli.match.saved import Table

    language = language_in_force(lang)
    try:
        saved = _file_of(game, fresh=bool(seats or option) or seed is not None)
        number = seed if seed is not None else secrets.randbelow(_MOST_SEED)
        match, table = _left(saved, language) if saved else (_new(game, seats, option or (), number), None)
        number = match.chance.seed if match.chance else number
        names = _names(match.seats, name or (), table)
        preset = odds or (table.odds if table else "toy")
        launcher = _odds(preset, number, match)
        file = _place(save, saved, f"{match.game_id}-{number}.json", Table(names, preset), language)
    except UsageError as error:
        fail(said(error, language), USAGE)
    console = new_console()
    console.print(_START[language].format(number).replace(" :", "\u00a0:"), style="dim")
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
        fail(_NOT_SAVED[language].format(file.path, why(error, language)), IO_ERROR)


def _file_of(game: str, *, fresh: bool) -> Path | None:
    """The file of a match, when it is not the name of a game.

    :param fresh: there are options that only a new match can have.
    :raises UsageError: it is a file all the same.
    """
    path = Path(game)
    if path.suffix.lower() != ".json" and not path.is_file():
        return None
    if fresh:
        raise UsageError(
            "a match that was left keeps its seats, options and seed: leave out --seats, --option and --seed",
            "une partie qu’on reprend garde ses places, ses options et sa graine\u00a0: enlève --seats, --option et "
            "--seed",
        )
    return path


def _new(name: str, seats: int | None, given: Sequence[str], seed: int) -> Game:
    from dispenser.rules import new_game

    game_id = game_id_of(name)
    options = read_options(game_id, given)
    players = _SEATS if seats is None else seats
    with named_as_typed(players, options):
        return new_game(game_id, players, options, seed=seed)


def _left(path: Path, language: str) -> tuple[Game, Table | None]:
    from dispenser.cli.match.saved import read_match
    from dispenser.rules import RecordError
    from dispenser.rules.state import MATCH_OVER

    try:
        match, table = read_match(path)
    except OSError as error:
        fail(_IN_FILE[language].format(path, why(error, language)), IO_ERROR)
    except RecordError as error:
        fail(_IN_FILE[language].format(path, said(error, language)), IO_ERROR)
    if match.hidden or match.chance is None:
        raise UsageError(
            f"{path}: a match with real cards cannot be played on here",
            f"{path}\u00a0: une partie avec de vraies cartes ne peut pas se poursuivre ici",
        )
    if match.phase == MATCH_OVER:
        raise UsageError(
            f"{path}: this match is over; to have it told again: dispenser rules replay {path}",
            f"{path}\u00a0: cette partie est finie\u00a0; pour la revoir\u00a0: «\u00a0dispenser rules replay {path}"
            "\u00a0»",
        )
    return match, table


def _names(seats: int, given: Sequence[str], table: Table | None) -> AtTable:
    """Those that were given, then those that sat there, then others.

    :raises UsageError: they cannot be told apart, or not be shown.
    """
    from dispenser.cli.match.names import names_at_table
    from dispenser.rules.book.errors import in_quotes

    if len(given) > seats:
        raise UsageError(
            f"--name: {len(given)} names for {seats} players: leave some out, or give more --seats",
            f"--name\u00a0: {len(given)} noms pour {seats} joueurs\u00a0: enlèves-en, ou augmente --seats",
        )
    for name in given:
        if not any(map(str.isalpha, name)) or not name.isprintable() or len(name) > _LONGEST_NAME:
            shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in name[:_LONGEST_NAME])
            raise UsageError(
                f"--name {shown!r}: write a name of 1 to {_LONGEST_NAME} characters that can be seen, on one line, and "
                "a letter among them",
                f"--name {in_quotes(shown)}\u00a0: écris un nom de 1 à {_LONGEST_NAME} caractères visibles, sur une "
                "ligne, dont une lettre",
            )
    taken = {name.casefold() for name in given}
    if len(taken) < len(given):
        twice = next(name for place, name in enumerate(given) if name.casefold() in map(str.casefold, given[:place]))
        raise UsageError(
            f"--name {twice}: sits there twice: give every player another name",
            f"--name {twice}\u00a0: ce nom est pris deux fois\u00a0: donne à chacun un autre nom",
        )
    others: tuple[str | None, ...] = table.names[len(given) :] if table else ()
    if not others or taken & {name.casefold() for name in others if name}:
        others = (None, *(bot for bot in _BOTS if bot.casefold() not in taken))[len(given) :]
    return names_at_table((*given, *others)[:seats])


def _odds(preset: str, seed: int, game: Game) -> Odds:
    """The launcher's odds, from where the match has come to; the match's seed is theirs, too.

    :raises UsageError: there are no such odds.
    """
    from dispenser.luck.odds import Odds

    design = PRESETS.get(preset.lower())
    if design is None:
        raise no_such_odds(preset)
    secret = hashlib.sha256(f"dispenser rules play {seed}".encode()).digest()
    spent = sum(1 for name, _, _ in game.log if name == "fulfil")
    return Odds(design, secret, spent + 1)


def _place(save: Path | None, saved: Path | None, otherwise: str, table: Table, language: str) -> MatchFile:
    """Where the match will be saved.

    :raises UsageError: ``--save`` names a place where that cannot be.
    """
    from dispenser.cli.match.saved import MatchFile, SavingError

    own = saved is not None and save in {None, saved}
    file = MatchFile(save or saved or Path(otherwise), table, own=own, wanted=save is not None)
    if save is not None:
        try:
            file.check(language)
        except SavingError as error:
            raise UsageError(f"--save {save}: {error}", f"--save {save}\u00a0: {error}") from error
    return file
