"""One input pin, in our words: active is a button that is down, a lid that is open, an exit that is blocked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpiozero import InputDevice

from dispenser.drivers.pins.wiring import GpioWiring


class Input:
    """Claims the pin, with the pull that its wiring needs.

    :param name: ``button``, ``lid`` or ``exit``; one that is wired.
    """

    def __init__(self, name: str, wiring: GpioWiring, pin_factory: Any) -> None:
        pull_up: bool | None = None
        match name:
            case "button":
                pull_up, self._high = not wiring.button_active_high, wiring.button_active_high
            case "lid":
                pull_up = self._high = not wiring.lid_active_high
            case _:
                self._high = wiring.exit_blocked_high
        self._device = InputDevice(
            wiring.lines()[name],
            pull_up=pull_up,
            active_state=self._high if pull_up is None else None,
            pin_factory=pin_factory,
        )
        self._pin = self._device.pin

    @property
    def active(self) -> bool:
        """The level now.

        :raises Exception: whatever the pin raises.
        """
        return bool(self._pin.state) == self._high

    def listen(self, heard: Callable[[bool, float], None]) -> None:
        """Call ``heard`` with each new level and the ticks of the pin factory, on its thread.

        The pin itself is asked: a ``DigitalInputDevice`` remembers the last edge it heard and swallows the next one in
        the same direction, so that after one missed edge the lid could rise unheard.
        """

        def changed(ticks: float, state: int) -> None:
            heard(bool(state) == self._high, ticks)

        self._changed = changed  # the pin holds it weakly
        self._pin.edges = "both"
        self._pin.when_changed = changed

    def close(self) -> None:
        self._device.close()
