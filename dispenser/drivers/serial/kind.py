"""``kind = "serial"``: a microcontroller on a serial port; and what the doctor finds of it. Nothing moves."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator

from dispenser.drivers.base import Scheduler
from dispenser.drivers.findings import Finding, Status, look_at_inputs
from dispenser.drivers.kinds import DriverSettings, Parts
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.driver import WHY_RESTARTED, SerialDriver
from dispenser.drivers.serial.handshake import FirmwareMismatchError, NoAnswerError, ask, check_fit, describe
from dispenser.drivers.serial.port import SerialPort, SerialPortError
from dispenser.drivers.serial.reports import levels_of
from dispenser.drivers.serial.tables import Capability, ResetCause
from dispenser.i18n import Text, listed

LOW_CELL_MV = 3600
"""Three LR14 cells at 1.2 V each: soon flat (assumed; the datasheets call 0.8 V to 0.9 V empty). Earlier than the
firmware's own warning at 3.3 V: who asks the doctor has time to buy some."""

USUAL_BAUDS = (115200, 38400)  # How fast a firmware speaks that was built for 16 MHz, and for 8 MHz


def make(parts: Parts, scheduler: Scheduler) -> SerialDriver:
    """Waits until the microcontroller answers, up to 5 s while its boot loader runs."""
    driver = SerialDriver(port_of(parts.driver), scheduler)
    driver.connect()
    return driver


def port_of(settings: DriverSettings) -> SerialPort:
    """Not open yet."""
    return SerialPort(settings.port, settings.baud)


def examine(parts: Parts, *, runs: bool, port: Callable[[DriverSettings], SerialPort] = port_of) -> Iterator[Finding]:
    """What the doctor finds of line, firmware and inputs. One that does not answer is asked at the other speed, too."""
    if runs:
        text = Text("not asked: a launcher runs, and the line is its own")
        yield Finding("line", Status.NOTE, text, Text("'dispenser watch' shows what it sees"))
        return
    tried = []
    for baud in dict.fromkeys((parts.driver.baud, *USUAL_BAUDS)):
        tried.append(str(baud))
        try:
            welcome, state = ask(port(dataclasses.replace(parts.driver, baud=baud)), time.monotonic)
            break
        except NoAnswerError:
            continue
        except SerialPortError as error:
            yield Finding("line", Status.WRONG, error.text)
            return
    else:
        yield Finding("line", Status.GOOD, Text("the serial port can be opened"))
        text = Text("nobody answers, at {bauds} baud").filled(bauds=listed(tried, " / "))
        remedy = Text("is it the launcher's board? 'dispenser firmware flash' puts the firmware on it")
        yield Finding("firmware", Status.WRONG, text, remedy)
        return
    if baud == parts.driver.baud:
        yield Finding("line", Status.GOOD, Text("the microcontroller answers"))
    else:
        text = Text("the microcontroller answers at {baud} baud, and not at {wanted}")
        remedy = Text("write baud = {baud} under [driver] in the settings").filled(baud=baud)
        yield Finding("line", Status.WRONG, text.filled(baud=baud, wanted=parts.driver.baud), remedy)
    yield _firmware(welcome)
    yield _started(welcome)
    if state is not None:
        yield from _locks(state)
        exit_sensor = Capability.EXIT_SENSOR in welcome.capabilities
        yield from look_at_inputs(levels_of(state), exit_sensor=exit_sensor)
        yield _cells(state)


def _firmware(welcome: wire.Welcome) -> Finding:
    try:
        check_fit(welcome)
    except FirmwareMismatchError as error:
        return Finding("firmware", Status.WRONG, error.text)
    return Finding("firmware", Status.GOOD, Text("{firmware}, as it should be").filled(firmware=describe(welcome)))


def _started(welcome: wire.Welcome) -> Finding:
    cause = welcome.reset_cause
    if cause not in {ResetCause.POWER_ON, ResetCause.EXTERNAL}:
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
        return Finding("cells", Status.NOTE, text, Text("put in new cells soon"))
    return Finding("cells", Status.GOOD, text)
