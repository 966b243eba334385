"""How a round begins, or where it stands already: who deals, which hands, which card first, which cards next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dispenser.language import Text
from dispenser.rules.engine import reasons
from dispenser.rules.engine.dealing import not_in
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Game
from dispenser.scenario.rules.reading import Each, several
from dispenser.scenario.rules.words import FACE_DOWN, MOST_CARDS, Words, number, one_of
from dispenser.tables import Mistakes, WrongValueError, mistake
from dispenser.tables.mistakes import Path

THE_REST: Final = "the rest"
DIRECTIONS: Final = {"left": 1, "right": -1}
_WRONG_DRAW: Final = Text(
    "dealer_draw: first a card for every player who draws, then one for each of those who drew the best, until one "
    "is left",
)
_LIKE_A_DRAW: Final = Text('write {{ {name} = "…" }}, and a list of such when some draw again')
_NOT_BOTH: Final = Text("give dealer or dealer_draw, not both")
_ITS_HAND: Final = Text('write the cards, how many there are, or "the rest"')
_ONLY_ONE: Final = Text('only one player can have "the rest"')
_MIDDLE: Final = Text('this is for the middle of a round: say whose turn it is there, turn = "…"')
_TOO_OFTEN: Final = Text("{card} stands {times} times in hands, pile, talon and first; the deck has {has}")


@dataclass(frozen=True, slots=True)
class Hand:
    """What is said of a hand: some of its cards, how many more nobody named, and whether it gets all that is left."""

    named: tuple[int, ...]
    others: int = 0
    rest: bool = False


def _begin(game: Game, draws: Sequence[tuple[int, int]], said: dict[str, Any]) -> list[Event]:
    """Begin the round.

    :param draws: cards drawn for the deal, seat and card, in the order of drawing.
    :param said: what else is said of it, for ``Game.begin``.
    :raises IllegalMove: the game refuses.
    :raises WrongValueError: the cards drawn for the deal are not those that had to be drawn.
    """
    drawn = [card for _, card in draws]
    given: dict[str, Any] = {} if game.state.chance is not None else {"pile": ()}
    try:
        events = game.begin(draws=drawn or None, **given | said)
    except IllegalMove as error:
        if error.reason in {reasons.MORE_DRAWS, reasons.FEWER_DRAWS}:
            raise WrongValueError(_WRONG_DRAW) from error
        raise
    if draws and draws != tuple((each.seat, each.card) for each in events if each.what is What.DEALER_DREW):
        raise WrongValueError(_WRONG_DRAW)
    return events


def _hand(words: Words, value: Any) -> Hand:
    if value == THE_REST:
        return Hand((), rest=True)
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST_CARDS:
        return Hand((), others=value)
    if not isinstance(value, list):
        raise WrongValueError(_ITS_HAND)
    named = [each for each in value if each not in (FACE_DOWN, THE_REST)]
    return Hand(words.cards(named), others=value.count(FACE_DOWN), rest=THE_REST in value)


def _draws(words: Words, value: Any) -> tuple[tuple[int, int], ...]:
    """``dealer_draw = [{ Ana = "red 9", Ben = "blue 9" }, { Ana = "red 1", Ben = "red 2" }]``: who ties draws again."""
    turns = value if isinstance(value, list) else [value]
    if not all(isinstance(turn, dict) for turn in turns):
        raise WrongValueError(_LIKE_A_DRAW.filled(name=words.names[0]))
    return tuple(
        draw for turn in turns for draw in sorted((words.seat(name), words.card(card)) for name, card in turn.items())
    )


def direction(_words: Words, value: Any) -> int:
    return DIRECTIONS[one_of(DIRECTIONS, value)]


HANDS: Final = Each(_hand, _ITS_HAND)
DEAL: Final[Mapping[str, Any]] = {
    "dealer": Words.seat,
    "dealer_draw": _draws,
    "hands": Each(_hand),  # who is out of the match has none
    "first": Words.card,
    "pile": several(Words.card),
}
"""What may be said of a deal."""
MATCH_UNDER_WAY: Final[Mapping[str, Any]] = {
    "talon": several(Words.card),
    "score": Each(number),
    "turn": Words.seat,
    "direction": direction,
    "colour": Words.colour,
}
"""What may be said, too, of the first deal of a match that was begun elsewhere."""


def deal_of(said: Mapping[str, Any], words: Words, mistakes: Mistakes, path: Path) -> Callable[[Game], list[Event]]:
    """How to deal, out of what was read; what does not go together is a mistake."""
    if "dealer" in said and "dealer_draw" in said:
        mistakes.note(mistake((*path, "dealer_draw"), _NOT_BOTH))
    for key in ("direction", "colour"):
        if key in said and "turn" not in said:
            mistakes.note(mistake((*path, key), _MIDDLE))
    rest = {
        key: said[key] for key in ("dealer", "first", "pile", "talon", "turn", "direction", "colour") if key in said
    }
    if "score" in said:
        rest["scores"] = tuple(said["score"].get(name, 0) for name in words.names)
    if "hands" in said:
        rest["hands"] = _dealt(said, words, mistakes, (*path, "hands"))
    return lambda game: _begin(game, said.get("dealer_draw", ()), rest)


def _dealt(said: Mapping[str, Any], words: Words, mistakes: Mistakes, path: Path) -> tuple[tuple[int, ...], ...]:
    """The hands as the game may know them: nothing but their sizes when they are hidden."""
    state = words.game.state
    hands: Sequence[Hand] = [said["hands"].get(name, Hand(())) for name in words.names]
    named = [card for hand in hands for card in hand.named]
    named += [*said.get("pile", ()), *said.get("talon", ()), *([said["first"]] if "first" in said else [])]
    for card in dict.fromkeys(not_in(named, state.deck())):
        times, has = named.count(card), list(state.deck()).count(card)
        mistakes.note(mistake(path, _TOO_OFTEN.filled(card=state.cards.names[card], times=times, has=has)))
    if sum(hand.rest for hand in hands) > 1:
        mistakes.note(mistake(path, _ONLY_ONE))
    left = not_in(state.deck(), named)
    if state.hidden:
        return tuple((state.unknown,) * (len(hand.named) + hand.others + len(left) * hand.rest) for hand in hands)
    others = [[left.pop(len(left) // 2) for _ in range(min(hand.others, len(left)))] for hand in hands]
    return tuple((*hand.named, *more, *(left if hand.rest else ())) for hand, more in zip(hands, others, strict=True))
