"""The simulator in step with its clock: in real time on threads of its own that wait for nobody."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from gpiozero import DigitalInputDevice, DigitalOutputDevice, PWMOutputDevice

from dispenser.clocks import ThreadClock, Timer
from dispenser.clocks.virtual import VirtualWorld
from dispenser.simulator import Happening, Simulator, SimulatorFactory, SimulatorParameters, SimulatorValueError
from tests.simulator.rig import WIRING, Rig

PATIENCE_S = 60.0
"""How long a test waits for a thread before it says that nothing will come."""


@contextmanager
def running_simulator(
    *, cards: int = 20, clock: ThreadClock | None = None
) -> Iterator[tuple[Simulator, SimulatorFactory]]:
    factory = SimulatorFactory()
    simulator = Simulator(SimulatorParameters.flawless(), WIRING, factory, clock, 3, cards=cards)
    try:
        yield simulator, factory
    finally:
        simulator.close()
        factory.close()


def listen(factory: SimulatorFactory, gpio: int, heard: Callable[[float, bool], None]) -> list[object]:
    """Hear the edges of a wire; keep what is returned."""
    device = DigitalInputDevice(gpio, pull_up=True, bounce_time=None, pin_factory=factory)

    def changed(ticks: float, state: float) -> None:
        heard(ticks, bool(state))

    device.pin.when_changed = changed
    return [device, changed]


class Cards:
    """Hears the exit's edges of the simulator."""

    def __init__(self, factory: SimulatorFactory, cards: int) -> None:
        self.ticks: list[float] = []
        self.threads: set[str] = set()
        self.over = threading.Event()
        self._edges = 2 * cards
        self._kept = listen(factory, 13, self._on_edge)

    def _on_edge(self, ticks: float, _: bool) -> None:
        self.ticks.append(ticks)
        self.threads.add(threading.current_thread().name)
        if len(self.ticks) == self._edges:
            self.over.set()

    def wait(self) -> None:
        assert self.over.wait(PATIENCE_S), f"only {len(self.ticks)} edges came"


def times_of(cards: int) -> list[float]:
    """When the exit's edges come in virtual time, the motor started at 0 s."""
    rig = Rig.build(seed=3, cards=cards, scheduler=VirtualWorld())
    rig.motor.forward()
    rig.run(5.0)
    return [edge.at_s for edge in rig.edges]


def test_real_time_tells_the_times_of_virtual_time_however_late_this_machine_is() -> None:
    with running_simulator(cards=5) as (_, factory):
        cards = Cards(factory, 5)
        begin_s = factory.ticks()
        motor = DigitalOutputDevice(18, initial_value=True, pin_factory=factory)
        cards.wait()
        motor.close()
        assert begin_s <= cards.ticks[0] <= factory.ticks()
    since_first = [ticks - cards.ticks[0] for ticks in cards.ticks]
    expected = times_of(5)
    assert since_first == pytest.approx([ticks - expected[0] for ticks in expected], abs=1e-6)
    assert cards.threads == {"simulator-pins"}


def test_a_slow_callback_holds_up_other_edges_and_not_the_world() -> None:
    with running_simulator(cards=3) as (simulator, factory):
        may_go_on, pushed = threading.Event(), threading.Event()
        heard: list[bool] = []

        def slow(_: float, level: bool) -> None:
            heard.append(level)
            pushed.set()
            assert may_go_on.wait(PATIENCE_S)

        kept = listen(factory, 5, slow)
        cards = Cards(factory, 3)
        left = threading.Semaphore(0)
        simulator.add_listener(lambda event: left.release() if event.happening is Happening.CARD_LEFT else None)
        simulator.hold_button()
        assert pushed.wait(PATIENCE_S)
        motor = DigitalOutputDevice(18, initial_value=True, pin_factory=factory)
        for _ in range(3):
            assert left.acquire(timeout=PATIENCE_S)
        assert cards.ticks == []
        assert simulator.view().cards_out == 3
        may_go_on.set()
        cards.wait()
        assert cards.ticks == sorted(cards.ticks)
        motor.close()
        del kept


class CrankedClock(ThreadClock):
    """Its time is what a test says; what was set fires only when the test lets it."""

    def __init__(self) -> None:
        super().__init__("cranked")
        self.now_s = 0.0
        self._set: list[Timer] = []

    def time(self) -> float:
        return self.now_s

    def call_at(self, when: float, callback: Callable[[], None], /) -> Timer:
        self._set.append(Timer(when, len(self._set), callback))
        return self._set[-1]

    def fire(self) -> None:
        while self._set:
            callback = self._set.pop(0).callback
            if callback is not None:
                callback()


def test_writes_are_taken_at_their_own_times_by_a_thread_that_comes_late() -> None:
    clock = CrankedClock()
    with running_simulator(clock=clock) as (simulator, factory):
        motor = PWMOutputDevice(18, frequency=None, initial_value=0, pin_factory=factory)
        motor.on()
        clock.now_s = 0.2
        motor.off()
        clock.now_s = 0.3
        motor.value = 0.5
        clock.now_s = 0.4
        motor.off()
        clock.now_s = 10.0
        clock.fire()
        late = simulator.view()
    clock.close()
    rig = Rig.build(seed=3, cards=20, scheduler=VirtualWorld())
    for duty, seconds in ((1.0, 0.2), (0.0, 0.1), (0.5, 0.1), (0.0, 9.6)):
        rig.motor.forward(duty)
        rig.run(seconds)
    on_time = rig.simulator.view()
    assert (late.cards_out, late.cards_in_path) == (on_time.cards_out, on_time.cards_in_path)
    assert late.cards_out > 2
    assert late.cell_voltage_v == pytest.approx(on_time.cell_voltage_v, abs=1e-9)


def test_hands_writes_and_callbacks_that_share_a_lock_never_wait_for_one_another() -> None:
    with running_simulator() as (simulator, factory):
        theirs = threading.Lock()
        light, motor, blinking = (DigitalOutputDevice(gpio, pin_factory=factory) for gpio in (21, 18, 19))

        def reflex(_: float, __: bool) -> None:
            with theirs:
                light.toggle()

        kept = [*listen(factory, 5, reflex), *listen(factory, 6, reflex), *listen(factory, 13, reflex)]

        def write() -> None:
            for _ in range(200):
                with theirs:
                    motor.on()
                    motor.off()
                blinking.toggle()

        def hands() -> None:
            for _ in range(100):
                simulator.hold_button()
                simulator.open_lid()
                simulator.view()
                simulator.release_button()
                simulator.close_lid()

        threads = [threading.Thread(target=each, daemon=True) for each in (write, write, hands, hands)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_S)
        assert not any(thread.is_alive() for thread in threads), "a deadlock"
        motor.off()
        assert simulator.view().motor_commanded == -blinking.value, (
            "the simulator believes the last of two threads' writes"
        )
        del kept


def test_a_simulator_that_is_closed_leaves_no_thread_behind() -> None:
    before = set(threading.enumerate())
    with running_simulator() as (simulator, _):
        assert {thread.name for thread in set(threading.enumerate()) - before} == {"simulator", "simulator-pins"}
        simulator.push_button()
    with pytest.raises(SimulatorValueError), running_simulator(cards=1000):
        pass
    assert set(threading.enumerate()) <= before
