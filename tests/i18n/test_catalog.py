"""The catalog of French: nothing untranslated, nothing stale, the same places, French as it is set."""

from __future__ import annotations

import re
from collections import Counter
from string import Formatter

import pytest

from tests.i18n.catalog import MO, PO, brought_up_to_date, committed, compiled, forms, key, written
from tests.i18n.extract import all_messages, sheet_texts

ADVICE = "run: python -m tests.i18n"
NO_BREAK = "\u00a0"
GRAMMAR = {"who", "whom", "whose", "other", "colour"}
"""Persons and colours of a sentence about the game: each language has cases and genders of its own."""
MESSAGES = [message for message in committed() if message.id]
FRENCH = sorted({form for message in MESSAGES for form in forms(message)})


def test_every_text_is_in_french() -> None:
    known = {(message.id, message.context): message for message in MESSAGES}
    for message in all_messages():
        french = known.get(key(message))
        assert french, f"{message.place}: {message.english!r} is not in the catalog; {ADVICE}"
        assert all(forms(french)), f"{message.place}: {message.english!r} has no French in {PO.name}"


def test_the_catalog_has_the_texts_of_the_code_and_no_other_in_its_normal_form_and_compiled() -> None:
    assert PO.read_bytes() == written(brought_up_to_date()), ADVICE
    assert MO.read_bytes() == compiled(committed()), ADVICE


@pytest.mark.long
def test_no_text_stands_in_one_message_for_one_alone_and_in_another_for_many() -> None:
    """Compiled, both would have the same key, and the French of one would be lost."""
    texts = {(message.english, message.context, message.plural) for message in all_messages()}
    often = Counter((english, context) for english, context, _ in texts)
    assert [each for each, count in often.items() if count > 1] == []


def test_a_translation_fills_in_the_same_places() -> None:
    for message in MESSAGES:
        english = message.id if isinstance(message.id, str) else message.id[-1]
        missing = [places(english) ^ places(form) for form in forms(message)]
        if message.context:  # a grammar of its own, which may name what the English leaves to a place
            missing = [each - places(english) for each in missing]
        assert not any(missing), message.id


def places(text: str) -> set[str]:
    return {place for _, place, _, _ in Formatter().parse(text) if place is not None} - GRAMMAR


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (r'(?<=[^\W\d]|[)\]}»"])[!?;»](?!\w)', "a no-break space stands before ! ? ; »"),
        (r'(?<=[^\W\d]|[)\]}»"]):(?!//|\d)', "a no-break space stands before a colon"),
        (rf"«(?!{NO_BREAK})", "a no-break space stands behind «"),
        (r"\w'\w", "the apostrophe is ’"),
        (r"\w\.\.\.", "three dots are one sign"),
        (r"\blanceurs?\b", "the launcher is called lance-cartes"),
        (r"\d (?:%|(?:s|ms|V|Hz|MHz|mm)\b)", "a no-break space stands before a unit"),
    ],
)
def test_french_is_set_as_french_is(wrong: str, why: str) -> None:
    for text in FRENCH:
        # without formats, which have a colon of their own, and without what is to be typed
        bare = re.sub(r"\{\w*[^}]*\}", "{}", text)
        bare = re.sub(r"«\u00a0[^»]*\u00a0»", "«\u00a0\u00a0»", re.sub(r'"[^"]*"', '""', bare))
        assert not re.search(wrong, bare), f"{why}: {text}"


def test_the_no_break_space_of_a_text_outside_the_rule_sheets_is_the_wide_one() -> None:
    sheets = {text.msgid for text in sheet_texts()}
    narrow = [message.id for message in MESSAGES if message.id not in sheets and "\u202f" in "".join(forms(message))]
    assert not narrow
