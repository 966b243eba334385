"""Which thread may touch what, as ``drivers/gpio/run_supervisor.py`` says: checked at every attribute written."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from pytest_mock import MockerFixture

from dispenser.clocks import ThreadClock
from dispenser.drivers.base import IDLE_QUESTION_S, DriverEvent, Edge
from dispenser.drivers.gpio.driver import MAX_UNANSWERED, GpioDriver
from dispenser.drivers.gpio.inputs import DebouncedInput
from dispenser.drivers.gpio.motor import Motor
from dispenser.drivers.gpio.run import Run
from dispenser.drivers.gpio.run_supervisor import RunSupervisor
from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.launcher.messages import Chime, Feed, FeedEnd, FeedEnded
from dispenser.service.assembly import toy_wiring
from dispenser.service.settings import Settings
from dispenser.simulator import Toy, ToyFactory, ToyParameters
from tests.drivers.gpio.rig import FEED, Rig, in_another_thread

UNDER_THE_LOCK = (RunSupervisor, Run, DebouncedInput)


class RecordedLock:
    """The lock of a run supervisor that knows who holds it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.owner: int | None = None

    def acquire(self, *, blocking: bool) -> bool:
        taken = self._lock.acquire(blocking=blocking)
        if taken:
            self.owner = threading.get_ident()
        return taken

    def release(self) -> None:
        self.owner = None
        self._lock.release()

    def __enter__(self) -> None:
        self.acquire(blocking=True)

    def __exit__(self, *_: object) -> None:
        self.release()


class Law:
    """Watches every write to the run supervisor, its run and its inputs, once ``lock`` is set."""

    def __init__(self, mocker: MockerFixture) -> None:
        self.broken: list[str] = []
        self.writes = 0
        self.lock: RecordedLock | None = None
        mocker.patch("dispenser.drivers.gpio.run_supervisor.Lock", self._make_lock)
        for kind in UNDER_THE_LOCK:
            mocker.patch.object(kind, "__setattr__", self._watched(kind), create=True)

    def _watched(self, kind: type) -> Callable[[Any, str, Any], None]:
        def write(thing: Any, name: str, value: Any) -> None:
            if self.lock is not None:
                self.writes += 1
                if self.lock.owner != threading.get_ident():
                    self.broken.append(f"{kind.__name__}.{name} in {threading.current_thread().name}")
            object.__setattr__(thing, name, value)

        return write

    def watch(self) -> None:
        """From now on; a run supervisor that is being made has no lock yet."""
        self.lock = self._made

    def _make_lock(self) -> RecordedLock:
        self._made = RecordedLock()
        return self._made


@pytest.fixture
def law(mocker: MockerFixture) -> Iterator[Law]:
    law = Law(mocker)
    yield law
    assert law.broken == []
    assert law.writes > 100


class Loop:
    """The service's thread, as far as the driver knows it: calls come in, and are taken when ``take`` is called."""

    def __init__(self) -> None:
        self._calls: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def time(self) -> float:
        return time.monotonic()

    def call_at(self, _when: float, callback: Callable[[], None], /) -> Any:
        return threading.Timer(3600.0, callback)  # notes of a chime, that nobody waits for

    def call_soon_threadsafe(self, callback: Callable[[], None], /) -> None:
        with self._lock:
            self._calls.append(callback)

    def take(self) -> None:
        with self._lock:
            calls, self._calls = self._calls, []
        for call in calls:
            call()


def test_the_run_supervisor_is_written_under_its_lock_only_and_each_burst_is_right(law: Law) -> None:
    """The toy in a thread of its own, the alarm in another, a hasty loop in this one; edges as they come."""
    loop, factory, dice = Loop(), ToyFactory(), Random(7)
    world = ThreadClock("world")
    toy = Toy(ToyParameters.flawless(), toy_wiring(Settings()), factory, world, 7, cards=112)
    driver = GpioDriver(
        GpioWiring(),
        factory,
        loop,
    )
    events: list[DriverEvent] = []
    edges: list[Edge] = []
    tellers: set[int] = set()

    def hear(event: DriverEvent) -> None:
        events.append(event)
        tellers.add(threading.get_ident())

    driver.open(hear, edges.append)
    law.watch()
    out = 0
    for burst in range(12):
        cards = dice.randint(1, 5)
        driver.feed(Feed(cards=cards, timeout_s=3.0, stall_s=1.0, blind_s=1.0))
        while sum(isinstance(event, FeedEnded) for event in events) <= burst:
            driver.reread()
            driver.levels()
            driver.play(Chime.FIRE)
            driver.light(dice.random() < 0.5)
            time.sleep(dice.choice((0.0, 0.001, 0.02)))
            loop.take()
        (ended,) = [event for event in events if isinstance(event, FeedEnded)][burst:]
        view = toy.view()
        assert ended.cards_seen == view.cards_out - out, f"burst {burst} of {cards}"
        out = view.cards_out
        toy.take_card()
        out = toy.view().cards_out
        while driver.levels().exit_blocked:
            time.sleep(0.001)
        loop.take()
    driver.close()
    toy.close()
    world.close()
    factory.close()
    assert tellers == {threading.get_ident()}, "events reach the sink on the loop's thread"


def until(happens: Callable[[], object]) -> None:
    give_up_s = time.monotonic() + 30.0
    while not happens():
        assert time.monotonic() < give_up_s
        time.sleep(0.001)


def test_a_thread_that_keeps_the_lock_is_found_by_asking_for_a_sign_of_life() -> None:
    """Something hangs with the lock held, in a pin, say: actions are queued, and nobody will ever do them."""
    rig = Rig()
    reached, over = threading.Event(), threading.Event()
    for _ in range(10):
        rig.driver.reread()
        rig.clock.run_for(1.0)
    assert not rig.driver.hangs

    def hang(_: int, use: str) -> None:
        if use == "write" and not reached.is_set():
            reached.set()
            over.wait()

    rig.factory.meanwhile = hang
    stuck = threading.Thread(target=rig.driver.feed, args=(FEED,))
    stuck.start()
    reached.wait()
    for _ in range(MAX_UNANSWERED + IDLE_QUESTION_S):
        rig.driver.reread()
        rig.clock.run_for(1.0)
    assert rig.driver.hangs
    over.set()
    stuck.join()
    rig.close()


def test_every_thread_at_once_and_none_waits_for_another(law: Law) -> None:
    """Hands, pins and loop hammer one driver; nobody holds the lock when all is over, and no action is left."""
    rig = Rig(clock=None)
    law.watch()

    def edges() -> None:
        for number in range(2000):
            rig.exit(blocked=number % 2 == 0)
            rig.lid(up=number % 50 == 0)

    hands = threading.Thread(target=edges, name="pins")
    hands.start()
    while hands.is_alive():
        rig.driver.feed(FEED)
        rig.driver.stop()
        rig.driver.reread()
        rig.clock.settle()
        time.sleep(0.0001)  # whoever has the lock works for all; a loop that never rests would keep it at that
    until(lambda: not rig.driver.levels().lid_open)
    rig.driver.feed(FEED)
    assert rig.drives() == 1, "nobody holds the lock, and what was queued before has been done"
    rig.clock.settle()
    rig.events.clear()
    rig.driver.stop()
    until(lambda: rig.clock.settle() or rig.events)
    assert rig.events == [FeedEnded(FeedEnd.STOPPED, 0)], "no action was left"
    in_another_thread(lambda: rig.lid(up=True))
    assert rig.drives() == 0
    rig.close()


def test_the_motors_pins_are_written_under_the_lock_but_for_off(mocker: MockerFixture) -> None:
    """Whatever locks or brakes the motor holds the lock; off needs none."""
    lock = RecordedLock()
    mocker.patch("dispenser.drivers.gpio.run_supervisor.Lock", return_value=lock)
    rig = Rig()
    written: list[int | None] = []
    for name in ("forward", "backward", "brake"):
        before = getattr(Motor, name)
        mocker.patch.object(Motor, name, lambda *given, before=before: (written.append(lock.owner), before(*given))[1])
    for _ in range(3):
        rig.driver.feed(FEED)
        rig.card()
        rig.card()
        rig.clock.run_for(1.0)
    assert len(written) == 6
    assert set(written) == {threading.get_ident()}
    rig.close()
