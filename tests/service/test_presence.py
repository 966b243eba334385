"""A seat is attended while its phone listens, and a while longer."""

from __future__ import annotations

import pytest

from dispenser.service.presence import ATTENDED_S, Presence


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.mark.parametrize("how", ["its last phone has gone", "it is expected after a restart"])
def test_a_seat_is_attended_for_a_while_after_its_phone_was_heard(how: str) -> None:
    clock = Clock()
    present = Presence(clock)
    assert 1 not in present
    if how == "it is expected after a restart":
        present.expect([1, 2])
    else:
        present.come(1)
        present.come(1)
        present.go(1)
        clock.now_s += 10 * ATTENDED_S
        assert 1 in present, "one of two phones is there, and may sleep"
        present.go(1)
    clock.now_s += ATTENDED_S - 1
    assert 1 in present
    clock.now_s += 1
    assert 1 not in present
