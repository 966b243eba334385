"""``dispenser rules play``: a match in the terminal against bots; ``rules replay``: a recorded match again."""

from __future__ import annotations

import secrets
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.failures import FOUND_WRONG, IO_ERROR, CommandError
from dispenser.cli.options import SeedOption, among
from dispenser.cli.rules import app
from dispenser.cli.spoken import _, in_words, language, new_console
from dispenser.i18n import Text, why
from dispenser.odds.presets import PRESETS

if TYPE_CHECKING:
    from dispenser.rules import Game

_ODDS_HELP = f"What the launcher does: {', '.join(PRESETS)}."
_GAME = typer.Argument(
    metavar="[GAME]", help=f"{app.GAME_IDS}.", show_default=False, autocompletion=among(app.game_ids)
)


@app.rules_app.command()
def play(
    game: Annotated[str | None, _GAME] = None,
    seats: Annotated[int | None, typer.Option(help="Players, you and the bots.", show_default="3")] = None,
    seed: SeedOption = None,
    odds: Annotated[
        str | None,
        typer.Option(metavar="PRESET", help=_ODDS_HELP, show_default="toy", autocompletion=among(lambda: PRESETS)),
    ] = None,
    option: app.OptionsOption = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a saved match.")] = None,
) -> None:
    """Play a match against bots: type a move a line; ? shows help, also how to save the match.

    Example: dispenser rules play uno-extreme --seats 4
    """
    from random import Random

    from dispenser.cli.rules.match import TerminalMatch
    from dispenser.odds.odds import Odds
    from dispenser.rules.engine.demands import Owed

    design = app.design_of(odds or "toy")
    if resume:
        if game or option or seats is not None or seed is not None:
            keeps = Text("--resume: a saved match keeps its game, seats, options and seed; leave them out")
            raise CommandError(keeps)
        match = _saved(resume)
    elif game:
        seed = seed or str(secrets.randbelow(1 << 31))
        match = app.new_match(game, seats, option, Random(seed).getrandbits(31))  # noqa: S311 - a game, not a secret
        typer.echo(_("Seed {seed}: the same seed deals the same cards.", seed=seed))
    else:
        raise CommandError(Text("which game? give one of: {games}; or --resume FILE").filled(games=app.GAME_IDS))
    if odds and match.state.draws is not Owed.PRESSES:
        raise app.odds_change_nothing(match)
    luck = f"dispenser rules play {match.state.chance and match.state.chance.seed} {len(match.log)}"
    launcher = Odds(design, sha256(luck.encode()).digest())
    TerminalMatch(match, new_console(), launcher, Random(luck)).play()  # noqa: S311


def _saved(path: Path) -> Game:
    """Load a match from a file.

    :raises CommandError: it cannot be read, or not be continued here.
    """
    from dispenser.rules import RecordError, from_json

    try:
        match = from_json(path.read_bytes())
    except (OSError, RecordError) as error:
        what = why(error) if isinstance(error, OSError) else error
        raise CommandError(app.of_file(path, what), IO_ERROR) from error
    if match.state.hidden or match.state.chance is None:
        raise CommandError(app.of_file(path, Text("a match with real cards cannot be played on here")))
    return match


@app.rules_app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A match saved by `rules play`.", show_default=False)],
) -> None:
    """Play a recorded match again and tell what happened, action by action.

    Example: dispenser rules replay match.json
    """
    from dispenser.rules import RecordError
    from dispenser.rules.record import check_end, open_document, parse
    from dispenser.rules.record import replay as play_again
    from dispenser.rules.words.narrator import Narrator
    from dispenser.rules.words.phrases import vocabulary_of

    wrong = IO_ERROR
    try:
        written = file.read_bytes()
    except OSError as error:  # only here: a failing write to the terminal is not the file's fault
        raise CommandError(app.of_file(file, why(error)), IO_ERROR) from error
    try:
        document = parse(written)
        game, actions = open_document(document)
        narrator = Narrator(game, language())
        wrong = FOUND_WRONG
        for number, _action in enumerate(play_again(game, actions), start=1):
            for sentence in narrator.events(game.events):
                typer.echo(f"{number:5}  {sentence}")
        wrong = IO_ERROR
        check_end(game, document)
    except RecordError as error:
        raise CommandError(app.of_file(file, error), wrong) from error
    played = Text("{number} action", plural="{number} actions").filled(number=len(actions))
    so_many = Text("{number} {things}", plural="{number} {things}s")
    rounds = so_many.filled(number=game.state.round, things=vocabulary_of(game).round)
    typer.echo(in_words(Text("{actions}, {rounds}: all legal").filled(actions=played, rounds=rounds)))
