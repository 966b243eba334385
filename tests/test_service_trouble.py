"""What goes wrong around the service: listeners, machine, driver and journal. The motor is off, and it says so."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from dispenser import Service, simulated_launcher
from dispenser.audit import audit
from dispenser.journal import Entry, Journal, JournalFullError
from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.requests import JournalUnavailableError, ServiceError
from dispenser.toy import ToyParameters
from tests.drivers.pins import TroubleFactory
from tests.search.story import Story
from tests.search.watched import KeptJournal
from tests.test_service import play, scripted, toy_of, types

GROWTH_PAGES = 3
"""Pages that the journal may still grow by when it is nearly full."""


def motor_of(service: Service) -> float:
    return toy_of(service).view().motor_commanded


class Told:
    """Every entry that a service told, from its first one on."""

    def __init__(self, service: Service) -> None:
        self.entries: list[Entry] = []
        service.on("", self.entries.append)
        self.entries[:0] = service.journal.read()

    def types(self) -> list[str]:
        return types(self.entries)

    def check(self) -> None:
        """Gapless, and a story that makes sense."""
        assert [entry.seq for entry in self.entries] == list(range(1, len(self.entries) + 1))
        assert Story().read(self.entries).problems == []


# --- listeners ----------------------------------------------------------------------------------------------------


def test_a_callback_that_raises_is_logged_and_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    async def evening() -> None:
        async with scripted(2) as service:
            told = Told(service)

            def broken(entry: Entry) -> None:
                raise ValueError(f"I do not like {entry.type}")

            service.on("launcher.burst", broken)
            heard = []
            service.on("launcher.burst", lambda entry: heard.append(entry.type))
            ended = await service.outcome(await service.press())
            assert (ended.data["delivered"], ended.data["cause"]) == (2, "complete")
            assert heard == ["launcher.burst.started", "launcher.burst.ended"]
            assert service.snapshot()["state"] == "ready"
            told.check()

    play(evening)
    assert "I do not like launcher.burst.started" in caplog.text


# --- mistakes of ours ---------------------------------------------------------------------------------------------


def break_step(mocker: MockerFixture, kind: type, times: int = 1) -> None:
    """The machine raises at the next ``times`` events of a kind."""
    step = LauncherMachine.step
    left = times

    def broken(self: LauncherMachine, event: m.Event, now: float) -> list[m.Output]:
        nonlocal left
        if isinstance(event, kind) and left:
            left -= 1
            raise ArithmeticError(f"cannot think about {kind.__name__}")
        return step(self, event, now)

    mocker.patch.object(LauncherMachine, "step", broken)


def test_a_mistake_in_the_machine_turns_the_motor_off_and_says_so(mocker: MockerFixture) -> None:
    async def evening() -> None:
        async with scripted(4, 1) as service:
            told = Told(service)
            await asyncio.sleep(0.1)
            accepted = await service.press(cards=5)
            await asyncio.sleep(0.1)
            assert motor_of(service) == 1.0
            break_step(mocker, m.ExitBlocked)
            ended = await service.outcome(accepted)
            assert ended.data["cause"] == "fault"
            assert motor_of(service) == 0
            snapshot = service.snapshot()
            assert snapshot["state"] == "fault"
            assert "ArithmeticError: cannot think about ExitBlocked" in snapshot["detail"]
            assert (await service.press()).data["reason"] == "fault"
            await asyncio.sleep(1.0)
            toy_of(service).take_card()
            await asyncio.sleep(0.1)
            assert (await service.reset()).data["state"] == "ready"
            assert (await service.outcome(await service.press())).data["delivered"] == 4
            told.check()

    play(evening)


@pytest.mark.parametrize("lost", [m.ExitCleared, m.LidClosed])
def test_what_the_machine_did_not_hear_for_a_mistake_it_learns_with_the_reset(
    mocker: MockerFixture, lost: type
) -> None:
    """Else it would believe in a blocked exit or an open lid for ever, and refuse every press."""

    async def evening() -> None:
        async with scripted(1) as service:
            toy = toy_of(service)
            await asyncio.sleep(0.1)
            toy.hands_off("exit")
            toy.drive_line("exit", True)
            toy.open_lid()
            await asyncio.sleep(0.5)
            break_step(mocker, lost)
            toy.drive_line("exit", False)
            toy.hands_on("exit")
            toy.close_lid()
            await asyncio.sleep(3.0)
            assert service.snapshot()["state"] == "fault"
            assert (await service.reset()).data["state"] == "ready"
            snapshot = service.snapshot()
            assert (snapshot["lid_open"], snapshot["exit_blocked"]) == (False, False)
            assert (await service.press()).type == "launcher.press.accepted"

    play(evening)


def test_a_request_that_meets_a_mistake_is_answered_with_it(mocker: MockerFixture) -> None:
    async def evening() -> None:
        async with scripted(1) as service:
            await asyncio.sleep(0.1)
            break_step(mocker, m.Press)
            with pytest.raises(ServiceError, match="ArithmeticError: cannot think about Press"):
                await service.press()
            assert service.snapshot()["state"] == "fault"
            assert (await service.reset()).data["state"] == "ready"
            assert (await service.press()).type == "launcher.press.accepted"

    play(evening)


def break_everything(mocker: MockerFixture) -> Any:
    return mocker.patch.object(LauncherMachine, "step", side_effect=ArithmeticError("cannot think at all"))


def test_a_machine_that_cannot_even_take_the_fault_is_replaced(mocker: MockerFixture, tmp_path: Path) -> None:
    async def evening() -> None:
        async with scripted(1, journal=tmp_path / "journal.sqlite3") as service:
            await asyncio.sleep(0.1)
            accepted = await service.press(cards=5)
            await asyncio.sleep(0.15)
            assert motor_of(service) == 1.0
            broken = break_everything(mocker)
            while motor_of(service):  # noqa: ASYNC110 - virtual time, and no event tells of a pin
                await asyncio.sleep(0.001)
            assert service.snapshot()["state"] == "fault"
            assert "cannot think at all" in service.snapshot()["detail"]
            with pytest.raises(JournalUnavailableError, match="cannot think at all"):
                await service.press()
            mocker.stop(broken)
            await asyncio.sleep(2.5)
            assert service.snapshot()["state"] == "ready"
            entries = list(service.journal.read())
            (lost,) = [entry for entry in entries if entry.type == "launcher.burst.lost"]
            assert lost.data["press"] == accepted.data["press"]
            assert Story().read(entries).problems == []
            assert (await service.press()).data["press"] == accepted.data["press"] + 1

    play(evening)


def test_presses_that_wait_while_the_machine_breaks_are_all_answered(mocker: MockerFixture) -> None:
    async def evening() -> None:
        async with scripted() as service:
            await asyncio.sleep(0.1)
            broken = break_everything(mocker)
            asked = [asyncio.ensure_future(service.press()) for _ in range(10)]
            await asyncio.sleep(0.5)
            assert all(task.done() for task in asked), "nobody waits for ever"
            assert all(isinstance(task.exception(), ServiceError) for task in asked)
            mocker.stop(broken)

    play(evening)


def test_a_request_behind_the_failure_that_broke_the_machine_is_answered(mocker: MockerFixture) -> None:
    async def evening() -> None:
        async with scripted() as service:
            await asyncio.sleep(0.1)
            broken = break_everything(mocker)
            asyncio.get_running_loop().call_soon(service._hear, m.DriverFailed("the driver says so itself"))
            asked = asyncio.ensure_future(service.press())
            await asyncio.sleep(0.5)
            assert asked.done(), "nobody waits for ever"
            assert isinstance(asked.exception(), ServiceError)
            mocker.stop(broken)

    play(evening)


def test_callbacks_hear_what_the_fresh_start_found(mocker: MockerFixture, tmp_path: Path) -> None:
    """Who heard that a press was accepted must hear what became of it."""

    async def evening() -> None:
        async with scripted(5, journal=tmp_path / "journal.sqlite3") as service:
            await asyncio.sleep(0.1)
            told = Told(service)
            await service.press()
            broken = break_everything(mocker)
            toy_of(service).push_button()
            await asyncio.sleep(0.5)
            mocker.stop(broken)
            await asyncio.sleep(2.0)
            assert "launcher.burst.lost" in told.types()
            assert told.entries == list(service.journal.read())
            told.check()

    play(evening)


def test_callbacks_outlive_the_machine_that_broke(mocker: MockerFixture) -> None:
    async def evening() -> None:
        async with scripted(1) as service:
            heard: list[Entry] = []
            service.on("launcher.press", heard.append)
            await asyncio.sleep(0.1)
            broken = break_everything(mocker)
            toy_of(service).push_button()
            await asyncio.sleep(0.5)
            mocker.stop(broken)
            await asyncio.sleep(2.0)
            answer = await service.press()
            assert answer in heard, "who asked to be told is told"

    play(evening)


def test_after_such_a_restart_the_cards_are_those_that_are_left(mocker: MockerFixture, tmp_path: Path) -> None:
    async def evening() -> None:
        async with scripted(3, cards=20, journal=tmp_path / "journal.sqlite3") as service:
            await service.outcome(await service.press())
            broken = break_everything(mocker)
            toy_of(service).push_button()
            await asyncio.sleep(0.5)
            mocker.stop(broken)
            await asyncio.sleep(2.0)
            assert service.snapshot()["cards_inside"] == 17

    play(evening)


def test_an_error_in_the_driver_loses_no_entry(mocker: MockerFixture) -> None:
    """What is in the journal is told, whatever the driver does when it comes to the commands."""

    async def evening() -> None:
        async with scripted(2) as service:
            told = Told(service)
            await asyncio.sleep(0.1)
            results = [KeyError("no such melody"), *[None] * 100]
            mocker.patch.object(service.driver, "play", side_effect=results)
            with pytest.raises(ServiceError, match="no such melody"):
                await service.press()
            await asyncio.sleep(3.0)
            assert told.entries == list(service.journal.read())
            assert service.snapshot()["state"] == "fault"
            assert motor_of(service) == 0
            told.check()

    play(evening)


def test_an_error_in_any_callback_of_the_loop_fails_closed() -> None:
    async def evening() -> None:
        async with scripted() as service:
            await asyncio.sleep(0.1)
            await service.press(cards=5)
            await asyncio.sleep(0.1)
            assert motor_of(service) == 1.0
            asyncio.get_running_loop().call_soon(lambda: 1 / 0)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert motor_of(service) == 0
            await asyncio.sleep(1.0)
            assert service.snapshot()["state"] == "fault"
            assert "ZeroDivisionError" in service.snapshot()["detail"]

    play(evening)


# --- the journal fails in the middle ------------------------------------------------------------------------------


def fill_up(journal: Journal) -> int:
    """From now on the journal's disk is as good as full; returns the limit that it had."""
    (before,) = journal._db.execute("PRAGMA max_page_count").fetchone()
    (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
    journal._db.execute(f"PRAGMA max_page_count = {pages + GROWTH_PAGES}")
    return int(before)


def make_room(journal: Journal, pages: int) -> None:
    journal._db.execute(f"PRAGMA max_page_count = {pages}")


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
        service._open_journal = lambda: KeptJournal.open(":memory:")
        async with service:
            told = Told(service)
            await asyncio.sleep(0.1)
            accepted = await service.press(cards=12)
            await asyncio.sleep(0.2)
            assert motor_of(service) == 1.0
            journal = service.journal
            journal._db.execute("PRAGMA query_only = ON")
            while motor_of(service):  # noqa: ASYNC110 - virtual time, and no event tells of a pin
                await asyncio.sleep(0.001)
            assert service.snapshot()["state"] == "fault"
            await asyncio.sleep(3.0)
            journal._db.execute("PRAGMA query_only = OFF")
            ended = await service.outcome(accepted)
            assert (ended.data["planned"], ended.data["cause"]) == (12, "fault")
            await asyncio.sleep(1.0)
            counted = told.types().count("launcher.card.left") + ended.data["sticking_out"]
            view = toy_of(service).view()
            assert counted in {view.cards_out, view.cards_out + view.card_in_exit}
            told.check()
        assert journal.verify_chain() is None
        assert audit(told.entries).problems == []

    play(evening)


def test_the_light_goes_out_when_a_press_cannot_be_written_down() -> None:
    """What the machine wanted of the driver when the journal failed was forgotten, the light with it."""

    async def evening() -> None:
        async with scripted(3) as service:
            await asyncio.sleep(0.1)
            assert toy_of(service).view().light_on
            service.journal._db.execute("PRAGMA query_only = ON")
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
            service.journal._db.execute("PRAGMA max_page_count = 1")
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
            session: Any = service._session
            session.record._note_trouble(OSError("full"))
            service.journal._db.execute("PRAGMA query_only = ON")
            for _ in range(1500):
                toy_of(service).drive_line("lid", True)
                await asyncio.sleep(0.001)
                toy_of(service).drive_line("lid", False)
                await asyncio.sleep(0.06)
            assert len(session.record._unwritten) <= 1000

    play(evening)


def test_a_note_that_could_not_be_written_is_not_written_later_either() -> None:
    async def evening() -> None:
        async with scripted() as service:
            told = Told(service)
            await asyncio.sleep(0.1)
            service.journal._db.execute("PRAGMA query_only = ON")
            with pytest.raises(JournalUnavailableError):
                service.note("toy.lid", {"open": True})
            service.journal._db.execute("PRAGMA query_only = OFF")
            await asyncio.sleep(2.0)
            assert "toy.lid" not in told.types()

    play(evening)


def test_a_journal_that_fails_while_nothing_happens_is_told_within_two_seconds() -> None:
    async def evening() -> None:
        async with scripted() as service:
            await asyncio.sleep(0.1)
            service.journal._db.execute("PRAGMA query_only = ON")
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
            service._on_alive = lambda: alive.append(None)
            for _ in range(3):
                await asyncio.sleep(1.0)
                snapshot = service.snapshot()
                assert snapshot["state"] == "fault"
                assert str(obstacle) in snapshot["detail"]
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


# --- the pins fail ------------------------------------------------------------------------------------------------


def with_trouble(mocker: MockerFixture, *cards: int, **more: Any) -> tuple[Service, TroubleFactory]:
    mocker.patch("dispenser.toy.ToyFactory", TroubleFactory)
    service = scripted(*cards, **more)
    driver: Any = service.driver
    return service, driver._factory


def all_pins(service: Service) -> set[int]:
    driver: Any = service.driver
    return set(driver.wiring.lines().values())


def test_pins_that_fail_and_come_back(mocker: MockerFixture) -> None:
    async def evening() -> None:
        service, factory = with_trouble(mocker, 1)
        async with service:
            told = Told(service)
            await asyncio.sleep(0.1)
            factory.failing = all_pins(service)
            await asyncio.sleep(1.1)
            snapshot = service.snapshot()
            assert snapshot["state"] == "fault"
            assert "Remote I/O error" in snapshot["detail"]
            assert (await service.reset()).data["state"] == "fault", "they still fail"
            factory.failing = set()
            await asyncio.sleep(1.1)
            assert (await service.reset()).data["state"] == "ready"
            assert (await service.outcome(await service.press())).data["delivered"] == 1
            told.check()

    play(evening)


def test_pins_that_fail_when_the_journal_is_ready_at_last(mocker: MockerFixture, tmp_path: Path) -> None:
    async def evening() -> None:
        obstacle = tmp_path / "state"
        obstacle.write_text("")
        service, factory = with_trouble(mocker, 1, journal=obstacle / "journal.sqlite3")
        async with service:
            await asyncio.sleep(0.5)
            factory.failing = all_pins(service)
            obstacle.unlink()
            await asyncio.sleep(2.0)
            assert service.snapshot()["state"] == "fault"
            factory.failing = set()
            await asyncio.sleep(1.5)
            assert (await service.reset()).data["state"] == "ready"
            assert (await service.outcome(await service.press())).data["delivered"] == 1
            assert Story().read(service.journal.read()).problems == []

    play(evening)


def test_pins_that_fail_for_a_moment_at_the_start_do_not_fail_for_ever(mocker: MockerFixture) -> None:
    """Back before the next re-reading: the driver has seen nothing, so it has nothing to recover from."""

    async def evening() -> None:
        service, factory = with_trouble(mocker, 1)
        open_journal = service._open_journal

        tries = 0

        def fail_meanwhile() -> Journal:
            nonlocal tries
            tries += 1
            if tries <= 2:
                raise JournalFullError("no room yet")
            factory.failing = all_pins(service)
            asyncio.get_running_loop().call_soon(factory.failing.clear)
            return open_journal()

        service._open_journal = fail_meanwhile
        async with service:
            await asyncio.sleep(3.0)
            assert service.snapshot()["state"] == "fault"
            assert (await service.reset()).data["state"] == "ready"
            assert (await service.outcome(await service.press())).data["delivered"] == 1

    play(evening)


def test_pins_that_still_fail_keep_the_fault_when_the_journal_has_recovered(mocker: MockerFixture) -> None:
    """Two things are wrong; one of them is mended."""

    async def evening() -> None:
        service, factory = with_trouble(mocker, 1)
        async with service:
            await asyncio.sleep(0.1)
            factory.failing = all_pins(service)
            await asyncio.sleep(1.1)
            service.journal._db.execute("PRAGMA query_only = ON")
            with pytest.raises(JournalUnavailableError):
                await service.press()
            service.journal._db.execute("PRAGMA query_only = OFF")
            await asyncio.sleep(2.0)
            assert (await service.reset()).data["state"] == "fault", "the pins do not answer yet"

    play(evening)


def test_stopping_while_the_pins_fail_still_closes_the_journal(mocker: MockerFixture) -> None:
    async def evening() -> None:
        service, factory = with_trouble(mocker)
        service._open_journal = lambda: KeptJournal.open(":memory:")
        async with service:
            told = Told(service)
            await asyncio.sleep(0.1)
            await service.press(cards=5)
            await asyncio.sleep(0.1)
            factory.failing = all_pins(service)
        assert told.types()[-1] == "service.stopped"
        told.check()

    play(evening)
