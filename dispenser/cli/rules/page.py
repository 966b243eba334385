"""The rule book on the terminal: what is picked out of it, and how that is set."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from dispenser.i18n import Text
from dispenser.rules.book import SHARED, BookError, GameBook, Rule
from dispenser.rules.library import BOOKS, game_named, rule_id, rule_of
from dispenser.rules.search import folded, found, words_of

if TYPE_CHECKING:
    from rich.console import Console

_INDENT: Final = " " * 6
_WIDEST: Final = 92
"""Characters in a line at most, however wide the terminal is: longer lines are hard to read."""
_NARROWEST: Final = 20

Line = tuple[tuple[str, str], ...]
"""Pieces of a line, each with its style."""


def print_rules(console: Console, names: Iterable[str], language: str, word: str = "") -> bool:
    """Print whole games when no rule is named, else these rules under the games they belong to.

    :param names: of games and rules.
    :param word: only rules with this word in their own texts or in an option's; it stands out.
    :returns: whether there are any.
    :raises BookError: a word is neither a game nor a rule, or a rule is not one of the games that are named.
    """
    ids = {name: rule_id(name) for name in names}
    games = [game_named(name) for name, rule in ids.items() if not rule]
    rules = {rule_of(rule).id for rule in ids.values() if rule}
    for rule in rules:
        if games and not any(rule in {each.id for each in (*book.rules, *SHARED[1])} for book in games):
            owner = next(book.id for book in BOOKS.values() if rule_of(rule) in book.rules)
            wrong = Text("{rule} is a rule of {owner}, not of {named}")
            raise BookError(wrong.filled(rule=rule, owner=owner, named=", ".join(book.id for book in games)))
    books = [book for book in BOOKS.values() if book in games or not games]
    lines = [line for book in (*books, None) for line in _page(book, rules, word, language, _width(console))]
    _print(console, lines, word)
    return bool(lines)


def print_games(console: Console, language: str) -> None:
    """Print what each game is like."""
    width = _width(console)
    _print(console, [line for book in BOOKS.values() for line in _about(book, language, width, whole=True)])


def _width(console: Console) -> int:
    return max(min(console.width, _WIDEST), _NARROWEST)


def _print(console: Console, lines: list[Line], word: str = "") -> None:
    """Lines are broken here and not by rich, which would break at the no-break spaces of French, too."""
    from rich.text import Text as Styled

    for line in lines[1:]:  # the first is empty, as each is above a heading
        styled = Styled.assemble(*line)
        for begin, end in found(word, styled.plain):
            styled.stylize("reverse", begin, end)
        console.print(styled, soft_wrap=True)


def _page(book: GameBook | None, ids: Collection[str], word: str, language: str, width: int) -> Iterator[Line]:
    """What is shown of one game; of what all games share when there is no book."""
    options = {option.name: option for option in (book.options if book else ())}

    def is_shown(rule: Rule) -> bool:
        said = words_of(rule, options.values(), language)
        return (not ids or rule.id in ids) and any(folded(word) in folded(each) for each in said)

    sections = [(about, list(filter(is_shown, rules))) for about, rules in (book.sections if book else (SHARED,))]
    shown = [rule for _, rules in sections for rule in rules]
    if book and shown:
        yield from _about(book, language, width, whole=not (ids or word))
    for about, rules in sections:
        if rules:
            yield from _heading((about[language], "bold underline"))
        for rule in rules:
            yield from _heading((f"{rule.id}  ", "cyan"), (rule.title[language], "bold"))
            yield from _paragraph(rule.text[language], width)
            if rule.reading:
                reading = f"{Text('Reading:')[language]} {rule.reading[language]}"
                yield from _paragraph(reading, width, f"{_INDENT}│ ", "italic")
            if rule.options:
                chosen = f"{Text('The table may choose:')[language]} {', '.join(rule.options)}"
                yield from _paragraph(chosen, width, style="dim")
    named = [option for name, option in options.items() if any(name in rule.options for rule in shown)]
    if named:
        yield from _heading((Text("What the table may choose")[language], "bold underline"))
    for option in named:
        values = f"  {option.choices[language]}"
        yield from _heading((f"{option.rule}  ", "cyan"), (option.name, "bold"), (values, "dim"))
        yield from _paragraph(f"{option.label[language]}. {option.text[language]}", width)


def _about(book: GameBook, language: str, width: int, *, whole: bool) -> Iterator[Line]:
    about = Text("{id}, {seats} players, {rules} rules") if whole else Text("{id}, {seats} players")
    about = about.filled(id=book.id, seats=f"{book.seats[0]}–{book.seats[-1]}", rules=len(book.rules))
    yield from _heading((book.name[language], "bold green"), (f"  {about[language]}", "dim"))
    if whole:
        yield from _paragraph(book.summary[language], width, indent="")


def _heading(*pieces: tuple[str, str]) -> Iterator[Line]:
    yield ()
    yield pieces


def _paragraph(text: str, width: int, indent: str = _INDENT, style: str = "") -> Iterator[Line]:
    for line in textwrap.wrap(text, width - len(indent), break_on_hyphens=False):
        yield (indent, ""), (line, style)
