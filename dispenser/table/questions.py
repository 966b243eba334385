"""Questions that the table must answer: a card that only people can see, points.

The phone writes its answer into ``send`` at the path ``key``: ``"points"`` is ``send["points"]``, and
``"action.2"`` is ``send["action"][2]``. Besides the buttons of ``choices`` there are

- ``{"label", "pick": {"cards": [...], "least": 0, "most": 7, "given": ["red 7"], "key": "action.2"}, "send": {...}}``:
  cards to be tapped one after the other, from a tree whose leaves have ``value``, the card's name, and ``copies``, how
  often it can be picked in the whole form; ``send`` gets the list of names, beginning with those ``given``, from
  ``least`` to ``most`` in all;
- a form, ``{"form": [{"key", "text", ...}], "send": {...}}``: questions one after the other, each with ``choices``
  (leaves have ``value``), a ``number``, or a ``pick``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dispenser.i18n import Text
from dispenser.rules import Game
from dispenser.rules.engine.demands import POINTS, TURN_UP, Question
from dispenser.rules.engine.history import Deed
from dispenser.rules.games.uno_extreme.words import DISCARDED
from dispenser.rules.words.narrator import Narrator
from dispenser.rules.words.phrases import Name
from dispenser.table.card_picker import Choice, Faces, capital, faces_in, kinds_of
from dispenser.table.choices import act

ANSWER: Final = "action.2"  # Path of the value of an action in the command

_OF_A_POSITION: Final = frozenset({"first", "colour", "direction", "turn", "sizes", "hands", "scores"})
_YES_OR_NO: Final = {True: Text("yes"), False: Text("no")}
_POINTS: Final = Text("Enter the points")
_TAP_CARDS: Final = Text("Tap the cards")
_ON_TOP: Final = Text("Which card is on top?")
_WHICH_COLOUR: Final = Text("Which {colour} is in force?")
_WHICH_WAY: Final = Text("Which way does play go?")
_TO_SIDE: Final = Text("To the {side}")
_WHOSE_TURN: Final = Text("Whose turn is it?")
_HOW_MANY: Final = Text("How many cards does {name} hold?")
_WHICH: Final = Text("Which cards does {name} hold?")


def question(game: Game, language: str, names: Sequence[Name] = (), you: int | None = None) -> dict[str, Any] | None:
    """Return the open question of the engine, ``{"text", "rule", "choices"}``, or ``None``.

    Questions of a single game are yes or no, or which cards of the colour in force a hand had.
    """
    asked = game.question
    if asked is None:
        return None
    answers = {TURN_UP: _turned_up, POINTS: _left_in_hand, DISCARDED: _of_colour}.get(asked.kind, _yes_or_no)
    text = Narrator(game, language, names, you).question(asked)
    return {"text": text, "rule": asked.rule, "choices": answers(game, asked, language)}


def _yes_or_no(game: Game, asked: Question, language: str) -> list[Choice]:
    return [
        {"label": capital(text[language]), "send": act(game.state.cards, Deed.ANSWER, asked.seat, value)}
        for value, text in _YES_OR_NO.items()
    ]


def _turned_up(game: Game, asked: Question, language: str) -> list[Choice]:
    """Return the cards that the table has not seen yet, also those that may not be turned up first."""
    state, faces = game.state, faces_in(game, language)
    unseen = state.unseen()
    for card in state.rejected:
        unseen[card] -= 1

    def leaf(kind: int, label: str) -> Choice:
        sent = act(state.cards, Deed.ANSWER, asked.seat, kind)
        return {"label": label, "card": faces.cards[kind], "send": sent}

    return faces.pick((kind for kind, left in enumerate(unseen[:-1]) if left > 0), leaf)


def _left_in_hand(game: Game, asked: Question, language: str) -> list[Choice]:
    """Return the two ways to answer: a number of points, or the cards."""
    state, seat = game.state, asked.seat
    assert seat is not None  # noqa: S101 - told to mypy
    hand, values = state.hands[seat], state.values()
    hidden, least = hand[state.unknown], state.worth(_known(game, seat))
    deck = state.deck()
    usual = round(state.worth(deck) / len(deck) * hidden)
    number: dict[str, int | str] = {
        "rule": asked.rule,
        "least": least,
        "most": least + hidden * max(values),
        "likely": least + usual,
        "key": ANSWER,
    }
    cards = act(state.cards, Deed.ANSWER, seat, tuple(_known(game, seat)))
    of_all = range(state.sizes[seat], state.sizes[seat] + 1)
    picked = _pick(game, language, kinds_of(game), of_all, _known(game, seat))
    return [
        {"label": _POINTS[language], "number": number, "send": act(state.cards, Deed.ANSWER, seat, least)},
        {"label": _TAP_CARDS[language], "pick": picked, "send": cards},
    ]


def _of_colour(game: Game, asked: Question, language: str) -> list[Choice]:
    """Return the ways to tell which cards of the colour in force were discarded: known cards are preselected."""
    state, seat = game.state, asked.seat
    assert seat is not None  # noqa: S101 - told to mypy
    of_colour = state.cards.of_colour[state.colour]
    known = [card for card in _known(game, seat) if card in of_colour]
    sent = act(state.cards, Deed.ANSWER, seat, tuple(known))
    most = len(known) + state.hands[seat][state.unknown]
    picked = _pick(game, language, of_colour, range(len(known), most + 1), known)
    return [
        {"label": Text("No other card")[language], "send": sent},
        {"label": _TAP_CARDS[language], "pick": picked, "send": sent},
    ]


def _known(game: Game, seat: int) -> list[int]:
    return [card for card in game.state.held(seat) if card != game.state.unknown]


def _pick(game: Game, language: str, kinds: Sequence[int], numbers: range, given: Sequence[int]) -> dict[str, Any]:
    """Return a card picker for cards that have not been seen elsewhere."""
    unseen = game.state.unseen()
    copies = {kind: unseen[kind] for kind in kinds if unseen[kind] > 0}
    names = [faces_in(game, language).cards[kind]["name"] for kind in given]
    return {**_picking(faces_in(game, language), copies, numbers), "given": names, "key": ANSWER}


def _picking(faces: Faces, copies: Mapping[int, int], numbers: range) -> dict[str, Any]:
    """Return the tree of a card picker; ``numbers`` is the range of cards to pick, with those given."""

    def leaf(kind: int, label: str) -> Choice:
        card = faces.cards[kind]
        return {"label": label, "card": card, "value": card["name"], "copies": copies[kind]}

    return {"cards": faces.pick(copies, leaf), "least": numbers[0], "most": numbers[-1]}
