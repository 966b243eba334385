"""Build a whole launcher from settings: a real one, or a simulated one on mock pins."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dispenser.drivers.kinds import kind_of
from dispenser.journal import Journal
from dispenser.odds import fairness
from dispenser.service.service import Service
from dispenser.service.settings import OWNERS, Settings

if TYPE_CHECKING:
    from dispenser.simulator import SimulatorParameters, SimulatorWiring

IN_MEMORY = ":memory:"


def launcher(settings: Settings, *, journal: Path | str | None = None) -> Service:
    """Build the real launcher that ``[driver]`` of the settings names. Call it inside a running asyncio loop.

    :param journal: another file than that of the settings, or ``IN_MEMORY``.
    :raises PinsUnavailableError: it cannot be used; the text says what to do. Never falls back to another.
    """
    driver = kind_of(settings.driver).make(settings, asyncio.get_running_loop())
    service = Service(driver, settings, partial(Journal.open, journal or settings.journal_path()), _secret)
    service.owners_file = settings.journal_path().with_name(OWNERS)
    return service


def launcher_on_pins(settings: Settings | None = None) -> Service:
    """Build the launcher on this Raspberry Pi's pins. Call it inside a running asyncio loop."""
    return _launcher_of("gpio", settings or Settings())


def launcher_on_serial(settings: Settings | None = None) -> Service:
    """Build the launcher behind a microcontroller on a serial port, which may take 5 s to answer. As above."""
    return _launcher_of("serial", settings or Settings())


def _launcher_of(kind: str, settings: Settings) -> Service:
    return launcher(replace(settings, driver=replace(settings.driver, kind=kind)))


def simulated_launcher(
    settings: Settings | None = None,
    *,
    journal: Path | str = IN_MEMORY,
    seed: str | None = None,
    cards: int = 112,
    lid_open: bool = False,
    parameters: SimulatorParameters | None = None,
    make_odds: Callable[[bytes], Any] | None = None,
) -> Service:
    """Build a simulated launcher: real driver, mock pins, the simulator behind them. Call it inside an asyncio loop.

    :param journal: a file; by default events are kept in memory only.
    :param seed: a word that makes odds and physics reproducible; by default both differ every time.
    :param cards: cards in the stack at the start.
    """
    from dispenser.clocks.virtual import VirtualLoop
    from dispenser.drivers.gpio.driver import GpioDriver
    from dispenser.simulator import Simulator, SimulatorFactory, SimulatorParameters

    settings, factory, loop = settings or Settings(), SimulatorFactory(), asyncio.get_running_loop()
    world = loop.world if isinstance(loop, VirtualLoop) else None  # otherwise: threads, in real time
    parameters, wiring = parameters or SimulatorParameters(), simulator_wiring(settings)
    simulator = Simulator(parameters, wiring, factory, world, seed=simulator_seed(seed), cards=cards, lid_open=lid_open)
    driver = GpioDriver(settings.pins, factory, loop, timing=settings.timing, clock=world)
    new_seed = _secret if seed is None else partial(named_seed, seed)
    open_journal = partial(Journal.open, journal)
    service = Service(
        driver, settings, open_journal, new_seed, simulator=simulator, cards_inside=cards, make_odds=make_odds
    )
    if journal != IN_MEMORY:
        service.owners_file = Path(journal).with_name(OWNERS)
    return service


def simulator_wiring(settings: Settings) -> SimulatorWiring:
    """Return the simulator's wiring, according to the settings."""
    from dispenser.simulator import Line, SimulatorWiring

    pins = settings.pins
    inputs = {
        "button": pins.button_active_high,
        "lid": not pins.lid_active_high,  # the driver's line means a shut lid, the simulator's an open one
        "exit": pins.exit_blocked_high,
    }
    names = {field.name for field in fields(SimulatorWiring)}
    lines = {name: gpio for name, gpio in pins.lines().items() if name in names}
    return SimulatorWiring(**{name: Line(gpio, inputs.get(name, True)) for name, gpio in lines.items()})


def _secret(_: int) -> bytes:
    return fairness.new_secret(os.urandom(32))


def named_seed(word: str, last_seq: int) -> bytes:
    """Return a repeatable seed for a fresh journal; one with records gets another, as no seed may be reused."""
    return fairness.named_seed(f"{word} {last_seq}" if last_seq else word)


def simulator_seed(word: str | None) -> int:
    """Return the seed of the simulator's physics; without a word it differs every time."""
    return int.from_bytes(os.urandom(8) if word is None else fairness.named_seed(word)[:8])
