"""What the table is asked: of a card nobody but it can see, of points, of a round that it brings along.

What a phone fills in goes into ``send`` at the place that ``key`` names: ``"points"`` is ``send["points"]``, and
``"action.2"`` is ``send["action"][2]``. Beside the buttons of ``choices`` there are

- ``{"label", "pick": {"cards": [...], "least": 0, "most": 7, "given": ["red 7"], "key": "action.2"}, "send": {...}}``:
  cards to be tapped one after the other, from a tree whose leaves have ``value``, the card's name, and ``copies``, how
  often it can be picked in the whole form; what goes into ``send`` is the list of names, with those ``given`` at its
  beginning, ``least`` to ``most`` together;
- a form, ``{"form": [{"key", "text", "only"?, ...}], "send": {...}}``: questions one after the other, each with
  ``choices`` (leaves have ``value``), a ``number``, or a ``pick``. ``only`` is ``{"key": ..., "values": [...]}``: the
  question is asked when that key was given one of those values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from dispenser.language import Text
from dispenser.rules import Game, new_game
from dispenser.rules.engine.demands import POINTS, TURN_UP, Question
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.record import notes_of
from dispenser.rules.games.uno_extreme.words import DISCARDED
from dispenser.rules.words.phrases import SIDES, Name, seat_text, vocabulary_of
from dispenser.rules.words.telling import Telling
from dispenser.table.choices import act
from dispenser.table.faces import Choice, Faces, capital, faces_in, kinds_of

ANSWER: Final = "action.2"
"""Where the value of an action stands in what is sent."""

_OF_A_POSITION: Final = frozenset({"first", "colour", "direction", "turn", "sizes", "hands", "scores"})
_YES_OR_NO: Final = {True: Text("yes"), False: Text("no")}
_POINTS: Final = Text("How many points")
_TAP_CARDS: Final = Text("Tap the cards")
_NO_OTHER: Final = Text("No other card")
_ON_TOP: Final = Text("Which card is on top?")
_WHICH_COLOUR: Final = Text("Which {colour} is in force?")
_WHICH_WAY: Final = Text("Which way does play go?")
_TO_SIDE: Final = Text("To the {side}")
_WHOSE_TURN: Final = Text("Whose turn is it?")
_HOW_MANY: Final = Text("How many cards does {name} hold?")
_WHICH: Final = Text("Which cards does {name} hold?")


# Questions of the engine


def question(game: Game, language: str, names: Sequence[Name] = ()) -> dict[str, Any] | None:
    """What the engine asks the table now, ``{"text", "rule", "choices"}``; nothing where it asks nothing.

    A question of a game's own is one of yes and no, or which cards of the colour in force a hand had.

    :param names: of the players, by seat.
    """
    asked = game.question
    if asked is None:
        return None
    answers = {TURN_UP: _turned_up, POINTS: _left_in_hand, DISCARDED: _of_colour}.get(asked.kind, _yes_or_no)
    text = Telling(game, language, names).question(asked)
    return {"text": text, "rule": asked.rule, "choices": answers(game, asked, language)}


def _yes_or_no(game: Game, asked: Question, language: str) -> list[Choice]:
    return [
        {"label": capital(text[language]), "send": act(game.state.cards, Deed.ANSWER, asked.seat, value)}
        for value, text in _YES_OR_NO.items()
    ]


def _turned_up(game: Game, asked: Question, language: str) -> list[Choice]:
    """The cards that the table has not seen yet, those also that may not be the first."""
    state, faces = game.state, faces_in(game, language)
    unseen = state.unseen()
    for card in state.rejected:
        unseen[card] -= 1

    def leaf(kind: int, label: str) -> Choice:
        sent = act(state.cards, Deed.ANSWER, asked.seat, kind)
        return {"label": label, "card": faces.cards[kind], "send": sent}

    return faces.pick((kind for kind, left in enumerate(unseen[:-1]) if left > 0), leaf)


def _left_in_hand(game: Game, asked: Question, language: str) -> list[Choice]:
    """A number of points, or the cards themselves."""
    state, seat = game.state, asked.seat
    assert seat is not None  # noqa: S101 - told to mypy
    hand, values = state.hands[seat], state.values()
    hidden, least = hand[state.unknown], state.worth(_known(game, seat))
    deck = state.deck()
    usual = round(state.worth(deck) / len(deck) * hidden)
    number = {"least": least, "most": least + hidden * max(values), "likely": least + usual, "key": ANSWER}
    cards = act(state.cards, Deed.ANSWER, seat, tuple(_known(game, seat)))
    of_all = range(state.sizes[seat], state.sizes[seat] + 1)
    picked = _pick(game, language, kinds_of(game), of_all, _known(game, seat))
    return [
        {"label": _POINTS[language], "number": number, "send": act(state.cards, Deed.ANSWER, seat, least)},
        {"label": _TAP_CARDS[language], "pick": picked, "send": cards},
    ]


def _of_colour(game: Game, asked: Question, language: str) -> list[Choice]:
    """Which cards of the colour in force went down: those that are known did."""
    state, seat = game.state, asked.seat
    assert seat is not None  # noqa: S101 - told to mypy
    of_colour = state.cards.of_colour[state.colour]
    known = [card for card in _known(game, seat) if card in of_colour]
    sent = act(state.cards, Deed.ANSWER, seat, tuple(known))
    most = len(known) + state.hands[seat][state.unknown]
    picked = _pick(game, language, of_colour, range(len(known), most + 1), known)
    return [
        {"label": _NO_OTHER[language], "send": sent},
        {"label": _TAP_CARDS[language], "pick": picked, "send": sent},
    ]


def _known(game: Game, seat: int) -> list[int]:
    return [card for card in game.state.held(seat) if card != game.state.unknown]


def _pick(game: Game, language: str, kinds: Sequence[int], numbers: range, given: Sequence[int]) -> dict[str, Any]:
    """Cards to be tapped: those that nobody has seen elsewhere."""
    unseen = game.state.unseen()
    copies = {kind: unseen[kind] for kind in kinds if unseen[kind] > 0}
    names = [faces_in(game, language).cards[kind]["name"] for kind in given]
    return {**_picking(faces_in(game, language), copies, numbers), "given": names, "key": ANSWER}


def _picking(faces: Faces, copies: Mapping[int, int], numbers: range) -> dict[str, Any]:
    """The tree of those cards; with those that are given, so many are picked."""

    def leaf(kind: int, label: str) -> Choice:
        card = faces.cards[kind]
        return {"label": label, "card": card, "value": card["name"], "copies": copies[kind]}

    return {"cards": faces.pick(copies, leaf), "least": numbers[0], "most": numbers[-1]}


# A round that the table brings along


def positions(
    game_id: str,
    options: Mapping[str, Any],
    language: str,
    names: Sequence[Name],
    telling: str,
    *,
    hidden: bool,
    likely: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The form for a round that others have begun: what it says goes into ``position`` of what is sent.

    :param names: of the players, by seat.
    :param telling: how the match is to be told from now on.
    :param hidden: hands are known by their sizes; else by their cards.
    :param likely: by key, what is probably so; a question about it begins there.
    """
    game = _game(game_id, len(names), tuple(sorted(options.items())))
    told = likely or {}
    form = [
        *_middle(game, language, names),
        *(_hand(game, language, names, seat, hidden) for seat in range(len(names))),
    ]
    for asked in form:
        if asked["key"] in told:
            asked["likely"] = told[asked["key"]]
    part = "sizes" if hidden else "hands"
    position: dict[str, Any] = {part: [0 if hidden else []] * len(names)}
    return {"form": form, "send": {"do": "telling", "telling": telling, "position": position}}


def dealt(game: Game, position: Mapping[str, Any]) -> Action:
    """The deal that brings a match to that position, as its form was filled in.

    :raises ValueError: that is no position; whether it can be, the game says.
    """
    parts = {name: value for name, value in position.items() if value is not None}
    if parts.keys() - _OF_A_POSITION:
        raise ValueError("a position has no such part")
    if "turn" not in parts:
        raise ValueError("without whose turn it is that would be a deal")
    sizes = parts.pop("sizes", None)
    if sizes is not None:
        most = len(game.state.deck())
        if not isinstance(sizes, list) or any(type(size) is not int or not 0 <= size <= most for size in sizes):
            raise ValueError("the sizes of hands are whole numbers")
        parts["hands"] = [["?"] * size for size in sizes]
    return notes_of(game.state.cards).read([str(Deed.BEGIN), None, parts])


@lru_cache(maxsize=16)
def _game(game_id: str, seats: int, options: tuple[tuple[str, Any], ...]) -> Game:
    """A match that is not played: its deck is looked at."""
    return new_game(game_id, seats, dict(options), hidden=True)


def _middle(game: Game, language: str, names: Sequence[Name]) -> list[dict[str, Any]]:
    """The card on top, the colour that was named with it, the direction, and whose turn it is."""
    faces, words, cards = faces_in(game, language), vocabulary_of(game), game.state.cards
    kinds = kinds_of(game)
    asking = [faces.cards[kind]["name"] for kind in kinds if cards.is_wild(kind) or words.asked_by(kind)]

    def leaf(kind: int, label: str) -> Choice:
        return {"label": label, "card": faces.cards[kind], "value": faces.cards[kind]["name"]}

    colours = [
        {**faces.colour_button(colour), "value": faces.colours[colour]["key"]}
        for colour in range(len(cards.colour_names))
    ]
    sides = [{"label": _TO_SIDE.filled(side=side)[language], "value": value} for value, side in SIDES.items()]
    seats = [{"label": seat_text(seat, names)[language], "value": seat} for seat in range(len(names))]
    return [
        {"key": "position.first", "text": _ON_TOP[language], "choices": faces.pick(kinds, leaf)},
        {
            "key": "position.colour",
            "text": _WHICH_COLOUR.filled(colour=words.cards.colour)[language],
            "only": {"key": "position.first", "values": asking},
            "choices": colours,
        },
        {"key": "position.direction", "text": _WHICH_WAY[language], "choices": sides},
        {"key": "position.turn", "text": _WHOSE_TURN[language], "choices": seats},
    ]


def _hand(game: Game, language: str, names: Sequence[Name], seat: int, hidden: bool) -> dict[str, Any]:
    """How many cards a seat holds, or which."""
    deck = game.state.deck()
    name, most = seat_text(seat, names), len(deck) - len(names)  # the others have one each, and one is on top
    if hidden:
        key = f"position.sizes.{seat}"
        number = {"least": 1, "most": most, "likely": game.state.hand_size, "key": key}
        return {"key": key, "text": _HOW_MANY.filled(name=name)[language], "number": number}
    key = f"position.hands.{seat}"
    picked = _picking(faces_in(game, language), Counter(deck), range(1, most + 1))
    return {"key": key, "text": _WHICH.filled(name=name)[language], "pick": {**picked, "given": [], "key": key}}
