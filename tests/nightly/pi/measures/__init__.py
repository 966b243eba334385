"""Measures of the virtual Pi, each against a bare script in the same boot: ``python -m tests.nightly.pi measures``.

Its clock counts instructions, a nanosecond each, so a figure is the same however busy this computer is; and nobody
looks on meanwhile: the kernel's own trace has the time of each edge, each level and each signal.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from tests.bench.measure import Measure, show, write_json
from tests.nightly.pi.measures.edges import edges
from tests.nightly.pi.measures.ends import ends
from tests.nightly.pi.measures.room import room
from tests.nightly.pi.measures.trace import Traced, traced

BENCHMARKS: dict[str, Callable[[Traced, int], list[Measure]]] = {each.__name__: each for each in (edges, ends, room)}


def main(words: list[str]) -> int:
    """Boot, measure, print the table; 1 when a goal was missed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.nightly.pi measures", description="Measures in the virtual Pi."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(BENCHMARKS)}; all of them if left out")
    parser.add_argument("--json", type=Path, default=Path("out/pi.json"), help="where the figures go (%(default)s)")
    parser.add_argument(
        "--times", type=int, default=50, help="edges of each kind (%(default)s); an eighth as many kills"
    )
    options = parser.parse_args(words)
    if unknown := sorted(set(options.names) - set(BENCHMARKS)):
        parser.error(f"there is no measure {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    measures: list[Measure] = []
    console = Console(stderr=True)
    with tempfile.TemporaryDirectory(prefix="pi-") as folder, traced(Path(folder)) as pi:
        for name, benchmark in BENCHMARKS.items():
            if not options.names or name in options.names:
                with console.status(f"{name} …"):
                    measures += benchmark(pi, options.times)
                write_json(measures, options.json, quick=options.times < 50)
    show(measures)
    return int(any(measure.met is False for measure in measures))
