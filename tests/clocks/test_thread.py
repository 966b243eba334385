"""A clock with a thread of its own, in real time. No test here passes or fails by how fast this machine is."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator

import pytest

from dispenser.clocks import ThreadClock

PATIENCE_S = 60.0
FAR_S = 3600.0


@pytest.fixture
def clock() -> Iterator[ThreadClock]:
    clock = ThreadClock("clock on trial")
    yield clock
    clock.close()


def test_timers_come_in_order_on_the_clocks_own_thread_and_not_before_their_time(clock: ThreadClock) -> None:
    seen: list[tuple[str, str]] = []
    over = threading.Event()
    begin_s = clock.time()

    def note(name: str, when_s: float) -> None:
        assert clock.time() >= when_s
        seen.append((name, threading.current_thread().name))
        if len(seen) == 3:
            over.set()

    for name, after_s in (("third", 0.03), ("first", 0.01), ("second", 0.02)):
        when_s = begin_s + after_s
        clock.call_at(when_s, lambda name=name, when_s=when_s: note(name, when_s))  # type: ignore[misc]
    assert over.wait(PATIENCE_S)
    assert seen == [(name, "clock on trial") for name in ("first", "second", "third")]


def test_a_nearer_timer_wakes_a_clock_that_sleeps_for_a_farther_one_and_none_comes_that_was_called_off(
    clock: ThreadClock,
) -> None:
    rung = threading.Event()
    clock.call_at(clock.time() + FAR_S, lambda: pytest.fail("far in the future"))
    when_s = clock.time()
    clock.call_at(when_s + 0.05, lambda: pytest.fail("called off")).cancel()
    clock.call_at(when_s + 0.05, rung.set)
    assert rung.wait(PATIENCE_S)


def test_an_error_is_logged_and_the_clock_goes_on(clock: ThreadClock, caplog: pytest.LogCaptureFixture) -> None:
    over = threading.Event()

    def fail() -> None:
        raise ZeroDivisionError("on purpose")

    with caplog.at_level(logging.ERROR):
        clock.call_at(clock.time(), fail)
        clock.call_at(clock.time(), over.set)
        assert over.wait(PATIENCE_S)
    assert "clock on trial" in caplog.text
    assert "on purpose" in caplog.text


def test_closing_waits_for_what_is_under_way_and_lets_nothing_follow() -> None:
    clock = ThreadClock("closing")
    begun, may_end = threading.Event(), threading.Event()
    done: list[str] = []

    def slow() -> None:
        begun.set()
        may_end.wait(PATIENCE_S)
        done.append("slow")

    clock.call_at(clock.time(), slow)
    assert begun.wait(PATIENCE_S)
    clock.call_at(clock.time(), lambda: done.append("too late"))
    threading.Timer(0.01, may_end.set).start()
    clock.close()
    clock.call_at(time.monotonic(), lambda: done.append("after the end"))
    clock.close()
    assert done == ["slow"]


def test_a_clock_may_be_closed_by_its_own_timer() -> None:
    clock = ThreadClock("closes itself")
    closed = threading.Event()
    clock.call_at(clock.time(), lambda: (clock.close(), closed.set()))
    assert closed.wait(PATIENCE_S)
