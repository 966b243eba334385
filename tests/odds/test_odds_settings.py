"""Odds from settings and from recordings: what is accepted, and how errors help."""

from __future__ import annotations

import tomllib
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from dispenser.config import TableError, read
from dispenser.odds.expectation import Expectation
from dispenser.odds.fairness import named_seed
from dispenser.odds.odds import Odds
from dispenser.odds.policies import (
    AnyFire,
    Branch,
    Countdown,
    EmpiricalFire,
    EmpiricalSize,
    FirePolicy,
    Fixed,
    Geometric,
    Memoryless,
    Uniform,
)
from dispenser.odds.presets import (
    PRESETS,
    OddsDesign,
    OddsSettingsError,
    design_from_description,
    design_from_settings,
    parse_recording,
)
from tests.odds.odds_designs import designs

# --- settings ---


@pytest.mark.parametrize(
    ("text", "fire", "size", "cap"),
    [
        ("", None, None, 8),
        ('fire = {policy = "memoryless", probability = 0.4}', Memoryless(0.4), PRESETS["toy"].size, 8),
        ('size = {kind = "uniform", low = 3, high = 12}', PRESETS["toy"].fire, Uniform(3, 12), 12),
        ('preset = "wild"\ncap = 7', PRESETS["wild"].fire, PRESETS["wild"].size, 7),
        ('preset = "wild"\nfire = {policy = "countdown", min_duds = 0, max_duds = 2}', Countdown(0, 2), None, 12),
        ('size = {kind = "empirical", counts = {3 = 4, 5 = 1}}', None, EmpiricalSize({3: 4, 5: 1}), 12),
        ('size = {kind = "geometric", low = 2, high = 9, ratio = 0.5}\ncap = 30', None, Geometric(2, 9, 0.5), 30),
        ('fire = {policy = "empirical", fired = [1], pressed = [2]}', EmpiricalFire((1,), (2,)), None, 8),
    ],
)
def test_a_table_of_settings_changes_what_it_names(text: str, fire: object, size: object, cap: int) -> None:
    settings = tomllib.loads(text)
    design = design_from_settings(settings)
    base = PRESETS[settings.get("preset", "toy")]
    assert (design.fire, design.size, design.cap) == (fire or base.fire, size or base.size, cap)
    assert design.name == ("custom" if {"fire", "size"} & settings.keys() else base.name)


def test_the_machines_own_limit_lowers_the_cap_of_a_preset_and_bounds_the_cap_of_a_person() -> None:
    assert design_from_settings({"preset": "wild"}, max_cards=5).cap == 5
    assert design_from_settings({"preset": "gentle"}, max_cards=5).cap == 4
    with pytest.raises(OddsSettingsError, match="cap = 9: write a whole number of cards from 1 to 5"):
        design_from_settings({"preset": "wild", "cap": 9}, max_cards=5)
    with pytest.raises(OddsSettingsError, match="cap = 2: the smallest burst has 3 cards"):
        design_from_settings({"preset": "toy"}, max_cards=2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"preset": "wlid"}, '[odds] preset = "wlid": did you mean "wild"?'),
        (
            {"fire": {}},
            "[odds.fire] policy is missing: known are toy, memoryless, countdown, rising, empirical",
        ),
        ({"size": {"kind": "fixed", "cards": 13}}, "[odds] cap = 12: the smallest burst has 13 cards"),
        (
            {"size": {"kind": "empirical", "counts": {"many": 1}}},
            "[odds.size] counts = {many = 1}: write how many bursts",
        ),
        ({"recording": "x.csv"}, '[odds] recording = "x.csv": files cannot be read here'),
        ({"recording": "x.csv", "preset": "toy"}, '[odds] preset = "toy": leave it out: recording is there already'),
    ],
)
def test_errors_name_the_key_the_value_and_the_remedy(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(OddsSettingsError) as caught:
        design_from_settings(settings, path=("odds",))
    assert caught.value.errors[0].en.startswith(message)
    assert "\n" not in str(caught.value)


class EveryFew(FirePolicy, frozen=True, tag="every few"):
    """A policy that somebody adds: its class is all there is of it."""

    presses: Annotated[int, Meta(ge=1, le=9)] = 3

    def branches(self, state: int) -> tuple[Branch, ...]:
        press = (state + 1) % self.presses
        return (Branch(1.0, press == 0, press),)


def test_a_new_policy_is_one_class_with_its_keys() -> None:
    fires: Any = AnyFire | EveryFew
    fire: EveryFew = read({"policy": "every few", "presses": 2}, fires)
    assert fire == EveryFew(2)
    odds = Odds(OddsDesign("custom", fire, Fixed(4)), named_seed("few"))
    assert [odds.draw().cards for _ in range(6)] == [0, 4, 0, 4, 0, 4]
    assert read(odds.describe()["fire"], fires) == fire
    assert Expectation(odds.design).share_firing == pytest.approx(1 / 2)
    with pytest.raises(TableError, match=r"^policy = \"every view\": did you mean \"every few\"\?"):
        read({"policy": "every view"}, fires)
    with pytest.raises(TableError, match=r"^presses = 10: write a whole number from 1 to 9"):
        read({"policy": "every few", "presses": 10}, fires)


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(designs(), st.data())
def test_junk_anywhere_in_a_table_gives_odds_or_one_clear_error(design: OddsDesign, data: st.DataObject) -> None:
    table = design.describe()
    del table["name"], table["stream"]
    place = data.draw(st.sampled_from([table, table["fire"], table["size"]]))
    place[data.draw(st.sampled_from([*place, "other"]))] = data.draw(junk)
    try:
        odds = Odds(design_from_settings(table), named_seed("junk"))
    except OddsSettingsError as error:
        assert str(error).isprintable()  # noqa: PT017 (that it raises is one of two good ends)
    else:
        assert 0 <= odds.draw().cards <= odds.design.cap


@given(designs())
def test_the_description_of_a_design_is_a_table_of_settings_too(design: OddsDesign) -> None:
    table = design.describe()
    del table["name"], table["stream"]
    assert design_from_settings(table) == design


def test_a_description_made_for_another_stream_is_refused() -> None:
    description = {**PRESETS["toy"].describe(), "stream": "dice/7"}
    with pytest.raises(OddsSettingsError, match=r'stream = "dice/7": write hmac-sha256/1'):
        design_from_description(description)


# --- recordings ---


def recorded(text: str) -> OddsDesign:
    return design_from_settings({"recording": "saturday.csv"}, read_lines=lambda _: text.splitlines())


def test_a_recording_becomes_odds_that_do_what_it_shows() -> None:
    design = recorded("press,cards\n1,0\n2,5\n3,0\n4,0\n5,3\n6,5\n7,0\n")
    # Before each press so many duds: 0 0 1 0 1 2 0. After none it fired once in four times...
    assert design.fire == EmpiricalFire(fired=(1, 1, 1), pressed=(4, 2, 1))
    assert design.size == EmpiricalSize({3: 1, 5: 2})
    assert design.name == "recording"


def test_a_run_of_duds_cut_off_by_a_restart_or_the_end_counts_as_unfinished() -> None:
    fire, size = parse_recording(["press,cards", "1,0", "2,0", "1,0", "2,4", "3,0", "4,0", "5,0"])
    # 0 duds before: presses 1, 1, 3; one dud before: 2, 2, 4; two before: 5. The last share holds for longer runs.
    assert (fire, size) == (EmpiricalFire(fired=(0, 1), pressed=(3, 4)), EmpiricalSize({4: 1}))


def test_semicolons_comments_empty_lines_other_columns_and_a_byte_order_mark_are_no_trouble() -> None:
    lines = ["\ufeff# my launcher", "", " Cards ;who;PRESS", "0;Ada;1", "4;Bo;2", "  ", "# pause", "0;Ada;3"]
    assert parse_recording(lines) == parse_recording(["\ufeffcards", "0", "4", "0"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'line 1, header = "": write a first line that names the columns: press,cards'),
        ("1,0\n2,5", 'line 1, header = "1,0": no column is called cards'),
        ("press,cards\n1,0\n2,0", "line 3, cards: no press brought a card"),
        ("press,cards\n1,0\n2,many", 'line 3, cards = "many": write a whole number from 0 to 30'),
        ("press,cards\n1,31", 'line 2, cards = "31": write a whole number from 0 to 30'),
        ("press,cards\n1,٣", 'line 2, cards = "٣": write a whole number'),
        ("press,cards\n1," + "9" * 5000, 'line 2, cards = "999'),
        ("press,cards\n1,0\n\n3,4", 'line 4, press = "3": press 2 was expected; leave no press out'),
        ("press,cards\n2,0", 'line 2, press = "2": press 1 was expected'),
        ("press,cards\n1,0,7", 'line 2, row = "1,0,7": 3 values for 2 columns'),
        ('press,cards\n1,"4', 'line 2, row = "1,\\"4": unexpected end of data; write plain values'),
    ],
)
def test_an_error_in_a_recording_names_line_column_value_and_remedy(text: str, message: str) -> None:
    with pytest.raises(OddsSettingsError) as caught:
        parse_recording(text.split("\n"))
    assert str(caught.value).startswith(message)


def test_a_recording_with_one_burst_after_endless_duds_says_that_there_is_too_little_to_go_by() -> None:
    lines = ["cards", *["0"] * 200, "1", *["0"] * 90_000]
    with pytest.raises(OddsSettingsError, match="too few bursts after many duds"):
        parse_recording(lines)
