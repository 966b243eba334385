"""``firmware``: the serial line in a burst, and the sleep of the real program in simavr."""

from __future__ import annotations

from collections.abc import Iterator

from dispenser.drivers.serial import tables as wire
from dispenser.launcher.messages import Feed
from dispenser.simulator import SimulatorParameters
from tests.bench.measure import Measure
from tests.bench.timing import Effort
from tests.contract.serial_bench import SerialBench
from tests.firmware.board import Uno

BURST_CARDS = 5

# Typical figures of the ATmega328P's data sheet (DC characteristics): 5.2 mA active, 1.2 mA idle at 8 MHz and 5 V,
# 4.2 uA in power-down with the watchdog at 3 V. Twice that for 16 MHz and 5 V, and 20 uA for the brown-out detector:
# assumed.
ACTIVE_MA = 2 * 5.2
IDLE_MA = 2 * 1.2
POWER_DOWN_MA = 2 * 0.0042 + 0.020
WAKE_CYCLES = 16_384
"""Clock cycles in which the crystal starts after a power-down; simavr leaves them out."""
CELLS_MAH = SimulatorParameters().cell_capacity_mah
HOURS_A_YEAR = 24 * 365.25


def firmware(effort: Effort) -> list[Measure]:
    """What has no limit of its own: cycles from lid to motor, flash and RAM are held by ``tests/firmware``."""
    return [_burst(), *_sleep(effort)]


def _burst() -> Measure:
    """What both ends say from a Feed to its FeedEnded, heartbeats included."""
    bench = SerialBench()
    ended: list[object] = []
    bench.driver.open(ended.append)
    bench.run(2.0)
    before = bench.link.to_host, len(bench.link.written)
    ended.clear()
    begun = bench.now()
    bench.driver.give(Feed(cards=BURST_CARDS, timeout_s=2.0, stall_s=0.6))
    while not any(type(event).__name__ == "FeedEnded" for event in ended) and bench.now() < begun + 5:
        bench.run(0.001)
    took_s = bench.now() - begun
    to_host, to_device = bench.link.to_host - before[0], len(bench.link.written) - before[1]
    bench.driver.close()
    return Measure(
        benchmark="firmware",
        measure=f"bytes on the wire, burst of {BURST_CARDS}",
        unit="bytes",
        ours=to_host + to_device,
        note=f"{to_device} to the microcontroller, {to_host} from it, in {took_s:.2f} s: "
        f"{100 * max(to_host, to_device) / (took_s * wire.BAUD / 10):.0f} % of the line",
        detail={"to_host": to_host, "to_device": to_device, "seconds": took_s},
    )


def _sleep(effort: Effort) -> Iterator[Measure]:
    """Alone, nobody near."""
    uno = Uno()
    uno.boot()
    uno.run(5_000_000)
    begun, before = uno.cycle, uno.asleep()
    uno.run(effort.pick(600e6, 40e6))
    cycles = uno.cycle - begun
    deep, light = (uno.asleep().get(mode, 0) - before.get(mode, 0) for mode in ("power_down", "idle"))
    wakes = cycles / uno.hz / 8
    awake = cycles - deep - light + wakes * WAKE_CYCLES
    mean_ma = (awake * ACTIVE_MA + light * IDLE_MA + deep * POWER_DOWN_MA) / cycles
    years = CELLS_MAH / mean_ma / HOURS_A_YEAR
    yield Measure(
        benchmark="firmware",
        measure="asleep when idle, alone",
        unit="%",
        ours=100 * (deep + light) / cycles,
        note=f"{100 * deep / cycles:.4f} % of the time in power-down; it wakes every 8 s and takes about "
        f"{awake / max(wakes, 1):.0f} cycles, {WAKE_CYCLES} of them for its crystal to start",
        detail={"cycles": cycles, "power_down": deep, "idle": light},
    )
    yield Measure(
        benchmark="firmware",
        measure="battery life that implies, bare chip",
        unit="years",
        ours=years,
        note=f"{CELLS_MAH:.0f} mAh / {mean_ma * 1000:.1f} µA ({ACTIVE_MA} mA active, {IDLE_MA} mA idle, "
        f"{POWER_DOWN_MA * 1000:.1f} µA power-down, by shares); cells age sooner. The light of a ready launcher and a "
        "board's own USB chip, regulator and LED come on top: some 30 mA on an Uno, 11 days",
        detail={"mean_ma": mean_ma},
    )
