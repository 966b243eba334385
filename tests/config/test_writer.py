"""What is written is TOML that reads back the same."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from dispenser.config import as_toml, toml_value

PLAIN = st.one_of(st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.text(max_size=8))
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=8,
)


@given(VALUES)
def test_a_value_stands_on_one_line_and_reads_back_the_same(value: Any) -> None:
    text = toml_value(value)
    assert "\n" not in text
    assert tomllib.loads(f"a = {text}") == {"a": value}


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=3))
def test_a_file_reads_back_the_same(tables: dict[str, Any]) -> None:
    assert tomllib.loads(as_toml(tables)) == tables


def test_tables_have_headings_and_rows_a_line_each() -> None:
    written = as_toml(
        {
            "title": "t",
            "edge": [{"at": 1.0}, {"at": 2.0}],
            "setup": {"planned": [3, 0], "pins": {"exit": None}, "token": UNSET},
            "step": [{"do": "press", "with": {"press": 1}}, {"do": "mark"}],
        },
        rows={"edge"},
    )
    assert written.splitlines() == [
        'title = "t"',
        "edge = [",
        "    {at = 1.0},",
        "    {at = 2.0},",
        "]",
        "",
        "[setup]",
        "planned = [3, 0]",
        "# token is not set",
        "",
        "[setup.pins]",
        'exit = "none"',
        "",
        "[[step]]",
        'do = "press"',
        "with = {press = 1}",
        "",
        "[[step]]",
        'do = "mark"',
    ]
