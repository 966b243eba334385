"""The page, its files and its languages, without a browser."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import pytest

import dispenser.web
from dispenser.i18n import LANGUAGES
from dispenser.launcher.messages import BurstEnd, Chime, Notice, Refusal, State
from dispenser.web.languages import choose_language
from dispenser.web.pages import files, render, version
from dispenser.web.table_texts import table_texts
from dispenser.web.texts import script_texts
from tests.web.rig import launcher

PAGE_BYTES = 40_000
FIRST_LOAD_BYTES = {"/": 36_000, "/table": 45_000}
"""Packed."""
FIRST_LOAD_REQUESTS = 16


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("", "en"),
        ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"),
        ("de-CH, en;q=0.3, fr;q=0.9", "fr"),
        ("de", "en"),
        ("fr;q=0", "en"),
        ("FR-ca", "fr"),
        ("fr;q=nonsense, en;q=0.1", "en"),
    ],
)
def test_the_browsers_language(accept: str, expected: str) -> None:
    assert choose_language(None, accept) == expected


async def test_what_a_person_chose_counts_more_than_the_browser() -> None:
    async with launcher() as on:
        french = {"accept-language": "fr"}
        first = await on.client.get("/", headers=french)
        assert '<html lang="fr">' in first.text
        assert first.headers["vary"] == "Accept-Language, Cookie, Accept-Encoding"
        switched = await on.client.get("/", params={"lang": "en"}, headers=french)
        assert (switched.status_code, switched.headers["location"]) == (303, "/")
        assert '<html lang="en">' in (await on.client.get("/", headers=french)).text
        await on.client.get("/", params={"lang": "xx"}, headers=french)
        assert '<html lang="en">' in (await on.client.get("/")).text, "an unknown language is the first one"


class Outline(HTMLParser):
    """Ids, labels and addresses of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.referred: set[str] = set()
        self.addresses: list[str] = []
        self.styles: list[str] = []
        self.handlers: list[str] = []
        self.inline_scripts = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        fields = dict(attrs)
        if (id_ := fields.get("id")) is not None:
            self.ids.append(id_)
        for name in ("for", "aria-labelledby", "aria-describedby", "aria-controls"):
            self.referred |= set((fields.get(name) or "").split())
        self.addresses += [value for name in ("href", "src") if (value := fields.get(name))]
        self.styles += [value for name, value in attrs if name == "style" and value]
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        if tag == "script" and "src" not in fields and fields.get("type") != "application/json":
            self.inline_scripts += 1

    def check(self, *begins: str) -> None:
        """What holds for every page; and each of its addresses begins with one of those."""
        assert len(self.ids) == len(set(self.ids)), "ids are unique"
        assert self.referred - {"sheet-title"} <= set(self.ids), "labels lead to something"
        assert (self.inline_scripts, self.styles, self.handlers) == (0, [], [])
        for address in self.addresses:
            assert address.startswith(begins), address


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/", "/table", "/screen", "/workshop", "/evenings", "/rules"])
async def test_a_page_is_sound(path: str, language: str) -> None:
    async with launcher() as on:
        page = await on.client.get(path, headers={"accept-language": language})
    assert (page.status_code, f'<html lang="{language}">' in page.text) == (200, True)
    Outline(page.text).check("#", "?lang=", "/", "data:image/svg+xml,")


def named_in(page: str) -> list[str]:
    return re.findall(r'"(/static/[^"]+)"', page)


@pytest.mark.parametrize(("path", "first_load_bytes"), FIRST_LOAD_BYTES.items())
async def test_every_file_of_a_page_is_there_may_be_kept_for_ever_and_the_first_load_is_small(
    path: str, first_load_bytes: int
) -> None:
    async with launcher() as on:
        page = await on.client.get(path)
        assert len(page.content) < PAGE_BYTES
        named = set(named_in(page.text))
        assert len(named) + 1 <= FIRST_LOAD_REQUESTS
        sent = 0
        for address in (path, *named):
            plain = await on.client.get(address, headers={"accept-encoding": "identity"})
            async with on.client.stream("GET", address, headers={"accept-encoding": "gzip"}) as answer:
                packed = b"".join([part async for part in answer.aiter_raw()])
            sent += len(packed)
            assert plain.status_code == 200
            assert address == path or "immutable" in plain.headers["cache-control"]
            if answer.headers.get("content-encoding") == "gzip":
                packed = gzip.decompress(packed)
                assert "Accept-Encoding" in plain.headers["vary"]
            assert packed == plain.content
        assert 10_000 < sent < first_load_bytes
        other = [f"/static/{version()}/{name}" for name in ("none.js", "..%2fapp.py", "%2e%2e")]
        for address in (*other, "/static/000000000000/page.css"):
            assert (await on.client.get(address)).status_code == 404
        again = await on.client.get(path, headers={"if-none-match": page.headers["etag"]})
        assert (page.headers["cache-control"], again.status_code) == ("no-cache", 304)


@pytest.mark.parametrize(("language", "name"), [("en", "Card launcher"), ("fr", "Lance-cartes")])
async def test_a_phone_can_keep_the_page_among_its_apps(language: str, name: str) -> None:
    async with launcher() as on:
        page = await on.client.get("/", headers={"accept-language": language})
        (address,) = (each for each in named_in(page.text) if each.endswith(".webmanifest"))
        manifest = await on.client.get(address)
        assert manifest.headers["content-type"] == "application/manifest+json"
        assert (manifest.json()["name"], manifest.json()["start_url"]) == (name, "/")
        for icon in (address.rsplit("/", 1)[0] + "/" + manifest.json()["icons"][0]["src"], "/favicon.ico"):
            answer = await on.client.get(icon, follow_redirects=True)
            assert answer.headers["content-type"] == "image/svg+xml"
        assert "manifest-src 'self'" in page.headers["content-security-policy"]


def test_a_real_launcher_has_no_simulated_lid_on_its_page() -> None:
    real, simulated = (Outline(render("page.html", "en", simulated=each)).ids for each in (False, True))
    simulator = {"lid", "lid-name", "tab-trouble", "panel-trouble", "faults", "faults-title", "simulator-facts"}
    assert set(simulated) - set(real) == simulator | {"cells-new", "cells-flat", "finger"}


# --- the scripts of the pages ---


PHONE, SCREEN = "table.html", "screen.html"


def table_page(template: str, language: str) -> str:
    texts = table_texts(language, screen=template == SCREEN)
    facts = {"icon": "/static", "remind_s": 0, "owners_phone": False, "simulated": True, "by_key": False}
    return render(template, language, texts=texts, **facts)


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


# --- what the scripts say ---


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


async def test_the_scripts_listen_to_every_type_of_record() -> None:
    """A browser hears only the event types it asks for, so the list must be whole."""
    async with launcher() as on:
        for path, fields in (
            ("/simulator/fault", {"fault": "roller_jam", "on": True, "cards": 9}),
            ("/eject", {"cards": 2}),
            ("/simulator/fault", {"fault": "roller_jam", "on": False}),
            ("/simulator/lid", {"open": True}),
            ("/simulator/take", {}),
            ("/simulator/stack", {"cards": 20}),
            ("/load", {"cards": 20}),
            ("/simulator/cells", {}),
            ("/simulator/button", {}),
            ("/reset", {}),
        ):
            assert (await on.post(path, **fields)).is_success, path
            await on.settle()
        seen = {record.type for record in on.service.journal.read()}
        listening = on.service.event_bus.subscribe(on.service.journal.last_seq)
        await on.service.stop()
        seen |= {record.type async for record in listening}
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
    for group in ("sentence", "script", "outcome", "launcher", "controls", "simulator"):
        assert set(texts[group]) <= named, f"of texts.{group} nobody uses {set(texts[group]) - named}"
