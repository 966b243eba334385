"""Look and command: every address of the API, on a whole simulated launcher."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path

import pytest

from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.journal import Record
from dispenser.service.requests import PowerAction
from dispenser.service.settings import Settings
from dispenser.table import commands as c
from dispenser.web.api import press_response
from dispenser.web.errors import ProblemError
from tests.web.rig import Launcher, launcher


async def test_the_snapshot_has_all_a_page_needs_to_begin() -> None:
    async with launcher(cards=40) as on:
        snapshot = await on.get("/snapshot")
        assert snapshot == on.service.snapshot()
        assert (snapshot["state"], snapshot["cards_inside"], snapshot["simulated"]) == ("ready", 40, True)
        on.service.execute(c.Open("Léa"))
        on.service.execute(c.StandIn(), person=1)
        assert (await on.get("/snapshot"))["stand_in"] is True
        assert (await on.post("/press")).json()["data"]["source"] == "phone"


async def test_cards_are_loaded_and_a_burst_is_counted() -> None:
    async with launcher() as on:
        press = (await on.post("/eject", cards=2)).json()["data"]["press"]
        await on.settle()
        answers = [
            await on.post("/load", cards=60),
            await on.post("/count", press=press, cards=3),
            await on.post("/reset"),
        ]
        assert [each.status_code for each in answers] == [200] * 3
        assert answers[0].json()["data"]["cards"] == 60
        assert answers[1].json()["type"] == "launcher.burst.counted"


async def test_the_page_offers_to_switch_the_computer_off_only_where_that_can_be_done() -> None:
    asked: list[PowerAction] = []

    async def switch(act: PowerAction) -> None:
        asked.append(act)

    async with launcher() as on:
        assert "Switch the computer off" not in (await on.client.get("/")).text
        refused = await on.post("/computer", act="off")
        assert refused.status_code == 409
        assert "This launcher is simulated" in refused.json()["message"]
        on.service.power = switch
        assert "Switch the computer off" in (await on.client.get("/")).text
        assert (await on.post("/computer", act="explode")).status_code == 422
        assert (await on.post("/computer", act="restart")).json() == {}
        assert asked == [PowerAction.RESTART]


@pytest.mark.parametrize(
    ("path", "fields", "named"),
    [
        ("/simulator/button", {"hold_s": True}, "hold_s"),
        ("/simulator/lid", {"open": 1}, "open"),
        ("/simulator/cells", {"voltage_v": 5.9}, "voltage_v"),
        ("/simulator/cells", {"voltage_v": 3.0, "new": True}, "new"),
        ("/simulator/fault", {"fault": "gremlins", "on": True}, "gremlins"),
        ("/load", {"cards": 3.5}, "cards"),
        ("/eject", {"cards": 29}, "12"),
    ],
)
async def test_a_value_that_does_not_fit_is_refused_in_words(path: str, fields: dict[str, object], named: str) -> None:
    async with launcher() as on:
        answer = await on.post(path, **fields)
        assert (answer.status_code, answer.json()["error"]) == (422, "bad_request")
        assert named in answer.json()["message"]


async def test_a_refused_press_says_why_and_what_to_do_in_ones_own_language() -> None:
    async with launcher(lid_open=True) as on:
        for language, message, remedy in (
            ("en", "Lid open: nothing can move.", "Shut the lid first."),
            ("fr-CH", "Le couvercle est ouvert\u00a0: rien ne peut bouger.", "Ferme d’abord le couvercle."),
        ):
            answer = await on.client.post("/api/v1/press", json={"id": "p1"}, headers={"accept-language": language})
            body = answer.json()
            assert (answer.status_code, body["error"], body["reason"]) == (409, "press_refused", "lid_open")
            assert (body["message"], body["remedy"]) == (message, remedy)
            assert body["record"]["type"] == "launcher.press.refused"


def test_a_refusal_that_says_what_to_do_has_no_remedy_beside_it() -> None:
    record = Record(1, "2026-11-29T02:00:00.000000Z", "button", "launcher.press.refused", {"reason": "jammed"})
    with pytest.raises(ProblemError, match="card out") as refused:
        press_response(record, in_workshop=False)
    assert refused.value.remedy is None


async def play(on: Launcher, presses: int) -> None:
    """Presses left to luck, with a hand that takes what sticks out."""
    for _ in range(presses):
        await on.post("/press")
        await on.settle()
        await on.post("/simulator/take")
        await on.settle(1)


async def test_the_odds_are_set_against_what_came() -> None:
    async with launcher() as on:
        await on.post("/eject", cards=1)  # no luck in it: must not count
        await on.settle()
        await play(on, 6)  # the simulator fires on presses 2 and 6
        odds = await on.get("/odds")
        ended = (await on.get("/journal", params={"type": "launcher.burst.ended"}))["records"][1:]
        cards = [record["data"]["delivered"] for record in ended]
        assert (odds["presses"], odds["cards"]) == (6, sum(cards))
        assert odds["duds"] == odds["came"]["0"] == 4
        assert odds["longest_dry_run"] == 3
        assert sum(odds["expected"].values()) == pytest.approx(1)


async def test_a_count_set_right_replaces_the_one_before_in_the_odds() -> None:
    pins = dataclasses.replace(GpioWiring(), exit=None)
    async with launcher(settings=dataclasses.replace(Settings(), pins=pins)) as on:
        await on.post("/press")
        await on.settle()
        press = (await on.post("/press")).json()["data"]["press"]
        await on.settle()
        assert (await on.get("/odds"))["uncounted"] == 1
        for cards in (5, 4):
            await on.post("/count", press=press, cards=cards)
            odds = await on.get("/odds")
            assert (odds["came"], odds["uncounted"]) == ({"0": 1, str(cards): 1}, 0)


async def test_the_tally_begins_anew_with_other_odds(tmp_path: Path) -> None:
    gentle = dataclasses.replace(Settings(), odds={"preset": "gentle"})
    for settings, presses, counted in ((Settings(), 2, 2), (Settings(), 1, 3), (gentle, 2, 2)):
        async with launcher(journal=tmp_path / "journal.sqlite3", settings=settings) as on:
            await play(on, presses)
            assert (await on.get("/odds"))["presses"] == counted


async def test_the_journal_comes_in_pages() -> None:
    async with launcher() as on:
        await play(on, 2)
        last = (await on.get("/snapshot"))["seq"]
        page = await on.get("/journal", params={"after": 3, "limit": 4})
        assert [record["seq"] for record in page["records"]] == [4, 5, 6, 7]
        assert page["last_seq"] == last
        end = await on.get("/journal", params={"last": 3})
        assert [record["seq"] for record in end["records"]] == [last - 2, last - 1, last]
        two = await on.get("/journal", params={"type": ["launcher.lid.opened", "launcher.press.accepted"]})
        assert {record["type"] for record in two["records"]} == {"launcher.press.accepted"}


async def test_a_journal_that_cannot_be_opened_is_said_plainly(tmp_path: Path) -> None:
    not_a_journal = tmp_path / "journal.sqlite3"
    not_a_journal.write_text("This is a shopping list, not a database." * 30)
    async with launcher(journal=not_a_journal) as on:
        assert (await on.get("/snapshot"))["state"] == "fault"
        for answer in (await on.post("/press"), await on.client.get("/api/v1/events")):
            assert (answer.status_code, answer.json()["error"]) == (503, "no_session")
            assert "not a journal" in answer.json()["message"]


# --- hands on the simulated launcher ---


async def test_the_simulated_lid_button_cards_and_cells_are_there_to_be_touched() -> None:
    async with launcher() as on:
        assert (await on.post("/simulator/lid", open=True)).json()["lid_open"] is True
        await on.settle(1)
        assert (await on.get("/snapshot"))["state"] == "open"
        assert (await on.post("/simulator/stack", cards=7)).json()["cards_in_stack"] == 7
        assert (await on.post("/simulator/cells", voltage_v=3)).json()["cell_voltage_v"] == 3
        assert (await on.post("/simulator/cells")).json()["cell_voltage_v"] > 4
        await on.post("/simulator/lid", open=False)
        await on.settle(1)
        await on.post("/simulator/button", hold_s=0.2)
        await on.settle()
        pressed = await on.get("/journal", params={"type": "launcher.press.accepted"})
        assert [record["data"]["source"] for record in pressed["records"]] == ["button"]
        await on.post("/simulator/fault", fault="roller_jam", on=True, cards=9)
        await on.post("/eject", cards=3)
        await on.settle()
        fast = await on.post("/simulator/take")
        assert (fast.status_code, fast.json()["error"]) == (409, "jammed_fast")
        page = await on.get("/journal", params={"type": "simulator.*"})
        types = [record["type"].removeprefix("simulator.") for record in page["records"]]
        assert types[:5] == ["lid.moved", "stack.filled", "cells.changed", "cells.changed", "lid.moved"]
        assert types[5:] == ["button.pushed", "fault.switched"]


async def test_the_stack_under_a_shut_lid_is_refused_with_what_to_do() -> None:
    async with launcher() as on:
        answer = await on.post("/simulator/stack", cards=5)
        assert answer.status_code == 409
        assert answer.json()["message"] == "The stack lies under the lid."
        assert answer.json()["remedy"] == "Lift the lid first."


async def test_a_real_launcher_has_no_simulated_lid() -> None:
    async with launcher() as on:
        simulator, on.service.simulator = on.service.simulator, None
        answers = [
            await on.post("/simulator/lid", open=True),
            await on.post("/simulator/take"),
            await on.client.get("/api/v1/simulator"),
        ]
        on.service.simulator = simulator
        assert [(each.status_code, each.json()["error"]) for each in answers] == [(404, "not_simulated")] * 3


# --- the workshop ---


async def test_by_hand_over_http() -> None:
    async with launcher() as at:
        assert (await at.get("/workshop")) == {"open": False}
        assert (await at.post("/workshop/answer", answer="feed")).json()["error"] == "workshop_closed"
        assert (await at.post("/workshop/open", kind="garage")).status_code == 422
        assert (await at.post("/workshop/open", kind="manual")).status_code == 200
        assert (await at.post("/workshop/open", kind="manual")).json()["error"] == "workshop_refused"
        seen = await at.get("/workshop", headers={"accept-language": "fr"})
        assert seen["acts"][0] == {"answer": "feed", "label": "[l]ancer"}
        refused = (await at.post("/press")).json()
        assert refused["reason"] == "off"
        assert "The workshop has the launcher" in refused["message"]
        now = await at.get("/snapshot")
        assert (now["state"], now["workshop"]) == ("off", True)
        assert (await at.post("/workshop/answer", answer="sing")).json()["error"] == "workshop_refused"
        await at.post("/workshop/answer", answer="feed")
        moving = await at.get(f"/workshop?number={seen['number']}")
        assert moving["moving"] == "feed"
        await at.settle(1)
        before = asyncio.get_running_loop().time()
        assert (await at.get("/workshop"))["moving"] is None
        assert asyncio.get_running_loop().time() == before
        assert (await at.post("/workshop/close")).status_code == 200
        await at.settle(2)
        now = await at.get("/snapshot")
        assert (now["state"], now["workshop"]) == ("ready", False)
