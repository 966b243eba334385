"""Save a match as a JSON document, and load it by playing all its actions again.

The document holds the parameters of the match, every action, and the final position. Loading checks each action against
the rules, and the final position; so a damaged or altered file is detected::

    {"format": "dispenser-match", "version": 2, "game": "uno", "seats": 3, "options": {…}, "hidden": false, "seed": 7,
     "bursts": [0, 3], "actions": [["begin", null, {}], ["play", 1, {"act": "lay", "card": "red 4"}], …], "undone": [],
     "position": {…}}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from dispenser.i18n import Text
from dispenser.rules.book import BookError
from dispenser.rules.engine.cards import CardSet
from dispenser.rules.engine.errors import RecordError, RulesError
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.history import Action
from dispenser.rules.engine.record import NotSoError, notes_of
from dispenser.rules.registry import new_game

FORMAT: Final = "dispenser-match"
VERSION: Final = 2
"""Incremented when older documents would be read differently: other moves, other chance, other rules."""

_MOST_ACTIONS: Final = 1_000_000
_LONGEST: Final = 60  # characters of a wrong value shown in an error
_Count = Annotated[int, Meta(ge=0, lt=1 << 62)]
_Whole = Annotated[int, Meta(gt=-(1 << 62), lt=1 << 62)]
_HEAD: Final[Mapping[str, Any]] = {
    "seed": _Whole | None,
    "bursts": Annotated[list[_Count], Meta(min_length=1)],
    "game": str,
    "seats": _Whole,
    "options": dict[str, Any],
    "hidden": bool,
}
"""The fields before the actions."""
_ACTION: Final = Text("action", context="of a record, before its number")
_UNDONE_ACTION: Final = Text("undone action")
_NO_MATCH: Final = Text("not a recorded match")
_ALTERED: Final = Text(
    "the actions lead to another position than the one written down: {wrong} is {is_now} and not {was_written}; the "
    "file was altered"
)
_CUT_OFF: Final = Text('"position" is missing: the file is cut off or altered')


def to_document(game: Game) -> dict[str, Any]:
    """Return the match as plain dicts, lists, strings and numbers."""
    notes, state = notes_of(game.state.cards), game.state
    plain: dict[str, Any] = _plain(
        {
            "format": FORMAT,
            "version": VERSION,
            "game": game.game_id,
            "seats": game.seats,
            "options": state.options,
            "hidden": state.hidden,
            "seed": state.chance.seed if state.chance else None,
            "bursts": state.bursts,
            "actions": [notes.write(action) for action in game.log],
            "undone": [notes.write(action) for action in game.undone],
            "position": state.position(),
        }
    )
    return plain


def _plain(value: dict[str, Any]) -> Any:
    """Convert as JSON does: tuples to lists, enum members to strings."""
    return json.loads(json.dumps(value))


def to_json(game: Game) -> str:
    """Return the match as JSON text, one action per line."""
    document = to_document(game)
    actions = ",\n  ".join(json.dumps(action, ensure_ascii=False) for action in document.pop("actions"))
    rest = json.dumps(document, ensure_ascii=False)
    return f'{rest[:-1]},\n "actions": [\n  {actions}\n ]}}\n'


def from_json(text: str | bytes) -> Game:
    """Load a match.

    :raises RecordError: what is wrong, and at which action.
    """
    return from_document(parse(text))


def from_document(document: object) -> Game:
    """Load a match from the parsed document."""
    game, actions = open_document(document)
    for _ in replay(game, actions):
        pass
    check_end(game, document)
    return game


def parse(text: str | bytes) -> object:
    """Parse the JSON of a document.

    :raises RecordError: it is not JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(Text("{no_match}: no JSON").filled(no_match=_NO_MATCH)) from error


def check_end(game: Game, document: object) -> None:
    """Check, after all actions, that the position is the recorded one and that the undone actions can be redone.

    :raises RecordError: the file was altered or cut off.
    """
    document = _of_this_version(document)
    _check_position(game, document.get("position"))
    _undo_again(game, _actions_of(document, "undone", game.state.cards))


def open_document(document: object) -> tuple[Game, list[Action]]:
    """Create the game of the document; return it with the actions to be played.

    :raises RecordError: the head of the document or the form of an action is wrong.
    """
    document = _of_this_version(document)
    for name, form in _HEAD.items():
        try:
            msgspec.convert(document.get(name), form)
        except msgspec.ValidationError as error:
            cannot_be = Text('"{name}" cannot be {value}')
            raise RecordError(cannot_be.filled(name=name, value=_short(document.get(name)))) from error
    rest: dict[str, Any] = {name: document.get(name) for name in ("hidden", "seed", "bursts")}
    try:
        game = new_game(document["game"], document["seats"], document["options"], **rest)
    except (RulesError, BookError) as error:
        raise RecordError(Text("no such match: {error}").filled(error=error)) from error
    return game, _actions_of(document, "actions", game.state.cards)


def replay(game: Game, actions: list[Action], what: Text = _ACTION) -> Iterator[Action]:
    """Play the actions one by one; yield each one afterwards.

    :raises RecordError: at the first that is against the rules, with its number from 1 and the rule.
    """
    for number, action in enumerate(actions, start=1):
        try:
            game.attempt(action)
        except RulesError as error:
            against = Text("{what} {number} is against the rules: {error}")
            raise RecordError(against.filled(what=what, number=number, error=error)) from error
        seat = game.log[-1][1]
        if seat != action[1]:
            another = Text("{what} {number} is written down for seat {noted}, and is of seat {seat}")
            raise RecordError(another.filled(what=what, number=number, noted=_short(action[1]), seat=_short(seat)))
        yield action


def _of_this_version(document: object) -> dict[str, Any]:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise RecordError(Text('{no_match}: "format" should be "{format}"').filled(no_match=_NO_MATCH, format=FORMAT))
    version = document.get("version")
    if type(version) is not int or version != VERSION:
        unknown = Text("version {version} of the format; this program reads version {known}")
        raise RecordError(unknown.filled(version=_short(version), known=VERSION))
    return document


def _actions_of(document: Mapping[str, Any], name: str, cards: CardSet) -> list[Action]:
    """Read a list of actions and check their form; the game checks whether they are legal."""
    listed = document.get(name)
    if not isinstance(listed, list) or len(listed) > _MOST_ACTIONS:
        should_be = Text('"{name}" should be a list of at most {most} actions')
        raise RecordError(should_be.filled(name=name, most=_MOST_ACTIONS))
    actions, notes = [], notes_of(cards)
    for number, entry in enumerate(listed, start=1):
        try:
            actions.append(notes.read(entry))
        except NotSoError as error:
            no_action = Text("{place}: {entry} is no action of this game")
            raise RecordError(no_action.filled(place=f"{name} {number}", entry=_short(entry))) from error
    return actions


def _short(value: object) -> str:
    """Format a value as in the file, shortened."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _check_position(game: Game, written: object) -> None:
    reached = _plain(game.state.position())
    if not isinstance(written, dict):
        raise RecordError(_CUT_OFF)
    if written == reached:
        return
    missing = object()
    wrong = [name for name in {**reached, **written} if written.get(name, missing) != reached.get(name, missing)]
    is_now, was_written = _short(reached.get(wrong[0])), _short(written.get(wrong[0]))
    raise RecordError(_ALTERED.filled(wrong=wrong[0], is_now=is_now, was_written=was_written))


def _undo_again(game: Game, undone: list[Action]) -> None:
    """Play the undone actions to check them, and undo them again."""
    for _ in replay(game, undone[::-1], _UNDONE_ACTION):
        pass
    for _ in undone:
        game.undo()
