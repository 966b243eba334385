"""Which cards bring presses or cards in a game, for the tracking mode *counter*.

>>> from dispenser.rules import new_game
>>> [(charge.name.en, charge.number) for charge in charges(new_game("huit-americain", 3))]
[('Chain of aces', 0), ('10 not covered', 1), ('Forgot to say “Carte”', 2)]

All figures are the game's own: ``Rules.brings``, ``forgotten`` and ``offences``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dispenser.i18n import Text, worded
from dispenser.rules.engine.cards import SYMBOLS
from dispenser.rules.engine.demands import Brings, Owed
from dispenser.rules.engine.game import Game
from dispenser.rules.words.phrases import vocabulary_of
from dispenser.rules.words.vocabulary import FORGOTTEN


class Charge(NamedTuple):
    """A cause of presses or cards for a seat."""

    name: Text  # what people call it
    rule: str  # ID of its rule
    kind: Owed  # whether it is presses or cards
    number: int  # how many; 0 when it varies: ask the table
    most: int  # how many at most
    card: int | None = None  # a card that brings it, of the first colour where each colour has one
    also: tuple[str, ...] = ()  # IDs of the rules by which it also applies at another time, such as at the start


def charges(game: Game) -> Sequence[Charge]:
    """Return the charges that are possible with the options of this game, except for not playing."""
    return [*_by_cards(game), *_by_faults(game)]


def _by_cards(game: Game) -> Iterator[Charge]:
    rules, words = game.state, vocabulary_of(game).cards
    deck = [words.key(card) for card in rules.deck()]
    adding = [each for each in rules.brings if each.chain]
    of_chains = sum(each.number * deck.count(each.card) for each in adding if each.card is not None)
    told: set[str] = set()
    for each in rules.brings:
        if (each.card is not None and each.card not in deck) or (each.chain and each.rule in told):
            continue
        told.add(each.rule)
        number = 0 if each.chain else each.number
        most = number or each.most or of_chains
        name = _with_capital(each.name or _of_card(game, each))
        yield Charge(name, each.rule, rules.draws, number, most, each.card, each.also)


def _by_faults(game: Game) -> Iterator[Charge]:
    rules, words = game.state, vocabulary_of(game)
    faults = [(FORGOTTEN.filled(word=words.announcement), rules.forgotten)]
    faults += [(words.offences[offence], costs) for offence, costs in rules.offences.items()]
    for name, (rule, number) in faults:
        yield Charge(_with_capital(name), rule, rules.draws, number, number)


def _of_card(game: Game, brings: Brings) -> Text:
    """Return the name of a card without its colour."""
    assert brings.card is not None
    names = game.state.cards.names
    if brings.card >= SYMBOLS:
        return names[brings.card]
    parts = dict(names[brings.card].values)  # the name is filled with symbol or rank, and colour
    return next(text for part in ("symbol", "rank") if isinstance(text := parts.get(part), Text))


def _with_capital(name: Text) -> Text:
    return worded(_begun, name=name)


def _begun(language: str, name: Text) -> str:
    told = name[language]
    return told[:1].upper() + told[1:]
