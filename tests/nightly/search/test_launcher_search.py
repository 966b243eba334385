"""A search for the sequence of happenings that breaks a promise: Hypothesis plays launcher, hands and bad luck.

The rules are what can happen to a launcher at a table. Driver, simulator, machine, journal and service are the real
ones, in virtual time, the loop late or in time. What must hold is looked at on every change of a pin
(``watched.py``), after every rule, and at the end, when the journal is compared with what happened.
Hypothesis prints the shortest sequence that it finds.
"""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dispenser.launcher.messages import Refusal
from dispenser.simulator import SimulatorFault, SimulatorParameters
from tests.clocks.lateness import SeededLateness
from tests.nightly.search.watched import WatchedLauncher
from tests.service.test_service import with_settings

CELLS_FRESH_V, CELLS_FLAT_V = 4.8, 2.7
MILLISECONDS = st.integers(0, 400).map(lambda ms: ms / 1000)
"""Where bursts are: press to last card is some 100 ms without suspense."""
PINS: tuple[dict[str, object], ...] = (
    {},
    {"motor_enable": None},
    {"motor_backward": None, "motor_enable": None},
    {"exit": None},
    {"buzzer_active": True, "motor_pwm": False, "light": None},
    {"button_active_high": True, "lid_active_high": True, "exit_blocked_high": False},
)
LINES = ("button", "lid", "exit", "motor_forward", "motor_backward", "motor_enable", "buzzer", "light")
LATENESS_S = (0.0, 0.0, 0.02, 0.5)
"""How late the service's loop, and its disk, are at most."""


class Launcher(RuleBasedStateMachine):
    """One evening whose every act Hypothesis chooses."""

    launcher: WatchedLauncher | None = None

    @initialize(
        pins=st.sampled_from(PINS), late_s=st.sampled_from(LATENESS_S), lid_open=st.booleans(),
        cards=st.sampled_from([112, 20, 1, 0]), dice=st.randoms(use_true_random=False),
    )  # fmt: skip
    def begin(self, pins: dict[str, object], late_s: float, lid_open: bool, cards: int, dice: Random) -> None:
        suspense_s, seed = dice.choice((0.0, 0.0, 0.1, 1.0)), dice.randrange(1000)
        machine = {"suspense_min_s": suspense_s, "suspense_max_s": 2 * suspense_s, "max_tries": dice.randint(1, 3)}
        odds = {"preset": dice.choice(("toy", "gentle", "wild", "family"))}
        self.launcher = WatchedLauncher(
            f"search {seed}",
            settings=with_settings(pins=pins, odds=odds, launcher=machine),
            cards=cards,
            lid_open=lid_open,
            parameters=SimulatorParameters(wear=dice.choice((0.0, 1.0))),
            lateness=SeededLateness(seed, most_s=late_s) if late_s else None,
        )

    @property
    def now(self) -> WatchedLauncher:
        assert self.launcher is not None
        return self.launcher

    # --- time ---

    @rule(seconds=MILLISECONDS | st.sampled_from([0.0005, 1.0, 3.0, 30.0]))
    def time_passes(self, seconds: float) -> None:
        self.now.run(seconds)

    @rule()
    def until_idle(self) -> None:
        self.now.until_idle()

    # --- people ---

    @rule(hold_s=st.sampled_from([0.01, 0.03, 0.15, 2.0]))
    def push(self, hold_s: float) -> None:
        self.now.simulator.push_button(hold_s)

    @rule(times=st.sampled_from([1, 1, 2, 20]), cards=st.none() | st.integers(1, 12))
    def press(self, times: int, cards: int | None) -> None:
        for _ in range(times):
            self.now.press(cards)

    @rule(cards=st.none() | st.integers(0, 12))
    def order(self, cards: int | None) -> None:
        self.now.order(cards, Refusal.NOTHING_OWED if cards == 0 else None)

    @rule(cards=st.integers(1, 6), after_s=MILLISECONDS, then=st.none() | st.integers(0, 6))
    def order_in_a_burst(self, cards: int, after_s: float, then: int | None) -> None:
        """Ordered, pushed, and another order at some millisecond of that."""
        self.now.order(cards)
        self.now.press()
        self.now.run(after_s)
        self.now.order(then, Refusal.NOTHING_OWED if then == 0 else None)

    @rule(cards=st.integers(1, 6), after_s=st.integers(0, 700).map(lambda ms: ms / 1000), shut_s=MILLISECONDS)
    def lid_in_a_burst(self, cards: int, after_s: float, shut_s: float) -> None:
        """Up at some millisecond of a burst, and down again soon."""
        self.now.press(cards)
        self.now.run(after_s)
        self.now.lid(True)
        self.now.run(shut_s)
        self.now.lid(False)

    @rule(up=st.booleans())
    def lid(self, up: bool) -> None:
        self.now.lid(up)

    @rule()
    def take_card(self) -> None:
        self.now.take_card()

    @rule()
    def clear_jam(self) -> None:
        self.now.clear_jam()

    @precondition(lambda self: self.now.simulator.view().cards_in_stack < 60)
    @rule(cards=st.integers(1, 50))
    def load(self, cards: int) -> None:
        self.now.load(cards)

    @rule()
    def reset(self) -> None:
        self.now.reset()

    # --- bad luck ---

    @rule(fault=st.sampled_from(SimulatorFault), on=st.booleans(), cards=st.integers(1, 3))
    def fault(self, fault: SimulatorFault, on: bool, cards: int) -> None:
        self.now.fault(fault, on, cards)

    @rule(volts=st.sampled_from([CELLS_FRESH_V, 3.6, CELLS_FLAT_V, 1.0]))
    def other_cells(self, volts: float) -> None:
        self.now.simulator.set_cell_voltage(volts)

    @rule(which=st.just(set()) | st.sets(st.sampled_from(LINES)))
    def pins_fail(self, which: set[str]) -> None:
        lines = self.now.settings.pins.lines()
        self.now.eyes.outage({lines[name] for name in which if name in lines})

    @rule(lines=st.sets(st.sampled_from(["lid", "exit"])))
    def edges_go_missing(self, lines: set[str]) -> None:
        self.now.miss_edges(*lines)

    @rule(failing=st.booleans())
    def journal_fails(self, failing: bool) -> None:
        self.now.journal_fails(failing)

    # --- what must hold ---

    @invariant()
    def all_is_well(self) -> None:
        if self.launcher is not None:
            self.launcher.check()

    def teardown(self) -> None:
        if self.launcher is not None:
            with self.launcher:
                self.launcher.finish()


TestLauncher = Launcher.TestCase
TestLauncher.settings = settings(
    max_examples=2000,
    stateful_step_count=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
