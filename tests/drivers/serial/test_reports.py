"""From reports to events: whatever reports get lost, each line's own story is told whole and in order."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispenser.drivers.base import DriverEvent
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.reports import what_happened, what_is_different
from dispenser.launcher.messages import ExitBlocked, ExitCleared, LidClosed, LidOpened, Press

LID = (LidOpened, LidClosed)
EXIT = (ExitBlocked, ExitCleared)


def of(kinds: tuple[type, ...], events: Iterable[DriverEvent]) -> list[DriverEvent]:
    return [event for event in events if isinstance(event, kinds)]


LID_OPEN, EXIT_BLOCKED = wire.Level.LID_OPEN, wire.Level.EXIT_BLOCKED
STATE = wire.State(
    *(1, 0, wire.Level(0), wire.Latch(0), 0, 0, 0, 0, 0, 0, 0),
    *(0, wire.RunKind.NONE, 0, wire.FeedEnd.RUNNING, 0, wire.Odds.TOY),
)
changed = msgspec.structs.replace


@given(
    st.lists(st.sampled_from(["lid", "exit", "press", "report"]), max_size=60),
    st.integers(0, 0xFFFF),
    st.sampled_from([wire.Level(bits) for bits in range(4)]),
)
def test_each_line_is_told_whole_whatever_reports_come(acts: list[str], start: int, levels: wire.Level) -> None:
    before = now = changed(STATE, presses=start, lid_rises=start, cards_seen=start, levels=levels)
    truth: list[DriverEvent] = []
    told: list[DriverEvent] = []
    unreported = number = 0
    for act in [*acts, "report"]:
        if act == "lid":
            rises = LID_OPEN not in now.levels
            truth.append(LidOpened() if rises else LidClosed())
            now = changed(now, levels=now.levels ^ LID_OPEN, lid_rises=now.lid_rises + rises & 0xFFFF)
        elif act == "exit" and EXIT_BLOCKED not in now.levels:
            truth.append(ExitBlocked())
            now = changed(now, levels=now.levels ^ EXIT_BLOCKED)
        elif act == "exit" and unreported < 4:  # a report tells the last four of them
            unreported, number = unreported + 1, number + 1
            truth.append(ExitCleared(float(number), fed=False))
            dark_ms = {"blocked_ms_0": number, "blocked_ms_1": now.blocked_ms_0, "blocked_ms_2": now.blocked_ms_1}
            now = changed(now, **dark_ms, blocked_ms_3=now.blocked_ms_2)
            now = changed(now, levels=now.levels ^ EXIT_BLOCKED, cards_seen=now.cards_seen + 1 & 0xFFFF)
        elif act == "press":
            truth.append(Press())
            now = changed(now, presses=now.presses + 1 & 0xFFFF)
        elif act == "report":
            unreported = 0
            told += what_happened(before, now)
            before = now
    for kinds in (LID, EXIT, (Press,)):
        assert of(kinds, told) == of(kinds, truth)


def after_run(number: int, kind: wire.RunKind, cards: int, seen: int = 0) -> wire.State:
    return changed(STATE, run=number, run_kind=kind, run_cards=cards, cards_seen=seen)


@pytest.mark.parametrize(
    ("before", "after", "fed"),
    [
        ((1, wire.RunKind.FEED, 1), (1, wire.RunKind.FEED, 3), [True, True, False]),
        ((1, wire.RunKind.FEED, 4), (2, wire.RunKind.FEED, 2), [False, True, True]),
        ((1, wire.RunKind.FEED, 4), (1, wire.RunKind.FEED, 4), [False, False, False]),
        ((1, wire.RunKind.FEED, 254), (1, wire.RunKind.FEED, 1), [True, True, True]),
        ((0, wire.RunKind.NONE, 0), (1, wire.RunKind.FEED, 3), [True, True, True]),
        ((1, wire.RunKind.FEED, 2), (2, wire.RunKind.RETRACT, 0), [False]),
    ],
    ids=["one after its end", "one before it", "all after its end", "a count that wraps", "the first run", "retract"],
)
def test_what_left_before_a_feed_began_is_no_card_of_it(
    before: tuple[int, wire.RunKind, int], after: tuple[int, wire.RunKind, int], fed: list[bool]
) -> None:
    """However late it is heard of."""
    cleared = of((ExitCleared,), what_happened(after_run(*before), after_run(*after, seen=len(fed))))
    assert [card.fed for card in cleared if isinstance(card, ExitCleared)] == fed


@pytest.mark.parametrize(("was_open", "is_open", "lid"), [(0, 1, [LidOpened()]), (1, 0, [LidClosed()]), (1, 1, [])])
@pytest.mark.parametrize(
    ("was_dark", "is_dark", "exit_"), [(0, 1, [ExitBlocked()]), (1, 0, [ExitCleared(0.0)]), (1, 1, [])]
)
def test_after_a_restart_only_what_is_different_is_told(
    was_open: int, is_open: int, lid: list[DriverEvent], was_dark: int, is_dark: int, exit_: list[DriverEvent]
) -> None:
    levels = [wire.Level(up + 2 * dark) for up, dark in ((was_open, was_dark), (is_open, is_dark))]
    before, after = (changed(STATE, levels=each) for each in levels)
    before = changed(before, presses=7, cards_seen=7, lid_rises=7)
    assert list(what_is_different(before, after)) == [*lid, *exit_]
