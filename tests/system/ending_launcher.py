"""A launcher on mock pins that somebody else watches: ``python -m tests.system.ending_launcher HOW FILE …``.

Every change of a pin is written to FILE at once, so that the last word on the motor is there however this process
ends. HOW ``cli`` runs the ``dispenser`` command with what follows; on standard input come the names of things that
happen to it (``_WAYS``). Any other HOW is a program of somebody's own, which uses the Python API and ends in that way.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import dispenser.simulator
from dispenser import simulated_launcher
from dispenser.launcher.commands import Eject
from dispenser.service.service import Service
from dispenser.service.settings import load
from dispenser.simulator.parameters import SimulatorParameters
from dispenser.simulator.pins import SimulatorPin
from tests.waiting import LIMIT_S

SLOW = SimulatorParameters.flawless(card_period_ms=400.0)
"""Eight cards take seconds, so that whatever shall happen in the burst does, however busy this machine."""


def mirror(path: str) -> None:
    """From now on what is put on a pin goes to the file ``path``, a line a change; a pin let go has 0."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def wrap(name: str) -> None:
        real = getattr(SimulatorPin, name)

        def wrapped(pin: SimulatorPin, value: object) -> object:
            result = real(pin, value)
            os.write(file, f"{pin.info.name} {pin.output or 0.0}\n".encode())
            return result

        setattr(SimulatorPin, name, wrapped)

    wrap("_change_state")
    wrap("_set_function")


class MishapError(Exception):
    """What happens to a launcher in these tests."""


def _raise() -> None:
    raise MishapError("on purpose")


_loops: list[asyncio.AbstractEventLoop] = []


def _soon(callback: Callable[..., object], *given: object) -> None:
    _loops[0].call_soon_threadsafe(callback, *given)


_WAYS: dict[str, Callable[[], object]] = {
    "a thread dies": lambda: threading.Thread(target=_raise).start(),
    "a callback raises": lambda: _soon(_raise),
    "sys.exit in a callback": lambda: _soon(sys.exit, 3),
    "the loop is stopped": lambda: _soon(_loops[0].stop),
}


def command() -> None:
    """``dispenser …``, and the things that happen to it."""
    from dispenser.cli import main

    start = Service.start

    def noted(service: Service) -> None:
        _loops.append(asyncio.get_running_loop())
        start(service)

    Service.start = noted  # type: ignore[method-assign]

    def listen() -> None:
        for line in sys.stdin:
            _WAYS[line.strip()]()

    threading.Thread(target=listen, daemon=True).start()
    sys.argv[1:] = sys.argv[3:]
    dispenser.simulator.SimulatorParameters = lambda: SLOW  # type: ignore[assignment,misc]
    main()


def program(how: str, config: Path) -> None:
    """A program that does not stop what it has started."""

    async def body() -> None:
        service = simulated_launcher(load(config), seed="endings", parameters=SLOW)
        service.start()
        async with asyncio.timeout(LIMIT_S):
            while service.snapshot()["state"] != "ready":  # noqa: ASYNC110 - it may be so before we listen
                await asyncio.sleep(0.01)
        await service.handle(Eject(8))
        async for _ in service.events("launcher.card.left"):
            return

    if how == "asyncio.run ends":
        asyncio.run(body())
    else:  # the interpreter just ends
        asyncio.new_event_loop().run_until_complete(body())


if __name__ == "__main__":
    mirror(sys.argv[2])
    command() if sys.argv[1] == "cli" else program(sys.argv[1], Path(sys.argv[3]))
