"""The parts of a rule book, and the rules that all games share. ``dispenser.rules.library`` has all books.

A book is written as one reads it, in English; the catalog has the French. Paragraphs stand apart by an empty line::

    Mau-Mau
    A jack asks for a suit.

    # How it is played

    M-01 The cards
    A pack of 52, or two.
    Reading: What the source leaves open, and how it is played here.
    The table may choose: packs

    # What the table may choose

    packs: Packs of cards
    How many packs are shuffled together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from dispenser.i18n import SpokenError, Text, listed

_CHOICES: Final = "\n# What the table may choose\n"
_RULE: Final = re.compile(
    r"([A-Z]-\d\d) ([^\n]+)\n(.+?)(?:\nReading: (.+?))?(?:\nThe table may choose: ([a-z, -]+))?", re.DOTALL
)
_YES_OR_NO: Final = {
    **dict.fromkeys(("yes", "oui", "true", "vrai"), True),
    **dict.fromkeys(("no", "non", "false", "faux"), False),
}
_NO_BREAK_SPACES: Final = "\u00a0\u202f"  # French has them; to Python they are not printable
_CHOICE: Final = re.compile(r"([a-z-]+): ([^\n]+)\n(.+)", re.DOTALL)


class BookError(SpokenError):
    """Error: the rule book does not have what was asked for."""


class UnknownGameError(BookError, LookupError):
    """Error: there is no such game. The text lists the games."""


class UnknownRuleError(BookError, LookupError):
    """Error: there is no such rule. The text lists the IDs."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, worded to be read aloud at the table.

    :param id: a letter for the game and two digits, such as ``E-18``.
    :param reading: what the game's source leaves open, and how this project decides it.
    :param options: names of the game's options that affect this rule.
    """

    id: str
    title: Text
    text: Text
    reading: Text | None
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FreeText:
    """Values of an option with free text: one line, possibly empty.

    :param most: maximum number of characters.
    """

    most: int

    def __contains__(self, value: object) -> bool:
        return (
            isinstance(value, str)
            and len(value) <= self.most
            and all(sign.isprintable() or sign in _NO_BREAK_SPACES for sign in value)
        )

    @property
    def text(self) -> Text:
        """Return a description of the allowed text."""
        return Text("any text of up to {most} characters").filled(most=self.most)


Value = int | str | bool
Values = tuple[Value, ...] | range | FreeText
"""The allowed values: two booleans for yes or no, a range of whole numbers, or ``FreeText``."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option that the table chooses before the game.

    :param rule: the ID of the first rule that names it.
    :param default: the value if nobody chooses; one of ``values`` and of their type.
    """

    name: str
    rule: str
    default: Value
    values: Values
    label: Text
    text: Text

    @property
    def choices(self) -> Text:
        """Return a description of the allowed values, as typed, and of the default."""
        values = self.values
        if isinstance(values, range):
            told = Text("{first} to {last}").filled(first=values[0], last=values[-1])
        elif isinstance(values, FreeText):
            told = values.text
        else:
            *others, last = map(written, values)
            told = Text("{others} or {last}").filled(others=listed(others), last=last)
        return Text("{values}, default {usual}").filled(values=told, usual=written(self.default) or Text("empty"))

    def read(self, typed: str) -> Value:
        """Parse typed text as a value; invalid text is returned as it is, for the rules engine to refuse it."""
        if isinstance(self.default, bool):
            return _YES_OR_NO.get(typed.lower(), typed)
        return int(typed) if isinstance(self.default, int) and re.fullmatch(r"-?[0-9]{1,9}", typed) else typed


def written(value: Value) -> str | Text:
    """Format a value as it is typed."""
    return (Text("yes") if value else Text("no")) if isinstance(value, bool) else str(value)


Section = tuple[Text, tuple[Rule, ...]]  # a heading, and the rules under it


@dataclass(frozen=True, slots=True)
class GameBook:
    """All rules of one game, in order, and its options. The rules that all games share are in ``SHARED``.

    :param id: the game's name in commands and files, such as ``uno-extreme``.
    :param seats: the allowed numbers of players.
    :param summary: the game in one sentence.
    """

    id: str
    name: Text
    seats: range
    summary: Text
    sections: tuple[Section, ...]
    options: tuple[Option, ...]

    @classmethod
    def of(cls, game_id: str, *, seats: range, sheet: str, choices: Mapping[str, tuple[Value, Values]]) -> GameBook:
        """Parse a game's book from its text.

        :param choices: by option, the default and the allowed values.
        :raises ValueError: a paragraph has the wrong form, an option has no values, or values belong to no option.
        """
        rules, _, options = sheet.partition(_CHOICES)
        head, _, rules = rules.strip().partition("\n\n")
        name, summary = _texts(*head.split("\n", 1))
        sections = tuple(_sections(rules))
        named = [(option, rule.id) for _, rules in sections for rule in rules for option in rule.options]
        first = dict(reversed(named))
        described = [_matched(_CHOICE, paragraph) for paragraph in options.strip().split("\n\n") if paragraph]
        if not {option for option, *_ in described} == choices.keys() == first.keys():
            raise ValueError(f"{game_id}: an option has its values, a paragraph, and a rule that names it")
        made = (Option(each, first[each], *choices[each], *_texts(*words)) for each, *words in described)
        return cls(game_id, name, seats, summary, sections, tuple(made))

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of all sections, in order."""
        return tuple(rule for _, rules in self.sections for rule in rules)


def _sections(written: str) -> Iterator[Section]:
    for section in written.removeprefix("# ").split("\n\n# "):
        heading, *rules = section.split("\n\n")
        yield next(_texts(heading)), tuple(map(_rule, rules))


def _rule(paragraph: str) -> Rule:
    rule_id, *words, options = _matched(_RULE, paragraph)
    title, text, reading = _texts(*words)
    return Rule(rule_id, title, text, reading if reading.msgid else None, tuple(options.split(", ")) if options else ())


def _matched(form: re.Pattern[str], paragraph: str) -> tuple[str, ...]:
    match = form.fullmatch(paragraph)
    if match is None:
        raise ValueError(f"neither a heading nor a rule with its ID, a title and a text: {paragraph}")
    return match.groups(default="")


def _texts(*written: str) -> Iterator[Text]:
    """Join the lines of each text, as in the catalog. ``tests.i18n`` collects these texts from the books, not code."""
    return map(Text, (each.replace("\n", " ") for each in written))


SHARED: Final[Section] = next(
    _sections("""# What every game shares

G-01 When the draw pile runs out
When the draw pile is empty, leave the top card of the discard pile where it is, shuffle all the others and make them
the new draw pile. A wild card that is shuffled in loses the colour that was named with it. If there are still too few
cards, take what there is; the table hears how many are missing, and the game goes on.

G-02 Not playing is allowed
You may keep a card that you could play. You then draw, or press the button, as if you could not play. You have no
choice when a rule leaves you only one thing to do, such as drawing or pressing what you owe, or playing again after a
card that obliges you to.

G-03 Announcing the last card
When you are down to one card, say so aloud: “UNO” or “Carte”, depending on the game. If you forget, any other player
may catch you until the next player has played, drawn or pressed. If you say it before you are caught, you are safe.
Reading: You may say it before the card that leaves you one, along with it or right after it, however you play that
card: also with a Discard All or out of turn. Said before, it counts only for a card of that same turn. The next
player has acted as soon as they say that they draw, press, take the cards or challenge the +4.

G-04 No card gets lost
At every moment, the hands, the draw pile, the discard pile and the cards that were set aside make up the complete
deck.

G-05 A single source of chance
All that is left to chance comes from one generator, started from one seed: shuffling, drawing for the dealer, what
the launcher throws. With the same seed and the same moves, the game turns out the same.

G-06 A forbidden move changes nothing
If a move is against the rules, everything stays as it was, and the answer gives the number of the rule that forbids
it.""")
)
"""What every game shares (G-01 to G-06)."""
