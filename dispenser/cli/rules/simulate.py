"""``dispenser rules simulate``: many matches among bots, and what the odds of the launcher change in them."""

from __future__ import annotations

import errno
import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dispenser.cli.failures import IO_ERROR, USAGE, fail
from dispenser.cli.rules.book import LanguageOption, language_in_force, rules_app
from dispenser.cli.rules.options import OptionsOption, game_id_of, named_as_typed, no_such_odds, read_options
from dispenser.cli.rules.output import UsageError, new_console, said, why
from dispenser.luck.odds import PRESETS

if TYPE_CHECKING:
    from dispenser.study.study import Plan, Study

_ODDS_HELP = f"{', '.join(PRESETS)}; several, with commas or one after the other, to compare them."
_ENDED_BY = 128
"""With the number of a signal, what a shell shows for a program that was ended by it: 130 for Ctrl-C."""
_TITLE = {
    "en": "{game}: {matches} of {seats} players (bots: {bots}), seed {seed!r}",
    "fr": "{game}\u00a0: {matches} à {seats} joueurs (bots\u00a0: {bots}), graine {seed}",
}
_MATCHES = {"en": ("{:,} match", "{:,} matches"), "fr": ("{:,} partie", "{:,} parties")}
_NOT_DRAWN = {
    "en": "--plot {}: the chart cannot be written there: {}",
    "fr": "--plot {}\u00a0: le graphique ne peut pas s’écrire là\u00a0: {}",
}
_BOTS_IN_FRENCH = {"sensible": "raisonnable", "random": "hasard"}
"""What the bots are called in French; read in each language, since one types what one has read."""
_CHART = {"en": "Chart: {}", "fr": "Graphique\u00a0: {}"}


@rules_app.command()
def simulate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="uno-extreme, uno, huit-americain, 151 or uno-vache.")],
    games: Annotated[int, typer.Option(min=1, max=10_000_000, help="Matches to play, of each odds.")] = 1000,
    seats: Annotated[int, typer.Option(min=2, max=12, help="Players.")] = 4,
    odds: Annotated[list[str] | None, typer.Option(metavar="PRESETS", help=_ODDS_HELP, show_default=False)] = None,
    bots: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="sensible (raisonnable) or random (hasard); or a list with a name for each seat: sensible,random,…",
        ),
    ] = "sensible",
    option: OptionsOption = None,
    seed: Annotated[
        str, typer.Option(help="Name of the seed, any text: the same gives the same figures.")
    ] = "dispenser",
    processes: Annotated[int | None, typer.Option(min=1, help="How many at once; all cores when left out.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a chart to this file, .png or .svg.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    lang: LanguageOption = None,
) -> None:
    """Play many matches among bots: turns, presses, cards in the hands, who wins, scores.

    A match is given up when it would not end: after 2,000 turns in a round, or 200 rounds. Nobody wins it. Exit code:
    0, 2 for a wrong option, 74 when the chart cannot be written (the figures are printed all the same), 130 after
    Ctrl-C.
    """
    from dispenser.rules import new_game

    language = language_in_force(lang)
    try:
        _check_chart(plot, language)
        game_id = game_id_of(game)
        options = read_options(game_id, option)
        with named_as_typed(seats, options):
            new_game(game_id, seats, options)
        players = _players(bots, seats)
        plans = _plans(game_id, players, odds, options, games, seed)
        if plot is not None:
            _try_to_write(plot)  # last of all: whatever else is wrong, no file is touched
    except UsageError as error:
        fail(said(error, language), USAGE)
    except OSError as error:
        fail(_NOT_DRAWN[language].format(plot, why(error, language)), IO_ERROR)
    try:
        with _ending_like_ctrl_c():
            studies = _with_progress(plans, processes)
    except KeyboardInterrupt as call:
        raise typer.Exit(_ENDED_BY + (call.args[0] if call.args else signal.SIGINT)) from None
    from dispenser.rules.sentences import ROUND
    from dispenser.study.report import plot as draw
    from dispenser.study.report import show

    title = _title(game_id, games, players, seed, language)
    if as_json:
        figures = {name: each.to_dict() for name, each in studies.items()}
        told = {"game": game_id, "seats": seats, "bots": _short(players), "options": options, "odds": figures}
        typer.echo(json.dumps(told, indent=1))
    else:
        show(new_console(), title, studies, language, ROUND[game_id])
    if plot is not None:
        _draw(lambda: draw(title, studies, plot, language, ROUND[game_id]), plot, language, told=not as_json)


def _title(game: str, games: int, players: tuple[str, ...], seed: str, language: str) -> str:
    from dispenser.rules.book.errors import in_quotes

    matches = _MATCHES[language][games != 1].format(games)
    bots = _short(players)
    if language == "fr":
        matches, seed = matches.replace(",", "\u202f"), in_quotes(seed)
        bots = _short(tuple(_BOTS_IN_FRENCH[name] for name in players))
    return _TITLE[language].format(game=game, matches=matches, seats=len(players), bots=bots, seed=seed)


def _short(players: tuple[str, ...]) -> str:
    return players[0] if len(set(players)) == 1 else ",".join(players)


def _draw(draw: Callable[[], None], plot: Path, language: str, *, told: bool) -> None:
    """After the figures, which were long in the making and must not be lost with the chart."""
    try:
        draw()
    except OSError as error:
        fail(_NOT_DRAWN[language].format(plot, why(error, language)), IO_ERROR)
    if told:
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
    from dispenser.luck.charts import PlotSuffixError, PlotUnavailableError, check_plot

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


def _try_to_write(plot: Path) -> None:
    """Only an attempt tells: permissions say nothing of a full disk, or of folders that take no files.

    A file that is there stays as it is; none is left behind where there was none.

    :raises OSError: it cannot be written.
    """
    try:
        os.close(os.open(plot, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666))
    except FileExistsError:
        os.close(os.open(plot, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC))
    except FileNotFoundError as error:  # the folder is there, but takes no files
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES)) from error
    else:
        plot.unlink()


def _players(bots: str, seats: int) -> tuple[str, ...]:
    """The name of a bot for each seat.

    :raises UsageError: a name of a bot that there is not, or not as many as seats.
    """
    from dispenser.rules.book.errors import in_quotes
    from dispenser.rules.bots import BOTS

    english = {french: name for name, french in _BOTS_IN_FRENCH.items()}
    typed = [name.strip().lower() for name in bots.split(",")]
    players = tuple(english.get(name, name) for name in typed)
    players = players * seats if len(players) == 1 else players
    for name in players:
        if name not in BOTS:
            known, connus = ", ".join(BOTS), ", ".join(map(_BOTS_IN_FRENCH.__getitem__, BOTS))
            raise UsageError(
                f"--bots {bots}: there is no bot {name!r}; there are {known}",
                f"--bots {bots}\u00a0: il n’y a pas de bot {in_quotes(name)}\u00a0; il y a {connus}",
            )
    if len(players) != seats:
        raise UsageError(
            f"--bots {bots}: that is {len(players)} players, and there are {seats} seats",
            f"--bots {bots}\u00a0: cela fait {len(players)} joueurs, et il y a {seats} places",
        )
    return players


def _plans(
    game: str, players: tuple[str, ...], odds: list[str] | None, options: dict[str, Any], games: int, seed: str
) -> dict[str, Plan]:
    """A plan for each of the odds.

    :raises UsageError: a name of odds that there are not, or odds that change nothing.
    """
    from dispenser.rules import GAMES
    from dispenser.rules.state import PRESSES
    from dispenser.study.study import Plan

    wanted = [name.strip().lower() for text in odds or () for name in text.split(",")]
    for place, name in enumerate(wanted):
        if name not in PRESETS:
            raise no_such_odds(name)
        if name in wanted[:place]:
            raise UsageError(
                f"--odds {name}: that is there twice; name each odds once",
                f"--odds {name}\u00a0: ce réglage est donné deux fois\u00a0; ne le cite qu’une fois",
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
        name: Plan(game, players, PRESETS[name if name in PRESETS else "toy"], games, seed, options) for name in names
    }


def _with_progress(plans: dict[str, Plan], processes: int | None) -> dict[str, Study]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from dispenser.study.study import study

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        studies = {}
        for name, plan in plans.items():
            task = progress.add_task(name, total=plan.matches)
            studies[name] = study(plan, lambda done, task=task: progress.advance(task, done), processes)  # type: ignore[misc]
        return studies
