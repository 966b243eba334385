"""The state machine of ``dispenser manual``: feed, retract, beep and light while a key is held.

A terminal reports that a key goes down, and repeats while it is held, but never that it is released. So each key event
starts one short run (one card, or one retract), unless one is in progress, and the driver ends it, as in a game. If the
lid was opened while a key was held, the key has no effect until it is released: somebody else may have a hand inside.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, replace
from typing import Final

from dispenser.drivers.base import Capabilities, Levels
from dispenser.i18n import Text, verbatim
from dispenser.launcher import messages as m
from dispenser.launcher.settings import MachineSettings
from dispenser.maintenance.wizard import Happened, TimeIsUp

LIGHT_S: Final = 0.7
"""Seconds after the last key event until the light goes out: the longest usual delay of keyboard auto-repeat."""
MOST_IN_A_ROW: Final = 30  # Maximum of consecutive runs; then the key must be released, as an object may lie on it
PAUSE_S: Final = 1.0  # Seconds without a key event after which a key counts as released
LOOK_S: Final = 0.2  # Interval at which the caller should send the levels, seconds


class Act(enum.StrEnum):
    """The actions of manual control."""

    FEED = "feed"
    RETRACT = "retract"
    CHIME = "chime"
    LIGHT = "light"
    STOP = "stop"


_CHIMES = {
    m.Chime.LID_SHUT: Text("Chime: the lid is shut."),
    m.Chime.SUSPENSE: Text("Chime: drum roll."),
    m.Chime.FIRE: Text("Chime: cards come."),
    m.Chime.DUD: Text("Chime: no card."),
    m.Chime.REFUSED: Text("Chime: not now."),
    m.Chime.JAMMED: Text("Chime: jammed."),
    m.Chime.EMPTY: Text("Chime: empty."),
    m.Chime.FAULT: Text("Chime: broken."),
}
_LID_IS_OPEN = Text("The lid is open: nothing can move.")
_ENDS = {
    m.FeedEnd.COUNT: Text("One card."),
    m.FeedEnd.TIMED: Text("The motor has run its time."),
    m.FeedEnd.LID: _LID_IS_OPEN,
    m.FeedEnd.BLIND: Text("The exit sensor saw nothing."),
    m.FeedEnd.STALL: Text("Something lies in the exit."),
    m.FeedEnd.TIMEOUT: Text("No card came in time."),
    m.FeedEnd.STOPPED: Text("Stopped."),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """The state to show; ``moving`` is the current run, if any."""

    levels: Levels
    moving: Act | None
    light: bool
    said: Text


class Manual:
    """The state machine: its inputs are keys, levels and driver events."""

    def __init__(self, capabilities: Capabilities, settings: MachineSettings, levels: Levels) -> None:
        self._capabilities, self._settings, self._levels = capabilities, settings, levels
        self._moving: Act | None = None
        self._moving_until_s = math.inf
        self._light_until_s = math.inf
        self._row = self._chimes = 0
        self._lid_was_up = False  # since the key was pressed
        self._last_key_s = self._next_chime_s = 0.0
        self._said = Text("")

    @property
    def deadline(self) -> float | None:
        """Return the time at which ``TimeIsUp`` must be sent."""
        first_s = min(self._moving_until_s, self._light_until_s)
        return None if first_s == math.inf else first_s

    def shown(self) -> Shown:
        return Shown(self._levels, self._moving, self._light_until_s < math.inf, self._said)

    def begin(self, now_s: float) -> list[m.Command]:
        """Return the initial commands: light off."""
        self._last_key_s = now_s
        return [m.Light(on=False)]

    def step(self, event: Happened | Levels | Act, now_s: float) -> list[m.Command]:
        """Handle an event; return commands for the driver."""
        match event:
            case Act():
                return self._act(event, now_s)
            case Levels():
                self._levels = event
                self._lid_was_up = self._lid_was_up or event.lid_open
            case m.LidOpened():
                self._levels = replace(self._levels, lid_open=True)
                self._lid_was_up = True
                self._said = _LID_IS_OPEN
            case m.LidClosed():
                self._levels = replace(self._levels, lid_open=False)
                self._said = Text("The lid is shut.")
            case m.Press():
                self._said = Text("The button was pushed.")
            case m.FeedEnded() | m.RetractEnded():
                pulled = isinstance(event, m.RetractEnded) and event.cause is m.FeedEnd.TIMED
                self._end_run(Text("Pulled back.") if pulled else _ENDS[event.cause])
            case m.DriverFailed():
                self._end_run(verbatim(event.detail) if isinstance(event.detail, str) else event.detail)
            case TimeIsUp():
                return self._time(now_s)
        return []

    def _end_run(self, said: Text) -> None:
        self._moving, self._moving_until_s, self._said = None, math.inf, said

    def _time(self, now_s: float) -> list[m.Command]:
        commands: list[m.Command] = []
        if now_s >= self._moving_until_s:  # its end was not reported
            self._end_run(self._said)
            commands.append(m.Stop())
        if now_s >= self._light_until_s:
            self._light_until_s = math.inf
            commands.append(m.Light(on=False))
        return commands

    def _act(self, act: Act, now_s: float) -> list[m.Command]:
        if now_s - self._last_key_s > PAUSE_S:
            self._row, self._lid_was_up = 0, False
        self._last_key_s = now_s
        match act:
            case Act.STOP:
                return [m.Stop()]
            case Act.LIGHT:
                was_on, self._light_until_s = self._light_until_s < math.inf, now_s + LIGHT_S
                return [] if was_on else [m.Light(on=True)]
            case Act.CHIME if now_s >= self._next_chime_s:  # the previous one is over
                chime, self._said = list(_CHIMES.items())[self._chimes % len(_CHIMES)]
                self._chimes, self._next_chime_s = self._chimes + 1, now_s + PAUSE_S
                return [m.Play(chime)]
        return [] if act is Act.CHIME or self._moving is not None else self._move(act, now_s)

    def _move(self, act: Act, now_s: float) -> list[m.Command]:
        """Start one short run if nothing prevents it. The driver checks the lid itself."""
        if self._levels.lid_open:
            self._said = _LID_IS_OPEN
        elif act is Act.RETRACT and not self._capabilities.retract:
            self._said = Text("This motor turns forward only.")
        elif self._lid_was_up:
            self._said = Text("The lid was open: let go of the key first.")
        elif self._row >= MOST_IN_A_ROW:
            self._said = Text("That is the limit for one hold: let go of the key.")
        else:
            run = self._settings.feed(1)
            limit_s = run.timeout_s if act is Act.FEED else self._settings.retract_s
            self._row += 1
            self._moving = act
            self._moving_until_s = now_s + limit_s + self._settings.driver_patience_s
            return [run if act is Act.FEED else m.Retract(self._settings.retract_s, self._settings.duty)]
        return []
