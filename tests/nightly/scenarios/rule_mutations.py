"""Wrong versions of a rule scenario: in each, one expectation says something else, and must fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dispenser.i18n import Text
from dispenser.rules.engine.cards import CardSet
from dispenser.rules.engine.playing_cards import PLAYING_CARDS
from dispenser.rules.engine.uno_cards import UNO
from dispenser.rules.games.uno_extreme.cards import UNO_EXTREME
from dispenser.rules.library import RULES
from dispenser.scenario.rules.expectations import CHECKS, PHASES
from dispenser.scenario.rules.played import DIRECTIONS, NO_COLOUR, NOBODY

Tables = dict[str, Any]

CARD_SETS = {"uno-extreme": UNO_EXTREME, "huit-americain": PLAYING_CARDS, "151": PLAYING_CARDS}
QUESTIONS = ("nothing", "turn-up", "discarded", "bluff", "points")
OPPOSITE = {"legal": "not_legal", "not_legal": "legal"}


def mutations(tables: Tables) -> Iterator[tuple[int, str, Tables]]:
    """Each with the number of the step and the key that must be found wrong."""
    for number, step in enumerate([tables.get("start", {}), *tables.get("step", ())]):
        for key in [key for key in CHECKS if key in step]:
            for full, changed in _of_key(tables, step, key, number):
                yield number, full, _with_step(tables, number, changed)


def _of_key(tables: Tables, step: Tables, key: str, number: int) -> Iterator[tuple[str, Tables]]:
    value = step[key]
    if key in OPPOSITE:
        for name, texts in value.items():
            for text in texts if isinstance(texts, list) else [texts]:
                yield f"{OPPOSITE[key]}.{name}", {**_without(step, *OPPOSITE), OPPOSITE[key]: {name: text}}
    elif CHECKS[key].each:
        for name, one in value.items():
            for wrong in _others(tables, key, one, number):
                yield f"{key}.{name}", {**step, key: {**value, name: wrong}}
    else:
        for wrong in _others(tables, key, value, number):
            yield key, {**step, key: wrong}
        if key == "illegal":
            # The refusal is found before anything is looked at; without expectations it would be no scenario.
            yield key, {**_without(step, key), "hand": {tables["players"][0]: 999}}


def _others(tables: Tables, key: str, value: Any, number: int) -> Iterator[Any]:
    """Values that are all wrong when ``value`` is right."""
    players = tables["players"]
    cards = CARD_SETS.get(tables["game"], UNO)
    if key == "same_as":
        yield 1 if value == "start" else "start"  # the first step must change something
    elif key == "illegal":
        rules = value if isinstance(value, list) else [value]
        yield from () if value is True else ([rule for rule in RULES if rule not in rules],)
    elif isinstance(value, int):
        yield from {abs(value - 1), value + 1}
    elif key == "phase":
        yield from (word for word in PHASES if word != value)
    elif key == "direction":
        yield from (word for word in DIRECTIONS if word != value)
    elif key in {"colour", "suit"}:
        yield from (word for word in (*_english(cards), NO_COLOUR) if word != _in_english(cards, value))
    elif key == "top":
        yield from _other_cards(cards, value)
    elif key in {"turn", "dealer", "round_winner"}:
        yield from (name for name in (*players, NOBODY) if name != value)
    elif key == "asked":
        yield from (word for word in QUESTIONS if word != value)
        yield from (f"{value.partition(':')[0]}: {name}" for name in players if not value.endswith(f": {name}"))
    elif key == "owes":
        yield from _other_debts(players, value)
    elif key == "only":
        texts = value if isinstance(value, list) else [value]
        yield from (texts[:place] + texts[place + 1 :] for place in range(len(texts)) if len(texts) > 1)
        yield [*texts, "challenge" if "challenge" not in texts else "pass"]
    elif key == "ranking":
        yield from (
            [*value[:place], value[place + 1], value[place], *value[place + 2 :]] for place in range(len(value) - 1)
        )
    elif key == "not_told":
        yield "."  # the step must tell something
    elif key == "told":
        yield from ([f"{text} or nothing"] for text in (value if isinstance(value, list) else [value]))
    elif key in {"hand", "talon"}:
        yield from (value[:place] + value[place + 1 :] for place in range(len(value)))
        yield [*value, value[0] if value else cards.names[0].en]
    else:  # several players
        names = [] if value == NOBODY else value if isinstance(value, list) else [value]
        yield from ([name for name in names if name != left_out] or NOBODY for left_out in names)
        yield from ([*names, name] for name in players if name not in names)


def _english(cards: CardSet) -> list[str]:
    return [name.en for name in cards.colour_names]


def _in_english(cards: CardSet, word: str) -> str:
    return next((name.en for name in cards.colour_names if word in {name.en, name.fr}), word)


def _other_cards(cards: CardSet, value: str) -> Iterator[str]:
    def is_it(name: Text) -> bool:
        return value.lower() in {name.en.lower(), name.fr.lower()}

    yield from (name.en for name in cards.names[::7] if not is_it(name))


def _other_debts(players: list[str], value: Any) -> Iterator[Any]:
    if value == NOBODY:
        yield f"{players[0]} draws 1"
        return
    debts = value if isinstance(value, list) else [value]
    yield NOBODY
    yield [*debts, debts[0]]
    for place, debt in enumerate(debts):
        words = debt.split()
        other = next(name for name in players if name != words[0])
        verb = "draws" if words[1] in {"presses", "appuie"} else "presses"
        wrong = [[other, *words[1:]], [words[0], verb, *words[2:]], [*words[:2], str(int(words[2]) + 1), *words[3:]]]
        if debt.endswith(")"):
            wrong.append([*words[:-1], "(G-02)"])
        for each in wrong:
            yield [*debts[:place], " ".join(each), *debts[place + 1 :]]


def _without(step: Tables, *keys: str) -> Tables:
    return {key: value for key, value in step.items() if key not in keys}


def _with_step(tables: Tables, number: int, step: Tables) -> Tables:
    """The scenario up to that step, which is another one."""
    if not number:
        return {**tables, "start": step, "step": []}
    return {**tables, "step": [*tables["step"][: number - 1], step]}
