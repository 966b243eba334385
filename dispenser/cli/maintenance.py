"""``dispenser selftest``, ``calibrate`` and ``manual``: on the running service, or on a driver opened here."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

import typer

from dispenser.cli.failures import (
    ENDED_BY,
    FOUND_WRONG,
    INTERNAL_ERROR,
    IO_ERROR,
    UNAVAILABLE,
    complain,
    fail,
)
from dispenser.cli.options import (
    ConfigOption,
    JsonOption,
    SeedOption,
    SimulatedOption,
)
from dispenser.cli.settings import load_settings
from dispenser.cli.spoken import _, in_words, language
from dispenser.cli.wizard import Screen, follow
from dispenser.i18n import SpokenError
from dispenser.system import signals

if TYPE_CHECKING:
    from collections.abc import Callable

    from dispenser.client import LauncherClient
    from dispenser.service.service import Service
    from dispenser.service.settings import Settings
    from dispenser.service.workshop import Workshop
    from dispenser.simulator import Simulator, SimulatorEvent

ANSWER_S = 3.0  # Timeout for detecting a running launcher, seconds
CARDS = 40  # Cards in a simulated launcher
_LID = "lid"
Kind = Literal["selftest", "calibrate", "manual"]


def selftest(
    config: ConfigOption = None,
    simulated: SimulatedOption = False,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """If the launcher is running, it runs the test itself and refuses presses meanwhile.

    Example: dispenser selftest --simulated
    """
    screen = Screen(err=as_json)
    code = _work(load_settings(config), "selftest", screen, simulated=simulated, seed=seed, as_json=as_json)
    passed = screen.complete and not screen.wrong
    if as_json:
        keys = ("check", "status", "text", "remedy")
        findings = [{key: each[key] for key in keys} for each in screen.seen["wizard"]["findings"]]
        typer.echo(json.dumps({"passed": passed, "findings": findings}, indent=2, ensure_ascii=False))
    else:
        screen.report()
    raise typer.Exit(code or (0 if passed else FOUND_WRONG))


def calibrate(
    config: ConfigOption = None,
    simulated: SimulatedOption = False,
    seed: SeedOption = None,
    anew: Annotated[bool, typer.Option("--anew", help="Ignore earlier measurements; measure all again.")] = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Undo the last calibration's settings; again: those of the one before.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Stop whenever you like: what was measured is kept beside the journal, and the next time goes on there. Of a
    simulated launcher nothing is kept or written, unless you name a settings file that has a journal of its own.

    Example: sudo dispenser calibrate
    """

    settings = load_settings(config)
    keeps = not simulated or (config is not None and bool(settings.journal.path))
    if undo:
        _undo(settings)
    screen = Screen(err=as_json)
    options = {"simulated": simulated, "as_json": as_json, "anew": anew}
    code = _work(settings, "calibrate", screen, seed=seed, keeps=keeps, **options)
    if as_json:
        _print_calibration(screen.seen)
    if not screen.complete:
        kept = _("Stopped. The measurements are kept: the same command continues.")
        typer.echo(kept if keeps else _("Stopped before the end."), err=as_json)
    well = screen.complete and not screen.wrong and not screen.seen["trouble"]
    raise typer.Exit(code or (0 if well else FOUND_WRONG))


def _print_calibration(seen: dict[str, Any]) -> None:
    keys = ("name", "number", "least", "median", "most")
    measured = [{key: row[key] for key in keys} for row in seen["figures"]]
    accepted = any((each["check"], each["status"]) == ("settings", "good") for each in seen["wizard"]["findings"])
    typer.echo(json.dumps({"measured_ms": measured, "proposals": seen["proposals"], "accepted": accepted}))


def _undo(settings: Settings) -> NoReturn:
    from dispenser.service.calibration import CalibrationRecord

    record = CalibrationRecord(settings)
    if not record.can_take_back:
        fail(_("nothing to undo: no calibration has written settings"), FOUND_WRONG)
    typer.echo(in_words(record.take_back()))
    raise typer.Exit


def manual(
    config: ConfigOption = None,
    simulated: SimulatedOption = False,
    seed: SeedOption = None,
) -> None:
    """A tap feeds one card; a held key feeds card after card. The motor stays off while the lid is open.

    Example: dispenser manual --simulated
    """
    raise typer.Exit(_work(load_settings(config), "manual", Screen(), simulated=simulated, seed=seed))


def _work(
    settings: Settings,
    kind: Kind,
    screen: Screen,
    *,
    simulated: bool,
    seed: str | None,
    as_json: bool = False,
    keeps: bool = False,
    anew: bool = False,
) -> int:
    """Open a workshop, show it until its end, and close it; errors are printed on one line.

    :param keeps: whether a calibration stores its measurements and writes settings.
    :returns: the exit code after a signal or an internal error; else 0.
    """
    from dispenser.service.calibration import CalibrationError

    tongue = "en" if as_json else language()
    client = None if simulated else running_launcher(settings, tongue)

    async def in_process() -> int:
        from dispenser.service.assembly import IN_MEMORY, launcher, simulated_launcher

        if simulated:
            service = simulated_launcher(settings, seed=seed, cards=CARDS)
        else:
            service = launcher(settings, journal=IN_MEMORY)
        service.keeps_calibrations = keeps
        return await _in_process(service, kind, screen, tongue, anew=anew)

    try:
        return asyncio.run(_over_http(client, kind, screen, anew=anew) if client else in_process())
    except SpokenError as error:
        fail(error, IO_ERROR if isinstance(error.__cause__, CalibrationError) else UNAVAILABLE)


async def _over_http(client: LauncherClient, kind: Kind, screen: Screen, *, anew: bool) -> int:
    typer.echo(_("The running launcher does this; {url}/workshop shows the same.", url=client.url), err=True)
    done = _ended_by_signal(lambda: None)
    await asyncio.to_thread(client.post, "/workshop/open", kind=kind)
    try:
        await follow(_OverHttp(client), screen, done, anew=anew)
    finally:
        await asyncio.to_thread(client.post, "/workshop/close")
    return done.result() if done.done() else 0


async def _in_process(service: Service, kind: Kind, screen: Screen, tongue: str, *, anew: bool) -> int:
    from dispenser.launcher.messages import StateChanged

    done = _ended_by_signal(service.motor_off)
    with signals.on_thread_error(service.thread_failed):
        async with service:
            await anext(service.events(StateChanged.type))  # the launcher is on
            workshop = _InProcess(service.open_workshop(kind), service.simulator, tongue)
            if service.simulator is not None:
                service.simulator.add_listener(_onlooker(screen))
            service.crashed.add_done_callback(lambda _: None if done.done() else done.set_result(INTERNAL_ERROR))
            await follow(workshop, screen, done, anew=anew)
            if service.session is None:
                complain(in_words(service.why_not))
    return done.result() if done.done() else 0


def _ended_by_signal(motor_off: Callable[[], object]) -> asyncio.Future[int]:
    """Return a future that a signal completes with an exit code."""
    done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    signals.on_signal(lambda number: None if done.done() else done.set_result(ENDED_BY + number), motor_off)
    return done


class _OverHttp:
    """The workshop of a running launcher."""

    def __init__(self, client: LauncherClient) -> None:
        self._client = client

    async def look(self, number: int | None) -> dict[str, Any]:
        seen = "" if number is None else f"?number={number}"
        return await asyncio.to_thread(self._client.get, f"/workshop{seen}")

    async def send(self, word: str) -> None:
        await asyncio.to_thread(self._client.post, "/workshop/answer", answer=word)


class _InProcess:
    """The workshop of a service in this process; if it is simulated, a key moves the lid."""

    def __init__(self, workshop: Workshop, simulator: Simulator | None, language: str) -> None:
        self._workshop, self._simulator, self._language = workshop, simulator, language

    async def look(self, number: int | None) -> dict[str, Any]:
        seen = await self._workshop.look(number, self._language)
        if self._simulator is not None and "acts" in seen:
            seen["acts"].append({"answer": _LID, "label": _("[x] lid of the simulated launcher")})
        return seen

    async def send(self, word: str) -> None:
        if word == _LID and self._simulator is not None:
            (self._simulator.close_lid if self._simulator.view().lid_open else self._simulator.open_lid)()
        else:
            self._workshop.answer(word)


def _onlooker(screen: Screen) -> Callable[[SimulatorEvent], None]:
    """Return a listener for the simulator (called on its thread) that prints what a person would see."""
    loop = asyncio.get_running_loop()

    def on_event(event: SimulatorEvent) -> None:
        if words := seen_on_simulator(event):
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(screen.onlooker, words)

    return on_event


def seen_on_simulator(event: SimulatorEvent) -> str:
    """Return what a person would see of a simulator's event; empty for events that are not printed."""
    value = event.value
    match event.happening.value:
        case "motor":
            moving = _("the motor turns forward") if value == 1 else _("the motor turns backward")
            return moving if value else _("the motor stops")
        case "tone" if value is not None:
            return _("a beep of {hertz:.0f} Hz", hertz=value)
        case "card_left":
            return _("{number} card leaves", plural="{number} cards leave", number=value)
    return ""


def running_launcher(settings: Settings, language: str = "en") -> LauncherClient | None:
    """Return a client of the launcher that runs with these settings, if it is real and its page answers."""
    from dispenser.client import ApiError, LauncherClient, local_url

    web = settings.web
    if not web.enabled or web.port == 0:
        return None
    url = local_url(web.host, web.port)
    try:
        if LauncherClient(url, web.token, answer_s=ANSWER_S).snapshot()["simulated"]:
            return None
    except ApiError:
        return None
    return LauncherClient(url, web.token, language=language)
