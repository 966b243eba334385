"""Odds for people: tables and histograms in the terminal, a chart as PNG or SVG.

The terminal needs ``rich``, the chart ``matplotlib`` (the extra ``plot``); both are imported only when used.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dispenser.language import SpokenError, Text, said
from dispenser.luck.expectation import DECK_CARDS, EVENING_PRESSES, Expectation, Simulation, quantile
from dispenser.luck.presets import OddsDesign

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.console import RenderableType

MOST_ROWS = 20
"""Bars in a histogram of dry runs; more of them say less."""
DUD_COLOUR, CARD_COLOUR, INK = "#8a94a3", "#2f7fd1", "#1d2530"


_SUFFIX = Text("{file}: a chart is written as .png or .svg; choose such a name")
_NO_LIBRARY = Text("the chart needs matplotlib: pip install 'card-dispenser[plot]'")

_EXPECTED, _SIMULATED, _DUD = Text("expected"), Text("simulated"), Text("dud")
_MEAN, _SHARE = Text("{mean:.2f}"), Text("{share:.1%}")


class PlotError(SpokenError):
    """A chart that cannot be drawn. The text says what to do."""


class PlotSuffixError(PlotError, ValueError):
    """The file's name does not say PNG or SVG."""


class PlotUnavailableError(PlotError, ImportError):
    """The plotting library is not installed."""


class Row(NamedTuple):
    """One bar: its label, the expected probability, and the share of the simulation that it got."""

    label: str
    expected: float
    simulated: float


def describe_size(design: OddsDesign) -> Text:
    """One sentence on how many cards a burst brings."""
    sizes = design.sizes()
    low, high = sizes[0][0], sizes[-1][0]
    cards = Text("{low} to {high} cards").filled(low=low, high=high)
    if low == high:
        cards = Text("{number} card", plural="{number} cards").filled(number=low)
    if design.size.chances()[-1][0] > design.cap:
        return Text("A burst brings {cards}; more are cut at {cap}.").filled(cards=cards, cap=design.cap)
    return Text("A burst brings {cards}.").filled(cards=cards)


def card_rows(expectation: Expectation, simulation: Simulation) -> list[Row]:
    """Cards from one press; a dud comes first."""
    labels = ["dud", *(str(cards) for cards in range(1, expectation.design.cap + 1))]
    shares = [often / simulation.presses for often in simulation.cards]
    return [Row(*row) for row in zip(labels, expectation.cards, shares, strict=True)]


def dry_run_rows(expectation: Expectation, simulation: Simulation) -> list[Row]:
    """Duds before a burst. Long lists are put together in steps; what is rarer than half a percent is one last row."""
    expected, bursts = expectation.dry_runs, max(1, simulation.bursts)
    step = math.ceil((quantile(expected, 0.995) + 1) / MOST_ROWS)
    shown = math.ceil((quantile(expected, 0.995) + 1) / step) * step
    shares = [often / bursts for often in simulation.dry_runs]
    rows = [
        Row(
            f"{first}" if step == 1 else f"{first}-{first + step - 1}", sum(expected[first:end]), sum(shares[first:end])
        )
        for first, end in ((first, first + step) for first in range(0, shown, step))
    ]
    if shown < len(expected):
        rows.append(Row(f"{shown}+", sum(expected[shown:]), sum(shares[shown:])))
    return rows


# --- terminal -----------------------------------------------------------------------------------------------------


def report(expectation: Expectation, simulation: Simulation, language: str = "en") -> RenderableType:
    """Figures and histograms for the terminal, in a language."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text as Styled

    design = expectation.design
    words = Styled(f"{design.fire.sentence[language]}\n{describe_size(design)[language]}")
    source = Text('Simulated: {presses:,} presses, seed "{seed}".').filled(
        presses=simulation.presses, seed=simulation.seed
    )
    return Group(
        Panel(words, title=Styled(design.name, style="bold"), title_align="left", border_style="cyan", expand=False),
        Styled(),
        _figures(expectation, simulation, language),
        Styled(),
        _histogram(Text("Cards from one press"), Text("cards"), card_rows(expectation, simulation), language),
        Styled(),
        _histogram(Text("Duds before a burst"), Text("duds"), dry_run_rows(expectation, simulation), language),
        Styled(),
        Styled(source[language], style="dim"),
    )


def _figures(expectation: Expectation, simulation: Simulation, language: str) -> RenderableType:
    from rich.table import Table

    came = simulation.to_dict()
    limit, evening = expectation.longest_possible, expectation.longest_in_evening
    low, high = quantile(evening, 0.05), quantile(evening, 0.95)
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("")
    table.add_column(_EXPECTED[language], justify="right", style="cyan")
    table.add_column(_SIMULATED[language], justify="right")

    def row(heading: Text, *figures: Text | int | None) -> None:
        table.add_row(heading[language], *("-" if each is None else said(each, language) for each in figures))

    def average(key: str) -> tuple[Text, Text | None]:
        expected, simulated = getattr(expectation, key), came[key]
        return _MEAN.filled(mean=expected), None if simulated is None else _MEAN.filled(mean=simulated)

    share, simulated = expectation.share_firing, came["share_firing"]
    row(Text("Presses that fire"), _SHARE.filled(share=share), _SHARE.filled(share=simulated))
    row(Text("Duds between bursts"), *average("duds_between_bursts"))
    row(Text("Cards in a burst"), *average("cards_per_burst"))
    row(Text("Cards from a press"), *average("cards_per_press"))
    row(Text("Longest dry run, duds"), Text("no limit") if limit is None else limit, simulation.longest_dry_run)
    usual = low if low == high else Text("{low} to {high}").filled(low=low, high=high)
    row(Text("  in {number} presses, 9 times in 10").filled(number=EVENING_PRESSES), usual)
    until = Text("Presses until {number} cards are out").filled(number=DECK_CARDS)
    row(until, round(DECK_CARDS / expectation.cards_per_press))
    return table


def _histogram(title: Text, unit: Text, rows: list[Row], language: str) -> RenderableType:
    from rich.bar import Bar
    from rich.table import Table

    highest = max(row.expected for row in rows)
    table = Table(
        title=title[language], title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 1)
    )
    table.add_column(unit[language], justify="right")
    table.add_column("", width=42)
    table.add_column(_EXPECTED[language], justify="right", style="cyan")
    table.add_column(_SIMULATED[language], justify="right")
    for row in rows:
        bar = Bar(highest, 0, row.expected, color="bright_black" if row.label == "dud" else "cyan")
        label = _DUD[language] if row.label == _DUD.en else row.label
        shares = (_SHARE.filled(share=share)[language] if share else "-" for share in row[1:])
        table.add_row(label, bar, *shares)
    return table


# --- chart --------------------------------------------------------------------------------------------------------


def check_plot(path: Path) -> None:
    """Whether a chart can be written there at all: called before the work is done.

    :raises PlotError: when the suffix says neither PNG nor SVG, or the plotting library is missing.
    """
    if path.suffix.lower() not in (".png", ".svg"):
        raise PlotSuffixError(_SUFFIX.filled(file=path))
    try:
        import matplotlib  # noqa: F401 (only whether it is there)
    except ImportError as error:
        raise PlotUnavailableError(_NO_LIBRARY) from error


def plot(expectation: Expectation, simulation: Simulation, path: Path) -> None:
    """Write the histograms as a chart, PNG or SVG by the suffix.

    :raises PlotError: as ``check_plot``.
    :raises OSError: when the file cannot be written.
    """
    check_plot(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    design = expectation.design
    with rc_context({"font.size": 10, "text.color": INK, "axes.labelcolor": INK, "svg.hashsalt": "card-dispenser"}):
        figure = Figure(figsize=(10, 4.8), dpi=150, facecolor="white")
        left, right = figure.subplots(1, 2)
        figure.subplots_adjust(left=0.065, right=0.985, top=0.73, bottom=0.17, wspace=0.17)
        figure.text(0.065, 0.925, design.name, fontsize=17, fontweight="bold")
        figure.text(0.065, 0.865, f"{design.fire.sentence} {describe_size(design)}", fontsize=10.5)
        fires, cards = expectation.share_firing, expectation.cards_per_press
        _bars(left, card_rows(expectation, simulation), f"Cards from one press: {cards:.2f} on average", "cards")
        duds = expectation.duds_between_bursts
        _bars(right, dry_run_rows(expectation, simulation), f"Duds before a burst: {duds:.2f} on average", "duds")
        source = f'{simulation.presses:,} presses simulated, seed "{simulation.seed}". {fires:.1%} of presses fire.'
        figure.text(0.065, 0.025, source, fontsize=8.5, alpha=0.75)
        bars, dots = left.containers[0][-1], left.lines[0]
        legend = figure.legend([bars, dots], ["expected", "simulated"], loc="upper right", frameon=False, ncols=2)
        legend.set_bbox_to_anchor((0.99, 0.985))
        kind = path.suffix[1:].lower()
        figure.savefig(path, format=kind, metadata={"Date": None} if kind == "svg" else None)


def _bars(axes: Axes, rows: list[Row], title: str, unit: str) -> None:
    places = range(len(rows))
    colours = [DUD_COLOUR if row.label == "dud" else CARD_COLOUR for row in rows]
    axes.bar(places, [100 * row.expected for row in rows], width=0.72, color=colours)
    dots = [100 * row.simulated if any(row[1:]) else math.nan for row in rows]  # none where nothing can come
    axes.plot(places, dots, "o", ms=5, color=INK, mfc="white", mew=1.3, clip_on=False)
    every = math.ceil(len(rows) * (1 + max(len(row.label) for row in rows)) / 60)  # 60 characters fit side by side
    axes.set_xticks(places, ["" if place % every else row.label for place, row in enumerate(rows)])
    axes.set_title(title, loc="left", fontsize=11, fontweight="bold", pad=8)
    axes.set_xlabel(unit)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}%")
    axes.set_axisbelow(True)
    axes.grid(axis="y", color="#dfe3e8", linewidth=0.8)
    axes.tick_params(length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
