"""``kind = "serial"``: a microcontroller on a serial port, and what the doctor checks of it. Nothing moves."""

from __future__ import annotations

import time
from collections.abc import Iterator

from dispenser.drivers.base import Scheduler
from dispenser.drivers.findings import Finding, Status, look_at_inputs
from dispenser.drivers.kinds import Parts
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.driver import WHY_RESTARTED, SerialDriver
from dispenser.drivers.serial.handshake import FirmwareMismatchError, NoAnswerError, ask, describe
from dispenser.drivers.serial.port import SerialPort, SerialPortError
from dispenser.drivers.serial.reports import levels_of
from dispenser.i18n import Text, listed

LOW_CELL_MV = 3600
"""Three LR14 cells at 1.2 V each: soon flat (assumed; the datasheets call 0.8 V to 0.9 V empty). Above the firmware's
warning at 3.3 V, so that there is time to buy some."""

USUAL_BAUDS = (115200, 38400)  # Baud rates of firmware built for 16 MHz, and for 8 MHz


def make(parts: Parts, scheduler: Scheduler) -> SerialDriver:
    """Make the driver; block until the microcontroller answers, up to 5 s while its boot loader runs."""
    driver = SerialDriver(SerialPort(parts.driver.port, parts.driver.baud), scheduler)
    driver.connect()
    return driver


def examine(parts: Parts, *, runs: bool) -> Iterator[Finding]:
    """Yield findings about line, firmware and inputs. Without an answer the other baud rate is tried, too."""
    if runs:
        text = Text("not asked: a launcher runs, and the line is its own")
        yield Finding("line", Status.NOTE, text, Text("'dispenser watch' shows what it sees"))
        return
    bauds = list(dict.fromkeys((parts.driver.baud, *USUAL_BAUDS)))
    for baud in bauds:
        try:
            welcome, state = ask(SerialPort(parts.driver.port, baud), time.monotonic)
        except NoAnswerError:
            continue
        except SerialPortError as error:
            yield Finding("line", Status.WRONG, error.text)
        except FirmwareMismatchError as error:
            yield _line(baud, parts.driver.baud)
            yield Finding("firmware", Status.WRONG, error.text)
            yield _started(error.welcome)
        else:
            yield _line(baud, parts.driver.baud)
            fits = Text("{firmware}, as it should be").filled(firmware=describe(welcome))
            yield Finding("firmware", Status.GOOD, fits)
            yield _started(welcome)
            yield from _locks(state)
            exit_sensor = wire.Capability.EXIT_SENSOR in welcome.capabilities
            yield from look_at_inputs(levels_of(state), exit_sensor=exit_sensor)
            yield _cells(state)
        return
    yield Finding("line", Status.GOOD, Text("the serial port can be opened"))
    text = Text("nobody answers, at {bauds} baud").filled(bauds=listed([str(baud) for baud in bauds], " / "))
    remedy = Text("is it the launcher's board? 'dispenser firmware flash' puts the firmware on it")
    yield Finding("firmware", Status.WRONG, text, remedy)


def _line(baud: int, wanted: int) -> Finding:
    if baud == wanted:
        return Finding("line", Status.GOOD, Text("the microcontroller answers"))
    text = Text("the microcontroller answers at {baud} baud, and not at {wanted}").filled(baud=baud, wanted=wanted)
    remedy = Text("write baud = {baud} under [driver] in the settings").filled(baud=baud)
    return Finding("line", Status.WRONG, text, remedy)


def _started(welcome: wire.Welcome) -> Finding:
    cause = welcome.reset_cause
    if cause not in {wire.ResetCause.POWER_ON, wire.ResetCause.EXTERNAL}:
        return Finding("start", Status.NOTE, WHY_RESTARTED[cause])
    usual = Text("{cause}, as usual").filled(cause=cause.name.lower().replace("_", " "))
    return Finding("start", Status.GOOD, usual)


def _locks(state: wire.State) -> Iterator[Finding]:
    if state.latches:
        names = ", ".join((latch.name or "").lower().replace("_", " ") for latch in state.latches)
        remedy = Text("look at the launcher, then switch it off for half a minute, or run it and 'dispenser reset'")
        yield Finding("motor", Status.WRONG, Text("locked ({latches}): nothing can move").filled(latches=names), remedy)


def _cells(state: wire.State) -> Finding:
    if not state.cell_mv:
        return Finding("cells", Status.NOTE, Text("not measured"))
    text = Text("{voltage:.2f} V at the chip (on USB that is the USB supply)").filled(voltage=state.cell_mv / 1000)
    if state.cell_mv < LOW_CELL_MV:
        return Finding("cells", Status.NOTE, text, Text("put in new batteries soon"))
    return Finding("cells", Status.GOOD, text)
