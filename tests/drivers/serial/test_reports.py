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


def with_run(device: FakeBoard, number: int, cards: int, kind: wire.RunKind = wire.RunKind.FEED) -> wire.State:
    return msgspec.structs.replace(device.state(), run=number, run_kind=kind, run_cards=cards)


@pytest.mark.parametrize(
    ("before", "after", "fed"),
    [
        ((1, 1), (1, 3), [True, True, False]),
        ((1, 4), (2, 2), [False, True, True]),
        ((1, 4), (1, 4), [False, False, False]),
        ((1, 254), (1, 1), [True, True, True]),
        ((0, 0), (1, 3), [True, True, True]),
    ],
    ids=["one after its end", "one before its begin", "all after its end", "a count that wraps", "the first run"],
)
def test_what_left_before_a_feed_began_is_no_card_of_it(
    before: tuple[int, int], after: tuple[int, int], fed: list[bool]
) -> None:
    """However late it is heard of."""
    device = board()
    first = with_run(device, *before, kind=wire.RunKind.FEED if before[0] else wire.RunKind.NONE)
    for _ in fed:
        device.exit(blocked=True)
        device.exit(blocked=False)
    cleared = of((ExitCleared,), what_happened(first, with_run(device, *after)))
    assert [card.fed for card in cleared if isinstance(card, ExitCleared)] == fed


def test_what_a_retract_clears_is_no_card_of_a_feed() -> None:
    device = board()
    first = with_run(device, 1, 2)
    device.exit(blocked=True)
    device.exit(blocked=False)
    told = list(what_happened(first, with_run(device, 2, 0, wire.RunKind.RETRACT)))
    assert told == [ExitBlocked(), ExitCleared(45.0, fed=False)]


@pytest.mark.parametrize("old", [(False, False), (False, True), (True, False), (True, True)])
@pytest.mark.parametrize("new", [(False, False), (False, True), (True, False), (True, True)])
def test_after_a_restart_only_what_is_different_is_told(old: tuple[bool, bool], new: tuple[bool, bool]) -> None:
    first, second = board(), board()
    first.presses = first.cards_seen = first.lid_rises = 7
    first.lid_open, first.exit_blocked = old
    second.lid_open, second.exit_blocked = new
    second.dark_ms = [0, 0, 0, 0]
    wanted: list[DriverEvent] = []
    if old[0] != new[0]:
        wanted.append(LidOpened() if new[0] else LidClosed())
    if old[1] != new[1]:
        wanted.append(ExitBlocked() if new[1] else ExitCleared(0.0))
    assert list(what_is_different(first.state(), second.state())) == wanted
