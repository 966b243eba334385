"""``dispenser rules simulate``: many matches among bots, for several odds."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from dispenser.cli.failures import ENDED_BY, IO_ERROR, CommandError
from dispenser.cli.options import JsonOption, SeedOption, among
from dispenser.cli.rules.app import (
    GameArgument,
    OptionsOption,
    design_of,
    new_match,
    odds_change_nothing,
    rules_app,
)
from dispenser.cli.spoken import _, in_words, language, new_console
from dispenser.i18n import Text, why
from dispenser.odds.presets import PRESETS

if TYPE_CHECKING:
    from dispenser.bot_matches.figures import Figures
    from dispenser.bot_matches.study import Plan
    from dispenser.odds.presets import OddsDesign
    from dispenser.rules import Game

_ODDS_HELP: Final = f"{', '.join(PRESETS)}; several, with commas or one after the other, to compare them."


@rules_app.command()
def simulate(
    game: GameArgument,
    games: Annotated[int, typer.Option(min=1, max=10_000_000, help="Matches to play, of each odds.")] = 1000,
    seats: Annotated[int, typer.Option(min=2, max=12, help="Players.")] = 4,
    odds: Annotated[
        list[str] | None,
        typer.Option(metavar="PRESETS", help=_ODDS_HELP, show_default=False, autocompletion=among(lambda: PRESETS)),
    ] = None,
    bots: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="sensible or random; or a list with a name for each seat: sensible,random,…",
        ),
    ] = "sensible",
    option: OptionsOption = None,
    seed: SeedOption = None,
    processes: Annotated[int | None, typer.Option(min=1, help="Number of processes; default: one per core.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a chart to this file, .png or .svg.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Play many matches among bots: turns, presses, cards in the hands, who wins, scores.

    A match is given up when it would not end: after 2,000 turns in a round, or 200 rounds. Nobody wins it.

    Example: dispenser rules simulate uno-extreme --odds toy,wild --plot toy-wild.png
    """
    from dispenser.bot_matches.report import check_plot, show
    from dispenser.bot_matches.report import plot as draw
    from dispenser.rules.words.phrases import vocabulary_of

    seed = "dispenser" if seed is None else seed
    if plot is not None:
        check_plot(plot)  # before the simulation, as it takes long
        if not plot.parent.is_dir():
            raise CommandError(Text("--plot {file}: there is no folder {folder}").filled(file=plot, folder=plot.parent))
    match = new_match(game, seats, option)
    players = _players(bots, seats)
    designs = _designs(match, odds)
    studies = _studies(match, players, designs, games, seed, processes)
    alike = players[:1] if len(set(players)) == 1 else players
    title = in_words(_title(match.game_id, games, seats, alike, seed))
    called = vocabulary_of(match).round
    if as_json:
        figures = {name: each.to_dict() for name, each in studies.items()}
        told = {"game": match.game_id, "seats": seats, "bots": ",".join(alike), "options": match.state.options}
        typer.echo(json.dumps({**told, "odds": figures}, indent=1))
    else:
        show(new_console(), title, studies, language(), called)
    if plot is None:
        return
    try:
        draw(title, studies, plot, language(), called)
    except OSError as error:
        not_drawn = Text("--plot {file}: the chart cannot be written there: {why}")
        raise CommandError(not_drawn.filled(file=plot, why=why(error)), IO_ERROR) from error
    if not as_json:
        typer.echo(_("Chart: {file}", file=plot))


def _title(game: str, games: int, seats: int, bots: Sequence[str], seed: str) -> Text:
    title = Text("{game}: {matches} of {seats} players (bots: {bots}), seed {seed!r}")
    matches = Text("{number:,} match", plural="{number:,} matches").filled(number=games)
    return title.filled(game=game, matches=matches, seats=seats, bots=",".join(bots), seed=seed)


def _players(bots: str, seats: int) -> tuple[str, ...]:
    """Return the name of the bot on each seat.

    :raises CommandError: unknown name, or the number of names does not fit the seats.
    """
    from dispenser.rules.bots import BOTS

    typed = [name.strip().lower() for name in bots.split(",")]
    typed = typed * seats if len(typed) == 1 else typed
    for name in typed:
        if name not in BOTS:
            no_bot = Text("--bots {typed}: there is no bot {name!r}; there are {known}")
            raise CommandError(no_bot.filled(typed=bots, name=name, known=", ".join(BOTS)))
    if len(typed) != seats:
        not_so_many = Text("--bots {typed}: that is {players} players, and there are {seats} seats")
        raise CommandError(not_so_many.filled(typed=bots, players=len(typed), seats=seats))
    return tuple(typed)


def _designs(match: Game, odds: list[str] | None) -> dict[str, OddsDesign]:
    """Return the odds to compare, by name.

    :raises CommandError: unknown name, or the odds have no effect in this game.
    """
    from dispenser.rules.engine.demands import Owed

    wanted = [name.strip().lower() for text in odds or () for name in text.split(",")]
    designs = {name: design_of(name) for name in wanted}
    if match.state.draws is Owed.PRESSES:
        return designs or {"toy": PRESETS["toy"]}
    if designs:
        raise odds_change_nothing(match)
    return {"exact": PRESETS["toy"]}


def _studies(
    match: Game, players: tuple[str, ...], designs: dict[str, OddsDesign], games: int, seed: str, processes: int | None
) -> dict[str, Figures]:
    """Run the simulations; return the figures by name of the odds."""
    from dispenser.bot_matches.study import Plan

    options = match.state.options
    plans = {name: Plan(match.game_id, players, each, games, seed, options) for name, each in designs.items()}
    try:
        return _with_progress(plans, processes)
    except KeyboardInterrupt as call:
        raise typer.Exit(ENDED_BY + (call.args[0] if call.args else signal.SIGINT)) from None


def _with_progress(plans: dict[str, Plan], processes: int | None) -> dict[str, Figures]:
    from dispenser.bot_matches.study import study

    studies = {}
    for name, plan in plans.items():
        with typer.progressbar(length=plan.matches, label=name, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
            studies[name] = study(plan, lambda done, bar=bar: bar.update(done), processes)  # type: ignore[misc]
    return studies
