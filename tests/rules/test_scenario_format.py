"""Files that are wrong: the error says where, and what to write instead; and the documentation says it all."""

from __future__ import annotations

import contextlib
import re
import tomllib
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from dispenser.config import TableError
from dispenser.i18n import Text
from dispenser.rules.registry import GAMES
from dispenser.rules.words import sentences
from dispenser.scenario.rules.expectations import CHECKS, PHASES
from dispenser.scenario.rules.format import TOP_KEYS, parse
from dispenser.scenario.rules.player import ACTS, play
from tests.rules.bilingual import caught, leaks

README = Path(__file__).parents[1] / "scenarios" / "rules" / "README.md"

KEYS: Final = {*ACTS, *CHECKS, *TOP_KEYS, "hands"}

GOOD = """
title = "A skip skips"
game = "uno"
rules = ["U-13"]
players = ["Ana", "Ben", "Cem"]
dealer = "Cem"
first = "red 7"
pile = ["green 1"]

[hands]
Ana = ["red skip", "blue 3"]
Ben = ["red 1"]
Cem = ["red 2"]

[[step]]
Ana = "red skip"
turn = "Cem"

[[step]]
Cem = "draw"
launcher = "pays"
hand.Cem = ["green 1", "red 2"]
"""


def changed(old: str, new: str) -> dict[str, Any]:
    assert GOOD.count(old) == 1
    return tomllib.loads(GOOD.replace(old, new))


def play_changed(old: str, new: str) -> None:
    play(parse(changed(old, new)))


def error_of(tables: dict[str, Any]) -> str:
    error = caught(lambda: play(parse(tables)))
    assert type(error) is TableError
    assert "\n" not in str(error)
    assert leaks(error.text, KEYS) == []
    return str(error)


@pytest.mark.parametrize("said", ["announce", "uno", "say UNO", "dire UNO", "red skip uno"])
def test_saying_it_is_a_move_or_goes_with_one(said: str) -> None:
    hands = changed('Ana = "red skip"', f'Ana = "{said}"')
    hands["step"] = hands["step"][:1]
    hands["step"][0]["turn"] = "Cem" if "skip" in said else "Ana"
    hands["step"][0]["told"] = ["Ana says “UNO”."] + (["Ana plays the red skip."] if "skip" in said else [])
    assert play(parse(hands)) == []


PRESSING: Final = """
title = "A press of no cards"
game = "uno-extreme"
rules = ["E-14"]
players = ["Ana", "Ben", "Cem"]
presses = [0]
dealer = "Cem"
first = "red 7"
pile = ["green 1"]

[hands]
Ana = ["blue 3"]
Ben = ["blue 1"]
Cem = ["red 2"]

[[step]]
Ana = "press"
launcher = "pays"

[[step]]
Ben = "press"
launcher = "pays"
hand.Ben = 1
"""

DRAWS: Final = {
    "not those who tied": '[{ Ana = "red 9", Ben = "blue 9", Cem = "red 1" }, { Ana = "red 1", Cem = "red 2" }]',
    "a tie is left": '{ Ana = "red 9", Ben = "blue 9", Cem = "red 1" }',
    "nobody tied": '[{ Ana = "red 9", Ben = "blue 8", Cem = "red 1" }, { Ana = "red 1", Ben = "red 2" }]',
    "one is missing": '{ Ana = "red 9", Ben = "blue 8" }',
}

WRONG: Final = (
    ('title = "A skip skips"', "", ["title", "is missing"]),
    ('game = "uno"', 'game = "unno"', ['game = "unno"', 'did you mean "uno"?']),
    ('game = "uno"', "", ["game is missing", "huit-americain"]),
    ('rules = ["U-13"]', "", ["rules is missing"]),
    ('rules = ["U-13"]', 'rules = ["U-99"]', ["rules", '"U-99"', "there is no rule"]),
    ('["Ana", "Ben", "Cem"]', '["Ana", "Ben", "Ana"]', ['"Ana"', "twice"]),
    ('["Ana", "Ben", "Cem"]', '["Ana", "Ben", "turn"]', ['"turn"', "take another name"]),
    ('["Ana", "Ben", "Cem"]', '["Ana", "Ben", 7]', ["players", "7"]),
    ('["Ana", "Ben", "Cem"]', '["Ana"]', ["uno is for 2 to 10 players, not 1"]),
    ('dealer = "Cem"', 'dealer = "Cen"', ['dealer = "Cen"', 'did you mean "Cem"?']),
    ('dealer = "Cem"', "", ["dealer is missing"]),
    ('players = ["Ana", "Ben", "Cem"]', "", ["players is missing", "clockwise"]),
    ('dealer = "Cem"', 'dealr = "Cem"', ["dealr", 'did you mean "dealer"?']),
    ('first = "red 7"', 'first = "rde 7"', ['first = "rde 7"', "red 7"]),
    ('first = "red 7"', "first = 7", ["first = 7", "is no card"]),
    ('first = "red 7"', 'frist = "red 7"', ["frist", 'did you mean "first"?']),
    ('first = "red 7"\npile = ["green 1"]', "", ["first is missing"]),
    ('first = "red 7"\npile = ["green 1"]', 'frist = "red 7"', ["frist", 'did you mean "first"?']),
    ('pile = ["green 1"]', 'pile = "green 1"', ["pile", "write a list"]),
    ('pile = ["green 1"]', 'pile = ["red 2", "red 2", "red 2"]', ["red 2 stands 4 times", "the deck has 2"]),
    ('pile = ["green 1"]', "options = { tarket = 5 }", ["tarket", "target"]),
    ('pile = ["green 1"]', "options = { target = 5 }", ["target", "50 to 2000"]),
    ('pile = ["green 1"]', "hidden = 1", ["hidden = 1", "true or false"]),
    ('pile = ["green 1"]', "seed = -1", ["seed = -1", "whole number"]),
    ('pile = ["green 1"]', 'presses = ["wild"]', ["presses", "how many cards"]),
    ('pile = ["green 1"]', 'dealer_draw = { Ana = "red 7" }', ["dealer", "not both"]),
    ('Ben = ["red 1"]', 'Benn = ["red 1"]', ["hands", "Benn", 'did you mean "Ben"?']),
    ('Ben = ["red 1"]', 'Ben = ["red 1", "no card"]', ["hands", "Ben", "no card"]),
    ('Ben = ["red 1"]\nCem = ["red 2"]', 'Ben = "the rest"\nCem = "the rest"', ["only one", "the rest"]),
    ('Ben = ["red 1"]', 'Ben = ["red 1"]\nhidden = true', ["[hands] hidden = true", "known are Ana, Ben, Cem"]),
    ('Ana = "red skip"', 'Anna = "red skip"', ["[[step]] 1", "Anna", 'did you mean "Ana"?']),
    ('Ana = "red skip"', "Ana = 7", ["[[step]] 1", "Ana = 7", "write the move as a text"]),
    ('Ana = "red skip"', 'Ana = "red skp"', ["[[step]] 1", "red skp", "red skip"]),
    ('Ana = "red skip"', 'Ana = "red skip"\nBen = "red 1"', ["[[step]] 1", "one thing at a time"]),
    ('Ana = "red skip"', "", ["[[step]] 1", "nothing happens"]),
    ('Ana = "red skip"', "penalty = { Ana = 'advise' }", ["[[step]] 1", "penalty", 'did you mean "advice"?']),
    ('Ana = "red skip"', "penalty = 'advice'", ["[[step]] 1", "penalty", "write a table"]),
    ('Ana = "red skip"', "correct = { Ben = 'one' }", ["[[step]] 1", "correct", "how many cards"]),
    ('Ana = "red skip"', "reload = 1", ["[[step]] 1", "reload = 1", "write true"]),
    ('Ana = "red skip"', "undo = 0", ["[[step]] 1", "undo = 0", "1 or more"]),
    ('Ana = "red skip"', "undo = 7", ["[[step]] 1", "nothing to undo"]),
    ('Ana = "red skip"', "answer = 1.5", ["[[step]] 1", "answer = 1.5"]),
    ('Ana = "red skip"', "deal = { first = 'rde 1' }", ["[[step]] 1", "deal", "rde 1"]),
    ('Ana = "red skip"', "deal = { frist = 'red 1' }", ["[[step]] 1", "deal", 'did you mean "first"?']),
    ('turn = "Cem"', 'tunr = "Cem"', ["[[step]] 1", "tunr", 'did you mean "turn"?']),
    ('turn = "Cem"', 'turn = "nobodi"', ["[[step]] 1", 'turn = "nobodi"', 'did you mean "nobody"?']),
    ('turn = "Cem"', 'phase = "plai"', ["[[step]] 1", 'phase = "plai"', 'did you mean "play"?']),
    ('turn = "Cem"', 'colour = "rod"', ["[[step]] 1", 'colour = "rod"', 'did you mean "red"?']),
    ('turn = "Cem"', 'illegal = "U-99"', ["[[step]] 1", 'illegal = "U-99"', "there is no rule"]),
    ('turn = "Cem"', 'owes = "Ben press 2"', ["[[step]] 1", "owes", "Ben presses 2"]),
    ('turn = "Cem"', 'owes = "Benn presses 2"', ["[[step]] 1", "owes", 'did you mean "Ben"?']),
    ('turn = "Cem"', 'owes = "Ben presses 2 (U-99)"', ["[[step]] 1", "owes", 'no rule "U-99"']),
    ('turn = "Cem"', "hand = 7", ["[[step]] 1", "hand = 7", "write a table"]),
    ('turn = "Cem"', "hand.Benn = 7", ["[[step]] 1", "hand", "Benn", 'did you mean "Ben"?']),
    ('turn = "Cem"', "hand.Ben = 'red 7'", ["[[step]] 1", "hand", "how many cards"]),
    ('turn = "Cem"', "score.Ben = true", ["[[step]] 1", "score", "whole number"]),
    ('turn = "Cem"', "legal.Cem = []", ["[[step]] 1", "legal", "write texts"]),
    ('turn = "Cem"', "legal.Cem = 'rde 7'", ["[[step]] 1", "legal.Cem", "rde 7"]),
    ('turn = "Cem"', "asked = 'blff: Ana'", ["[[step]] 1", "asked", 'did you mean "bluff"?']),
    ('turn = "Cem"', "ranking = ['Ana', 'Ben']", ["[[step]] 1", "ranking", "every player once: Ana, Ben, Cem"]),
    ('turn = "Cem"', "same_as = 4", ["[[step]] 1", "no step 4"]),
    ('title = "A skip skips"', "title = 5", ["title = 5", "say in one sentence"]),
    ('["Ana", "Ben", "Cem"]', '"Ana"', ['players = "Ana"', 'players = ["Ana", "Ben"]']),
    ('pile = ["green 1"]', "options = 5", ["options = 5", "write [options] and keys below it"]),
    ('pile = ["green 1"]', 'pile = ["green 1"]\nhidden = true', ["pile", "nobody knows the pile"]),
    ('dealer = "Cem"', 'dealer_draw = ["Ana"]', ["dealer_draw", 'write { Ana = "…" }']),
    ('dealer = "Cem"', 'dealer_draw = { Ana = "rde 7" }', ["dealer_draw", "rde 7"]),
    ('dealer = "Cem"', f"dealer_draw = {DRAWS['one is missing']}", ["dealer_draw", "a card for every player"]),
    ('dealer = "Cem"', f"dealer_draw = {DRAWS['not those who tied']}", ["dealer_draw", "a card for every player"]),
    (GOOD, PRESSING, ["[[step]] 2", "presses: there are 1 of them, and here is one more"]),
    ('launcher = "pays"', 'launcher = "pay"', ["[[step]] 2", "launcher", '"pays"']),
    ('launcher = "pays"', "launcher = -1", ["[[step]] 2", "launcher = -1", "how many cards"]),
    ('launcher = "pays"', 'illegal = "U-09"\nlauncher = 1', ["[[step]] 2", "make two steps of it"]),
)
"""What to change in the good one, into what, and what the error says then."""


@pytest.mark.parametrize(("old", "new", "words"), WRONG)
def test_an_error_says_where_and_what_to_write(old: str, new: str, words: list[str]) -> None:
    """And one mistake is told as one: no missing key, say, beside the misspelt one."""
    error = caught(partial(play_changed, old, new))
    assert isinstance(error, TableError)
    assert len(error.errors) == 1
    assert leaks(error.text, KEYS) == []
    for word in words:
        assert word in str(error)


MISTAKES: Final = {
    'title = "A skip skips"': 'titel = "A skip skips"',
    'rules = ["U-13"]': 'rules = ["U-99"]',
    'dealer = "Cem"': 'dealer = "Cen"\nwhy = 1',
    'first = "red 7"': 'first = "rde 7"',
    'pile = ["green 1"]': "pile = 3\npresses = ['all']",
    'Ana = ["red skip", "blue 3"]': 'Ana = ["red skpi", "blew 3"]',
    'Ben = ["red 1"]': 'Ben = ["rde 1"]\nDan = []',
    'Ana = "red skip"': "Ana = 7",
    'turn = "Cem"': "turn = 'Cen'\nphase = 'plai'\nhadn = 4",
    'launcher = "pays"': "launcher = -1",
}
"""Each can be seen without the others being mended."""


def test_all_mistakes_of_a_file_are_told() -> None:
    text = GOOD
    for right, wrong in MISTAKES.items():
        assert text.count(right) == 1
        text = text.replace(right, wrong)
    error = caught(lambda: parse(tomllib.loads(text)))
    assert isinstance(error, TableError)
    told = error.errors
    at_the_top = ("titel = ", "rules[1] = ", "why = ", "dealer = ", "first = ", "pile = ", "presses[1] = ")
    below = (
        "[hands] Ana = ",
        "[hands] Ben = ",
        "[hands] Dan = ",
        "Ana = 7",
        "turn = ",
        "phase = ",
        "hadn = ",
        "launch",
    )
    for word in (*at_the_top, *below):
        assert len([each for each in told if word in str(each)]) == 1, word
    assert len(told) == len(at_the_top) + len(below)
    assert [each for each in told if "red skip" in str(each) and "blue 3" in str(each)]  # both cards of that hand
    for each in told:
        assert leaks(each, KEYS) == []


def test_the_first_wrong_thing_is_told_with_its_step() -> None:
    (finding,) = play(parse(changed('turn = "Cem"', 'turn = "Ben"')))
    assert (finding.step, finding.move, finding.key) == (1, 'Ana = "red skip"', "turn")
    assert (finding.expected, finding.found) == ('turn = "Ben"', "Cem")


def test_a_move_against_the_rules_is_told_with_its_rule() -> None:
    (finding,) = play(parse(changed('Ana = "red skip"', 'Ana = "blue 3"')), "fr")
    assert finding.rules == ("U-09",)
    assert finding.expected == "un coup permis"
    assert finding.found.startswith("U-09\u00a0: cette carte ne va pas")


def test_the_documentation_names_every_word() -> None:
    text = README.read_text(encoding="utf-8")
    keys = set(re.findall(r"`(\w+)(?:\.Ana)?`", text))
    assert {*CHECKS, *ACTS, *TOP_KEYS} - {"hands", "start", "step"} <= keys
    assert all(f'"{word}"' in text for word in PHASES)


OTHERWISE: Final = (
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


def plainly(sentence: Text, language: str) -> str:
    """A sentence with ``…`` for what it names: ``… draws ….``"""
    return re.sub(r"(?:\{[^}]*\})+", "…", re.sub(r"\[([^|\]]*)\|[^\]]*\]", r"\1", sentence[language]))


def test_the_documentation_lists_what_can_be_told() -> None:
    text = README.read_text(encoding="utf-8")
    own = [sentence for folder in GAMES.values() for sentence in folder.rules.words.events.values()]
    told = [*OTHERWISE, *sentences.EVENTS.values(), *(each for each in own if isinstance(each, Text))]
    rows = [f"| {plainly(each, 'en')} | {plainly(each, 'fr')} |" for each in told]
    assert [row for row in rows if row not in text] == []


def test_what_is_not_told_is_answered_with_what_is() -> None:
    (finding,) = play(parse(changed('turn = "Cem"', 'told = "Ben looses his turn"')))
    assert "Ben misses a turn." in finding.found


def test_the_example_of_the_documentation_holds() -> None:
    example = re.search(r"```toml\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    assert play(parse(tomllib.loads(example[1]))) == []


def test_what_should_be_illegal_and_is_not_is_told_so() -> None:
    (finding,) = play(parse(changed('turn = "Cem"', 'illegal = "U-09"')))
    assert (finding.expected, finding.found) == ('illegal = "U-09"', "it is legal")


@pytest.mark.parametrize("rules", ["true", '"U-09"', '["G-06", "U-09"]'])
def test_illegal_is_a_rule_one_of_several_or_whichever(rules: str) -> None:
    tables = changed('Ana = "red skip"\nturn = "Cem"', f'Ana = "blue 3"\nillegal = {rules}')
    tables["step"] = tables["step"][:1]
    assert play(parse(tables)) == []


STRANGE: Final = ("[]", "{}", "[[]]", '[["E-01"]]', "{ a = [1] }", "1979-05-27", "nan", "true", '""', "-1", "[nan, {}]")


@pytest.mark.parametrize("key", sorted({*CHECKS, *ACTS, "Ana"}))
@pytest.mark.parametrize("value", STRANGE)
def test_whatever_stands_in_a_step_is_read_or_told(key: str, value: str) -> None:
    tables = changed('turn = "Cem"', f"{key} = {value}" if key != "Ana" else "")
    if key == "Ana":
        tables["step"][0]["Ana"] = tomllib.loads(f"a = {value}")["a"]
    with contextlib.suppress(TableError):
        play(parse(tables))


@pytest.mark.parametrize("key", sorted(TOP_KEYS))
@pytest.mark.parametrize("value", STRANGE)
def test_whatever_stands_at_the_top_is_read_or_told(key: str, value: str) -> None:
    with contextlib.suppress(TableError):
        play(parse(tomllib.loads(GOOD) | tomllib.loads(f"{key} = {value}")))


def test_all_that_is_wrong_in_a_step_is_told() -> None:
    findings = play(parse(changed('turn = "Cem"', 'turn = "Ben"\ntop = "red 7"\nhand.Ana = 1\ncolour = "blue"')))
    assert [finding.key for finding in findings] == ["turn", "colour", "top"]
    assert {finding.step for finding in findings} == {1}


@pytest.mark.parametrize("hand", ["2", '["red skip", "?"]'])
def test_a_hand_is_known_by_its_size_or_in_part(hand: str) -> None:
    tables = changed('Ben = ["red 1"]', f"Ben = {hand}")
    tables["start"] = {"hand": {"Ben": 2}}
    assert play(parse(tables)) == []


@pytest.mark.parametrize("hand", ['"the rest"', '["the rest"]', '["red 1", "the rest"]'])
def test_one_hand_may_be_the_rest_of_the_deck(hand: str) -> None:
    tables = changed('Ben = ["red 1"]', f"Ben = {hand}")
    tables["start"] = {"hand": {"Ben": 108 - 5}, "pile": 1}
    tables["step"] = tables["step"][:1]
    assert play(parse(tables)) == []


def test_a_player_without_a_hand_is_a_mistake() -> None:
    assert "[hands] Ben is missing: write the cards, how many there are" in error_of(changed('Ben = ["red 1"]', ""))


def test_debts_one_after_the_other_are_paid_by_what_comes_out_at_once() -> None:
    tables = changed('Ana = "red skip"\nturn = "Cem"', "penalty = { Ana = 'advice' }")
    tables["step"] = [
        tables["step"][0],
        {"penalty": {"Ben": "advice"}, "owes": ["Ana draws 4", "Ben draws 4"]},
        {"launcher": 6, "owes": "Ben draws 2"},
        {"launcher": ["red 3", "red 4"], "owes": "nobody", "hand": {"Ben": 5, "Ana": 6}},
    ]
    tables["pile"] = [*["green 1", "green 2", "green 3", "green 4", "green 5", "green 6"], "red 3", "red 4"]
    assert play(parse(tables)) == []


def test_hidden_hands_are_not_known_by_being_named() -> None:
    tables = changed('pile = ["green 1"]', "hidden = true")
    tables["start"] = {"hand": {"Ana": ["?", "?"], "Ben": ["?"]}, "legal": {"Ana": ["red 9", "red skip"]}}
    tables["step"] = tables["step"][:1]
    assert play(parse(tables)) == []


MIDDLE: Final = {
    "talon": ["blue 7", "green 7"],
    "score": {"Ana": 480, "Cem": 20},
    "turn": "Ben",
    "direction": "right",
}


def test_a_round_may_be_taken_over_in_the_middle() -> None:
    tables = tomllib.loads(GOOD) | MIDDLE | {"first": "red +2"}
    tables["start"] = {
        "turn": "Ben",
        "owes": "nobody",  # the +2 has done what it does
        "direction": "right",
        "talon": ["red +2", "blue 7", "green 7"],
        "score": {"Ana": 480, "Ben": 0, "Cem": 20},
    }
    tables["step"] = [{"Ben": "red 1", "round_winner": "Ben", "score": {"Ben": 25}}]
    assert play(parse(tables)) == []


def test_the_colour_that_was_named_with_the_card_on_top_is_said() -> None:
    tables = tomllib.loads(GOOD) | MIDDLE | {"first": "wild", "colour": "red"}
    tables["step"] = [{"Ben": "red 1", "round_winner": "Ben"}]
    assert play(parse(tables)) == []


@pytest.mark.parametrize(
    ("left_out", "words"),
    [("turn", "say whose turn it is there"), ("first", "say which card is turned up"), ("hands", "the hands and")],
)
def test_the_middle_of_a_round_is_said_whole(left_out: str, words: str) -> None:
    tables = tomllib.loads(GOOD) | MIDDLE
    del tables[left_out], tables["pile"]
    if left_out == "hands":
        (finding,) = play(parse(tables))
        assert words in finding.found
    else:
        assert words in error_of(tables)


def test_numbers_beyond_all_measure_are_no_number() -> None:
    error = caught(partial(play_changed, 'turn = "Cem"', f'owes = "Ben presses {"9" * 5000}"'))
    assert "write it like" in str(error)
