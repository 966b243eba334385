"""Tables are read as their types describe them; all that is wrong is told at once, with place, value and remedy."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec import field as named

from dispenser.config import TableError, WrongValueError, parse_toml, read, read_file
from dispenser.i18n import Text

SECONDS = Text("seconds")


class Seat:
    """A type of one's own, which only a hook can read."""

    def __init__(self, name: str) -> None:
        self.name = name


class Bounds(Struct):
    at_least: float | UnsetType = UNSET
    at_most: float | UnsetType = UNSET


class Step(Struct, tag_field="do"):
    at: Annotated[float, Meta(ge=0, le=3600, extra={"unit": SECONDS})]


class Press(Step, tag="press button"):
    hold: Annotated[float, Meta(ge=0.001, le=600)] = 0.15


class Put(Step, tag="put cards in"):
    cards: Annotated[int, Meta(ge=1, le=999, extra={"hint": Text("say how many")})]
    colour: Literal["red", "blue"] = "red"


@dataclass(frozen=True, kw_only=True)
class Machine:
    host: str = "here"
    exit: int | None = 22
    low: int = 0
    high: int = 9
    derived: bool = field(default=True, metadata={"from_file": False})

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"low = {self.low}: use {self.high} or less")
        if self.host == "nowhere":
            raise WrongValueError(Text("is no place"), "host")


class File(Struct):
    title: str
    step: list[Press | Put] = []
    machine: Machine = Machine()
    window: tuple[float, float] | float = 0.0
    counts: dict[int, int] = {}
    delivered: int | Bounds | None = 0
    outputs: Literal["fall", "hold"] = "fall"
    players: Annotated[tuple[str, ...], Meta(min_length=2)] = ("Ana", "Ben")
    with_: dict[str, Any] = named(name="with", default_factory=dict)


def mistakes(text: str, kind: type = File) -> list[str]:
    with pytest.raises(TableError) as caught:
        read(parse_toml(f'title = "t"\n{text}' if kind is File else text), kind)
    return [each.en for each in caught.value.errors]


def test_a_file_becomes_what_its_types_describe() -> None:
    text = """
        title = "A title"
        window = [1, 2.5]
        counts = { "3" = 4 }
        delivered = { at_least = 2 }
        with = { anything = ["goes"] }
        [machine]
        exit = "none"
        [[step]]
        do = "press button"
        at = 1
        [[step]]
        do = "put cards in"
        at = 2.5
        cards = 3
        colour = "blue"
    """
    assert read(parse_toml(text), File) == File(
        "A title",
        step=[Press(at=1.0), Put(at=2.5, cards=3, colour="blue")],
        machine=Machine(exit=None),
        window=(1.0, 2.5),
        counts={3: 4},
        delivered=Bounds(at_least=2.0),
        with_={"anything": ["goes"]},
    )


ONE_MISTAKE = {
    "[[step]]\nat = 1": "[[step]] 1: do is missing: known are press button, put cards in",
    '[[step]]\ndo = "pres button"\nat = 1': '[[step]] 1: do = "pres button": did you mean "press button"?',
    '[[step]]\ndo = "press button"\nat = "1"': (
        '[[step]] 1: at = "1": write a number of seconds from 0 to 3600, without quotes'
    ),
    '[[step]]\ndo = "press button"\nat = nan': "[[step]] 1: at = nan: write a number of seconds from 0 to 3600",
    '[[step]]\ndo = "press button"': "[[step]] 1: at is missing: write a number of seconds from 0 to 3600",
    '[[step]]\ndo = "put cards in"\nat = 1': "[[step]] 1: cards is missing: say how many",
    '[[step]]\ndo = "put cards in"\nat = 1\ncard = 1': '[[step]] 1: card = 1: no such key here; did you mean "cards"?',
    '[[step]]\ndo = "put cards in"\nat = 1\ncards = 1\ncolour = "read"': (
        '[[step]] 1: colour = "read": did you mean "red"?'
    ),
    "step = [3]": "step[1] = 3: write a table, such as { key = …, … }",
    "[step]\nat = 1": "step = {at = 1}: write [[step]]: there may be several of them",
    "[machin]\nlow = 3": '[machin]: there is no such table; did you mean "machine"?',
    "machine = 3": "machine = 3: write [machine] and keys below it",
    "[machine]\nderived = false": "[machine] derived = false: no such key here; known are host, exit, low, high",
    "[machine]\nlow = 12": "[machine] low = 12: use 9 or less",
    '[machine]\nhost = "nowhere"': '[machine] host = "nowhere": is no place',
    "[machine]\nexit = false": '[machine] exit = false: write a whole number, or "none" for nothing',
    "[machine.inner]\na = 1": "[machine.inner]: there is no such table; known are host, exit, low, high",
    'window = [1, "x"]': 'window[2] = "x": write a number, without quotes',
    'window = "x"': 'window = "x": write a list, such as [1.0, 2.5], or a number',
    "counts = { x = 4 }": "counts = {x = 4}: write [counts] and keys below it",
    "delivered = { at_leest = 2 }": '[delivered] at_leest = 2: no such key here; did you mean "at_least"?',
    'delivered = "x"': (
        'delivered = "x": write a whole number, or [delivered] and keys below it, or "none" for nothing'
    ),
    'outputs = "rise"': 'outputs = "rise": known are fall, hold',
    'players = ["Ana"]': 'players = ["Ana"]: write a list, such as ["a", "b"]',
    "players = [1, 2]": "players[1] = 1: write a text, such as",
}


@pytest.mark.parametrize(("text", "told"), ONE_MISTAKE.items(), ids=list(ONE_MISTAKE))
def test_a_mistake_is_told_with_its_place_its_value_and_a_remedy(text: str, told: str) -> None:
    assert mistakes(text)[0].startswith(told)


def test_all_mistakes_of_a_file_are_told_at_once() -> None:
    text = """
        titel = "t"
        outputs = 1
        [[step]]
        do = "press button"
        at = "x"
        hold = -1
        [[step]]
        do = "jump"
        [machine]
        low = 99
        exit = "x"
    """
    with pytest.raises(TableError) as caught:
        read(parse_toml(text), File)
    assert {each.en.partition(" = ")[0] for each in caught.value.errors} == {
        "titel",
        "outputs",
        "[[step]] 1: at",
        "[[step]] 1: hold",
        "[[step]] 2: do",
        "[machine] low",
        "[machine] exit",
    }


def test_what_keys_say_together_is_not_judged_while_one_of_them_is_wrong() -> None:
    class Expecting(Struct):
        step: list[int] = []
        outputs: Literal["fall", "hold"] = "fall"

        def __post_init__(self) -> None:
            if not self.step:
                raise WrongValueError(Text("no step"))

    with pytest.raises(TableError) as caught:
        read({"step": [], "outputs": "x"}, Expecting)
    assert [each.en.partition(" = ")[0] for each in caught.value.errors] == ["outputs"]


def test_the_error_shows_the_first_mistake_and_says_how_many_more_there_are() -> None:
    error = TableError(Text("one"), Text("two"), Text("three"))
    assert str(error) == "one (and 2 more)"
    assert error.text["fr"] == "one (et 2 de plus)"
    assert next(each["fr"] for each in error.within("a.toml")) == "a.toml\u00a0: one"


def test_mistakes_are_told_in_french_as_well() -> None:
    with pytest.raises(TableError) as caught:
        read({"title": "t", "step": [{"do": "press button", "at": "x", "hodl": 1}]}, File)
    assert [each["fr"] for each in caught.value.errors] == [
        '[[step]] 1: at = "x"\u00a0: écris un nombre de secondes de 0 à 3600, sans guillemets',
        '[[step]] 1: hodl = 1\u00a0: cette clé n’existe pas ici\u00a0; voulais-tu dire "hold"\u00a0?',
    ]


def test_a_hook_reads_types_of_ones_own_and_says_what_is_wrong_with_a_value() -> None:
    class Table(Struct):
        turn: Seat
        order: list[Seat] = []

    def hook(kind: type, value: Any) -> Any:
        assert kind is Seat
        if value not in {"Ana", "Ben"}:
            raise WrongValueError(Text("does not play"))
        return Seat(value)

    assert read({"turn": "Ana"}, Table, hook=hook).turn.name == "Ana"
    with pytest.raises(TableError) as caught:
        read({"turn": "Cem", "order": ["Ana", 3]}, Table, hook=hook)
    assert [each.en for each in caught.value.errors] == [
        'turn = "Cem": does not play',
        "order[2] = 3: does not play",
    ]


def test_a_typed_dict_describes_a_table_whose_keys_no_attribute_can_have() -> None:
    table: Any = TypedDict("Table", {"Ana’s hand": int, "why": NotRequired[str]})  # type: ignore[operator]
    assert read({"Ana’s hand": 7}, table) == {"Ana’s hand": 7}
    with pytest.raises(TableError) as caught:
        read({"wy": "x", "Ana’s hand": "x"}, table)
    assert len(caught.value.errors) == 2
    with pytest.raises(TableError, match="is missing: write a whole number"):
        read({}, table)


def test_a_place_can_be_given_for_tables_that_stand_below_others() -> None:
    with pytest.raises(TableError, match=r"^\[setup\.machine\] low = \"x\": write a whole number"):
        read({"low": "x"}, Machine, path=("setup", "machine"))


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    with pytest.raises(TableError, match="there is no such file"):
        read_file(bad)
    with pytest.raises(TableError, match="a folder, not a file"):
        read_file(tmp_path)
    bad.write_bytes(b"\xff")
    with pytest.raises(TableError, match="not a text"):
        read_file(bad)
    bad.write_bytes(b"\xef\xbb\xbfa = 1")
    assert read_file(bad) == {"a": 1}


VALUES = st.recursive(
    st.one_of(st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.dates()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=8,
)
KEYS = st.sampled_from(["title", "step", "machine", "window", "counts", "delivered", "outputs", "players", "with", "x"])


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_whatever_stands_there_is_read_or_told_on_one_line_each(tables: dict[str, Any]) -> None:
    try:
        read(tables, File)
    except TableError as error:
        for each in error.errors:
            assert each.en.isprintable()
            assert each["fr"].replace("\u00a0", " ").isprintable()
