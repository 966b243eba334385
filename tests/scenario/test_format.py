"""Scenario files: what is read, and how mistakes in them are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from dispenser.config import TableError
from dispenser.scenario.launcher.expectations import CONDITIONS
from dispenser.scenario.launcher.format import Planned
from dispenser.scenario.launcher.steps import STEPS
from tests.scenario.rig import parse, play

README = Path(__file__).parents[1] / "scenarios" / "README.md"


def step(text: str) -> str:
    return f'title = "t"\n[[expect]]\nat = 1\nstate = "ready"\n[[step]]\n{text}'


def expect(text: str) -> str:
    return f'title = "t"\n[[step]]\nname = "a"\nat = 1\ndo = "mark"\n[[expect]]\n{text}'


def setup(text: str) -> str:
    return f'title = "t"\n[setup]\n{text}\n[[expect]]\nat = 1\nstate = "ready"'


MISTAKES = [
    ('title = ""', 'title = "": say in one sentence what is promised'),
    ('title = "t"', "nothing is expected: add an [[expect]] or a [[never]]"),
    (step('do = "mark"'), "[[step]] 1: when? Write at"),
    (step('at = 1\nafter = 1\ndo = "mark"'), "[[step]] 1: at = 1: give at, or after, or when"),
    (step('at = 1\ndo = "eject"'), "[[step]] 1: cards is missing: write a whole number from 1 to 30"),
    (step('at = 1\ndo = "press"\ntimes = 3'), "times = 3: say how many seconds lie between two"),
    (
        step('name = "x"\nat = 1\ndo = "mark"\n[[step]]\nname = "x"\nafter = 1\ndo = "mark"'),
        '[[step]] 2: name = "x": another step has this name already',
    ),
    (step('at = 1\nwith = { press = 1 }\ndo = "mark"'), "with = {press = 1}: it describes a notice: add when"),
    (
        step('at = { from = 1, to = 2, by = 0.5 }\ndo = "press button"\nhold = { from = 1, to = 2, by = 1 }'),
        "[[step]] 1: hold: only one number of one step may be a range",
    ),
    (step('at = { from = 1, to = 2 }\ndo = "mark"'), "[[step]] 1: at: by is missing: write a number from 0 to 1000000"),
    (step('at = { from = 1, to = 2, by = 0 }\ndo = "mark"'), "must be 1 to 2000 values"),
    (expect("at = 1"), "[[expect]] 1: write what is expected, and one thing only"),
    (expect('state = "ready"'), "[[expect]] 1: when? Write at = …, within = … or throughout = …"),
    (expect('at = 1\nnotice = "service.stopped"'), "[[expect]] 1: at = 1: a notice or an answer is one moment"),
    (expect('within = [2, 1]\nstate = "ready"'), "within = [2, 1]: the end comes before the beginning"),
    (expect('notice = "launcher.burst.ended"\nwith = { cause = "jamed" }'), 'cause = "jamed": did you mean "jammed"?'),
    (expect('notice = "launcher.burst.ended"\nwith = { delivered = {} }'), "write a number, or { at_least = …"),
    (expect('notice = "launcher.lid.opened"\nexactly = 1\nat_least = 1'), "exactly = 1: leave out at_least"),
    (expect('at = 1\nstate = "redy"'), '[[expect]] 1: state = "redy": did you mean "ready"?'),
    (expect('at = 1\nsince = "nobody"\nstate = "ready"'), '[[expect]] 1: since = "nobody"'),
    (expect('at = 1\nstate = "ready"\n[[never]]\nmoter = "off"'), '[[never]] 1: moter = "off"'),
    (setup("planned = [13]"), "[setup] planned[1].cards = 13: write a whole number from 0 to 12"),
    (setup('planned = [1]\nodds = { preset = "toy" }'), "planned = [1]: give planned or odds, not both"),
    (setup("[setup.launcher]\nmax_tries = 99"), "max_tries must be 1 to 10, not 99"),
    (setup("[setup.web]\nport = 1"), "[setup.web]: there is no such table"),
]


@pytest.mark.parametrize(("text", "told"), MISTAKES, ids=[told[:50] for _, told in MISTAKES])
def test_a_mistake_is_told_with_its_place_its_value_and_a_remedy(text: str, told: str) -> None:
    with pytest.raises(TableError) as caught:
        parse(text)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_whole_file_is_read() -> None:
    changes = """
        planned = [3, { cards = 0, suspense = 1.2 }]
        [setup.launcher]
        stall_s = 0.7
        [setup.pins]
        exit = "none"
        [setup.simulator]
        misfeed_probability_new = 0.5
    """
    (take,) = parse(setup(changes)).takes
    assert take.setup.plan == [Planned(3), Planned(0, 1.2)]
    assert take.setup.settings.launcher.stall_s == 0.7
    assert take.setup.settings.pins.exit is None
    assert take.setup.simulator.probability("misfeed") == 0.5
    assert take.expectations["[[expect]] 1"].conditions() == {"state": "ready"}
    (usual,) = parse(step('at = 1\ndo = "press button"')).takes
    assert (usual.setup.cards_at_first, usual.setup.lid, usual.setup.plan) == (112, "shut", [])
    assert usual.setup.simulator.probability("misfeed") == 0, "nothing goes wrong by chance unless the file says so"
    assert usual.steps[0].words == "press button hold=0.15"


def test_a_range_makes_a_take_for_each_value() -> None:
    takes = parse(step('at = { from = 0.1, to = 0.5, by = 0.1 }\ndo = "mark"')).takes
    assert [take.variant for take in takes] == ["at = 0.1", "at = 0.2", "at = 0.3", "at = 0.4", "at = 0.5"]
    assert [take.steps[0].at for take in takes] == [0.1, 0.2, 0.3, 0.4, 0.5]
    whole = parse(step('at = 1\ndo = "eject"\ncards = { from = 1, to = 9, by = 4 }')).takes
    assert [take.steps[0].words for take in whole] == [f"eject cards={cards} source=api" for cards in (1, 5, 9)]


def test_the_readme_explains_every_word_of_the_format() -> None:
    text = README.read_text(encoding="utf-8")
    for phrase, act in STEPS.items():
        assert f"`{phrase}`" in text, phrase
        for key in act.__struct_encode_fields__:
            assert f"`{key}`" in text, (phrase, key)
    for condition, words in CONDITIONS.items():
        assert f"`{condition}`" in text, condition
        for word in words:
            assert f"`{word}`" in text, (condition, word)


def test_the_readmes_examples_are_scenarios_that_hold() -> None:
    blocks = README.read_text(encoding="utf-8").split("```toml\n")[1:]
    whole = [block.split("```")[0] for block in blocks if block.startswith("title")]
    assert whole
    for text in whole:
        assert all(each.passed for each in play(parse(text))), text
