"""A seat is attended while its phone listens, and a minute more."""

from __future__ import annotations

from dispenser.service.presence import ATTENDED_S, Presence


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def test_nobody_is_here_who_was_never_heard() -> None:
    assert 1 not in Presence(Clock())


def test_a_phone_that_sleeps_keeps_its_seat_for_a_minute() -> None:
    clock = Clock()
    present = Presence(clock)
    present.come(1)
    clock.now_s += 10 * ATTENDED_S
    assert 1 in present
    present.go(1)
    clock.now_s += ATTENDED_S - 1
    assert 1 in present
    clock.now_s += 1
    assert 1 not in present


def test_one_of_two_phones_that_goes_leaves_the_other() -> None:
    clock = Clock()
    present = Presence(clock)
    present.come(1)
    present.come(1)
    present.go(1)
    clock.now_s += 2 * ATTENDED_S
    assert 1 in present


def test_who_was_here_before_a_restart_has_a_minute_to_come_back() -> None:
    clock = Clock()
    present = Presence(clock)
    present.expect([1, 2])
    assert 2 in present
    clock.now_s += ATTENDED_S
    assert 2 not in present
