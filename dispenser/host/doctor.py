"""Looks over everything a launcher needs on this machine, and moves nothing: no output pin is ever driven."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dispenser.client import ApiError, LauncherClient, NotALauncherError, UnreachableError, local_url
from dispenser.config import ConfigError, DriverSettings, Settings, find_config, load
from dispenser.drivers.base import PinsUnavailableError
from dispenser.drivers.pins.factory import open_pin_factory, pin_errors
from dispenser.drivers.pins.wiring import GpioWiring
from dispenser.host.doctor_serial import look_at_microcontroller
from dispenser.host.findings import Finding, Status
from dispenser.journal import DAMAGED, Journal, JournalError, JournalMissingError
from dispenser.journal.check import JournalCheck
from dispenser.journal.damage import put_aside_before
from dispenser.journal.errors import MIN_FREE_BYTES
from dispenser.journal.lock import writer_of
from dispenser.launcher.messages import AWAITING_A_PERSON, State

if TYPE_CHECKING:
    from dispenser.drivers.wire.link import Link

OLDEST_PYTHON = (3, 11)
UNIT = "dispenser.service"
LITTLE_ROOM_BYTES = 100 << 20
"""Below this much room the doctor speaks up (assumed: some hundred evenings fit into it)."""
ANSWER_S = 3.0
"""How long the page on this machine may take to answer, seconds."""
_UNIT_PROPERTIES = ("LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "ExecMainStatus")
_GUIDE = "the build guide, hardware/README.md, tells how"


def pi_model() -> str | None:
    """Such as ``Raspberry Pi 4 Model B Rev 1.4``; ``None`` on other computers."""
    try:
        model = Path("/proc/device-tree/model").read_text(encoding="ascii", errors="replace").strip("\0")
    except OSError:
        return None
    return model if "Raspberry Pi" in model else None


def outputs_persist() -> bool | None:
    """Whether this kernel keeps an output's level when its program dies; ``None`` where it does not say."""
    for parameter in Path("/sys/module").glob("pinctrl_*/parameters/persist_gpio_outputs"):
        with suppress(OSError):
            return parameter.read_text(encoding="ascii").strip() == "Y"
    return None


def unit_properties() -> dict[str, str] | None:
    """What systemd knows of our unit; ``None`` where systemd does not run."""
    systemctl = shutil.which("systemctl")
    if systemctl is None or not Path("/run/systemd/system").is_dir():
        return None
    command = [systemctl, "show", UNIT, f"--property={','.join(_UNIT_PROPERTIES)}"]
    try:
        shown = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None
    return dict(line.partition("=")[::2] for line in shown.splitlines())


def snapshot(url: str, token: str | None) -> dict[str, Any]:
    """What a launcher at this address says of itself.

    :raises ApiError: no launcher answers.
    """
    return LauncherClient(url, token, answer_s=ANSWER_S).snapshot()


def serial_link(driver: DriverSettings) -> Link:
    """The line to the microcontroller, not open yet."""
    from dispenser.drivers.wire.link import SerialLink

    return SerialLink(driver.port, driver.baud)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The machine, as far as the doctor asks it; a test brings its own."""

    python: tuple[int, ...] = sys.version_info[:3]
    pi_model: Callable[[], str | None] = pi_model
    outputs_persist: Callable[[], bool | None] = outputs_persist
    open_pin_factory: Callable[[str], Any] = open_pin_factory
    link: Callable[[DriverSettings], Link] = serial_link
    unit_properties: Callable[[], Mapping[str, str] | None] = unit_properties
    snapshot: Callable[[str, str | None], dict[str, Any]] = snapshot


def examine(
    config: Path | None = None,
    surroundings: Surroundings | None = None,
    change: Callable[[Settings], Settings] = lambda settings: settings,
) -> Iterator[Finding]:
    """One finding after the other, as they are made.

    :param change: what the command line says besides the settings.
    """
    here = surroundings or Surroundings()
    yield _python(here.python)
    unit = here.unit_properties()
    try:
        settings = change(load(config))
    except ConfigError as error:
        yield Finding("settings", Status.WRONG, str(error), "put that right first: most of the rest depends on it")
        yield _systemd(unit)
        return
    found = find_config(config)
    yield Finding("settings", Status.GOOD, str(found) if found else "no file, so the defaults are in force")
    page = _Page(settings, here)
    journal = settings.journal_path().absolute()
    writer = writer_of(journal)
    runs = writer is not None or page.on_pins or (unit is not None and unit.get("ActiveState") == "active")
    if settings.driver.kind == "serial":
        yield from look_at_microcontroller(settings.driver, here.link, runs=runs)
    else:
        yield from _pins(settings, here, runs=runs)
    yield _disk(journal)
    yield _journal(journal)
    yield page.finding(writer, runs=runs)
    yield _systemd(unit)


def _python(version: tuple[int, ...]) -> Finding:
    text = ".".join(map(str, version))
    if version >= OLDEST_PYTHON:
        return Finding("Python", Status.GOOD, text)
    wanted = ".".join(map(str, OLDEST_PYTHON))
    return Finding("Python", Status.WRONG, f"{text} is too old", f"use Python {wanted} or newer")


# --- pins ------------------------------------------------------------------------------------------------------------


def _pins(settings: Settings, here: Surroundings, *, runs: bool) -> Iterator[Finding]:
    name, model = settings.driver.factory, here.pi_model()
    try:
        factory = here.open_pin_factory(name)
    except PinsUnavailableError as error:
        if model is None:
            text = "no pins here: this is no Raspberry Pi"
            yield Finding("pins", Status.NOTE, text, "'dispenser demo' gives a simulated launcher")
        else:
            check = "packages" if isinstance(error.__cause__, ImportError) else "pins"
            yield Finding(check, Status.WRONG, f"{model}: {error}")
        return
    try:
        yield Finding("packages", Status.GOOD, f"the module for {name} is installed")
        yield Finding("pins", Status.GOOD, f"{name} opens the pins of this {model or 'computer'}")
        yield _crash(here.outputs_persist())
        if runs:
            text = "not read: a launcher runs on these pins, and it watches them"
            yield Finding("levels", Status.NOTE, text, "'dispenser watch' shows what it sees")
        else:
            yield from _levels(settings.pins, factory)
    finally:
        factory.close()


def _crash(persist: bool | None) -> Finding:
    if persist is False:
        return Finding("crash", Status.GOOD, "an output goes off by itself when its program dies")
    text = "an output keeps its level when its program dies" + ("" if persist else ", for all we know")
    remedy = "add 'dtparam=strict_gpiod' to /boot/firmware/config.txt and start the Pi again"
    return Finding("crash", Status.NOTE, text, remedy)


def _levels(pins: GpioWiring, factory: Any) -> Iterator[Finding]:
    """The inputs as they are seen. Outputs are left alone."""
    try:
        levels = read_inputs(pins, factory)
    except pin_errors() as error:
        text = f"the input pins cannot be read ({type(error).__name__}: {error})"
        yield Finding("levels", Status.WRONG, text, "end the other program that uses these pins, then look again")
        return
    if levels["lid"]:
        yield Finding("lid", Status.GOOD, f"shut (GPIO{pins.lid})")
    else:
        text = f"open (GPIO{pins.lid}): nothing can move"
        remedy = "shut it; if it stays so, its switch or a wire of it is broken, or lid_active_high is the wrong way"
        yield Finding("lid", Status.NOTE, text, remedy)
    if levels["button"]:
        remedy = "let go of it; if it stays so, its wires touch, or button_active_high is the wrong way"
        yield Finding("button", Status.NOTE, f"down (GPIO{pins.button})", remedy)
    else:
        yield Finding("button", Status.GOOD, f"up (GPIO{pins.button})")
    if "exit" not in levels:
        yield Finding("exit", Status.NOTE, "no exit sensor is wired: cards are not counted")
    elif levels["exit"]:
        remedy = (
            "take the card out; if there is none, the sensor has no power, is out of line, or exit_blocked_high is "
            "the wrong way"
        )
        yield Finding("exit", Status.NOTE, f"something blocks the light barrier (GPIO{pins.exit})", remedy)
    else:
        yield Finding("exit", Status.GOOD, f"clear (GPIO{pins.exit})")


def read_inputs(pins: GpioWiring, factory: Any) -> dict[str, bool]:
    """Button down, lid shut, exit blocked; read once, with the pulls of the driver."""
    from gpiozero import DigitalInputDevice

    with ExitStack() as opened:

        def value(gpio: int, *, pull_up: bool | None, active_high: bool | None = None) -> bool:
            device = DigitalInputDevice(gpio, pull_up=pull_up, active_state=active_high, pin_factory=factory)
            opened.callback(device.close)
            return bool(device.value)

        levels = {
            "button": value(pins.button, pull_up=not pins.button_active_high),
            "lid": value(pins.lid, pull_up=not pins.lid_active_high),
        }
        if pins.exit is not None:
            levels["exit"] = value(pins.exit, pull_up=None, active_high=pins.exit_blocked_high)
        return levels


# --- disk and journal ------------------------------------------------------------------------------------------------


def _disk(journal: Path) -> Finding:
    folder = journal.parent
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    room = f"{free >> 20:,} MB free"
    if os.statvfs(there).f_flag & os.ST_RDONLY:
        return Finding("disk", Status.WRONG, f"{there} is on a disk that is mounted read-only", "mount it writable")
    if not os.access(there, os.W_OK | os.X_OK):
        remedy = "run this as the launcher's user, such as 'sudo -u dispenser dispenser doctor'; or give it the folder"
        return Finding("disk", Status.WRONG, f"this user may not write to {there}", remedy)
    if free < MIN_FREE_BYTES:
        return Finding("disk", Status.WRONG, f"{folder}: the disk is full", "make room: without it nothing can move")
    if free < LITTLE_ROOM_BYTES:
        return Finding("disk", Status.NOTE, f"{folder}: only {room}", "make room before the next evening")
    return Finding("disk", Status.GOOD, f"{folder}: {'' if there == folder else 'can be made, '}{room}")


def _journal(path: Path) -> Finding:
    try:
        with Journal.read_only(path) as journal:
            entries, damage = journal.last_seq, JournalCheck().run(journal)
            told = [entry.data.get("detail") for entry in journal.read(types=[DAMAGED])]
    except JournalMissingError:
        return Finding("journal", Status.NOTE, f"{path}: none yet", "the first start makes it")
    except JournalError as error:
        return Finding("journal", Status.WRONG, str(error))
    if damage:
        remedy = "keep a copy; what other entries say can be trusted, and 'dispenser audit' says what is proven"
        return Finding("journal", Status.WRONG, f"{path}: {'; '.join(each.detail for each in damage)}", remedy)
    aside = put_aside_before(path)
    if told or aside:
        text = f"{path}: whole now, and damaged before" + (f": {told[-1]}" if told else f": {', '.join(aside)}")
        remedy = "a disk that does this twice is worn out; 'dispenser log --type service.journal' shows what was told"
        return Finding("journal", Status.NOTE, text, remedy)
    return Finding(
        "journal", Status.GOOD, f"{path}: {entries:,} {'entry' if entries == 1 else 'entries'}, all in place"
    )


# --- the running service ---------------------------------------------------------------------------------------------


class _Page:
    """What answers where the settings put the page; asked once."""

    def __init__(self, settings: Settings, here: Surroundings) -> None:
        web = settings.web
        self._why_not = "" if web.enabled else "the settings switch it off"
        if web.enabled and web.port == 0:
            self._why_not = "the settings let it take any free port, so nobody knows where it is"
        self._url = local_url(web.host, web.port)
        self._answer: dict[str, Any] = {}
        self._error: ApiError | None = None
        if not self._why_not:
            try:
                self._answer = here.snapshot(self._url, web.token)
            except ApiError as error:
                self._error = error

    @property
    def on_pins(self) -> bool:
        """A launcher answers, and it is a real one."""
        return self._answer.get("simulated") is False

    def finding(self, writer: str | None, *, runs: bool) -> Finding:
        if self._why_not:
            return Finding("page", Status.NOTE, self._why_not)
        if isinstance(self._error, NotALauncherError):
            return Finding("page", Status.WRONG, str(self._error), "end that program, or set another web.port")
        if isinstance(self._error, UnreachableError):
            return self._silent(writer, runs=runs)
        if self._error is not None:
            return Finding("page", Status.WRONG, f"{self._url}: {self._error}")
        state, detail = self._answer["state"], str(self._answer.get("detail", ""))
        kind = "a simulated launcher" if self._answer.get("simulated") else "the launcher"
        waits = state in {latched.value for latched in AWAITING_A_PERSON}
        status = Status.WRONG if state == State.FAULT.value else Status.NOTE if waits else Status.GOOD
        return Finding("page", status, f"{self._url}: {kind} answers, it is {state}", detail)

    def _silent(self, writer: str | None, *, runs: bool) -> Finding:
        if runs:
            who = "a launcher runs" if writer is None else f"a launcher runs (process {writer})"
            remedy = f"'journalctl -u {UNIT}' may say why; was it started with --no-web or other settings?"
            return Finding("page", Status.WRONG, f"{who}, but no page answers at {self._url}", remedy)
        remedy = "'sudo systemctl start dispenser' starts the real one, 'dispenser demo' a simulated one"
        return Finding("page", Status.NOTE, f"no launcher runs at {self._url}", remedy)


def _systemd(unit: Mapping[str, str] | None) -> Finding:
    if unit is None:
        return Finding("systemd", Status.NOTE, "does not run here, so it starts no launcher")
    state, sub = unit.get("ActiveState", "unknown"), unit.get("SubState", "unknown")
    text = f"{UNIT} is {state} ({sub}), {unit.get('UnitFileState') or 'not enabled'}"
    if unit.get("LoadState") == "not-found":
        return Finding("systemd", Status.NOTE, f"{UNIT} is not installed", _GUIDE)
    if unit.get("LoadState") != "loaded":
        return Finding("systemd", Status.WRONG, f"{UNIT} is {unit.get('LoadState')}", f"'systemctl status {UNIT}'")
    if state == "active":
        return Finding("systemd", Status.GOOD, text)
    if state == "failed" or sub == "auto-restart":
        text += f", because of {unit.get('Result')} (exit code {unit.get('ExecMainStatus')})"
        return Finding("systemd", Status.WRONG, text, f"'journalctl -u {UNIT} -n 50' tells why")
    return Finding("systemd", Status.NOTE, text, "'sudo systemctl enable --now dispenser' starts it, now and at boot")
