"""Evenings in the journal: told, deleted, and what their matches were shuffled with is revealed when they end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dispenser.cli.audit import audit_file
from dispenser.journal import ERASED, Journal
from dispenser.service.assembly import simulated_launcher
from dispenser.service.evenings import Evenings, UnknownEveningError
from dispenser.service.requests import RequestReusedError
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.errors import TableRefusal
from tests.service.test_service import scripted

CARDS = c.Start("uno", tracking_mode=e.TrackingMode.CARDS)


@pytest.mark.parametrize(
    ("endings", "revealed", "secret"),
    [([], 0, 1), ([c.EndMatch()], 1, 0), ([c.Close()], 1, 0), ([c.EndMatch(), CARDS], 1, 1)],
    ids=["under way", "match over", "evening over", "another match"],
)
def test_what_a_match_was_shuffled_with_is_revealed_at_its_end_after_a_restart_too(
    tmp_path: Path, endings: list[c.Command], revealed: int, secret: int
) -> None:
    path = tmp_path / "journal.db"

    async def begin() -> None:
        async with simulated_launcher(seed="shuffles", journal=path) as service:
            service.execute(c.Open("Léa"), owner=True)
            service.execute(c.Bot(), person=1)
            service.execute(CARDS, person=1)

    async def go_on() -> None:
        async with simulated_launcher(seed="shuffles again", journal=path) as service:
            for command in endings:
                service.execute(command, person=1)

    asyncio.run(begin())
    asyncio.run(go_on())
    report = audit_file(path)
    assert (report.matches, report.pending_matches, report.problems) == (revealed, secret, [])
    with Journal.read_only(path) as reader:  # which has no secrets
        (story,) = Evenings().stories(reader)
    assert story.people == ["Léa"]


async def test_an_evening_is_deleted_once_it_is_over_and_not_told_from_memory_either(tmp_path: Path) -> None:
    async with scripted(journal=tmp_path / "journal.db") as service:
        service.execute(c.Open("Léa"), owner=True)
        (brief,) = service.evenings.listed(service.journal)
        with pytest.raises(TableRefusal, match="under way"):
            service.delete_evening(brief.id)
        service.execute(c.Close(), owner=True)
        story = service.evenings.story(service.journal, brief.id)
        assert service.evenings.story(service.journal, brief.id) is story, "it is worked out once"
        deleted = service.delete_evening(brief.id, request="delete")
        assert (deleted.type, deleted.data["table"]) == (ERASED, brief.id)
        assert service.delete_evening(brief.id, request="delete") == deleted
        with pytest.raises(RequestReusedError):
            service.delete_evening("another", request="delete")
        for ask in (service.delete_evening, lambda id_: service.evenings.story(service.journal, id_)):
            with pytest.raises(UnknownEveningError):
                ask(brief.id)
