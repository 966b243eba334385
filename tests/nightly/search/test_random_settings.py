"""Random settings files and calibrations, each from its seed: a launcher that works, or one clear line a mistake."""

from __future__ import annotations

import math
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli import app
from dispenser.config import toml_value
from dispenser.launcher.messages import MAX_MOTOR_RUN_S
from dispenser.service.settings import CALIBRATED, CONFIG_VARIABLE, ConfigError, Settings, load
from tests.nightly.search.watched import WatchedLauncher
from tests.nightly.seed import SEED

FILES = 250
NO_PINS, BAD_SETTINGS = 69, 78
NO_KEYS = {("launcher", "can_retract"), ("launcher", "has_exit_sensor")}
"""They follow from the pins."""
DEFAULTS: dict[tuple[str, str], Any] = {
    (table.name, key.name): getattr(getattr(Settings(), table.name), key.name)
    for table in fields(Settings)
    if table.name != "odds"
    for key in fields(getattr(Settings(), table.name))
    if (table.name, key.name) not in NO_KEYS
}
NUMBERS = [key for key, value in DEFAULTS.items() if isinstance(value, int | float) and not isinstance(value, bool)]
ABSURD: tuple[Any, ...] = (math.nan, math.inf, -math.inf, 1e300, -1e300, -1, 10**25, True, "1", "", [], [1], {"a": 1})
"""What no number may be."""
NO_TOML = ("x =", "[web]\n[web]", 'a = "', "\x00", "[web", "port = 1 2", "= 3", "é = 1")
Written = dict[tuple[str, str], Any]


def text_of(written: Written) -> str:
    lines = []
    for table in sorted({table for table, _ in written}):
        lines += [f"[{table}]", *(f"{key} = {toml(value)}" for (of, key), value in written.items() if of == table)]
    return "\n".join([*lines, ""])


def toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else toml_value(value)


def a_file(dice: Random) -> tuple[Written, set[tuple[str, str]]]:
    """A few keys, and those of them that must be refused."""
    written, wrong = Written(), set()
    for place in dice.sample(list(DEFAULTS), dice.choice((1, 1, 2, 3, 6))):
        default, kind = DEFAULTS[place], dice.choice(("near", "near", "absurd", "unknown"))
        if kind == "near":
            written[place] = near(dice, default, is_number=place in NUMBERS)
            continue
        unknown = dice.choice(((place[0], "prot"), ("webb", "port")))
        refused, value = (unknown, 1) if kind == "unknown" else (place, dice.choice(ABSURD) if place in NUMBERS else 7)
        written[refused] = value
        wrong.add(refused)
    return written, wrong


def near(dice: Random, default: Any, *, is_number: bool) -> Any:
    """A value that may do."""
    if is_number:
        return dice.choice((default, default * 2, default // 2, default + dice.randint(-5, 5)))
    return dice.choice((True, False) if isinstance(default, bool) else ("", "a\nb", "/nowhere/x", "127.0.0.1", "gpio"))


def ended(*arguments: str) -> Result:
    done = CliRunner().invoke(app, arguments, env={"COLUMNS": "300"})
    assert isinstance(done.exception, SystemExit | None), repr(done.exception)
    assert "Traceback" not in done.output
    return done


def bursts(settings: Settings, name: str) -> None:
    """A launcher of these settings lets a few cards out, or says what is in the way; then the motor is off."""
    launcher = WatchedLauncher(name, settings=settings)
    try:
        launcher.run(3.0)
        launcher.press(min(3, settings.launcher.max_burst_cards))
        launcher.simulator.push_button()
        one_try_s = 2 * (MAX_MOTOR_RUN_S + settings.launcher.driver_patience_s) + settings.timing.coast_s
        launcher.until_idle(2 * (settings.launcher.suspense_max_s + settings.launcher.max_tries * one_try_s))
        launcher.run(1.0)
        assert launcher.simulator.view().motor_commanded == 0, name
    finally:
        launcher.abandon()


def check(file: Path, dice: Random) -> None:
    """What the commands say of a random file, and what a launcher does with it."""
    written, wrong = a_file(dice)
    journal = file.with_name("journal.sqlite3")
    if ("journal", "path") not in written:
        written["journal", "path"] = str(journal)
    broken = dice.choice(NO_TOML) if dice.random() < 0.1 else ""
    file.write_text(text_of(written) + broken)
    if dice.random() < 0.2:
        tuned = {key: value for key, value in a_file(dice)[0].items() if key[0] in {"timing", "launcher"}}
        journal.with_name(CALIBRATED).write_text(text_of(tuned) + dice.choice(("", "", "", "[timing", "\0")))
    mistakes: list[str] = []
    try:
        settings = load(file)
    except ConfigError as error:
        mistakes = [each.en for each in error.errors]
    checked, ran = ended("config", "check", str(file)), ended("run", "--config", str(file), "--driver", "gpio")
    told = [line for line in checked.stderr.splitlines() if not line.startswith("dispenser: warning: ")]
    assert told == [f"dispenser: {each}" for each in mistakes]
    assert (checked.exit_code, ran.exit_code) == ((BAD_SETTINGS, BAD_SETTINGS) if mistakes else (0, NO_PINS))
    assert len(ran.stderr.splitlines()) == 1
    for line in mistakes:
        assert line.isprintable(), line
        assert line.startswith((f"{file}: ", f"{file.with_name(CALIBRATED)}: ")), line
        assert 16 < len(line.partition(": ")[2]) < 1000, line
    if broken or any("not valid TOML" in line for line in mistakes):
        assert len(mistakes) == 1, mistakes
        return
    for table, key in wrong:
        place = f"[{table}]" if table == "webb" else f"[{table}] {key}"
        assert any(line.startswith(f"{file}: {place}") for line in mistakes), (place, mistakes)
    if not mistakes:
        assert len(set(settings.pins.lines().values())) == len(settings.pins.lines())
        bursts(settings, str(file))


@pytest.mark.parametrize("seed", range(SEED, SEED + FILES), ids="seed {}".format)
def test_settings_work_or_are_refused_in_clear_words(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.delenv(CONFIG_VARIABLE, raising=False)
    check(tmp_path / "dispenser.toml", Random(seed))
