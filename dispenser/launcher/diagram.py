"""The picture of the statechart, drawn from the table that the machine runs on.

``python -m dispenser.launcher.diagram`` prints the Mermaid text that stands in README.md; a test compares the two.
States in which the lid is shut and the launcher lives are drawn as one group, so that what holds in all of them
(lid up, failure, switching off) is one arrow and not six. ``transitions`` can draw Mermaid by itself, but knows no
such groups for a flat machine, and forty arrows are no picture.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from dispenser.launcher.messages import State
from dispenser.launcher.statechart import TRANSITIONS

GROUP = frozenset({State.READY, State.SUSPENSE, State.FEEDING, State.RETRACTING, State.JAMMED, State.EMPTY})


def _names(value: str | list[str] | None, mark: str = "") -> list[str]:
    listed = [value] if isinstance(value, str) else value or []
    return [mark + name.replace("_", " ") for name in listed]


def _arrows() -> Iterator[tuple[str, str, str]]:
    """Source, destination and label of every row in which something happens."""
    for row in TRANSITIONS:
        if row["dest"] is None:
            continue
        sources = row["source"] if isinstance(row["source"], list) else [row["source"]]
        grouped = set(sources) >= GROUP
        names = (["lid_shut"] if grouped else []) + [s.value for s in sources if not (grouped and s in GROUP)]
        when = _names(row.get("conditions")) + _names(row.get("unless"), "not ")
        label = row["trigger"].replace("_", " ") + (f" [{', '.join(when)}]" if when else "")
        for name in names:
            yield name, row["dest"].value, label


def mermaid() -> str:
    """The statechart in Mermaid's language."""
    members = {state.value for state in GROUP}
    inside, outside = [], []
    for source, dest, label in _arrows():
        line = f"{source} --> {dest}: {label}"
        (inside if source in members and dest in members else outside).append(line)
    lines = ["stateDiagram-v2", "    [*] --> off", '    state "lid shut" as lid_shut {']
    lines += [f"        {line}" for line in inside]
    lines += ["    }"]
    lines += [f"    {line}" for line in outside]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(mermaid())
