"""What must be so after a step: reading it, and holding it against the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dispenser.language import Text
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import Move, catch
from dispenser.rules.engine.phases import IN_ROUND, Phase
from dispenser.rules.engine.rules import Rules as State
from dispenser.rules.engine.state import NOBODY
from dispenser.rules.words.notation import move_text
from dispenser.scenario.rules.acts import Bench
from dispenser.scenario.rules.begin import DIRECTIONS, direction
from dispenser.scenario.rules.reading import Each
from dispenser.scenario.rules.told import instead_of, is_told, told_in
from dispenser.scenario.rules.words import Words, as_debt, number, one_of, rule_id
from dispenser.tables import WrongValueError, closest

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
_LIKE_A_QUESTION: Final = Text('write it like "bluff: Ana"; {remedy}')
_TEXTS: Final = Text('write texts, such as ["red 7", "draw"]')
_NOT_ALLOWED: Final = Text("not allowed")
_NOT_ALLOWED_BY: Final = Text("not allowed by {rules}")
_REFUSED: Final = Text("{rule}: {reason}")
_LEGAL: Final = Text("it is legal")
_OR: Final = Text(" or ")
_QUOTED: Final = Text("“{words}”")
_NO_SUCH_STEP: Final = Text("there is no step {step} before this one")


@dataclass(slots=True)
class View:
    """What can be looked at after a step.

    :ivar refused: the error of the step's move, when it was against the rules.
    :ivar marks: the whole state after each step so far; 0 is the start.
    """

    bench: Bench
    refused: IllegalMove | None
    marks: Mapping[int, tuple[Any, ...]]

    @property
    def game(self) -> Game:
        return self.bench.game

    @property
    def words(self) -> Words:
        return self.bench.words

    def say(self, text: Text) -> str:
        return text[self.words.language]

    def say_moves(self, moves: Iterable[Move]) -> str:
        names, language = self.words.names, self.words.language
        return ", ".join(f'"{move_text(self.game, move, language, names)}"' for move in moves) or "–"


Answer = tuple[str, str] | None
"""What was wanted and what was found, in words; ``None`` when it is so."""
Read = Callable[[Words, Any], Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """One thing that can be expected.

    :ivar read: what stands there, as for ``read_keys``.
    :ivar each: it is said of a player: ``hand.Ana = 7``.
    :ivar moves: its values are moves, which can be read only when they would be done.
    """

    read: Any
    judge: Callable[[View, int, Any], Answer]
    each: bool = False
    moves: bool = False


@dataclass(frozen=True, slots=True)
class Expectation:
    """One thing that is expected of a step.

    :ivar path: the key, and the player where it is said of one.
    """

    path: tuple[str, ...]
    seat: int
    wanted: Any

    @property
    def kind(self) -> Kind:
        return KINDS[self.path[0]]

    def judge(self, view: View) -> Answer:
        """Hold it against the game.

        :raises RulesError: a move that it names cannot be read.
        """
        return self.kind.judge(view, self.seat, self.wanted)


def _fact(
    read: Any, look: Callable[[State, int], Any], say: Callable[[Words, Any], str], *, each: bool = False
) -> Kind:
    """Something that is so when it is equal to what is written."""

    def judge(view: View, seat: int, wanted: Any) -> Answer:
        found = look(view.game.state, seat)
        return None if found == wanted else (say(view.words, wanted), say(view.words, found))

    return Kind(read, judge, each)


def _number(look: Callable[[State, int], int], *, each: bool = False) -> Kind:
    return _fact(number, look, lambda _, found: str(found), each=each)


def _number_or_cards(read: Read, look: Callable[[State, int], tuple[int, ...]], *, each: bool) -> Kind:
    def judge(view: View, seat: int, wanted: Any) -> Answer:
        cards, say = look(view.game.state, seat), view.words.say_cards
        found = len(cards) if isinstance(wanted, int) else cards
        return None if found == wanted else (say(wanted), say(found))

    return Kind(read, judge, each)


def _moves(is_so: Callable[[set[Move], set[Move]], bool], sign: str = "") -> Kind:
    """Moves that a seat may do now, or not."""

    def judge(view: View, seat: int, wanted: Sequence[str]) -> Answer:
        legal = view.game.legal_moves(seat)
        moves = [view.bench.move(seat, said) for said in wanted]
        if is_so(set(moves), set(legal)):
            return None
        return sign + view.say_moves(moves), view.say_moves(legal)

    return Kind(_texts, judge, each=True, moves=True)


# Reading


def _rules(words: Words, value: Any) -> tuple[str, ...]:
    """The rule that forbids it, one of several, or whichever."""
    rules = value if isinstance(value, list) and value else [value]
    return () if value is True else tuple(rule_id(words, rule) for rule in rules)


def _texts(_words: Words, value: Any) -> tuple[str, ...]:
    texts = value if isinstance(value, list) else [value]
    if not texts or not all(isinstance(text, str) and text for text in texts):
        raise WrongValueError(_TEXTS)
    return tuple(texts)


def _question(words: Words, value: Any) -> tuple[str, int]:
    kind, _, of = value.partition(": ") if isinstance(value, str) else ("", "", "")
    if kind not in _QUESTIONS:
        raise WrongValueError(_LIKE_A_QUESTION.filled(remedy=closest(kind, _QUESTIONS)))
    return kind, words.seat(of) if of else NOBODY


def _phase(_words: Words, value: Any) -> Phase:
    return PHASES[one_of(PHASES, value)]


def _step(words: Words, value: Any) -> int:
    return 0 if value == "start" else number(words, value)


# Judging


def _owes(view: View, _seat: int, wanted: Any) -> Answer:
    found = tuple(map(as_debt, view.game.state.demands))
    same = len(found) == len(wanted) and all(
        have[:4] == want[:4] and want[4] in {"", have[4]} for have, want in zip(found, wanted, strict=True)
    )
    return None if same else (view.words.say_owed(wanted), view.words.say_owed(found))


def _illegal(view: View, _seat: int, wanted: Sequence[str]) -> Answer:
    refused = view.refused
    if refused is not None and (not wanted or refused.rule in wanted):
        return None
    rules = view.say(_OR).join(wanted)
    expected = _NOT_ALLOWED_BY.filled(rules=rules) if rules else _NOT_ALLOWED
    return view.say(expected), view.say(_LEGAL if refused is None else refusal(refused))


def refusal(refused: IllegalMove) -> Text:
    """The rule and the reason."""
    return _REFUSED.filled(rule=refused.rule, reason=refused.reason)


def _told(view: View, _seat: int, wanted: Sequence[str]) -> Answer:
    missing = [part for part in wanted if not is_told(view.words, view.bench.told, part)]
    return (_quoted(view, missing), view.say(instead_of(view.words, view.bench.told, missing))) if missing else None


def _not_told(view: View, _seat: int, wanted: Sequence[str]) -> Answer:
    there = [part for part in wanted if is_told(view.words, view.bench.told, part)]
    return (f"≠ {_quoted(view, there)}", told_in(view.words, view.bench.told, view.words.language)) if there else None


def _quoted(view: View, parts: Iterable[str]) -> str:
    return ", ".join(view.say(_QUOTED.filled(words=part)) for part in parts)


def _same_as(view: View, _seat: int, wanted: int) -> Answer:
    if wanted not in view.marks:
        raise WrongValueError(_NO_SUCH_STEP.filled(step=wanted))
    same = view.marks[wanted] == view.game.state.save()
    return None if same else (f"= {wanted or 'start'}", view.say(SOMETHING_CHANGED))


def _may_act(view: View, _seat: int, wanted: tuple[int, ...]) -> Answer:
    found = tuple(view.game.actors()) if view.game.phase in IN_ROUND else ()
    return None if found == wanted else (view.words.say_seats(wanted), view.words.say_seats(found))


def _may_catch(view: View, seat: int, wanted: tuple[int, ...]) -> Answer:
    found = tuple(other for other in range(view.game.seats) if catch(seat) in view.game.legal_moves(other))
    return None if found == wanted else (view.words.say_seats(wanted), view.words.say_seats(found))


def _asked(state: State, _seat: int) -> tuple[str, int]:
    question = state.question
    return (
        ("nothing", NOBODY) if question is None else (question.kind, NOBODY if question.seat is None else question.seat)
    )


KINDS: Final[Mapping[str, Kind]] = {
    ILLEGAL: Kind(_rules, _illegal),
    "turn": _fact(Words.seat_or_nobody, lambda state, _: state.turn, Words.say_seat),
    "phase": _fact(_phase, lambda state, _: state.phase, lambda _, found: _word_of(PHASES, found)),
    "colour": _fact(Words.colour, lambda state, _: state.colour, Words.say_colour),
    "suit": _fact(Words.colour, lambda state, _: state.colour, Words.say_colour),
    "direction": _fact(direction, lambda state, _: state.direction, lambda _, found: _word_of(DIRECTIONS, found)),
    "top": _fact(Words.card, lambda state, _: state.top, Words.say_card),
    "talon": _number_or_cards(Words.number_or_cards, lambda state, _: tuple(state.talon[::-1]), each=False),
    "pile": _number(lambda state, _: state.in_pile()),
    "owes": Kind(Words.owed, _owes),
    "asked": _fact(_question, _asked, lambda words, asked: f"{asked[0]}: {words.say_seat(asked[1])}"),
    "hand": _number_or_cards(Words.hand, lambda state, seat: tuple(state.held(seat)), each=True),
    "score": _number(lambda state, seat: state.scores[seat], each=True),
    "points": _number(lambda state, seat: state.points[seat], each=True),
    "legal": _moves(lambda moves, legal: moves <= legal),
    "not_legal": _moves(lambda moves, legal: not moves & legal, "≠ "),
    "only": _moves(lambda moves, legal: moves == legal),
    "may_act": Kind(Words.seats, _may_act),
    "may_catch": Kind(Words.seats, _may_catch, each=True),
    "told": Kind(_texts, _told),
    "not_told": Kind(_texts, _not_told),
    "dealer": _fact(Words.seat_or_nobody, lambda state, _: state.dealer, Words.say_seat),
    "round": _number(lambda state, _: state.round),
    "round_winner": _fact(
        Words.seat_or_nobody,
        lambda state, _: NOBODY if state.phase in IN_ROUND else state.round_winner,
        Words.say_seat,
    ),
    "out": _fact(Words.seats, lambda state, _: tuple(sorted(state.gone)), Words.say_seats),
    "match_winner": _fact(Words.seats, lambda state, _: tuple(sorted(state.winners)), Words.say_seats),
    "match_loser": _fact(Words.seats, lambda state, _: tuple(sorted(state.losers)), Words.say_seats),
    "ranking": _fact(Words.order, lambda state, _: state.ranking(), Words.say_seats),
    "same_as": Kind(_step, _same_as),
}
"""All that can be expected, by the keys of a step."""
EXPECTED: Final[Mapping[str, Any]] = {key: Each(kind.read) if kind.each else kind.read for key, kind in KINDS.items()}
"""What may stand there, as for ``read_keys``."""


def _word_of(known: Mapping[str, Any], found: Any) -> str:
    return next(word for word, what in known.items() if what == found)


def expectations_of(said: Mapping[str, Any], words: Words) -> Iterator[Expectation]:
    """The expectations of a step, out of what was read."""
    for key, wanted in said.items():
        if key in KINDS and KINDS[key].each:
            yield from (Expectation((key, name), words.seat(name), one) for name, one in wanted.items())
        elif key in KINDS:
            yield Expectation((key,), NOBODY, wanted)
