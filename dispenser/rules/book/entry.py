"""What the rule book is made of: texts in two languages, rules, options, games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dispenser.language import LANGUAGES, Text

__all__ = ["LANGUAGES", "FreeText", "GameBook", "Option", "Rule", "Section", "Text"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, in words that can be read aloud at the table.

    :param id: a letter for the game and two digits, such as ``E-18``.
    :param reading: what the game's source leaves open here, and how it is played here.
    :param options: names of the game's options that bear on this rule.
    """

    id: str
    title: Text
    text: Text
    reading: Text | None = None
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FreeText:
    """The values of an option that the table puts in its own words: a line of text, or none.

    :param most: characters at most.
    """

    most: int

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and len(value) <= self.most and all(map(_can_be_read, value))

    def __iter__(self) -> Iterator[str]:
        """Some of them, for tests that try everything: none, a short one, the longest."""
        yield from ("", "Zoé dit «\u00a0oui\u00a0».", "é" * self.most)

    @property
    def text(self) -> Text:
        """What can be written, in words."""
        return Text("any text of up to {most} characters").filled(most=self.most)


def _can_be_read(sign: str) -> bool:
    """Nothing that ends a line or changes a terminal; the no-break spaces of French are fine."""
    return sign.isprintable() or sign in "\u00a0\u202f"


@dataclass(frozen=True, slots=True)
class Option:
    """Something that the table chooses before the game.

    :param rule: the ID of the rule that the choice comes from.
    :param default: what holds when nobody chooses; one of ``values`` and of their type.
    :param values: all that can be chosen. Two booleans are a yes or no, a range has whole numbers, ``FreeText`` has
        whatever the table writes.
    """

    name: str
    rule: str
    default: int | str | bool
    values: tuple[int | str | bool, ...] | range | FreeText
    label: Text
    text: Text


Section = tuple[Text, tuple[Rule, ...]]
"""A heading, and the rules under it."""


@dataclass(frozen=True, slots=True)
class GameBook:
    """All rules that are a game's own, in order, and its options. What all games share stands in ``SHARED``.

    :param id: the game's name in commands and files, such as ``uno-extreme``.
    :param seats: the numbers of players that the game allows.
    :param summary: the game in one sentence.
    """

    id: str
    name: Text
    seats: range
    summary: Text
    sections: tuple[Section, ...]
    options: tuple[Option, ...]

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of all sections, in order."""
        return tuple(rule for _, rules in self.sections for rule in rules)
