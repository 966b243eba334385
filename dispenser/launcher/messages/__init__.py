"""Every input event, command and notice of the launcher machine.

Data flows one way: a driver (or the service, for a request from a person) hands *events* to the machine;
the machine answers with *commands* for the driver and *notices* for the world. All are frozen dataclasses.
Times are seconds on the caller's monotonic clock and travel beside an event, never inside it.

``Notice.type`` is the journal's entry type; the fields of a notice are the entry's ``data``.
"""

from __future__ import annotations

from dispenser.launcher.messages.commands import (
    Command,
    Feed,
    Light,
    Play,
    Retract,
    Stop,
)
from dispenser.launcher.messages.events import (
    DriverFailed,
    DriverRecovered,
    EnterCount,
    Event,
    ExitBlocked,
    ExitCleared,
    FeedEnded,
    LidClosed,
    LidOpened,
    Load,
    Press,
    Reset,
    RetractEnded,
    SwitchOff,
    SwitchOn,
    Tick,
)
from dispenser.launcher.messages.notices import (
    BurstCounted,
    BurstEnded,
    BurstLost,
    BurstStarted,
    CardLeft,
    CardsLoaded,
    ChimePlayed,
    ExitChanged,
    LidWasClosed,
    LidWasOpened,
    Notice,
    PressAccepted,
    PressRefused,
    Snapshot,
    StateChanged,
    SwitchedOff,
    SwitchedOn,
    WasReset,
)
from dispenser.launcher.messages.words import (
    MAX_BURST_CARDS,
    MAX_MOTOR_RUN_S,
    BurstEnd,
    Chime,
    FeedEnd,
    MessageError,
    Refusal,
    State,
)

Output = Command | Notice

__all__ = [
    "MAX_BURST_CARDS",
    "MAX_MOTOR_RUN_S",
    "BurstCounted",
    "BurstEnd",
    "BurstEnded",
    "BurstLost",
    "BurstStarted",
    "CardLeft",
    "CardsLoaded",
    "Chime",
    "ChimePlayed",
    "Command",
    "DriverFailed",
    "DriverRecovered",
    "EnterCount",
    "Event",
    "ExitBlocked",
    "ExitChanged",
    "ExitCleared",
    "Feed",
    "FeedEnd",
    "FeedEnded",
    "LidClosed",
    "LidOpened",
    "LidWasClosed",
    "LidWasOpened",
    "Light",
    "Load",
    "MessageError",
    "Notice",
    "Output",
    "Play",
    "Press",
    "PressAccepted",
    "PressRefused",
    "Refusal",
    "Reset",
    "Retract",
    "RetractEnded",
    "Snapshot",
    "State",
    "StateChanged",
    "Stop",
    "SwitchOff",
    "SwitchOn",
    "SwitchedOff",
    "SwitchedOn",
    "Tick",
    "WasReset",
]
