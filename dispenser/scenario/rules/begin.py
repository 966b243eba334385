"""How a round begins, or where it stands already: who deals, which hands, which card first, which cards next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from dispenser.config import WrongValueError
from dispenser.i18n import Text
from dispenser.rules.engine import reasons
from dispenser.rules.engine.dealing import not_in
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import Event, What
from dispenser.scenario.rules.played import FACE_DOWN, MOST_CARDS, Each, PlayedGame, as_list, several

THE_REST: Final = "the rest"
_WRONG_DRAW: Final = Text(
    "dealer_draw: first a card for every player who draws, then one for each of those who drew the best, until one "
    "is left",
)
_ITS_HAND: Final = Text('write the cards, how many there are, or "the rest"')


class DealtHand(NamedTuple):
    """What is said of a hand: some of its cards, how many more nobody named, and whether it gets all that is left."""

    named: tuple[int, ...] = ()
    others: int = 0
    rest: bool = False


def _hand(played: PlayedGame, value: Any) -> DealtHand:
    if value == THE_REST:
        return DealtHand(rest=True)
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST_CARDS:
        return DealtHand(others=value)
    if not isinstance(value, list):
        raise WrongValueError(_ITS_HAND)
    named = [each for each in value if each not in (FACE_DOWN, THE_REST)]
    return DealtHand(played.cards(named), others=value.count(FACE_DOWN), rest=THE_REST in value)


def _draws(played: PlayedGame, value: Any) -> tuple[tuple[int, int], ...]:
    """``dealer_draw = [{ Ana = "red 9", Ben = "blue 9" }, { Ana = "red 1", Ben = "red 2" }]``: who ties draws again."""
    turns = as_list(value)
    if not all(isinstance(turn, dict) for turn in turns):
        like_this = Text('write {{ {name} = "…" }}, and a list of such when some draw again')
        raise WrongValueError(like_this.filled(name=played.names[0]))
    drawn = [sorted((played.seat(name), played.card(card)) for name, card in turn.items()) for turn in turns]
    return tuple(draw for turn in drawn for draw in turn)


DEAL: Final[Mapping[str, Any]] = {
    "dealer": PlayedGame.seat,
    "dealer_draw": _draws,
    "hands": Each(_hand),  # who is out of the match has none
    "first": PlayedGame.card,
    "pile": several(PlayedGame.card),
}
"""What may be said of a deal."""
HANDS: Final = Each(_hand, _ITS_HAND)
MATCH_UNDER_WAY: Final[Mapping[str, Any]] = {
    "talon": several(PlayedGame.card),
    "score": Each(int),
    "turn": PlayedGame.seat,
    "direction": PlayedGame.direction,
    "colour": PlayedGame.colour,
}
"""What may be said, too, of the first deal of a match that was begun elsewhere."""
_AS_SAID: Final = ("dealer", "first", "pile", "talon", "turn", "direction", "colour")


def check_deal(said: Mapping[str, Any], played: PlayedGame) -> Iterator[tuple[str, Text]]:
    """What does not go together in a deal: the key that it is about, and what is wrong."""
    if "dealer" in said and "dealer_draw" in said:
        yield "dealer_draw", Text("give dealer or dealer_draw, not both")
    for key in ("direction", "colour"):
        if key in said and "turn" not in said:
            yield key, Text('this is for the middle of a round: say whose turn it is there, turn = "…"')
    if "pile" in said and played.state.hidden and played.state.chance is None:
        yield "pile", Text("in a hidden game nobody knows the pile; say what comes out where it does")
    if "hands" in said:
        deck, named = played.state.deck(), _named(said)
        for card in dict.fromkeys(not_in(named, deck)):
            too_often = Text("{card} stands {times} times in hands, pile, talon and first; the deck has {has}")
            times, has = named.count(card), list(deck).count(card)
            yield "hands", too_often.filled(card=played.state.cards.names[card], times=times, has=has)
        if sum(hand.rest for hand in said["hands"].values()) > 1:
            yield "hands", Text('only one player can have "the rest"')


def begin(played: PlayedGame, said: Mapping[str, Any]) -> list[Event]:
    """Deal as it was said, and compare who drew which card for it.

    :raises IllegalMove: the game refuses.
    :raises WrongValueError: the cards drawn for the deal are not those that had to be drawn.
    """
    deal = {key: said[key] for key in _AS_SAID if key in said}
    if "score" in said:
        deal["scores"] = tuple(said["score"].get(name, 0) for name in played.names)
    if "hands" in said:
        deal["hands"] = _hands(said, played)
    if played.state.chance is None:
        deal.setdefault("pile", ())
    draws = said.get("dealer_draw", ())
    try:
        events = played.game.begin(draws=[card for _, card in draws] or None, **deal)
    except IllegalMove as error:
        if error.reason not in {reasons.MORE_DRAWS, reasons.FEWER_DRAWS}:
            raise
        events = []
    if draws and draws != tuple((each.seat, each.card) for each in events if each.what is What.DEALER_DREW):
        raise WrongValueError(_WRONG_DRAW)
    return events


def _named(said: Mapping[str, Any]) -> list[int]:
    """The cards that are named anywhere."""
    lying = [card for key in ("pile", "talon") for card in said.get(key, ())]
    return [*(card for hand in said["hands"].values() for card in hand.named), *lying, *as_list(said.get("first", []))]


def _hands(said: Mapping[str, Any], played: PlayedGame) -> tuple[tuple[int, ...], ...]:
    """The hands as the game may know them: nothing but their sizes when they are hidden."""
    state, left = played.state, not_in(played.state.deck(), _named(said))
    hands: list[DealtHand] = [said["hands"].get(name, DealtHand()) for name in played.names]
    if state.hidden:
        return tuple((state.unknown,) * (len(hand.named) + hand.others + len(left) * hand.rest) for hand in hands)
    others = [[left.pop(len(left) // 2) for _ in range(min(hand.others, len(left)))] for hand in hands]
    return tuple((*hand.named, *more, *(left if hand.rest else ())) for hand, more in zip(hands, others, strict=True))
