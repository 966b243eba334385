"""``python -m tests.bench [NAME...] [--json FILE] [--quick]``: run, print the table, write the JSON."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from tests.bench.firmware import firmware
from tests.bench.idle import idle
from tests.bench.measure import Measure, show, write_json
from tests.bench.mqtt import mqtt
from tests.bench.rules import rules
from tests.bench.start import start
from tests.bench.stream import stream, table
from tests.bench.timing import Effort

BENCHMARKS: dict[str, Callable[[Effort], list[Measure]]] = {
    benchmark.__name__: benchmark for benchmark in (start, idle, stream, table, rules, firmware, mqtt)
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measures, each beside a baseline.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(BENCHMARKS)}; all of them if left out")
    parser.add_argument("--json", type=Path, default=Path("out/bench.json"), help="where the figures go (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="only to see that everything runs; the figures are rough")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(BENCHMARKS))
    if unknown:
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    measures: list[Measure] = []
    console = Console(stderr=True)
    for name in options.names or BENCHMARKS:
        with console.status(f"{name} …"):
            measures += BENCHMARKS[name](Effort(options.quick))
    show(measures)
    write_json(measures, options.json, quick=options.quick)


if __name__ == "__main__":
    main()
