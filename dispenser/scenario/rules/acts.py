"""What happens in a step: a move, what the launcher lets out, what the table says; reading it and doing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from dispenser.rules.book.entry import Text
from dispenser.rules.errors import NothingToUndoError, RulesError
from dispenser.rules.events import Event
from dispenser.rules.game import Game
from dispenser.rules.moves import ANNOUNCE
from dispenser.rules.notation import read_move
from dispenser.rules.state import PRESSES
from dispenser.scenario.rules.deal import read_deal
from dispenser.scenario.rules.tables import Mistakes, ScenarioError, Table, WrongValueError, closest, within, written
from dispenser.scenario.rules.words import Words

Delivery = int | tuple[int, ...]
"""What comes out at once: so many cards, or these."""

PAYS: Final = "pays"
CHANCE: Final = "chance"
MOST_CARDS: Final = 1000
_ANNOUNCING: Final = {"uno", "carte"}


@dataclass(slots=True)
class Bench:
    """The game that is played, and what the presses bring that nobody described one by one.

    :ivar presses: the next one first.
    :ivar told: what the step has brought about so far.
    """

    game: Game
    words: Words
    presses: list[Delivery]
    pressed: int = 0
    told: list[Event] = field(default_factory=list)

    def hear(self, events: Sequence[Event]) -> None:
        """Something was brought about."""
        self.told += events

    def next_press(self) -> Delivery:
        if not self.presses:
            number = self.pressed
            there = {0: "there are none", 1: "there is one"}.get(number, f"there are {number} of them")
            french = {0: "il n’y en a aucun", 1: "il y en a un seul"}.get(number, f"il y en a {number}")
            raise ScenarioError(
                Text(
                    f"presses: {there}, and here is one more press; add it",
                    f"presses\u00a0: {french}, et voici un appui de plus\u00a0; ajoute-le",
                )
            )
        self.pressed += 1
        return self.presses.pop(0)


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that happens.

    :ivar key: as it stands in the file, such as ``Ana`` or ``launcher``.
    :ivar text: the line of the file.
    """

    key: str
    text: str
    do: Callable[[Bench], None]


# Reading: each gives what there is to do


def _move(seat: int, text: Any) -> Callable[[Bench], None]:
    if not isinstance(text, str) or not text.strip():
        raise WrongValueError(
            Text('write the move as a text, such as "red 7"', 'écris le coup comme un texte, par exemple "7 rouge"')
        )

    *laid, last = text.split()
    only_said = [word.lower() for word in laid] in (["say"], ["dire"])  # it is a move of its own then
    announces = bool(laid) and not only_said and last.strip(".,!").lower() in _ANNOUNCING
    said = " ".join(laid) if announces else text

    def do(bench: Bench) -> None:
        game = bench.game
        try:
            move = read_move(game, seat, said, bench.words.names)
        except RulesError as error:
            raise ScenarioError(error.text) from error
        if announces and move in game.legal_moves(seat):  # a refused move changes nothing
            bench.hear(game.play(seat, ANNOUNCE))
        bench.hear(game.play(seat, move))

    return do


def read_delivery(words: Words, value: Any) -> Delivery:
    """So many cards, or a list of cards."""
    if isinstance(value, list):
        return words.cards(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_CARDS:
        raise WrongValueError(
            Text("write how many cards come out, or a list of them", "écris combien de cartes sortent, ou leur liste")
        )
    return value


def _launcher(words: Words, _game: Game, value: Any) -> Callable[[Bench], None]:
    if value == PAYS:
        return _pay
    if value == CHANCE:
        return lambda bench: bench.hear(bench.game.fulfil())
    if isinstance(value, str):
        raise WrongValueError(
            Text(
                f'write how many cards come out, a list of cards, or "{PAYS}"',
                f'écris combien de cartes sortent, une liste de cartes, ou "{PAYS}"',
            )
        )
    several = isinstance(value, list) and not all(isinstance(each, str) for each in value)
    deliveries = [read_delivery(words, each) for each in (value if several else [value])]

    def do(bench: Bench) -> None:
        for delivery in deliveries:
            bench.hear(bench.game.fulfil(delivery))

    return do


def _pay(bench: Bench) -> None:
    """Everything that is owed: the presses of the file's list, or the next cards of the pile."""
    game = bench.game
    if not game.demands:
        game.fulfil(0)  # refuses: nobody owes anything
    while game.demands:
        demand = game.demands[0]
        if game.chance is not None and not bench.presses:
            bench.hear(game.fulfil())
        elif demand.kind == PRESSES:
            bench.hear(game.fulfil(bench.next_press()))
        else:
            bench.hear(game.fulfil(min(demand.number, game.available())))


def _answer(words: Words, _game: Game, value: Any) -> Callable[[Bench], None]:
    answer = words.card(value) if isinstance(value, str) else words.cards(value) if isinstance(value, list) else value
    if not isinstance(answer, (int, tuple)):
        raise WrongValueError(
            Text(
                "answer with true or false, points, a card or a list of cards",
                "réponds par true ou false, des points, une carte ou une liste de cartes",
            )
        )
    return lambda bench: bench.hear(bench.game.answer(answer))


def _penalty(words: Words, game: Game, value: Any) -> Callable[[Bench], None]:
    seat, offence = _one_pair(words, value, 'Ben = "advice"')
    if not isinstance(offence, str) or offence not in game.offences:
        raise WrongValueError(closest(str(offence), game.offences))
    return lambda bench: bench.hear(bench.game.penalise(seat, offence))


def _correct(words: Words, _game: Game, value: Any) -> Callable[[Bench], None]:
    seat, hand = _one_pair(words, value, "Ben = 5")
    if isinstance(hand, list):
        cards = words.cards(hand)
        return lambda bench: bench.hear(bench.game.correct_hand(seat, cards=cards))
    size = read_delivery(words, hand)
    return lambda bench: bench.hear(bench.game.correct_hand(seat, size=size if isinstance(size, int) else None))


def _one_pair(words: Words, value: Any, example: str) -> tuple[int, Any]:
    if not isinstance(value, dict) or len(value) != 1:
        raise WrongValueError(Text(f"write it like {{ {example} }}", f"écris par exemple {{ {example} }}"))
    name, what = next(iter(value.items()))
    return words.seat(name), what


def _turn_of(words: Words, _game: Game, value: Any) -> Callable[[Bench], None]:
    seat = words.seat(value)
    return lambda bench: bench.hear(bench.game.correct_turn(seat))


def _reload(_words: Words, _game: Game, value: Any) -> Callable[[Bench], None]:
    if value is not True:
        raise WrongValueError(Text("write true", "écris true"))
    return lambda bench: bench.hear(bench.game.reload())


def _back_and_forth(step: Callable[[Game], object]) -> Callable[[Words, Game, Any], Callable[[Bench], None]]:
    def read(_words: Words, _game: Game, value: Any) -> Callable[[Bench], None]:
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise WrongValueError(
                Text("write how many actions: 1 or more", "écris combien d’actions\u00a0: 1 ou davantage")
            )

        def do(bench: Bench) -> None:
            for _ in range(value):
                try:
                    step(bench.game)
                except NothingToUndoError as error:
                    raise ScenarioError(error.text) from error

        return do

    return read


def _deal(words: Words, game: Game, value: Any) -> Callable[[Bench], None]:
    table = Table(value, "deal")
    deal = read_deal(table, words, game)
    table.finish()
    return lambda bench: bench.hear(deal.do(bench.game))


_READERS: Final[Mapping[str, Callable[[Words, Game, Any], Callable[[Bench], None]]]] = {
    "deal": _deal,
    "penalty": _penalty,
    "answer": _answer,
    "correct": _correct,
    "correct_turn": _turn_of,
    "reload": _reload,
    "undo": _back_and_forth(Game.undo),
    "redo": _back_and_forth(Game.redo),
    "launcher": _launcher,
}
"""What can happen beside a move, by the keys of a step; in a step with a move the launcher comes after it."""

ACT_KEYS: Final = tuple(_READERS)


def read_acts(table: Table, words: Words, game: Game) -> tuple[Act, ...]:
    """What happens in a step: a move or one of ``ACT_KEYS``, and perhaps what the launcher lets out then."""
    acts: list[Act] = []
    mistakes = Mistakes()
    for key in sorted(table, key="launcher".__eq__):
        if key in words.names or key in _READERS:
            with mistakes.noted():
                acts.append(_read_act(table, key, words, game))
    mistakes.tell()
    if not acts:
        raise ScenarioError(
            within(
                table.name,
                Text(
                    f'nothing happens; write {words.names[0]} = "…" or one of {", ".join(ACT_KEYS)}',
                    f'rien ne se passe\u00a0; écris {words.names[0]} = "…" ou l’un de {", ".join(ACT_KEYS)}',
                ),
            )
        )
    if len([act for act in acts if act.key != "launcher"]) > 1:
        first, second = acts[0].key, acts[1].key
        raise ScenarioError(
            within(
                table.name,
                Text(
                    f"{first} and {second}: one thing at a time; make two steps of it",
                    f"{first} et {second}\u00a0: une chose à la fois\u00a0; fais-en deux étapes",
                ),
            )
        )
    return tuple(acts)


def _read_act(table: Table, key: str, words: Words, game: Game) -> Act:
    value = table.raw(key)
    try:
        do = _READERS[key](words, game, value) if key in _READERS else _move(words.seat(key), value)
    except ScenarioError as error:
        more = [ScenarioError(within(table.name, each.text)) for each in error.more]
        raise ScenarioError(within(table.name, error.text), more) from error
    except WrongValueError as error:
        raise table.error(key, error.text) from error
    return Act(key, f"{key} = {written(value)}", do)


def sequence_of(values: Sequence[Any], words: Words) -> list[Delivery]:
    """What the presses bring, one after the other."""
    return [read_delivery(words, value) for value in values]
