"""What a benchmark hands back, and how it is shown."""

from __future__ import annotations

import json
import os
import platform
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One row of the table.

    :param ratio: what ours costs, in time or memory, against the baseline: below 1 ours is better, whatever the unit.
    :param goal: in words; empty for a figure without one.
    :param met: whether the goal is met; ``None`` without a goal.
    :param detail: everything else worth keeping, for the JSON.
    """

    benchmark: str
    measure: str
    unit: str
    ours: float
    baseline: float | None = None
    ratio: float | None = None
    goal: str = ""
    met: bool | None = None
    note: str = ""
    detail: dict[str, Any] = field(default_factory=dict)


def against(
    baseline: float, ours: float, benchmark: str, measure: str, unit: str, *, at_most: float | None = None, **more: Any
) -> Measure:
    """A measure by its ratio to a baseline; ``at_most`` is the goal."""
    ratio = ours / baseline
    goal = "" if at_most is None else f"ratio ≤ {at_most:g}"
    met = None if at_most is None else ratio <= at_most
    return Measure(
        benchmark=benchmark,
        measure=measure,
        unit=unit,
        ours=ours,
        baseline=baseline,
        ratio=ratio,
        goal=goal,
        met=met,
        **more,
    )


def show(measures: list[Measure], console: Console | None = None) -> None:
    """Print the table, and below it what there is to say about a row."""
    console = console or Console(width=None if sys.stdout.isatty() else 130)
    table = Table("benchmark", "measure", title=f"Measures on {_machine()['cpu']}, Python {platform.python_version()}")
    for column in ("ours", "baseline", "ratio"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("goal", no_wrap=True)
    table.add_column("met", no_wrap=True)
    for measure in measures:
        met = {True: "[green]yes", False: "[red]NO", None: ""}[measure.met]
        table.add_row(
            measure.benchmark,
            measure.measure,
            f"{_figure(measure.ours)} {measure.unit}",
            "" if measure.baseline is None else _figure(measure.baseline),
            "" if measure.ratio is None else f"{measure.ratio:.2f}",
            measure.goal,
            met,
        )
    console.print(table)
    for measure in measures:
        if measure.note:
            console.print(f"[bold]{measure.benchmark}[/], {measure.measure}: {measure.note}", highlight=False)


def _figure(value: float) -> str:
    if value == int(value) and abs(value) < 1e6:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}" if abs(value) < 100 else f"{value:.1f}"


def write_json(measures: list[Measure], path: Path, *, quick: bool) -> None:
    """Write everything to ``path``; its folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    report = {"quick": quick, "machine": _machine(), "measures": [asdict(measure) for measure in measures]}
    path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _machine() -> dict[str, Any]:
    information = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = [line.partition(":")[2].strip() for line in information if line.startswith("model name")]
    return {
        "cpu": models[0] if models else platform.machine(),
        "cpus": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "kernel": platform.release(),
        "load_1_min": os.getloadavg()[0],
    }
