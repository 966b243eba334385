"""``dispenser rules simulate``: many matches among bots, and what the odds of the launcher change in them."""

from __future__ import annotations

import errno
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dispenser.cli.failures import IO_ERROR, USAGE, fail
from dispenser.cli.rules_book import LanguageOption, language_in_force, rules_app
from dispenser.cli.rules_options import OptionsOption, game_id_of, named_as_typed, no_such_odds, read_options
from dispenser.cli.rules_output import UsageError, new_console, said, why
from dispenser.launcher.odds import PRESETS

if TYPE_CHECKING:
    from dispenser.simulation.study import Plan, Study

_ODDS_HELP = f"{', '.join(PRESETS)}; several, with commas or one after the other, to compare them."
_ENDED_BY = 128
"""With the number of a signal, what a shell shows for a program that was ended by it: 130 for Ctrl-C."""
_TITLE = {
    "en": "{game}: {matches} of {seats} players ({bots}), seed {seed!r}",
    "fr": "{game}\u00a0: {matches} à {seats} ({bots}), graine «\u00a0{seed}\u00a0»",
}
_MATCHES = {"en": ("{:,} match", "{:,} matches"), "fr": ("{:,} partie", "{:,} parties")}
_NOT_DRAWN = {"en": "--plot {}: {}", "fr": "--plot {}\u00a0: {}"}
_CHART = {"en": "Chart: {}", "fr": "Graphique\u00a0: {}"}


@rules_app.command()
def simulate(
    game: Annotated[str, typer.Argument(help="uno-extreme, uno, huit-americain, 151 or uno-vache.")],
    games: Annotated[int, typer.Option(min=1, max=10_000_000, help="Matches to play, of each odds.")] = 1000,
    seats: Annotated[int, typer.Option(min=2, max=12, help="Players.")] = 4,
    odds: Annotated[list[str] | None, typer.Option(help=_ODDS_HELP, show_default=False)] = None,
    bots: Annotated[
        str, typer.Option(help="sensible or random; or a list with a name for each seat: sensible,random,…")
    ] = "sensible",
    option: OptionsOption = None,
    seed: Annotated[
        str, typer.Option(help="Name of the seed, any text: the same gives the same figures.")
    ] = "dispenser",
    processes: Annotated[int | None, typer.Option(min=1, help="How many at once; all cores when left out.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Write a chart to this file, .png or .svg.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    lang: LanguageOption = None,
) -> None:
    """Play many matches among bots: turns, presses, cards in the hands, who wins, scores.

    A match is given up when it would not end: after 2,000 turns in a round, or 200 rounds. Nobody wins it. Exit code:
    0, 2 for a wrong option, 74 when the chart cannot be written, 130 after Ctrl-C.
    """
    from dispenser.rules import new_game

    language = language_in_force(lang)
    try:
        _check_chart(plot, language)
        game_id = game_id_of(game)
        options = read_options(game_id, option)
        with named_as_typed(seats, options):
            new_game(game_id, seats, options)
        plans = _plans(game_id, seats, bots, odds, options, games, seed)
    except UsageError as error:
        fail(said(error, language), USAGE)
    try:
        with _ending_like_ctrl_c():
            studies = _with_progress(plans, processes)
    except KeyboardInterrupt as call:
        raise typer.Exit(_ENDED_BY + (call.args[0] if call.args else signal.SIGINT)) from None
    matches = _MATCHES[language][games != 1].format(games)
    if language == "fr":
        matches = matches.replace(",", "\u202f")
    title = _TITLE[language].format(game=game_id, matches=matches, seats=seats, bots=bots, seed=seed)
    if plot is not None:
        from dispenser.simulation.report import plot as draw

        try:
            draw(title, studies, plot, language)
        except OSError as error:
            fail(_NOT_DRAWN[language].format(plot, why(error, language)), IO_ERROR)
    if as_json:
        figures = {name: each.to_dict() for name, each in studies.items()}
        typer.echo(
            json.dumps({"game": game_id, "seats": seats, "bots": bots, "options": options, "odds": figures}, indent=1)
        )
        return
    from dispenser.simulation.report import show

    show(new_console(), title, studies, language)
    if plot is not None:
        typer.echo(_CHART[language].format(plot))


@contextmanager
def _ending_like_ctrl_c() -> Iterator[None]:
    """In here a closed terminal and a request to end are what Ctrl-C is: no process may be left behind."""

    def end(call: int, _: object) -> None:
        raise KeyboardInterrupt(call)

    before = {call: signal.signal(call, end) for call in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for call, handler in before.items():
            signal.signal(call, handler)


def _check_chart(plot: Path | None, language: str) -> None:
    """Before the long work, not after it.

    :raises UsageError: no chart can be drawn, or not of that kind, or it has no place to go.
    """
    from dispenser.odds_charts import PlotSuffixError, PlotUnavailableError, check_plot

    if plot is None:
        return
    try:
        check_plot(plot)
    except PlotSuffixError as error:
        french = f"{plot}\u00a0: un graphique s’écrit en .png ou .svg\u00a0; choisis un tel nom"
        raise UsageError(str(error), french) from error
    except PlotUnavailableError as error:
        french = "pour le graphique il faut matplotlib\u00a0: pip install 'card-dispenser[plot]'"
        raise UsageError(str(error), french) from error
    if not plot.parent.is_dir():
        raise UsageError(
            f"--plot {plot}: there is no folder {plot.parent}",
            f"--plot {plot}\u00a0: il n’y a pas de dossier {plot.parent}",
        )
    if plot.is_dir():
        folder = why(IsADirectoryError(errno.EISDIR, ""), language)
        raise UsageError(f"--plot {plot}: {folder}", f"--plot {plot}\u00a0: {folder}")


def _plans(
    game: str, seats: int, bots: str, odds: list[str] | None, options: dict[str, Any], games: int, seed: str
) -> dict[str, Plan]:
    """A plan for each of the odds.

    :raises UsageError: a name of a bot or of odds that there is not, or odds that change nothing.
    """
    from dispenser.rules import GAMES
    from dispenser.rules.bots import BOTS
    from dispenser.rules.state import PRESSES
    from dispenser.simulation.study import Plan

    players = [name.strip().lower() for name in bots.split(",")]
    players = players * seats if len(players) == 1 else players
    for name in players:
        if name not in BOTS:
            known = ", ".join(BOTS)
            raise UsageError(
                f"--bots {bots}: there is no bot {name!r}; there are {known}",
                f"--bots {bots}\u00a0: il n’y a pas de bot {name!r}\u00a0; il y a {known}",
            )
    if len(players) != seats:
        raise UsageError(
            f"--bots {bots}: that is {len(players)} players, and there are {seats} seats",
            f"--bots {bots}\u00a0: cela fait {len(players)} joueurs, et il y a {seats} places",
        )
    wanted = [name.strip().lower() for text in odds or () for name in text.split(",")]
    for place, name in enumerate(wanted):
        if name not in PRESETS:
            raise no_such_odds(name)
        if name in wanted[:place]:
            raise UsageError(
                f"--odds {name}: that is there twice; name each odds once",
                f"--odds {name}\u00a0: ce réglage est là deux fois\u00a0; nomme chacun une fois",
            )
    presses = GAMES[game].draw_kind == PRESSES
    if wanted and not presses:
        raise UsageError(
            f"--odds: in {game} the launcher gives exact numbers of cards, so the odds change nothing",
            f"--odds\u00a0: dans {game}, le lance-cartes donne un nombre exact de cartes\u00a0; le réglage du hasard "
            "n’y change rien",
        )
    names = wanted or (["toy"] if presses else ["exact"])
    return {
        name: Plan(game, tuple(players), PRESETS[name if name in PRESETS else "toy"], games, seed, options)
        for name in names
    }


def _with_progress(plans: dict[str, Plan], processes: int | None) -> dict[str, Study]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from dispenser.simulation.study import study

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        studies = {}
        for name, plan in plans.items():
            task = progress.add_task(name, total=plan.matches)
            studies[name] = study(plan, lambda done, task=task: progress.advance(task, done), processes)  # type: ignore[misc]
        return studies
