"""The figures of one or several studies, side by side: a table in the terminal, a chart as PNG or SVG."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dispenser.language import Text
from dispenser.luck.charts import check_plot
from dispenser.study.study import Study, interval, quantile, spread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.console import Console
    from rich.table import Table

_COLOURS: Final = ("#2f7fd1", "#d1602f", "#3c9a5f", "#8a58b8", "#8a94a3")
_BARS: Final = 40
_LOOKS: Final = (10, 40, 100)
"""Turns after which the hands are looked at."""
_WIDEST: Final = 92
_NONE: Final = 0.0005
"""A share that is shown as none."""
_FIGURE: Final = Text("{figure:.1f}")
_MARK: Final = Text("{cards:g}")
_PERCENT: Final = Text("{share:.0%}")
_SHARE: Final = Text("{share:.1%} ({low:.0f}–{high:.0f})")

_ROUND: Final = Text("round")
_ROWS: Final = {
    "turns": Text("turns"),
    "presses": Text("presses"),
    "cards_out": Text("cards out"),
}
_DRAWS: Final = Text("draws")
_HAND: Final = Text("hand, turn {}")
_ROUNDS: Final = Text("{round}s")
_SCORES: Final = Text("final scores")
_SEAT_WINS: Final = Text("seat {} wins")
_NOBODY_WINS: Final = Text("nobody wins")
_GIVEN_UP: Final = Text("given up")
_CAPTION: Final = Text(
    "Turns, presses or draws, cards: in a {round}, the mean (10 %–90 % of the {round}s). Wins: share of the matches "
    "(95 % sure that the true one lies between). "
)
_WHY_GIVEN_UP: Final = Text("Given up: matches stopped because a {round} or the match would not end; nobody wins them.")
_PANELS: Final = {
    "turns": (Text("Turns"), Text("turns in a {round}")),
    "presses": (Text("Presses or draws"), Text("in a {round}")),
    "hands": (Text("Cards in a hand"), Text("after so many turns")),
    "wins": (Text("Matches won"), Text("seat")),
    "scores": (Text("Final scores"), Text("points")),
}


def show(
    console: Console, title: str, studies: Mapping[str, Study], language: str = "en", called: Text = _ROUND
) -> None:
    """The title, the table, and what its figures mean, each as wide as it may be.

    :param called: what the rules of the game call a round.
    """
    width = min(console.width, _WIDEST)
    console.print("\n".join(textwrap.wrap(title, width)), markup=False, style="italic", soft_wrap=True)
    console.print(table(studies, language, called))
    caption = _CAPTION[language] + (_WHY_GIVEN_UP[language] if any(each.given_up for each in studies.values()) else "")
    caption = caption.format(round=called[language])
    console.print("\n".join(textwrap.wrap(caption, width)), markup=False, style="dim italic", soft_wrap=True)


def table(studies: Mapping[str, Study], language: str = "en", called: Text = _ROUND) -> Table:
    """A column for each study: means, and the middle 80 % of the rounds. The wins add up to all matches."""
    from rich.table import Table as RichTable

    all_studies = list(studies.values())
    shown = RichTable("", *studies)
    for name, label in _ROWS.items():
        draws = name == "presses" and "exact" in studies
        told = _DRAWS if draws else label
        shown.add_row(told[language], *(_spread(getattr(each, name)) for each in all_studies))
    for turn in _LOOKS:
        shown.add_row(_HAND[language].format(turn), *(_hand_after(each, turn, language) for each in all_studies))
    means = (_decimal(each.rounds / max(1, each.matches), language) for each in all_studies)
    shown.add_row(_ROUNDS[language].format(round=called[language]), *means)
    if any(each.counts_points for each in all_studies):
        shown.add_row(_SCORES[language], *(_spread(each.scores) for each in all_studies))
    for seat in range(all_studies[0].seats):
        wins = (_share(each.wins[seat], each.matches, language) for each in all_studies)
        shown.add_row(_SEAT_WINS[language].format(seat + 1), *wins)
    if any(each.without_winner > _NONE * each.matches for each in all_studies):
        unwon = (_share(each.without_winner, each.matches, language) for each in all_studies)
        shown.add_row(_NOBODY_WINS[language], *unwon)
    if any(each.given_up for each in all_studies):
        shown.add_row(f"[red]{_GIVEN_UP[language]}", *(str(each.given_up) for each in all_studies))
    return shown


def _decimal(value: float, language: str) -> str:
    """With one digit behind the point, or the comma."""
    return _FIGURE.filled(figure=value)[language]


def _hand_after(each: Study, turn: int, language: str) -> str:
    hands = each.hands()
    return _decimal(hands[turn - 1], language) if turn <= len(hands) else "–"


def _spread(values: Counter[int]) -> str:
    figures = spread(values)
    return f"{figures['mean']:.0f} ({figures['p10']:.0f}–{figures['p90']:.0f})"


def _share(wins: float, matches: int, language: str) -> str:
    """With the bounds between which the true share lies: they never leave 0 to 100 %."""
    low, high = interval(wins, matches)
    return _SHARE.filled(share=wins / max(1, matches), low=low * 100, high=high * 100)[language]


def plot(title: str, studies: Mapping[str, Study], path: Path, language: str = "en", called: Text = _ROUND) -> None:
    """Draw turns, presses, hands over time, wins by seat and, where points are counted, scores into ``path``.

    :raises PlotError: when the library is not there, or the file's name does not say PNG or SVG.
    """
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 7.5), layout="constrained")
    figure.suptitle(title, wrap=True)
    (turns, presses, hands), (wins, scores, legend) = figure.subplots(2, 3)
    _histogram(turns, {name: each.turns for name, each in studies.items()}, language)
    _histogram(presses, {name: each.presses for name, each in studies.items()}, language)
    for colour, each in zip(_COLOURS, studies.values(), strict=False):
        hands.plot(range(1, len(each.hands()) + 1), each.hands(), color=colour)
    hands.yaxis.set_major_formatter(lambda cards, _: _MARK.filled(cards=cards)[language])
    _wins(wins, studies, language)
    panels = {"turns": turns, "presses": presses, "hands": hands, "wins": wins}
    if any(each.counts_points for each in studies.values()):
        _histogram(scores, {name: each.scores for name, each in studies.items()}, language)
        panels["scores"] = scores
    else:
        scores.axis("off")
    for name, axes in panels.items():
        heading, label = _PANELS[name]
        axes.set_title(heading[language])
        axes.set_xlabel(label[language].format(round=called[language]))
        axes.spines[["top", "right"]].set_visible(False)
    legend.axis("off")
    legend.legend(*turns.get_legend_handles_labels(), loc="center", frameon=False)
    figure.savefig(path, dpi=110)


def _histogram(axes: Axes, all_values: Mapping[str, Counter[int]], language: str) -> None:
    """Shares of the rounds in steps that are the same for all, the longest hundredth cut off."""
    some = [values for values in all_values.values() if values]
    if not some:
        return
    low, high = min(map(min, some)), max(quantile(values, 0.99) for values in some)
    step = max(1, math.ceil((high - low) / _BARS))
    places = range(low, high + step, step)
    for colour, (name, values) in zip(_COLOURS, all_values.items(), strict=False):
        shown = Counter(dict.fromkeys(places, 0))
        for value, often in values.items():
            if value <= high:
                shown[low + (value - low) // step * step] += often
        total = sum(values.values())
        percents = [100 * shown[place] / max(1, total) for place in places]
        axes.step(list(places), percents, where="post", color=colour, label=name)
    _in_percent(axes, language)


def _wins(axes: Axes, studies: Mapping[str, Study], language: str) -> None:
    width = 0.8 / len(studies)
    for number, (colour, each) in enumerate(zip(_COLOURS, studies.values(), strict=False)):
        shares = [wins / max(1, each.matches) for wins in each.wins]
        limits = [interval(wins, each.matches) for wins in each.wins]
        errors = [
            [100 * max(0.0, share - low) for share, (low, _) in zip(shares, limits, strict=True)],
            [100 * max(0.0, high - share) for share, (_, high) in zip(shares, limits, strict=True)],
        ]
        places = [seat + 1 + (number - (len(studies) - 1) / 2) * width for seat in range(each.seats)]
        percents = [100 * share for share in shares]
        axes.bar(places, percents, width, color=colour, yerr=errors, error_kw={"lw": 0.8, "alpha": 0.6})
    axes.set_xticks(range(1, next(iter(studies.values())).seats + 1))
    _in_percent(axes, language)


def _in_percent(axes: Axes, language: str = "en") -> None:
    """Marks at whole numbers only: 12.5 % would be written as another number than it is."""
    from matplotlib.ticker import MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))
    axes.yaxis.set_major_formatter(lambda percent, _: _PERCENT.filled(share=percent / 100)[language])
