"""When something happened, as the kernel of the virtual Pi wrote it down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.measure import Measure, against
from tests.bench.timing import percentile
from tests.nightly.pi.brought import ROOT, package
from tests.nightly.pi.image import image
from tests.nightly.pi.pi import BOARD, SETTINGS, WORLD, Pi

FOLDER = "/sys/kernel/tracing"
PYTHON = "/opt/dispenser/current/bin/python"
ENABLE = 25
SIGKILL = 9
SURE = """
[launcher]
suspense_min_s = 0.0
suspense_max_s = 0.0

[odds.fire]
policy = "memoryless"
probability = 1.0

[odds.size]
kind = "fixed"
cards = {cards}
"""
"""Each press fires, and at once."""
_ROW = re.compile(r"^.{16}-\d+ +\[\d+\] \S+ +(?P<at_s>[\d.]+): (?P<name>\w+): (?P<told>.*)$")


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the trace.

    :ivar at_s: on the Pi's monotonic clock.
    :ivar name: ``tracing_mark_write`` (a mark of ours), ``irq_handler_entry`` (an edge), ``gpio_value`` (of the motor's
        enable), ``signal_generate`` (SIGKILL).
    """

    at_s: float
    name: str
    told: str


class Traced(Pi):
    """A virtual Pi whose kernel keeps a trace of the contacts' edges, of the motor's enable line, and of kills."""

    def watch(self) -> None:
        """Begin it."""
        base = int(self.sh("cat /sys/class/gpio/gpiochip*/base"))
        self.sh(
            f"cd {FOLDER}; echo mono >trace_clock; echo 8000 >buffer_size_kb; cd events; "
            f"echo gpio=={base + ENABLE} >gpio/gpio_value/filter; echo sig=={SIGKILL} >signal/signal_generate/filter; "
            "for each in gpio/gpio_value signal/signal_generate irq/irq_handler_entry; do echo 1 >$each/enable; done"
        )

    def traced(self, *words: str) -> list[Event]:
        """Run a command; what happened meanwhile."""
        self.sh(f"echo >{FOLDER}/trace")
        self.run(*words, timeout_s=3600)
        return events_in(self.read(f"{FOLDER}/trace"))

    def contacts(self, *words: str) -> list[Event]:
        """Work the contacts; see ``contacts.py`` in ``tests/nightly/pi/guest``."""
        return self.traced("/usr/bin/python3", "-B", f"{WORLD}/contacts.py", *words)

    def settle(self, cards: int) -> None:
        """A launcher each of whose presses brings so many cards, at once, from a stack that does not end."""
        board = (ROOT / f"hardware/boards/{BOARD}.toml").read_text(encoding="utf-8")
        self.write(SETTINGS, board + SURE.format(cards=cards))
        self.sh(f"chgrp dispenser {SETTINGS}; chmod 640 {SETTINGS}")


@contextmanager
def traced(folder: Path) -> Iterator[Traced]:
    """A Pi that has booted, with the launcher installed from our Debian package, not started yet."""
    pi = Traced(image(package()), folder)
    try:
        pi.boot()
        pi.unpack()
        pi.watch()
        yield pi
    finally:
        pi.close()


def events_in(text: str) -> list[Event]:
    """What stands in a trace."""
    rows = (_ROW.match(line) for line in text.splitlines())
    return [Event(float(row["at_s"]), row["name"], row["told"]) for row in rows if row]


def delays_s(events: list[Event], level: int) -> list[float]:
    """From the edge after each of our marks until the motor's enable has that level."""
    delays, edge_s, marked = [], 0.0, False
    for event in events:
        if event.name == "tracing_mark_write":
            marked, edge_s = True, 0.0
        elif marked and not edge_s and event.name == "irq_handler_entry" and event.told.endswith("name=lg"):
            edge_s = event.at_s
        elif marked and edge_s and event.name == "gpio_value" and event.told.endswith(f"set {level}"):
            delays.append(event.at_s - edge_s)
            marked = False
    return delays


def compared(
    benchmark: str, what: str, bare_s: list[float], ours_s: list[float], at_most: float | None = None, note: str = ""
) -> list[Measure]:
    """Two rows, median and p99."""
    rows = []
    for name, quantile in (("median", 0.5), ("p99", 0.99)):
        bare_ms, ours_ms = (percentile(each, quantile) * 1e3 for each in (bare_s, ours_s))
        more = {"detail": {"ours_s": ours_s, "bare_s": bare_s}, "note": note if name == "median" else ""}
        rows.append(against(bare_ms, ours_ms, benchmark, f"{what}, {name}", "ms", at_most=at_most, **more))
    return rows
