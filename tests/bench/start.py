"""``start``: from nothing to a launcher that is ready, in time and memory.

The baselines are Pythons that import the libraries and do nothing else: gpiozero alone, and what a page needs besides.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median

from tests.bench.measure import Measure, against
from tests.bench.process import LauncherProcess, environment, peak_memory_mib, python
from tests.bench.timing import Effort, calm

TIME_AT_MOST = 3.0
MEMORY_AT_MOST, MEMORY_WITH_WEB_AT_MOST = 2.0, 1.6
"""Times that of a process which imports the same libraries and does nothing."""
LIBRARIES, LIBRARIES_WITH_WEB = "gpiozero", "gpiozero, fastapi, jinja2, uvicorn"

_BARE = "import {libraries}\nimport os\nos.write(1, b'.')\nos.read(0, 1)"
"""Says when the import is done, and waits to be looked at."""


@dataclass(frozen=True, slots=True)
class Run:
    """One process: until it was ready, its memory then and in use, and what came on the notify socket."""

    ready_ms: float
    peak_mib: float
    peak_in_use_mib: float = 0.0
    told: tuple[str, ...] = ()
    pins_mib: float = 0.0


def start(effort: Effort) -> list[Measure]:
    """The process takes turns with the bare import; like every start but the first, it finds a journal there."""
    with tempfile.TemporaryDirectory() as folder, calm():  # processes inherit that
        contestants = (
            partial(_import, LIBRARIES),
            partial(_run_without_web, Path(folder)),
            partial(_import, LIBRARIES_WITH_WEB),
            partial(_run_with_web, Path(folder)),
        )
        runs = [[run() for run in contestants] for _ in range(effort.pick(11, 1))]
    if not effort.quick:
        del runs[0]  # it filled the disk cache and made the journal
    bare, plain, bare_web, with_web = zip(*runs, strict=True)
    early = sum(run.told.index("READY=1") > _first_of_web(run.told) for run in with_web)
    contested = {"bare": bare, "off": plain, "bare_web": bare_web, "on": with_web}
    detail = {name: [asdict(run) for run in taken] for name, taken in contested.items()}
    return [
        against(
            median(run.ready_ms for run in bare),
            median(run.ready_ms for run in plain),
            "start",
            "import and ready, web off",
            "ms",
            at_most=TIME_AT_MOST,
            detail=detail,
        ),
        _memory("peak memory, web off", bare, [run.peak_mib for run in plain], MEMORY_AT_MOST),
        _memory("peak memory of the process that holds the pins, besides", bare, [run.pins_mib for run in plain]),
        _memory("peak memory, web on", bare_web, [run.peak_mib for run in with_web], MEMORY_WITH_WEB_AT_MOST),
        _memory("peak memory, web on, page and stream open", bare_web, [run.peak_in_use_mib for run in with_web]),
        Measure(
            benchmark="start",
            measure="web imported before the launcher was ready",
            unit="times",
            ours=early,
            goal="0",
            met=not early,
        ),
    ]


def _memory(measure: str, bare: tuple[Run, ...], peaks_mib: list[float], at_most: float | None = None) -> Measure:
    return against(median(run.peak_mib for run in bare), max(peaks_mib), "start", measure, "MiB", at_most=at_most)


def _import(libraries: str) -> Run:
    begin = time.perf_counter_ns()
    with subprocess.Popen(
        python("-c", _BARE.format(libraries=libraries)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("no pipes")
        os.read(process.stdout.fileno(), 1)
        took_ns = time.perf_counter_ns() - begin
        mib = peak_memory_mib(process.pid)
        process.stdin.close()
    return Run(took_ns / 1e6, mib)


def _run_without_web(state: Path) -> Run:
    with LauncherProcess(web=False, state=state) as launcher:
        return Run(launcher.ready_ns / 1e6, launcher.peak_memory_mib(), pins_mib=launcher.peak_pins_memory_mib())


def _run_with_web(state: Path) -> Run:
    with LauncherProcess(web=True, state=state) as launcher:
        begun_mib = launcher.peak_memory_mib()
        launcher.look_at_the_page()
        launcher.open_stream().close()
        return Run(launcher.ready_ns / 1e6, begun_mib, launcher.peak_memory_mib(), tuple(launcher.told))


def _first_of_web(told: tuple[str, ...]) -> int:
    return next(number for number, line in enumerate(told) if line.startswith("X_IMPORTED="))
