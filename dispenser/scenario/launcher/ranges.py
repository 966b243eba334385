"""One number of one step may be a range; the scenario is then played once for each of its values."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from dispenser.scenario.launcher.tables import ScenarioError, Table

MAX_TAKES = 2000
_KEYS = {"from", "to", "by"}


def variants(tables: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The tables of each take, with what makes it different, such as ``at = 1.25``.

    :raises ScenarioError: more than one range, or one that cannot be walked.
    """
    found = [(number, key) for number, step in enumerate(_steps(tables)) for key in step if _is_range(step[key])]
    if not found:
        yield "", tables
        return
    if len(found) > 1:
        number, key = found[1]
        raise ScenarioError(f"[[step]] {number + 1}: {key}: only one number of one step may be a range")
    number, key = found[0]
    for value in _values(Table(_steps(tables)[number][key], f"[[step]] {number + 1}: {key}")):
        changed = copy.deepcopy(tables)
        changed["step"][number][key] = value
        yield f"{key} = {value:g}", changed


def _steps(tables: dict[str, Any]) -> list[dict[str, Any]]:
    steps = tables.get("step")
    usable = isinstance(steps, list) and all(isinstance(step, dict) for step in steps)
    return steps if usable and steps else []  # what is no table is refused when it is read


def _is_range(value: Any) -> bool:
    return isinstance(value, dict) and bool(_KEYS & value.keys())


def _values(table: Table) -> list[float]:
    for key in sorted(_KEYS):
        if key not in table:
            raise ScenarioError(f"{table.name}: a range is {{ from = …, to = …, by = … }}; {key} is missing")
    first, last = table.number("from", 0, 1e6) or 0.0, table.number("to", 0, 1e6) or 0.0
    by = table.number("by", 0, 1e6) or 0.0
    table.finish()
    if last < first or by <= 0 or (last - first) / by >= MAX_TAKES:
        raise ScenarioError(f"{table.name}: from {first:g} to {last:g} by {by:g} must be 1 to {MAX_TAKES} values")
    # Rounded, so that 0.1 + 0.2 reads as 0.3 in a report.
    values = [round(first + number * by, 9) for number in range(int((last - first) / by + 1e-9) + 1)]
    whole = all(isinstance(table.raw(key), int) for key in _KEYS)
    return [int(value) for value in values] if whole else values
