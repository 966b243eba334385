"""Cards and colours as a phone shows them, and trees of buttons to pick one: first the colour, then the symbol."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final

from dispenser.i18n import Text, said
from dispenser.rules import Game
from dispenser.rules.words.cards import WILD_SHAPE, CardWords, letters_of, shape_of, symbol_name
from dispenser.rules.words.phrases import vocabulary_of

Card = dict[str, Any]
"""``{"name": "red 7", "symbol": "7", "colour": Colour or None}``; the name is English, as in recorded actions."""
Colour = dict[str, Any]  # `{"name": "rouge", "letter": "R", "shape": "●", "key": "red"}`
Choice = dict[str, Any]
"""A button: ``label``, and either the command ``send`` or the submenu ``next``. Shared and cached: do not modify."""

WILD_CARDS: Final = Text("wild cards")
WILD_KEY: Final = "wild"


def capital(text: str) -> str:
    """Capitalize the first letter only."""
    return text[:1].upper() + text[1:]


class Faces:
    """Names, symbols and colours of a card set in one language.

    :ivar colours: one per colour; the last one stands for the wild cards.
    """

    def __init__(self, card_words: CardWords, language: str) -> None:
        self._set = cards = card_words.cards
        letters = letters_of(cards, language)
        self.colours: list[Colour] = [
            {"name": name[language], "letter": letters[colour], "shape": shape_of(cards, colour), "key": name.en}
            for colour, name in enumerate(cards.colour_names)
        ]
        wild = {"name": WILD_CARDS[language], "letter": WILD_SHAPE, "shape": WILD_SHAPE, "key": WILD_KEY}
        self.colours.append(wild)
        self.names = [capital(name[language]) for name in cards.names]
        self.symbols = [capital(symbol_name(cards, kind, language)) for kind in range(cards.kinds)]
        self.cards: list[Card] = [
            {
                "name": name.en,
                "label": self.names[kind],
                "symbol": said(
                    card_words.signs.get(card_words.key(kind), symbol_name(cards, kind, language)), language
                ),
                "colour": None if cards.is_wild(kind) else self.colours[cards.colour[kind]],
            }
            for kind, name in enumerate(cards.names)
        ]

    def pick(self, kinds: Iterable[int], leaf: Callable[[int, str], Choice]) -> list[Choice]:
        """Return buttons for ``kinds`` grouped by colour; a colour with a single kind has no submenu."""
        groups: dict[int, list[int]] = {}
        for kind in sorted(kinds):
            groups.setdefault(self._set.colour[kind], []).append(kind)
        if len(groups) == 1:
            return [leaf(kind, self.names[kind]) for kind in next(iter(groups.values()))]
        return [
            leaf(group[0], self.names[group[0]])
            if len(group) == 1
            else self.of_colour(colour, [leaf(kind, self.symbols[kind]) for kind in group])
            for colour, group in groups.items()
        ]

    def of_colour(self, colour: int, choices: list[Choice]) -> Choice:
        """Return the button of a colour, or of the wild cards, with its cards as submenu."""
        shown = self.colours[colour]
        return {"label": capital(shown["name"]), "colour": shown, "next": choices}

    def colour_button(self, colour: int) -> Choice:
        shown = self.colours[colour]
        return {"label": capital(shown["name"]), "colour": shown}


@lru_cache(maxsize=32)  # there are three vocabularies and two languages
def faces_of(card_words: CardWords, language: str) -> Faces:
    return Faces(card_words, language)


def faces_in(game: Game, language: str) -> Faces:
    return faces_of(vocabulary_of(game).cards, language)


def card_of(game: Game, kind: int, language: str) -> Card | None:
    """Return the data of a card, or ``None`` if there is none or it is unknown."""
    return faces_in(game, language).cards[kind] if 0 <= kind < game.state.cards.kinds else None


def colour_of(game: Game, colour: int, language: str) -> Colour | None:
    """Return the data of a colour, or ``None`` if none is in force."""
    return faces_in(game, language).colours[colour] if colour >= 0 else None


def kinds_of(game: Game) -> list[int]:
    """Return the card kinds in the deck of the game, ascending."""
    return sorted(set(game.state.deck()))
