"""``dispenser firmware``: build, flash, query and watch the firmware of a microcontroller."""

from __future__ import annotations

import dataclasses
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.failures import FOUND_WRONG, UNAVAILABLE, fail
from dispenser.cli.help_pages import Commands
from dispenser.cli.options import BaudOption, ConfigOption, SerialPortOption
from dispenser.cli.settings import load_settings, with_driver
from dispenser.cli.spoken import _

if TYPE_CHECKING:
    import enum

    from dispenser.drivers.kinds import DriverSettings
    from dispenser.drivers.serial import tables as wire
    from dispenser.drivers.serial.port import SerialPort

LOOK_S = 0.1  # Polling interval of `monitor`, seconds
SILENT_LOOKS = 25  # Unanswered polls after which `monitor` reports it: 5 s, longer than any boot loader takes
_PACKAGE_OF = {"make": "make", "avr-gcc": "gcc-avr avr-libc", "avrdude": "avrdude"}

firmware_app = Commands(no_args_is_help=True)

SourceOption = Annotated[
    Path | None, typer.Option("--source", help="The folder firmware/ of the project; else the one beside this program.")
]
OptionsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[OPTION=VALUE]...",
        help="Options of its Makefile, such as CLOCK=8. They are kept for later builds; the word 'usual' forgets them.",
    ),
]


@firmware_app.command()
def build(options: OptionsArgument = None, source: SourceOption = None) -> None:
    """Build the firmware with avr-gcc, and print its size.

    Example: dispenser firmware build CLOCK=8
    """
    _make(source, ["all", "size"], options)


@firmware_app.command()
def flash(
    options: OptionsArgument = None,
    source: SourceOption = None,
    config: ConfigOption = None,
    serial_port: SerialPortOption = None,
) -> None:
    """Build the firmware, write it to the board through its boot loader, and show the version that answers.

    Example: dispenser firmware flash CLOCK=8
    """
    from dispenser.drivers.serial.port import find_port

    driver = _driver(config, serial_port)
    path = find_port(driver.port)
    with closing(_link(driver)) as link:
        link.open()  # fails if the launcher is running, whose serial line avrdude would disturb
    _make(source, ["flash"], [*(options or []), f"PORT={path}"])
    baud = int(_make(source, ["baud"], options, quiet=True))
    try:
        _ask(dataclasses.replace(driver, baud=baud))
    finally:  # print the build options last, whatever the board answers
        typer.echo(_make(source, ["options"], options, quiet=True).rstrip())
        if baud != driver.baud:
            typer.echo(_("It speaks at {baud} baud: write baud = {baud} under [driver] in the settings.", baud=baud))


@firmware_app.command()
def info(config: ConfigOption = None, serial_port: SerialPortOption = None, baud: BaudOption = None) -> None:
    """Show firmware version and state of the microcontroller; a running motor stops."""
    _ask(_driver(config, serial_port, baud))


@firmware_app.command()
def monitor(config: ConfigOption = None, serial_port: SerialPortOption = None, baud: BaudOption = None) -> None:
    """Show what the microcontroller reports while it runs on its own, until Ctrl-C. No commands are sent."""
    with suppress(KeyboardInterrupt), closing(_link(_driver(config, serial_port, baud))) as link:
        link.open()
        typer.echo(_("Opening the port restarts most boards. Stop with Ctrl-C."))
        for line in watch(link):
            typer.echo(line)


def watch(link: SerialPort) -> Iterator[str]:
    """Poll an open line; yield each report that differs from the last one, and a message after a long silence."""
    from dispenser.drivers.serial import tables as wire
    from dispenser.drivers.serial.frames import Frame, FrameDecoder
    from dispenser.drivers.serial.handshake import on_line

    decoder, before, silent = FrameDecoder(), "", 0
    while True:
        link.write(on_line(Frame(0, wire.GetState())))
        silent += 1
        if silent == SILENT_LOOKS:
            before = ""
            yield _(
                "No answer. Is this the launcher's board, with its firmware, at the right speed (--baud; 38400 for a "
                "firmware built for 8 MHz)? Still trying."
            )
        for frame in decoder.feed(link.read(LOOK_S)):
            if isinstance(frame.message, wire.State):
                silent = 0
                line = report(frame.message)
                if line != before:
                    before = line
                    yield f"{frame.message.uptime_ms / 1000:9.1f} s  {line}"
        time.sleep(LOOK_S)


def report(state: wire.State) -> str:
    """Return a report as one line, without the time and small changes of the voltage."""
    run = f"{_name(state.run_kind)} {_name(state.run_end)}" if state.run_kind else _("no run")
    return _(
        "{levels}; {presses} presses, {cards} cards, {lid} times lid up; {run}{locked}; odds {odds}; {voltage:.1f} V",
        levels=_names(state.levels) or _("at rest"),
        presses=state.presses,
        cards=state.cards_seen,
        lid=state.lid_rises,
        run=run,
        locked=_(", locked: {latches}", latches=_names(state.latches)) if state.latches else "",
        odds=_name(state.odds),
        voltage=state.cell_mv / 1000,
    )


def _name(word: enum.Enum) -> str:
    return word.name.lower().replace("_", " ")


def _names(flags: wire.Level | wire.Latch | wire.Capability) -> str:
    return ", ".join(_name(flag) for flag in type(flags) if flag in flags)


def _driver(config: Path | None, port: str | None, baud: int | None = None) -> DriverSettings:
    return with_driver(load_settings(config), "serial", port, baud).driver


def _link(driver: DriverSettings) -> SerialPort:
    from dispenser.drivers.serial.port import SerialPort

    return SerialPort(driver.port, driver.baud)


def _ask(driver: DriverSettings) -> None:
    """Query the microcontroller and print its answers."""
    from dispenser.drivers.serial.handshake import FirmwareMismatchError, ask

    try:
        _print(*ask(_link(driver), time.monotonic))
    except FirmwareMismatchError as error:
        _print(error.welcome, None)
        fail(error, FOUND_WRONG)


def _print(welcome: wire.Welcome, state: wire.State | None) -> None:
    """Print one fact per line; without ``state`` (firmware does not match) only those of the handshake."""
    from dispenser.drivers.serial import tables as wire
    from dispenser.drivers.serial.handshake import describe

    facts = {
        _("firmware"): describe(welcome),
        _("last start"): _name(welcome.reset_cause),
        _("can"): _names(welcome.capabilities),
    }
    if state is not None:
        voltage = _("{voltage:.2f} V", voltage=state.cell_mv / 1000)
        facts[_("lid")] = _("open") if wire.Level.LID_OPEN in state.levels else _("shut")
        if wire.Capability.EXIT_SENSOR in welcome.capabilities:
            facts[_("exit")] = _("blocked") if wire.Level.EXIT_BLOCKED in state.levels else _("clear")
        facts[_("button")] = _("down") if wire.Level.BUTTON_DOWN in state.levels else _("up")
        locked = _("locked: {latches}", latches=_names(state.latches))
        facts[_("motor")] = locked if state.latches else _("not locked")
        facts[_("supply")] = voltage if state.cell_mv else _("not measured yet")
        facts[_("odds alone")] = _name(state.odds)
    for name, words in facts.items():
        typer.echo(f"{name}: {words}")


def source_folder(given: Path | None) -> Path:
    """Return the folder of the firmware's sources: the given one, else the one shipped with the program."""
    from dispenser.system.shipped import shipped

    return given or shipped("firmware")


def _build_folder(source: Path) -> list[str]:
    """Return the Makefile option for the build folder; none for sources outside the installation: built in place."""
    if not source.is_relative_to(sys.prefix):
        return []
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return [f"BUILD={caches}/dispenser/firmware"]


def _make(source: Path | None, targets: list[str], options: list[str] | None, *, quiet: bool = False) -> str:
    """Run make for some targets.

    :returns: its output if ``quiet``; otherwise the terminal gets it.
    """
    import subprocess

    folder, options = source_folder(source), options or []
    needed = ["make", "avr-gcc", *(["avrdude"] if "flash" in targets else [])]
    if missing := [tool for tool in needed if shutil.which(tool) is None]:
        packages = " ".join(_PACKAGE_OF[tool] for tool in missing)
        tools = ", ".join(missing)
        fail(_("{tools} missing: sudo apt install {packages}", tools=tools, packages=packages), UNAVAILABLE)
    command = ["make", "--no-print-directory", "-C", str(folder), *_build_folder(folder), *options, *targets]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE if quiet else None, text=True)  # noqa: S603 - the project's own Makefile
    if done.returncode:
        fail(_("{command!r} failed: see above", command=" ".join(command)), FOUND_WRONG)
    return done.stdout or ""
