"""Stories of evenings that are remembered, and for how long."""

from __future__ import annotations

from pathlib import Path

from dispenser.journal import Journal
from dispenser.service.evenings import Evenings
from dispenser.table import messages as t
from tests.table.played import PlayedEvening

MOST_KEPT = 64


def journal_of(path: Path, *names: str) -> Journal:
    """Somebody sits down on each evening, and goes again."""
    journal = Journal.open(path)
    for name in names:
        played = PlayedEvening(name)
        played.sit_down("Léa")
        played.say(t.Close())
        lines = [(line.type, line.data | ({"table": name} if line.seq == 1 else {})) for line in played.lines]
        journal.append("table", lines)
    return journal


def test_each_is_worked_out_once_unless_it_was_deleted_or_many_others_were_asked_for(tmp_path: Path) -> None:
    names = [f"evening {number}" for number in range(MOST_KEPT + 1)]
    with journal_of(tmp_path / "journal.db", *names) as journal:
        evenings = Evenings()
        first, second, *_, last = [evenings.story(journal, name) for name in names]
        assert evenings.story(journal, names[1]) is second
        assert evenings.story(journal, names[0]) is not first
        evenings.forget(names[-1])
        assert evenings.story(journal, names[-1]) is not last
