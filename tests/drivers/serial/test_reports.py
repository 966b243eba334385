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
from tests.conftest import FakeScheduler
from tests.drivers.serial.fake_board import FakeBoard

LID = (LidOpened, LidClosed)
EXIT = (ExitBlocked, ExitCleared)


def board() -> FakeBoard:
    return FakeBoard(FakeScheduler())


def of(kinds: tuple[type, ...], events: Iterable[DriverEvent]) -> list[DriverEvent]:
    return [event for event in events if isinstance(event, kinds)]


@given(
    st.lists(st.sampled_from(["lid", "exit", "press", "report"]), max_size=60),
    st.integers(0, 0xFFFF),
    st.booleans(),
    st.booleans(),
)
def test_each_line_is_told_whole_whatever_reports_come(acts: list[str], start: int, up: bool, dark: bool) -> None:
    device = board()
    device.hosted = True
    device.presses = device.lid_rises = device.cards_seen = start
    device.lid_open, device.exit_blocked = up, dark
    before = device.state()
    truth: list[DriverEvent] = []
    told: list[DriverEvent] = []
    unreported = number = 0
    for act in [*acts, "report"]:
        if act == "lid":
            truth.append(LidClosed() if device.lid_open else LidOpened())
            device.lid(up=not device.lid_open)
        elif act == "exit" and not device.exit_blocked:
            truth.append(ExitBlocked())
            device.exit(blocked=True)
        elif act == "exit" and unreported < 4:  # a report tells the last four of them
            unreported, number = unreported + 1, number + 1
            truth.append(ExitCleared(float(number), fed=False))
            device.exit(blocked=False, dark_ms=number)
        elif act == "press":
            truth.append(Press())
            device.press()
        elif act == "report":
            after, unreported = device.state(), 0
            told += what_happened(before, after)
            before = after
    for kinds in (LID, EXIT, (Press,)):
        assert of(kinds, told) == of(kinds, truth)


STATE = board().state()


def after_run(number: int, kind: wire.RunKind, cards: int, seen: int = 0) -> wire.State:
    return msgspec.structs.replace(STATE, run=number, run_kind=kind, run_cards=cards, cards_seen=seen)


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
    before, after = (msgspec.structs.replace(STATE, levels=each) for each in levels)
    before = msgspec.structs.replace(before, presses=7, cards_seen=7, lid_rises=7)
    assert list(what_is_different(before, after)) == [*lid, *exit_]
