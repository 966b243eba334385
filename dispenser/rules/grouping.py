"""Legal moves in few words: what can be chosen freely is said once, not once for each choice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from dispenser.rules.book.entry import Text
from dispenser.rules.card_words import card_part, with_article
from dispenser.rules.cards import PLAYING_CARDS
from dispenser.rules.game import Game
from dispenser.rules.moves import (
    CANCEL,
    EFFECT,
    JUMP_IN,
    NAME,
    PLAY,
    STAND,
    Move,
    card_of,
    first_choice,
    kind_of,
    second_choice,
)
from dispenser.rules.notation import move_text, seat_text
from dispenser.rules.phrases import AIM, COLOUR, STAND_FOR, SWAP, Name, Vocabulary, asked_by

_FEW: Final = 3
"""So many choices are listed; more are counted."""

_SEVERAL: Final = 4
"""So many cards that a joker can stand for are listed, when one of them is asked for."""
_TWO_OF: Final = Text("two of {}", "deux parmi {}")
_AND_WHO: Final = Text("{}; and who: {}", "{}\u00a0; et qui\u00a0: {}")
_ANY_COLOUR: Final = {False: Text("any colour", "couleur au choix"), True: Text("any suit", "couleur au choix")}
_ANY_PLAYER: Final = Text("any other player", "joueur au choix")
_ANY_HANDS: Final = Text("any two hands", "deux mains au choix")
_AS: Final = Text("as ", "en ")
_AS_ANY: Final = Text("as any of {} cards", "{} cartes possibles")
_NAME_ANY: Final = {False: Text("name a colour", "nommer une couleur"), True: Text("name a suit", "nommer une couleur")}
_EFFECT: Final = Text("effect: presses for a player", "effet\u00a0: des appuis pour quelqu’un")
_STAND_FOR: Final = Text("stand for one of {} cards", "valoir l’une des {} cartes possibles")
_VERBS: Final = {JUMP_IN: Text("jump in with ", "court-circuiter avec "), CANCEL: Text("cancel with ", "annuler avec ")}
_OR: Final = Text(" or ", " ou ")


def group_moves(game: Game, moves: Iterable[Move], language: str, names: Sequence[Name] = ()) -> list[str]:
    """What the moves are, in groups: ``red 2, red 7``, ``wild or +4 (any colour)``, ``draw``.

    :param names: of the players, by seat.
    """
    vocabulary = Vocabulary.of(game, names)
    groups: dict[tuple[int, int], list[Move]] = {}
    for move in moves:
        kind = kind_of(move)
        groups.setdefault((kind, card_of(move) if kind in {PLAY, JUMP_IN, CANCEL} else -1), []).append(move)
    laid: dict[tuple[int, str], list[str]] = {}
    others: list[str] = []
    for (kind, card), group in groups.items():
        if card >= 0:
            choice = _choices(vocabulary, group, language)
            name = card_part(game.cards, card).text[language]
            name = name if kind == PLAY else with_article(game.cards, card, language)
            laid.setdefault((kind, choice), []).append(name)
        elif kind in {NAME, EFFECT, STAND} and len(group) > _FEW:
            others.append(_many(kind, group, language, suits=game.cards is PLAYING_CARDS))
        else:
            others += [move_text(game, move, language, names) for move in group]
    return [_laid(kind, cards, choice, language) for (kind, choice), cards in laid.items()] + others


def list_choices(game: Game, moves: Sequence[Move], language: str, names: Sequence[Name] = ()) -> str:
    """Everything that can be chosen with a card, to be picked from: ``red, yellow, green, blue; and who: Bob, Chloé``.

    :param moves: the ways to lay one card; what they have in common has been chosen already.
    """
    vocabulary = Vocabulary.of(game, names)
    asked = asked_by(vocabulary, card_of(moves[0]))
    firsts = list(dict.fromkeys(first_choice(move) for move in moves))
    seconds = [second for second in dict.fromkeys(second_choice(move) for move in moves) if second >= 0]
    colours = game.cards.colour_names
    if asked == SWAP:
        seats = sorted({*firsts, *seconds})
        return _TWO_OF[language].format(", ".join(seat_text(seat, names)[language] for seat in seats))
    if asked == STAND_FOR and len(firsts) == 1:
        return ", ".join(colours[suit][language] for suit in seconds)
    if asked == STAND_FOR:
        cards = [card_part(game.cards, card).text[language] for card in firsts]
        return ", ".join(cards[:_SEVERAL]) + ("…" if len(cards) > _SEVERAL else "")
    told = ", ".join(colours[colour][language] for colour in firsts)
    players = ", ".join(seat_text(seat, names)[language] for seat in seconds)
    if not players or len(seconds) == 1 < len(firsts):
        return told
    return players if len(firsts) == 1 else _AND_WHO[language].format(told, players)


def _laid(kind: int, cards: Sequence[str], choice: str, language: str) -> str:
    verb = _VERBS[kind][language] if kind in _VERBS else ""
    if not choice:
        return verb + ", ".join(cards)
    return f"{verb}{_OR[language].join(cards)} ({choice})"


def _many(kind: int, group: Sequence[Move], language: str, *, suits: bool) -> str:
    if kind == NAME:
        return _NAME_ANY[suits][language]
    if kind == EFFECT:
        return _EFFECT[language]
    return _STAND_FOR[language].format(len({card_of(move) for move in group}))


def _choices(vocabulary: Vocabulary, group: Sequence[Move], language: str) -> str:
    """What can be chosen with a card."""
    asked = asked_by(vocabulary, card_of(group[0]))
    chosen = list(dict.fromkeys(first_choice(move) for move in group))
    if chosen == [-1]:
        return ""
    if asked == COLOUR:
        return _colours(vocabulary, chosen, language)
    if asked == AIM:
        seats = list(dict.fromkeys(second_choice(move) for move in group))
        return f"{_colours(vocabulary, chosen, language)}, {_players(vocabulary, seats, language)}"
    if asked == SWAP:
        return _ANY_HANDS[language]
    if asked == STAND_FOR and len(chosen) > _FEW:
        return _AS_ANY[language].format(len(chosen))
    return _AS[language] + _OR[language].join(card_part(vocabulary.cards, card).text[language] for card in chosen)


def _colours(vocabulary: Vocabulary, chosen: Sequence[int], language: str) -> str:
    if len(chosen) == len(vocabulary.cards.colour_names):
        return _ANY_COLOUR[vocabulary.cards is PLAYING_CARDS][language]
    return _OR[language].join(vocabulary.cards.colour_names[colour][language] for colour in chosen)


def _players(vocabulary: Vocabulary, seats: Sequence[int], language: str) -> str:
    if len(seats) > 1:
        return _ANY_PLAYER[language]
    return seat_text(seats[0], vocabulary.names)[language]
