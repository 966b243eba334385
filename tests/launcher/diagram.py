"""The picture of the statechart, drawn from the table that the machine runs on.

``python -m tests.launcher.diagram`` prints the Mermaid text of dispenser/launcher/README.md; a test compares the two.
What leads to one state from everywhere (switching off, failing) is a note there and not ten arrows; the states in
which the lid is shut are one group, which "lid up" leaves by one arrow. ``transitions`` can draw Mermaid by itself,
but knows neither for a flat machine, and fifty arrows are no picture.
"""

from __future__ import annotations

import sys
from typing import Any

from dispenser.launcher.messages import State
from dispenser.launcher.statechart import TRANSITIONS

GROUP = frozenset(State) - {State.OFF, State.OPEN, State.FAULT}


def _label(row: dict[str, Any]) -> str:
    conditions = row.get("conditions") or []
    when = ", ".join([conditions] if isinstance(conditions, str) else conditions)
    label = f"{row['trigger']} [{when}]" if when else str(row["trigger"])
    return label.replace("_", " ")


def _drawn() -> tuple[dict[tuple[str, str], list[str]], dict[str, list[str]]]:
    """Labels of the arrows by (source, destination), and of the notes by destination."""
    arrows: dict[tuple[str, str], list[str]] = {}
    notes: dict[str, list[str]] = {}
    for row in TRANSITIONS:
        if row["dest"] is None:
            continue
        sources = set(row["source"] if isinstance(row["source"], list) else [row["source"]])
        if sources > GROUP:
            notes.setdefault(row["dest"].value, []).append(f"{_label(row)} leads here from every state that is on")
            continue
        names = ["lid_shut"] if sources == GROUP else [source.value for source in State if source in sources]
        for name in names:
            arrows.setdefault((name, row["dest"].value), []).append(_label(row))
    return arrows, notes


def mermaid() -> str:
    """The statechart in Mermaid's language."""
    arrows, notes = _drawn()
    members = {state.value for state in GROUP}
    inside: list[str] = []
    outside: list[str] = []
    for (source, dest), labels in arrows.items():
        line = f"{source} --> {dest}: {' / '.join(labels)}"
        (inside if source in members and dest in members else outside).append(line)
    lines = ["stateDiagram-v2", "    [*] --> off", '    state "lid shut" as lid_shut {']
    lines += [f"        {line}" for line in inside]
    lines += ["    }"]
    lines += [f"    {line}" for line in outside]
    lines += [f"    note right of {dest}: {', '.join(labels)}" for dest, labels in notes.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(mermaid())
