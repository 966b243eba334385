"""The service as people use it: press, ask, say. All in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from dispenser import Service, simulated_launcher
from dispenser.clocks.virtual import VirtualLoop
from dispenser.journal import Batch, Record
from dispenser.launcher.messages import DriverFailed, MessageError, Order, Refusal
from dispenser.service.requests import (
    MAX_WAITING,
    RequestReusedError,
    ServiceBusyError,
    ServiceError,
)
from dispenser.service.settings import Settings
from dispenser.simulator import Toy, ToyParameters
from tests.launcher.scripted import ScriptedOdds
from tests.service.watched import with_settings

Evening = Callable[[], Coroutine[Any, Any, None]]


def play(evening: Evening) -> None:
    """Run an evening in virtual time; whatever it leaves behind is cleared away."""
    loop = VirtualLoop()
    try:
        loop.run_until_complete(evening())
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def scripted(*cards: int, journal: Path | str = ":memory:", settings: Settings | None = None, **more: Any) -> Service:
    """A simulated launcher whose odds are written down and whose cards never fail."""
    return simulated_launcher(
        settings,
        journal=journal,
        seed="service",
        make_odds=lambda _: ScriptedOdds(cards),
        parameters=ToyParameters.flawless(),
        **more,
    )


def toy_of(service: Service) -> Toy:
    assert service.toy is not None
    return service.toy


def types(entries: list[Record]) -> list[str]:
    return [entry.type for entry in entries]


# --- press and outcome --------------------------------------------------------------------------------------------


def test_presses_come_out_as_the_odds_say_and_are_told_step_by_step() -> None:
    async def evening() -> None:
        async with scripted(3, 0, 2) as service:
            outcomes = []
            for _ in range(3):
                accepted = await service.press("api")
                assert accepted.type == "launcher.press.accepted"
                outcomes.append((await service.outcome(accepted)).data)
            assert [(o["planned"], o["delivered"], o["cause"]) for o in outcomes] == [
                (3, 3, "complete"),
                (0, 0, "dud"),
                (2, 2, "complete"),
            ]
            assert toy_of(service).view().cards_out == 5
            assert service.snapshot()["cards_inside"] == 107
            told = types(list(service.journal.read(after=5, types=["launcher"])))
            first = told[: told.index("launcher.burst.ended") + 1]
            assert first.index("launcher.press.accepted") < first.index("launcher.burst.started")
            assert first.count("launcher.card.left") == 3

    play(evening)


def test_an_exact_number_spends_no_luck() -> None:
    async def evening() -> None:
        async with scripted(1) as service:
            accepted = await service.press(cards=5)
            assert (accepted.data["cards"], accepted.data["draw"]) == (5, None)
            assert (await service.outcome(accepted)).data["delivered"] == 5
            assert (await service.press()).data["draw"] == 1

    play(evening)


@pytest.mark.parametrize("cards", [0, -1, 13, 31])
def test_a_number_out_of_range_leaves_no_trace(cards: int) -> None:
    async def evening() -> None:
        async with scripted() as service:
            before = service.snapshot()
            with pytest.raises(MessageError, match="cards must be 1 to"):
                await service.press(cards=cards)
            assert service.snapshot() == before

    play(evening)


def test_a_push_of_the_toys_button_is_a_press() -> None:
    async def evening() -> None:
        async with scripted(2) as service:
            toy_of(service).push_button()
            async for entry in service.events("launcher.burst.ended"):
                assert entry.data["delivered"] == 2
                break
            (accepted,) = service.journal.read(types=["launcher.press"])
            assert accepted.data["source"] == "button"

    play(evening)


def test_a_press_that_does_not_count_says_why_and_has_no_outcome() -> None:
    async def evening() -> None:
        async with scripted(3) as service:
            accepted = await service.press()
            busy = await service.press()
            toy_of(service).open_lid()
            await asyncio.sleep(0.5)
            lid = await service.press()
            assert [(p.type, p.data["reason"], p.data["press"]) for p in (busy, lid)] == [
                ("launcher.press.refused", "busy", 2),
                ("launcher.press.refused", "lid_open", 3),
            ]
            with pytest.raises(ValueError, match="press 2 was not accepted"):
                await service.outcome(busy)
            assert (await service.outcome(accepted)).data["cause"] == "lid"

    play(evening)


def test_the_notice_of_a_cut_burst_says_how_many_of_how_many_and_why() -> None:
    async def evening() -> None:
        async with scripted() as service:
            accepted = await service.press(cards=5)
            await asyncio.sleep(0.17)
            toy_of(service).open_lid()
            assert toy_of(service).view().motor_commanded == 0
            ended = await service.outcome(accepted)
            view = toy_of(service).view()
            assert (ended.data["planned"], ended.data["cause"]) == (5, "lid")
            assert ended.data["delivered"] == view.cards_out + view.card_in_exit
            assert 0 < ended.data["delivered"] < 5

    play(evening)


def test_more_cards_than_planned_are_all_told() -> None:
    """A MOSFET cannot brake: the card after the last one slides out, too, or sticks."""

    async def evening() -> None:
        settings = with_settings(pins={"motor_backward": None, "motor_enable": None})
        async with scripted(settings=settings) as service:
            extra = 0
            for _ in range(30):
                accepted = await service.press(cards=2)
                ended = await service.outcome(accepted)
                await asyncio.sleep(1.0)
                view = toy_of(service).view()
                assert ended.data["delivered"] >= 2
                assert ended.data["sticking_out"] is view.card_in_exit
                extra += ended.data["delivered"] - 2
                toy_of(service).take_card()
                await asyncio.sleep(0.2)
                if view.cards_in_stack < 5:
                    break
            assert extra > 0
            view = toy_of(service).view()
            assert service.snapshot()["cards_inside"] == view.cards_in_stack + view.cards_in_path

    play(evening)


def test_the_motor_starts_after_it_is_written_and_stops_before(mocker: MockerFixture) -> None:
    """So it never waits for the disk to stop, and never starts for something that a crash could undo."""

    async def evening() -> None:
        async with scripted() as service:
            await asyncio.sleep(0.1)
            motor_when_written: dict[str, float] = {}
            append = service.journal.append_batches

            def watched(*batches: Batch) -> list[Record]:
                for type_, _ in (told for _, notices in batches for told in notices):
                    motor_when_written[type_] = toy_of(service).view().motor_commanded
                return append(*batches)

            mocker.patch.object(service.journal, "append_batches", watched)
            accepted = await service.press(cards=5)
            assert toy_of(service).view().motor_commanded == 1.0
            await asyncio.sleep(0.15)
            service.hear(DriverFailed("look at this"))
            assert (await service.outcome(accepted)).data["cause"] == "fault"
            assert motor_when_written["launcher.press.accepted"] == 0
            assert motor_when_written["launcher.burst.started"] == 0
            assert motor_when_written["launcher.card.left"] == 1.0
            assert motor_when_written["launcher.state.changed"] == 0, "the change to fault, which came last"
            mocker.stopall()

    play(evening)


# --- many at once -------------------------------------------------------------------------------------------------


def test_a_thousand_presses_in_one_second_are_answered_each_once() -> None:
    async def evening() -> None:
        async with scripted(*([1] * 1000)) as service:
            asked = []
            for _ in range(1000):
                asked.append(asyncio.ensure_future(service.press()))
                await asyncio.sleep(0.001)
            answers = await asyncio.gather(*asked)
            assert sorted(answer.data["press"] for answer in answers) == list(range(1, 1001))
            assert {answer.type for answer in answers} == {"launcher.press.accepted", "launcher.press.refused"}
            written = list(service.journal.read(types=["launcher.press"]))
            assert written == sorted(answers, key=lambda answer: answer.seq)

    play(evening)


def test_requests_beyond_the_queue_are_turned_away_and_the_rest_answered() -> None:
    async def evening() -> None:
        async with scripted() as service:
            await asyncio.sleep(0.1)
            answers = await asyncio.gather(*[service.press() for _ in range(3000)], return_exceptions=True)
            busy = [answer for answer in answers if isinstance(answer, ServiceBusyError)]
            told = [answer for answer in answers if isinstance(answer, Record)]
            assert len(told) == MAX_WAITING
            assert len(busy) == 3000 - MAX_WAITING
            assert len({answer.data["press"] for answer in told}) == MAX_WAITING
            assert "try again" in str(busy[0])

    play(evening)


# --- request ids --------------------------------------------------------------------------------------------------


def test_the_same_request_id_gets_the_same_answer_and_moves_nothing_twice() -> None:
    async def evening() -> None:
        async with scripted(1, 1) as service:
            both = await asyncio.gather(service.press(request="r1"), service.press(request="r1"))
            later = await service.press(request="r1")
            assert both[0] == both[1] == later
            await service.outcome(later)
            assert toy_of(service).view().cards_out == 1
            assert len(list(service.journal.read(types=["launcher.press"]))) == 1

    play(evening)


def test_whoever_asks_again_after_hanging_up_gets_the_first_answer() -> None:
    """A client that goes away and comes back with its id, before the machine has even heard of the first press."""

    async def evening() -> None:
        async with scripted(1, 1) as service:
            await asyncio.sleep(0.1)
            hasty = asyncio.ensure_future(service.press(request="r1"))
            await asyncio.sleep(0)
            hasty.cancel()
            answer = await service.press(request="r1")
            await asyncio.sleep(3.0)
            presses = list(service.journal.read(types=["launcher.press"]))
            assert presses == [answer], "one request, one press"

    play(evening)


def test_a_request_id_is_for_one_kind_of_request() -> None:
    async def evening() -> None:
        async with scripted() as service:
            await service.load(50, request="r1")
            with pytest.raises(RequestReusedError, match='"r1" was used before'):
                await service.press(request="r1")
            assert (await service.load(50, request="r1")).data["cards"] == 50
            assert not list(service.journal.read(types=["launcher.press"]))

    play(evening)


def test_a_press_is_answered_once_whatever_was_ordered_meanwhile() -> None:
    async def evening() -> None:
        async with scripted(0) as service:
            service.order(4)
            first = await service.press(request="r1")
            assert (first.data["cards"], first.data["draw"], first.data["ordered"]) == (4, None, True)
            assert (await service.outcome(first)).data["delivered"] == 4
            service.order(2)
            await asyncio.sleep(0.1)
            assert await service.press(request="r1") == first, "nothing moves twice"
            with pytest.raises(RequestReusedError, match='"r1" was used before'):
                await service.eject(4, request="r1")
            assert service.snapshot()["order"] == {"cards": 2, "why": None}
            asked = await service.eject(4, request="r2")
            with pytest.raises(RequestReusedError, match='"r2" was used before'):
                await service.press(request="r2")
            await service.outcome(asked)

    play(evening)


def test_an_order_that_nobody_can_take_is_turned_away() -> None:
    async def evening() -> None:
        service = scripted()
        async with service:
            with pytest.raises(MessageError, match="cards must be 1 to 12, not 13"):
                service.order(13)
            with pytest.raises(MessageError, match="why must be one of count_first, nothing_owed"):
                service.order(0)
            service.order(0, Refusal.COUNT_FIRST)
            assert (await service.press()).data["reason"] == "count_first"
            assert service.snapshot()["order"] == {"cards": 0, "why": "count_first"}
            service.order()
            assert (await service.press()).type == "launcher.press.accepted"
            assert service.snapshot()["order"] is None
        with pytest.raises(ServiceError):
            service.order(4)

    play(evening)


def test_whoever_hears_of_a_burst_can_order_what_is_still_owed_before_anybody_pushes() -> None:
    """A table that the service keeps does so in the very step; nothing gets in between."""

    async def evening() -> None:
        async with scripted(0) as service:
            session = service.open_session()

            def owe(entry: Record) -> None:
                if entry.type == "launcher.burst.ended" and entry.data["cause"] == "lid":
                    session.take(Order(entry.data["planned"] - entry.data["delivered"]))

            service.on("launcher.", owe)
            service.order(4)
            accepted = await service.press()
            await asyncio.sleep(0.15)
            toy_of(service).open_lid()
            ended = await service.outcome(accepted)
            assert ended.data["cause"] == "lid"
            toy_of(service).take_card()
            toy_of(service).close_lid()
            await asyncio.sleep(0.5)
            missing = await service.outcome(await service.press())
            assert ended.data["delivered"] + missing.data["delivered"] == 4
            told = [entry.type for entry in service.journal.read(after=ended.seq, limit=1)]
            assert told == ["launcher.order.changed"], "right after it"

    play(evening)


def test_request_ids_survive_a_restart(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    answers: list[Record] = []

    async def evening() -> None:
        async with scripted(1, 1, journal=journal) as service:
            answers.append(await service.press(request="r1"))
            await asyncio.sleep(3.0)

    play(evening)
    play(evening)
    assert answers[0] == answers[1]


# --- what people say ----------------------------------------------------------------------------------------------


def test_loading_resetting_and_counting_are_answered_and_remembered() -> None:
    async def evening() -> None:
        async with scripted(3, cards=20) as service:
            ended = await service.outcome(await service.press())
            assert service.snapshot()["cards_inside"] == 17
            counted = await service.enter_count(ended.data["press"], 4)
            assert (counted.data["counted_before"], counted.data["cards"]) == (3, 4)
            assert service.snapshot()["cards_inside"] == 16
            again = await service.enter_count(ended.data["press"], 3)
            assert again.data["counted_before"] == 4
            assert service.snapshot()["cards_inside"] == 17
            await service.load(0)
            assert service.snapshot()["cards_inside"] == 0
            assert (await service.reset()).data["state"] == "ready"

    play(evening)


@pytest.mark.parametrize("press", [0, 1, 7])
def test_a_press_without_a_burst_has_no_count_to_enter(press: int) -> None:
    async def evening() -> None:
        async with scripted(1) as service:
            await service.press()
            with pytest.raises(ValueError, match=f"press {press}: no burst"):
                await service.enter_count(press, 3)

    play(evening)


def test_without_an_exit_sensor_the_table_is_asked_to_count() -> None:
    async def evening() -> None:
        async with scripted(3, cards=20, settings=with_settings(pins={"exit": None})) as service:
            assert service.snapshot()["capabilities"] == {"exit_sensor": False, "retract": True}
            ended = await service.outcome(await service.press())
            assert (ended.data["delivered"], ended.data["cause"]) == (None, "timed")
            out = toy_of(service).view().cards_out
            counted = await service.enter_count(ended.data["press"], out)
            assert counted.data["counted_before"] == 0
            assert service.snapshot()["cards_inside"] == 20 - out

    play(evening)


def test_what_happens_around_the_launcher_can_be_noted() -> None:
    async def evening() -> None:
        async with scripted() as service:
            heard: list[Record] = []
            service.on("toy.", heard.append)
            noted = service.note("toy.lid", {"open": True})
            assert heard == [noted]
            assert noted.source == "toy"
            assert next(service.journal.read(types=["toy"])) == noted

    play(evening)


def test_two_corrections_at_once_count_once() -> None:
    async def evening() -> None:
        async with simulated_launcher(seed="life") as service:
            await service.load(50)
            burst = await service.outcome(await service.press(cards=2))
            first, second = await asyncio.gather(
                service.enter_count(burst.data["press"], 5), service.enter_count(burst.data["press"], 5)
            )
            assert (first.data["counted_before"], second.data["counted_before"]) == (2, 5)
            assert service.snapshot()["cards_inside"] == 45

    play(evening)


def test_a_request_id_is_for_one_request_only() -> None:
    async def evening() -> None:
        async with simulated_launcher(seed="life") as service:
            await service.load(10, request="load")
            with pytest.raises(RequestReusedError):
                await service.load(20, request="load")
            accepted = await service.press(request="press")
            await service.outcome(accepted)
            with pytest.raises(RequestReusedError):
                await service.press(cards=3, request="press")
            assert await service.press(request="press") == accepted

    play(evening)
