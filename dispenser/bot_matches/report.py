"""Print the figures of one or several studies side by side as a table, or draw them as PNG or SVG."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dispenser.bot_matches.figures import Figures, interval, quantile, spread
from dispenser.i18n import SpokenError, Text, said

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.console import Console
    from rich.table import Table

_COLOURS: Final = ("#2f7fd1", "#d1602f", "#3c9a5f", "#8a58b8", "#8a94a3")
_BARS: Final = 40
_FIGURE: Final = Text("{figure:.1f}")
_ROUND: Final = Text("round")
_CAPTION: Final = Text(
    "Turns, presses or draws, cards: in a {round}, the mean (10 %–90 % of the {round}s). Wins: share of the matches "
    "(95 % sure that the true one lies between). "
)


def show(
    console: Console, title: str, studies: Mapping[str, Figures], language: str = "en", called: Text = _ROUND
) -> None:
    """Print the title, the table and its caption.

    :param called: name that the rules of the game give a round.
    """
    console.print(title, markup=False, style="italic", soft_wrap=True)
    console.print(_table(studies, language, called))
    console.print(_CAPTION.filled(round=called)[language], markup=False, style="dim italic")


def _table(studies: Mapping[str, Figures], language: str, called: Text) -> Table:
    """Build a table, a column per study: means and the middle 80 % of rounds. Wins and “nobody wins” add up to 1."""
    from rich.table import Table

    shown, everything = Table("", *studies), studies.values()

    def row(label: Text, cells: Iterable[str | Text], style: str = "") -> None:
        shown.add_row(label[language], *(said(cell, language) for cell in cells), style=style)

    row(Text("turns"), (_spread(each.turns) for each in everything))
    row(Text("draws") if "exact" in studies else Text("presses"), (_spread(each.presses) for each in everything))
    row(Text("cards out"), (_spread(each.cards_out) for each in everything))
    for turn in (10, 40, 100):
        after = (each.hands()[turn - 1 : turn] for each in everything)
        label = Text("hand, turn {number}").filled(number=turn)
        row(label, (_FIGURE.filled(figure=cards[0]) if cards else "–" for cards in after))
    means = (each.rounds / max(1, each.matches) for each in everything)
    row(Text("{round}s").filled(round=called), (_FIGURE.filled(figure=mean) for mean in means))
    if any(each.counts_points for each in everything):
        row(Text("final scores"), (_spread(each.scores) for each in everything))
    for seat in range(next(iter(everything)).seats):
        label = Text("seat {number} wins").filled(number=seat + 1)
        row(label, (_share(each.wins.get(seat, 0), each.matches) for each in everything))
    if any(each.without_winner for each in everything):
        row(Text("nobody wins"), (_share(each.without_winner, each.matches) for each in everything))
    if any(each.given_up for each in everything):
        row(Text("given up"), (str(each.given_up) for each in everything), style="red")
    return shown


def _spread(values: Counter[int]) -> str:
    figures = spread(values)
    return f"{figures['mean']:.0f} ({figures['p10']:.0f}–{figures['p90']:.0f})"


def _share(wins: float, matches: int) -> Text:
    """Format a share of wins with its confidence interval, which stays within 0 to 100 %."""
    low, high = (100 * limit for limit in interval(wins, matches))
    return Text("{share:.1%} ({low:.0f}–{high:.0f})").filled(share=wins / max(1, matches), low=low, high=high)


class PlotError(SpokenError, ValueError):
    """Error: the chart cannot be drawn. The text says what to do."""


def check_plot(path: Path) -> None:
    """Check, before the matches are played, that a chart can be written to ``path``.

    :raises PlotError: the suffix is neither .png nor .svg, or matplotlib is missing.
    """
    if path.suffix.lower() not in (".png", ".svg"):
        text = Text("{file}: a chart is written as .png or .svg; choose such a name")
        raise PlotError(text.filled(file=path))
    try:
        import matplotlib  # noqa: F401 (only checks that it is installed)
    except ImportError as error:
        raise PlotError(Text("the chart needs matplotlib: pip install 'card-dispenser[plot]'")) from error


def plot(title: str, studies: Mapping[str, Figures], path: Path, language: str = "en", called: Text = _ROUND) -> None:
    """Draw turns, presses, hands over time, wins by seat and, where points are counted, scores into ``path``."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 7.5), layout="constrained")
    figure.suptitle(title, wrap=True)
    turns, presses, hands, wins, scores, legend = figure.subplots(2, 3).flat

    def draw(axes: Axes, heading: Text, label: Text, counted: Mapping[str, Counter[int]]) -> None:
        axes.set_title(heading[language])
        axes.set_xlabel(label.filled(round=called)[language])
        axes.spines[["top", "right"]].set_visible(False)
        _histogram(axes, counted, language)

    draw(turns, Text("Turns"), Text("turns in a {round}"), {name: each.turns for name, each in studies.items()})
    counted = {name: each.presses for name, each in studies.items()}
    draw(presses, Text("Presses or draws"), Text("in a {round}"), counted)
    draw(hands, Text("Cards in a hand"), Text("after so many turns"), {})
    for colour, each in zip(_COLOURS, studies.values(), strict=False):
        hands.plot(range(1, len(each.hands()) + 1), each.hands(), color=colour)
    hands.yaxis.set_major_formatter(lambda cards, _: Text("{cards:g}").filled(cards=cards)[language])
    draw(wins, Text("Matches won"), Text("seat"), {})
    _wins(wins, studies, language)
    if any(each.counts_points for each in studies.values()):
        counted = {name: each.scores for name, each in studies.items()}
        draw(scores, Text("Final scores"), Text("points"), counted)
    else:
        scores.axis("off")
    legend.axis("off")
    legend.legend(*turns.get_legend_handles_labels(), loc="center", frameon=False)
    figure.savefig(path, dpi=110)


def _histogram(axes: Axes, all_values: Mapping[str, Counter[int]], language: str) -> None:
    """Plot shares of the rounds, with the same bins for all studies, without the longest 1 %."""
    some = [values for values in all_values.values() if values]
    if not some:
        return
    low, high = min(map(min, some)), max(quantile(values, 0.99) for values in some)
    step = max(1, math.ceil((high - low) / _BARS))
    places = range(low, high + step, step)
    for colour, (name, values) in zip(_COLOURS, all_values.items(), strict=False):
        shares = [100 * sum(values[each] for each in range(place, place + step)) for place in places]
        percents = [share / max(1, values.total()) for share in shares]
        axes.step(list(places), percents, where="post", color=colour, label=name)
    in_percent(axes, language)


def _wins(axes: Axes, studies: Mapping[str, Figures], language: str) -> None:
    width = 0.8 / len(studies)
    seats = range(next(iter(studies.values())).seats)
    for number, (colour, each) in enumerate(zip(_COLOURS, studies.values(), strict=False)):
        shares = [100 * each.wins.get(seat, 0.0) / max(1, each.matches) for seat in seats]
        limits = [interval(each.wins.get(seat, 0.0), each.matches) for seat in seats]
        below = [max(0.0, share - 100 * low) for share, (low, _) in zip(shares, limits, strict=True)]
        above = [max(0.0, 100 * high - share) for share, (_, high) in zip(shares, limits, strict=True)]
        places = [seat + 1 + (number - (len(studies) - 1) / 2) * width for seat in seats]
        axes.bar(places, shares, width, color=colour, yerr=[below, above], error_kw={"lw": 0.8, "alpha": 0.6})
    axes.set_xticks([seat + 1 for seat in seats])
    in_percent(axes, language)


def in_percent(axes: Axes, language: str = "en") -> None:
    """Put ticks at whole percents only, because labels are rounded: 12.5 % would be labelled wrongly."""
    from matplotlib.ticker import MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))
    axes.yaxis.set_major_formatter(lambda percent, _: Text("{share:.0%}").filled(share=percent / 100)[language])
