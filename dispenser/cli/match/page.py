"""The rule book on the terminal: what is picked out of it, and how that is set."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from dispenser.language import Text, listed
from dispenser.rules.book import SHARED, BookError, FreeText, GameBook, Option, Rule
from dispenser.rules.library import BOOKS, game_named, rule_of

if TYPE_CHECKING:
    from rich.console import Console

_RULE_ID: Final = re.compile(r"([a-z])-?([0-9]{1,2})", re.IGNORECASE)
_INDENT: Final = " " * 6
_WIDEST: Final = 92
"""Characters in a line at most, however wide the terminal is: longer lines are hard to read."""
_NARROWEST: Final = 20

Line = tuple[tuple[str, str], ...]
"""Pieces of a line, each with its style."""


def rule_id(word: str) -> str | None:
    """``E-18`` for ``e18``; whether there is such a rule is another question."""
    found = _RULE_ID.fullmatch(word)
    return f"{found[1].upper()}-{int(found[2]):02}" if found else None


def print_rules(console: Console, names: Iterable[str], language: str, word: str = "") -> bool:
    """Print whole games when no rule is named, else these rules under the games they belong to.

    :param names: of games and rules.
    :param word: only rules with this word in their own texts or in an option's; it stands out.
    :returns: whether there are any.
    :raises BookError: a word is neither a game nor a rule, or a rule is not one of the games that are named.
    """
    ids = {name: rule_id(name) for name in names}
    games = [game_named(name) for name, found in ids.items() if not found]
    rules = {rule_of(found).id for found in ids.values() if found}
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
        for match in re.finditer(re.escape(_folded(word)), _folded(styled.plain)) if word else ():
            styled.stylize("reverse", *match.span())
        console.print(styled, soft_wrap=True)


def _page(book: GameBook | None, ids: Collection[str], word: str, language: str, width: int) -> Iterator[Line]:
    """What is shown of one game; of what all games share when there is no book."""
    options = {option.name: option for option in (book.options if book else ())}

    def is_shown(rule: Rule) -> bool:
        texts = [rule.title, rule.text, *([rule.reading] if rule.reading else [])]
        texts += [text for name in rule.options for text in (options[name].label, options[name].text)]
        said = (*rule.options, *(text[language] for text in texts))
        return (not ids or rule.id in ids) and any(_folded(word) in _folded(each) for each in said)

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
        values = f"  {_values(option)[language]}"
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


def _values(option: Option) -> Text:
    """What it can be, as it is typed after ``--option NAME=``, and what it is otherwise."""
    values = option.values
    if isinstance(values, range):
        told = Text("{first} to {last}").filled(first=values[0], last=values[-1])
    elif isinstance(values, FreeText):
        told = values.text
    else:
        *others, last = map(_written, values)
        told = Text("{others} or {last}").filled(others=listed(others), last=last)
    return Text("{values}, default {usual}").filled(values=told, usual=_written(option.default) or Text("empty"))


def _written(value: int | str | bool) -> str | Text:
    return (Text("yes") if value else Text("no")) if isinstance(value, bool) else str(value)


def _folded(text: str) -> str:
    """Without accents, capitals and the printer's signs, at the length of the composed text."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(unicodedata.normalize("NFKD", sign)[0].lower() for sign in composed).replace("’", "'")
