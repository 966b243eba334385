"""``firmware``: the real program in simavr, cycle by cycle: reflexes, wire, memory, sleep. The pty is real time."""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame, FrameDecoder, encode
from dispenser.launcher.messages import Feed
from dispenser.simulator import ToyParameters
from tests.bench.measure import Measure
from tests.bench.timing import Effort, take_turns
from tests.contract.serial_bench import SerialBench
from tests.firmware.board import ENABLE, LID, Uno
from tests.firmware.lid import SILICON_CYCLES, fed, hosted, latency
from tests.firmware.line import Host, feed
from tests.firmware.pty_rig import PtyLauncher
from tests.firmware.stack import deepest
from tests.firmware.test_resources import FLASH_BYTES, RAM_BYTES, static_ram
from tests.firmware.toolchain import elf, sizes
from tests.firmware.world import UnoDevice

HZ = 16_000_000
SETTLE_US = 25_000
BURST_CARDS = 5

# Typical figures of the ATmega328P's data sheet (DC characteristics): 5.2 mA active, 1.2 mA idle at 8 MHz and 5 V,
# 4.2 uA in power-down with the watchdog at 3 V. Twice that for 16 MHz and 5 V, and 20 uA for the brown-out detector:
# assumed.
ACTIVE_MA = 2 * 5.2
IDLE_MA = 2 * 1.2
POWER_DOWN_MA = 2 * 0.0042 + 0.020
WAKE_CYCLES = 16_384
"""Clock cycles in which the crystal starts after a power-down; simavr leaves them out."""
CELLS_MAH = ToyParameters().cell_capacity_mah
HOURS_A_YEAR = 24 * 365.25


def firmware(effort: Effort) -> list[Measure]:
    """Everything that issue and design ask of the microcontroller in figures."""
    return [*_lid(effort), _button(), _burst(), _round_trip(effort), *_memory(), *_sleep(effort)]


def _lid(effort: Effort) -> Iterator[Measure]:
    silicon = (
        f"simulated; on silicon add {SILICON_CYCLES}: interrupt response, pin synchronizer, the instruction itself"
    )
    uno, host = hosted(16)
    host.command(feed())
    uno.run(30_000)
    idle = latency(uno)
    yield Measure(
        benchmark="firmware",
        measure="lid edge to motor-enable low, idle",
        unit="cycles",
        ours=idle + SILICON_CYCLES,
        goal="≤ 20",
        met=idle + SILICON_CYCLES <= 20,
        note=f"{idle} {silicon}",
        detail={"simulated": idle, "silicon_adds": SILICON_CYCLES},
    )
    phases = effort.pick(2400, 60)
    uno, host = hosted(16)
    fed(uno, host)
    latencies, _ = uno.sweep(phases, every=41, edge=(LID, True), until_low=ENABLE)
    worst = max(latencies)
    yield Measure(
        benchmark="firmware",
        measure="lid edge to motor-enable low, worst phase",
        unit="cycles",
        ours=worst + SILICON_CYCLES,
        goal="≤ 100",
        met=worst + SILICON_CYCLES <= 100,
        note=f"{worst} {silicon}; {phases} phases with frames, reports, card and button edges under way",
        detail={"simulated": worst, "phases": phases, "median": sorted(latencies)[phases // 2]},
    )


def _button() -> Measure:
    """From the first edge of a clean push, asleep, to the drum roll: that is the debounced event."""
    uno = Uno()
    uno.boot()
    uno.run(5_000_000)
    begun = uno.cycle
    uno.put("button", True)
    heard = next(did for did in uno.follow(60_000) if did.kind == "tone").cycle - begun
    settle = uno.cycles(SETTLE_US)
    return Measure(
        benchmark="firmware",
        measure="button edge to the press that counts",
        unit="cycles",
        ours=heard,
        baseline=settle,
        ratio=heard / settle,
        note=f"{SETTLE_US // 1000} ms of it is the filter; {heard - settle} cycles are the program, out of deep sleep",
    )


def _burst() -> Measure:
    """What both ends say from a Feed to its FeedEnded, heartbeats included."""
    bench = SerialBench()
    ended: list[object] = []
    bench.driver.open(ended.append)
    bench.run(2.0)
    before = bench.link.to_host, bench.link.to_device
    ended.clear()
    begun = bench.now()
    bench.driver.give(Feed(cards=BURST_CARDS, timeout_s=2.0, stall_s=0.6))
    while not any(type(event).__name__ == "FeedEnded" for event in ended) and bench.now() < begun + 5:
        bench.run(0.001)
    took_s = bench.now() - begun
    to_host, to_device = bench.link.to_host - before[0], bench.link.to_device - before[1]
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


def _round_trip(effort: Effort) -> Measure:
    """A heartbeat and its report against as many bytes thrown back by a thread at the other end of a bare pty."""
    question = b"\0" + encode(Frame(7, wire.Heartbeat()))
    device = UnoDevice()
    device.boot()
    with PtyLauncher(device) as launcher, _echo() as echo:
        port = os.open(launcher.port, os.O_RDWR | os.O_NOCTTY)
        try:
            ask = _Asker(port)
            ask(b"\0" + encode(Frame(0, wire.Hello(wire.VERSION, wire.DICTIONARY, 1))), wire.Welcome)
            times = take_turns(
                {"ours": lambda: ask(question, wire.State), "bare": lambda: _thrown_back(echo, question)},
                shots=effort.pick(550, 22),
                warm_up=5,
            )
        finally:
            os.close(port)
    ours, bare = times["ours"].at_us(0.5), times["bare"].at_us(0.5)
    line_us = (len(question) + len(encode(Frame(7, STATE)))) * 10e6 / wire.BAUD
    return Measure(
        benchmark="firmware",
        measure="round trip over a pty, heartbeat to report",
        unit="µs",
        ours=ours,
        baseline=bare,
        ratio=ours / bare,
        note=f"against a bare pty echo; {line_us:.0f} µs of it are the bits at 115,200 baud, the rest the program and "
        "a simulation in steps of 2 ms",
        detail={name: series.as_json() for name, series in times.items()},
    )


STATE = wire.State.unpack(bytes(wire.State.layout().size))


class _Asker:
    """Says something and waits for an answer of that kind; returns how long it took, nanoseconds."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._decoder = FrameDecoder()

    def __call__(self, question: bytes, kind: type) -> int:
        begun = time.perf_counter_ns()
        while True:
            os.write(self._port, question)
            deadline = time.monotonic() + 2
            while time.monotonic() < deadline and select.select([self._port], [], [], 2)[0]:
                frames = self._decoder.feed(os.read(self._port, 4096))
                if any(isinstance(frame.message, kind) and frame.sequence in {0, 7} for frame in frames):
                    return time.perf_counter_ns() - begun


@contextmanager
def _echo() -> Iterator[int]:
    """A pty whose other end throws back what comes; yields our end."""
    theirs, ours = os.openpty()
    tty.setraw(ours)

    def throw_back() -> None:
        while data := os.read(theirs, 4096):
            if data == b"\0end":
                return
            os.write(theirs, data)

    thread = threading.Thread(target=throw_back, daemon=True)
    thread.start()
    try:
        yield ours
    finally:
        os.write(ours, b"\0end")
        thread.join()
        os.close(theirs)
        os.close(ours)


def _thrown_back(port: int, data: bytes) -> int:
    begun = time.perf_counter_ns()
    os.write(port, data)
    got = 0
    while got < len(data):
        got += len(os.read(port, 4096))
    return time.perf_counter_ns() - begun


def _memory() -> Iterator[Measure]:
    sections = sizes(elf(16))
    flash = sections[".text"] + sections[".data"]
    main, interrupt = deepest(16)
    static = static_ram(16)
    ram = static + main.size + interrupt.size
    yield Measure(
        benchmark="firmware",
        measure="flash",
        unit="bytes",
        ours=flash,
        goal=f"≤ {FLASH_BYTES}",
        met=flash <= FLASH_BYTES,
    )
    yield Measure(
        benchmark="firmware",
        measure="RAM, the deepest stack included",
        unit="bytes",
        ours=ram,
        goal=f"≤ {RAM_BYTES}",
        met=ram <= RAM_BYTES,
        note=f"{static} static, stack {main.size} ({' > '.join(main.path)}) and {interrupt.size} for an interrupt",
        detail={"static": static, "stack": main.size, "interrupt": interrupt.size},
    )


def _sleep(effort: Effort) -> Iterator[Measure]:
    """Alone, nobody near; and with a host that asks once a second."""
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
    uno, host = hosted(16)
    begun, idle = uno.cycle, uno.asleep()["idle"]
    Host.run(host, 20_000_000, beat_us=1_000_000)
    yield Measure(
        benchmark="firmware",
        measure="asleep with a host, nothing under way",
        unit="%",
        ours=100 * (uno.asleep()["idle"] - idle) / (uno.cycle - begun),
        note="idle mode: the serial line must be heard",
    )
