"""The rule book on the terminal: what is picked out of it, and how that is set."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dispenser.language import Text
from dispenser.rules.book import SHARED, BookError, FreeText, GameBook, Option, Rule, Section
from dispenser.rules.library import BOOKS, game_named, rule_of

if TYPE_CHECKING:
    from rich.console import Console

_RULE_ID = re.compile(r"([a-z])-?([0-9]{1,2})", re.IGNORECASE)
_INDENT = " " * 6
_WIDEST = 92
"""Characters in a line at most, however wide the terminal is: longer lines are hard to read."""
_NARROWEST = 40

_PLAYERS = Text("players")
_READING = Text("Reading:")
_CHOICE = Text("The table may choose:")
_CHOICES = Text("What the table may choose")
_DEFAULT = Text("default")
_NO_TEXT = Text("empty")
_YES = Text("yes")
_NO = Text("no")
_TO = Text("to")
_OR = Text("or")
_RULE_OF_ANOTHER = Text("{rule} is a rule of {owner}, not of {named}")


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
        options = {option.name: (option.name, option.label[language], option.text[language]) for option in self.options}

        def texts(rule: Rule) -> Iterator[str]:
            yield from (text[language] for text in (rule.title, rule.text, rule.reading) if text)
            for name in rule.options:
                yield from options[name]

        rules = (rule for _, rules in self.sections for rule in rules)
        return self.only(rule for rule in rules if any(_folded(word) in _folded(text) for text in texts(rule)))


def parts_named(names: Iterable[str]) -> list[Part]:
    """Whole games when no rule is named, else these rules under the games they belong to.

    :raises BookError: a word is neither a game nor a rule, or a rule is not one of the games that are named.
    """
    games, rules = _games_and_rules(names)
    parts = [Part(book, book.sections, whole=True) for book in BOOKS.values() if book in games or not games]
    parts.append(Part(None, (SHARED,), whole=True))
    return [chosen for part in parts if (chosen := part.only(rules)).sections] if rules else parts


def _games_and_rules(names: Iterable[str]) -> tuple[list[GameBook], list[Rule]]:
    games, rules = [], []
    for name in names:
        if match := _RULE_ID.fullmatch(name):
            rules.append(rule_of(f"{match[1].upper()}-{int(match[2]):02}"))
        else:
            games.append(game_named(name))
    for rule in rules:
        if games and rule not in SHARED[1] and not any(rule in book.rules for book in games):
            owner = next(book for book in BOOKS.values() if rule in book.rules)
            named = ", ".join(book.id for book in games)
            raise BookError(_RULE_OF_ANOTHER.filled(rule=rule.id, owner=owner.id, named=named))
    return games, rules


class Page:
    """Prints rules in lines that fit the terminal: IDs in the margin, readings set apart.

    Lines are broken here and not by rich, which would break at the no-break spaces of French, too.
    """

    def __init__(self, console: Console, language: str, word: str) -> None:
        self._console = console
        self._language = language
        self._word = _folded(word)
        self._width = _line_width(console)
        self._begun = False

    def print(self, parts: Iterable[Part]) -> None:
        """Print the parts, one under the other."""
        for part in parts:
            if part.book:
                self._line()
                self._game(part.book, whole=part.whole)
            for heading, rules in part.sections:
                self._heading(heading)
                for rule in rules:
                    self._rule(rule)
            if part.options:
                self._heading(_CHOICES)
                for option in part.options:
                    self._option(option)

    def _game(self, book: GameBook, *, whole: bool) -> None:
        about = f"{book.id}, {_seats(book)} {_PLAYERS[self._language]}"
        self._line((book.name[self._language], "bold green"), (f"  {about}", "dim"))
        if whole:
            self._paragraph(book.summary[self._language], indent="")

    def _heading(self, heading: Text) -> None:
        self._line()
        self._line((heading[self._language], "bold underline"))

    def _rule(self, rule: Rule) -> None:
        self._line()
        self._line((f"{rule.id}  ", "cyan"), (rule.title[self._language], "bold"))
        self._paragraph(rule.text[self._language])
        if rule.reading:
            self._paragraph(f"{_READING[self._language]} {rule.reading[self._language]}", f"{_INDENT}│ ", "italic")
        if rule.options:
            self._paragraph(f"{_CHOICE[self._language]} {', '.join(rule.options)}", style="dim")

    def _option(self, option: Option) -> None:
        self._line()
        self._line((f"{option.rule}  ", "cyan"), (option.name, "bold"), (f"  {self._values(option)}", "dim"))
        self._paragraph(f"{option.label[self._language]}. {option.text[self._language]}")

    def _values(self, option: Option) -> str:
        values = option.values
        if isinstance(values, range):
            allowed = f"{values[0]} {_TO[self._language]} {values[-1]}"
        elif isinstance(values, FreeText):
            allowed = values.text[self._language]
        else:
            *others, last = (self._written(value) for value in values)
            allowed = f"{', '.join(others)} {_OR[self._language]} {last}"
        return f"{allowed}, {_DEFAULT[self._language]} {self._written(option.default) or _NO_TEXT[self._language]}"

    def _written(self, value: int | str | bool) -> str:
        """As it is typed after ``--option NAME=``."""
        return (_YES if value else _NO)[self._language] if isinstance(value, bool) else str(value)

    def _paragraph(self, text: str, indent: str = _INDENT, style: str = "") -> None:
        for line in textwrap.wrap(text, self._width - len(indent), break_on_hyphens=False):
            self._line((indent, ""), (line, style))

    def _line(self, *pieces: tuple[str, str]) -> None:
        """One line of text, each piece with its style; an empty one, save at the top, when there is no piece.

        The word that was searched for stands out.
        """
        from rich.text import Text as StyledText

        if not (pieces or self._begun):
            return
        self._begun = True
        line = StyledText.assemble(*pieces)
        if self._word:
            for match in re.finditer(re.escape(self._word), _folded(line.plain)):
                line.stylize("reverse", *match.span())
        self._console.print(line, soft_wrap=True)


def _folded(text: str) -> str:
    """Without accents, capitals and the printer's signs, at the length of the composed text."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(unicodedata.normalize("NFKD", sign)[0].lower() for sign in composed).replace("’", "'")


def _line_width(console: Console) -> int:
    return max(min(console.width, _WIDEST), _NARROWEST)


def _seats(book: GameBook) -> str:
    return f"{book.seats[0]}–{book.seats[-1]}"
