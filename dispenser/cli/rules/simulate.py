"""``dispenser rules simulate``: many matches among bots, and what the odds of the launcher change in them."""

from __future__ import annotations

import errno
import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from dispenser.cli.failures import ENDED_BY, IO_ERROR, USAGE, fail
from dispenser.cli.file_errors import why
from dispenser.cli.options import SeedOption
from dispenser.cli.rules.app import LanguageOption, UsageError, language_in_force, new_console, rules_app
from dispenser.cli.rules.options import (
    GameArgument,
    OptionsOption,
    game_id_of,
    named_as_typed,
    no_such_odds,
    presets,
    read_options,
)
from dispenser.language import Text, listed
from dispenser.luck.presets import PRESETS

if TYPE_CHECKING:
    from dispenser.study.figures import Figures
    from dispenser.study.study import Plan

_ODDS_HELP: Final = f"{', '.join(PRESETS)}; several, with commas or one after the other, to compare them."
_TITLE: Final = Text("{game}: {matches} of {seats} players (bots: {bots}), seed {seed!r}")
_MATCH: Final = Text("1 match")
_MATCHES: Final = Text("{number:,} matches")
_CHART: Final = Text("Chart: {file}")
BOT_NAMES: Final = {"sensible": Text("sensible"), "random": Text("random")}
"""What the bots are called; read in each language, since one types what one has read."""

_NOT_DRAWN: Final = Text("--plot {file}: the chart cannot be written there: {why}")
_WRONG_PLOT: Final = Text("--plot {file}: {what}")
_NO_FOLDER: Final = Text("there is no folder {folder}")
_NO_BOT: Final = Text("--bots {typed}: there is no bot {name!r}; there are {known}")
_NOT_SO_MANY: Final = Text("--bots {typed}: that is {players} players, and there are {seats} seats")
_ODDS_TWICE: Final = Text("--odds {name}: that is there twice; name each odds once")
_EXACT: Final = Text("--odds: in {game} the launcher gives exact numbers of cards, so the odds change nothing")


@rules_app.command()
def simulate(
    game: GameArgument,
    games: Annotated[int, typer.Option(min=1, max=10_000_000, help="Matches to play, of each odds.")] = 1000,
    seats: Annotated[int, typer.Option(min=2, max=12, help="Players.")] = 4,
    odds: Annotated[
        list[str] | None, typer.Option(metavar="PRESETS", help=_ODDS_HELP, show_default=False, autocompletion=presets)
    ] = None,
    bots: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="sensible (raisonnable) or random (hasard); or a list with a name for each seat: sensible,random,…",
        ),
    ] = "sensible",
    option: OptionsOption = None,
    seed: SeedOption = None,
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
    from dispenser.rules.words.phrases import vocabulary_of

    language = language_in_force(lang)
    seed = "dispenser" if seed is None else seed
    try:
        _check_chart(plot)
        game_id = game_id_of(game)
        options = read_options(game_id, option)
        with named_as_typed(seats, options):
            called = vocabulary_of(new_game(game_id, seats, options)).round
        players = _players(bots, seats)
        plans = _plans(game_id, players, odds, options, games, seed)
        if plot is not None:
            _try_to_write(plot)  # last of all: whatever else is wrong, no file is touched
    except UsageError as error:
        fail(error.text[language], USAGE)
    except OSError as error:
        fail(_NOT_DRAWN.filled(file=plot, why=why(error))[language], IO_ERROR)
    try:
        with _ending_like_ctrl_c():
            studies = _with_progress(plans, processes)
    except KeyboardInterrupt as call:
        raise typer.Exit(ENDED_BY + (call.args[0] if call.args else signal.SIGINT)) from None
    from dispenser.study.report import plot as draw
    from dispenser.study.report import show

    title = _title(game_id, games, players, seed, language)
    if as_json:
        figures = {name: each.to_dict() for name, each in studies.items()}
        told = {"game": game_id, "seats": seats, "bots": _short(players), "options": options, "odds": figures}
        typer.echo(json.dumps(told, indent=1))
    else:
        show(new_console(), title, studies, language, called)
    if plot is not None:
        _draw(lambda: draw(title, studies, plot, language, called), plot, language, told=not as_json)


def _title(game: str, games: int, players: tuple[str, ...], seed: str, language: str) -> str:
    matches = _MATCH if games == 1 else _MATCHES.filled(number=games)
    bots = listed([BOT_NAMES[name] for name in (players[:1] if len(set(players)) == 1 else players)], ",")
    return _TITLE.filled(game=game, matches=matches, seats=len(players), bots=bots, seed=seed)[language]


def _short(players: tuple[str, ...]) -> str:
    return players[0] if len(set(players)) == 1 else ",".join(players)


def _draw(draw: Callable[[], None], plot: Path, language: str, *, told: bool) -> None:
    """After the figures, which were long in the making and must not be lost with the chart."""
    try:
        draw()
    except OSError as error:
        fail(_NOT_DRAWN.filled(file=plot, why=why(error))[language], IO_ERROR)
    if told:
        typer.echo(_CHART.filled(file=plot)[language])


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


def _check_chart(plot: Path | None) -> None:
    """Before the long work, not after it.

    :raises UsageError: no chart can be drawn, or not of that kind, or it has no place to go.
    """
    from dispenser.luck.charts import PlotError, check_plot

    if plot is None:
        return
    try:
        check_plot(plot)
    except PlotError as error:
        raise UsageError(error.text) from error
    if not plot.parent.is_dir():
        raise UsageError(_WRONG_PLOT.filled(file=plot, what=_NO_FOLDER.filled(folder=plot.parent)))
    if plot.is_dir():
        raise UsageError(_WRONG_PLOT.filled(file=plot, what=why(IsADirectoryError(errno.EISDIR, ""))))


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
    known = {word: name for name, text in BOT_NAMES.items() for word in (name, text.en, text.fr)}
    typed = [name.strip().lower() for name in bots.split(",")]
    typed = typed * seats if len(typed) == 1 else typed
    for name in typed:
        if name not in known:
            raise UsageError(_NO_BOT.filled(typed=bots, name=name, known=listed(BOT_NAMES.values())))
    if len(typed) != seats:
        raise UsageError(_NOT_SO_MANY.filled(typed=bots, players=len(typed), seats=seats))
    return tuple(known[name] for name in typed)


def _plans(
    game: str, players: tuple[str, ...], odds: list[str] | None, options: dict[str, Any], games: int, seed: str
) -> dict[str, Plan]:
    """A plan for each of the odds.

    :raises UsageError: a name of odds that there are not, or odds that change nothing.
    """
    from dispenser.rules import GAMES
    from dispenser.rules.engine.demands import Owed
    from dispenser.study.study import Plan

    wanted = [name.strip().lower() for text in odds or () for name in text.split(",")]
    for place, name in enumerate(wanted):
        if name not in PRESETS:
            raise no_such_odds(name)
        if name in wanted[:place]:
            raise UsageError(_ODDS_TWICE.filled(name=name))
    presses = GAMES[game].rules.draws is Owed.PRESSES
    if wanted and not presses:
        raise UsageError(_EXACT.filled(game=game))
    names = wanted or (["toy"] if presses else ["exact"])
    return {
        name: Plan(game, players, PRESETS[name if name in PRESETS else "toy"], games, seed, options) for name in names
    }


def _with_progress(plans: dict[str, Plan], processes: int | None) -> dict[str, Figures]:
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
