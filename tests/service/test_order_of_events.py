"""Lid, exit, fault, reset and feed in an awkward order: each is told once, and as it was."""

from __future__ import annotations

from functools import partial

from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.launcher.settings import MachineSettings
from dispenser.simulator import ToyParameters
from tests.launcher.scripted import ScriptedOdds
from tests.service.watched import WatchedLauncher, with_settings


def launcher(name: str, **launcher_settings: object) -> WatchedLauncher:
    watched = WatchedLauncher(
        name, settings=with_settings(launcher=launcher_settings), parameters=ToyParameters.flawless()
    )
    watched.run(0.2)
    return watched


def told(watched: WatchedLauncher, type_: str) -> list[dict[str, object]]:
    return [entry.data for entry in watched.entries if entry.type == type_]


def test_the_end_of_a_cut_feed_does_not_fall_to_the_next_press() -> None:
    """Lid up in a burst and shut again within the coast: the driver's ``FeedEnded`` came after the next press, whose
    burst took over the cards of the one before (evenings 19, 52 and 60)."""
    with launcher("lid flicked", suspense_min_s=0.2, suspense_max_s=0.2) as watched:
        watched.press(5)
        watched.run(0.15)
        watched.lid(True)
        watched.run(0.02)
        watched.lid(False)
        for _ in range(30):
            watched.press()
            watched.run(0.01)
            watched.take_card()
        watched.until_idle()
        first, second = told(watched, "launcher.burst.ended")[:2]
        assert first["cause"] == "lid"
        assert second["delivered"] == second["planned"]


def test_a_card_pulled_back_in_has_not_left_though_the_lid_rose_meanwhile() -> None:
    """Lid up in a retract: the machine was in ``open`` when the card cleared the barrier backward, and counted it."""
    machine = LauncherMachine(MachineSettings(), ScriptedOdds([1]), cards_inside=10)
    machine.step(m.SwitchOn(lid_open=False), 0.0)
    machine.step(m.Press(cards=2), 1.0)
    machine.step(m.ExitBlocked(), 1.1)
    assert m.Retract in [type(output) for output in machine.step(m.FeedEnded(m.FeedEnd.STALL, 0, True), 1.7)]
    machine.step(m.LidOpened(), 1.75)
    cleared = machine.step(m.ExitCleared(650.0), 1.76)
    assert not [output for output in cleared if isinstance(output, m.CardLeft)]
    ended = machine.step(m.RetractEnded(m.FeedEnd.LID), 1.9)
    assert [output.delivered for output in ended if isinstance(output, m.BurstEnded)] == [0]
    assert machine.snapshot().cards_inside == 10


def test_what_cleared_the_exit_before_a_feed_is_not_its_card() -> None:
    """The loop was late: it took a press, fed, and then heard of a flicker at the exit that was over before. That was
    counted as the first card of the burst (evening 119)."""
    with launcher("a flicker, and a late loop", suspense_min_s=0.0, suspense_max_s=0.0) as watched:
        delays_s = [0.05]
        watched.be_late(lambda: delays_s.pop() if delays_s else 0.0)
        watched.toy.hands_off("exit")
        watched.press(2)
        for after_s, dark in ((0.001, True), (0.018, False)):
            watched.call_after(after_s, partial(watched.toy.drive_line, "exit", dark))
        watched.call_after(0.019, partial(watched.toy.hands_on, "exit"))
        watched.until_idle()
        (ended,) = told(watched, "launcher.burst.ended")
        assert (ended["delivered"], ended["cause"]) == (2, "complete")
        assert [left["press"] for left in told(watched, "launcher.card.left")] == [None, 1, 1]
        watched.truth.doubt_sensor()  # the flicker was no card


def test_a_card_that_leaves_after_a_fault_is_told() -> None:
    """The sensor saw it go, the lid was shut, and still nobody heard of it (evening 26)."""
    with launcher("pins fail in a burst") as watched:
        watched.press(5)
        watched.run(0.12)
        watched.outage({gpio for name, gpio in watched.settings.pins.lines().items() if name.startswith("motor")})
        watched.run(1.2)
        assert watched.state == "fault"
        watched.outage(set())
        watched.run(2.0)
        assert watched.rolled_out > 5, "a motor that cannot be turned off goes on feeding"
        stuck_out = sum(bool(ended["sticking_out"]) for ended in told(watched, "launcher.burst.ended"))
        assert len(told(watched, "launcher.card.left")) + stuck_out == watched.rolled_out


def test_a_fault_that_is_reset_with_the_lid_up_leaves_its_reason_behind() -> None:
    """The state said ``open`` and still why it had been a fault (evening 38)."""
    machine = LauncherMachine(MachineSettings(), ScriptedOdds([1]))
    machine.step(m.SwitchOn(lid_open=True), 0.0)
    machine.step(m.DriverFailed("the pins do not answer"), 1.0)
    machine.step(m.DriverRecovered(), 2.0)
    outputs = machine.step(m.Reset(), 3.0)
    assert m.StateChanged(m.State.FAULT, m.State.OPEN, "", m.Refusal.LID_OPEN) in outputs
    assert machine.snapshot().detail == ""


def test_a_lid_that_is_told_twice_is_written_down_once() -> None:
    """A reset reads the levels again; the edge of the lid was on its way already (found by Hypothesis)."""
    machine = LauncherMachine(MachineSettings(), ScriptedOdds([1]))
    machine.step(m.SwitchOn(lid_open=False), 0.0)
    assert m.LidWasOpened() in machine.step(m.LidOpened(), 1.0)
    assert machine.step(m.LidOpened(), 1.0) == [m.Stop()]
    assert m.LidWasClosed() in machine.step(m.LidClosed(), 2.0)
    assert machine.step(m.LidClosed(), 2.0) == []


def test_a_driver_that_refuses_for_a_lid_nobody_told_of_opens_the_machine_which_closes_again() -> None:
    machine = LauncherMachine(MachineSettings(), ScriptedOdds([1]))
    machine.step(m.SwitchOn(lid_open=False), 0.0)
    machine.step(m.Press(cards=2), 1.0)
    outputs = machine.step(m.FeedEnded(m.FeedEnd.LID, 0), 1.0)
    assert m.LidWasOpened() in outputs
    assert machine.state is m.State.OPEN
    assert machine.snapshot().lid_open
    machine.step(m.LidClosed(), 1.1)
    assert machine.state is m.State.READY


def test_a_reset_does_not_get_ahead_of_the_filters() -> None:
    """It told the machine of a lid that had not rested and an exit that was not yet clear, so that a press was taken
    which the driver refused, and the card in the exit was counted twice (found by Hypothesis)."""
    with launcher("a hasty reset", suspense_min_s=0.0, suspense_max_s=0.0) as watched:
        watched.press(1)
        watched.run(0.024)
        watched.lid(True)
        watched.run(0.12)
        watched.lid(False)
        watched.take_card()
        watched.reset()
        assert watched.state == "open"
        watched.press(1)
        watched.run(0.001)
        watched.lid(True)
        watched.lid(False)
        watched.run(1.0)
