"""Who listens at a TCP port of this computer."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from dispenser.system.programs import answer_of

_USER = re.compile(r'\(\("(?P<name>[^"]*)",pid=(?P<process>\d+)')


class Listener(NamedTuple):
    """A program that listens.

    :ivar name: empty where this user may not know.
    :ivar unit: of systemd; empty where it belongs to none.
    """

    name: str
    process: int
    unit: str


def listener_at(port: int, processes: Path = Path("/proc")) -> Listener | None:
    """Who has that port; ``None`` where nobody has it, or nobody knows."""
    answer = answer_of("ss", "-Hltnp", f"sport = :{port}")
    if not answer:
        return None
    found = _USER.search(answer)
    if found is None:
        return Listener("", 0, "")
    return Listener(found["name"], int(found["process"]), _unit_of(processes / found["process"]))


def _unit_of(process: Path) -> str:
    try:
        place, _, last = (process / "cgroup").read_text(encoding="utf-8").strip().rpartition("/")
    except OSError:
        return ""
    return last if last.endswith(".service") and "/user.slice" not in place else ""  # of the system's, not a user's own
