"""Derive events from the difference of two STATE messages of the microcontroller.

A report has counters that wrap around, so it includes whatever lost reports had. If one report has several events, the
order is the safe one: lid, exit, button.
"""

from __future__ import annotations

from collections.abc import Iterator

from dispenser.drivers.base import DriverEvent, Levels
from dispenser.drivers.serial import tables as wire
from dispenser.launcher.messages import ExitBlocked, ExitCleared, LidClosed, LidOpened, Press

MAX_EVENTS = 100  # Limit of events of a kind from one report; more cannot have happened between two reports


def levels_of(state: wire.State) -> Levels:
    """Return the levels in a report."""
    return Levels(
        lid_open=wire.Level.LID_OPEN in state.levels,
        exit_blocked=wire.Level.EXIT_BLOCKED in state.levels,
        button_down=wire.Level.BUTTON_DOWN in state.levels,
    )


def what_happened(before: wire.State, after: wire.State) -> Iterator[DriverEvent]:
    """Yield the events between two reports of the same session."""
    was, is_ = levels_of(before), levels_of(after)
    yield from _lid(was.lid_open, _increase(before.lid_rises, after.lid_rises), is_.lid_open)
    cleared = _increase(before.cards_seen, after.cards_seen)
    yield from _exit(was.exit_blocked, _fed(before, after, cleared), after)
    for _ in range(_increase(before.presses, after.presses)):
        yield Press()


def _fed(before: wire.State, after: wire.State, cleared: int) -> list[bool]:
    """Return for each card that left, oldest first, whether it left during the last feed, not before it."""
    if after.run_kind is not wire.RunKind.FEED:
        return [False] * cleared
    goes_on = (before.run_kind, before.run) == (after.run_kind, after.run)
    fed = min(cleared, after.run_cards - before.run_cards & 0xFF if goes_on else after.run_cards)
    others = [False] * (cleared - fed)
    return [True] * fed + others if goes_on else others + [True] * fed


def what_is_different(before: wire.State, after: wire.State) -> Iterator[DriverEvent]:
    """Yield the events that lead from the levels of one report to those of another, of the next session.

    In between the device may have worked standalone, answered presses itself, or reset its counters.
    """
    was, is_ = levels_of(before), levels_of(after)
    yield from _lid(was.lid_open, 0, is_.lid_open)
    yield from _exit(was.exit_blocked, [True] * (was.exit_blocked and not is_.exit_blocked), after)


def _increase(before: int, after: int) -> int:
    return min((after - before) & 0xFFFF, MAX_EVENTS)


def _lid(is_open: bool, rises: int, open_now: bool) -> Iterator[DriverEvent]:
    for _ in range(rises):
        if is_open:
            yield LidClosed()
        yield LidOpened()
        is_open = True
    if open_now != is_open:
        yield LidOpened() if open_now else LidClosed()


def _exit(blocked: bool, fed: list[bool], after: wire.State) -> Iterator[DriverEvent]:
    """:param fed: for each time that the exit was clear again, oldest first, whether it was a card of the feed."""
    newest_first = (after.blocked_ms_0, after.blocked_ms_1, after.blocked_ms_2, after.blocked_ms_3)
    for age, was_fed in zip(reversed(range(len(fed))), fed, strict=True):
        if not blocked:
            yield ExitBlocked()
        yield ExitCleared(float(newest_first[min(age, len(newest_first) - 1)]), was_fed)
        blocked = False
    if levels_of(after).exit_blocked != blocked:
        yield ExitBlocked()
