"""What a start loads before it is ready, and that the first press loads nothing. Modules are counted, not seconds."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dispenser import simulated_launcher
from dispenser.table import messages as t
from tests.sampled import sampled

SCRIPT = Path(__file__).with_name("first_press.py")
THE_PAGES = {"fastapi", "starlette", "pydantic", "uvicorn", "jinja2", "dispenser.web", "rich"}
THE_EVENINGS = {
    "regex",
    "dispenser.rules",
    "dispenser.table.table",
    "dispenser.table.match",
    "dispenser.table.decisions",
}
MOST_AT_READY = 160
"""Modules that are not Python's own: ours and those of our libraries."""
JOURNALS = {"_queue", "queue", "concurrent.futures.thread"}
"""The journal's thread, for checkpoints, begins after the press is told."""


def modules(page: str, folder: Path) -> tuple[set[str], set[str]]:
    """Those that are there when it is ready; those that the first press brings."""
    settings = folder / "settings.toml"
    settings.write_text("[web]\nport = 0\n", encoding="utf-8")
    root = str(Path(__file__).parents[2])
    env = os.environ | {"STATE_DIRECTORY": str(folder), "PYTHONPATH": root}
    command = [sys.executable, str(SCRIPT), "run", page, "--config", str(settings)]
    told = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=False, timeout=120).stdout
    counted = json.loads(told)
    return set(counted["ready"]), set(counted["press"])


@pytest.mark.parametrize("page", sampled(["--no-web", "--web"], 2))
def test_a_start_loads_what_a_press_needs_and_nothing_of_the_page(page: str, tmp_path: Path) -> None:
    ready, press = modules(page, tmp_path)
    theirs = {name for name in ready if name.partition(".")[0] not in sys.stdlib_module_names}
    assert {name for name in THE_PAGES if name in ready} == set()
    assert {name for name in THE_EVENINGS if name in ready} == set(), "nobody plays"
    assert "importlib.metadata" not in ready, "it is large"
    assert "gpiozero" not in ready, "another process holds the pins"
    assert len(theirs) <= MOST_AT_READY, sorted(theirs)
    assert press - JOURNALS == set(), "the first press shall be as fast as the others"


@pytest.mark.long
def test_an_evening_that_goes_on_is_there_before_its_first_press(tmp_path: Path) -> None:
    async def begin() -> None:
        async with simulated_launcher(journal=tmp_path / "dispenser.sqlite3") as launcher:
            launcher.tell(t.Open("Léa"), owner=True)
            launcher.tell(t.Join("Tom"))
            launcher.tell(t.Start("uno-extreme"), person=1)

    asyncio.run(begin())
    ready, press = modules("--no-web", tmp_path)
    assert {name for name in THE_EVENINGS if name in ready} == THE_EVENINGS
    assert press - JOURNALS == set(), "the first press of an evening shall be as fast as the others"
