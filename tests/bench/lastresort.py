"""``lastresort``: from its start until the motor is off, against a bare script that asks the kernel for the same."""

from __future__ import annotations

import subprocess
import tempfile
import time
from functools import partial
from pathlib import Path

from dispenser import motor_off
from tests.bench.measure import Measure, against
from tests.bench.timing import Effort, calm, percentile
from tests.kernel_gpio import Board, Launchers, bare_python, shim
from tests.kernel_gpio.launcher import MOTOR

AT_MOST = 1.5
BARE = """
import fcntl, os, struct
chip = os.open("/dev/gpiochip0", os.O_RDWR)
for offset in (25, 23, 24):
    low = struct.pack("=Q264x", 8)  # GPIO_V2_LINE_FLAG_OUTPUT
    request = struct.pack("=I252x32s272sI24xi", offset, b"bare", low, 1, 0)
    fcntl.ioctl(chip, 0xC250B407, request)  # GPIO_V2_GET_LINE_IOCTL
"""
"""What somebody writes who knows the pins and wants nothing but the motor off."""


def lastresort(effort: Effort) -> list[Measure]:
    """Processes take turns on chips that a library plays; each after a launcher that has crashed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for each in ("board", "runtime"):
            (folder / each).mkdir()
        (folder / "bare.py").write_text(BARE, encoding="utf-8")
        board = Board(folder / "board", shim(folder))
        launchers = Launchers(board, folder / "runtime")
        launchers.crash()
        contestants = {
            "bare": partial(_until_off, board, bare_python(str(folder / "bare.py"))),
            "ours": partial(_until_off, board, bare_python(str(folder / "runtime" / motor_off.COPY), "--kill")),
        }
        times: dict[str, list[tuple[int, int]]] = {each: [] for each in contestants}
        with calm():  # processes inherit that
            for _ in range(effort.pick(201, 2)):
                for each, run in contestants.items():
                    times[each].append(run())
        launchers.end()
        board.close()
    measures = []
    for place, measure in enumerate(("start → enable low", "start → every line low")):
        bare, ours = (percentile([taken[place] for taken in times[each]], 0.5) / 1e6 for each in ("bare", "ours"))
        measures.append(against(bare, ours, "lastresort", measure, "ms", at_most=AT_MOST, detail=dict(times)))
    return measures


def _until_off(board: Board, command: list[str]) -> tuple[int, int]:
    """Nanoseconds from the start of that program until the first line is low, and until all are."""
    board.clear_log()
    begin = time.monotonic_ns()
    subprocess.run(command, env=board.environment(), stdout=subprocess.DEVNULL, check=True)
    low = [entry.at_ns - begin for entry in board.log() if entry.what.startswith("output")]
    if len(low) != len(MOTOR):
        raise RuntimeError(f"only {len(low)} lines were turned off")
    return low[0], low[-1]
