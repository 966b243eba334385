"""Random traces of a launcher's three inputs, made by hands alone or by the simulator behind the Python driver."""

from __future__ import annotations

from random import Random

from dispenser.service.assembly import simulator_wiring
from dispenser.service.settings import Settings
from dispenser.simulator import Simulator, SimulatorParameters
from tests.conftest import FakeScheduler
from tests.drivers.gpio.mock_pins import TroubleFactory
from tests.firmware.reference import Edge, Reference
from tests.simulator.fault_plans import follow, random_faults

Outcomes = list[tuple[int, int]]
Trace = tuple[Outcomes, list[Edge], int]
"""Outcomes of the odds, edges in order of time, and when it ends, microseconds."""


def outcomes(random: Random) -> Outcomes:
    """More than a trace can use: (cards, suspense in ms)."""
    return [(random.randint(1, 8) if random.random() < 0.6 else 0, random.randint(600, 1600)) for _ in range(100)]


class _Wave:
    """One line's levels over time; later pulses are laid over earlier ones."""

    def __init__(self) -> None:
        self._pulses: list[tuple[int, int]] = []

    def pulse(self, at_us: float, length_us: float) -> None:
        self._pulses.append((round(at_us), round(at_us + max(length_us, 1))))

    def edges(self, line: str, start_us: int, end_us: int) -> list[Edge]:
        merged: list[tuple[int, int]] = []
        for start, end in sorted(self._pulses):
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(merged[-1][1], end))
            else:
                merged.append((start, end))
        both = [Edge(us, line, active) for pulse in merged for us, active in zip(pulse, (True, False), strict=True)]
        return [edge for edge in both if start_us <= edge.us < end_us]


def _bouncing(random: Random, wave: _Wave, at_us: float, length_us: float, bounce_us: float) -> None:
    """A pulse whose first contact bounces."""
    for _ in range(random.randint(0, 4)):
        gap = random.uniform(50, bounce_us)
        wave.pulse(at_us, gap)
        at_us += gap + random.uniform(50, bounce_us)
    wave.pulse(at_us, length_us)


def _cards(random: Random, wave: _Wave, at_us: float, cards: int, longest_gap_us: float) -> float:
    """So many, one after the other, some with a hole or a glint; when the last one is out."""
    for _ in range(cards):
        dark_us = random.uniform(20_000, 80_000)
        if random.random() < 0.3:
            hole_us = random.uniform(0.1, 0.9) * dark_us
            wave.pulse(at_us, hole_us)
            at_us += hole_us + random.uniform(50, 3_500)
        wave.pulse(at_us, dark_us)
        at_us += dark_us + random.uniform(8_000, longest_gap_us)
    return at_us


ACTS = {"press": 30, "tap": 4, "lid": 7, "flutter": 3, "cards": 30, "stream": 16, "stuck": 24, "hold": 4, "dirt": 6}
"""What hands do, and how often each of them."""


def by_hand(seed: int) -> Trace:
    """Hands that know nothing of the motor: presses, lids, cards and dirt in the barrier at random times."""
    random = Random(f"trace by hand {seed}")
    button, lid, barrier = _Wave(), _Wave(), _Wave()
    end_us = random.randint(4, 16) * 1_000_000
    at_us = random.uniform(100_000, 800_000)
    while at_us < end_us - 1_000_000:
        (act,) = random.choices(tuple(ACTS), tuple(ACTS.values()))
        if act in {"press", "stream", "stuck"}:
            _bouncing(random, button, at_us, random.uniform(30_000, 400_000), 6_000)
        elif act == "tap":
            button.pulse(at_us, random.uniform(100, 24_000))
        elif act == "lid":
            _bouncing(random, lid, at_us, random.uniform(1_000, 2_000_000), 6_000)
        elif act == "flutter":
            lid.pulse(at_us, random.uniform(100, 5_000))
        elif act == "cards":
            card_us = at_us + random.uniform(0, 1_500_000)
            _cards(random, barrier, card_us, random.randint(1, 8), longest_gap_us=40_000)
        if act == "stream":  # of cards, from when the press may be answered
            at_us += random.uniform(300_000, 900_000)
            at_us = _cards(random, barrier, at_us, random.randint(5, 40), longest_gap_us=100_000)
        elif act == "stuck":  # comes when the press may be answered, and stays
            at_us += random.uniform(600_000, 1_700_000)
            longest_us = random.choice((700_000, 4_000_000))  # the shorter ones are over when the retract is
            barrier.pulse(at_us, random.uniform(100_000, longest_us))
        elif act == "hold":
            barrier.pulse(at_us, random.uniform(200_000, 3_000_000))
        elif act == "dirt":
            barrier.pulse(at_us, random.uniform(100, 2_900))
        at_us += random.expovariate(1 / 700_000)
    edges = [
        *button.edges("button", 50_000, end_us),
        *lid.edges("lid", 50_000, end_us),
        *barrier.edges("exit", 50_000, end_us),
    ]
    return outcomes(random), sorted(edges, key=lambda edge: edge.us), end_us + 3_000_000


def by_simulator(seed: int) -> Trace:
    """A person with a simulator that has faults; the Python launcher drives its motor."""
    random = Random(f"trace by simulator {seed}")
    scheduler, factory = FakeScheduler(0.0), TroubleFactory()
    settings = Settings()
    simulator = Simulator(
        SimulatorParameters(wear=random.random()),
        simulator_wiring(settings),
        factory,
        scheduler,
        seed,
        cards=random.randint(0, 60),
    )
    pins = settings.pins
    lines = {pins.lid: ("lid", True), pins.button: ("button", False), pins.exit: ("exit", True)}
    drawn = outcomes(random)
    reference = Reference(drawn, scheduler, factory)
    reference.switch_on()
    edges: list[Edge] = []
    levels = dict.fromkeys(("lid", "button", "exit"), False)

    def record(gpio: int, level: bool) -> None:
        line, high = lines[gpio]
        if levels[line] != (level == high):
            levels[line] = level == high
            edges.append(Edge(reference.now_us(), line, levels[line]))

    factory.on_input = record
    follow(simulator, scheduler, random_faults(seed, duration_s=12.0, faults_per_minute=12.0))
    for _ in range(random.randint(2, 6)):
        scheduler.run_for(random.uniform(0.05, 3.0))
        act = random.choices(("press", "lid", "take"), (8, 2, 1))[0]
        if act == "press":
            simulator.push_button(random.uniform(0.05, 0.4))
        elif act == "take":
            simulator.take_card()
        else:
            simulator.open_lid()
            scheduler.run_for(random.uniform(0.001, 1.5))
            simulator.clear_jam()
            simulator.close_lid()
    scheduler.run_for(5.0)
    end_us = reference.now_us()
    reference.close()
    simulator.close()
    return drawn, edges, end_us
