"""One thing is wrong with the launcher: what it does then, and that it says so."""

from __future__ import annotations

import pytest

from dispenser.launcher.messages import MAX_MOTOR_RUN_S
from dispenser.simulator import ToyFault
from tests.service.watched import WatchedLauncher, flawless

FRESH_V, OLD_V = 4.8, 2.7


def burst(watched: WatchedLauncher, cards: int, fault: ToyFault | None = None, after_ms: int = 0) -> dict[str, object]:
    """A press for so many cards, a fault so long after it, and its end."""
    watched.press(cards)
    if fault is not None:
        watched.run(after_ms / 1000)
        watched.fault(fault, on=True)
    watched.until_idle()
    return [entry.data for entry in watched.entries if entry.type == "launcher.burst.ended"][-1]


@pytest.mark.parametrize("after_ms", [0, 100, 200])
def test_a_sensor_that_sticks_dark_in_a_burst_ends_it_as_a_jam(after_ms: int) -> None:
    with flawless(f"stuck dark after {after_ms} ms") as watched:
        end = burst(watched, 5, ToyFault.EXIT_STUCK_DARK, after_ms)
        assert (end["cause"], watched.state, watched.snapshot["refusal"]) == ("jammed", "jammed", "jammed")
        assert watched.eyes.longest_s <= MAX_MOTOR_RUN_S


@pytest.mark.parametrize("volts", [FRESH_V, OLD_V])
@pytest.mark.parametrize("cards", [1, 3])
def test_a_sensor_stuck_light_lets_two_cards_go_at_most_and_is_not_called_empty(cards: int, volts: float) -> None:
    with flawless("stuck light") as watched:
        watched.toy.set_cell_voltage(volts)
        watched.fault(ToyFault.EXIT_STUCK_LIGHT, on=True)
        end = burst(watched, cards)
        assert (end["cause"], end["delivered"], end["tries"]) == ("blind", 0, 1)
        assert "the sensor is blind" in str(watched.snapshot["detail"])
        assert watched.snapshot["refusal"] == "blind"
        assert watched.eyes.longest_s <= watched.settings.launcher.blind_s + 0.001
        view = watched.toy.view()
        assert 1 <= view.cards_out + view.card_in_exit <= 2


@pytest.mark.parametrize("volts", [FRESH_V, OLD_V])
def test_a_sensor_that_sees_is_never_taken_for_a_blind_one_whatever_the_cells_have_left(volts: float) -> None:
    with flawless(f"first cards at {volts} V") as watched:
        watched.toy.set_cell_voltage(volts)
        for _ in range(25):
            watched.toy.set_cell_voltage(volts)
            assert burst(watched, 1)["cause"] == "complete"
            watched.take_card()
            watched.run(0.3)


def test_a_motor_that_dies_in_a_burst_leaves_the_card_in_the_exit() -> None:
    ends = set()
    for ms in range(0, 400, 40):
        with flawless(f"motor dies after {ms} ms") as watched:
            end = burst(watched, 5, ToyFault.MOTOR_DEAD, ms)
            assert end["delivered"] == watched.truth.rolled_out + bool(end["sticking_out"])
            assert watched.state == ("ready" if end["cause"] == "complete" else end["cause"])
            ends.add(end["cause"])
    assert ends == {"jammed", "blind", "empty", "complete"}


@pytest.mark.parametrize("cards", [0, 1, 4])
def test_an_empty_stack_delivers_what_there_is_and_is_ready_when_it_is_loaded(cards: int) -> None:
    with flawless(f"{cards} cards", cards=cards) as watched:
        end = burst(watched, 5)
        assert (end["planned"], end["delivered"], end["cause"]) == (5, cards, "empty")
        assert end["tries"] == (2 if cards else 1)
        assert watched.snapshot["cards_inside"] == 0
        assert "load cards" in str(watched.snapshot["detail"])
        watched.load(20)
        assert (watched.state, watched.snapshot["refusal"]) == ("ready", None)
        watched.until_idle()


def test_a_lid_contact_that_flutters_stops_the_motor_at_every_opening() -> None:
    with flawless("fluttering lid") as watched:
        watched.fault(ToyFault.LID_CONTACT_FLUTTER, on=True)
        for _ in range(40):
            watched.press(5)
            watched.run(0.7)
        assert "lid" in {entry.data["cause"] for entry in watched.entries if entry.type == "launcher.burst.ended"}


@pytest.mark.parametrize("line", ["motor_forward", "motor_backward", "motor_enable", "lid", "exit", "all"])
def test_pins_that_fail_at_any_moment_of_a_burst_leave_the_motor_off(line: str) -> None:
    for ms in range(0, 500, 120):
        with flawless(f"{line} fails after {ms} ms") as watched:
            pins = watched.settings.pins.lines()
            watched.press(5)
            watched.run(ms / 1000)
            watched.outage(set(pins.values()) if line == "all" else {pins[line]})
            watched.run(3.0)
            assert not watched.eyes.drives() or line == "all", "one pin that fails does not keep the motor on"
            watched.outage(set())
            watched.run(1.1)
            assert not watched.eyes.drives()
            assert watched.state == "fault" or line != "all"
            watched.run(1.0)
