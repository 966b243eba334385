"""The statechart of the launcher as one table.

Read a row as: on *trigger*, from *source*, if all *conditions* hold, go to *dest* and run *after*. Rows with the same
trigger and source are tried from top to bottom; *dest* ``None``: ignore the trigger. Conditions and actions are in
``actions.py``. The machine stops the motor on an open lid or a driver failure before it uses this table.
"""

from __future__ import annotations

from typing import Any

from dispenser.launcher.messages import State


def _row(
    trigger: str, source: State | list[State], dest: State | None, after: str | None = None, **when: Any
) -> dict[str, Any]:
    return {"trigger": trigger, "source": source, "dest": dest, "after": after, **when}


def _except(*states: State) -> list[State]:
    return [state for state in State if state not in states]


TRANSITIONS: tuple[dict[str, Any], ...] = (
    _row("switch_on", State.OFF, State.OPEN, conditions="lid_open"),
    _row("switch_on", State.OFF, State.READY, "become_ready"),
    _row("switch_off", _except(State.OFF), State.OFF),
    # the lid
    _row("lid_up", _except(State.OFF, State.OPEN, State.FAULT), State.OPEN),
    _row("lid_up", [State.OPEN, State.FAULT], None),
    _row("lid_down", State.OPEN, State.READY, "become_ready"),
    _row("lid_down", _except(State.OFF, State.OPEN), None),
    # a press
    _row("press", State.READY, State.FEEDING, "start_burst", conditions="no_suspense"),
    _row("press", State.READY, State.SUSPENSE, "start_suspense"),
    _row("drum_ended", State.SUSPENSE, State.FEEDING, "start_burst", conditions="fires"),
    _row("drum_ended", State.SUSPENSE, State.READY, "end_dud"),
    # a burst
    _row("burst_done", State.FEEDING, State.READY, "end_complete"),
    _row("saw_nothing", State.FEEDING, State.EMPTY, "end_badly", conditions="known_empty"),
    _row("saw_nothing", State.FEEDING, State.BLIND, "end_badly"),
    _row("fell_short", State.FEEDING, State.RETRACTING, "start_retract", conditions=["tries_left", "can_retract"]),
    _row("fell_short", State.FEEDING, State.JAMMED, "end_badly", conditions="exit_blocked"),
    _row("fell_short", State.FEEDING, State.FEEDING, "start_feed", conditions="tries_left"),
    _row("fell_short", State.FEEDING, State.EMPTY, "end_badly"),
    _row("retracted", State.RETRACTING, State.JAMMED, "end_badly", conditions="exit_blocked"),
    _row("retracted", State.RETRACTING, State.FEEDING, "start_feed"),
    # a person resets or reloads
    _row("reset", State.JAMMED, State.READY, "become_ready", conditions="exit_clear"),
    _row("reset", State.JAMMED, None),
    _row("reset", [State.EMPTY, State.BLIND], State.READY, "become_ready"),
    _row("reset", State.FAULT, State.OPEN, "forget_why", conditions=["driver_works", "lid_open"]),
    _row("reset", State.FAULT, State.READY, "become_ready", conditions="driver_works"),
    _row("reset", State.FAULT, None),
    _row("reload", [State.EMPTY, State.BLIND], State.READY, "become_ready"),
    # a failure
    _row("fail", _except(State.OFF, State.FAULT), State.FAULT, "sound_fault"),
    _row("fail", State.FAULT, None),
)
