"""Commands: what the driver is asked to do."""

from __future__ import annotations

from dataclasses import dataclass

from dispenser.language import Text
from dispenser.launcher.messages.words import (
    BLIND_S,
    MAX_BURST_CARDS,
    MAX_MOTOR_RUN_S,
    Chime,
    MessageError,
    check_limit,
)


@dataclass(frozen=True, slots=True)
class Feed:
    """Run the motor forward until ``cards`` have left.

    :param timeout_s: longest motor run, seconds; cannot be left out, at most ``MAX_MOTOR_RUN_S``.
    :param stall_s: longest time that something may lie in the exit, and the exit sensor see no edge, seconds.
    :param blind_s: longest time that the exit may stay clear, before the first card and between two, seconds. Neither
        counts without an exit sensor.
    :param duty: motor duty, above 0 and at most 1.
    """

    cards: int
    timeout_s: float
    stall_s: float
    blind_s: float = BLIND_S
    duty: float = 1.0

    def __post_init__(self) -> None:
        if not 1 <= self.cards <= MAX_BURST_CARDS:
            raise MessageError(
                Text("cards must be 1 to {most}, not {cards}").filled(most=MAX_BURST_CARDS, cards=self.cards)
            )
        check_limit("timeout_s", self.timeout_s, MAX_MOTOR_RUN_S)
        check_limit("stall_s", self.stall_s, MAX_MOTOR_RUN_S)
        check_limit("blind_s", self.blind_s, MAX_MOTOR_RUN_S)
        check_limit("duty", self.duty, 1.0)


@dataclass(frozen=True, slots=True)
class Retract:
    """Run the motor backward for ``duration_s`` seconds to free a card."""

    duration_s: float
    duty: float = 1.0

    def __post_init__(self) -> None:
        check_limit("duration_s", self.duration_s, 1.0)
        check_limit("duty", self.duty, 1.0)


@dataclass(frozen=True, slots=True)
class Stop:
    """Motor off, now."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play a chime; a chime that is playing is cut short."""

    chime: Chime


@dataclass(frozen=True, slots=True)
class Light:
    """Status light on or off."""

    on: bool


Command = Feed | Retract | Stop | Play | Light
