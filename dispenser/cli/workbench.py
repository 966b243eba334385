"""A launcher on the workbench, in a terminal: its driver without a service, one key after the other, what to show."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dispenser.cli.failures import UNAVAILABLE, fail
from dispenser.cli.spoken import _
from dispenser.drivers.base import Driver, DriverError, DriverLost, PinsUnavailableError
from dispenser.launcher.messages import DriverFailed
from dispenser.launcher.settings import MachineSettings
from dispenser.maintenance.bench import Bench, Machine
from dispenser.maintenance.selftest import Launcher
from dispenser.system import signals

if TYPE_CHECKING:
    from dispenser.client import LauncherClient
    from dispenser.service.settings import Settings
    from dispenser.simulator import Toy, ToyEvent

REREAD_S = 1.0
"""How often the levels are read again, for edges that were missed."""
PAGE_S = 3.0
"""How long the page of a launcher that runs may take to answer, seconds."""
CARDS = 40
"""In the stack of a simulated launcher."""


class Workbench:
    """A driver that is open, and the machine that works on it. Use it inside a loop, as a context manager.

    :ivar toy: behind it, if it is simulated.
    :ivar on_toy: hears what an onlooker sees of it.
    :raises PinsUnavailableError: there are no pins, or a launcher has them.
    """

    def __init__(self, settings: Settings, *, simulated: bool, seed: str | None = None) -> None:
        self.settings = settings
        self._loop = asyncio.get_running_loop()
        self.toy: Toy | None = None
        self.on_toy: Callable[[ToyEvent], object] = lambda _: None
        self.driver = self._simulated(seed) if simulated else self._real()
        self.bench: Bench | None = None
        self._undo = ExitStack()

    def _real(self) -> Driver:
        from dispenser.drivers.kinds import kind_of

        kind = kind_of(self.settings.driver)
        return kind.make(self.settings, self._loop, kind.prepare())

    def _simulated(self, seed: str | None) -> Driver:
        from dispenser.drivers.gpio.driver import GpioDriver
        from dispenser.service.assembly import toy_seed, toy_wiring
        from dispenser.simulator import Toy, ToyFactory, ToyParameters

        factory = ToyFactory()
        self.toy = Toy(ToyParameters(), toy_wiring(self.settings), factory, seed=toy_seed(seed), cards=CARDS)
        self.toy.add_listener(self._toy_changed)
        return GpioDriver(self.settings.pins, factory, self._loop, timing=self.settings.timing)

    def _toy_changed(self, event: ToyEvent) -> None:
        """On the toy's thread."""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(lambda: self.on_toy(event))

    def __enter__(self) -> Workbench:
        with ExitStack() as undo:
            if self.toy is not None:
                undo.callback(self.toy.close)
            self.driver.open(self._hear, self._hear)
            undo.callback(self.driver.close)
            self._undo = undo.pop_all()
        self._watch()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._undo:
            if self.bench is not None:
                self.bench.close()

    def _hear(self, event: Any) -> None:
        if isinstance(event, DriverLost):
            event = DriverFailed(event.why)
        if self.bench is not None:
            self.bench.hear(event)

    def _watch(self) -> None:
        self._timer = self._loop.call_later(REREAD_S, self._watch)
        self.driver.reread()

    def launcher(self) -> Launcher:
        """What is on the bench.

        :raises DriverError: its levels cannot be read, or it is locked, which is told once: not in the midst of a step.
        """
        self.driver.levels()
        capabilities = self.driver.capabilities
        machine: MachineSettings = replace(
            self.settings.launcher, can_retract=capabilities.retract, has_exit_sensor=capabilities.exit_sensor
        )
        gpios = self.settings.pins.lines() if self.toy is not None or self.settings.driver.kind == "gpio" else None
        return Launcher(capabilities, machine, self.driver.levels, gpios)

    def put(self, machine: Machine, changed: Callable[[], object]) -> Bench:
        """Begin to work."""
        self.bench = Bench(machine, self.driver, self._loop, changed)
        self.bench.begin()
        return self.bench

    def motor_off(self) -> None:
        self.driver.stop()


@contextmanager
def keys(take: Callable[[str], object], ended: Callable[[], object]) -> Iterator[None]:
    """Inside, each key that is pressed goes to ``take``, at once and unseen; and each sign that a pipe brings.

    :param ended: nobody can press any more.
    """
    loop, fd = asyncio.get_running_loop(), sys.stdin.fileno()

    def read() -> None:
        try:
            typed = os.read(fd, 1024)
        except OSError:  # the terminal is gone, and we were told not to go with it
            typed = b""
        if not typed:
            loop.remove_reader(fd)
            ended()
        for sign in typed.decode(errors="ignore"):
            take(sign)

    with _unseen(fd):
        try:
            loop.add_reader(fd, read)
        except PermissionError:  # a file
            loop.call_soon(read)
            loop.call_soon(ended)
        try:
            yield
        finally:
            loop.remove_reader(fd)


@contextmanager
def _unseen(fd: int) -> Iterator[None]:
    """Keys come one by one, and are not shown."""
    if not os.isatty(fd):
        yield
        return
    import termios
    import tty

    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd)
        yield
    finally:
        with suppress(termios.error):  # it is gone
            termios.tcsetattr(fd, termios.TCSADRAIN, before)


def work(
    settings: Settings, job: Callable[[Workbench, asyncio.Future[int]], Any], *, simulated: bool, seed: str | None
) -> int:
    """Open the driver, begin the job, and wait until its future is done or a signal ends it; errors on one line.

    :returns: what the future says, or the number of the signal.
    """
    try:
        return asyncio.run(_work(settings, job, simulated=simulated, seed=seed))
    except PinsUnavailableError as error:
        fail(_where_the_service_does_it(settings) or error, UNAVAILABLE)
    except DriverError as error:
        fail(error, UNAVAILABLE)


def running_launcher(settings: Settings, language: str = "en") -> LauncherClient | None:
    """The launcher that runs by these settings and has the pins, if its page answers."""
    from dispenser.client import ApiError, LauncherClient, local_url

    web = settings.web
    if not web.enabled or web.port == 0:
        return None
    url = local_url(web.host, web.port)
    try:
        if LauncherClient(url, web.token, answer_s=PAGE_S).snapshot()["simulated"]:
            return None
    except ApiError:
        return None
    return LauncherClient(url, web.token, language=language)


def _where_the_service_does_it(settings: Settings) -> str:
    """That the service has the pins, if it answers, and its page for the same; else nothing."""
    running = running_launcher(settings)
    if running is None:
        return ""
    return _(
        "a launcher runs and has the pins: do this on its page, {url}/workshop; or end it first ('sudo systemctl stop "
        "dispenser'), and start it afterwards",
        url=running.url,
    )


async def _work(
    settings: Settings, job: Callable[[Workbench, asyncio.Future[int]], Any], *, simulated: bool, seed: str | None
) -> int:
    done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    with Workbench(settings, simulated=simulated, seed=seed) as workbench:
        signals.on_signal(lambda number: None if done.done() else done.set_result(number), workbench.motor_off)
        job(workbench, done)
        return await done
