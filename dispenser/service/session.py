"""One start of the launcher on one open journal: takes an event to the machine and carries out what it answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import msgspec

from dispenser.drivers.base import Driver, execute
from dispenser.journal import Entry
from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.service.pen import Record

_NO_FAULT_FROM = (m.State.FAULT, m.State.OFF)
_TURNING = (m.State.FEEDING, m.State.RETRACTING)


class Session:
    """Machine, journal and driver, joined.

    What the machine answers is carried out in this order: stop, journal, other commands, listeners. So the motor
    never waits for the disk to stop, never starts for something that is not in the journal, and nobody hears of what
    a crash could undo.

    :param tick: puts a ``Tick`` into the service's inbox; called when the machine's deadline has come.
    """

    def __init__(
        self,
        machine: LauncherMachine,
        record: Record,
        driver: Driver,
        loop: asyncio.AbstractEventLoop,
        tick: Callable[[], None],
    ) -> None:
        self.machine = machine
        self.record = record
        self._driver = driver
        self._loop = loop
        self._tick = tick
        self._timer: asyncio.TimerHandle | None = None
        self.rested = asyncio.Event()
        """Cleared before the motor starts, set when it cannot turn any more."""

    @property
    def motor_may_turn(self) -> bool:
        """Safe to ask from any thread."""
        return self.machine.state in _TURNING

    @property
    def busy(self) -> bool:
        """A press is under way."""
        return self.motor_may_turn or self.machine.state is m.State.SUSPENSE

    def take(self, event: m.Event) -> list[Entry]:
        """One event, all the way; return the entries that it made (none while the journal cannot be written)."""
        if self.record.full and isinstance(event, m.Press):
            return []  # it could not even be counted; the motor has been off for long
        if isinstance(event, m.EnterCount):  # what is believed now, not when it was asked
            event = replace(event, counted_before=self.record.count_of(event.press))
        return self._carry_out(self.machine.step(event, self._loop.time()))

    def _carry_out(self, outputs: list[m.Output]) -> list[Entry]:
        commands = [output for output in outputs if isinstance(output, m.Command)]
        if m.Stop() in commands:
            self._driver.stop()
        if self.motor_may_turn:
            self.rested.clear()
        else:
            self.rested.set()
        notices = [(o.type, msgspec.to_builtins(o)) for o in outputs if not isinstance(o, m.Command)]
        entries = self.record.write(notices)
        unwritten = bool(self.record.trouble) and self.machine.state not in _NO_FAULT_FROM
        try:
            for command in commands:  # of what is not in the journal only the light is carried out: it tells no story
                if not isinstance(command, m.Stop) and (isinstance(command, m.Light) or not unwritten):
                    execute(self._driver, command)
        finally:  # what is in the journal is told, whatever the driver does
            self._set_timer()
            self.record.publish(entries)
        if unwritten:
            return self._carry_out(
                self.machine.step(m.DriverFailed(self.record.trouble, cause="journal"), self._loop.time())
            )
        return entries

    def _set_timer(self) -> None:
        deadline = self.machine.deadline
        if self._timer is not None:
            if deadline == self._timer.when():
                return
            self._timer.cancel()
            self._timer = None
        if deadline is not None:
            self._timer = self._loop.call_at(deadline, self._on_deadline)

    def _on_deadline(self) -> None:
        self._timer = None
        self._tick()

    def close(self) -> None:
        """Switch off, reveal the seed, close the journal."""
        self.take(m.SwitchOff())
        if self._timer is not None:
            self._timer.cancel()
        self.record.stop()
        self.record.close()

    def abandon(self) -> None:
        """Let go of the journal as it is; the next session tells what was left open."""
        self.rested.set()
        if self._timer is not None:
            self._timer.cancel()
        self.record.journal.close()
