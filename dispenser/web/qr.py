"""A square to scan, as a page draws it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

QUIET = 4
"""Modules of white around it, which a camera needs."""


@lru_cache(maxsize=8)
def qr_of(address: str) -> dict[str, Any]:
    """The view's ``join.qr``: a drawing ``size`` units wide, and its dark modules as a path for a pen one unit wide."""
    import segno

    modules = segno.make_qr(address, error="m").matrix
    runs: list[str] = []
    for row, line in enumerate(modules):
        column = 0
        while column < len(line):
            dark = column
            while dark < len(line) and line[dark]:
                dark += 1
            if dark > column:
                runs.append(f"M{column + QUIET} {row + QUIET}.5h{dark - column}")
            column = dark + 1
    return {"size": len(modules) + 2 * QUIET, "path": "".join(runs)}
