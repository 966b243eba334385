"""Calibration finds the parameters of any simulator; in virtual time, the seed in the test's name."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

import pytest

from dispenser.drivers.findings import Status
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.launcher.settings import MachineSettings
from dispenser.maintenance.calibrate import PUSHES, steps
from dispenser.maintenance.measured import Measured
from dispenser.maintenance.proposals import propose
from dispenser.maintenance.wizard import Answer, Wizard
from dispenser.simulator import SimulatorParameters
from tests.maintenance.rig import Workbench

SIMULATORS = {
    "the usual one": SimulatorParameters.flawless(),
    "slow": SimulatorParameters.flawless(card_period_ms=95.0, run_up_ms=40.0),
    "quick, short cards": SimulatorParameters.flawless(card_period_ms=45.0, card_length_mm=70.0, run_up_ms=15.0),
    "rolls on": SimulatorParameters.flawless(coast_ms=32.0, brake_ms=9.0),
    "worn contacts": SimulatorParameters.flawless(bounce_min_ms=1.0, bounce_max_ms=14.0),
    "misfeeds": SimulatorParameters.flawless(misfeed_probability_new=0.05),
}


def roll_on_ms(simulator: SimulatorParameters, tau_ms: float) -> tuple[float, float]:
    """How far (in ms at full speed) and for how long the roller turns after the motor is off, by the simulator."""
    friction = simulator.friction_v / (simulator.loaded_fresh_v - simulator.friction_v)
    lasts = math.log1p(1 / friction)
    return tau_ms * (1 - friction * lasts), tau_ms * lasts


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", SIMULATORS)
def test_calibrating_finds_the_simulator(name: str, seed: int) -> None:
    simulator = SIMULATORS[name]
    bench, measured = Workbench(simulator, seed=seed), Measured()
    findings = bench.go_through(Wizard(steps(bench.launcher(), measured)))
    assert [each.status for each in findings] == [Status.GOOD] * 5, [each.text for each in findings]
    blocked_ms = simulator.card_length_mm / simulator.full_speed_mm_s * 1e3
    coast_ms, coast_lasts_ms = roll_on_ms(simulator, simulator.coast_ms)
    brake_ms, brake_lasts_ms = roll_on_ms(simulator, simulator.brake_ms)
    assert statistics.median(measured.period) == pytest.approx(simulator.card_period_ms, rel=0.05)
    assert statistics.median(measured.blocked) == pytest.approx(blocked_ms, rel=0.03)
    assert measured.run_up_ms() == pytest.approx(simulator.run_up_ms, rel=0.1)
    assert measured.coast_ms() == pytest.approx(coast_ms, abs=1.5)
    assert measured.braked_ms() == pytest.approx(brake_ms, abs=2)
    assert 0.5 * coast_lasts_ms < max(measured.late) <= coast_lasts_ms
    for bounce in (measured.button_bounce, measured.lid_bounce):
        assert 0.3 * simulator.bounce_max_ms < max(bounce) <= simulator.bounce_max_ms
    timing, launcher = proposed(bench, measured)
    assert timing.button_settle_s * 1e3 > simulator.bounce_max_ms
    assert timing.coast_s * 1e3 > coast_lasts_ms
    assert timing.brake_s * 1e3 > brake_lasts_ms
    assert timing.exit_settle_s * 1e3 < simulator.gap_min_mm / simulator.full_speed_mm_s * 1e3
    assert launcher.blind_s * 1e3 > max(measured.first_after) * 1.5


def proposed(bench: Workbench, measured: Measured) -> tuple[GpioTiming, MachineSettings]:
    """The settings in force when all that is proposed is taken."""
    tables: dict[str, dict[str, float]] = {"timing": {}, "launcher": {}}
    for each in propose(measured, GpioTiming(), bench.settings, can_brake=bench.wiring.motor_backward is not None):
        tables[each.table][each.key] = each.proposed
    return replace(GpioTiming(), **tables["timing"]), replace(bench.settings, **tables["launcher"])  # type: ignore[arg-type]


def test_without_an_exit_sensor_the_contacts_are_measured_alone() -> None:
    bench, measured = Workbench(wiring=GpioWiring(exit=None)), Measured()
    findings = bench.go_through(Wizard(steps(bench.launcher(), measured)))
    assert [each.status for each in findings] == [Status.GOOD] * 2 + [Status.NOTE] * 3
    timing, launcher = proposed(bench, measured)
    assert launcher == bench.settings
    assert replace(timing, button_settle_s=0.025, lid_settle_s=0.05) == GpioTiming()


def test_a_launcher_that_brings_no_cards_is_told_what_to_look_at() -> None:
    bench, measured = Workbench(), Measured()
    bench.simulator.switch_fault("empty_stack")
    singles = bench.go_through(Wizard(steps(bench.launcher(), measured)))[2]
    assert (singles.status, measured.first_after) == (Status.WRONG, [])
    assert "Press the cards down" in singles.remedy


@pytest.mark.parametrize("check", ["singles", "bursts", "coasting"])
@pytest.mark.parametrize("moving", [True, False], ids=["in a run", "between two runs"])
def test_a_lid_that_was_lifted_and_shut_lets_no_motor_turn_before_somebody_says_so(check: str, moving: bool) -> None:
    bench, measured = Workbench(), Measured()
    wizard = Wizard(steps(bench.launcher(), measured))
    bench.go_through(wizard, lambda view: view.check == check and str(view.say) == "The motor turns.")
    for wanted in (True, moving):
        while bool(bench.simulator.view().motor_commanded) is not wanted:
            bench.run(0.01)
    bench.simulator.open_lid()
    bench.run(0.1)
    bench.simulator.close_lid()
    bench.motor.clear()
    bench.run(10)
    assert bench.motor == []
    assert (wizard.findings[-1].check, wizard.findings[-1].text) == (check, "the lid was open")
    assert Answer.AGAIN in wizard.view().answers


def test_quick_pushes_are_not_taken_for_bounce() -> None:
    """A settling time that a push cannot outlast makes a button dead."""
    bench, measured = Workbench(), Measured()
    push = bench.simulator.push_button
    bench.simulator.push_button = lambda hold_s=0.05: push(hold_s)  # type: ignore[method-assign]
    bench.go_through(Wizard(steps(bench.launcher(), measured)), lambda view: view.check == "lid")
    assert len(measured.button_bounce) == 2 * PUSHES
    assert max(measured.button_bounce) <= SimulatorParameters.flawless().bounce_max_ms
    assert proposed(bench, measured)[0].button_settle_s <= 0.03


def test_a_contact_that_bounces_as_long_as_a_push_is_not_waited_for() -> None:
    worn = SimulatorParameters.flawless(bounce_max_ms=60.0, bounce_worst_ms=90.0)
    bench, measured = Workbench(worn), Measured()
    bench.simulator.switch_fault("bouncing_button")
    findings = bench.go_through(Wizard(steps(bench.launcher(), measured)), lambda view: bool(view.findings))
    assert findings[0].status is Status.WRONG
    assert "worn" in findings[0].remedy
    assert measured.button_bounce == []
