"""Tables and histograms of odds for the terminal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from dispenser.i18n import Text, listed, said
from dispenser.odds.expectation import DECK_CARDS, EVENING_PRESSES, Expectation, Simulation, quantile
from dispenser.odds.presets import OddsDesign

if TYPE_CHECKING:
    from rich.console import RenderableType

MOST_ROWS = 20  # Limit of bars in a histogram of dry runs; more are hard to read

_EXPECTED, _SIMULATED, _DUD = Text("expected"), Text("simulated"), Text("dud")
_MEAN, _SHARE = Text("{mean:.2f}"), Text("{share:.1%}")
_CARDS, _DUDS = (Text("Cards from one press"), Text("cards")), (Text("Duds before a burst"), Text("duds"))
_FIGURES: Final = {
    "share_firing": (Text("Presses that fire"), _SHARE),
    "duds_between_bursts": (Text("Duds between bursts"), _MEAN),
    "cards_per_burst": (Text("Cards in a burst"), _MEAN),
    "cards_per_press": (Text("Cards from a press"), _MEAN),
}


class Row(NamedTuple):
    """One bar; the label of a dud is ``None``."""

    label: str | None
    expected: float
    simulated: float


def in_words(design: OddsDesign, between: str) -> Text:
    """Describe when a press fires, and how many cards a burst brings."""
    sizes = design.sizes()
    low, high = sizes[0][0], sizes[-1][0]
    cards = Text("{low} to {high} cards").filled(low=low, high=high)
    if low == high:
        cards = Text("{number} card", plural="{number} cards").filled(number=low)
    burst = Text("A burst brings {cards}.").filled(cards=cards)
    if design.size.chances()[-1][0] > design.cap:
        burst = Text("A burst brings {cards}; more are cut at {cap}.").filled(cards=cards, cap=design.cap)
    return listed([design.fire.in_words(), burst], between=between)


def card_rows(expectation: Expectation, simulation: Simulation) -> list[Row]:
    """Return the rows of cards per press; the dud is first."""
    shares = [often / simulation.presses for often in simulation.cards]
    both = zip(expectation.cards, shares, strict=True)
    return [Row(str(cards) if cards else None, *each) for cards, each in enumerate(both)]


def dry_run_rows(expectation: Expectation, simulation: Simulation) -> list[Row]:
    """Return the rows of duds before a burst, binned if many; what is rarer than half a percent is one last row."""
    expected, bursts = expectation.dry_runs, max(1, simulation.bursts)
    shares = [often / bursts for often in simulation.dry_runs]
    usual = quantile(expected, 0.995) + 1
    step = math.ceil(usual / MOST_ROWS)
    shown = math.ceil(usual / step) * step
    starts = range(0, shown, step)
    parts = {f"{at}-{at + step - 1}" if step > 1 else str(at): slice(at, at + step) for at in starts}
    if shown < len(expected):
        parts[f"{shown}+"] = slice(shown, None)
    return [Row(label, sum(expected[part]), sum(shares[part])) for label, part in parts.items()]


def report(expectation: Expectation, simulation: Simulation, language: str = "en") -> RenderableType:
    """Return figures and histograms for the terminal, in a language."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text as Styled

    design = expectation.design
    name = Styled(design.name, style="bold")
    source = Text('Simulated: {presses:,} presses, seed "{seed}".')
    source = source.filled(presses=simulation.presses, seed=simulation.seed)
    parts = (
        Panel(
            Styled(in_words(design, "\n")[language]), title=name, title_align="left", border_style="cyan", expand=False
        ),
        _figures(expectation, simulation, language),
        _histogram(*_CARDS, card_rows(expectation, simulation), language),
        _histogram(*_DUDS, dry_run_rows(expectation, simulation), language),
    )
    return Group(*(line for part in parts for line in (part, Styled())), Styled(source[language], style="dim"))


def _figures(expectation: Expectation, simulation: Simulation, language: str) -> RenderableType:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("")
    table.add_column(_EXPECTED[language], justify="right", style="cyan")
    table.add_column(_SIMULATED[language], justify="right")

    def row(heading: Text, *figures: Text | int | None) -> None:
        table.add_row(heading[language], *("-" if each is None else said(each, language) for each in figures))

    for key, (heading, form) in _FIGURES.items():
        both = (getattr(expectation, key), getattr(simulation, key))
        row(heading, *(None if each is None else form.filled(mean=each, share=each) for each in both))
    limit, evening = expectation.longest_possible, expectation.longest_in_evening
    row(Text("Longest dry run, duds"), Text("no limit") if limit is None else limit, simulation.longest_dry_run)
    low, high = quantile(evening, 0.05), quantile(evening, 0.95)
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
    for label, *both in rows:
        bar = Bar(highest, 0, both[0], color="cyan" if label else "bright_black")
        shares = (_SHARE.filled(share=share)[language] if share else "-" for share in both)
        table.add_row(label or _DUD[language], bar, *shares)
    return table
