"""Random settings files and calibrations, each from its seed: a launcher that works, or one clear line a mistake."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli import app
from dispenser.config import short_toml, toml_value
from dispenser.launcher.messages import MAX_BURST_CARDS, MAX_MOTOR_RUN_S
from dispenser.service.settings import CALIBRATED, CONFIG_VARIABLE, ConfigError, Settings, load
from dispenser.system.backup import make
from tests.nightly.search.watched import WatchedLauncher
from tests.nightly.seed import SEED

FILES = 250
PARTS = 5
RIGHT, NO_PINS, BAD_SETTINGS = 0, 69, 78
RANGES: dict[tuple[str, str], tuple[float, float]] = {
    **{("launcher", name): (0, 10) for name in ("suspense_min_s", "suspense_max_s", "timed_base_s")},
    **{
        ("launcher", name): (0.05, MAX_MOTOR_RUN_S)
        for name in ("feed_base_s", "stall_s", "blind_s", "driver_patience_s")
    },
    **{("launcher", name): (0.01, MAX_MOTOR_RUN_S) for name in ("feed_card_s", "timed_card_s")},
    ("launcher", "retract_s"): (0.01, 1),
    ("launcher", "duty"): (0.1, 1),
    ("launcher", "first_card_ms"): (0, 1000),
    ("launcher", "double_ratio"): (math.nextafter(1, 2), math.nextafter(2, 1)),
    ("launcher", "max_burst_cards"): (1, MAX_BURST_CARDS),
    ("launcher", "max_tries"): (1, 10),
    ("timing", "button_settle_s"): (0, 0.5),
    ("timing", "lid_settle_s"): (0, 1.0),
    ("timing", "exit_settle_s"): (0, 0.005),
    ("timing", "brake_s"): (0, 0.5),
    ("timing", "coast_s"): (0, 2.0),
    **{("pins", name): (2, 27) for name in ("button", "lid", "exit", "buzzer", "light")},
    **{("pins", name): (9, 27) for name in ("motor_forward", "motor_backward", "motor_enable")},
    ("pins", "motor_pwm_hz"): (50, 10_000),
    ("driver", "baud"): (9600, 1_000_000),
    ("web", "port"): (0, 65_535),
    ("web", "max_streams"): (1, 1000),
    ("table", "idle_end_s"): (60, 7 * 24 * 3600),
    ("table", "remind_s"): (0, 3600),
    ("odds", "cap"): (1, MAX_BURST_CARDS),
}
"""From the least to the most that each number may be."""
WHOLE = {"max_burst_cards", "max_tries", "motor_pwm_hz", "baud", "port", "max_streams", "cap"} | {
    key for table, key in RANGES if table == "pins"
}
TEXTS = {
    ("journal", "path"): "",
    ("web", "host"): "127.0.0.1",
    ("web", "token"): "correct-horse-battery",
    ("driver", "kind"): "gpio",
    ("driver", "port"): "/dev/ttyUSB0",
    ("odds", "preset"): "wild",
    ("odds", "recording"): "/nowhere/saturday.csv",
}
"""Texts, each with one that is as it should be, but for the recording, which is not there."""
SWITCHES = (("web", "lan"), ("web", "enabled"), ("pins", "motor_pwm"), ("pins", "lid_active_high"))
ABSURD = (1e-300, 1e300, -1e300, math.nan, math.inf, -math.inf, -1, 10**25, -(10**25))
WRONG_TYPES: tuple[Any, ...] = (True, "1", "", [], [1], {"a": 1}, "none of them")
STRANGE_TEXTS = ("a\nb", "", " ", "~nobody_here/x")
PLACE = re.compile(r"\[\w+\] \w+|\[\w+\]|\w+")
"""Where a mistake is: a key in its table, a table, or a key outside of any."""
TOGETHER = {"suspense_max_s", "driver_patience_s", "cap", *(key for _, key in TEXTS)}
TOGETHER |= {key for table, key in RANGES if table == "pins"}
"""Keys that may be refused because of what stands in others."""
OR = {"preset": "recording", "recording": "preset"}
NO_TOML = ("x =", "[web]\n[web]", 'a = "', "\x00", "[web", "port = 1 2", "= 3", "é = 1")


@dataclass
class Written:
    """One file, and the keys in it that must be refused."""

    tables: dict[str, Any] = field(default_factory=dict)
    wrong: set[str] = field(default_factory=set)
    broken: str = ""

    def put(self, table: str, key: str, value: Any, *, wrong: bool) -> None:
        if isinstance(self.tables.setdefault(table, {}), dict):
            self.tables[table][key] = value
            if key in OR:  # of two that exclude one another the later one
                self.tables[table].pop(OR[key], None)
                self.wrong.discard(f"[{table}] {OR[key]}")
            (self.wrong.add if wrong else self.wrong.discard)(f"[{table}] {key}")

    def text(self) -> str:
        lines = []
        for name, table in sorted(self.tables.items(), key=lambda each: isinstance(each[1], dict)):
            if isinstance(table, dict):
                lines += [f"[{name}]", *(f"{key} = {toml(value)}" for key, value in table.items())]
            else:
                lines.append(f"{name} = {toml(table)}")
        return "\n".join([*lines, self.broken, ""])


def toml(value: Any) -> str:
    if isinstance(value, str):
        return '"' + "".join(char if char.isalnum() else f"\\U{ord(char):08x}" for char in value) + '"'
    if isinstance(value, bool):
        return str(value).lower()
    return toml_value(value)


def a_number(dice: Random, table: str, key: str) -> tuple[Any, bool]:
    """A value for it, and whether it must be refused."""
    low, high = RANGES[table, key]
    whole = key in WHOLE
    kind = dice.choice(("at", "inside", "inside", "outside", "absurd", "type"))
    if kind == "absurd":
        value: Any = dice.choice(ABSURD)
        return value, not (low <= value <= high and (isinstance(value, int) or not whole))
    if kind == "type":
        value = dice.choice(WRONG_TYPES)
        return value, True
    if kind == "outside":
        steps = (low - 1, high + 1) if whole else (math.nextafter(low, -math.inf), math.nextafter(high, math.inf))
        return dice.choice(steps), True
    if kind == "at":
        return dice.choice((low, high)), False
    return (dice.randint(int(low), int(high)) if whole else dice.uniform(low, high)), False


def a_file(dice: Random, folder: Path) -> Written:
    made = Written()
    for _ in range(dice.choice((1, 1, 2, 3, 6))):
        what = dice.choice(("number", "number", "number", "text", "strange text", "switch", "odd"))
        if what == "number":
            table, key = dice.choice(list(RANGES))
            value, wrong = a_number(dice, table, key)
            made.put(table, key, value, wrong=wrong)
        elif what == "switch":
            table, key = dice.choice(SWITCHES)
            value = dice.choice((True, False, 1, "yes"))
            made.put(table, key, value, wrong=not isinstance(value, bool))
        elif what == "text":
            table, key = dice.choice(list(TEXTS))
            made.put(table, key, TEXTS[table, key], wrong=key == "recording")
        elif what == "strange text":
            table, key = dice.choice(list(TEXTS))
            value = dice.choice(STRANGE_TEXTS)
            made.put(table, key, value, wrong=not value.isprintable())
        else:
            odd(dice, made)
    made.tables.setdefault("journal", {}).setdefault("path", str(folder / "journal.sqlite3"))
    return made


def odd(dice: Random, made: Written) -> None:
    match dice.choice(("table", "key", "no table", "pins", "broken")):
        case "table":
            made.put("webb", "port", 1, wrong=False)
            made.wrong = (made.wrong - {"[webb] port"}) | {"[webb]"}
        case "key":
            made.put(dice.choice(("web", "pins", "timing", "launcher")), "prot", 1, wrong=True)
        case "no table":
            made.tables["table"] = dice.choice((3, "a", [1]))
            made.wrong = (made.wrong - {"[table] idle_end_s", "[table] remind_s"}) | {"table"}
        case "pins":
            gpio = dice.randint(9, 27)
            made.put("pins", "motor_forward", gpio, wrong=False)
            made.put("pins", "light", gpio, wrong=False)
        case "broken":
            made.broken = dice.choice(NO_TOML)


def calibration(dice: Random) -> bytes:
    """As a calibration writes it, or with what may not stand there."""
    text = figures(dice, wrong=dice.random() < 0.3).encode()
    return text + dice.choice((b"", b"", b"", b"[web]\nport = 1", b"[timing", b"\0"))


def figures(dice: Random, *, wrong: bool) -> str:
    """A few numbers of the tables that a calibration may change; each at its place, they need not go together."""
    made = Written()
    for table, key in dice.sample([each for each in RANGES if each[0] in {"timing", "launcher"}], 3):
        value = a_number(dice, table, key)[0] if wrong else dice.choice(RANGES[table, key])
        made.put(table, key, value, wrong=wrong)
    return made.text()


# --- what is asked of each --------------------------------------------------------------------------------------------


def mistakes_in(file: Path) -> list[str]:
    """What ``load`` says, one after the other."""
    try:
        load(file)
    except ConfigError as error:
        return [each.en for each in error.errors]
    return []


def ended(*arguments: str, code: int | None = None, **more: Any) -> Result:
    done = CliRunner().invoke(app, arguments, env={"COLUMNS": "300"}, **more)
    assert isinstance(done.exception, SystemExit | None), repr(done.exception)
    assert "Traceback" not in done.output
    assert code is None or done.exit_code == code, (arguments, done.exit_code, done.output[:1000])
    return done


def clear(mistakes: list[str], file: Path) -> None:
    """One line each, which names the file, and has room for a value and a remedy."""
    for line in mistakes:
        assert line.isprintable(), line
        assert line.startswith((f"{file}: ", f"{file.with_name(CALIBRATED)}: ")), line
        assert len(line.partition(": ")[2]) > 16, line
        assert len(line) < 1000, line


def named_rightly(mistakes: list[str], written: Written) -> None:
    """Each wrong key with its value, in one line, and no other but those that do not go together."""
    if written.broken or any("not valid TOML" in line or "no key takes that" in line for line in mistakes):
        assert len(mistakes) == 1, mistakes
        return
    said = [line.partition(": ")[2] for line in mistakes]
    named = [found[0] for line in said if (found := PLACE.match(line))]
    for place in written.wrong:
        table, _, key = place.partition(" ")
        if table == "[odds]" and any(each.startswith(table) for each in named):
            continue  # a word that nobody knows is told when the numbers are right
        assert named.count(place) == 1, (place, mistakes)
        value = written.tables[table.strip("[]")][key] if key else None
        if isinstance(value, int | float):
            line = said[named.index(place)]
            assert any(form in line for form in (short_toml(value), str(value), str(float(value)))), line
    assert [each for each in named if each not in written.wrong and each.split()[-1] not in TOGETHER] == []


def bursts(settings: Settings, name: str) -> None:
    """A launcher of these settings lets a few cards out, or says what is in the way; then the motor is off."""
    launcher = WatchedLauncher(name, settings=settings)
    try:
        launcher.run(3.0)
        launcher.press(min(3, settings.launcher.max_burst_cards))
        launcher.push()
        one_try_s = 2 * (MAX_MOTOR_RUN_S + settings.launcher.driver_patience_s) + settings.timing.coast_s
        launcher.until_idle(2 * (settings.launcher.suspense_max_s + settings.launcher.max_tries * one_try_s))
        launcher.run(1.0)
        assert launcher.toy.view().motor_commanded == 0, name
        assert launcher.eyes.longest_s <= MAX_MOTOR_RUN_S + 0.1, name
    finally:
        launcher.abandon()


def judge(seed: int, folder: Path) -> str:
    dice = Random(f"settings {seed}")
    folder.mkdir()
    file, journal, written = folder / "dispenser.toml", folder / "journal.sqlite3", a_file(dice, folder)
    file.write_text(written.text())
    calibrated = dice.random() < 0.3
    if calibrated:
        file.write_text(f'[journal]\npath = "{journal}"\n{figures(dice, wrong=dice.random() < 0.1)}')
        journal.with_name(CALIBRATED).write_bytes(calibration(dice))
    mistakes = mistakes_in(file)
    checked = ended("config", "check", str(file), code=BAD_SETTINGS if mistakes else RIGHT)
    wrong = [line for line in checked.stderr.splitlines() if not line.startswith("dispenser: warning: ")]
    assert wrong == [f"dispenser: {each}" for each in mistakes]
    ran = ended("run", "--config", str(file), "--driver", "gpio", code=BAD_SETTINGS if mistakes else NO_PINS)
    assert len(ran.stderr.splitlines()) == 1
    backup = folder / "backup.zip"
    if file.stat().st_size < 1 << 20:
        make(file, journal, backup)
        restored = ended("restore", str(backup), "--config", str(folder / "other.toml"), input="n\n")
        assert (restored.exit_code == 0) == (not mistakes), (restored.output, mistakes)
    clear(mistakes, file)
    if not calibrated:
        named_rightly(mistakes, written)
    if not mistakes:
        settings = load(file)
        assert len(set(settings.pins.lines().values())) == len(settings.pins.lines())
        bursts(settings, f"settings {seed}")
    return mistakes[0][:200] if mistakes else "right"


@pytest.mark.parametrize("part", range(PARTS))
def test_settings_work_or_are_refused_in_clear_words(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.delenv(CONFIG_VARIABLE, raising=False)
    (tmp_path / "state").mkdir()
    for seed in range(SEED + part, SEED + FILES, PARTS):
        try:
            print(f"seed {seed}: {judge(seed, tmp_path / str(seed))}")
        except BaseException as error:
            error.add_note(f"seed {seed}: {(tmp_path / str(seed) / 'dispenser.toml').read_text()[:2000]}")
            raise
