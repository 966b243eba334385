"""Examples for the rule book: scenarios, played and told in sentences.

``examples.json`` has one or two per rule, without expectations. ``python -m tests.scenarios.examples`` makes it from
the scenario files of the tests.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from dispenser.i18n import Text
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.state import NO_CARD, NO_COLOUR
from dispenser.rules.library import book_of
from dispenser.rules.words.narrator import Narrator
from dispenser.rules.words.notation import move_text, without_announcement
from dispenser.scenario.rules.format import parse
from dispenser.scenario.rules.played import PlayedGame, Step
from dispenser.scenario.rules.player import do_step

FILE: Final = Path(__file__).with_name("examples.json")
_MOST_SHOWN: Final = 10  # Cards of a hand; of a larger one only the size is shown
_WILD: Final = "wild"
_ALWAYS_SO: Final = {What.DEALER, What.TURNED_UP, What.TURN}  # Events of every deal
_TRIES: Final = Text("{name} tries “{move}”.")


class Face(NamedTuple):
    """A card for display.

    :ivar colour: ``red``, …, ``clubs``, … or ``wild``; empty for an unknown card.
    """

    name: str
    colour: str


class Hand(NamedTuple):
    """A player's hand before the first move.

    :ivar cards: the known cards; ``others`` is the number of the rest.
    """

    name: str
    cards: tuple[Face, ...]
    others: int
    in_turn: bool


class Example(NamedTuple):
    """An example in one language.

    :ivar options: options, by label, that differ from the default.
    :ivar top: the card on top before the first move, if there is one.
    :ivar named: the colour in force, if the card on top does not show it.
    :ivar steps: sentences about each step.
    """

    options: tuple[tuple[str, int | str | bool], ...]
    top: Face | None
    named: Face | None
    hands: tuple[Hand, ...]
    steps: tuple[tuple[str, ...], ...]


@cache
def _examples() -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))


@cache
def examples_of(rule_id: str, language: str) -> tuple[Example, ...]:
    """Return the examples of a rule; there may be none."""
    return tuple(tell(tables, language) for tables in _examples().get(rule_id, ()))


def tell(tables: Mapping[str, Any], language: str) -> Example:
    """Play a scenario and describe it.

    :raises TableError: the scenario is invalid.
    """
    scenario = parse(tables)
    played = PlayedGame(scenario.new_game(), scenario.names, language, scenario.presses)
    narrator, state = Narrator(played.game, language, played.names), played.state
    start, *steps = scenario.steps
    dealt = tuple(_played(start, played, narrator))
    before = () if {event.what for event in played.told} <= _ALWAYS_SO else dealt
    chosen = [option for option in book_of(played.game.game_id).options if state.options[option.name] != option.default]
    options = tuple((played.say(option.label), state.options[option.name]) for option in chosen)
    top = _face(played, state.talon[-1]) if state.talon else None
    named, hands = _named(played), tuple(_hands(played))
    told = [each for each in (before, *(tuple(_played(step, played, narrator)) for step in steps)) if each]
    if told and state.turn >= 0 and not state.demands and not state.question:
        told[-1] = (*told[-1], narrator.event(Event(What.TURN, seat=state.turn)))
    return Example(options, top, named, hands, tuple(told))


def _played(step: Step, played: PlayedGame, narrator: Narrator) -> Iterator[str]:
    """Perform a step and yield sentences about it."""
    game = played.game
    owed, player = game.demand, do_step(step, played)
    if played.refused is not None:  # alternatives are not listed
        seat = played.names.index(player)
        move = played.move(seat, without_announcement(game, step.said[player])[0])
        yield played.say(_TRIES.filled(name=player, move=move_text(game, move, played.language, played.names)))
        yield narrator.error(IllegalMove(played.refused.rule, played.refused.reason, seat=seat), move)
    yield from narrator.events(played.told)
    demand = game.demand
    if demand and not owed and (What.SKIPPED, demand.payer) not in {(each.what, each.seat) for each in played.told}:
        yield narrator.demand(demand)  # a demand that skips the turn was described by that event


def _hands(played: PlayedGame) -> Iterator[Hand]:
    state = played.state
    for seat, name in enumerate(played.names):
        if seat not in state.gone:
            known = [card for card in range(state.cards.kinds) for _ in range(state.hands[seat][card])]
            cards = tuple(_face(played, card) for card in known) if len(known) <= _MOST_SHOWN else ()
            yield Hand(name, cards, state.sizes[seat] - len(cards), seat == state.turn)


def _named(played: PlayedGame) -> Face | None:
    """Return a colour that was named, or what a joker stands for."""
    state = played.state
    if not state.talon or state.top == NO_CARD:
        return None
    if state.top != state.talon[-1]:
        return _face(played, state.top)
    own = state.cards.colour[state.top] if state.top < state.cards.kinds else NO_COLOUR
    if state.colour in {own, NO_COLOUR}:
        return None
    return Face(played.say_colour(state.colour), _key(played, state.colour))


def _face(played: PlayedGame, card: int) -> Face:
    cards = played.state.cards
    return Face(played.say_card(card), _key(played, cards.colour[card]) if 0 <= card < cards.kinds else "")


def _key(played: PlayedGame, colour: int) -> str:
    return played.state.cards.colour_names[colour].en if colour >= 0 else _WILD
