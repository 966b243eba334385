"""What the page's scripts say: a word for everything, and nothing that nobody uses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest

import dispenser.web
from dispenser.i18n import LANGUAGES
from dispenser.launcher.messages import BurstEnd, Chime, Notice, Refusal, State
from dispenser.web.texts import script_texts
from tests.web.rig import launcher

WEB = Path(dispenser.web.__file__).parent


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_scripts_have_a_word_for_everything(language: str) -> None:
    texts = script_texts(language)
    assert set(texts["state"]) == {state.value for state in State}
    assert set(texts["refused"]) == {reason.value for reason in Refusal}
    assert set(texts["why"]) == {cause.value for cause in BurstEnd}
    assert set(texts["chime"]) == {chime.value for chime in Chime}
    assert {notice.type for notice in get_args(Notice)} <= set(texts["types"])
    assert {state.value for state in State} - {"ready"} <= set(texts["sentence"])


async def test_the_scripts_listen_to_every_type_of_entry() -> None:
    """A browser hears only the event types it asks for, so the list must be whole."""
    async with launcher() as on:
        for path, fields in (
            ("/toy/fault", {"fault": "roller_jam", "on": True, "cards": 9}),
            ("/eject", {"cards": 2}),
            ("/toy/fault", {"fault": "roller_jam", "on": False}),
            ("/toy/lid", {"open": True}),
            ("/toy/take", {}),
            ("/toy/stack", {"cards": 20}),
            ("/load", {"cards": 20}),
            ("/toy/cells", {}),
            ("/toy/button", {}),
            ("/reset", {}),
        ):
            assert (await on.post(path, **fields)).is_success, path
            await on.settle()
        seen = {entry.type for entry in on.service.journal.read()}
        listening = on.service.event_bus.subscribe(on.service.journal.last_seq)
        await on.service.stop()
        seen |= {entry.type async for entry in listening}
    assert len(seen) > 15
    assert seen <= set(script_texts("en")["types"])


def test_no_script_says_anything_by_itself() -> None:
    """Words for people are in the catalogs, not in the scripts: none has a string of two words with a space."""
    for script in sorted((WEB / "static").glob("*.js")):
        code = re.sub(r"//.*|/\*.*?\*/", "", script.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for text in re.findall(r'"([^"\n]*)"', code):
            assert not re.fullmatch(r"[A-Z][a-z]+( [a-z]+)+[.!?…]?", text), f"{script.name}: {json.dumps(text)}"


def test_the_scripts_use_texts_that_are_there_and_every_one_of_them() -> None:
    texts = script_texts("en")
    code = "".join(script.read_text(encoding="utf-8") for script in sorted((WEB / "static").glob("*.js")))
    for group, name in re.findall(r"texts\.(\w+)\.(\w+)", code):
        assert name in texts[group], f"texts.{group}.{name} is missing"
    named = set(re.findall(r"(?:texts\.\w+|say)\.(\w+)", code)) | {word.value for word in (*State, *Refusal)}
    for group in ("sentence", "script", "outcome", "launcher", "controls", "toy"):
        assert set(texts[group]) <= named, f"of texts.{group} nobody uses {set(texts[group]) - named}"
