"""Read the expectations of a rule scenario and check them against the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from dispenser.config import WrongValueError, closest
from dispenser.i18n import LANGUAGES, Text
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.moves import Move, catch
from dispenser.rules.engine.phases import IN_ROUND, Phase
from dispenser.rules.engine.state import NOBODY
from dispenser.rules.words.narrator import Narrator
from dispenser.scenario.rules.played import DIRECTIONS, Each, PlayedGame, as_list, one_of, rule_id

ILLEGAL: Final = "illegal"
PHASES: Final = {
    "round over": Phase.IDLE,
    "play": Phase.PLAYING,
    "play the drawn card": Phase.DREW,
    "answer": Phase.ANSWERING,
    "name": Phase.NAMING,
    "choose the direction": Phase.CHOOSING_DIRECTION,
    "carry out the rule": Phase.CARRYING_OUT,
    "play again": Phase.AGAIN,
    "count": Phase.COUNTING,
    "match over": Phase.MATCH_OVER,
}
_QUESTIONS: Final = ("nothing", "turn-up", "discarded", "bluff", "points")
Found = str | None  # The actual value in words; `None` if it is as expected
Look = Callable[[PlayedGame, int], Any]  # Returns a value of the game, for a seat


@dataclass(frozen=True, slots=True)
class Check:
    """An expectation key: ``read`` is its type for ``table_of``, ``compare`` checks the value for a seat.

    :ivar each: the key has one value per player: ``hand.Ana = 7``.
    """

    read: Any
    compare: Callable[[PlayedGame, int, Any], Found]
    each: bool = False


def _fact(read: Any, look: Look, say: Callable[[PlayedGame, Any], str] | None = None, *, each: bool = False) -> Check:
    """Return a check for equality."""

    def compare(played: PlayedGame, seat: int, wanted: Any) -> Found:
        found = look(played, seat)
        if isinstance(wanted, int) and isinstance(found, tuple):  # a count instead of the items
            found = len(found)
        return None if found == wanted else say(played, found) if say else str(found)

    return Check(read, compare, each)


def _word(known: Mapping[str, Any], look: Look) -> Check:
    words = {what: word for word, what in known.items()}
    return _fact(Literal[tuple(known)], lambda played, seat: words[look(played, seat)])


def _seats(look: Look, *, each: bool = False) -> Check:
    def found(played: PlayedGame, seat: int) -> tuple[int, ...]:
        seats = look(played, seat)
        return tuple(sorted(seats)) if not isinstance(seats, int) else () if seats == NOBODY else (seats,)

    return _fact(PlayedGame.seats, found, PlayedGame.say_seats, each=each)


def _moves(is_so: Callable[[set[Move], set[Move]], bool]) -> Check:
    """Return a check of the legal moves of a seat."""

    def compare(played: PlayedGame, seat: int, wanted: Sequence[str]) -> Found:
        legal = played.game.legal_moves(seat)
        moves = [played.move(seat, said) for said in wanted]
        return None if is_so(set(moves), set(legal)) else played.say_moves(legal)

    return Check(_texts, compare, each=True)


def _rules(played: PlayedGame, value: Any) -> tuple[str, ...]:
    """Read IDs of rules, any of which may forbid the move; ``true`` accepts any rule."""
    return () if value is True else tuple(rule_id(played, rule) for rule in as_list(value) or [value])


def _texts(_played: PlayedGame, value: Any) -> tuple[str, ...]:
    texts = as_list(value)
    if not texts or not all(isinstance(text, str) and text for text in texts):
        raise WrongValueError(Text('write texts, such as ["red 7", "draw"]'))
    return tuple(texts)


def _question(played: PlayedGame, value: Any) -> str:
    kind, _, of = value.partition(": ") if isinstance(value, str) else ("", "", "")
    if kind not in _QUESTIONS:
        raise WrongValueError(Text('write it like "bluff: Ana"; {remedy}').filled(remedy=closest(kind, _QUESTIONS)))
    return f"{kind}: {one_of(played.names, of)}" if of else kind


def _owes(played: PlayedGame, _seat: int, wanted: Any) -> Found:
    found = [debt._replace(penalty=False) for debt in played.state.demands]
    same = len(found) == len(wanted) and all(
        have == want._replace(rule=want.rule or have.rule) for have, want in zip(found, wanted, strict=True)
    )
    return None if same else played.say_owed(found)


def _asked(played: PlayedGame, _seat: int) -> str:
    question = played.game.question
    if question is None:
        return "nothing"
    return question.kind if question.seat is None else f"{question.kind}: {played.names[question.seat]}"


def _illegal(played: PlayedGame, _seat: int, wanted: Sequence[str]) -> Found:
    refused = played.refused
    if refused is not None and (not wanted or refused.rule in wanted):
        return None
    return played.say(Text("it is legal") if refused is None else refusal(refused))


def refusal(refused: IllegalMove) -> Text:
    return Text("{rule}: {reason}").filled(rule=refused.rule, reason=refused.reason)


def _same_as(played: PlayedGame, _seat: int, wanted: int | str) -> Found:
    number = 0 if wanted == "start" else wanted
    if number not in played.marks:
        raise WrongValueError(Text("there is no step {step} before this one").filled(step=number))
    return None if played.marks[number] == played.state.save() else played.say(Text("something has changed"))


def _who_can_catch(played: PlayedGame, seat: int) -> Iterator[int]:
    return (other for other in range(played.game.seats) if catch(seat) in played.game.legal_moves(other))


def _narration(is_so: Callable[[Iterator[bool]], bool]) -> Check:
    """Return a check of texts within the sentences about a step, in any language."""

    def compare(played: PlayedGame, _seat: int, wanted: Sequence[str]) -> Found:
        bare = [_bare(_all_told(played, language)) for language in LANGUAGES]
        told = (any(_bare(part) in each for each in bare) for part in wanted)
        return None if is_so(told) else _all_told(played, played.language)

    return Check(_texts, compare)


def _bare(text: str) -> str:
    return text.replace("\u00a0", " ").lower()


def _all_told(played: PlayedGame, language: str) -> str:
    narrator = Narrator(played.game, language, played.names)
    return " ".join(map(narrator.event, played.told)) or "–"


_COLOUR: Final = _fact(PlayedGame.colour, lambda played, _: played.state.colour, PlayedGame.say_colour)
CHECKS: Final[Mapping[str, Check]] = {
    ILLEGAL: Check(_rules, _illegal),
    "turn": _seats(lambda played, _: played.state.turn),
    "phase": _word(PHASES, lambda played, _: played.state.phase),
    "colour": _COLOUR,
    "suit": _COLOUR,
    "direction": _word(DIRECTIONS, lambda played, _: played.state.direction),
    "top": _fact(PlayedGame.card, lambda played, _: played.state.top, PlayedGame.say_card),
    "talon": _fact(PlayedGame.delivery, lambda played, _: tuple(played.state.talon[::-1]), PlayedGame.say_cards),
    "pile": _fact(int, lambda played, _: played.state.in_pile()),
    "owes": Check(PlayedGame.owed, _owes),
    "asked": _fact(_question, _asked),
    "hand": _fact(
        PlayedGame.hand, lambda played, seat: tuple(played.state.held(seat)), PlayedGame.say_cards, each=True
    ),
    "score": _fact(int, lambda played, seat: played.state.scores[seat], each=True),
    "points": _fact(int, lambda played, seat: played.state.points[seat], each=True),
    "legal": _moves(lambda moves, legal: moves <= legal),
    "not_legal": _moves(lambda moves, legal: not moves & legal),
    "only": _moves(lambda moves, legal: moves == legal),
    "may_act": _seats(lambda played, _: played.game.actors() if played.state.phase in IN_ROUND else ()),
    "may_catch": _seats(_who_can_catch, each=True),
    "told": _narration(all),
    "not_told": _narration(lambda told: not any(told)),
    "dealer": _seats(lambda played, _: played.state.dealer),
    "round": _fact(int, lambda played, _: played.state.round),
    "round_winner": _seats(lambda played, _: () if played.state.phase in IN_ROUND else played.state.round_winner),
    "out": _seats(lambda played, _: played.state.gone),
    "match_winner": _seats(lambda played, _: played.state.winners),
    "match_loser": _seats(lambda played, _: played.state.losers),
    "ranking": _fact(PlayedGame.order, lambda played, _: played.state.ranking(), PlayedGame.say_seats),
    "same_as": Check(Literal["start"] | int, _same_as),
}
"""All expectation keys of a step."""
EXPECTED: Final[Mapping[str, Any]] = {key: Each(kind.read) if kind.each else kind.read for key, kind in CHECKS.items()}
"""Types of the expectation keys, for ``table_of``."""


def expected_of(said: Mapping[str, Any], played: PlayedGame) -> Iterator[tuple[tuple[str, ...], Check, int, Any]]:
    """Yield the expectations of a step: path in the step, check, seat and expected value."""
    for key, kind in CHECKS.items():
        if key in said and kind.each:
            yield from (((key, name), kind, played.seat(name), wanted) for name, wanted in said[key].items())
        elif key in said:
            yield (key,), kind, NOBODY, said[key]
