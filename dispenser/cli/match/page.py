"""The rule book on the terminal: what is picked out of it, and how that is set."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dispenser.language import Text, listed
from dispenser.rules.book import SHARED, BookError, FreeText, GameBook, Option, Rule, Section
from dispenser.rules.library import BOOKS, game_named, rule_of

if TYPE_CHECKING:
    from rich.console import Console

_RULE_ID: Final = re.compile(r"([a-z])-?([0-9]{1,2})", re.IGNORECASE)
_INDENT: Final = " " * 6
_WIDEST: Final = 92
"""Characters in a line at most, however wide the terminal is: longer lines are hard to read."""
_NARROWEST: Final = 40

Line = tuple[tuple[str, str], ...]
"""Pieces of a line, each with its style."""


@dataclass(frozen=True)
class Part:
    """What is shown of one game; of what all games share when there is no book."""

    book: GameBook | None
    sections: tuple[Section, ...]
    whole: bool

    @property
    def options(self) -> tuple[Option, ...]:
        """The options that the rules shown here name."""
        named = {name for _, rules in self.sections for rule in rules for name in rule.options}
        return tuple(option for option in (self.book.options if self.book else ()) if option.name in named)

    def only(self, wanted: Iterable[Rule]) -> Part:
        """What is left with these rules alone."""
        ids = {rule.id for rule in wanted}
        kept = ((heading, tuple(rule for rule in rules if rule.id in ids)) for heading, rules in self.sections)
        return Part(self.book, tuple(section for section in kept if section[1]), whole=False)

    def with_word(self, word: str, language: str) -> Part:
        """The rules that have the word in their own texts or in an option's."""
        options = {each.name: f"{each.name} {each.label[language]} {each.text[language]}" for each in self.options}

        def has_word(rule: Rule) -> bool:
            texts = [text[language] for text in (rule.title, rule.text, rule.reading) if text]
            return any(_folded(word) in _folded(text) for text in (*texts, *(options[name] for name in rule.options)))

        return self.only(rule for _, rules in self.sections for rule in rules if has_word(rule))


def rule_id(word: str) -> str | None:
    """``E-18`` for ``e18``; whether there is such a rule is another question."""
    found = _RULE_ID.fullmatch(word)
    return f"{found[1].upper()}-{int(found[2]):02}" if found else None


def parts_named(names: Iterable[str]) -> list[Part]:
    """Whole games when no rule is named, else these rules under the games they belong to.

    :raises BookError: a word is neither a game nor a rule, or a rule is not one of the games that are named.
    """
    ids = {name: rule_id(name) for name in names}
    games = [game_named(name) for name, found in ids.items() if not found]
    rules = [rule_of(found) for found in ids.values() if found]
    for rule in rules:
        if games and not any(rule in (*book.rules, *SHARED[1]) for book in games):
            owner = next(book for book in BOOKS.values() if rule in book.rules)
            wrong = Text("{rule} is a rule of {owner}, not of {named}")
            raise BookError(wrong.filled(rule=rule.id, owner=owner.id, named=", ".join(book.id for book in games)))
    parts = [Part(book, book.sections, whole=True) for book in BOOKS.values() if book in games or not games]
    parts.append(Part(None, (SHARED,), whole=True))
    return [chosen for part in parts if (chosen := part.only(rules)).sections] if rules else parts


def print_parts(console: Console, parts: Iterable[Part], language: str, word: str = "") -> None:
    """Print the parts, one under the other: IDs in the margin, readings set apart.

    Lines are broken here and not by rich, which would break at the no-break spaces of French, too.

    :param word: what was searched for stands out.
    """
    from rich.text import Text as Styled

    width = max(min(console.width, _WIDEST), _NARROWEST)
    lines = [line for part in parts for line in _lines(part, language, width)]
    for line in lines if lines and lines[0] else lines[1:]:
        styled = Styled.assemble(*line)
        if word:
            for match in re.finditer(re.escape(_folded(word)), _folded(styled.plain)):
                styled.stylize("reverse", *match.span())
        console.print(styled, soft_wrap=True)


def _lines(part: Part, language: str, width: int) -> Iterator[Line]:
    def heading(*pieces: tuple[str, str]) -> Iterator[Line]:
        yield ()
        yield pieces

    def paragraph(text: str, indent: str = _INDENT, style: str = "") -> Iterator[Line]:
        for line in textwrap.wrap(text, width - len(indent), break_on_hyphens=False):
            yield (indent, ""), (line, style)

    if part.book:
        about = f"  {part.book.id}, {players(part.book)} {Text('players')[language]}"
        yield from heading((part.book.name[language], "bold green"), (about, "dim"))
        if part.whole:
            yield from paragraph(part.book.summary[language], indent="")
    for about_what, rules in part.sections:
        yield from heading((about_what[language], "bold underline"))
        for rule in rules:
            yield from heading((f"{rule.id}  ", "cyan"), (rule.title[language], "bold"))
            yield from paragraph(rule.text[language])
            if rule.reading:
                yield from paragraph(f"{Text('Reading:')[language]} {rule.reading[language]}", f"{_INDENT}│ ", "italic")
            if rule.options:
                chosen = f"{Text('The table may choose:')[language]} {', '.join(rule.options)}"
                yield from paragraph(chosen, style="dim")
    if part.options:
        yield from heading((Text("What the table may choose")[language], "bold underline"))
    for option in part.options:
        values = f"  {_values(option)[language]}"
        yield from heading((f"{option.rule}  ", "cyan"), (option.name, "bold"), (values, "dim"))
        yield from paragraph(f"{option.label[language]}. {option.text[language]}")


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


def players(book: GameBook) -> str:
    """How many can play."""
    return f"{book.seats[0]}–{book.seats[-1]}"


def _folded(text: str) -> str:
    """Without accents, capitals and the printer's signs, at the length of the composed text."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(unicodedata.normalize("NFKD", sign)[0].lower() for sign in composed).replace("’", "'")
