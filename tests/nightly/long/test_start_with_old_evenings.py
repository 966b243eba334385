"""Old evenings do not slow the start: what it reads does not grow with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dispenser.journal import Journal, JournalReader
from dispenser.service.evening import Evening
from dispenser.service.presence import Presence
from dispenser.service.replay import replay_launcher
from tests.table.played import evening


def test_three_times_the_evenings_are_not_one_row_more_to_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = rows_read(journal_of(tmp_path / "few.db", 15), monkeypatch)
    many = rows_read(journal_of(tmp_path / "many.db", 45), monkeypatch)
    assert few == many


def rows_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Questions that a start puts to the journal, and rows of the answers."""
    questions, rows = 0, 0
    ask = JournalReader.ask

    def counted(reader: JournalReader, sql: str, *parameters: object) -> list[object]:
        nonlocal questions, rows
        found: list[object] = ask(reader, sql, *parameters)  # type: ignore[arg-type]
        questions, rows = questions + 1, rows + len(found)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(JournalReader, "ask", counted)
        with Journal.open(path) as journal:
            replay_launcher(journal)
            assert not Evening(journal, 12, Presence(lambda: 0.0)).is_open
            return questions, rows


def journal_of(path: Path, evenings: int) -> Path:
    """A journal with so many evenings that are over."""
    lines = evening("old", "uno-extreme", steps=300).lines
    with Journal.open(path) as journal:
        for number in range(evenings):
            for line in lines:
                more = {"table": f"{number:x}"} if line.type == "table.opened" else {}
                journal.append("table", [(line.type, {**line.data, **more})])
    return path
