"""What must be so after a step: reading it, and holding it against the game."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dispenser.config import WrongValueError, closest
from dispenser.i18n import LANGUAGES, Text
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.moves import Move, catch
from dispenser.rules.engine.phases import IN_ROUND, Phase
from dispenser.rules.engine.state import NOBODY
from dispenser.rules.words import sentences
from dispenser.rules.words.telling import Telling
from dispenser.scenario.rules.bench import DIRECTIONS, Bench, number, one_of, rule_id
from dispenser.scenario.rules.reading import Each

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
SOMETHING_CHANGED: Final = Text("something has changed")
_QUESTIONS: Final = ("nothing", "turn-up", "discarded", "bluff", "points")
_OTHERWISE: Final = (
    sentences.LAID,
    sentences.JUMPED_IN,
    sentences.CANCELLED,
    sentences.UNDER_THE_PILE,
    sentences.NO_CARD,
    sentences.TAKES,
    sentences.DUD,
    sentences.BLUFF,
    sentences.NOBODY_DRAWS,
    sentences.ONLY_LOST,
)
_IN_PLACE: Final = re.compile(r"\[([^|\]]*)\|[^\]]*\]")
_NAMED: Final = re.compile(r"(?:\{[^}]*\})+")

Answer = tuple[str, str] | None
"""What was wanted and what was found, in words; ``None`` when it is so."""
Look = Callable[[Bench, int], Any]
"""What is so, of the seat that it is said of."""


def _as_it_is(_bench: Bench, found: object) -> str:
    return str(found)


@dataclass(frozen=True, slots=True)
class Kind:
    """One thing that can be expected.

    :ivar read: what stands there, as for ``Reader.keys``.
    :ivar judge: holds it against the game, for the seat that it is said of.
    :ivar each: it is said of a player: ``hand.Ana = 7``.
    :ivar moves: its values are moves, which can be read only when they would be done.
    """

    read: Any
    judge: Callable[[Bench, int, Any], Answer]
    each: bool = False
    moves: bool = False


def _fact(read: Any, look: Look, say: Callable[[Bench, Any], str] = _as_it_is, *, each: bool = False) -> Kind:
    """Something that is so when it is equal to what is written."""

    def judge(bench: Bench, seat: int, wanted: Any) -> Answer:
        found = look(bench, seat)
        if isinstance(wanted, int) and isinstance(found, tuple):  # how many, instead of which
            found = len(found)
        return None if found == wanted else (say(bench, wanted), say(bench, found))

    return Kind(read, judge, each)


def _word(known: Mapping[str, Any], look: Look) -> Kind:
    words = {what: word for word, what in known.items()}
    return _fact(lambda _, value: one_of(known, value), lambda bench, seat: words[look(bench, seat)])


def _seats(look: Look, *, each: bool = False) -> Kind:
    """One seat, several or nobody."""

    def found(bench: Bench, seat: int) -> tuple[int, ...]:
        seats = look(bench, seat)
        return tuple(sorted(seats)) if not isinstance(seats, int) else () if seats == NOBODY else (seats,)

    return _fact(Bench.seats, found, Bench.say_seats, each=each)


def _moves(is_so: Callable[[set[Move], set[Move]], bool], sign: str = "") -> Kind:
    """Moves that a seat may do now, or not."""

    def judge(bench: Bench, seat: int, wanted: Sequence[str]) -> Answer:
        legal = bench.game.legal_moves(seat)
        moves = [bench.move(seat, said) for said in wanted]
        return None if is_so(set(moves), set(legal)) else (sign + bench.say_moves(moves), bench.say_moves(legal))

    return Kind(_texts, judge, each=True, moves=True)


# Reading


def _rules(bench: Bench, value: Any) -> tuple[str, ...]:
    """The rule that forbids it, one of several, or whichever."""
    rules = value if isinstance(value, list) and value else [value]
    return () if value is True else tuple(rule_id(bench, rule) for rule in rules)


def _texts(_bench: Bench, value: Any) -> tuple[str, ...]:
    texts = value if isinstance(value, list) else [value]
    if not texts or not all(isinstance(text, str) and text for text in texts):
        raise WrongValueError(Text('write texts, such as ["red 7", "draw"]'))
    return tuple(texts)


def _question(bench: Bench, value: Any) -> str:
    kind, _, of = value.partition(": ") if isinstance(value, str) else ("", "", "")
    if kind not in _QUESTIONS:
        raise WrongValueError(Text('write it like "bluff: Ana"; {remedy}').filled(remedy=closest(kind, _QUESTIONS)))
    return f"{kind}: {one_of(bench.names, of)}" if of else kind


def _step(bench: Bench, value: Any) -> int:
    return 0 if value == "start" else number(bench, value)


# Judging


def _owes(bench: Bench, _seat: int, wanted: Any) -> Answer:
    found = [debt._replace(penalty=False) for debt in bench.state.demands]
    same = len(found) == len(wanted) and all(
        have == want._replace(rule=want.rule or have.rule) for have, want in zip(found, wanted, strict=True)
    )
    return None if same else (bench.say_owed(wanted), bench.say_owed(found))


def _asked(bench: Bench, _seat: int) -> str:
    question = bench.game.question
    if question is None:
        return "nothing"
    return question.kind if question.seat is None else f"{question.kind}: {bench.names[question.seat]}"


def _illegal(bench: Bench, _seat: int, wanted: Sequence[str]) -> Answer:
    refused = bench.refused
    if refused is not None and (not wanted or refused.rule in wanted):
        return None
    rules = bench.say(Text(" or ")).join(wanted)
    expected = Text("not allowed by {rules}").filled(rules=rules) if rules else Text("not allowed")
    return bench.say(expected), bench.say(Text("it is legal") if refused is None else refusal(refused))


def refusal(refused: IllegalMove) -> Text:
    """The rule and the reason."""
    return Text("{rule}: {reason}").filled(rule=refused.rule, reason=refused.reason)


def _same_as(bench: Bench, _seat: int, wanted: int) -> Answer:
    if wanted not in bench.marks:
        raise WrongValueError(Text("there is no step {step} before this one").filled(step=wanted))
    same = bench.marks[wanted] == bench.state.save()
    return None if same else (f"= {wanted or 'start'}", bench.say(SOMETHING_CHANGED))


def _who_can_catch(bench: Bench, seat: int) -> Iterator[int]:
    return (other for other in range(bench.game.seats) if catch(seat) in bench.game.legal_moves(other))


# What is told


def _told(bench: Bench, _seat: int, wanted: Sequence[str]) -> Answer:
    missing = [part for part in wanted if not _is_told(bench, part)]
    if not missing:
        return None
    listed = [
        plainly(each, language) for each in can_be_told(bench.state.words.events.values()) for language in LANGUAGES
    ]
    near = [each for part in missing for each in difflib.get_close_matches(part, listed, n=2, cutoff=0.0)]
    found = Text("{told} (what can be told reads like this: {sentences})").filled(
        told=_all_told(bench, bench.language), sentences=" ".join(f"“{each}”" for each in dict.fromkeys(near))
    )
    return _quoted(bench, missing), bench.say(found)


def _not_told(bench: Bench, _seat: int, wanted: Sequence[str]) -> Answer:
    there = [part for part in wanted if _is_told(bench, part)]
    return (f"≠ {_quoted(bench, there)}", _all_told(bench, bench.language)) if there else None


def _is_told(bench: Bench, part: str) -> bool:
    """Whether these words are among what is told, in either language."""
    return any(_bare(part) in _bare(_all_told(bench, language)) for language in LANGUAGES)


def _bare(text: str) -> str:
    return text.replace("\u00a0", " ").lower()


def _all_told(bench: Bench, language: str) -> str:
    telling = Telling(bench.game, language, bench.names)
    return " ".join(map(telling.event, bench.told)) or "–"


def _quoted(bench: Bench, parts: Iterable[str]) -> str:
    return ", ".join(bench.say(Text("“{words}”").filled(words=part)) for part in parts)


def can_be_told(of_the_game: Iterable[object] = ()) -> list[Text]:
    """The sentences of all games, and those that a game has instead."""
    own = [each for each in of_the_game if isinstance(each, Text)]
    return [*_OTHERWISE, *sentences.EVENTS.values(), *own]


def plainly(sentence: Text, language: str) -> str:
    """A sentence with ``…`` for what it names: ``… draws ….``"""
    return _NAMED.sub("…", _IN_PLACE.sub(r"\1", sentence[language]))


_COLOUR: Final = _fact(Bench.colour, lambda bench, _: bench.state.colour, Bench.say_colour)
KINDS: Final[Mapping[str, Kind]] = {
    ILLEGAL: Kind(_rules, _illegal),
    "turn": _seats(lambda bench, _: bench.state.turn),
    "phase": _word(PHASES, lambda bench, _: bench.state.phase),
    "colour": _COLOUR,
    "suit": _COLOUR,
    "direction": _word(DIRECTIONS, lambda bench, _: bench.state.direction),
    "top": _fact(Bench.card, lambda bench, _: bench.state.top, Bench.say_card),
    "talon": _fact(Bench.number_or_cards, lambda bench, _: tuple(bench.state.talon[::-1]), Bench.say_cards),
    "pile": _fact(number, lambda bench, _: bench.state.in_pile()),
    "owes": Kind(Bench.owed, _owes),
    "asked": _fact(_question, _asked),
    "hand": _fact(Bench.hand, lambda bench, seat: tuple(bench.state.held(seat)), Bench.say_cards, each=True),
    "score": _fact(number, lambda bench, seat: bench.state.scores[seat], each=True),
    "points": _fact(number, lambda bench, seat: bench.state.points[seat], each=True),
    "legal": _moves(lambda moves, legal: moves <= legal),
    "not_legal": _moves(lambda moves, legal: not moves & legal, "≠ "),
    "only": _moves(lambda moves, legal: moves == legal),
    "may_act": _seats(lambda bench, _: bench.game.actors() if bench.state.phase in IN_ROUND else ()),
    "may_catch": _seats(_who_can_catch, each=True),
    "told": Kind(_texts, _told),
    "not_told": Kind(_texts, _not_told),
    "dealer": _seats(lambda bench, _: bench.state.dealer),
    "round": _fact(number, lambda bench, _: bench.state.round),
    "round_winner": _seats(lambda bench, _: () if bench.state.phase in IN_ROUND else bench.state.round_winner),
    "out": _seats(lambda bench, _: bench.state.gone),
    "match_winner": _seats(lambda bench, _: bench.state.winners),
    "match_loser": _seats(lambda bench, _: bench.state.losers),
    "ranking": _fact(Bench.order, lambda bench, _: bench.state.ranking(), Bench.say_seats),
    "same_as": Kind(_step, _same_as),
}
"""All that can be expected, by the keys of a step."""
EXPECTED: Final[Mapping[str, Any]] = {key: Each(kind.read) if kind.each else kind.read for key, kind in KINDS.items()}
"""What may stand there, as for ``Reader.keys``."""


def expected_of(said: Mapping[str, Any], bench: Bench) -> Iterator[tuple[tuple[str, ...], Kind, int, Any]]:
    """What is expected of a step: where that stands in it, its kind, whom it is said of, and what was read there."""
    for key, kind in KINDS.items():
        if key in said and kind.each:
            yield from (((key, name), kind, bench.seat(name), wanted) for name, wanted in said[key].items())
        elif key in said:
            yield (key,), kind, NOBODY, said[key]
