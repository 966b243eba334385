"""What the pages of the table are made of: small, sound in both languages, nothing of a stranger's changed unseen."""

from __future__ import annotations

import gzip
import hashlib
import re

import pytest

from dispenser.i18n import LANGUAGES
from dispenser.web.pages import files, render, version
from dispenser.web.table_texts import table_texts
from tests.web.test_pages import Outline

PHONE_BYTES = 45_000
"""As they are sent."""
PHONE_REQUESTS = 14
PHONE, SCREEN = "table.html", "screen.html"


def table_page(template: str, language: str) -> str:
    texts = table_texts(language, screen=template == SCREEN)
    return render(template, language, texts=texts, icon="/static", remind_s=0, owners_phone=False, simulated=True)


def test_the_library_is_the_one_that_was_looked_at() -> None:
    about = files()["table/lit-html.txt"].decode()
    told = re.search(r"^sha256: ([0-9a-f]{64})$", about, re.MULTILINE)
    assert told is not None
    assert hashlib.sha256(files()["table/lit-html.js"]).hexdigest() == told[1]
    assert "BSD 3-Clause" in about


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("template", [PHONE, SCREEN])
def test_a_page_is_sound(template: str, language: str) -> None:
    outline = Outline(table_page(template, language))
    outline.check("#", "?lang=", "/")
    assert {each for each in outline.addresses if each.startswith("/") and "static" not in each} <= {"/", "/rules"}


@pytest.mark.parametrize("template", [PHONE, SCREEN, "page.html"])
def test_every_module_that_is_imported_is_there_and_fetched_early(template: str) -> None:
    page = table_page(template, "en")
    named = {name.rsplit(version() + "/", 1)[1] for name in re.findall(r'"(/static/[^"]+\.js)"', page)}
    for name in named:
        folder = name.rsplit("/", 1)[0] + "/" if "/" in name else ""
        for imported in re.findall(r'^import .* from "(.+)";$', files()[name].decode(), re.MULTILINE):
            assert imported.startswith(("./", "../")), imported
            assert (folder + imported.removeprefix("./")).replace("table/../", "") in named, f"{imported} of {name}"


def test_every_text_that_a_script_says_is_there_and_none_for_nobody() -> None:
    texts = table_texts("en", screen=True)["table"]
    scripts = "".join(file.decode() for name, file in files().items() if name.startswith("table/"))
    for name in re.findall(r'\b(?:say|count)\(\s*"(\w+)"', scripts):
        assert name in texts, name
    unsaid = {name for name in texts if not re.search(rf'["\'`.]{name}\b', scripts)}
    assert not unsaid


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_phones_page_is_small(language: str) -> None:
    page = table_page(PHONE, language)
    fetched = {name.rsplit(version() + "/", 1)[1] for name in re.findall(r'"(/static/[^"]+)"', page)}
    sent = [page.encode(), *(files()[name] for name in fetched)]
    assert sum(len(gzip.compress(content, 5)) for content in sent) < PHONE_BYTES
    assert len(fetched) < PHONE_REQUESTS
