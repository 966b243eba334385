"""The list of the games on the terminal: beside each other where there is room, else one under the other."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from dispenser.language import Text
from dispenser.rules.book import SHARED, GameBook
from dispenser.rules.library import BOOKS

if TYPE_CHECKING:
    from rich.console import Console

_HEADINGS: Final = (Text("id"), Text("game"), Text("players"), Text("rules"))
_FOOTNOTE: Final = Text("{shared} more rules hold in every game. Read on with: dispenser rules show GAME")
_ABOUT: Final = Text("{name}, {seats} players, {rules} rules")
_GAP: Final = 2
"""Columns between two cells."""
_NARROWEST: Final = 28
"""Columns that a summary has at least beside the others; with fewer it stands below."""
_WIDEST: Final = 200
_INDENT: Final = "  "


def print_games(console: Console, language: str) -> None:
    """All games, and what else there is to read.

    Lines are broken here and not by rich, which would break at the no-break spaces of French, too.
    """
    width = min(console.width, _WIDEST)
    rows = [_cells(book, language) for book in BOOKS.values()]
    headings = [heading[language] for heading in _HEADINGS]
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    beside = sum(widths) + _GAP * len(widths)
    lines = _table(headings, rows, widths, width, language) if width - beside >= _NARROWEST else _list(width, language)
    footnote = textwrap.wrap(_FOOTNOTE.filled(shared=len(SHARED[1]))[language], width, break_on_hyphens=False)
    for line in (*lines, "", *footnote):
        console.print(line.rstrip(), markup=False, soft_wrap=True)


def _cells(book: GameBook, language: str) -> tuple[str, ...]:
    return book.id, book.name[language], f"{book.seats[0]}–{book.seats[-1]}", f"{len(book.rules)}"


def _table(headings: list[str], rows: list[tuple[str, ...]], widths: list[int], width: int, language: str) -> list[str]:
    lines = [_row(headings, widths)]
    left = " " * (sum(widths) + _GAP * len(widths))
    for cells, book in zip(rows, BOOKS.values(), strict=True):
        first, *others = textwrap.wrap(book.summary[language], width - len(left), break_on_hyphens=False)
        lines += [_row(cells, widths) + first, *(left + line for line in others)]
    return lines


def _row(cells: list[str] | tuple[str, ...], widths: list[int]) -> str:
    return "".join(cell.ljust(width + _GAP) for cell, width in zip(cells, widths, strict=True))


def _list(width: int, language: str) -> list[str]:
    lines: list[str] = []
    for book in BOOKS.values():
        game_id, name, seats, rules = _cells(book, language)
        about = _ABOUT.filled(name=name, seats=seats, rules=rules)[language]
        lines += ["", game_id] if lines else [game_id]
        for text in (about, book.summary[language]):
            lines += textwrap.wrap(
                text, width, initial_indent=_INDENT, subsequent_indent=_INDENT, break_on_hyphens=False
            )
    return lines
