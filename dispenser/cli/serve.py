"""``dispenser run`` and ``dispenser demo``: the service until somebody ends it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.failures import UNAVAILABLE, fail
from dispenser.cli.settings import BaudOption, ConfigOption, DriverOption, PortOption, load_settings, with_driver

if TYPE_CHECKING:
    from dispenser.config import Settings, WebSettings
    from dispenser.journal import Entry
    from dispenser.service import Service


def run(
    config: ConfigOption = None,
    driver: DriverOption = None,
    port: PortOption = None,
    baud: BaudOption = None,
    web: Annotated[
        bool | None, typer.Option("--web/--no-web", help="Serve the page; else as the settings say.")
    ] = None,
) -> None:
    """Run the launcher on this machine's GPIO pins or on a microcontroller. Without, it stops; it never simulates."""
    settings = with_driver(load_settings(config), driver, port, baud)

    def build() -> Service:
        from dispenser.assembly import launcher

        service = launcher(settings, on_alive=_tell_watchdog)
        if settings.driver.kind == "serial":
            _say_device(service)
        return service

    _serve(build, settings, with_web=settings.web.enabled if web is None else web, opened=lambda _: None)


def demo(
    config: ConfigOption = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port of the page; 0 takes a free one.")] = None,
    journal: Annotated[Path | None, typer.Option(help="Keep the journal in this file; else it is forgotten.")] = None,
    seed: Annotated[str | None, typer.Option(help="A word that makes luck and physics repeat.")] = None,
    cards: Annotated[int, typer.Option(min=0, max=112, help="Cards in the stack.")] = 112,
    lid_open: Annotated[bool, typer.Option("--lid-open", help="Start with the lid up.")] = False,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
) -> None:
    """Run a simulated launcher: the same code on mock pins, with a launcher in software behind them."""
    settings = load_settings(config)

    def build() -> Service:
        from dispenser.assembly import IN_MEMORY, simulated_launcher

        return simulated_launcher(settings, journal=journal or IN_MEMORY, seed=seed, cards=cards, lid_open=lid_open)

    def open_page(address: str) -> None:
        import threading
        import webbrowser

        if browser:  # on a thread of its own: a browser in the terminal would hold up the launcher until it is closed
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    if port is not None:
        import dataclasses

        settings = dataclasses.replace(settings, web=dataclasses.replace(settings.web, port=port))
    _serve(build, settings, with_web=True, opened=open_page)


def _say_device(service: Service) -> None:
    """Which firmware is at the other end of the serial line."""
    from dispenser.drivers.greeting import describe
    from dispenser.drivers.serial import SerialDriver

    if isinstance(service.driver, SerialDriver):
        typer.echo(f"Firmware of the microcontroller: {describe(service.driver.device)}")


def _tell_watchdog() -> None:
    """Trouble with systemd is no reason to stop a burst: it restarts us if it no longer hears of us."""
    import logging

    from dispenser import systemd

    try:
        systemd.notify("WATCHDOG=1")
    except OSError as error:
        logging.getLogger(__name__).warning("systemd's watchdog cannot be told that all is well: %s", error)


def _serve(build: Callable[[], Service], settings: Settings, *, with_web: bool, opened: Callable[[str], None]) -> None:
    """Build the service inside a loop and serve until SIGTERM or SIGINT; errors on one line."""
    import logging

    from dispenser.drivers.base import PinsUnavailableError

    logging.basicConfig(level=logging.WARNING, format="dispenser: %(message)s")
    try:
        asyncio.run(_until_told(build, settings.web if with_web else None, opened))
    except PinsUnavailableError as error:
        fail(error, UNAVAILABLE)
    except OSError as error:
        if with_web and _address_error(error):
            fail(error, UNAVAILABLE)
        raise


def _address_error(error: OSError) -> bool:
    from dispenser.web.server import AddressUnavailableError

    return isinstance(error, AddressUnavailableError)


async def _until_told(build: Callable[[], Service], web: WebSettings | None, opened: Callable[[str], None]) -> None:
    import signal

    from dispenser import systemd

    told = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, told.set)
    async with build() as service:
        systemd.notify("READY=1")
        service.on("fairness.revealed", lambda entry: typer.echo(f"The seed was {entry.data['seed']}"))
        if web is None:
            _say_ready(service)
            service.on("launcher.state.changed", _say_fault)
        tasks: list[asyncio.Task[object]] = [asyncio.create_task(told.wait())]
        if web is not None:
            tasks.append(asyncio.create_task(_serve_page(service, web, opened)))
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        systemd.notify("STOPPING=1")
        await service.stop()  # before the page, so that whoever watches it hears the last entries
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        for task in done:
            task.result()


async def _serve_page(service: Service, web: WebSettings, opened: Callable[[str], None]) -> None:
    """The web is imported on another thread, after the launcher is ready: it takes seconds on a small Pi."""
    from importlib import import_module

    server = await asyncio.to_thread(import_module, "dispenser.web.server")

    def ready(address: str) -> None:
        _say_ready(service)
        typer.echo(f"Page: {address}")
        opened(address)

    await server.serve(service, web, ready=ready)


def _say_fault(entry: Entry) -> None:
    """Without a page, the terminal is where somebody looks."""
    if entry.data["new"] == "fault":
        typer.echo(f"The launcher is NOT ready: {entry.data['detail']} 'dispenser reset' resets.", err=True)
    elif entry.data["old"] == "fault":
        typer.echo(f"The fault is over: {entry.data['new']}.")


def _say_ready(service: Service) -> None:
    """How it is, in the terminal; a launcher without its journal is up, but not ready."""
    known = service.snapshot()
    if known["state"] == "fault":
        typer.echo(f"The launcher is NOT ready, and tries again: {known['detail']}", err=True)
    else:
        typer.echo("The launcher is ready. Stop it with Ctrl-C.")
        typer.echo(f"SHA-256 of its secret seed, which is shown at the end: {known['commitment']}")
