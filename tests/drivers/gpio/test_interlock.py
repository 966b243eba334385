"""The lid against every other thread, at every point; edges from threads and in floods."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.launcher.messages import (
    ExitBlocked,
    Feed,
    FeedEnd,
    FeedEnded,
    LidClosed,
    LidOpened,
    Press,
    Retract,
    RetractEnded,
)
from tests.drivers.gpio.rig import FEED, RETRACT, WIRINGS, Rig, in_another_thread


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    rig.close()


# --- the interlock against a start, at every point ----------------------------------------------------------------


def rise(rig: Rig) -> None:
    rig.lid(up=True)


def flick(rig: Rig) -> None:
    """Up and back at once, as a contact that bounces: the level reads shut again."""
    rig.lid(up=True)
    rig.lid(up=False)


def flutter(rig: Rig) -> None:
    for up in (True, False, True, False, True):
        rig.lid(up=up)


def at_use(rig: Rig, number: int, act: Callable[[], None]) -> Callable[[], bool]:
    """Let another thread act right after the ``number``-th use of a pin; returns whether that has come."""
    uses = 0

    def meanwhile(*_: object) -> None:
        nonlocal uses
        if threading.current_thread().name == "pins":
            return
        uses += 1
        if uses == number:
            in_another_thread(act)

    rig.factory.meanwhile = meanwhile
    return lambda: uses >= number


@pytest.mark.parametrize("move", [rise, flick, flutter])
@pytest.mark.parametrize("command", [FEED, RETRACT], ids=["feed", "retract"])
@pytest.mark.parametrize("wiring", WIRINGS.values(), ids=list(WIRINGS))
def test_the_lid_wins_at_every_point_of_a_start(
    wiring: GpioWiring, command: Feed | Retract, move: Callable[[Rig], None]
) -> None:
    if isinstance(command, Retract) and wiring.motor_backward is None:
        return
    for number in count():
        rig = Rig(wiring)
        if number == 0:
            in_another_thread(lambda rig=rig: move(rig))  # type: ignore[misc]
        reached = at_use(rig, number, lambda rig=rig: move(rig))  # type: ignore[misc]
        rig.driver.give(command)
        rig.factory.meanwhile = None
        if not reached():
            break
        assert rig.drives() == 0, f"after use {number}: the lid has been up and the motor runs"
        rig.clock.run_for(2.0)
        assert rig.drives() == 0
        assert rig.of(LidOpened) == [LidOpened()], number
        (ended,) = rig.of(FeedEnded, RetractEnded)
        assert ended.cause is FeedEnd.LID, number  # type: ignore[union-attr]
        rig.close()
    assert number > 2


@pytest.mark.parametrize("move", [rise, flick, flutter])
@pytest.mark.parametrize("wiring", WIRINGS.values(), ids=list(WIRINGS))
def test_the_lid_wins_at_every_point_of_the_end_of_a_feed(wiring: GpioWiring, move: Callable[[Rig], None]) -> None:
    """Braking sets pins high, too: the lid's callback in between must not leave one of them so."""

    for number in count(1):
        rig = Rig(wiring)
        rig.driver.give(FEED)
        rig.card()
        rig.exit(blocked=True)
        rig.clock.run_for(0.04)
        reached = at_use(rig, number, lambda rig=rig: move(rig))  # type: ignore[misc]
        rig.exit(blocked=False)
        for _ in range(1000):
            if reached():
                assert rig.drives() == 0, f"after use {number}"
            rig.clock.run_for(0.001)
        assert rig.drives() == 0
        assert len(rig.of(FeedEnded)) == 1
        rig.close()
        if not reached():
            break
    assert number > 1


# --- threads ------------------------------------------------------------------------------------------------------


def test_edges_of_another_thread_are_told_on_the_schedulers_thread_in_order(rig: Rig) -> None:
    def hands() -> None:
        rig.button(down=True)
        rig.exit(blocked=True)
        rig.lid(up=True)

    in_another_thread(hands)
    assert rig.events == []
    assert [edge.line for edge in rig.edges] == []
    rig.clock.run_for(1.0)
    assert rig.events == [LidOpened(), ExitBlocked(), Press()]
    assert [edge.line for edge in rig.edges] == ["button", "exit", "lid"]
    assert rig.threads == {threading.current_thread().name}


def test_a_flood_of_edges_drops_no_event(rig: Rig) -> None:
    for number in range(10_001):
        rig.exit(blocked=number % 2 == 0)
    in_another_thread(lambda: flick(rig))
    rig.button(down=True)
    assert rig.events == []
    rig.clock.run_for(1.0)
    assert [edge.line for edge in rig.edges[-3:]] == ["lid", "lid", "button"]
    assert rig.events == [LidOpened(), ExitBlocked(), Press(), LidClosed()]
    rig.driver.give(FEED)
    assert rig.drives() == 1, "an edge that nobody will hear of again must not lock the motor for ever"
