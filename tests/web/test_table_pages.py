"""What the pages of the table are made of: small, sound in both languages, nothing of a stranger's changed unseen."""

from __future__ import annotations

import hashlib
import re

import pytest

from dispenser.i18n import LANGUAGES
from dispenser.web.pages import files, version
from dispenser.web.table.pages import PHONE, SCREEN, table_page
from dispenser.web.table.texts import table_texts
from tests.web.test_pages import Outline

PHONE_BYTES = 45_000
"""As they are sent."""
PHONE_REQUESTS = 13
PAGES = ("/", "/rules")


def test_the_library_is_the_one_that_was_looked_at() -> None:
    about = files()["table/lit-html.txt"].body.decode()
    told = re.search(r"^sha256: ([0-9a-f]{64})$", about, re.MULTILINE)
    assert told is not None
    assert hashlib.sha256(files()["table/lit-html.js"].body).hexdigest() == told[1]
    assert "BSD 3-Clause" in about


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("template", [PHONE, SCREEN])
def test_a_page_is_sound(template: str, language: str) -> None:
    outline = Outline(table_page(template, language).body.decode())
    assert len(outline.ids) == len(set(outline.ids)), "ids are unique"
    assert not outline.inline_scripts
    assert not outline.styles
    assert not outline.handlers
    for address in outline.addresses:
        own = address.startswith((f"/static/{version()}/", "#", "?lang=", "data:image/svg+xml,"))
        assert own or address in PAGES, address


@pytest.mark.parametrize("template", [PHONE, SCREEN])
def test_every_module_that_is_imported_is_there_and_fetched_early(template: str) -> None:
    page = table_page(template, "en").body.decode()
    named = {name.rsplit(version() + "/", 1)[1] for name in re.findall(r'"(/static/[^"]+\.js)"', page)}
    for name in named:
        folder = name.rsplit("/", 1)[0] + "/" if "/" in name else ""
        for imported in re.findall(r'^import .* from "(.+)";$', files()[name].body.decode(), re.MULTILINE):
            assert imported.startswith(("./", "../")), imported
            assert (folder + imported.removeprefix("./")).replace("table/../", "") in named, f"{imported} of {name}"


def test_every_text_that_a_script_says_is_there_and_none_for_nobody() -> None:
    texts = table_texts("en", screen=True)["table"]
    scripts = "".join(file.body.decode() for name, file in files().items() if name.startswith("table/"))
    for name in re.findall(r'\b(?:say|count)\(\s*"(\w+)"', scripts):
        assert name in texts, name
    unsaid = {name for name in texts if not re.search(rf'["\'`.]{name}\b', scripts)}
    assert not unsaid


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_phones_page_is_small(language: str) -> None:
    made = table_page(PHONE, language)
    page = bytes(made.body).decode()
    fetched = {name.rsplit(version() + "/", 1)[1] for name in re.findall(r'"(/static/[^"]+)"', page)}
    sent = [table_page(PHONE, language), *(files()[name] for name in fetched)]
    assert sum(len(answer.gzipped.body) for answer in sent) < PHONE_BYTES
    assert len(fetched) < PHONE_REQUESTS


def test_types_of_scripts_are_not_served() -> None:
    assert not [name for name in files() if name.endswith(".ts")]
