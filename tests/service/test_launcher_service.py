"""The service's life: start, listen, stop, start again. All in virtual time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dispenser import Service, simulated_launcher
from dispenser.journal import Journal, Record
from dispenser.odds.audit import audit
from dispenser.odds.report import Verdict
from dispenser.service.event_bus import SubscriberTooSlowError
from dispenser.service.requests import (
    NoSessionError,
    ServiceError,
)
from dispenser.simulator import ToyParameters
from tests.service.test_service import play, scripted, toy_of, types
from tests.service.watched import with_settings

# --- listening ----------------------------------------------------------------------------------------------------


def test_events_begin_where_one_says_and_miss_nothing() -> None:
    async def evening() -> None:
        async with scripted(2, 0) as service:
            await service.outcome(await service.press())
            snapshot = service.snapshot()
            later = asyncio.ensure_future(_collect(service, snapshot["seq"]))
            everything = asyncio.ensure_future(_collect(service, 0))
            await service.outcome(await service.press())
            await asyncio.sleep(1.0)
            await service.stop()
            seen = await later
            assert [entry.seq for entry in seen] == list(range(snapshot["seq"] + 1, seen[-1].seq + 1))
            assert [entry.seq for entry in await everything] == list(range(1, seen[-1].seq + 1))
            assert types(seen)[-2:] == ["fairness.revealed", "service.stopped"]

    play(evening)


async def _collect(service: Service, after: int) -> list[Record]:
    return [entry async for entry in service.events(after=after)]


def test_a_callback_hears_its_family_until_it_is_ended() -> None:
    async def evening() -> None:
        async with scripted(0, 0) as service:
            heard: list[str] = []
            end = service.on("launcher.press", lambda entry: heard.append(entry.type))
            await service.press()
            await asyncio.sleep(2.0)
            end()
            end()
            await service.press()
            await asyncio.sleep(2.0)
            assert heard == ["launcher.press.accepted"]

    play(evening)


def test_a_listener_that_does_not_listen_is_dropped_and_no_one_else_notices() -> None:
    async def evening() -> None:
        async with scripted() as service:
            await asyncio.sleep(0.1)
            lazy = service.event_bus.subscribe(max_queue=10)
            keen = asyncio.ensure_future(_collect(service, service.snapshot()["seq"]))
            for _ in range(50):
                await service.load(10)
            with pytest.raises(SubscriberTooSlowError, match="more than 10 entries"):
                async for _ in lazy:
                    pass
            await service.stop()
            assert types(await keen).count("launcher.cards.loaded") == 50

    play(evening)


# --- life ---------------------------------------------------------------------------------------------------------


def test_what_the_snapshot_says_after_the_start() -> None:
    async def evening() -> None:
        async with scripted(cards=40) as service:
            assert service.snapshot()["state"] == "off"
            await asyncio.sleep(0.5)
            snapshot = service.snapshot()
            assert snapshot["seq"] == service.journal.last_seq
            assert {key: snapshot[key] for key in ("state", "detail", "simulated", "cards_inside", "presses")} == {
                "state": "ready",
                "detail": "",
                "simulated": True,
                "cards_inside": 40,
                "presses": 0,
            }
            (committed,) = service.journal.read(types=["fairness.committed"])
            assert snapshot["commitment"] == committed.data["commitment"]
            assert toy_of(service).view().light_on

    play(evening)


def test_it_may_begin_with_the_lid_up() -> None:
    async def evening() -> None:
        async with scripted(lid_open=True) as service:
            await asyncio.sleep(0.1)
            assert service.snapshot()["state"] == "open"
            toy_of(service).close_lid()
            await asyncio.sleep(0.1)
            assert service.snapshot()["state"] == "ready"

    play(evening)


def test_stopping_in_a_burst_turns_the_motor_off_and_ends_what_is_open(tmp_path: Path) -> None:
    async def evening() -> None:
        service = scripted(journal=tmp_path / "journal.sqlite3")
        async with service:
            await service.press(cards=5)
            await asyncio.sleep(0.15)
            assert toy_of(service).view().motor_commanded == 1.0
        assert toy_of(service).view().motor_commanded == 0
        assert not toy_of(service).view().light_on
        await service.stop()
        for use in (service.press(), service.load(3), service.reset()):
            with pytest.raises(ServiceError):
                await use

    play(evening)
    with Journal.read_only(tmp_path / "journal.sqlite3") as journal:
        entries = list(journal.read())
        assert types(entries)[-5:] == [
            "launcher.burst.ended",
            "launcher.state.changed",
            "launcher.switched.off",
            "fairness.revealed",
            "service.stopped",
        ]
        assert entries[-5].data["cause"] == "off"


def test_requests_that_are_under_way_at_the_end_are_told_so() -> None:
    async def evening() -> None:
        service = scripted()
        service.start()
        asked = [asyncio.ensure_future(service.press()) for _ in range(5)]
        waiting = asyncio.ensure_future(_collect(service, 0))
        await asyncio.sleep(0)
        await service.stop()
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert all(isinstance(answer, (Record, ServiceError)) for answer in answers)
        assert types(await waiting)[-1] == "service.stopped"

    play(evening)


def test_whoever_waits_for_an_outcome_is_told_when_the_service_stops() -> None:
    async def evening() -> None:
        service = scripted(1)
        service.start()
        accepted = await service.press()
        waiting = asyncio.ensure_future(service.outcome(accepted))
        await asyncio.sleep(0.1)
        await service.stop()
        assert (await waiting).data["cause"] == "off"

    play(evening)


def test_a_restart_goes_on_counting_and_every_evening_is_proven(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"

    async def evening() -> None:
        launcher = simulated_launcher(
            with_settings(odds={"preset": "wild"}), journal=journal, seed="again", parameters=ToyParameters.flawless()
        )
        async with launcher as service:
            for _ in range(4):
                accepted = await service.press()
                await service.outcome(accepted)
                await asyncio.sleep(0.5)

    for _ in range(3):
        play(evening)
    with Journal.read_only(journal) as reader:
        presses = [entry.data["press"] for entry in reader.read(types=["launcher.press.accepted"])]
        assert presses == list(range(1, 13))
        report = audit(reader, reader.verify_chain())
        assert report.verdict is Verdict.PROVEN
        assert (report.checked, len(report.rounds)) == (12, 3)
        commitments = [entry.data["commitment"] for entry in reader.read(types=["fairness.committed"])]
        assert len(set(commitments)) == 3


def test_it_says_that_it_is_alive_about_once_a_second() -> None:
    async def evening() -> None:
        alive: list[float] = []
        service = scripted()
        service.on_alive = lambda: alive.append(asyncio.get_running_loop().time())
        async with service:
            await asyncio.sleep(10.0)
        assert alive == pytest.approx(list(range(11)), abs=0.01)

    play(evening)


def test_before_the_start_everything_says_so() -> None:
    async def evening() -> None:
        service = scripted()
        assert service.snapshot()["state"] == "fault"
        assert "not been started" in service.snapshot()["detail"]
        with pytest.raises(NoSessionError, match="not been started"):
            await service.press()
        with pytest.raises(NoSessionError):
            service.event_bus.subscribe()
        await service.stop()
        toy_of(service).close()

    play(evening)


def test_the_clock_set_back_changes_the_times_and_not_the_story() -> None:
    async def evening() -> None:
        clock = [1.8e9]
        service = simulated_launcher(seed="clock", parameters=ToyParameters.flawless())
        kept: list[Record] = []
        service.session_config.open_journal = lambda: Journal.open(":memory:", wall_clock=lambda: clock[0])
        async with service:
            service.on("", kept.append)
            kept[:0] = service.journal.read()
            for change_s in (60.0, -86_400.0, 5.0, -3600.0, 3e8):
                await service.press()
                await asyncio.sleep(0.1)
                clock[0] += change_s
                await asyncio.sleep(3.0)
            assert service.journal.verify_chain() is None
        assert [entry.seq for entry in kept] == list(range(1, len(kept) + 1))
        times = [entry.time for entry in kept]
        assert times != sorted(times), "the clock did go back"
        assert audit(kept).verdict is Verdict.PROVEN

    play(evening)


def test_a_start_that_fails_lets_go_of_pins_journal_and_loop(tmp_path: Path) -> None:
    async def evening() -> None:
        def no_odds(_: bytes) -> None:
            raise ValueError("no such odds")

        path = tmp_path / "journal.sqlite3"
        before = asyncio.get_running_loop().get_exception_handler()
        service = simulated_launcher(seed="life", make_odds=no_odds, journal=path)
        with pytest.raises(ValueError, match="no such odds"):
            service.start()
        service.driver.open(lambda _: None)  # its pins can be claimed again
        service.driver.close()
        assert asyncio.get_running_loop().get_exception_handler() is before
        async with simulated_launcher(seed="life", journal=path) as second:
            await asyncio.sleep(0.1)
            assert second.snapshot()["state"] == "ready"

    play(evening)


def test_a_note_from_within_a_callback_is_heard_in_its_place() -> None:
    async def evening() -> None:
        async with simulated_launcher(seed="life") as service:
            await asyncio.sleep(0.1)
            service.on("launcher.press.accepted", lambda _: service.note("table.turn", {}, "table"))
            heard: list[int] = []

            async def listen() -> None:
                async for entry in service.events():
                    heard.append(entry.seq)  # noqa: PERF401 - it is looked at while it grows

            listener = asyncio.create_task(listen())
            await asyncio.sleep(0.0)
            await service.outcome(await service.press(cards=2))
            await asyncio.sleep(0.1)
            listener.cancel()
            assert heard == list(range(heard[0], heard[0] + len(heard)))

    play(evening)
