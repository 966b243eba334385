"""The catalog of French: nothing untranslated, nothing stale, the same places, French as it is set."""

from __future__ import annotations

import re
from collections import Counter
from string import Formatter

import pytest

from tests.language.catalog import MO, PO, brought_up_to_date, committed, compiled, forms, key, written
from tests.language.extract import all_messages

ADVICE = "run: python -m tests.language"
NO_BREAK = "[\u00a0\u202f]"
MESSAGES = [message for message in committed() if message.id]
FRENCH = sorted({form for message in MESSAGES for form in forms(message)})


def test_every_text_is_in_french() -> None:
    known = {(message.id, message.context): message for message in MESSAGES}
    for message in all_messages():
        french = known.get(key(message))
        assert french, f"{message.place}: {message.english!r} is not in the catalog; {ADVICE}"
        assert all(forms(french)), f"{message.place}: {message.english!r} has no French in {PO.name}"


def test_the_catalog_has_the_texts_of_the_code_and_no_other_in_its_normal_form() -> None:
    assert PO.read_bytes() == written(brought_up_to_date()), ADVICE


def test_the_compiled_catalog_is_in_step() -> None:
    assert MO.read_bytes() == compiled(committed()), ADVICE


def test_no_text_stands_in_one_message_for_one_alone_and_in_another_for_many() -> None:
    """Compiled, both would have the same key, and the French of one would be lost."""
    texts = {(message.english, message.context, message.plural) for message in all_messages()}
    often = Counter((english, context) for english, context, _ in texts)
    assert [each for each, count in often.items() if count > 1] == []


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: str(message.id)[:40])
def test_a_translation_fills_in_the_same_places(message: object) -> None:
    originals = [message.id] if isinstance(message.id, str) else message.id
    for form in forms(message):
        assert places(form) == places(originals[-1])


def places(text: str) -> set[str]:
    return {place for _, place, _, _ in Formatter().parse(text) if place is not None}


@pytest.mark.parametrize("text", FRENCH)
def test_french_typography(text: str) -> None:
    text = re.sub(r"\{\w*[^}]*\}", "{}", text)  # a format has its own colon
    assert not re.search(rf"(?<!{NO_BREAK})[!?;»](?!\w)", text), "a no-break space stands before ! ? ; »"
    assert not re.search(rf"(?<![{NO_BREAK[1:-1]}\d]):(?!//|[\d.,])", text), "a no-break space stands before a colon"
    assert not re.search(rf"«(?!{NO_BREAK})", text), "a no-break space stands behind «"
    assert not re.search(r"\w'\w", text), "the apostrophe is ’"
    assert not re.search(r"\w\.\.\.", text), "three dots are one sign"
    assert not re.search(r"\d (?:%|(?:s|ms|V|Hz|MHz|mm)\b)", text), "a no-break space stands before a unit"
