"""``dispenser run`` and ``dispenser demo``: run the service until a signal ends it."""

from __future__ import annotations

import asyncio
import faulthandler
import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import urlsplit

import typer

from dispenser.cli.failures import ENDED_BY, INTERNAL_ERROR, UNAVAILABLE, USAGE, fail, print_nowhere
from dispenser.cli.options import (
    MOST_CARDS,
    BaudOption,
    BrowserOption,
    ConfigOption,
    DriverOption,
    LanOption,
    LidOpenOption,
    PagePortOption,
    SeedOption,
    SerialPortOption,
    StackOption,
)
from dispenser.cli.settings import load_settings, with_driver, with_page
from dispenser.cli.spoken import _, language
from dispenser.i18n import SpokenError, recalled, said
from dispenser.service.settings import MqttSettings
from dispenser.system import power, signals, systemd

if TYPE_CHECKING:
    from dispenser.journal import Record
    from dispenser.service.service import Service
    from dispenser.service.settings import Settings, WebSettings

END_S = 10.0  # Timeout for closing the page and the MQTT connection, seconds
ALL_COMMANDS: Final = ("press", "eject", "load", "reset")  # Allowed by MQTT in a demo
DEMO_ID = "demo"  # MQTT id of a simulated launcher
Opened = Callable[[str], None]  # Callback with the page's address


def run(
    config: ConfigOption = None,
    driver: DriverOption = None,
    serial_port: SerialPortOption = None,
    baud: BaudOption = None,
    web: Annotated[
        bool | None, typer.Option("--web/--no-web", help="Serve the page; else as the settings say.")
    ] = None,
) -> None:
    """Without such hardware it exits with an error; it never simulates.

    Example: dispenser run --driver serial
    """
    settings = with_driver(load_settings(config), driver, serial_port, baud)

    def build() -> Service:
        from dispenser.service.assembly import launcher

        service = launcher(settings)
        service.power = power.switch()
        if settings.computer.off_by_button:
            from dispenser.service.held_button import HeldButton

            HeldButton(service)
        service.keeps_calibrations = True
        if service.driver.about:
            _say(said(service.driver.about, language()))
        return service

    with_web = settings.web.enabled if web is None else web
    _serve(build, settings, web=with_web)


def demo(
    config: ConfigOption = None,
    port: PagePortOption = None,
    journal: Annotated[
        Path | None, typer.Option(help="Keep the journal in this file (else it is lost when the demo ends).")
    ] = None,
    seed: SeedOption = None,
    cards: StackOption = MOST_CARDS,
    lid_open: LidOpenOption = False,
    lan: LanOption = None,
    browser: BrowserOption = True,
    mqtt: Annotated[
        bool, typer.Option("--mqtt", help="Publish to the MQTT broker on this machine; start Mosquitto if none runs.")
    ] = False,
) -> None:
    """Example: dispenser demo --lan"""
    import tempfile

    settings = with_page(load_settings(config), port=port, lan=lan)
    if not mqtt:
        settings = replace(settings, mqtt=MqttSettings())
    journal = None if journal is None else journal.expanduser()
    if journal is not None and journal.is_dir():
        fail(_("--journal {file}: that is a folder; name a file", file=journal), USAGE)
    if journal is not None and not journal.absolute().parent.is_dir():
        fail(_("--journal {file}: there is no such folder; make it, or name another", file=journal), USAGE)
    if journal is not None and journal.is_file():
        _refuse_other_file(journal)

    def build() -> Service:
        from dispenser.service.assembly import simulated_launcher
        from dispenser.service.auto_operator import AutoOperator

        service = simulated_launcher(settings, journal=kept, seed=seed, cards=cards, lid_open=lid_open)
        AutoOperator(service, MOST_CARDS)
        return service

    def open_page(address: str) -> None:
        if not browser:
            return
        import threading
        import webbrowser

        # On a separate thread: a text-mode browser would block the launcher until it is closed.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    with tempfile.TemporaryDirectory(prefix="dispenser-demo-") as folder, ExitStack() as stack:
        if mqtt:
            from dispenser.mqtt.local_broker import join

            broker, started = stack.enter_context(join(settings.mqtt))
            settings = replace(settings, mqtt=replace(broker, commands=ALL_COMMANDS))
            about = {"broker": f"{broker.host}:{broker.broker_port}", "topic": f"{broker.topic}/{DEMO_ID}"}
            if started:
                _say(_("Mosquitto was started; it ends with the demo."))
            _say(_("MQTT: broker {broker}, topics begin with {topic}", **about))
            _say(_("Allowed by MQTT: {commands}", commands=", ".join(ALL_COMMANDS)))
        # Not in memory: reading old records on another thread needs a file.
        kept = journal or Path(folder) / "journal.sqlite3"
        _serve(build, settings, open_page, web=True, mqtt_id=DEMO_ID)


def _refuse_other_file(journal: Path) -> None:
    """End a demo that was given a file of another program: to wait, as a launcher with a journal does, is useless."""
    from dispenser.journal import Journal, JournalFormatError, JournalMissingError, NotAJournalError

    try:
        Journal.read_only(journal).close()
    except JournalMissingError:  # the file is empty
        return
    except (JournalFormatError, NotAJournalError) as error:
        fail(error, USAGE)


def _serve(
    build: Callable[[], Service], settings: Settings, opened: Opened = lambda _: None, *, web: bool, mqtt_id: str = ""
) -> None:
    """Build the service inside an event loop and run it until a signal; errors are printed on one line.

    :param web: whether to serve the page.
    :param mqtt_id: the launcher's id in MQTT topics; empty for the default.
    :raises Exit: with 128 plus the signal's number.
    """
    faulthandler.enable(2)  # on a fatal error or the watchdog's SIGABRT, print the stack of each thread
    logging.basicConfig(level=logging.WARNING, format="dispenser: %(message)s")
    try:
        code = asyncio.run(_until_ended(build, settings, opened, web=web, mqtt_id=mqtt_id))
    except SpokenError as error:  # no pins, or the page's address is not available
        fail(error, UNAVAILABLE)
    raise typer.Exit(code)


async def _until_ended(
    build: Callable[[], Service], settings: Settings, opened: Opened, *, web: bool, mqtt_id: str
) -> int:
    """Run the service; return the exit code, that of the signal or of an internal error."""
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    service = build()
    signals.on_signal(lambda number: None if ended.done() else ended.set_result(number), service.motor_off)
    with signals.on_thread_error(service.thread_failed):
        async with service:
            notifier = systemd.ReadyNotifier(service, lambda: service.why_not[language()])
            service.on_alive = notifier.alive
            await _first(ended, service.crashed, asyncio.create_task(notifier.known.wait()))
            waiting: list[asyncio.Future[Any]] = [ended, service.crashed]
            if web:
                waiting.append(asyncio.create_task(_serve_page(service, settings.web, opened)))
            else:
                _say_ready(service)
                service.on("launcher.state.changed", _say_fault)
            if settings.mqtt.host:
                waiting.append(asyncio.create_task(_publish(service, settings, mqtt_id, web=web)))
            done, _unused = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            systemd.notify("STOPPING=1")
            await service.stop()  # before the page, so that its subscribers get the last records
            for each in waiting:
                each.cancel()
            await asyncio.wait(waiting, timeout=END_S)  # asyncio.run cancels what has not ended by then
            for each in done:
                each.result()
    if service.crashed in done:
        return INTERNAL_ERROR
    return ENDED_BY + int(ended.result()) if ended in done else 0


async def _first(*futures: asyncio.Future[Any]) -> None:
    """Wait for the first of these futures; then cancel the last one, which only this call uses."""
    await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
    futures[-1].cancel()


async def _serve_page(service: Service, web: WebSettings, opened: Opened) -> None:
    """Serve the page. The import, seconds on a small Pi, runs on another thread once the launcher is ready."""
    server = await asyncio.to_thread(import_module, "dispenser.web.server")
    doors = systemd.inherited_sockets() if web.is_open else ()
    from dispenser.system.hotspot import on_air
    from dispenser.web.addresses import local_name, look_up_names

    name = await asyncio.to_thread(local_name) if web.lan else ""

    def ready(address: str) -> None:
        _say_ready(service)
        _say(_("Page: {address}", address=address))
        if web.lan:
            _say_where(web, address, name)
        opened(address)

    await server.serve(service, web, ready=ready, doors=doors, own_wifi=on_air, look_up_names=look_up_names)


async def _publish(service: Service, settings: Settings, id_: str, *, web: bool) -> None:
    """Publish by MQTT. The MQTT library is imported on another thread, too."""
    publisher = await asyncio.to_thread(import_module, "dispenser.mqtt.publisher")
    page = ""
    if web and settings.web.is_open:
        from dispenser.web.addresses import for_phones, local_name

        ways = for_phones(settings.web, await asyncio.to_thread(local_name))
        page = ways[0].url(settings.web.port) if ways else ""
    await publisher.publish(service, settings.mqtt, settings.journal_path().parent, id_=id_, page=page)


def _say_where(web: WebSettings, address: str, local_name: str) -> None:
    """Print the addresses that people type on phones."""
    from dispenser.web.addresses import USUAL_PORT, for_phones

    port = urlsplit(address).port or USUAL_PORT
    ways = [each.url(port) for each in for_phones(web, local_name)]
    if ways:
        _say(_("For phones: {addresses}", addresses=", ".join(ways)))
    else:
        _say(_("No phone can reach this machine: it is in no network."), err=True)


def _say(text: str, *, err: bool = False) -> None:
    """Print a text. A closed terminal or pipe must not stop the launcher."""
    try:
        typer.echo(text, err=err)
    except OSError:
        print_nowhere(2 if err else 1)


def _say_fault(record: Record) -> None:
    """Print the beginning and the end of a fault, if there is no page that shows them."""
    if record.data["new"] == "fault":
        _say(_("The launcher is NOT ready: {detail} 'dispenser reset' resets.", detail=recalled(record.data)), err=True)
    elif record.data["old"] == "fault":
        from dispenser.cli.sentences import texts  # not at the first press

        _say(_("The fault is over: {state}.", state=texts()["state"][record.data["new"]]))


def _say_ready(service: Service) -> None:
    """Print the state and the commitment; without a journal the service runs, but the launcher is in fault."""
    service.on("fairness.revealed", lambda record: _say(_("The seed was {seed}.", seed=record.data["seed"])))
    known = service.snapshot(language())
    if known["state"] == "fault":
        _say(_("The launcher is NOT ready, and tries again: {detail}", detail=known["detail"]), err=True)
    else:
        _say(_("The launcher is ready. Stop it with Ctrl-C."))
        _say(_("SHA-256 of its secret seed, which is shown at the end: {sha}", sha=known["commitment"]))
