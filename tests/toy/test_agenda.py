"""The toy's clock and agenda: one timer, none at rest, and lateness that does not change the order."""

from __future__ import annotations

from functools import partial

import pytest

from dispenser.toy.agenda import Agenda
from tests.toy.rig import BenchScheduler


def test_things_happen_in_order_behind_one_timer() -> None:
    scheduler = BenchScheduler()
    agenda, seen = Agenda(scheduler), []
    for when in (100.3, 100.1, 100.2):
        agenda.at(when, partial(lambda when: seen.append((when, agenda.now())), when))
    assert scheduler.pending == 1
    scheduler.run_for(1.0)
    assert seen == [(100.1, 100.1), (100.2, 100.2), (100.3, 100.3)]
    assert agenda.empty
    assert scheduler.pending == 0


def test_what_is_called_off_leaves_no_timer() -> None:
    scheduler = BenchScheduler()
    agenda = Agenda(scheduler)
    agenda.cancel(agenda.at(100.1, lambda: pytest.fail("called off")))
    assert scheduler.pending == 0
    assert agenda.empty
    scheduler.run_for(1.0)


def test_late_things_happen_at_their_own_time_and_nothing_overtakes_them() -> None:
    scheduler = BenchScheduler(late_s=0.05)
    agenda, seen = Agenda(scheduler), []

    def first() -> None:
        seen.append(("first", agenda.now()))
        agenda.at(agenda.now() + 0.001, lambda: seen.append(("caused by first", agenda.now())))

    agenda.at(100.1, first)
    agenda.at(100.102, lambda: seen.append(("second", agenda.now())))
    scheduler.run_for(0.14)
    assert agenda.now() == 100.1, "an act from outside counts as done before what is overdue"
    scheduler.run_for(0.01)
    assert seen == [("first", 100.1), ("caused by first", 100.101), ("second", 100.102)]
    assert agenda.now() == 100.15


def test_a_callback_that_raises_does_not_stop_the_others() -> None:
    scheduler = BenchScheduler()
    agenda, seen = Agenda(scheduler), []

    def fail() -> None:
        raise ZeroDivisionError

    agenda.at(100.1, fail)
    agenda.at(100.2, lambda: seen.append(agenda.now()))
    with pytest.raises(ZeroDivisionError):
        scheduler.run_for(0.15)
    scheduler.run_for(1.0)
    assert seen == [100.2]


def test_timers_fall_on_whole_microseconds() -> None:
    scheduler = BenchScheduler()
    agenda, fired = Agenda(scheduler), []
    agenda.at(100.123_456_7, lambda: fired.append(scheduler.time()))
    scheduler.run_for(1.0)
    assert fired == [100.123457]
