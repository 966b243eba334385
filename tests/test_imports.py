"""What a program loads: a Pi Zero has little memory and is slow to read files, so nothing before it is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PRESS = """
import asyncio
from dispenser.launcher.commands import Eject
from dispenser.cli import serve
from dispenser import simulated_launcher

async def press():
    async with simulated_launcher() as launcher:
        await launcher.outcome(await launcher.handle(Eject(1)))

asyncio.run(press())
"""
PAGE = {"fastapi", "starlette", "pydantic", "uvicorn", "jinja2", "dispenser.web", "rich"}
EVENING = {"regex", "dispenser.rules", "dispenser.table.table", "dispenser.table.match"}
ODDS = "import dispenser.odds.expectation, dispenser.odds.charts, dispenser.odds.audit, dispenser.cli.odds"


def loaded(program: str) -> set[str]:
    """The modules that are there when it is over."""
    code = f"{program}\nimport sys\nprint(*sys.modules)"
    root = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("program", "without"),
    [
        (PRESS, PAGE | EVENING),
        ("import dispenser.cli.rules", {"dispenser.rules"}),
        (ODDS, {"rich.console", "rich.table"}),
        ("import dispenser.drivers.gpio.kind", {"gpiozero"}),
    ],
    ids=["a press", "help of the rules", "odds", "a launcher on pins"],
)
def test_nothing_is_loaded_that_is_not_needed_yet(program: str, without: set[str]) -> None:
    assert loaded(program) & without == set()


def test_the_simulator_needs_gpiozero_and_the_standard_library_alone() -> None:
    more = loaded("import dispenser.simulator") - loaded("import gpiozero")
    assert {name.partition(".")[0] for name in more} - sys.stdlib_module_names == {"dispenser"}


def test_what_starts_the_process_of_the_pins_loads_nothing_of_ours() -> None:
    modules = loaded("import dispenser.drivers.gpio.spawn")
    packages = {"dispenser", "dispenser.version", "dispenser.drivers", "dispenser.drivers.gpio"}
    assert {name for name in modules if name.startswith("dispenser")} == {*packages, "dispenser.drivers.gpio.spawn"}
    assert not {"msgspec", "typer", "asyncio", "gpiozero"} & modules
