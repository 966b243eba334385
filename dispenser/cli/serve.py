"""``dispenser run`` and ``dispenser demo``: the service until somebody ends it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.failures import ENDED_BY, UNAVAILABLE, USAGE, fail
from dispenser.cli.options import (
    MOST_CARDS,
    BaudOption,
    BrowserOption,
    ConfigOption,
    DriverOption,
    LidOpenOption,
    PagePortOption,
    SeedOption,
    SerialPortOption,
    StackOption,
)
from dispenser.cli.settings import load_settings, with_driver, with_page_port
from dispenser.cli.spoken import _

if TYPE_CHECKING:
    from dispenser.host.holders import Holders
    from dispenser.journal import Entry
    from dispenser.service.service import Service
    from dispenser.service.settings import Settings, WebSettings


HOLDERS_VARIABLE = "DISPENSER_HOLDERS"
"""In the environment: see ``dispenser.host.holders``."""


def run(
    config: ConfigOption = None,
    driver: DriverOption = None,
    serial_port: SerialPortOption = None,
    baud: BaudOption = None,
    web: Annotated[
        bool | None, typer.Option("--web/--no-web", help="Serve the page; else as the settings say.")
    ] = None,
) -> None:
    """Run the launcher on this machine's GPIO pins or on a microcontroller. Without, it stops; it never simulates."""
    from dispenser.drivers.kinds import kind_of

    settings = with_driver(load_settings(config), driver, serial_port, baud)
    prepared = kind_of(settings.driver).prepare()

    def build() -> Service:
        from dispenser.service.assembly import launcher

        service = launcher(settings, prepared=prepared)
        if service.driver.about:
            _say(service.driver.about)
        return service

    _serve(build, settings, with_web=settings.web.enabled if web is None else web, opened=lambda _: None)


def demo(
    config: ConfigOption = None,
    port: PagePortOption = None,
    journal: Annotated[Path | None, typer.Option(help="Keep the journal in this file; else it is forgotten.")] = None,
    seed: SeedOption = None,
    cards: StackOption = MOST_CARDS,
    lid_open: LidOpenOption = False,
    browser: BrowserOption = True,
) -> None:
    """Run a simulated launcher: the same code on mock pins, with a launcher in software behind them."""
    import tempfile

    settings = with_page_port(load_settings(config), port)
    if journal is not None and not journal.expanduser().absolute().parent.is_dir():
        fail(_("--journal {file}: there is no such folder; make it, or name another", file=journal), USAGE)

    def build() -> Service:
        from dispenser.service.assembly import simulated_launcher

        return simulated_launcher(settings, journal=kept, seed=seed, cards=cards, lid_open=lid_open)

    def open_page(address: str) -> None:
        import threading
        import webbrowser

        if browser:  # on a thread of its own: a browser in the terminal would hold up the launcher until it is closed
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    with tempfile.TemporaryDirectory(prefix="dispenser-demo-") as folder:
        # Not in memory: old entries are read on another thread, which needs a file.
        kept = journal or Path(folder) / "journal.sqlite3"
        _serve(build, settings, with_web=True, opened=open_page)


def _say(text: str, *, err: bool = False) -> None:
    """Tell the terminal. That it is closed, or that nobody reads, is no reason to stop a launcher."""
    try:
        typer.echo(text, err=err)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2 if err else 1)  # what is left over goes there, too, without a word
        os.close(nowhere)


def _tell_watchdog() -> None:
    """Trouble with systemd is no reason to stop a burst: it restarts us if it no longer hears of us."""
    import logging

    from dispenser.host import systemd

    try:
        systemd.notify("WATCHDOG=1")
    except OSError as error:
        logging.getLogger(__name__).warning("systemd's watchdog cannot be told that all is well: %s", error)


def _serve(build: Callable[[], Service], settings: Settings, *, with_web: bool, opened: Callable[[str], None]) -> None:
    """Build the service inside a loop and serve until a signal ends it; errors on one line.

    :raises Exit: with the code that a shell knows the signal by.
    """
    import gc
    import logging

    from dispenser.drivers.base import PinsUnavailableError
    from dispenser.host import calm

    gc.disable()  # see host/calm.py; until the launcher is ready there is no garbage worth a halt
    logging.basicConfig(level=logging.WARNING, format="dispenser: %(message)s")
    try:
        with _holders() as watch:
            number = asyncio.run(_until_told(build, settings.web if with_web else None, opened, watch))
    except PinsUnavailableError as error:
        fail(error, UNAVAILABLE)
    except OSError as error:
        if with_web and _address_error(error):
            fail(error, UNAVAILABLE)
        raise
    finally:
        calm.end()
    raise typer.Exit(ENDED_BY + number if number else 0)


@contextmanager
def _holders() -> Iterator[Holders | None]:
    """Whoever holds up the loop is named at the end, if somebody asked for that."""
    if not os.environ.get(HOLDERS_VARIABLE):
        yield None
        return
    from dispenser.host.holders import said_at_the_end

    with said_at_the_end(_say) as watch:
        yield watch


def _address_error(error: OSError) -> bool:
    from dispenser.web.server import AddressUnavailableError

    return isinstance(error, AddressUnavailableError)


async def _until_told(
    build: Callable[[], Service], web: WebSettings | None, opened: Callable[[str], None], watch: Holders | None
) -> int:
    """Serve.

    :returns: the number of the signal that ended it, 0 if none did.
    """
    from dispenser.host import calm, endings, systemd

    told = asyncio.Event()
    signals: list[int] = []

    def end(number: int) -> None:
        signals.append(number)
        told.set()

    service = build()
    endings.on_signal(end, service.motor_off)
    with endings.threads_watched(service.thread_failed):
        async with service:
            systemd.notify("READY=1")
            if watch is not None:
                watch.motor_may_turn = lambda: service.motor_may_turn
            calm.begin()
            service.on_alive = lambda: _once_a_second(service)
            await _serve_until(told, service, web, opened)
    return signals[0] if signals else 0


def _once_a_second(service: Service) -> None:
    from dispenser.host import calm

    _tell_watchdog()
    calm.tidy(resting=not service.motor_may_turn)


async def _serve_until(
    told: asyncio.Event, service: Service, web: WebSettings | None, opened: Callable[[str], None]
) -> None:
    from dispenser.host import systemd

    service.on("fairness.revealed", lambda entry: _say(_("The seed was {seed}.", seed=entry.data["seed"])))
    if web is None:
        _say_ready(service)
        service.on("launcher.state.changed", _say_fault)
    tasks: list[asyncio.Task[object]] = [asyncio.create_task(told.wait())]
    if web is not None:
        tasks.append(asyncio.create_task(_serve_page(told, service, web, opened)))
    done, _unused = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    systemd.notify("STOPPING=1")
    await service.stop()  # before the page, so that whoever watches it hears the last entries
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    for task in done:
        task.result()


async def _serve_page(told: asyncio.Event, service: Service, web: WebSettings, opened: Callable[[str], None]) -> None:
    """The web is imported on another thread, after the launcher is ready: it takes seconds on a small Pi."""
    from dispenser.host.calm import import_at_rest

    server = await asyncio.to_thread(
        import_at_rest, "dispenser.web.server", lambda: service.motor_may_turn, lambda: not told.is_set()
    )

    def ready(address: str) -> None:
        _say_ready(service)
        _say(_("Page: {address}", address=address))
        opened(address)

    await server.serve(service, web, ready=ready)


def _say_fault(entry: Entry) -> None:
    """Without a page, the terminal is where somebody looks."""
    from dispenser.cli.sentences import texts

    if entry.data["new"] == "fault":
        _say(_("The launcher is NOT ready: {detail} 'dispenser reset' resets.", detail=entry.data["detail"]), err=True)
    elif entry.data["old"] == "fault":
        _say(_("The fault is over: {state}.", state=texts()["state"][entry.data["new"]]))


def _say_ready(service: Service) -> None:
    """How it is, in the terminal; a launcher without its journal is up, but not ready."""
    known = service.snapshot()
    if known["state"] == "fault":
        _say(_("The launcher is NOT ready, and tries again: {detail}", detail=known["detail"]), err=True)
    else:
        _say(_("The launcher is ready. Stop it with Ctrl-C."))
        _say(_("SHA-256 of its secret seed, which is shown at the end: {sha}", sha=known["commitment"]))
