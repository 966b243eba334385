"""Random settings files, each from its seed: a launcher that works, or one clear line a mistake."""

from __future__ import annotations

import math
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dispenser.config import as_toml
from dispenser.launcher.messages import MAX_MOTOR_RUN_S
from dispenser.service.settings import CONFIG_VARIABLE, ConfigError, Settings, load
from tests.nightly.search.watched import WatchedLauncher
from tests.nightly.seed import SEED

FILES = 250
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
Written = dict[tuple[str, str], Any]


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


@pytest.mark.parametrize("seed", range(SEED, SEED + FILES), ids="seed {}".format)
def test_settings_work_or_are_refused_in_clear_words(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.delenv(CONFIG_VARIABLE, raising=False)
    file = tmp_path / "dispenser.toml"
    written, wrong = a_file(Random(seed))
    tables: dict[str, dict[str, Any]] = {"journal": {"path": str(tmp_path / "journal.sqlite3")}}
    for (table, key), value in written.items():
        tables.setdefault(table, {})[key] = value
    file.write_text(as_toml(tables))
    try:
        settings = load(file)
    except ConfigError as error:
        mistakes = [each.en for each in error.errors]
    else:
        assert not wrong
        bursts(settings, str(file))
        return
    for line in mistakes:
        assert line.isprintable(), line
        assert 16 < len(line.partition(f"{file}: ")[2]) < 1000, line
    for table, key in wrong:
        place = f"[{table}]" if table == "webb" else f"[{table}] {key}"
        assert any(line.startswith(f"{file}: {place}") for line in mistakes), (place, mistakes)
