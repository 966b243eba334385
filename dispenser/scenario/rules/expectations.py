"""What must be so after a step: reading it, and holding it against the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dispenser.rules.book import LANGUAGES, Text
from dispenser.rules.errors import IllegalMove, RulesError
from dispenser.rules.events import Event
from dispenser.rules.game import Game
from dispenser.rules.library import RULES
from dispenser.rules.moves import CATCH, Move
from dispenser.rules.notation import move_text, read_move
from dispenser.rules.state import COUNTING, IDLE, MATCH_OVER
from dispenser.rules.telling import Telling
from dispenser.scenario.rules.tables import (
    Mistakes,
    ScenarioError,
    Table,
    WrongValueError,
    closest,
    remark,
    within,
    written,
)
from dispenser.scenario.rules.words import DIRECTIONS, PHASES, Words, as_owed

ILLEGAL: Final = "illegal"
MOST_POINTS: Final = 1_000_000
SOMETHING_CHANGED: Final = Text("something has changed", "quelque chose a changé")
_NOT_ALLOWED: Final = Text("not allowed by {}", "interdit par {}")
_QUOTED: Final = Text("“{}”", "«\u00a0{}\u00a0»")
_IT_IS_LEGAL: Final = Text("it is legal", "c’est permis")


@dataclass(slots=True)
class View:
    """What can be looked at after a step.

    :ivar refused: the error of the step's move, when it was against the rules.
    :ivar told: what the step brought about.
    :ivar marks: the whole state after each step so far; 0 is the start.
    """

    game: Game
    words: Words
    refused: IllegalMove | None
    told: Sequence[Event]
    marks: Mapping[int, tuple[Any, ...]]

    def moves(self, seat: int, texts: Sequence[str]) -> list[Move]:
        """What is written, as moves of that seat, now."""
        return [read_move(self.game, seat, text, self.words.names) for text in texts]

    def say_moves(self, moves: Sequence[Move]) -> str:
        names, language = self.words.names, self.words.language
        return ", ".join(f'"{move_text(self.game, move, language, names)}"' for move in moves) or "–"


Answer = tuple[str, str]
"""What was wanted and what was found, in words."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One thing that can be expected.

    :ivar each: it is said of a player: ``hand.Ana = 7``.
    :ivar read: the value of the file; raises ``WrongValueError`` with a remedy.
    :ivar judge: ``None`` when it is so.
    """

    each: bool
    read: Callable[[Words, Any], Any]
    judge: Callable[[View, int, Any], Answer | None]


@dataclass(frozen=True, slots=True)
class Expectation:
    """One thing that is expected of a step.

    :ivar key: as it stands in the file, such as ``hand.Ana``.
    """

    key: str
    kind: Kind
    seat: int
    wanted: Any

    def judge(self, view: View) -> Answer | None:
        """``None`` when it is so.

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

    def judge(view: View, seat: int, wanted: Any) -> Answer | None:
        found = look(view.game, seat)
        return None if found == wanted else (say(view.words, wanted), say(view.words, found))

    return Kind(each, read, judge)


# Reading


def _number(_words: Words, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not -MOST_POINTS <= value <= MOST_POINTS:
        raise WrongValueError(Text("write a whole number", "écris un nombre entier"))
    return value


def _one_of(known: Mapping[Any, str]) -> Callable[[Words, Any], Any]:
    def read(_words: Words, value: Any) -> Any:
        for what, word in known.items():
            if word == value:
                return what
        raise WrongValueError(closest(str(value), known.values()))

    return read


def _number_or_cards(words: Words, value: Any) -> Any:
    return words.hand(value) if isinstance(value, list) else _number(words, value)


def _number_or_talon(words: Words, value: Any) -> Any:
    return words.cards(value) if isinstance(value, list) else _number(words, value)


def _rule(_words: Words, value: Any) -> str:
    if value not in RULES:
        unknown = Text("there is no such rule", "cette règle n’existe pas")
        raise WrongValueError(remark(unknown, closest(str(value), RULES)))
    return str(value)


def _texts(_words: Words, value: Any) -> tuple[str, ...]:
    texts = value if isinstance(value, list) else [value]
    if not texts or not all(isinstance(text, str) and text for text in texts):
        raise WrongValueError(
            Text('write texts, such as ["red 7", "draw"]', 'écris des textes, comme ["7 rouge", "piocher"]')
        )
    return tuple(texts)


def _question(words: Words, value: Any) -> tuple[str, int]:
    kind, _, of = value.partition(": ") if isinstance(value, str) else ("", "", "")
    if kind not in _QUESTIONS:
        example = Text('write it like "bluff: Ana"', 'écris par exemple "bluff: Ana"')
        raise WrongValueError(remark(example, closest(kind, _QUESTIONS)))
    return kind, words.seat(of) if of else -1


_QUESTIONS: Final = ("nothing", "turn-up", "discarded", "bluff", "points")


def _step_number(words: Words, value: Any) -> int:
    return 0 if value == "start" else _number(words, value)


# Judging


def _hand(view: View, seat: int, wanted: Any) -> Answer | None:
    game, words = view.game, view.words
    if isinstance(wanted, int):
        return None if game.sizes[seat] == wanted else (str(wanted), str(game.sizes[seat]))
    found = tuple(card for card, count in enumerate(game.hands[seat]) for _ in range(count))
    return None if found == wanted else (words.say_cards(wanted), words.say_cards(found))


def _talon(view: View, _seat: int, wanted: Any) -> Answer | None:
    talon, words = tuple(reversed(view.game.talon)), view.words
    if isinstance(wanted, int):
        return None if len(talon) == wanted else (str(wanted), str(len(talon)))
    return None if talon == wanted else (words.say_cards(wanted), words.say_cards(talon))


def _owes(view: View, _seat: int, wanted: Any) -> Answer | None:
    found = tuple(map(as_owed, view.game.demands))
    same = len(found) == len(wanted) and all(
        have[:4] == want[:4] and want[4] in {"", have[4]} for have, want in zip(found, wanted, strict=True)
    )
    return None if same else (view.words.say_owed(wanted), view.words.say_owed(found))


def _illegal(view: View, _seat: int, wanted: str) -> Answer | None:
    refused, language = view.refused, view.words.language
    if refused is not None and refused.rule == wanted:
        return None
    found = _IT_IS_LEGAL[language] if refused is None else say_refusal(refused, language)
    return _NOT_ALLOWED[language].format(wanted), found


def say_refusal(refused: IllegalMove, language: str) -> str:
    """The rule and the reason."""
    return Text(f"{refused.rule}: {refused.reason.en}", f"{refused.rule}\u00a0: {refused.reason.fr}")[language]


def _legal(view: View, seat: int, wanted: Sequence[str]) -> Answer | None:
    legal = view.game.legal_moves(seat)
    missing = [move for move in view.moves(seat, wanted) if move not in legal]
    return (view.say_moves(missing), view.say_moves(legal)) if missing else None


def _not_legal(view: View, seat: int, wanted: Sequence[str]) -> Answer | None:
    legal = view.game.legal_moves(seat)
    there = [move for move in view.moves(seat, wanted) if move in legal]
    return (f"≠ {view.say_moves(there)}", view.say_moves(legal)) if there else None


def _only(view: View, seat: int, wanted: Sequence[str]) -> Answer | None:
    legal, moves = view.game.legal_moves(seat), view.moves(seat, wanted)
    return None if set(legal) == set(moves) else (view.say_moves(moves), view.say_moves(legal))


def _told(view: View, _seat: int, wanted: Sequence[str]) -> Answer | None:
    for part in wanted:
        if not _is_told(view, part):
            return _QUOTED[view.words.language].format(part), _sentences(view, view.words.language)
    return None


def _not_told(view: View, _seat: int, wanted: Sequence[str]) -> Answer | None:
    for part in wanted:
        if _is_told(view, part):
            return f"≠ {_QUOTED[view.words.language].format(part)}", _sentences(view, view.words.language)
    return None


def _is_told(view: View, part: str) -> bool:
    """Whether these words are among what the table is told, in either language."""
    told = "\n".join(_sentences(view, language) for language in LANGUAGES)
    return _plainly(part) in _plainly(told)


def _sentences(view: View, language: str) -> str:
    telling = Telling(view.game, language, view.words.names)
    return " ".join(telling.event(event) for event in view.told) or "–"


def _plainly(text: str) -> str:
    return text.replace("\u00a0", " ").lower()


def _same_as(view: View, _seat: int, wanted: int) -> Answer | None:
    if wanted not in view.marks:
        raise ScenarioError(
            Text(f"there is no step {wanted} before this one", f"il n’y a pas d’étape {wanted} avant celle-ci")
        )
    if view.marks[wanted] == view.game.save():
        return None
    return f"= {wanted or 'start'}", SOMETHING_CHANGED[view.words.language]


# Looking


def _catchers(game: Game, seat: int) -> tuple[int, ...]:
    return tuple(other for other in range(game.seats) if CATCH | seat in game.legal_moves(other))


def _actors(game: Game, _seat: int) -> tuple[int, ...]:
    return tuple(game.actors()) if IDLE < game.phase < COUNTING else ()


def _round_winner(game: Game, _seat: int) -> int:
    return game.round_winner if game.phase in {IDLE, COUNTING, MATCH_OVER} else -1


def _asked(game: Game, _seat: int) -> tuple[str, int]:
    return (game.question.kind, game.question.seat) if game.question else ("nothing", -1)


def _gone(game: Game, _seat: int) -> tuple[int, ...]:
    return tuple(other for other in range(game.seats) if game.gone >> other & 1)


def _plain(_words: Words, value: Any) -> str:
    return str(value)


KINDS: Final[Mapping[str, Kind]] = {
    ILLEGAL: Kind(each=False, read=_rule, judge=_illegal),
    "turn": _equal(Words.seat_or_nobody, lambda game, _: game.turn, Words.say_seat),
    "phase": _equal(_one_of(PHASES), lambda game, _: game.phase, lambda _, phase: PHASES[phase]),
    "colour": _equal(Words.colour, lambda game, _: game.colour, Words.say_colour),
    "suit": _equal(Words.colour, lambda game, _: game.colour, Words.say_colour),
    "direction": _equal(_one_of(DIRECTIONS), lambda game, _: game.direction, lambda _, way: DIRECTIONS[way]),
    "top": _equal(Words.card, lambda game, _: game.top, Words.say_card),
    "talon": Kind(each=False, read=_number_or_talon, judge=_talon),
    "pile": _equal(_number, lambda game, _: game.in_pile(), _plain),
    "owes": Kind(each=False, read=Words.owed, judge=_owes),
    "asked": _equal(_question, _asked, lambda words, asked: f"{asked[0]}: {words.say_seat(asked[1])}"),
    "hand": Kind(each=True, read=_number_or_cards, judge=_hand),
    "score": _equal(_number, lambda game, seat: game.scores[seat], _plain, each=True),
    "points": _equal(_number, lambda game, seat: game.points[seat], _plain, each=True),
    "legal": Kind(each=True, read=_texts, judge=_legal),
    "not_legal": Kind(each=True, read=_texts, judge=_not_legal),
    "only": Kind(each=True, read=_texts, judge=_only),
    "may_act": _equal(Words.seats, _actors, Words.say_seats),
    "may_catch": _equal(Words.seats, _catchers, Words.say_seats, each=True),
    "told": Kind(each=False, read=_texts, judge=_told),
    "not_told": Kind(each=False, read=_texts, judge=_not_told),
    "dealer": _equal(Words.seat_or_nobody, lambda game, _: game.dealer, Words.say_seat),
    "round": _equal(_number, lambda game, _: game.round, _plain),
    "round_winner": _equal(Words.seat_or_nobody, _round_winner, Words.say_seat),
    "out": _equal(Words.seats, _gone, Words.say_seats),
    "match_winner": _equal(Words.seats, lambda game, _: tuple(sorted(game.winners)), Words.say_seats),
    "match_loser": _equal(Words.seats, lambda game, _: tuple(sorted(game.losers)), Words.say_seats),
    "ranking": _equal(Words.order, lambda game, _: game.ranking(), Words.say_seats),
    "same_as": Kind(each=False, read=_step_number, judge=_same_as),
}
"""All that can be expected, by the keys of a step."""


def read_expectations(table: Table, words: Words) -> tuple[Expectation, ...]:
    """The expectations of a step, in the order in which they stand there."""
    found: list[Expectation] = []
    mistakes = Mistakes()
    for key in table:
        kind = KINDS.get(key)
        if kind is None:
            continue
        if not kind.each:
            with mistakes.noted():
                found.append(Expectation(key, kind, -1, _read(table, key, kind, table.raw(key), words)))
            continue
        below = table.raw(key)
        with mistakes.noted():
            if not isinstance(below, dict) or not below:
                example = f"{key}.{words.names[0]} = …"
                raise table.error(key, Text(f"say of whom: {example}", f"dis de qui\u00a0: {example}"))
            for name, value in below.items():
                found.append(_of_one(table, key, name, value, words))
    mistakes.tell()
    return tuple(found)


def _of_one(table: Table, key: str, name: str, value: Any, words: Words) -> Expectation:
    """What is expected of one player."""
    kind = KINDS[key]
    try:
        seat = words.seat(name)
    except WrongValueError as error:
        unknown = Text(f"{written(name)} does not play", f"{written(name)} ne joue pas")
        raise table.error(key, remark(unknown, error.text)) from error
    return Expectation(f"{key}.{name}", kind, seat, _read(table, key, kind, value, words))


def _read(table: Table, key: str, kind: Kind, value: Any, words: Words) -> Any:
    try:
        return kind.read(words, value)
    except WrongValueError as error:
        raise table.error(key, error.text) from error
