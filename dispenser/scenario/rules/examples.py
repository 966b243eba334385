"""Examples of the rules: scenarios that are played again and told in sentences.

``examples.json`` has one or two for a rule, without what must follow: the tests' own scenario files have that, and
``python -m tests.scenarios.examples`` makes it from them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from dispenser.i18n import Text
from dispenser.rules.engine.cards import CardSet
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.playing_cards import PLAYING_CARDS
from dispenser.rules.engine.state import NO_CARD, NO_COLOUR
from dispenser.rules.library import book_of
from dispenser.rules.words.notation import move_text, without_announcement
from dispenser.rules.words.telling import Telling
from dispenser.scenario.rules.format import Step, parse
from dispenser.scenario.rules.played import PlayedGame
from dispenser.scenario.rules.player import do_step

FILE: Final = Path(__file__).with_name("examples.json")
_MOST_SHOWN: Final = 10
"""Cards of a hand; a larger one is told by its number."""
_SUITS: Final = ("clubs", "diamonds", "hearts", "spades")
_COLOURS: Final = ("red", "yellow", "green", "blue")
_WILD: Final = "wild"
_ALWAYS_SO: Final = {What.DEALER, What.TURNED_UP, What.TURN}
"""What every deal brings."""
_TRIES: Final = Text("{name} tries “{move}”.")


@dataclass(frozen=True, slots=True)
class Face:
    """A card as it is drawn.

    :ivar colour: ``red``, …, ``clubs``, … or ``wild``; empty for a card that nobody has seen.
    """

    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class Hand:
    """A player before the first move.

    :ivar cards: those that are named; ``others`` more are not.
    """

    name: str
    cards: tuple[Face, ...]
    others: int
    in_turn: bool


@dataclass(frozen=True, slots=True)
class Example:
    """A scenario in one language.

    :ivar options: what this table has chosen, by label, where it is not what is usual.
    :ivar top: the card on top before the first move, if one lies there.
    :ivar named: the colour in force, where the card on top does not show it.
    :ivar steps: what happens, a few sentences for each step.
    """

    options: tuple[tuple[str, int | str | bool], ...]
    top: Face | None
    named: Face | None
    hands: tuple[Hand, ...]
    steps: tuple[tuple[str, ...], ...]


@cache
def _examples() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    found: Mapping[str, Sequence[Mapping[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


@cache
def examples_of(rule_id: str, language: str) -> tuple[Example, ...]:
    """The examples of a rule; there may be none."""
    return tuple(tell(tables, language) for tables in _examples().get(rule_id, ()))


def tell(tables: Mapping[str, Any], language: str) -> Example:
    """Play a scenario and tell it.

    :raises TableError: it cannot be read.
    """
    scenario = parse(tables)
    played = PlayedGame(scenario.new_game(), scenario.names, language, scenario.presses)
    start, *steps = scenario.steps
    dealt = _play(start, played)
    before = dealt if played.told and not {event.what for event in played.told} <= _ALWAYS_SO else ()
    top, named, hands = _top(played), _named(played), tuple(_hands(played))
    told = [each for each in (before, *(_play(step, played) for step in steps)) if each]
    if told and (after := _whose_turn(played)):
        told[-1] = (*told[-1], after)
    return Example(_options(played), top, named, hands, tuple(told))


def _play(step: Step, played: PlayedGame) -> tuple[str, ...]:
    """Do what happens in a step, and say it."""
    telling = Telling(played.game, played.language, played.names)
    owed, refused = played.game.demand, do_step(step, played)
    tried = _refused(refused, step.said[refused], played) if refused else ()
    told = [*tried, *telling.events(played.told)]
    demand = played.game.demand
    if demand and not owed and (What.SKIPPED, demand.payer) not in {(each.what, each.seat) for each in played.told}:
        told.append(telling.demand(demand))  # what costs the turn as well has just been told
    return tuple(told)


def _refused(player: str, said: str, played: PlayedGame) -> Iterator[str]:
    """What was tried, and why not; what could be done instead is too much here."""
    game, seat = played.game, played.names.index(player)
    move = played.move(seat, without_announcement(game, said)[0])
    tried = move_text(game, move, played.language, played.names)
    yield played.say(_TRIES.filled(name=player, move=tried))
    if (error := played.refused) is not None:
        why = IllegalMove(error.rule, error.reason, seat=seat)
        yield Telling(game, played.language, played.names).error(why, move)


def _whose_turn(played: PlayedGame) -> str:
    state = played.state
    if state.turn < 0 or state.demands or state.question:
        return ""
    return Telling(played.game, played.language, played.names).event(Event(What.TURN, seat=state.turn))


def _options(played: PlayedGame) -> tuple[tuple[str, int | str | bool], ...]:
    book, chosen = book_of(played.game.game_id), played.state.options
    other = [option for option in book.options if chosen[option.name] != option.default]
    return tuple((played.say(option.label), chosen[option.name]) for option in other)


def _hands(played: PlayedGame) -> Iterator[Hand]:
    state = played.state
    for seat, name in enumerate(played.names):
        if seat not in state.gone:
            known = [card for card in range(state.cards.kinds) for _ in range(state.hands[seat][card])]
            cards = tuple(_face(played, card) for card in known) if len(known) <= _MOST_SHOWN else ()
            yield Hand(name, cards, state.sizes[seat] - len(cards), seat == state.turn)


def _top(played: PlayedGame) -> Face | None:
    talon = played.state.talon
    return _face(played, talon[-1]) if talon else None


def _named(played: PlayedGame) -> Face | None:
    """A colour that was named, or what a joker stands for."""
    state = played.state
    if not state.talon or state.top == NO_CARD:
        return None
    if state.top != state.talon[-1]:
        return _face(played, state.top)
    own = state.cards.colour[state.top] if state.top < state.cards.kinds else NO_COLOUR
    if state.colour in {own, NO_COLOUR}:
        return None
    return Face(played.say_colour(state.colour), _key(state.cards, state.colour))


def _face(played: PlayedGame, card: int) -> Face:
    cards = played.state.cards
    if not 0 <= card < cards.kinds:
        return Face("?", "")
    return Face(played.say_card(card), _key(cards, cards.colour[card]))


def _key(cards: CardSet, colour: int) -> str:
    if colour < 0:
        return _WILD
    return (_SUITS if cards is PLAYING_CARDS else _COLOURS)[colour]
