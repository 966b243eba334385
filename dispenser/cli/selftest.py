"""``dispenser selftest``: try each part of the launcher, one after the other."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import typer

from dispenser.cli.failures import ENDED_BY
from dispenser.cli.options import (
    BaudOption,
    ConfigOption,
    DriverOption,
    JsonOption,
    SeedOption,
    SerialPortOption,
    SimulatedOption,
)
from dispenser.cli.settings import load_settings, with_driver
from dispenser.cli.spoken import language

if TYPE_CHECKING:
    from dispenser.cli.workbench import Workbench
    from dispenser.maintenance.wizard import Wizard


def selftest(
    config: ConfigOption = None,
    driver: DriverOption = None,
    serial_port: SerialPortOption = None,
    baud: BaudOption = None,
    simulated: SimulatedOption = False,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Try lid, button, light barrier, motor, beeper, one card, three cards: what to do, what was seen, a report.

    A launcher that runs does it itself, and is off for everybody else meanwhile. The driver keeps its limits: nothing
    turns with the lid up. Exit code: 0 all is well, 1 something is not, or not all was tried, 69 no pins, or the
    launcher that has them is in use.
    """
    from rich.console import Console

    from dispenser.cli.visit import visit
    from dispenser.cli.wizard import report, talk
    from dispenser.cli.workbench import running_launcher, work
    from dispenser.maintenance.selftest import steps
    from dispenser.maintenance.wizard import Wizard
    from dispenser.maintenance.words import told

    console = Console(stderr=as_json)
    tongue = "en" if as_json else language()
    wizards: list[Wizard] = []

    def begin(workbench: Workbench, done: asyncio.Future[int]) -> None:
        wizards.append(Wizard(steps(workbench.launcher())))
        talk(wizards[0], workbench, done, console)

    settings = with_driver(load_settings(config), driver, serial_port, baud)
    of_ones_own = simulated or any(each is not None for each in (driver, serial_port, baud))
    running = None if of_ones_own else running_launcher(settings, tongue)
    if running is not None:
        raise typer.Exit(report(visit(running, "selftest", console), console, as_json=as_json))
    number = work(settings, begin, simulated=simulated, seed=seed)
    code = report(told(wizards[0].view(), tongue), console, as_json=as_json)
    raise typer.Exit(ENDED_BY + number if number else code)
