"""Old evenings do not slow the start: what it reads does not grow with them."""

from __future__ import annotations

from pathlib import Path

from dispenser.journal import Journal
from dispenser.service.evening import Evening
from dispenser.service.presence import Presence
from tests.table.played import evening


def test_the_secret_of_an_evening_that_is_over_is_forgotten_by_the_next_start_at_the_latest(tmp_path: Path) -> None:
    lines = evening("over", steps=5).lines
    with Journal.open(tmp_path / "journal.db") as journal:
        journal.put_secret(lines[0].data["commitment"], "ab" * 32)
        journal.put_secret("cd" * 32, "ef" * 32)
        journal.append("table", [(line.type, line.data) for line in lines])
        Evening(journal, 12, Presence(lambda: 0.0))
        assert journal.unrevealed_secrets() == [("cd" * 32, "ef" * 32)]
