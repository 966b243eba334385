"""What the pages of the table are made of: every module is there, nothing of a stranger's changed unseen."""

from __future__ import annotations

import hashlib
import re

import pytest

from dispenser.web.pages import files, render, version
from dispenser.web.table_texts import table_texts

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
