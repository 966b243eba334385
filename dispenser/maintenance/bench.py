"""Connect a maintenance state machine to a driver."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from dispenser.drivers.base import Alarm, Driver, Scheduler
from dispenser.launcher import messages as m
from dispenser.maintenance.manual import Manual
from dispenser.maintenance.wizard import Hand, TimeIsUp, Wizard

if TYPE_CHECKING:
    from dispenser.simulator import Simulator

FULL_CARDS = 100  # Cards in the simulated launcher after Hand.LOAD_CARDS


class Bench:
    """Runs one machine on one open driver; calls ``changed`` whenever there may be something new to show."""

    def __init__(
        self,
        machine: Wizard | Manual,
        driver: Driver,
        scheduler: Scheduler,
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        self._machine, self._driver, self._scheduler, self._changed = machine, driver, scheduler, changed
        self._closed = False
        self._alarm = Alarm(scheduler, lambda: self.handle(TimeIsUp()))

    def begin(self) -> None:
        self._carry_out(self._machine.begin(self._scheduler.time()))

    def handle(self, event: Any) -> None:
        """Handle an event of the driver (its sink, also for edges) or of a person."""
        if not self._closed:
            self._carry_out(self._machine.step(event, self._scheduler.time()))

    def _carry_out(self, commands: Iterable[m.Command]) -> None:
        for command in commands:
            if isinstance(command, m.Stop):
                self._driver.stop()
            else:
                self._driver.give(command)
        self._alarm.off()
        if (deadline := self._machine.deadline) is not None:
            self._alarm.set(max(0.0, deadline - self._scheduler.time()))
        self._changed()

    def close(self) -> None:
        """Stop the motor and ignore all further events. The driver stays open."""
        self._closed = True
        self._alarm.off()
        self._driver.stop()


def simulate_hand(simulator: Simulator, hand: Hand) -> None:
    """Do once, on the simulated launcher, what a wizard asks a person to do."""
    match hand:
        case Hand.LIFT_LID:
            simulator.open_lid()
        case Hand.SHUT_LID:
            simulator.close_lid()
        case Hand.PUSH_BUTTON:
            simulator.push_button()
        case Hand.BLOCK_EXIT:
            simulator.drive_line("exit", active=True)
        case Hand.FREE_EXIT:
            simulator.drive_line("exit", active=False)
            simulator.take_card()
            simulator.release_line("exit")
        case Hand.LOAD_CARDS:
            simulator.load(max(0, FULL_CARDS - simulator.view().cards_in_stack))
            simulator.close_lid()
