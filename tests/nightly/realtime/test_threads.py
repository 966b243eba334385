"""The GPIO driver with real threads: none waits for another, and one that keeps the lock is found."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from dispenser.launcher.messages import FeedEnd, FeedEnded
from tests.drivers.gpio.rig import FEED, Rig, in_another_thread


def until(happens: Callable[[], object]) -> None:
    deadline_s = time.monotonic() + 30
    while not happens():
        assert time.monotonic() < deadline_s
        time.sleep(0.001)


def test_a_thread_that_keeps_the_lock_is_found_by_asking_for_a_sign_of_life() -> None:
    """Something hangs with the lock held, in a pin, say: actions are queued, and nobody will ever do them."""
    rig = Rig()
    reached, over, alive = threading.Event(), threading.Event(), threading.Event()
    rig.driver.check_alive(alive.set)
    rig.clock.run_for(1.0)
    assert alive.is_set()
    alive.clear()

    def hang(_: int, use: str) -> None:
        if use == "write" and not reached.is_set():
            reached.set()
            over.wait()

    rig.factory.meanwhile = hang
    stuck = threading.Thread(target=rig.driver.give, args=(FEED,))
    stuck.start()
    reached.wait()
    rig.driver.check_alive(alive.set)
    rig.clock.run_for(1.0)
    assert not alive.is_set()
    over.set()
    stuck.join()
    rig.close()


def test_every_thread_at_once_and_none_waits_for_another() -> None:
    """Hands, pins and loop hammer one driver; nobody holds the lock when all is over, and no action is left."""
    rig = Rig(clock=None)

    def edges() -> None:
        for number in range(2000):
            rig.exit(blocked=number % 2 == 0)
            rig.lid(up=number % 50 == 0)

    hands = threading.Thread(target=edges, name="pins")
    hands.start()
    while hands.is_alive():
        rig.driver.give(FEED)
        rig.driver.stop()
        rig.driver.reread()
        rig.clock.settle()
        time.sleep(0.0001)  # whoever has the lock works for all; a loop that never rests would keep it at that
    until(lambda: not rig.driver.levels().lid_open)
    rig.driver.give(FEED)
    assert rig.drives() == 1, "nobody holds the lock, and what was queued before has been done"
    rig.clock.settle()
    rig.events.clear()
    rig.driver.stop()
    until(lambda: rig.clock.settle() or rig.events)
    assert rig.events == [FeedEnded(FeedEnd.STOPPED, 0)], "no action was left"
    in_another_thread(lambda: rig.lid(up=True))
    assert rig.drives() == 0
    rig.close()
