"""The real program in simavr: what it does by itself, whoever is or is not at the other end of the line."""

from __future__ import annotations

import pytest

from dispenser.drivers.serial import tables as wire
from dispenser.launcher.chimes import MELODIES
from dispenser.launcher.messages import Chime
from tests.firmware.avr import MCUSR_BROWN_OUT, MCUSR_EXTERNAL, MCUSR_POWER_ON, MCUSR_WATCHDOG
from tests.firmware.board import BAUD, ENABLE, START_US, TCCR0A, TCCR0B, Uno
from tests.firmware.line import Host, feed

CLOCKS = [16, 8]
UCSR0A, UBRR0L, UBRR0H = 0xC0, 0xC4, 0xC5
WATCHDOG_US = 180_000
"""The dog bites after 120 ms (its oscillator may be 10 % off, and it starts from its last meal)."""
PITCH = 0.005
"""A tone is so near its pitch: 8.6 cents."""


@pytest.fixture(params=CLOCKS, ids=[f"{clock} MHz" for clock in CLOCKS])
def uno(request: pytest.FixtureRequest) -> Uno:
    uno = Uno(request.param)
    uno.boot()
    return uno


@pytest.fixture
def host(uno: Uno) -> Host:
    host = Host(uno)
    host.hello()
    uno.run(30_000)
    host.state()
    return host


# --- the motor and the lid -------------------------------------------------------------------------


def test_the_pwm_is_faster_than_anybody_hears(uno: Uno, host: Host) -> None:
    host.command(feed(duty=128))
    assert uno.motor == 128
    assert uno.peek(TCCR0A) & 3 == 3, "fast PWM, counting to 255"
    assert uno.peek(TCCR0B) & 15 == 1, "at the full clock"
    assert uno.hz / 256 > 20_000


@pytest.mark.parametrize("open_us", [1, 20, 300])
def test_a_flutter_of_the_lid_is_heard_however_short(uno: Uno, host: Host, open_us: float) -> None:
    host.command(feed(run=1))
    uno.run(40_000)
    begun = uno.cycle
    uno.put_at(begun, "lid", True)
    uno.put_at(begun + uno.cycles(open_us), "lid", False)
    uno.run(open_us + 20)
    assert not uno.enabled
    uno.run(200_000)
    assert host.state().run_end is wire.FeedEnd.LID


# --- resets -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("interrupts", [True, False], ids=["main loop", "everything"])
def test_a_program_that_hangs_is_reset_and_the_motor_is_off(uno: Uno, host: Host, interrupts: bool) -> None:
    host.command(feed(timeout_ms=10_000, stall_ms=10_000))
    uno.run(30_000)
    assert uno.motor == 255
    begun = uno.cycle
    uno.hang(interrupts=interrupts)
    while not uno.resets and uno.cycle - begun < uno.cycles(WATCHDOG_US):
        uno.run(1_000)
        uno.look()
    (reset,) = uno.resets
    assert reset.value & MCUSR_WATCHDOG
    assert uno.us(reset.cycle - begun) < WATCHDOG_US
    assert not uno.enabled
    assert all(happening.value == 0 for happening in uno.look() if happening.where == ENABLE)
    uno.run(START_US)
    assert uno.motor == 0
    assert not uno.light, "a launcher that hung does not play on by itself"
    host = Host(uno)
    assert host.look().latches == wire.Latch.WATCHDOG
    assert host.hello().reset_cause is wire.ResetCause.WATCHDOG
    uno.run(20_000)
    assert host.command(feed()) is wire.Result.LATCHED
    assert uno.motor == 0, "a hello is no person"
    assert host.command(wire.ResetLatch()) is wire.Result.DONE
    assert host.command(feed()) is wire.Result.DONE
    assert uno.motor == 255


@pytest.mark.parametrize(
    ("mcusr", "cause"),
    [
        (MCUSR_POWER_ON, wire.ResetCause.POWER_ON),
        (MCUSR_EXTERNAL, wire.ResetCause.EXTERNAL),
        (MCUSR_BROWN_OUT, wire.ResetCause.BROWN_OUT),
        (MCUSR_WATCHDOG, wire.ResetCause.WATCHDOG),
        (MCUSR_POWER_ON | MCUSR_BROWN_OUT | MCUSR_EXTERNAL, wire.ResetCause.POWER_ON),
        (0, wire.ResetCause.UNKNOWN),
    ],
)
def test_every_reset_turns_the_motor_off_and_its_cause_is_told(
    uno: Uno, host: Host, mcusr: int, cause: wire.ResetCause
) -> None:
    host.command(feed(timeout_ms=10_000, stall_ms=10_000))
    assert uno.motor == 255
    uno.reset(mcusr)
    assert not uno.enabled
    values = uno.motor_changes(START_US)
    assert 255 not in values
    uno.sent()
    host = Host(uno)
    assert host.hello().reset_cause is cause


def test_a_reset_in_a_run_locks_the_motor_though_a_boot_loader_hides_its_cause(uno: Uno, host: Host) -> None:
    """Optiboot clears the flags of a watchdog reset before the program can read them."""
    host.command(feed(timeout_ms=10_000, stall_ms=10_000))
    assert uno.motor == 255
    uno.reset(0)
    uno.run(START_US)
    assert not uno.light, "it does not play on by itself"
    assert Host(uno).look().latches == wire.Latch.WATCHDOG
    for mcusr in (0, MCUSR_EXTERNAL, MCUSR_BROWN_OUT):
        uno.reset(mcusr)
        uno.run(START_US)
        assert Host(uno).look().latches == wire.Latch.WATCHDOG, "opening the port resets a board, and is no person"
    uno.reset(MCUSR_POWER_ON)
    uno.run(START_US)
    assert Host(uno).look().latches == 0
    assert uno.light


def test_enable_is_an_output_and_low_within_microseconds_of_a_reset() -> None:
    uno = Uno()
    uno.run(3)
    assert uno.peek(0x2A) & 1 << 4, "D4 is driven"
    assert not uno.enabled


# --- sound, light, cells --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chime", Chime)
def test_every_chime_in_tune_and_in_time(uno: Uno, host: Host, chime: Chime) -> None:
    host.say(wire.Play(wire.Chime[chime.name]), 1)
    notes = [did for did in uno.follow(1_500_000) if did.kind == "tone"]
    told = [(uno.us(note.cycle - notes[0].cycle), note.value) for note in notes]
    at_us, wanted = 0, []
    for frequency_hz, duration_ms in MELODIES[chime]:
        wanted.append((at_us, frequency_hz * 10))
        at_us += duration_ms * 1000
    if wanted[-1][1]:
        wanted.append((at_us, 0))
    assert len(told) == len(wanted)
    for (one_us, one), (other_us, other) in zip(told, wanted, strict=True):
        assert one_us == pytest.approx(other_us, abs=6_000)
        assert one == pytest.approx(other, rel=PITCH)


@pytest.mark.parametrize("millivolts", [4800, 4000, 3300, 2800])
def test_it_measures_its_supply_with_no_extra_part(uno: Uno, host: Host, millivolts: int) -> None:
    uno.supply(millivolts)
    host.run(4_500_000)
    assert host.state().cell_mv == pytest.approx(millivolts, rel=0.01), "as far as the band-gap is 1.1 V"


# --- the line -----------------------------------------------------------------------------------------------------


def test_the_line_is_as_fast_as_the_guide_says(uno: Uno) -> None:
    """As the registers of the running program make it: 2.1 % fast at 16 MHz, 0.2 % at 8 MHz."""
    clocks = 8 if uno.peek(UCSR0A) & 2 else 16
    made = uno.hz / clocks / (uno.peek(UBRR0L) + 256 * uno.peek(UBRR0H) + 1)
    error = made / BAUD[uno.hz // 1_000_000] - 1
    assert error == pytest.approx({16_000_000: 0.0212, 8_000_000: 0.0016}[uno.hz], abs=0.0001)
