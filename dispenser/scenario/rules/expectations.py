"""What must be so after a step: reading it, and holding it against the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from dispenser.rules.book import LANGUAGES, Text
from dispenser.rules.engine.errors import IllegalMove, RulesError
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import Move, catch
from dispenser.rules.engine.phases import (
    AGAIN,
    ANSWERING,
    CARRYING_OUT,
    CHOOSING_DIRECTION,
    COUNTING,
    DREW,
    IDLE,
    IN_ROUND,
    MATCH_OVER,
    NAMING,
    PLAYING,
)
from dispenser.rules.engine.state import NOBODY
from dispenser.rules.words.notation import move_text
from dispenser.rules.words.telling import Telling
from dispenser.scenario.rules.acts import Bench
from dispenser.scenario.rules.begin import DIRECTIONS
from dispenser.scenario.rules.reading import (
    Key,
    ScenarioError,
    WrongValueError,
    closest,
    list_of,
    one_of,
    remark,
    table_of,
    within,
)
from dispenser.scenario.rules.words import Words, as_owed, number, rule_id

ILLEGAL: Final = "illegal"
PHASES: Final = {
    "round over": IDLE,
    "play": PLAYING,
    "play the drawn card": DREW,
    "answer": ANSWERING,
    "name": NAMING,
    "choose the direction": CHOOSING_DIRECTION,
    "carry out the rule": CARRYING_OUT,
    "play again": AGAIN,
    "count": COUNTING,
    "match over": MATCH_OVER,
}
SOMETHING_CHANGED: Final = Text("something has changed")
_QUESTIONS: Final = ("nothing", "turn-up", "discarded", "bluff", "points")
_NOT_ALLOWED: Final = Text("not allowed")
_BY: Final = Text("not allowed by {}")
_OR: Final = Text(" or ")
_QUOTED: Final = Text("“{}”")
_IT_IS_LEGAL: Final = Text("it is legal")
_MOVES: Final = Text('write texts, such as ["red 7", "draw"]')


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

    def say_moves(self, moves: Sequence[Move]) -> str:
        names, language = self.words.names, self.words.language
        return ", ".join(f'"{move_text(self.game, move, language, names)}"' for move in moves) or "–"


Answer = tuple[str, str] | None
"""What was wanted and what was found, in words; ``None`` when it is so."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One thing that can be expected.

    :ivar each: it is said of a player: ``hand.Ana = 7``.
    :ivar moves: its values are moves, which can be read only when they would be done.
    """

    read: Callable[[Words, Any], Any]
    judge: Callable[[View, int, Any], Answer]
    each: bool = False
    moves: bool = False


@dataclass(frozen=True, slots=True)
class Expectation:
    """One thing that is expected of a step.

    :ivar key: as it stands in the file, such as ``hand.Ana``.
    """

    key: str
    kind: Kind
    seat: int
    wanted: Any

    def judge(self, view: View) -> Answer:
        """Hold it against the game.

        :raises ScenarioError: a move that it names cannot be read.
        """
        try:
            return self.kind.judge(view, self.seat, self.wanted)
        except RulesError as error:
            raise ScenarioError(within(self.key, error.text)) from error


def _equal(
    read: Callable[[Words, Any], Any],
    look: Callable[[Game, int], Any],
    say: Callable[[Words, Any], str],
    *,
    each: bool = False,
) -> Kind:
    """Something that is so when it is equal to what is written."""

    def judge(view: View, seat: int, wanted: Any) -> Answer:
        found = look(view.game, seat)
        return None if found == wanted else (say(view.words, wanted), say(view.words, found))

    return Kind(read, judge, each)


def _word(known: Mapping[str, Any], look: Callable[[Game], Any]) -> Kind:
    """One of some words."""
    words = {what: word for word, what in known.items()}
    return _equal(lambda _, value: one_of(known)(value), lambda game, _: look(game), lambda _, what: words[what])


def _number(look: Callable[[Game, int], int], *, each: bool = False) -> Kind:
    return _equal(lambda _, value: number(value), look, lambda _, found: str(found), each=each)


def _number_or_cards(
    read: Callable[[Words, Any], Any], look: Callable[[Game, int], tuple[int, ...]], *, each: bool
) -> Kind:
    def judge(view: View, seat: int, wanted: Any) -> Answer:
        cards = look(view.game, seat)
        found = len(cards) if isinstance(wanted, int) else cards
        return None if found == wanted else (view.words.say_cards(wanted), view.words.say_cards(found))

    return Kind(read, judge, each)


# Reading


def _rules(_words: Words, value: Any) -> tuple[str, ...]:
    """The rule that forbids it, one of several, or whichever."""
    return () if value is True else list_of(rule_id)(value if isinstance(value, list) and value else [value])


def _texts(_words: Words, value: Any) -> tuple[str, ...]:
    texts = value if isinstance(value, list) else [value]
    if not texts or not all(isinstance(text, str) and text for text in texts):
        raise WrongValueError(_MOVES)
    return tuple(texts)


def _question(words: Words, value: Any) -> tuple[str, int]:
    kind, _, of = value.partition(": ") if isinstance(value, str) else ("", "", "")
    if kind not in _QUESTIONS:
        example = Text('write it like "bluff: Ana"')
        raise WrongValueError(remark(example, closest(kind, _QUESTIONS)))
    return kind, words.seat(of) if of else -1


# Judging


def _owes(view: View, _seat: int, wanted: Any) -> Answer:
    found = tuple(map(as_owed, view.game.state.demands))
    same = len(found) == len(wanted) and all(
        have[:4] == want[:4] and want[4] in {"", have[4]} for have, want in zip(found, wanted, strict=True)
    )
    return None if same else (view.words.say_owed(wanted), view.words.say_owed(found))


def _illegal(view: View, _seat: int, wanted: Sequence[str]) -> Answer:
    refused = view.refused
    if refused is not None and (not wanted or refused.rule in wanted):
        return None
    expected = view.say(_BY).format(view.say(_OR).join(wanted)) if wanted else view.say(_NOT_ALLOWED)
    return expected, view.say(_IT_IS_LEGAL if refused is None else refusal(refused))


def refusal(refused: IllegalMove) -> Text:
    """The rule and the reason."""
    return Text("{rule}: {reason}").filled(rule=refused.rule, reason=refused.reason)


def _legal(view: View, seat: int, wanted: Sequence[str]) -> Answer:
    legal, moves = _legal_and(view, seat, wanted)
    missing = [move for move in moves if move not in legal]
    return (view.say_moves(missing), view.say_moves(legal)) if missing else None


def _not_legal(view: View, seat: int, wanted: Sequence[str]) -> Answer:
    legal, moves = _legal_and(view, seat, wanted)
    there = [move for move in moves if move in legal]
    return (f"≠ {view.say_moves(there)}", view.say_moves(legal)) if there else None


def _only(view: View, seat: int, wanted: Sequence[str]) -> Answer:
    legal, moves = _legal_and(view, seat, wanted)
    return None if set(legal) == set(moves) else (view.say_moves(moves), view.say_moves(legal))


def _legal_and(view: View, seat: int, wanted: Sequence[str]) -> tuple[Sequence[Move], list[Move]]:
    """What that seat may do now, and what is written as moves of that seat."""
    return view.game.legal_moves(seat), [view.bench.move(seat, said) for said in wanted]


def _told(view: View, _seat: int, wanted: Sequence[str]) -> Answer:
    missing = [part for part in wanted if not _is_told(view, part)]
    return (_quoted(view, missing), _sentences(view, view.words.language)) if missing else None


def _not_told(view: View, _seat: int, wanted: Sequence[str]) -> Answer:
    there = [part for part in wanted if _is_told(view, part)]
    return (f"≠ {_quoted(view, there)}", _sentences(view, view.words.language)) if there else None


def _quoted(view: View, parts: Sequence[str]) -> str:
    return ", ".join(view.say(_QUOTED).format(part) for part in parts)


def _is_told(view: View, part: str) -> bool:
    """Whether these words are among what the table is told, in either language."""
    told = "\n".join(_sentences(view, language) for language in LANGUAGES)
    return _plainly(part) in _plainly(told)


def _sentences(view: View, language: str) -> str:
    telling = Telling(view.game, language, view.words.names)
    return " ".join(telling.event(event) for event in view.bench.told) or "–"


def _plainly(text: str) -> str:
    return text.replace("\u00a0", " ").lower()


def _same_as(view: View, _seat: int, wanted: int) -> Answer:
    if wanted not in view.marks:
        raise ScenarioError(Text("there is no step {wanted} before this one").filled(wanted=wanted))
    same = view.marks[wanted] == view.game.state.save()
    return None if same else (f"= {wanted or 'start'}", view.say(SOMETHING_CHANGED))


# Looking


def _hand(game: Game, seat: int) -> tuple[int, ...]:
    return tuple(game.state.held(seat))


def _catchers(game: Game, seat: int) -> tuple[int, ...]:
    return tuple(other for other in range(game.seats) if catch(seat) in game.legal_moves(other))


def _actors(game: Game, _seat: int) -> tuple[int, ...]:
    return tuple(game.actors()) if game.phase in IN_ROUND else ()


def _round_winner(game: Game, _seat: int) -> int:
    return game.state.round_winner if game.phase in {IDLE, COUNTING, MATCH_OVER} else NOBODY


def _asked(game: Game, _seat: int) -> tuple[str, int]:
    question = game.question
    if question is None:
        return "nothing", NOBODY
    return question.kind, NOBODY if question.seat is None else question.seat


def _gone(game: Game, _seat: int) -> tuple[int, ...]:
    return tuple(sorted(game.state.gone))


KINDS: Final[Mapping[str, Kind]] = {
    ILLEGAL: Kind(_rules, _illegal),
    "turn": _equal(Words.seat_or_nobody, lambda game, _: game.turn, Words.say_seat),
    "phase": _word(PHASES, lambda game: game.phase),
    "colour": _equal(Words.colour, lambda game, _: game.state.colour, Words.say_colour),
    "suit": _equal(Words.colour, lambda game, _: game.state.colour, Words.say_colour),
    "direction": _word(DIRECTIONS, lambda game: game.state.direction),
    "top": _equal(Words.card, lambda game, _: game.state.top, Words.say_card),
    "talon": _number_or_cards(Words.number_or_cards, lambda game, _: tuple(reversed(game.state.talon)), each=False),
    "pile": _number(lambda game, _: game.state.in_pile()),
    "owes": Kind(Words.owed, _owes),
    "asked": _equal(_question, _asked, lambda words, asked: f"{asked[0]}: {words.say_seat(asked[1])}"),
    "hand": _number_or_cards(Words.hand, _hand, each=True),
    "score": _number(lambda game, seat: game.state.scores[seat], each=True),
    "points": _number(lambda game, seat: game.state.points[seat], each=True),
    "legal": Kind(_texts, _legal, each=True, moves=True),
    "not_legal": Kind(_texts, _not_legal, each=True, moves=True),
    "only": Kind(_texts, _only, each=True, moves=True),
    "may_act": _equal(Words.seats, _actors, Words.say_seats),
    "may_catch": _equal(Words.seats, _catchers, Words.say_seats, each=True),
    "told": Kind(_texts, _told),
    "not_told": Kind(_texts, _not_told),
    "dealer": _equal(Words.seat_or_nobody, lambda game, _: game.state.dealer, Words.say_seat),
    "round": _number(lambda game, _: game.state.round),
    "round_winner": _equal(Words.seat_or_nobody, _round_winner, Words.say_seat),
    "out": _equal(Words.seats, _gone, Words.say_seats),
    "match_winner": _equal(Words.seats, lambda game, _: tuple(sorted(game.state.winners)), Words.say_seats),
    "match_loser": _equal(Words.seats, lambda game, _: tuple(sorted(game.state.losers)), Words.say_seats),
    "ranking": _equal(Words.order, lambda game, _: game.ranking(), Words.say_seats),
    "same_as": Kind(lambda _, value: 0 if value == "start" else number(value), _same_as),
}
"""All that can be expected, by the keys of a step."""


def expectation_keys(words: Words) -> dict[str, Key]:
    """The keys of a step that say what must be so."""
    return {
        key: Key(_of_each(words, key, kind) if kind.each else partial(kind.read, words)) for key, kind in KINDS.items()
    }


def _of_each(words: Words, key: str, kind: Kind) -> Callable[[Any], Any]:
    read_table = table_of({name: Key(partial(kind.read, words)) for name in words.names})
    example = f"{key}.{words.names[0]} = …"

    def read(value: Any) -> Any:
        if not isinstance(value, dict) or not value:
            raise WrongValueError(Text("say of whom: {example}").filled(example=example))
        return read_table(value)

    return read


def expectations_of(said: Mapping[str, Any], words: Words) -> Iterator[Expectation]:
    """The expectations of a step, out of what was read."""
    for key, wanted in said.items():
        kind = KINDS.get(key)
        if kind is None:
            continue
        if kind.each:
            yield from (Expectation(f"{key}.{name}", kind, words.seat(name), one) for name, one in wanted.items())
        else:
            yield Expectation(key, kind, -1, wanted)
