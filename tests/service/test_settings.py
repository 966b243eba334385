"""Settings: every key optional, and what cannot work is refused with table, key, wrong value and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from dispenser.config import as_toml
from dispenser.service.calibration import CalibrationRecord
from dispenser.service.settings import (
    CALIBRATED,
    CONFIG_VARIABLE,
    ConfigError,
    Settings,
    WebSettings,
    as_tables,
    load,
    parse,
)

REFUSED = {
    # text of the file: what the message must say, table and key first
    "[pins]\nlight = 17": r"\[pins\] light = 17: already used by button, whose default it is",
    "[launcher]\nsuspense_min_s = 2.0": r"\[launcher\] suspense_max_s must be at least suspense_min_s",
    "[timing]\ncoast_s = 1.5": r"\[launcher\] driver_patience_s = 1\.0: .*coast_s.*every burst .*; use 1\.64 or more",
    '[odds]\npreset = "x"': r'\[odds\] preset = "x": known are toy, gentle, wild, family',
    '[odds]\nrecording = "/nonexistent/a.csv"': r"\[odds\] recording = .*there is no such file or folder.*name a CSV",
    '[driver]\nport = "COM3"': r'\[driver\] port = "COM3": write the whole path',
    '[web]\nhost = "0.0.0.0"': r'\[web\] host = "0\.0\.0\.0": can be reached by others, so a token is needed',
    '[web]\nlan = true\nhost = "10.0.0.7"': r'\[web\] host = "10\.0\.0\.7": is a single address: with lan = true',
    '[web]\nallowed_hosts = ["a.b", "*"]': r'\[web\] allowed_hosts = "\*": is no name or address',
    '[web]\ndashboards = ["homeassistant.local:8123"]': r'\[web\] dashboards = "homeassistant.*": is no address of a',
    '[web]\nscreen_key = "short"': r"\[web\] screen_key: can be guessed",
    '[web]\ntoken = "aaaaaaaaaaaaaaaa"': r"\[web\] token: can be guessed.* at least 6 different ones.*openssl rand",
    '[journal]\npath = "evening.sqlite3"': r'\[journal\] path = "evening\.sqlite3": write the whole path',
}


@pytest.mark.parametrize(("text", "message"), REFUSED.items(), ids=[text.replace("\n", " ")[:60] for text in REFUSED])
def test_what_cannot_work_is_refused_on_one_line_with_a_remedy(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=f"^{message}") as caught:
        parse(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["button 3", "[pins", "[pins]\n[pins]", 'path = "C:\\x"', "a\x01b = 3"], ids=repr)
def test_a_mistake_of_syntax_names_the_line_and_has_a_remedy(text: str) -> None:
    where = r"(line \d+, column \d+, which reads: .*; |end of the file: )"
    with pytest.raises(ConfigError, match=rf"^not valid TOML: {where}.{{16,}}$"):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        '[pins]\nexit = "none"\nlight = 5\nbutton_active_high = true',
        '[odds]\npreset = "wild"\ncap = 4',
        '[odds.fire]\npolicy = "memoryless"\nprobability = 0.25',
        '[web]\nhost = "0.0.0.0"\ntoken = "0123456789abcdef"\nallowed_hosts = ["pi.local", "192.168.1.7", "fe80::1"]',
        "[web]\nlan = true",
        '[journal]\npath = "/tmp/ü \\\\ x.sqlite3"',
    ],
)
def test_the_settings_in_force_can_be_shown_as_a_file_that_gives_the_same(text: str) -> None:
    settings = parse(text)
    assert parse(as_toml(as_tables(settings))) == settings


def test_where_the_file_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given, named = tmp_path / "given.toml", tmp_path / "named.toml"
    given.write_text("[web]\nport = 1001\n")
    named.write_text("[web]\nport = 1002\n")
    monkeypatch.delenv(CONFIG_VARIABLE, raising=False)
    monkeypatch.setattr("dispenser.service.settings.SYSTEM_CONFIG", tmp_path / "system.toml")
    assert load() == Settings()
    (tmp_path / "system.toml").write_text("[web]\nport = 1003\n")
    assert load().web.port == 1003
    monkeypatch.setenv(CONFIG_VARIABLE, str(named))
    assert load().web.port == 1002
    assert load(given).web.port == 1001


def test_where_the_journal_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    assert Settings().journal_path() == tmp_path / "xdg" / "dispenser" / "dispenser.sqlite3"
    monkeypatch.setenv("STATE_DIRECTORY", f"{tmp_path}/state:{tmp_path}/more")
    assert Settings().journal_path() == tmp_path / "state" / "dispenser.sqlite3"
    assert parse('[journal]\npath = "/a/b.sqlite3"').journal_path() == Path("/a/b.sqlite3")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A settings file with a journal beside it."""
    file = tmp_path / "dispenser.toml"
    file.write_text(f'[timing]\ncoast_s = 0.5\n[journal]\npath = "{tmp_path / "journal.sqlite3"}"\n')
    return file


def test_what_the_service_has_calibrated_overrides_the_file_and_nothing_else(file: Path) -> None:
    before = load(file)
    file.with_name(CALIBRATED).write_text("[timing]\ncoast_s = 0.7\n[launcher]\nfeed_card_s = 0.21\n")
    now = load(file)
    assert (now.timing.coast_s, now.launcher.feed_card_s) == (0.7, 0.21)
    assert (now.journal, now.pins, now.web) == (before.journal, before.pins, before.web)


@pytest.mark.parametrize(
    ("calibrated", "words"),
    [
        ("[web]\nlan = true\n", r"\[web\]: there is no such table; known are timing, launcher"),
        ("[timing]\ncoast_s = -1\n", r"\[timing\] coast_s = -1"),
        ("[timing]\ncoast_s = 1.9\n[launcher]\ndriver_patience_s = 0.3\n", r"\[launcher\] driver_patience_s = 0.3"),
        ("[timing\n", "not valid TOML"),
    ],
)
def test_what_it_may_not_say_is_told_with_its_file(file: Path, calibrated: str, words: str) -> None:
    file.with_name(CALIBRATED).write_text(calibrated)
    with pytest.raises(ConfigError, match=f"calibrated.toml: {words}"):
        load(file)


def test_nothing_is_calibrated_that_would_not_go_with_the_settings_file(file: Path) -> None:
    file.write_text(f"{file.read_text()}[launcher]\ndriver_patience_s = 0.7\n")
    with pytest.raises(ConfigError, match="driver_patience_s"):
        CalibrationRecord(load(file)).write({"timing": {"coast_s": 1.9}})
    assert not file.with_name(CALIBRATED).exists()


@pytest.mark.parametrize(
    ("web", "is_open", "listens_on"),
    [
        (WebSettings(), False, "127.0.0.1"),
        (WebSettings(lan=True), True, "::"),
        (WebSettings(lan=True, host="0.0.0.0"), True, "0.0.0.0"),
        (WebSettings(lan=True, host="10.0.0.7", token="correct-horse-battery"), True, "10.0.0.7"),
    ],
)
def test_one_switch_opens_the_page_to_the_house(web: WebSettings, is_open: bool, listens_on: str) -> None:
    assert (web.is_open, web.listens_on) == (is_open, listens_on)
