"""Small tables for tests: cards by their names, games in the middle of things."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from dispenser.rules import GAMES, Game, new_game
from dispenser.rules.cards import CardSet
from dispenser.rules.moves import DRAW, Move, kind_of
from dispenser.rules.state import IDLE, MATCH_OVER


def card(cards: CardSet, name: str) -> int:
    """The kind with that English name."""
    return next(kind for kind, text in enumerate(cards.names) if text.en == name)


def cards_of(game_id: str, names: str) -> list[int]:
    """Kinds from English names with commas between: ``"red 7, wild"``."""
    return [card(GAMES[game_id].cards, name.strip()) for name in names.split(",") if name.strip()]


def deal(
    game_id: str,
    hands: Sequence[str],
    first: str,
    pile: str = "",
    *,
    dealer: int = -1,
    hidden: bool = False,
    **options: Any,
) -> Game:
    """A round with those hands and that card turned up, the pile in that order; the last seat deals, if not said.

    Underscores in the names of options stand for hyphens.
    """
    named = {name.replace("_", "-"): value for name, value in options.items()}
    game = new_game(game_id, len(hands), named, hidden=hidden)
    game.begin(
        dealer=dealer % len(hands),
        hands=[cards_of(game_id, hand) for hand in hands],
        first=cards_of(game_id, first)[0],
        pile=cards_of(game_id, pile),
    )
    return game


def hand(game: Game, seat: int) -> list[str]:
    """English names of the cards of a hand, by kind."""
    names = [text.en for text in game.cards.names] + ["?"]
    return [names[kind] for kind, count in enumerate(game.hands[seat]) for _ in range(count)]


def kinds(moves: Sequence[Move]) -> set[Move]:
    """What kinds of move there are."""
    return {kind_of(move) for move in moves}


def random_actions(game: Game, seed: int, actions: int) -> None:
    """Play on at random: any seat that may act does any legal move; demands are paid."""
    random = Random(seed)
    for _ in range(actions):
        if game.phase == MATCH_OVER:
            return
        actors = game.actors()
        if game.phase == IDLE:
            game.begin()
        elif game.demands and (not actors or random.random() < 0.8):
            game.fulfil()
        else:
            seat = random.choice(actors)
            game.play(seat, any_move(game, seat, random))


def any_move(game: Game, seat: int, random: Random) -> Move:
    """A random legal move; a card rather than something else, so that rounds come to an end."""
    moves = game.legal_moves(seat)
    cards = [move for move in moves if kind_of(move) < DRAW]
    return random.choice(cards if cards and random.random() < 0.7 else moves)
