"""Settings: every key optional, and what cannot work is refused with table, key, wrong value and remedy."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from dispenser.cli.settings import settings_app
from dispenser.service.changes import change, where_to_write
from dispenser.service.settings import (
    CALIBRATED,
    CONFIG_VARIABLE,
    ConfigError,
    Settings,
    WebSettings,
    as_toml,
    load,
    parse,
)

REFUSED = {
    # text of the file: what the message must say, table and key first
    '[pins]\nbutton = "x"': r'\[pins\] button = "x": write a whole number, without quotes',
    "[pins]\nbutton = true": r"\[pins\] button = true: write a whole number",
    "[pins]\nbutton = 17.0": r"\[pins\] button = 17\.0: write a whole number",
    '[pins]\nbutton = "none"': r'\[pins\] button = "none": write a whole number, without quotes',
    "[pins]\nbutton = 1e400": r"\[pins\] button = ",
    "[pins]\nbutton = 99999999999999999999999": r"\[pins\] button = 9{23}: no such GPIO.*2 to 27",
    "[pins]\nbutton = 28": r"\[pins\] button = 28: no such GPIO.*2 to 27",
    "[pins]\nlight = 17": r"\[pins\] light = 17: already used by button, whose default it is",
    "[pins]\nbutton = 27": r"\[pins\] button = 27: already used by lid, whose default it is.* another one for lid",
    "[pins]\nbutton = 5\nlight = 5": r"\[pins\] light = 5: already used by button; give each device a pin of its own",
    "[pins]\nmotor_forward = 4": r"\[pins\] motor_forward = 4: .*while the Pi boots.*use GPIO9 to GPIO27",
    "[pins]\nlid = 2\nlid_active_high = true": r"\[pins\] lid = 2: .*fixed pull-up.*use another pin",
    "[pins]\nmotor_pwm_hz = 1": r"\[pins\] motor_pwm_hz = 1: use 50 to 10000",
    '[pins]\nmotor_pwm = "yes"': r'\[pins\] motor_pwm = "yes": write true or false, without quotes',
    "[pins]\nbuton = 3": r'\[pins\] buton = 3: no such key here; did you mean "button"\?',
    "[pins]\nzzzz = 3": r"\[pins\] zzzz = 3: no such key here; known are .*button.*motor_forward",
    "[pinz]\nbutton = 3": r'\[pinz\]: there is no such table; did you mean "pins"\?',
    "pins = 3": r"pins = 3: write \[pins\] and keys below it",
    "[[pins]]\nbutton = 1": r"pins = \[\{.*\}\]: write \[pins\] and keys below it",
    "[launcher]\nmax_tries = 0": r"\[launcher\] max_tries must be 1 to 10, not 0",
    "[launcher]\nmax_tries = 2.5": r"\[launcher\] max_tries = 2\.5: write a whole number",
    "[launcher]\nmax_burst_cards = 31": r"\[launcher\] max_burst_cards must be 1 to 30, not 31",
    "[launcher]\nsuspense_min_s = nan": r"\[launcher\] suspense_min_s must be 0 to 10, not nan",
    "[launcher]\nsuspense_min_s = 2.0": r"\[launcher\] suspense_max_s must be at least suspense_min_s",
    "[launcher]\nstall_s = inf": r"\[launcher\] stall_s must be 0.05 to 10",
    "[launcher]\nduty = 0": r"\[launcher\] duty must be 0.1 to 1",
    "[launcher]\ncan_retract = false": r"\[launcher\] can_retract = false: no such key here",
    "[timing]\nbutton_settle_s = -1": r"\[timing\] button_settle_s = -1\.0: use 0 to 0\.5 seconds",
    "[timing]\ncoast_s = 2.1": r"\[timing\] coast_s = 2\.1: use 0 to 2",
    '[odds]\npreset = "x"': r'\[odds\] preset = "x": known are toy, gentle, wild, family',
    '[odds.fire]\npolicy = "x"': r'\[odds\.fire\] policy = "x": known are toy, memoryless',
    '[odds]\nrecording = "/nonexistent/a.csv"': r"\[odds\] recording = .*there is no such file or folder.*name a CSV",
    '[odds]\nrecording = "/tmp/a\\u0000b"': r"\[odds\] recording = .*there is no such file or folder.*name a CSV",
    '[odds]\nrecording = "~nobody_here/x"': r"\[odds\] recording = .*there is no such file or folder.*name a CSV",
    '[driver]\nkind = "usb"': r'\[driver\] kind = "usb": known are gpio, serial',
    '[driver]\nport = "COM3"': r'\[driver\] port = "COM3": write the whole path',
    "[driver]\nbaud = 300": r"\[driver\] baud = 300: use 9600 to 1000000",
    "[web]\nport = 99999": r"\[web\] port = 99999: write a whole number from 0 to 65535",
    '[web]\nport = "8112"': r'\[web\] port = "8112": write a whole number from 0 to 65535, without',
    '[web]\nhost = "0.0.0.0"': r'\[web\] host = "0\.0\.0\.0": can be reached by others, so a token is needed',
    "[launcher]\nduty = 1e-300": r"\[launcher\] duty must be 0.1 to 1",
    "[launcher]\nretract_s = 1e-9": r"\[launcher\] retract_s must be 0.01 to 1",
    '[journal]\npath = ":memory:"': r"\[journal\] path = .:memory:.: would be forgotten",
    f'[web]\ntoken = "{"abcdefg" * 29}"': r"\[web\] token: can be guessed.*use 16 to 200 characters",
    '[driver]\nport = "/dev/tty\\u0000USB0"': r"\[driver\] port = .*no file name can have",
    '[web]\ntoken = "a"': r"\[web\] token: can be guessed.*use 16 to 200 characters",
    '[web]\nallowed_hosts = "a"': r'\[web\] allowed_hosts = "a": write a list, such as \["a", "b"\]',
    '[web]\ntoken = "                "': r"\[web\] token: can be guessed.* ASCII without spaces.*openssl rand",
    '[web]\ntoken = "sixteen letters in all"': r"\[web\] token: can be guessed.* ASCII without spaces.*openssl rand",
    '[web]\ntoken = "éééééééééééééééé"': r"\[web\] token: can be guessed.* ASCII.*openssl rand",
    '[web]\ntoken = "aaaaaaaaaaaaaaaa"': r"\[web\] token: can be guessed.* at least 6 different ones.*openssl rand",
    '[web]\nlan = "yes"': r'\[web\] lan = "yes": write true or false',
    '[web]\nlan = true\nhost = "10.0.0.7"': r'\[web\] host = "10\.0\.0\.7": with lan = true .* would .* be its owner',
    '[web]\nhost = ""': r'\[web\] host = "": is no name or address',
    '[web]\nhost = "💥"': r'\[web\] host = "💥": is no name or address',
    '[web]\nhost = "http://pi.local"': r'\[web\] host = "http://pi\.local": is no name or address',
    '[web]\nallowed_hosts = ["*"]': r'\[web\] allowed_hosts = "\*": is no name or address',
    '[web]\nallowed_hosts = ["a.b", "http://c.d/"]': r'\[web\] allowed_hosts = "http://c\.d/": is no name or address',
    '[web]\nallowed_hosts = ["pi.local:8112"]': r'\[web\] allowed_hosts = "pi\.local:8112": is no name or address',
    '[web]\nallowed_hosts = ["[::1]:80"]': r'\[web\] allowed_hosts = "\[::1\]:80": is no name or address',
    '[web]\nallowed_hosts = [""]': r'\[web\] allowed_hosts = "": is no name or address',
    '[web]\nallowed_hosts = ["💥"]': r'\[web\] allowed_hosts = "💥": is no name or address',
    '[web]\nallowed_hosts = ["a b"]': r'\[web\] allowed_hosts = "a b": is no name or address',
    '[journal]\npath = "/"': r'\[journal\] path = "/": is a folder or a device; name a file',
    '[journal]\npath = "/dev/null"': r'\[journal\] path = "/dev/null": is a folder or a device; name a file',
    '[journal]\npath = "/tmp/a\\u0000b"': r'\[journal\] path = "/tmp/a.*b": has a character that no file name can have',
    '[journal]\npath = "~nobody_here/x"': r'\[journal\] path = "~nobody_here/x": there is no such user; write the',
    f'[journal]\npath = "/tmp/{"x" * 201}"': r"\[journal\] path = .*…: is too long: use at most 200 bytes for the file",
    f'[journal]\npath = "/{"x" * 256}/x"': r"\[journal\] path = .*…: is too long: .*, 255 for each folder",
    f'[journal]\npath = "{"/x" * 2001}"': r"\[journal\] path = .*…: is too long: .* 4000 in all",
    "[journal]\npath = 3": r"\[journal\] path = 3: write a text",
    "x =": r"not valid TOML: .*",
    "[pins]\nbutton = 5\nbutton = 6": r"not valid TOML: .*",
}


@pytest.mark.parametrize(("text", "message"), REFUSED.items(), ids=[text.replace("\n", " ")[:60] for text in REFUSED])
def test_what_cannot_work_is_refused_on_one_line_with_a_remedy(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=f"^{message}") as caught:
        parse(text)
    assert "\n" not in str(caught.value)
    assert "Traceback" not in str(caught.value)


SYNTAX = [
    "button 3",
    "button =",
    "button = abc",
    'host = "abc',
    "host = abc'",
    "hosts = [1, 2",
    "odds = {a = 1",
    "[pins",
    "[[pins]",
    "[pins]\n[pins]",
    "button = 1\nbutton = 2",
    'path = "C:\\x"',
    "button = 1 2",
    "= 3",
    "é = 3",
    "button = 0xzz",
    "button = 2020-13-13",
    "a = {b = 1}\n[a.c]",
    "a\x01b = 3",
    "a = 1\na.b = 2",
    "!",
]


@pytest.mark.parametrize("text", SYNTAX, ids=repr)
def test_a_mistake_of_syntax_names_the_line_and_has_a_remedy(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(text)
    message = str(caught.value)
    where = r"(line \d+, column \d+, which reads: .*; |end of the file: )"
    assert re.fullmatch(rf"not valid TOML: {where}.{{16,}}", message), message
    assert message.isprintable()


def test_all_mistakes_are_named_not_only_the_first(tmp_path: Path) -> None:
    text = """
        [pins]
        button = "x"
        buzer = 3
        light = 17
        [web]
        port = "8112"
        token = "short"
        allowed_hosts = ["*", "ok.local"]
        [nonsense]
        [launcher]
        max_tries = 0
        duty = 7
        [odds]
        preset = "tame"
    """
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load(path)
    mistakes = [mistake.en for mistake in caught.value.errors]
    for part in ("buzer", "button", "nonsense", "port", "token", "allowed_hosts", "max_tries", "duty", "preset"):
        assert sum(part in mistake.partition(":")[2].partition(":")[0] for mistake in mistakes) == 1, part
    assert all(mistake.startswith(f"{path}: ") for mistake in mistakes)
    assert str(caught.value).startswith(mistakes[0])
    assert f"({len(mistakes) - 1} more: 'dispenser config check' names all)" in str(caught.value)


@pytest.mark.parametrize("most_s", ["[]", "99"])
def test_a_value_that_is_wrong_is_named_once_whatever_it_should_go_with(most_s: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(f"[launcher]\nsuspense_max_s = {most_s}\nsuspense_min_s = 9\nduty = 7")
    assert len(caught.value.errors) == 2, str(caught.value.errors)


def test_the_command_names_each_mistake_on_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[web]\nport = "x"\nhost = 3\n[journal]\npath = "/"\n')
    done = CliRunner().invoke(settings_app, ["check", str(path)])
    assert done.exit_code == 78
    lines = done.stderr.splitlines()
    assert len(lines) == 3
    assert all(line.startswith(f"dispenser: {path}: [") for line in lines)


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf[web]\nport = 1234\n")
    assert load(path).web.port == 1234


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for variable in ("STATE_DIRECTORY", "XDG_STATE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(ConfigError, match=r"\[journal\] path is not set.*set it"):
        Settings().journal_path()


def test_a_driver_that_takes_longer_to_answer_than_the_machine_waits_is_refused() -> None:
    """Every burst would end in a fault: the machine gives up before the driver reports."""
    for text in (
        "[timing]\ncoast_s = 1.5",
        "[launcher]\ndriver_patience_s = 0.05",
        "[timing]\nbrake_s = 0.5\ncoast_s = 0.6",
    ):
        with pytest.raises(ConfigError, match=r"driver_patience_s.*coast_s|coast_s.*driver_patience_s"):
            parse(text)


def test_the_file_is_named_in_the_message(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[pins]\nlight = 17\n")
    with pytest.raises(ConfigError, match=rf"^{path}: \[pins\] light = 17: already used by button"):
        load(path)


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"\0"])
def test_a_file_that_cannot_be_read_says_so(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "mine.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=str(path)):
        load(path)


def test_an_empty_file_gives_the_defaults() -> None:
    assert parse("") == Settings()


def test_a_device_that_is_not_there_is_written_none() -> None:
    pins = parse('[pins]\nexit = "none"\nmotor_backward = "none"\nlight = "none"').pins
    assert (pins.exit, pins.motor_backward, pins.light) == (None, None, None)
    assert pins.buzzer is not None


def test_whole_numbers_will_do_where_seconds_are_asked_for() -> None:
    assert parse("[launcher]\nsuspense_min_s = 0\nsuspense_max_s = 2").launcher.suspense_max_s == 2.0


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
    assert parse(as_toml(settings)) == settings


def test_every_key_is_shown() -> None:
    shown = as_toml(Settings())
    for table in fields(Settings):
        assert f"[{table.name}]" in shown
        value = getattr(Settings(), table.name)
        if is_dataclass(value):
            for key in {field.name for field in fields(value)} - {"can_retract", "has_exit_sensor"}:
                assert key in shown, f"[{table.name}] {key}"


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
        ("[web]\nlan = true\n", "web: belongs into the settings file"),
        ("timing = 3\n", "timing: belongs into the settings file"),
        ("[timing]\ncoast_s = -1\n", r"\[timing\] coast_s = -1"),
        ("[timing]\ncoast_s = 1.9\n[launcher]\ndriver_patience_s = 0.3\n", "driver_patience_s"),
        ("[timing\n", "calibrated.toml"),
    ],
)
def test_what_it_may_not_say_is_told_with_its_file(file: Path, calibrated: str, words: str) -> None:
    file.with_name(CALIBRATED).write_text(calibrated)
    with pytest.raises(ConfigError, match=f"calibrated.toml.*{words}" if "toml" not in words else words):
        load(file)


def test_a_calibration_is_written_where_it_counts(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert where_to_write(file, load(file)) == file
    calibrated = file.with_name(CALIBRATED)
    with monkeypatch.context() as locked:
        locked.setattr("os.access", lambda *_: False)
        assert where_to_write(file, load(file)) == calibrated
    calibrated.write_text("[timing]\ncoast_s = 0.7\n")
    assert where_to_write(file, load(file)) == calibrated, "which overrides the file"


def test_nothing_is_written_that_would_not_go_with_the_settings_file(file: Path) -> None:
    file.write_text(f"{file.read_text()}[launcher]\ndriver_patience_s = 0.7\n")
    calibrated = file.with_name(CALIBRATED)
    with pytest.raises(ConfigError, match="driver_patience_s"):
        change(calibrated, {"timing": {"coast_s": 1.9}}, file)
    assert not calibrated.exists()
    load(file)


PLAIN_VALUES = st.one_of(
    st.booleans(), st.integers(-(10**6), 10**6), st.floats(), st.text(max_size=8), st.lists(st.integers(), max_size=3)
)
KEYS = [
    (t.name, f.name)
    for t in fields(Settings)
    if is_dataclass(getattr(Settings(), t.name))
    for f in fields(getattr(Settings(), t.name))
]


@given(st.lists(st.tuples(st.sampled_from(KEYS), PLAIN_VALUES), max_size=6))
def test_whatever_stands_in_the_file_gives_settings_or_one_clear_line(lines: list[tuple[tuple[str, str], Any]]) -> None:
    tables: dict[str, dict[str, Any]] = {}
    for (table, key), value in lines:
        tables.setdefault(table, {})[key] = value
    text = "\n".join(
        f"[{table}]\n" + "\n".join(f"{key} = {_toml(value)}" for key, value in keys.items())
        for table, keys in tables.items()
    )
    assert set(tomllib.loads(text)) == set(tables)
    try:
        settings = parse(text)
    except ConfigError as error:
        message = str(error)
        assert any(f"[{table}]" in message for table in tables), message
        assert "\n" not in message
    else:
        assert isinstance(settings, Settings)
        assert len(set(settings.pins.lines().values())) == len(settings.pins.lines())


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(letter):08x}" for letter in value) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return str(value).lower()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "0.0.0.0", "::"])
def test_one_switch_opens_the_page_to_the_house_without_a_token(host: str) -> None:
    web = WebSettings(lan=True, host=host)
    assert web.is_open
    assert web.listens_on in ("0.0.0.0", "::")


def test_without_the_switch_the_page_stays_on_this_machine() -> None:
    web = WebSettings()
    assert (web.lan, web.is_open, web.listens_on) == (False, False, "127.0.0.1")


def test_with_a_token_one_address_may_be_opened_to_the_house() -> None:
    assert WebSettings(lan=True, host="10.0.0.7", token="correct-horse-battery").listens_on == "10.0.0.7"
