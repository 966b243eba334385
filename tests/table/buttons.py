"""Phones for tests: what their buttons send, and matches played at random."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from dispenser.rules import Game, new_game
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.phases import IDLE, MATCH_OVER
from dispenser.rules.engine.record import notes_of
from dispenser.table.questions import question

NAMES = ("Léa", "Bob", "Chloé", "Zoé")
OPTIONS: dict[str, dict[str, Any]] = {
    "uno-extreme": {"customizable": 3},
    "uno": {},
    "huit-americain": {"jokers": True},
    "151": {},
    "uno-vache": {"white": 2},
}
STEPS = 250


def leaves(tree: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What is sent from a tree, and what is shown dim in it."""
    for choice in tree:
        if "next" in choice:
            assert len(choice["next"]) > 1, "a level with one option asks for a tap in vain"
            assert "send" not in choice
            yield from leaves(choice["next"])
        else:
            yield choice


def taps(tree: Sequence[dict[str, Any]], move: list[Any]) -> int:
    """How many taps it takes to send that action; 0 when it cannot be sent."""
    for choice in tree:
        if choice.get("send", {}).get("action") == move:
            return 1
        below = taps(choice.get("next", ()), move)
        if below:
            return below + 1
    return 0


def cards_in(tree: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The names of the cards on its buttons."""
    for choice in tree:
        if "card" in choice:
            yield choice["card"]["name"]
        yield from cards_in(choice.get("next", ()))


def played(game: Game, seed: int, steps: int = STEPS) -> Iterator[Random]:
    """Play at random and pause before each action."""
    random = Random(seed)
    for _ in range(steps):
        if game.phase is MATCH_OVER:
            return
        yield random
        if game.question is not None:
            answered(game, random)
        elif game.phase is IDLE:
            game.begin(dealer=random.choice(game.state.still_in()))
        elif game.demand is not None:
            most = game.state.available()
            number = game.demand.number if game.demand.kind is Owed.CARDS else random.choice((0, 0, 0, 2, 3))
            game.fulfil(min(most, number))
        else:
            seat = random.choice(game.actors())
            game.play(seat, random.choice(game.legal_moves(seat)))


def answered(game: Game, random: Random) -> None:
    """Answer as the buttons for it have it."""
    asked = question(game, "en", NAMES)
    assert asked is not None
    choice = random.choice([leaf for leaf in leaves(asked["choices"]) if "pick" not in leaf])
    if "number" in choice:
        choice["send"]["action"][2] = random.randint(choice["number"]["least"], choice["number"]["most"])
    game.attempt(notes_of(game.state.cards).read(sent(choice)))


def sent(choice: dict[str, Any]) -> list[Any]:
    """The action of a button, as it comes back from a phone."""
    command = json.loads(json.dumps(choice["send"]))
    assert command["do"] == "act"
    action: list[Any] = command["action"]
    return action


def match(game_id: str, *, hidden: bool, seats: int = 4) -> Game:
    return new_game(game_id, seats, OPTIONS[game_id], hidden=hidden, seed=None if hidden else 7)
