"""No host: the firmware is the toy. Its odds, what it keeps, its warning of low cells, its sleep."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from dispenser.drivers.serial import tables as wire
from dispenser.launcher.messages import State
from dispenser.odds.policies import TOY_FIRES_ON
from tests.firmware.board import Uno
from tests.firmware.host import HostCore
from tests.firmware.line import Host

TOY, MEMORYLESS, COUNTDOWN = range(3)
STEP_US = 1_500_000
PAUSE_US = 1_000_000
"""Holding the button at power-on goes one policy further each time."""
LOW_CELLS = [20930, 0, 20930, 0, 20930, 0]
SURE = 5.0
"""Standard deviations: with the seeds fixed the tests are the same every time; this is how likely their figures are."""


def fresh(noise: int = 1, **more: int) -> HostCore:
    core = HostCore(noise=noise, **more)
    core.start()
    core.run(400_000)
    core.happenings()
    return core


def push(core: HostCore, hold_us: int = 100_000) -> None:
    core.put("button", True)
    core.run(hold_us)
    core.put("button", False)
    core.run(100_000)


def draws(kind: int, count: int, noise: int) -> list[tuple[int, int]]:
    core = fresh(noise)
    core.choose_odds(kind)
    return [core.draw() for _ in range(count)]


# --- the odds -----------------------------------------------------------------------------------------------------


def test_the_toys_table_is_the_original_one() -> None:
    for noise in range(20):
        fired = [press for press, (cards, _) in enumerate(draws(TOY, 96, noise), start=1) if cards]
        assert tuple(fired) == TOY_FIRES_ON
    again = draws(TOY, 192, 1)
    assert [bool(cards) for cards, _ in again[:96]] == [bool(cards) for cards, _ in again[96:]]


@pytest.mark.parametrize("kind", [TOY, MEMORYLESS, COUNTDOWN])
def test_bursts_have_three_to_eight_cards_each_as_likely(kind: int) -> None:
    bursts = Counter(cards for cards, _ in draws(kind, 60_000, 3) if cards)
    assert sorted(bursts) == [3, 4, 5, 6, 7, 8]
    total = sum(bursts.values())
    for count in bursts.values():
        assert abs(count - total / 6) < SURE * (total * 5 / 36) ** 0.5


def test_memoryless_has_no_memory() -> None:
    fired = [bool(cards) for cards, _ in draws(MEMORYLESS, 60_000, 5)]
    share = sum(fired) / len(fired)
    assert share == pytest.approx(0.35, abs=SURE * (0.35 * 0.65 / len(fired)) ** 0.5)
    after_burst = [now for before, now in itertools.pairwise(fired) if before]
    after_dud = [now for before, now in itertools.pairwise(fired) if not before]
    for some in (after_burst, after_dud):
        assert sum(some) / len(some) == pytest.approx(0.35, abs=SURE * (0.35 * 0.65 / len(some)) ** 0.5)


def test_countdown_hides_up_to_three_duds() -> None:
    streaks, streak = Counter[int](), 0
    for cards, _ in draws(COUNTDOWN, 50_000, 6):
        if cards:
            streaks[streak] += 1
            streak = 0
        else:
            streak += 1
    assert sorted(streaks) == [0, 1, 2, 3]
    total = sum(streaks.values())
    for count in streaks.values():
        assert abs(count - total / 4) < SURE * (total * 3 / 16) ** 0.5


def test_the_moment_of_a_press_stirs_the_stream() -> None:
    """Two launchers with the same noise differ as soon as fingers do."""

    def evening(delay_us: int) -> list[int]:
        core = fresh(7)
        core.run(delay_us)
        for _ in range(12):
            push(core)
            core.run(6_000_000)
        return [happening.value for happening in core.happenings("draw")]

    assert evening(0) == evening(0)
    assert len({tuple(evening(delay)) for delay in range(0, 400, 40)}) == 10


def test_lid_down_begins_the_table_anew() -> None:
    core = fresh()
    fired = []
    for press in range(1, 5):
        push(core)
        core.run(7_000_000)
        fired.append(bool(core.happenings("draw")[-1].value & 0xFF))
        if core.state is not State.READY or press == 2:
            core.put("lid", True)
            core.run(200_000)
            core.put("lid", False)
            core.run(300_000)
            core.happenings()
    assert fired == [False, True, False, True]


# --- what is chosen at power-on and kept ----------------------------------------------------------------------------


def choose(core: HostCore, steps: int) -> None:
    """Hold the button at power-on for so many steps."""
    core.put("button", True)
    core.start()
    core.run(steps * STEP_US + 700_000)
    core.put("button", False)
    core.run(2 * PAUSE_US + 300_000)


@pytest.mark.parametrize(("steps", "kind"), [(1, TOY), (2, MEMORYLESS), (3, COUNTDOWN), (4, TOY), (6, COUNTDOWN)])
def test_holding_the_button_at_power_on_chooses_the_odds_and_they_are_kept(steps: int, kind: int) -> None:
    core = HostCore()
    choose(core, steps)
    assert core.brain().odds == kind
    assert core.state is State.READY
    assert core.happenings("motor", "draw") == []
    kept = core.memory()
    assert kept[0] == kind
    core.start()
    core.run(400_000)
    assert core.brain().odds == kind, "after the next power-on, too"


def test_a_stuck_button_does_not_choose_and_does_not_lock_the_launcher() -> None:
    core = HostCore()
    core.put("button", True)
    core.start()
    core.run(60_000_000)
    assert core.happenings("memory") == []
    assert core.state is State.READY


@pytest.mark.parametrize("content", [b"\xff\xff", b"\x00\x00", b"\x03\xfc", b"\x01\xff", b"\x02\xfe"])
def test_a_memory_that_makes_no_sense_means_the_toy(content: bytes) -> None:
    core = HostCore()
    core.put_memory(content)
    core.start()
    core.run(400_000)
    assert core.brain().odds == TOY


@pytest.mark.parametrize("clock_mhz", [16, 8])
@pytest.mark.parametrize("odds", wire.Odds)
def test_the_real_program_tells_its_odds_to_whoever_asks(clock_mhz: int, odds: wire.Odds) -> None:
    """While it plays and nobody takes a session, and to a host; after a start with them, and as soon as chosen."""
    uno = Uno(clock_mhz, held_button=True)
    uno.run(300_000)
    before = Host(uno).look().odds
    uno.run((odds + 1) * STEP_US + 200_000)
    uno.put("button", False)
    uno.run(2 * PAUSE_US + 300_000)
    assert (before, Host(uno).look().odds) == (wire.Odds.TOY, odds), "a new launcher has toy"
    kept = uno.eeprom(0, 2)
    again = Uno(clock_mhz)
    again.put_eeprom(0, kept)
    again.boot()
    host = Host(again)
    assert host.look().odds is odds
    host.hello()
    again.run(20_000)
    assert host.state().odds is odds


# --- cells ----------------------------------------------------------------------------------------------------------


def warned(core: HostCore) -> bool:
    tones = [happening.value for happening in core.happenings("tone")]
    return any(tones[at : at + len(LOW_CELLS)] == LOW_CELLS for at in range(len(tones)))


@pytest.mark.parametrize(("millivolts", "low"), [(4500, False), (3350, False), (3250, True), (2700, True)])
def test_low_cells_are_told_by_a_chime_after_a_burst(millivolts: int, low: bool) -> None:
    core = HostCore()
    core.cells(millivolts)
    core.script([(0, 700)] * 5)
    core.start()
    core.run(2_000_000)
    assert warned(core) is low
    push(core)
    core.run(5_000_000)
    assert warned(core) is low


# --- sleep ----------------------------------------------------------------------------------------------------------


def test_at_rest_the_real_program_sleeps_deeply_and_wakes_for_everything() -> None:
    uno = Uno()
    uno.boot()
    uno.run(5_000_000)
    before, begun = uno.asleep(), uno.cycle
    uno.run(60_000_000)
    deep = uno.asleep()["power_down"] - before["power_down"]
    assert deep / (uno.cycle - begun) > 0.999
    uno.put("lid", True)
    uno.run(50_000)
    assert not uno.light
    uno.put("lid", False)
    uno.run(300_000)
    assert uno.light
    uno.run(10_000_000)
    uno.put("button", True)
    did = uno.follow(100_000)
    assert any(d.kind == "tone" and d.value for d in did), "the drum rolls"


def test_a_hello_wakes_it() -> None:
    uno = Uno()
    uno.boot()
    uno.run(20_000_000)
    host = Host(uno)
    host.say(wire.Hello(wire.VERSION, wire.DICTIONARY, 77))  # wakes it, and may be lost
    uno.run(100_000)
    assert host.hello().nonce == 77
