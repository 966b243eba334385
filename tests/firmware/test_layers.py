"""Who knows whom in the firmware: one way only, in what its files call and in what they include."""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.firmware.toolchain import FIRMWARE, object_symbols

Graph = dict[str, set[str]]


def calls() -> Graph:
    """From the compiled files: who needs a name that another one defines."""
    symbols = object_symbols()
    home = {name: file for file, kinds in symbols.items() for name in kinds["defines"]}
    return {file: {home[name] for name in kinds["needs"] if name in home} for file, kinds in symbols.items()}


def includes() -> Graph:
    """From the sources; a ``.c`` and its ``.h`` are one."""
    graph: Graph = {}
    for path in [*FIRMWARE.glob("core/*.[ch]"), *FIRMWARE.glob("avr/*.[ch]")]:
        named = re.findall(r'^#include "(\w+)\.h"', path.read_text(encoding="utf-8"), re.MULTILINE)
        graph.setdefault(path.stem, set()).update(set(named) - {path.stem})
    return graph


def order(graph: Graph) -> list[str]:
    """The lowest first.

    :raises CycleError: there is none.
    """
    return list(TopologicalSorter(graph).static_order())


def test_no_file_calls_one_that_calls_it() -> None:
    lowest_first = order(calls())
    assert len(lowest_first) > 20
    assert lowest_first[-1] == "avr/main"


def test_no_file_includes_one_that_includes_it() -> None:
    assert {"core", "brain", "run", "lines", "port", "main"} <= set(order(includes()))


def test_the_board_knows_nothing_of_the_core_but_main() -> None:
    """Interrupts leave notes and bytes; main pulls them, and nobody is called from below."""
    graph = calls()
    called = {file: {other for other in graph[file] if other.startswith("core/")} for file in graph if "avr/" in file}
    assert called.pop("avr/main") == {"core/core"}
    assert called
    assert not any(called.values()), called


def test_the_core_asks_of_a_board_what_its_port_says_and_nothing_else() -> None:
    symbols = object_symbols()
    home = {name: file for file, kinds in symbols.items() for name in kinds["defines"]}
    asked = {
        name
        for file, kinds in symbols.items()
        if file.startswith("core/")
        for name in kinds["needs"]
        if home.get(name, "").startswith("avr/")
    }
    assert asked
    assert all(name.startswith("port_") for name in asked), asked


@pytest.mark.parametrize(
    "upcall", [("core/lines", "core/run"), ("core/cells", "core/brain"), ("avr/pins", "core/core")]
)
def test_a_call_upwards_would_be_found(upcall: tuple[str, str]) -> None:
    below, above = upcall
    graph = calls()
    graph[below].add(above)
    with pytest.raises(CycleError):
        order(graph)
