"""One thing is wrong with the launcher: what it does then, and that it says so."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dispenser.launcher.messages import MAX_MOTOR_RUN_S
from dispenser.simulator import ToyFault, ToyParameters
from tests.service.watched import WatchedLauncher, with_settings


def launcher(name: str, *, cards: int = 112, **pins: object) -> WatchedLauncher:
    watched = WatchedLauncher(
        name,
        settings=with_settings(pins=pins, launcher={"suspense_min_s": 0.0, "suspense_max_s": 0.0}),
        cards=cards,
        parameters=ToyParameters.flawless(),
    )
    watched.run(0.3)
    return watched


def last(watched: WatchedLauncher, type_: str) -> dict[str, object]:
    return [entry.data for entry in watched.entries if entry.type == type_][-1]


def reason(watched: WatchedLauncher) -> object:
    """Why a press is refused now."""
    asked = watched.press(1)
    watched.run(0.05)
    return asked.result().data.get("reason")


# --- the exit sensor ----------------------------------------------------------------------------------------------


def test_a_sensor_stuck_dark_lets_nobody_press_and_says_why() -> None:
    with launcher("stuck dark") as watched:
        watched.fault(ToyFault.EXIT_STUCK_DARK, on=True)
        watched.run(0.1)
        assert reason(watched) == "exit_dark"
        assert watched.eyes.runs == 0
        assert not watched.toy.view().light_on
        watched.fault(ToyFault.EXIT_STUCK_DARK, on=False)
        watched.run(0.1)
        assert watched.toy.view().light_on
        assert reason(watched) is None


@pytest.mark.parametrize("after_ms", range(0, 400, 20))
def test_a_sensor_that_sticks_dark_in_a_burst_ends_it_as_a_jam(after_ms: int) -> None:
    with launcher(f"stuck dark after {after_ms} ms") as watched:
        watched.press(5)
        watched.run(after_ms / 1000)
        watched.fault(ToyFault.EXIT_STUCK_DARK, on=True)
        watched.until_idle()
        ended = last(watched, "launcher.burst.ended")
        if ended["cause"] == "complete":
            assert after_ms >= 300
            assert ended["sticking_out"]
        else:
            assert ended["cause"] == "jammed"
            assert watched.state == "jammed"
            assert reason(watched) == "jammed"
        assert watched.eyes.longest_s <= MAX_MOTOR_RUN_S


@pytest.mark.parametrize("volts", [4.8, 4.2, 3.6, 3.0, 2.7])
@pytest.mark.parametrize("cards", [1, 3])
def test_a_sensor_stuck_light_lets_two_cards_go_at_most_and_is_not_called_empty(cards: int, volts: float) -> None:
    with launcher("stuck light") as watched:
        watched.toy.set_cell_voltage(volts)
        watched.fault(ToyFault.EXIT_STUCK_LIGHT, on=True)
        watched.press(cards)
        watched.until_idle()
        ended = last(watched, "launcher.burst.ended")
        assert (ended["cause"], ended["delivered"], ended["tries"]) == ("blind", 0, 1)
        assert watched.state == "blind"
        assert "the sensor is blind" in str(watched.snapshot["detail"])
        assert reason(watched) == "blind"
        assert watched.eyes.longest_s <= watched.settings.launcher.blind_s + 0.001
        view = watched.toy.view()
        assert 1 <= view.cards_out + view.card_in_exit <= 2


@pytest.mark.parametrize("volts", [4.8, 4.2, 3.6, 3.0, 2.7])
def test_no_good_sensor_is_taken_for_a_blind_one(volts: float) -> None:
    with launcher(f"first cards at {volts} V") as watched:
        for _ in range(25):
            watched.toy.set_cell_voltage(volts)
            watched.press(1)
            watched.until_idle()
            assert last(watched, "launcher.burst.ended")["cause"] == "complete"
            watched.take_card()
            watched.run(0.3)
            if watched.toy.view().cards_in_stack < 10:
                watched.load(100)


# --- motor, cells, stack ------------------------------------------------------------------------------------------


def test_a_motor_that_never_moves() -> None:
    with launcher("motor dead") as watched:
        watched.fault(ToyFault.MOTOR_DEAD, on=True)
        watched.press(3)
        watched.until_idle()
        assert last(watched, "launcher.burst.ended")["cause"] == "blind"
        assert "motor" in str(watched.snapshot["detail"])
        assert reason(watched) == "blind"
        assert watched.rolled_out == 0


def test_a_motor_that_dies_in_a_burst_leaves_the_card_in_the_exit() -> None:
    ends = set()
    for ms in range(0, 400, 40):
        with launcher(f"motor dies after {ms} ms") as watched:
            watched.press(5)
            watched.run(ms / 1000)
            watched.fault(ToyFault.MOTOR_DEAD, on=True)
            watched.until_idle()
            ended = last(watched, "launcher.burst.ended")
            assert ended["delivered"] == watched.rolled_out + bool(ended["sticking_out"])
            assert watched.state == ("ready" if ended["cause"] == "complete" else ended["cause"])
            ends.add(ended["cause"])
    assert ends == {"jammed", "blind", "empty", "complete"}


@pytest.mark.parametrize("cards", range(6))
def test_an_empty_stack_delivers_what_there_is(cards: int) -> None:
    with launcher(f"{cards} cards", cards=cards) as watched:
        watched.press(5)
        watched.until_idle()
        ended = last(watched, "launcher.burst.ended")
        assert (ended["planned"], ended["delivered"]) == (5, cards)
        assert ended["cause"] == ("complete" if cards == 5 else "empty")
        assert watched.snapshot["cards_inside"] == 0
        if cards < 5:
            assert "load cards" in str(watched.snapshot["detail"])
            assert ended["tries"] == (2 if cards else 1)
            watched.load(20)
            assert watched.state == "ready"
            assert reason(watched) is None
            watched.until_idle()


@pytest.mark.parametrize("volts", [4.8, 3.6, 2.7, 2.0, 1.0, 0.0])
def test_cells_of_every_age_keep_the_limits(volts: float) -> None:
    with launcher(f"{volts} V") as watched:
        watched.toy.set_cell_voltage(volts)
        for _ in range(3):
            watched.press(5)
            watched.until_idle()
            watched.take_card()
            watched.run(0.3)
            if watched.state != "ready":
                break
        if volts <= 1.0:
            assert watched.state == "blind"
        if volts >= 2.7:
            assert watched.state == "ready"


def test_two_cards_as_one_are_counted_once_and_suspected() -> None:
    with launcher("doubles") as watched:
        watched.press(8)
        watched.until_idle()
        suspects = 0
        for _ in range(15):
            watched.press(3)
            watched.run(0.1)
            watched.fault(ToyFault.DOUBLE_FEED, on=True, cards=1)  # strikes the second card or the third
            watched.until_idle()
            ended = last(watched, "launcher.burst.ended")
            assert ended["delivered"] == 3 + bool(ended["sticking_out"])
            suspects += int(str(ended["suspected_doubles"]))
            watched.take_card()
            watched.run(0.2)
        out = watched.toy.view().cards_out
        assert out > watched.rolled_out + watched.taken_out, "there were doubles"
        assert suspects >= 7, f"{suspects} of 15; an overlap of a few millimetres cannot be told from a slow card"


# --- button and lid -----------------------------------------------------------------------------------------------

BOUNCES_MS = st.lists(st.floats(0.1, 20.0), max_size=20).map(lambda pauses: pauses[: len(pauses) // 2 * 2])


@given(down=BOUNCES_MS, up=BOUNCES_MS, hold_ms=st.integers(30, 2000))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_a_bouncing_button_gives_one_press(down: list[float], up: list[float], hold_ms: int) -> None:
    with launcher("bouncing") as watched:
        watched.toy.hands_off("button")

        def bounce(start_s: float, pauses_ms: list[float], level: bool) -> float:
            times = list(accumulate([start_s, *(ms / 1000 for ms in pauses_ms)]))
            for number, at_s in enumerate(times):
                state = level == (number % 2 == 0)
                watched.call_after(at_s, lambda state=state: watched.toy.drive_line("button", state))  # type: ignore[misc]
            return times[-1]

        rests_s = bounce(0.1, down, True)
        bounce(rests_s + hold_ms / 1000, up, False)
        watched.run(4.0)
        presses = [entry for entry in watched.entries if entry.type.startswith("launcher.press.")]
        assert len(presses) == 1


def test_a_button_that_stays_down_presses_once() -> None:
    with launcher("button stuck") as watched:
        watched.fault(ToyFault.BUTTON_STUCK, on=True)
        watched.run(60.0)
        assert [entry.type for entry in watched.entries if entry.type.startswith("launcher.press.")] == [
            "launcher.press.accepted"
        ]


def test_a_thousand_edges_of_the_button_in_a_second_are_no_press() -> None:
    with launcher("chattering button") as watched:
        watched.toy.hands_off("button")
        for number in range(1000):
            watched.call_after(number / 1000, lambda down=number % 2 == 0: watched.toy.drive_line("button", down))
        watched.run(2.0)
        assert not [entry for entry in watched.entries if entry.type.startswith("launcher.press.")]


def test_each_of_many_quick_pushes_is_a_press() -> None:
    with launcher("quick finger") as watched:
        for _ in range(200):
            watched.push(0.05)
            watched.run(0.1)
        watched.until_idle()
        presses = [entry for entry in watched.entries if entry.type.startswith("launcher.press.")]
        assert len(presses) == 200


def test_a_lid_contact_that_flutters_stops_the_motor_at_every_opening() -> None:
    with launcher("fluttering lid") as watched:
        watched.fault(ToyFault.LID_CONTACT_FLUTTER, on=True)
        for _ in range(40):
            watched.press(5)
            watched.run(0.7)
        ends = {entry.data["cause"] for entry in watched.entries if entry.type == "launcher.burst.ended"}
        assert "lid" in ends


# --- the pins -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", ["motor_forward", "motor_backward", "motor_enable", "lid", "button", "exit", "light", "buzzer"]
)
def test_a_pin_that_fails_at_any_moment_of_a_burst_leaves_the_motor_off(line: str) -> None:
    for ms in range(0, 500, 120):
        with launcher(f"{line} fails after {ms} ms") as watched:
            watched.press(5)
            watched.run(ms / 1000)
            watched.outage({watched.settings.pins.lines()[line]})
            watched.run(3.0)
            assert not watched.eyes.drives(), f"{watched.name}: one pin that fails does not keep the motor on"
            watched.outage(set())
            watched.run(2.0)


def test_pins_that_fail_altogether_at_any_moment_of_a_burst() -> None:
    for ms in range(0, 500, 40):
        with launcher(f"all pins fail after {ms} ms") as watched:
            watched.press(5)
            watched.run(ms / 1000)
            watched.outage(set(watched.settings.pins.lines().values()))
            watched.run(3.0)
            assert watched.state == "fault"
            watched.outage(set())
            watched.run(1.1)
            assert not watched.eyes.drives(), watched.name
            watched.run(1.0)
