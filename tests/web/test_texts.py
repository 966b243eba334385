"""The catalogs: nothing untranslated, nothing stale, French as it is set."""

from __future__ import annotations

import gettext
import io
import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import dispenser.web
from dispenser.launcher.messages import BurstEnd, Chime, Notice, Refusal, State
from dispenser.web.i18n import LANGUAGES, translations
from dispenser.web.texts import script_texts
from tests.web.rig import in_virtual_time, launcher

WEB = Path(dispenser.web.__file__).parent
NARROW, WIDE = "\u202f", "\u00a0"


def catalog(language: str) -> Catalog:
    with (WEB / "locale" / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def messages(language: str) -> list[Message]:
    return [message for message in catalog(language) if message.id]


def forms(message: Message) -> list[str]:
    """The text, or its forms for one and for many."""
    text = message.string
    return [text] if isinstance(text, str) else list(text or ())


def extracted() -> set[tuple[Any, str | None]]:
    with (WEB / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    found = extract_from_dir(WEB, methods, options)
    return {(key(message), context) for _, _, message, _, context in found}


def key(message: Any) -> Any:
    return message if isinstance(message, str) else tuple(message)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_in_the_catalog_and_no_other(language: str) -> None:
    assert {(key(message.id), message.context) for message in messages(language)} == extracted(), (
        "run the three pybabel commands of dispenser/web/i18n.py"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated(language: str) -> None:
    for message in messages(language):
        assert forms(message)
        assert all(forms(message)), f"{language}: {message.id!r} is not translated"
        assert not message.fuzzy


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalog_is_not_stale(language: str) -> None:
    fresh = io.BytesIO()
    write_mo(fresh, catalog(language))
    fresh.seek(0)
    compiled, committed = gettext.GNUTranslations(fresh), translations(language)
    assert texts_of(compiled) == texts_of(committed), "run: pybabel compile -d dispenser/web/locale"


def texts_of(compiled: gettext.GNUTranslations) -> dict[Any, str]:
    return {id_: text for id_, text in vars(compiled)["_catalog"].items() if id_}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_fills_in_the_same_values(language: str) -> None:
    for message in messages(language):
        originals = [message.id] if isinstance(message.id, str) else message.id
        for form in forms(message):
            assert set(re.findall(r"{\w+}", form)) == set(re.findall(r"{\w+}", originals[-1])), message.id


def french() -> list[str]:
    return [form for message in messages("fr") for form in forms(message)]


@pytest.mark.parametrize("text", french())
def test_french_typography(text: str) -> None:
    assert not re.search(rf"[^{NARROW}][!?;]", text), "a narrow no-break space stands before ! ? ;"
    assert not re.search(rf"[^{WIDE}]:(?!//)", text), "a no-break space stands before a colon"
    assert "'" not in text, "the apostrophe is ’"
    assert "..." not in text
    assert not re.search(r"\d [A-Za-z]{1,2}\b", text), "a no-break space stands before a unit"


def test_english_says_what_the_source_says() -> None:
    for message in messages("en"):
        assert message.string == message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_scripts_have_a_word_for_everything(language: str) -> None:
    texts = script_texts(translations(language))
    assert set(texts["state"]) == {state.value for state in State}
    assert set(texts["refused"]) == {reason.value for reason in Refusal}
    assert set(texts["why"]) == {cause.value for cause in BurstEnd}
    assert set(texts["chime"]) == {chime.value for chime in Chime}
    assert {notice.type for notice in get_args(Notice)} <= set(texts["types"])
    assert {state.value for state in State} - {"ready"} <= set(texts["sentence"])


def test_the_scripts_listen_to_every_type_of_entry() -> None:
    """A browser hears only the event types it asks for, so the list must be whole."""

    async def scenario() -> set[str]:
        async with launcher() as on:
            await on.post("/toy/fault", fault="roller_jam", on=True, cards=9)
            await on.post("/eject", cards=2)
            await on.settle()
            await on.post("/toy/fault", fault="roller_jam", on=False)
            steps: list[tuple[str, dict[str, Any]]] = [
                ("/toy/lid", {"open": True}),
                ("/toy/take-card", {}),
                ("/toy/stack", {"cards": 20}),
                ("/load", {"cards": 20}),
                ("/toy/cells", {"new": True}),
                ("/toy/lid", {"open": False}),
                ("/toy/button", {}),
                ("/reset", {}),
            ]
            for path, fields in steps:
                assert (await on.post(path, **fields)).status_code == 200
                await on.settle()
            seen = {entry.type for entry in on.service.journal.read()}
            listening = on.service.hub.subscribe(on.service.journal.last_seq)
            await on.service.stop()
            return seen | {entry.type async for entry in listening}

    seen = in_virtual_time(scenario)
    assert len(seen) > 15
    assert seen <= set(script_texts(translations("en"))["types"])


def test_no_script_says_anything_by_itself() -> None:
    """Words for people are in the catalogs, not in the scripts: none has a string of two words with a space."""
    for script in sorted((WEB / "static").glob("*.js")):
        code = re.sub(r"//.*|/\*.*?\*/", "", script.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for text in re.findall(r'"([^"\n]*)"', code):
            assert not re.fullmatch(r"[A-Z][a-z]+( [a-z]+)+[.!?…]?", text), f"{script.name}: {json.dumps(text)}"


def test_the_scripts_use_texts_that_are_there_and_every_one_of_them() -> None:
    texts = script_texts(translations("en"))
    code = "".join(script.read_text(encoding="utf-8") for script in sorted((WEB / "static").glob("*.js")))
    for group, name in re.findall(r"texts\.(\w+)\.(\w+)", code):
        assert name in texts[group], f"texts.{group}.{name} is missing"
    named = set(re.findall(r"(?:texts\.\w+|say)\.(\w+)", code)) | {word.value for word in (*State, *Refusal)}
    for group in ("sentence", "script", "outcome", "launcher", "controls", "toy"):
        assert set(texts[group]) <= named, f"of texts.{group} nobody uses {set(texts[group]) - named}"
