"""Small tables for tests: cards by their names, games in the middle of things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from dispenser.rules.book import FreeText, Value, Values
from dispenser.rules.engine.cards import CardSet
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import LAYING, Act, Move
from dispenser.rules.engine.phases import IDLE, MATCH_OVER
from dispenser.rules.engine.state import State
from dispenser.rules.registry import GAMES, new_game


def some_of(values: Values) -> list[Value]:
    """What an option can be; of what a table writes, nothing, a short line, the longest."""
    return ["", "Zoé dit «\u00a0oui\u00a0».", "é" * values.most] if isinstance(values, FreeText) else list(values)


def card(cards: CardSet, name: str) -> int:
    """The kind with that English name."""
    return next(kind for kind, text in enumerate(cards.names) if text.en == name)


def cards_of(game_id: str, names: str) -> list[int]:
    """Kinds from English names with commas between: ``"red 7, wild"``."""
    return [card(GAMES[game_id].rules.cards, name.strip()) for name in names.split(",") if name.strip()]


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


def conserved(state: State) -> bool:
    """Whether hands, draw pile and talon are the whole deck (G-04)."""
    aside = () if state.hidden or state.next_first < 0 else (state.next_first,)
    there = Counter((*state.talon, *state.pile, *state.under, *state.rejected, *aside))
    for seat, hand in enumerate(state.hands):
        if sum(hand) != state.sizes[seat] or min(hand) < 0:
            return False
        there.update(state.held(seat))
    unknown = there.pop(state.unknown, 0)
    deck = Counter(state.deck())
    return there <= deck and (deck - there).total() == unknown


def hand(game: Game, seat: int) -> list[str]:
    """English names of the cards of a hand, by kind."""
    names = [text.en for text in game.state.cards.names] + ["?"]
    return [names[kind] for kind, count in enumerate(game.state.hands[seat]) for _ in range(count)]


def told(events: Sequence[Event]) -> list[tuple[What, int | None, int | None]]:
    """What happened, to whom, and how many; the demand that it was for is left out."""
    return [(event.what, event.seat, event.number) for event in events]


def acts(moves: Sequence[Move]) -> set[Act]:
    """What sorts of move there are."""
    return {move.act for move in moves}


def random_actions(game: Game, seed: int, actions: int) -> None:
    """Play on at random: any seat that may act does any legal move; demands are paid."""
    random = Random(seed)
    for _ in range(actions):
        if game.phase == MATCH_OVER:
            return
        actors = game.actors()
        if game.phase == IDLE:
            game.begin()
        elif game.state.demands and (not actors or random.random() < 0.8):
            game.fulfil_by_chance()
        else:
            seat = random.choice(actors)
            game.play(seat, any_move(game, seat, random))


def any_move(game: Game, seat: int, random: Random) -> Move:
    """A random legal move; a card rather than something else, so that rounds come to an end."""
    moves = game.legal_moves(seat)
    cards = [move for move in moves if move.act in LAYING]
    return random.choice(cards if cards and random.random() < 0.7 else moves)
