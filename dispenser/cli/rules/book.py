"""``dispenser rules list|show``: the rules of the five games, to read at the table."""

from __future__ import annotations

import textwrap
from typing import Annotated, Final

import typer

from dispenser.cli.failures import FOUND_WRONG
from dispenser.cli.rules.app import CommandError, LanguageOption, command, language_in_force, new_console
from dispenser.cli.rules.options import GAME_IDS, games_and_rules
from dispenser.language import Text

_GAP: Final = 2
"""Columns between two cells of the list."""
_NARROWEST: Final = 28
"""Columns that a summary has at least beside the others; with fewer it stands below."""
_WIDEST: Final = 200


@command("list")
def list_games(lang: LanguageOption = None) -> None:
    """List the five games: how many can play, how many rules there are, what it is like."""
    language, console = language_in_force(lang), new_console()
    for line in _list(language, min(console.width, _WIDEST)):  # rich would break lines at the no-break spaces of French
        console.print(line.rstrip(), markup=False, soft_wrap=True)


def _list(language: str, width: int) -> list[str]:
    """All games, beside each other where there is room, else one under the other; and what else there is to read."""
    from dispenser.cli.match.page import players
    from dispenser.rules.book import SHARED
    from dispenser.rules.library import BOOKS

    headings = [heading[language] for heading in (Text("id"), Text("game"), Text("players"), Text("rules"))]
    rows = [[book.id, book.name[language], players(book), f"{len(book.rules)}"] for book in BOOKS.values()]
    widths = [max(map(len, column)) + _GAP for column in zip(headings, *rows, strict=True)]
    beside = width - sum(widths) >= _NARROWEST
    indent = " " * (sum(widths) if beside else _GAP)

    def row(cells: list[str]) -> str:
        return "".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))

    def below(text: str) -> list[str]:
        wrapped = textwrap.wrap(text, width - len(indent), break_on_hyphens=False)
        return [indent + line for line in wrapped]

    lines = [row(headings)] if beside else []
    for cells, book in zip(rows, BOOKS.values(), strict=True):
        summary = below(book.summary[language])
        if beside:
            lines += [row(cells) + summary[0].lstrip(), *summary[1:]]
        else:
            game_id, name, seats, rules = cells
            about = Text("{name}, {seats} players, {rules} rules").filled(name=name, seats=seats, rules=rules)
            lines += [*([""] if lines else []), game_id, *below(about[language]), *summary]
    more = Text("{shared} more rules hold in every game. Read on with: dispenser rules show GAME")
    return [*lines, "", *textwrap.wrap(more.filled(shared=len(SHARED[1]))[language], width, break_on_hyphens=False)]


@command()
def show(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME] [RULE]...",
            help=f"{GAME_IDS}; rules such as E-18.",
            show_default=False,
            autocompletion=games_and_rules,
        ),
    ] = None,
    lang: LanguageOption = None,
    search: Annotated[
        str | None, typer.Option(metavar="WORD", help="Only rules with this word; accents and capitals do not matter.")
    ] = None,
) -> None:
    """Print the rules of a game, or some of them, with what the table may choose.

    Without a game, --search looks through all of them. Exit code: 0, or 1 when no rule has the word.
    """
    from dispenser.cli.match.page import parts_named, print_parts
    from dispenser.rules.book import BookError

    language = language_in_force(lang)
    if not names and not search:
        which = Text("which game? give one of: {games}; or a rule, such as E-18; or --search WORD")
        raise CommandError(which.filled(games=GAME_IDS))
    try:
        parts = parts_named(names or ())
    except BookError as error:
        raise CommandError(error.text) from error
    if search:
        parts = [found for part in parts if (found := part.with_word(search, language)).sections]
    if not parts:
        among = (
            Text("no rule of {among} has the word {word!r}") if names else Text("no rule at all has the word {word!r}")
        )
        raise CommandError(among.filled(word=search, among=" ".join(names or ())), FOUND_WRONG)
    print_parts(new_console(), parts, language, search or "")
