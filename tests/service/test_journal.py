"""A journal that fails, in the middle or from the start: the motor is off, and it says so."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from dispenser import Service, simulated_launcher
from dispenser.journal import Journal
from dispenser.journal.errors import JournalMissingError
from dispenser.launcher.messages import DriverFailed, DriverRecovered, Feed
from dispenser.odds.audit import audit
from dispenser.service.answers import JournalUnavailableError
from dispenser.service.pen import MAX_UNWRITTEN
from dispenser.simulator import ToyParameters
from tests.service.story import Story
from tests.service.test_fails_closed import Told, motor_of
from tests.service.test_service import play, scripted, toy_of
from tests.service.watched import KeptJournal

GROWTH_PAGES = 3
"""Pages that the journal may still grow by when it is nearly full."""


# --- the journal fails in the middle ------------------------------------------------------------------------------


def fill_up(journal: Journal) -> int:
    """From now on the journal's disk is as good as full; returns the limit that it had."""
    ((before,),) = journal.ask("PRAGMA max_page_count")
    ((pages,),) = journal.ask("PRAGMA page_count")
    journal.ask(f"PRAGMA max_page_count = {pages + GROWTH_PAGES}")
    return int(before)


def make_room(journal: Journal, pages: int) -> None:
    journal.ask(f"PRAGMA max_page_count = {pages}")


async def until(service: Service, state: str, *, limit_s: float = 60.0) -> None:
    for _ in range(int(limit_s / 0.01)):
        if service.snapshot()["state"] == state:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"not {state} after {limit_s} s but {service.snapshot()}")


@pytest.mark.parametrize("where", ["memory", "file"])
def test_a_full_journal_stops_the_motor_and_loses_nothing(where: str, tmp_path: Path) -> None:
    async def evening() -> None:
        path = ":memory:" if where == "memory" else tmp_path / "journal.sqlite3"
        async with scripted(*([12] * 100), journal=path) as service:
            told = Told(service)
            await asyncio.sleep(0.5)
            pages = fill_up(service.journal)
            refused = 0
            while service.snapshot()["state"] != "fault":
                try:
                    await service.press()
                except JournalUnavailableError:
                    refused += 1
                await asyncio.sleep(0.05)
                toy_of(service).take_card()
                if service.snapshot()["state"] == "empty":
                    toy_of(service).load(100)
                    await service.load(100)
            assert motor_of(service) == 0
            assert "full" in service.snapshot()["detail"]
            known = service.journal.last_seq
            for _ in range(5):
                with pytest.raises(JournalUnavailableError, match="full"):
                    await service.press()
            toy_of(service).open_lid()
            await asyncio.sleep(1.0)
            toy_of(service).close_lid()
            await asyncio.sleep(5.0)
            assert service.journal.last_seq == known == told.entries[-1].seq, "nobody hears of what is not written"
            assert not toy_of(service).view().light_on, "no press would count, so the light is off"
            make_room(service.journal, pages)
            await asyncio.sleep(2.0)
            assert [type_ for type_ in told.types() if type_.startswith("launcher.lid")] == [
                "launcher.lid.opened",
                "launcher.lid.closed",
            ]
            assert service.snapshot()["state"] == "fault", "a fault stays until somebody has seen to it"
            assert (await service.reset()).data["state"] == "ready"
            toy_of(service).take_card()
            await asyncio.sleep(0.5)
            assert (await service.press()).type == "launcher.press.accepted"
            assert told.entries == list(service.journal.read())
            told.check()

    play(evening)


def test_a_journal_that_fails_in_a_burst_stops_it_and_tells_later_how_it_ended() -> None:
    async def evening() -> None:
        service = simulated_launcher(seed="full", parameters=ToyParameters.flawless())
        service.beginning.open_journal = lambda: KeptJournal.open(":memory:")
        async with service:
            told = Told(service)
            await asyncio.sleep(0.1)
            accepted = await service.press(cards=12)
            await asyncio.sleep(0.2)
            assert motor_of(service) == 1.0
            journal = service.journal
            journal.ask("PRAGMA query_only = ON")
            while motor_of(service):  # noqa: ASYNC110 - virtual time, and no event tells of a pin
                await asyncio.sleep(0.001)
            assert service.snapshot()["state"] == "fault"
            await asyncio.sleep(3.0)
            journal.ask("PRAGMA query_only = OFF")
            ended = await service.outcome(accepted)
            assert (ended.data["planned"], ended.data["cause"]) == (12, "fault")
            await asyncio.sleep(1.0)
            counted = told.types().count("launcher.card.left") + ended.data["sticking_out"]
            view = toy_of(service).view()
            assert counted in {view.cards_out, view.cards_out + view.card_in_exit}
            told.check()
        assert journal.verify_chain() is None
        assert isinstance(journal, KeptJournal)
        journal.really_close()
        assert audit(told.entries).problems == []

    play(evening)


def test_the_light_goes_out_when_a_press_cannot_be_written_down() -> None:
    """What the machine wanted of the driver when the journal failed was forgotten, the light with it."""

    async def evening() -> None:
        async with scripted(3) as service:
            await asyncio.sleep(0.1)
            assert toy_of(service).view().light_on
            service.journal.ask("PRAGMA query_only = ON")
            with pytest.raises(JournalUnavailableError, match="read-only"):
                await service.press()
            assert service.snapshot()["state"] == "fault"
            await asyncio.sleep(0.1)
            assert not toy_of(service).view().light_on

    play(evening)


def test_a_journal_that_never_comes_back_is_no_reason_to_hang_at_the_end(caplog: pytest.LogCaptureFixture) -> None:
    async def evening() -> None:
        async with scripted() as service:
            await asyncio.sleep(0.1)
            fill_up(service.journal)
            service.journal.ask("PRAGMA max_page_count = 1")
            for _ in range(20):
                toy_of(service).push_button(0.05)
                await asyncio.sleep(0.2)
            await asyncio.sleep(1.0)
            assert service.snapshot()["state"] in {"fault", "ready"}
        assert motor_of(service) == 0

    play(evening)


def test_what_cannot_be_written_is_kept_within_bounds() -> None:
    """A lid that flutters all night over a full disk must not fill the memory, too."""

    async def evening() -> None:
        async with scripted() as service:
            await asyncio.sleep(0.1)
            service.journal.ask("PRAGMA query_only = ON")
            before = service.journal.last_seq
            for _ in range(1500):
                toy_of(service).drive_line("lid", True)
                await asyncio.sleep(0.001)
                toy_of(service).drive_line("lid", False)
                await asyncio.sleep(0.06)
            service.journal.ask("PRAGMA query_only = OFF")
            await asyncio.sleep(2.0)
            (dropped,) = service.journal.read(types=["service.notices.dropped"])
            assert dropped.data["count"] > 1000
            assert service.journal.last_seq - before <= MAX_UNWRITTEN * 3, "a batch has a few entries"

    play(evening)


def test_a_note_that_could_not_be_written_is_not_written_later_either() -> None:
    async def evening() -> None:
        async with scripted() as service:
            told = Told(service)
            await asyncio.sleep(0.1)
            service.journal.ask("PRAGMA query_only = ON")
            with pytest.raises(JournalUnavailableError):
                service.note("toy.lid", {"open": True})
            service.journal.ask("PRAGMA query_only = OFF")
            await asyncio.sleep(2.0)
            assert "toy.lid" not in told.types()

    play(evening)


def test_a_journal_that_fails_while_nothing_happens_is_told_within_two_seconds() -> None:
    async def evening() -> None:
        async with scripted() as service:
            await asyncio.sleep(0.1)
            service.journal.ask("PRAGMA query_only = ON")
            toy_of(service).drive_line("exit", True)  # an edge to write down, and nothing else
            toy_of(service).drive_line("exit", False)
            await until(service, "fault", limit_s=2.1)
            assert not toy_of(service).view().light_on

    play(evening)


# --- no journal at the start --------------------------------------------------------------------------------------


def test_without_a_journal_the_launcher_waits_in_fault_and_begins_when_it_can(tmp_path: Path) -> None:
    async def evening() -> None:
        obstacle = tmp_path / "state"
        obstacle.write_text("a file where the folder should be")
        async with scripted(2, journal=obstacle / "journal.sqlite3") as service:
            alive: list[None] = []
            service.on_alive = lambda: alive.append(None)
            for _ in range(3):
                await asyncio.sleep(1.0)
                snapshot = service.snapshot()
                assert snapshot["state"] == "fault"
                assert str(obstacle) in snapshot["detail"]
                assert "impossible d’ouvrir le journal" in service.snapshot("fr")["detail"]
                with pytest.raises(JournalUnavailableError, match="state"):
                    await service.press()
                for use in (lambda: service.journal, lambda: service.hub, lambda: service.note("a", {})):
                    with pytest.raises(JournalUnavailableError):
                        use()
                toy_of(service).push_button()
                toy_of(service).open_lid()
                await asyncio.sleep(0.2)
                toy_of(service).close_lid()
                assert motor_of(service) == 0
            assert alive, "it lives, so systemd has no reason to restart it"
            obstacle.unlink()
            await asyncio.sleep(1.5)
            assert service.snapshot()["state"] == "ready"
            assert service.snapshot()["presses"] == 0
            assert (await service.outcome(await service.press())).data["delivered"] == 2
            assert Story().read(service.journal.read()).problems == []

    play(evening)


def test_a_second_launcher_on_the_same_journal_waits_for_the_first(tmp_path: Path) -> None:
    async def evening() -> None:
        path = tmp_path / "journal.sqlite3"
        async with scripted(journal=path) as second_to_none:
            await asyncio.sleep(0.1)
            async with scripted(journal=path) as waiting:
                await asyncio.sleep(2.0)
                assert waiting.snapshot()["state"] == "fault"
                assert "another launcher" in waiting.snapshot()["detail"]
                assert second_to_none.snapshot()["state"] == "ready"
                await second_to_none.stop()
                await asyncio.sleep(2.0)
                assert waiting.snapshot()["state"] == "ready"

    play(evening)


def test_stopping_before_there_was_a_journal(tmp_path: Path) -> None:
    async def evening() -> None:
        (tmp_path / "file").write_text("")
        async with scripted(journal=tmp_path / "file" / "journal.sqlite3") as service:
            await asyncio.sleep(1.5)
        assert motor_of(service) == 0

    play(evening)


def test_a_failure_that_came_before_the_journal_is_heard_when_it_has_come() -> None:
    """A launcher that locked itself while nobody could write it down must not be ready as if nothing had been."""

    async def evening() -> None:
        def no_disk() -> Journal:
            raise JournalMissingError("no disk yet")

        service = simulated_launcher(seed="late")
        opens, service.beginning.open_journal = service.beginning.open_journal, no_disk
        service.start()
        try:
            await asyncio.sleep(0.5)
            service.hear(DriverFailed("locked: it was reset in a run"))
            service.hear(DriverRecovered())
            await asyncio.sleep(0.1)
            service.beginning.open_journal = opens
            await asyncio.sleep(1.5)
            assert service.snapshot()["state"] == "fault"
            assert "reset in a run" in service.snapshot()["detail"]
            await service.reset()
            assert service.snapshot()["state"] == "ready"
        finally:
            await service.stop()

    play(evening)


def test_what_was_written_late_is_an_answer_when_it_is_asked_again() -> None:
    async def evening() -> None:
        async with simulated_launcher(seed="life") as service:
            await asyncio.sleep(0.1)
            service.journal.ask("PRAGMA query_only = ON")
            with pytest.raises(JournalUnavailableError):
                await service.press(request="once")
            service.journal.ask("PRAGMA query_only = OFF")
            await asyncio.sleep(2.5)
            await service.reset()
            await service.press(request="once")
            with_id = [entry for entry in service.journal.read() if entry.data.get("request") == "once"]
            assert len(with_id) == 1

    play(evening)


def test_the_motor_never_starts_for_a_press_that_is_not_in_the_journal(mocker: MockerFixture) -> None:
    async def evening() -> None:
        async with simulated_launcher(seed="life") as service:
            await asyncio.sleep(0.1)
            give = mocker.spy(service.driver, "give")
            service.journal.ask("PRAGMA query_only = ON")
            with pytest.raises(JournalUnavailableError):
                await service.press(cards=2)
            await asyncio.sleep(0.5)
            assert not [call for call in give.call_args_list if isinstance(call.args[0], Feed)]
            service.journal.ask("PRAGMA query_only = OFF")

    play(evening)
