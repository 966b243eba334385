"""Picks the examples that the pages of the rules show, out of the scenarios: ``python -m tests.scenarios.examples``.

A scenario is an example when it can be told in a few sentences. The first of a rule is the one that comes nearest to
three of them; the second shows what is refused where the first shows what is done, or the other way round.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from dispenser.rules.library import RULES
from dispenser.scenario.rules.examples import FILE, tell
from dispenser.scenario.rules.expectations import EXPECTED
from dispenser.scenario.rules.player import ACTS

FOLDER: Final = Path(__file__).with_name("rules")
BEST_SENTENCES: Final = 3
FEW_SENTENCES: Final = 9
FEW_CARDS: Final = 16
"""Cards in all hands together that can be taken in at a glance."""
MOST_SENTENCES: Final = 16
MOST_CARDS: Final = 40
"""With more, none is better."""
MOST_EXAMPLES: Final = 2
NOT_TOLD: Final = ACTS.keys() - {"launcher", "penalty", "answer", "deal"}
"""What puts things right or takes moves back makes an example longer, not clearer: it ends before that."""


def written() -> str:
    """The whole file: a line for each rule."""
    lines = [f"{json.dumps(rule)}: {json.dumps(_of(rule), ensure_ascii=False)}" for rule in RULES if _of(rule)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _of(rule: str) -> list[dict[str, Any]]:
    """Those that are named after the rule come first, then those that are about it, too."""
    about = [(path, tables) for path, tables in _scenarios() if rule in tables["rules"]]
    found = sorted(
        (each for path, tables in about for each in _candidate(rule, path, tables)), key=lambda each: each[0]
    )
    first = found[:1]
    other = [each for each in found[1:] if each[2] != first[0][2]] or found[1:]
    return [_bare(tables, path.stem) for (_, path), tables, _ in (*first, *other[: MOST_EXAMPLES - 1])]


@cache
def _scenarios() -> list[tuple[Path, dict[str, Any]]]:
    return [(path, tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.rglob("*.toml"))]


def _candidate(rule: str, path: Path, tables: dict[str, Any]) -> Iterator[tuple[Any, dict[str, Any], bool]]:
    """How good it is, the less the better; the scenario; whether something is refused in it. Else nothing."""
    steps = _told(tables)
    refused = [step for step in steps if "illegal" in step]
    if any(step.keys().isdisjoint(tables["players"]) for step in refused):
        return
    example = tell(_bare(tables, path.stem), "en")
    sentences = sum(map(len, example.steps))
    cards = sum(len(hand.cards) for hand in example.hands)
    if 0 < sentences <= MOST_SENTENCES and cards <= MOST_CARDS:
        long = cards > FEW_CARDS or sentences > FEW_SENTENCES or len(steps) < len(tables.get("step", ()))
        yield ((not path.stem.startswith(rule), long, abs(sentences - BEST_SENTENCES)), path), tables, bool(refused)


def _bare(tables: dict[str, Any], name: str) -> dict[str, Any]:
    """The scenario without what must follow, nor what was said for those who read the file."""
    bare = {key: value for key, value in tables.items() if key not in {"why", "start", "title", "rules"}}
    kept = [{key: value for key, value in step.items() if key not in EXPECTED} for step in _told(tables)]
    return {"title": name, "rules": [name[:4]], **bare, "step": kept}


def _told(tables: dict[str, Any]) -> list[dict[str, Any]]:
    return list(takewhile(NOT_TOLD.isdisjoint, tables.get("step", ())))


def main() -> None:
    """Write the file."""
    FILE.write_text(written(), encoding="utf-8")
    print(f"{FILE.name}: {FILE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
