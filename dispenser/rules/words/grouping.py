"""List legal moves in few words: a free choice is named once, not once for each value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from dispenser.i18n import Text
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import LAYING, Act, Move
from dispenser.rules.words.cards import CardWords, card_part
from dispenser.rules.words.phrases import Name, phrases_of, seat_text, vocabulary_of

_FEW: Final = 3  # up to this many choices are listed; more are counted

_ANY_COLOUR: Final = Text("any {colour}")
_ANY_PLAYER: Final = Text("any other player")
_ANY_HANDS: Final = Text("any two hands")
_AS: Final = Text("as {cards}")
_AS_ANY: Final = Text("as any of {number} cards")
_MANY: Final = {
    Act.NAME: Text("name a {colour}"),
    Act.EFFECT: Text("effect: presses for a player"),
    Act.STAND: Text("stand for one of {number} cards"),
}
_VERBS: Final = {
    Act.LAY: Text("{cards}"),
    Act.JUMP_IN: Text("jump in with {cards}"),
    Act.CANCEL: Text("cancel with {cards}"),
}
_OR: Final = Text(" or ")


def group_moves(game: Game, moves: Iterable[Move], language: str, names: Sequence[Name] = ()) -> list[str]:
    """Describe the moves in groups: ``red 2, red 7``, ``wild or +4 (any colour)``, ``draw``.

    :param names: of the players, by seat.
    """
    groups: dict[tuple[Act, int | None], list[Move]] = {}
    for move in moves:
        groups.setdefault((move.act, move.card), []).append(move)
    cards = vocabulary_of(game).cards
    laid: dict[tuple[Act, str], list[str]] = {}
    others: list[str] = []
    for (act, card), group in groups.items():
        if card is not None and act in LAYING:
            name = card_part(cards, card).text if act is Act.LAY else cards.in_sentence(card)
            laid.setdefault((act, _choices(cards, group, language, names)), []).append(name[language])
        elif act in _MANY and len(group) > _FEW:
            number = len({move.stands_for for move in group})
            others.append(_MANY[act].filled(colour=cards.colour, number=number)[language])
        else:
            others += [phrases_of(game, names).text(move)[language] for move in group]
    return [
        _VERBS[act][language].format(cards=f"{_OR[language].join(names)} ({choice})" if choice else ", ".join(names))
        for (act, choice), names in laid.items()
    ] + others


def _choices(cards: CardWords, group: Sequence[Move], language: str, names: Sequence[Name]) -> str:
    """Describe the choices of a card."""
    stands, colours, seats = (_distinct(group, part) for part in ("stands_for", "colour", "seat"))
    if group[0].other is not None:
        return _ANY_HANDS[language]
    if len(stands) > _FEW:
        return _AS_ANY.filled(number=len(stands))[language]
    if stands:
        return _AS[language].format(cards=_OR[language].join(cards.cards.names[card][language] for card in stands))
    choices = []
    if len(colours) == len(cards.cards.colour_names):
        choices.append(_ANY_COLOUR.filled(colour=cards.colour)[language])
    elif colours:
        choices.append(_OR[language].join(cards.cards.colour_names[colour][language] for colour in colours))
    if seats:
        choices.append((_ANY_PLAYER if len(seats) > 1 else seat_text(seats[0], names))[language])
    return ", ".join(choices)


def _distinct(moves: Sequence[Move], part: str) -> list[int]:
    """Return the values of that part in the moves, without duplicates."""
    return list(dict.fromkeys(value for move in moves if (value := getattr(move, part)) is not None))
