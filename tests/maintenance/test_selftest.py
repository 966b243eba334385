"""The self-test: what is right passes, what is broken is found, at the step that can tell, and the motor is off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dispenser.drivers.base import DriverError, Levels
from dispenser.drivers.findings import Status
from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.i18n import Text
from dispenser.maintenance.bench import simulate_hand
from dispenser.maintenance.selftest import steps
from dispenser.maintenance.wizard import Answer, Hand, Wizard
from dispenser.maintenance.words import ACTS, ANEW_LABEL, HAND_LABEL, LABELS, TAKE_BACK_LABEL, key_of
from tests.maintenance.rig import Workbench

ALL = ("lid", "button", "barrier", "motor", "chime", "one card", "three cards")


def wrong(bench: Workbench) -> dict[str, str]:
    """What went wrong, and the advice, each step tried once."""
    findings = bench.go_through(Wizard(steps(bench.launcher())))
    assert tuple(finding.check for finding in findings) == ALL
    assert bench.simulator.view().motor_commanded == 0
    return {each.check: f"{each.text}: {each.remedy}" for each in findings if each.status is Status.WRONG}


def test_a_sound_launcher_passes_and_throws_four_cards() -> None:
    bench = Workbench()
    assert wrong(bench) == {}
    assert bench.simulator.view().cards_out == 4
    assert min(bench.motor) == -1.0


@pytest.mark.parametrize(
    ("fault", "found_by", "says"),
    [
        ("exit_stuck_dark", "barrier", "GPIO22"),
        ("exit_stuck_light", "one card", "exit sensor"),
        ("motor_dead", "one card", "batteries"),
        ("empty_stack", "one card", "Press the cards down"),
    ],
)
def test_each_fault_is_found_with_what_to_look_at(fault: str, found_by: str, says: str) -> None:
    bench = Workbench()
    bench.simulator.switch_fault(fault)
    found = wrong(bench)
    assert says in found[found_by]


@pytest.mark.parametrize(
    ("hand", "check", "says"),
    [(Hand.LIFT_LID, "lid", "GPIO27"), (Hand.PUSH_BUTTON, "button", "GPIO17"), (Hand.BLOCK_EXIT, "barrier", "GPIO22")],
)
def test_a_wire_that_is_off_is_named(hand: Hand, check: str, says: str) -> None:
    bench = Workbench()
    bench.tied = {hand}
    assert says in wrong(bench)[check]


@pytest.mark.parametrize(
    ("check", "answer", "says"),
    [
        ("motor", Answer.OTHER_WAY, "two wires"),
        ("motor", Answer.NO, "GPIO25"),
        ("chime", Answer.NO, "GPIO18"),
        ("three cards", Answer.NO, "two cards at once"),
    ],
)
def test_what_only_people_see_counts(check: str, answer: Answer, says: str) -> None:
    bench = Workbench()
    bench.answers = {check: answer}
    assert says in wrong(bench)[check]


def test_a_launcher_without_sensor_and_bridge_is_tested_as_far_as_it_goes() -> None:
    bench = Workbench(wiring=GpioWiring(exit=None, motor_backward=None, motor_enable=None))
    assert wrong(bench) == {}


def test_nothing_turns_with_the_lid_up() -> None:
    bench = Workbench()
    wizard = Wizard(steps(bench.launcher()))
    bench.go_through(wizard, lambda view: view.check == "motor")
    bench.simulator.open_lid()
    bench.run(1)
    bench.handle(Answer.GO)
    bench.run(3)
    assert bench.motor == []
    assert "shut the lid" in wizard.findings[-1].remedy


def test_a_step_that_went_wrong_can_be_done_again() -> None:
    bench = Workbench()
    bench.tied = {Hand.LIFT_LID}
    wizard = Wizard(steps(bench.launcher()))
    bench.go_through(wizard, lambda view: bool(view.findings))
    assert wizard.view().answers[0] is Answer.AGAIN
    bench.tied = set()
    bench.handle(Answer.AGAIN)
    assert wizard.findings == ()
    findings = bench.go_through_on(wizard)
    assert {each.status for each in findings} == {Status.GOOD}


@pytest.mark.parametrize(
    ("check", "at_first", "hand"),
    [("lid", Hand.LIFT_LID, Hand.SHUT_LID), ("barrier", Hand.BLOCK_EXIT, Hand.FREE_EXIT)],
)
def test_done_again_a_step_goes_by_what_the_inputs_show_by_then(check: str, at_first: Hand, hand: Hand) -> None:
    bench = Workbench()
    simulate_hand(bench.simulator, at_first)
    bench.run(1)
    bench.tied = {hand}
    wizard = Wizard(steps(bench.launcher()))
    bench.go_through(wizard, lambda view: bool(view.findings) and view.findings[-1].check == check)
    assert wizard.findings[-1].status is Status.WRONG
    bench.tied = set()
    simulate_hand(bench.simulator, hand)
    bench.run(1)
    bench.handle(Answer.AGAIN)
    assert {each.status for each in bench.go_through_on(wizard)} == {Status.GOOD}


def test_inputs_that_cannot_be_read_are_found_by_the_step_and_can_be_tried_again() -> None:
    bench = Workbench()
    answers: list[Levels | DriverError] = [DriverError(Text("a pin does not answer")), bench.levels(), bench.levels()]

    def levels() -> Levels:
        answer = answers.pop(0)
        if isinstance(answer, DriverError):
            raise answer
        return answer

    wizard = Wizard(steps(replace(bench.launcher(), levels=levels)))
    bench.join(wizard)
    assert (wizard.findings[0].status, str(wizard.findings[0].text)) == (Status.WRONG, "a pin does not answer")
    bench.handle(Answer.AGAIN)
    assert {each.status for each in bench.go_through_on(wizard)} == {Status.GOOD}


def test_a_lid_that_is_lifted_after_the_wizard_has_opened_is_seen_to_be_up() -> None:
    bench = Workbench()
    wizard = Wizard(steps(bench.launcher()))
    bench.simulator.open_lid()
    bench.run(1)
    assert {each.status for each in bench.go_through(wizard)} == {Status.GOOD}


def test_stopping_in_the_middle_of_a_run_turns_the_motor_off() -> None:
    bench = Workbench()
    wizard = Wizard(steps(bench.launcher()))
    bench.go_through(wizard, lambda view: view.check == "three cards")
    bench.handle(Answer.GO)
    bench.run(0.1)
    assert bench.simulator.view().motor_commanded == 1
    bench.handle(Answer.STOP)
    assert bench.simulator.view().motor_commanded == 0
    assert wizard.over
    assert [each.check for each in wizard.findings] == list(ALL[:-1])


def test_a_hand_that_never_comes_is_not_waited_for_for_ever() -> None:
    bench = Workbench()
    wizard = Wizard(steps(bench.launcher()))
    bench.join(wizard)
    bench.run(130)
    assert wizard.findings[0].text == "nothing happened"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_two_answers_have_the_same_key(language: str) -> None:
    always = [HAND_LABEL, ANEW_LABEL, TAKE_BACK_LABEL]
    for labels in (
        [*always, *(label for answer, label in LABELS.items() if answer is not Answer.NOTHING)],
        [*always, *(label for answer, label in LABELS.items() if answer is not Answer.NO)],  # never beside the other
        list(ACTS.values()),
    ):
        assert len({key_of(label[language]) for label in labels}) == len(labels)
