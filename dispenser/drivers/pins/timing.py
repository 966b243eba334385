"""Times of the GPIO driver's filters."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GpioTiming:
    """Times of the filters, seconds.

    :param button_settle_s: contacts of cheap buttons bounce for up to 20 ms; the level must last longer than that.
    :param lid_settle_s: before a shut lid counts; an open lid counts at once.
    :param exit_settle_s: before a change at the light barrier counts; a card takes 30 ms and more, but the gap between
        two may last no more than 6.5 ms (simulated launcher), and a gap that does not count is two cards told as one.
    :param brake_s: how long an H-bridge brakes the motor after the last card; without, it coasts some 20 mm and
        often pushes the next card into the exit. 0 switches the brake off.
    :param coast_s: after the motor is off, how long cards may still arrive before a feed is reported as ended.
        A small motor without load stands within 30 ms (assumed).
    """

    button_settle_s: float = 0.025
    lid_settle_s: float = 0.05
    exit_settle_s: float = 0.003
    brake_s: float = 0.04
    coast_s: float = 0.12

    def __post_init__(self) -> None:
        for name, highest in (
            ("button_settle_s", 0.5),
            ("lid_settle_s", 1.0),
            ("exit_settle_s", 0.005),
            ("brake_s", 0.5),
            ("coast_s", 2.0),
        ):
            if not 0 <= getattr(self, name) <= highest:
                raise ValueError(f"{name} = {getattr(self, name)}: use 0 to {highest} seconds")
