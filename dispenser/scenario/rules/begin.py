"""How a round begins, or where it stands already: who deals, which hands, which card first, which cards next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from dispenser.rules import reasons
from dispenser.rules.book.entry import Text
from dispenser.rules.engine.dealing import not_in
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Game
from dispenser.scenario.rules.reading import (
    Key,
    ScenarioError,
    WrongInsideError,
    WrongValueError,
    equal,
    list_of,
    one_of,
    table_of,
    within,
)
from dispenser.scenario.rules.words import FACE_DOWN, MOST_CARDS, Words, number

THE_REST: Final = "the rest"
DIRECTIONS: Final = {"left": 1, "right": -1}
_WRONG_DRAW: Final = Text(
    "dealer_draw: first a card for every player who draws, then one for each of those who drew the best, until one "
    "is left"
)
_NO_HAND: Final = Text("in a file, what stands below [hands] is a hand: write this line above it")
_MIDDLE: Final = Text('this is for the middle of a round: say whose turn it is there, turn = "…"')
_ITS_HAND: Final = Text('write the cards, how many there are, or "{rest}"').filled(rest=THE_REST)


@dataclass(frozen=True, slots=True)
class Hand:
    """What is said of a hand: some of its cards, how many more nobody named, and whether it gets all that is left."""

    named: tuple[int, ...]
    others: int = 0
    rest: bool = False


@dataclass(frozen=True, slots=True)
class Deal:
    """What is said about the beginning of a round; ``None`` and empty is left to the game.

    :ivar draws: cards drawn for the deal, seat and card, in the order of drawing.
    :ivar pile: the next cards of the draw pile, the next one first.
    :ivar middle: ``turn``, and what else there is to say of a round that is under way.
    """

    dealer: int | None = None
    draws: tuple[tuple[int, int], ...] = ()
    hands: tuple[tuple[int, ...], ...] | None = None
    first: int | None = None
    pile: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    talon: tuple[int, ...] = ()
    middle: Mapping[str, int] = field(default_factory=dict)

    def do(self, game: Game) -> list[Event]:
        """Begin the round.

        :raises IllegalMove: the game refuses.
        :raises ScenarioError: the cards drawn for the deal are not those that had to be drawn.
        """
        drawn = [card for _, card in self.draws]
        pile = self.pile if self.pile or game.state.chance is None else None
        try:
            events = game.begin(
                dealer=self.dealer,
                draws=drawn or None,
                hands=self.hands,
                pile=pile,
                first=self.first,
                talon=self.talon or None,
                scores=self.scores or None,
                **self.middle,
            )
        except IllegalMove as error:
            if error.reason in {reasons.MORE_DRAWS, reasons.FEWER_DRAWS}:
                raise ScenarioError(_WRONG_DRAW) from error
            raise
        if self.draws and self.draws != tuple(
            (each.seat, each.card) for each in events if each.what is What.DEALER_DREW
        ):
            raise ScenarioError(_WRONG_DRAW)
        return events


def deal_keys(words: Words, above: Iterable[str] = (), *, all_hands: bool = False) -> dict[str, Key]:
    """What may be said of a deal, at the top of the file or below a step's ``deal``.

    :param above: keys that stand above ``[hands]`` in a file, and are no players when they stand below it.
    :param all_hands: every player has one; later some may be out of the match.
    """
    return {
        "dealer": Key(words.seat),
        "dealer_draw": Key(_draws(words)),
        "hands": Key(_hands(words, above, all_hands=all_hands)),
        "first": Key(words.card),
        "pile": Key(words.cards),
        "talon": Key(words.cards),
        "score": Key(table_of({name: Key(number) for name in words.names})),
        "turn": Key(words.seat),
        "direction": Key(one_of(DIRECTIONS)),
        "colour": Key(words.colour),
    }


def deal_of(said: Mapping[str, Any], words: Words, mistakes: list[Text]) -> Deal:
    """The deal out of what was read; cards that the deck has not so often are a mistake."""
    if "dealer" in said and "dealer_draw" in said:
        mistakes.append(within("dealer_draw", Text("give dealer or dealer_draw, not both")))
    stray = [key for key in ("direction", "colour") if key in said and "turn" not in said]
    mistakes += [within(key, _MIDDLE) for key in stray]
    game = words.game
    hands: Sequence[Hand] | None = said.get("hands")
    named = [card for hand in hands or () for card in hand.named]
    named += [*said.get("pile", ()), *said.get("talon", ()), *([said["first"]] if "first" in said else [])]
    for card in dict.fromkeys(not_in(named, game.state.deck()) if hands is not None else ()):
        name, times, has = game.state.cards.names[card], named.count(card), list(game.state.deck()).count(card)
        mistakes.append(
            within(
                "hands",
                Text("{name} stands {times} times in hands, pile, talon and first; the deck has {has}").filled(
                    name=name, times=times, has=has
                ),
            )
        )
    score: Mapping[str, int] = said.get("score", {})
    return Deal(
        dealer=said.get("dealer"),
        draws=said.get("dealer_draw", ()),
        hands=None if hands is None or mistakes else _dealt(hands, named, game),
        first=said.get("first"),
        pile=said.get("pile", ()),
        scores=tuple(score.get(name, 0) for name in words.names) if score else (),
        talon=said.get("talon", ()),
        middle={key: said[key] for key in ("turn", "direction", "colour") if key in said},
    )


def _dealt(hands: Sequence[Hand], named: Sequence[int], game: Game) -> tuple[tuple[int, ...], ...]:
    """The hands as the game may know them: nothing but their sizes when they are hidden."""
    rest = not_in(game.state.deck(), named)
    if game.state.hidden:
        return tuple((game.state.unknown,) * (len(hand.named) + hand.others + len(rest) * hand.rest) for hand in hands)
    others = [[rest.pop(len(rest) // 2) for _ in range(min(hand.others, len(rest)))] for hand in hands]
    return tuple((*hand.named, *more, *(rest if hand.rest else ())) for hand, more in zip(hands, others, strict=True))


def _hands(words: Words, above: Iterable[str], *, all_hands: bool) -> Any:
    missing = _ITS_HAND if all_hands else None
    read_hands = table_of({name: Key(lambda value: _hand(words, value), missing) for name in words.names})

    def read(value: Any) -> tuple[Hand, ...]:
        if isinstance(value, dict):
            wrong = [each for each in value if each in above and each not in words.names]
            if wrong:
                raise WrongInsideError(within(equal(each, value[each]), _NO_HAND) for each in wrong)
        hands = read_hands(value)
        if sum(hand.rest for hand in hands.values()) > 1:
            raise WrongInsideError([Text('only one player can have "{rest}"').filled(rest=THE_REST)])
        return tuple(hands.get(name, Hand(())) for name in words.names)

    return read


def _hand(words: Words, value: Any) -> Hand:
    if value == THE_REST:
        return Hand((), rest=True)
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST_CARDS:
        return Hand((), others=value)
    if not isinstance(value, list):
        raise WrongValueError(_ITS_HAND)
    named = [each for each in value if each not in (FACE_DOWN, THE_REST)]
    return Hand(words.cards(named), others=value.count(FACE_DOWN), rest=THE_REST in value)


def _draws(words: Words) -> Any:
    """``dealer_draw = [{ Ana = "red 9", Ben = "blue 9" }, { Ana = "red 1", Ben = "red 2" }]``: who ties draws again."""

    def read_one(value: Any) -> list[tuple[int, int]]:
        if not isinstance(value, dict):
            name = words.names[0]
            raise WrongValueError(
                Text('write {{ {name} = "…" }}, and a list of such when some draw again').filled(name=name)
            )
        return sorted((words.seat(name), words.card(card)) for name, card in value.items())

    def read(value: Any) -> tuple[tuple[int, int], ...]:
        turns = list_of(read_one)(value if isinstance(value, list) else [value])
        return tuple(draw for turn in turns for draw in turn)

    return read
