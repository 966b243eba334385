"""A whole evening on the simulated launcher, in virtual time: told at the table, written down, killed, brought back."""

from __future__ import annotations

import asyncio
import itertools
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from dispenser import Service
from dispenser.journal import Journal
from dispenser.odds.audit import audit
from dispenser.service.evening import CommandResult, Evening
from dispenser.service.launcher_service import RETRY_S
from dispenser.service.presence import Presence
from dispenser.service.requests import NoSessionError
from dispenser.table import commands as c
from dispenser.table.errors import TableRefusal
from dispenser.table.match import Match
from dispenser.table.secrets import hashed
from dispenser.table.table import Table
from tests.service.test_service import scripted, simulator_of
from tests.table.evening import values_of

_ids = (f"id-{number:04}-nobody-guesses" for number in itertools.count())


def table_of(service: Service) -> Table:
    assert service.evening is not None
    return service.evening.table


def match_of(service: Service) -> Match:
    match = table_of(service).match
    assert match is not None
    return match


def sit_down(service: Service, *names: str) -> list[str]:
    """They open an evening and sit down; returns the secrets of their phones."""
    found = []
    for number, name in enumerate(names):
        command: c.Command = c.Join(name) if number else c.Open(name)
        said = service.execute(command, owner=not number, request=next(_ids))
        assert said.secret is not None
        found.append(said.secret)
    return found


def act(service: Service, *action: Any, person: int = 1) -> CommandResult:
    return service.execute(c.Act(list(action)), person=person)


def lay(service: Service, seat: int, card: str) -> CommandResult:
    return act(service, "play", seat, {"act": "lay", "card": card}, person=match_of(service).order[seat])


def begin(service: Service, game: str, turn: int = 0) -> None:
    """A match that the table tells, with a red 5 on top."""
    service.execute(c.Start(game), person=1)
    act(service, "answer", None, "red 5")
    act(service, "turn", turn, None)


def drawing_two(service: Service) -> None:
    """Uno: Tom draws two."""
    begin(service, "uno")
    lay(service, 0, "red +2")


def order_of(service: Service) -> Any:
    return service.snapshot()["order"]


async def pushed(service: Service) -> None:
    """A push of the real button, and its whole burst."""
    simulator_of(service).push_button()
    await asyncio.sleep(8.0)
    while simulator_of(service).view().card_in_exit:
        simulator_of(service).take_card()
        await asyncio.sleep(1.0)


@asynccontextmanager
async def evening(*cards: int, journal: Path | str = ":memory:") -> AsyncIterator[Service]:
    """A launcher that is ready, with Léa and Tom at the table."""
    async with scripted(*cards, journal=journal) as service:
        await asyncio.sleep(0.5)
        sit_down(service, "Léa", "Tom")
        yield service


async def test_a_push_brings_what_is_owed_and_is_paid_with_the_burst_in_one_transaction() -> None:
    async with evening(9, 9) as service:
        drawing_two(service)
        before = service.journal.last_seq
        acted, changed = service.journal.read(after=before - 2)
        assert (acted.type, changed.type, changed.data["cards"]) == ("table.acted", "launcher.order.changed", 2)
        assert acted.time == changed.time
        await pushed(service)
        assert simulator_of(service).view().cards_out == 2
        assert match_of(service).game.state.sizes[1] == 9
        told_then = [record.type for record in service.journal.read(after=before)]
        assert told_then.count("launcher.order.changed") == 1, "spent by its push, and none while the burst runs"
        assert told_then.index("table.press.taken") > told_then.index("launcher.press.accepted")
        assert told_then.index("table.acted") > told_then.index("launcher.burst.ended")
        await pushed(service)
        assert service.snapshot()["order"] == {"cards": 0, "why": "nothing_owed"}
        assert simulator_of(service).view().cards_out == 2
        refused = list(service.journal.read(types=["launcher.press.refused"]))
        assert [(each.data["source"], each.data["reason"]) for each in refused] == [("button", "nothing_owed")]
        assert audit(list(service.journal.read())).problems == []


async def test_a_count_told_at_the_table_reaches_the_launchers_own() -> None:
    async with evening(3) as service:
        begin(service, "uno-extreme", turn=1)
        await pushed(service)
        assert service.snapshot()["cards_inside"] == 109
        press = table_of(service).last_press
        assert press is not None
        service.execute(c.SetCount(press, 4), person=2)
        await asyncio.sleep(0.5)
        assert service.snapshot()["cards_inside"] == 108
        assert match_of(service).game.state.sizes[1] == 11
        (counted,) = service.journal.read(types=["launcher.burst.counted"])
        assert (counted.data["cards"], counted.data["counted_before"]) == (4, 3)


async def test_a_tap_on_draw_pushes_by_itself_in_exact_games() -> None:
    async with evening() as service:
        begin(service, "uno")
        act(service, "play", 0, {"act": "draw"})
        await asyncio.sleep(8.0)
        assert simulator_of(service).view().cards_out + simulator_of(service).view().card_in_exit == 1
        assert match_of(service).game.state.sizes[0] == 8
        (accepted,) = service.journal.read(types=["launcher.press.accepted"])
        assert (accepted.data["source"], accepted.data["cards"], accepted.data["ordered"]) == ("table", 1, True)


def contents(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in folder.iterdir())


async def test_no_secret_and_no_code_is_in_the_journals_records_or_files(tmp_path: Path) -> None:
    shown: list[bytes] = []
    hidden: list[str] = []

    async with scripted(journal=tmp_path / "journal.sqlite3") as service:
        hidden.extend(sit_down(service, "Léa", "Tom"))
        hidden.append(str(service.execute(c.Claim(2), request=next(_ids)).secret))
        service.execute(c.Confirm(2), person=1)
        begin(service, "uno")
        hidden.append(f'"{table_of(service).code}"')
        shown.extend(record.json() + str(record.public()).encode() for record in service.journal.read())
        service.journal.checkpoint()
    records = b"".join(shown)
    for secret in hidden:
        assert secret.encode() not in records + contents(tmp_path)
        assert hashed(secret).encode() not in records


async def test_the_secret_of_an_evening_is_forgotten_with_it_and_not_kept_for_one_that_was_refused() -> None:
    async with scripted() as service:
        before = service.journal.unrevealed_secrets()
        with pytest.raises(TableRefusal):
            service.execute(c.Open("\u200b"), owner=True)
        assert service.journal.unrevealed_secrets() == before
        sit_down(service, "Léa", "Tom")
        first = table_of(service).code
        assert len(service.journal.unrevealed_secrets()) == len(before) + 1
        begin(service, "uno")
        service.execute(c.Close(), person=1)
        assert service.journal.unrevealed_secrets() == before
        assert (table_of(service).is_open, order_of(service)) == (False, None)
        sit_down(service, "Tom")
        assert table_of(service).code != first


def as_killed(path: Path, to: Path) -> Path:
    """The journal as it lies on the disk this moment."""
    for end in ("", "-wal"):
        if path.with_name(path.name + end).exists():
            shutil.copy(path.with_name(path.name + end), to.with_name(to.name + end))
    return to


async def test_killed_at_any_moment_the_table_is_the_same_with_its_code_secrets_and_orders(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    async with scripted(3, 0, 2, 5, 1, journal=path) as service:
        await asyncio.sleep(0.5)
        number = itertools.count()

        def killed() -> None:
            copy = as_killed(path, tmp_path / f"killed-{next(number)}.sqlite3")
            journal = Journal.open(copy)
            there, here = Evening(journal, 12, Presence(lambda: 0.0)), service.evening
            assert here is not None
            assert there.is_open == here.is_open
            if there.is_open:
                hosts = [each.table.people.acting_host(each.present) for each in (there, here)]
                assert hosts[0] == hosts[1]
                assert values_of(there.table) == values_of(here.table)
                assert (there.table.code, there.table.watch_key) == (here.table.code, here.table.watch_key)
                assert there.order() == here.order()
                assert [there.person_of(secret) for secret in found] == [here.person_of(each) for each in found]
            journal.close()

        found: list[str] = []
        killed()
        found = sit_down(service, "Léa", "Tom", "Zoé")
        killed()
        service.execute(c.Guest("Mamie"), person=2)
        service.execute(c.Help(3, 1), person=3)
        service.execute(c.Claim(2), request=next(_ids))
        begin(service, "uno-extreme")
        killed()
        lay(service, 0, "red press 2")
        simulator_of(service).push_button()
        for _ in range(40):
            await asyncio.sleep(0.2)
            killed()
        simulator_of(service).take_card()
        await asyncio.sleep(1.0)
        for command in (c.Undo(), c.Redo(), c.Close()):
            service.execute(command, person=1)
            killed()


async def test_a_burst_under_way_at_a_kill_is_asked_about_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    async with scripted(5, journal=path) as service:
        await asyncio.sleep(0.5)
        found = sit_down(service, "Léa", "Tom")
        drawing_two(service)
        simulator_of(service).push_button()
        while not list(service.journal.read(types=["launcher.card.left"])):
            simulator_of(service).take_card()
            await asyncio.sleep(0.01)
        copy = as_killed(path, tmp_path / "killed.sqlite3")
    async with scripted(5, journal=copy) as service:
        await asyncio.sleep(2.0)
        (asked,) = table_of(service).asked.values()
        assert (asked.why, asked.likely) == ("lost", 1)
        assert order_of(service) == {"cards": 0, "why": "count_first"}
        assert service.evening is not None
        assert [service.evening.person_of(each) for each in found] == [1, 2]
        assert {1, 2} == {each for each in range(9) if each in service.evening.present}, "their phones come back"
        service.execute(c.SetCount(asked.press, 1), person=2)
        await asyncio.sleep(0.5)
        assert order_of(service)["cards"] == 1
        await pushed(service)
        assert match_of(service).game.state.sizes[1] == 9


async def test_a_journal_that_fails_in_the_middle_of_a_tell_leaves_the_table_as_it_is_written(
    tmp_path: Path,
) -> None:
    async with evening(5, journal=tmp_path / "journal.sqlite3") as service:
        drawing_two(service)
        simulator_of(service).push_button()
        while not simulator_of(service).view().cards_out:
            simulator_of(service).take_card()
            await asyncio.sleep(0.01)
        service.journal.ask("PRAGMA query_only = ON")
        for command in (c.Rename("Thomas"), c.Undo()):
            with pytest.raises(NoSessionError):
                service.execute(command, person=2)
        assert not simulator_of(service).view().motor_commanded
        await asyncio.sleep(RETRY_S + 1.0)
        assert table_of(service).people.name(2) == "Tom"
        replayed = Evening(service.journal, 12, service.present).table
        assert values_of(replayed) == values_of(table_of(service))
        service.execute(c.Rename("Thomas"), person=2)
        assert table_of(service).people.name(2) == "Thomas"
