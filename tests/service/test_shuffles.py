"""What a match was shuffled with stays secret until it ends, whatever becomes of the service, and is shown then."""

from __future__ import annotations

import asyncio
from pathlib import Path

from dispenser.cli.audit import audit_file
from dispenser.odds.report import AuditReport
from dispenser.service.assembly import simulated_launcher
from dispenser.service.evenings import Evenings
from dispenser.table import messages as t


def audited_after(path: Path, *endings: t.Tell) -> AuditReport:
    """A match begins, the service stops, another takes over, and somebody says how it ends."""

    async def begin() -> None:
        async with simulated_launcher(seed="shuffles", journal=path) as service:
            service.tell(t.Open("Léa"), owner=True)
            service.tell(t.Bot(), person=1)
            service.tell(t.Start("uno", telling=t.Telling.CARDS), person=1)

    async def go_on() -> None:
        async with simulated_launcher(seed="shuffles again", journal=path) as service:
            for tell in endings:
                service.tell(tell, person=1)

    asyncio.run(begin())
    asyncio.run(go_on())
    return audit_file(path)


def test_it_is_awaited_while_the_match_is_on(tmp_path: Path) -> None:
    report = audited_after(tmp_path / "journal.db")
    assert (report.matches, report.pending_matches, report.problems) == (0, 1, [])


def test_it_is_shown_at_the_end_of_the_match(tmp_path: Path) -> None:
    report = audited_after(tmp_path / "journal.db", t.EndMatch())
    assert (report.matches, report.pending_matches, report.problems) == (1, 0, [])


def test_and_at_the_end_of_the_evening(tmp_path: Path) -> None:
    report = audited_after(tmp_path / "journal.db", t.Close())
    assert (report.matches, report.pending_matches, report.problems) == (1, 0, [])


def test_and_when_another_match_begins(tmp_path: Path) -> None:
    report = audited_after(tmp_path / "journal.db", t.EndMatch(), t.Start("uno", telling=t.Telling.CARDS))
    assert (report.matches, report.pending_matches, report.problems) == (1, 1, [])


def test_without_the_secret_an_evening_under_way_is_told_without_its_points(tmp_path: Path) -> None:
    from dispenser.journal import Journal

    path = tmp_path / "journal.db"
    audited_after(path)
    with Journal.read_only(path) as reader:
        (story,) = Evenings().stories(reader)
    assert story.people == ["Léa"]
    assert story.matches[0].players[0] == "Léa"
