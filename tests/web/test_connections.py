"""Connections without a token cannot keep out those who have one."""

from __future__ import annotations

import dataclasses

import pytest

from dispenser.web.connections import SPARE, STRANGERS, Connections


@dataclasses.dataclass(eq=False)
class Line:
    """A connection."""

    client: tuple[str, int]
    idle: bool = True
    dropped: bool = False

    def drop(self) -> None:
        self.dropped = True


class Desk:
    def __init__(self, streams: int = 0) -> None:
        self.connections = Connections(streams)
        self.lines: list[Line] = []

    def come(self, count: int = 1, *, address: str = "192.168.1.66", idle: bool = True) -> list[Line]:
        lines = [Line((address, len(self.lines) + number), idle) for number in range(count)]
        for line in lines:
            self.lines.append(line)
            self.connections.came(line)
        return lines

    @property
    def dropped(self) -> list[Line]:
        return [line for line in self.lines if line.dropped]


def test_strangers_have_their_places() -> None:
    desk = Desk()
    desk.come(STRANGERS)
    assert desk.dropped == []


def test_one_stranger_too_many_and_the_oldest_idle_one_goes() -> None:
    desk = Desk()
    (busy,) = desk.come(idle=False)
    first, second = desk.come(2)
    desk.come(STRANGERS - 2)
    assert desk.dropped == [first]
    desk.come()
    assert desk.dropped == [first, second]
    assert not busy.dropped


def test_of_the_address_that_has_the_most_of_them() -> None:
    desk = Desk()
    (guest,) = desk.come(address="192.168.1.5")
    crowd = desk.come(STRANGERS - 1)
    (other,) = desk.come(address="192.168.1.6")
    assert desk.dropped == [crowd[0]]
    assert not guest.dropped
    assert not other.dropped


def test_when_all_are_busy_the_oldest_goes() -> None:
    desk = Desk()
    lines = desk.come(STRANGERS + 1, idle=False)
    assert desk.dropped == lines[:1]


def test_who_has_passed_is_no_stranger_any_more_and_loses_no_place_to_them() -> None:
    desk = Desk()
    (known,) = desk.come()
    assert desk.connections.passed(known.client)
    assert desk.connections.passed(known.client)
    desk.come(5 * STRANGERS)
    assert not known.dropped
    assert len(desk.dropped) == 4 * STRANGERS


@pytest.mark.parametrize("streams", [0, 10])
def test_known_ones_have_as_many_places_as_streams_and_some_more(streams: int) -> None:
    desk = Desk(streams)
    for _ in range(streams + SPARE):
        assert desk.connections.passed(desk.come(idle=False)[0].client)
    (late,) = desk.come()
    assert not desk.connections.passed(late.client), "all the others are in use"
    assert desk.dropped == []
    desk.connections.left(desk.lines[0])
    assert desk.connections.passed(late.client)


def test_of_one_that_holds_all_places_one_goes_for_another_address() -> None:
    desk = Desk()
    greedy = desk.come(STRANGERS, idle=False)
    assert all(desk.connections.passed(line.client) for line in greedy)
    (late,) = desk.come(address="192.168.1.77", idle=False)
    assert desk.connections.passed(late.client)
    assert desk.dropped == greedy[:1]


def test_an_idle_known_one_makes_place_for_one_that_asks() -> None:
    desk = Desk()
    idle = [line for line in desk.come(STRANGERS) if desk.connections.passed(line.client)]
    assert len(idle) == SPARE
    (late,) = desk.come()
    assert desk.connections.passed(late.client)
    assert desk.dropped == idle[:1]


def test_who_has_left_takes_no_place_even_if_its_request_passes_after_that() -> None:
    desk = Desk()
    for _ in range(2 * SPARE):
        (line,) = desk.come(idle=False)
        desk.connections.left(line)
        desk.connections.left(line)
        assert desk.connections.passed(line.client)
    (late,) = desk.come(idle=False)
    assert desk.connections.passed(late.client)
    assert desk.dropped == []
