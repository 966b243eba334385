"""Look and command: every address of the API, on a whole simulated launcher."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path

import msgspec
import pytest

from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.launcher.chimes import MELODIES
from dispenser.launcher.messages import Chime, Refusal
from dispenser.service.settings import Settings
from dispenser.table import messages as t
from dispenser.web.models import Refused
from tests.web.rig import Launcher, launcher, virtual_time


def without_exit_sensor() -> Settings:
    return dataclasses.replace(Settings(), pins=dataclasses.replace(GpioWiring(), exit=None))


@virtual_time
async def test_the_snapshot_has_all_a_page_needs_to_begin() -> None:
    async with launcher(cards=40) as on:
        snapshot = await on.get("/snapshot")
        assert snapshot == on.service.snapshot()
        assert snapshot["state"] == "ready"
        assert snapshot["cards_inside"] == 40
        assert snapshot["simulated"] is True
        assert len(snapshot["commitment"]) == 64


@virtual_time
async def test_while_a_phone_stands_in_presses_are_the_phones() -> None:
    async with launcher() as on:
        on.service.tell(t.Open("Léa"))
        on.service.tell(t.StandIn(), person=1)
        assert (await on.get("/snapshot"))["stand_in"] is True
        assert (await on.post("/press")).json()["data"]["source"] == "phone"


@virtual_time
async def test_the_computer_is_switched_off_and_a_simulated_one_is_not() -> None:
    async with launcher() as on:
        answer = await on.post("/computer", act="off")
        assert (answer.status_code, answer.json()) == (200, {"done": False})
        toy, on.service.toy = on.service.toy, None
        refused = await on.post("/computer", act="restart")
        assert refused.status_code == 503
        assert "does not let it" in refused.json()["message"]
        on.service.toy = toy
        assert (await on.post("/computer", act="explode")).status_code == 422


@virtual_time
async def test_a_press_is_accepted_and_what_it_brings_comes_as_entries() -> None:
    async with launcher() as on:
        answer = await on.post("/press", id="first")
        assert answer.status_code == 202
        entry = answer.json()
        assert entry["type"] == "launcher.press.accepted"
        assert entry["data"]["source"] == "web"
        assert entry["data"]["draw"] == 1
        await on.settle()
        page = await on.get("/journal", params={"after": entry["seq"]})
        ended = [e for e in page["entries"] if e["type"] == "launcher.burst.ended"]
        assert [e["data"]["press"] for e in ended] == [entry["data"]["press"]]


@virtual_time
async def test_the_same_id_gives_the_same_answer_and_nothing_moves_twice() -> None:
    async with launcher() as on:
        answers = await asyncio.gather(*(on.post("/eject", id="just-once", cards=3) for _ in range(5)))
        await on.settle()
        answers.append(await on.post("/eject", id="just-once", cards=3))
        assert {answer.status_code for answer in answers} == {202}
        assert len({answer.text for answer in answers}) == 1
        page = await on.get("/journal", params={"type": "launcher.press.accepted"})
        assert len(page["entries"]) == 1
        assert on.service.toy is not None
        assert on.service.toy.view().cards_out == 3


@virtual_time
async def test_an_id_of_another_command_is_refused_and_what_it_was_used_for_is_told() -> None:
    async with launcher() as on:
        mine = (await on.post("/eject", id="mine", cards=1)).json()
        await on.settle()
        loaded = (await on.post("/load", id="cards", cards=5)).json()
        others = (("/load", {"cards": 6}), ("/reset", {}), ("/count", {"press": 1, "cards": 2}), ("/press", {}))
        for used, first in (("mine", mine), ("cards", loaded)):
            for path, fields in others:
                answer = await on.post(path, id=used, **fields)
                assert answer.status_code == 409, path
                body = answer.json()
                assert (body["error"], body["reason"]) == ("request_reused", "request_reused")
                assert body["entry"] == first
                msgspec.convert(body, Refused)


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/toy/button", {"hold_s": True}),
        ("/toy/button", {"hold_s": "1"}),
        ("/toy/cells", {"voltage_v": False}),
        ("/toy/lid", {"open": 1}),
        ("/load", {"cards": True}),
        ("/load", {"cards": 3.5}),
    ],
)
@virtual_time
async def test_a_value_of_another_kind_is_not_taken_for_the_right_one(path: str, fields: dict[str, object]) -> None:
    async with launcher() as on:
        answer = await on.post(path, **fields)
        assert (answer.status_code, answer.json()["error"]) == (422, "bad_request")


@virtual_time
async def test_a_refused_press_says_why_and_what_to_do() -> None:
    async with launcher() as on:
        await on.post("/toy/lid", open=True)
        await on.settle(1)
        answer = await on.post("/press", id="p1")
        assert answer.status_code == 409
        body = answer.json()
        assert body["error"] == "press_refused"
        assert body["reason"] == "lid_open"
        assert body["message"] == "Lid open: nothing can move."
        assert body["remedy"] == "Shut the lid first."
        assert body["entry"]["type"] == "launcher.press.refused"
        assert body["entry"]["data"]["request"] == "p1"


@virtual_time
async def test_what_is_ordered_is_in_the_snapshot_and_refuses_in_words() -> None:
    async with launcher() as on:
        assert (await on.get("/snapshot"))["order"] is None
        on.service.order(0, Refusal.NOTHING_OWED)
        await on.settle(0.1)
        snapshot = await on.get("/snapshot")
        assert snapshot["order"] == {"cards": 0, "why": "nothing_owed"}
        assert snapshot["refusal"] == "nothing_owed"
        body = (await on.post("/press")).json()
        assert (body["error"], body["reason"]) == ("press_refused", "nothing_owed")
        assert (body["message"], body["remedy"]) == ("Nobody has to press now.", "Nobody has to press. Play on!")
        on.service.order(0, Refusal.COUNT_FIRST)
        await on.settle(0.1)
        assert (await on.post("/press")).json()["remedy"] == "First say how many cards came."
        assert (await on.post("/eject", cards=2)).status_code == 202


@virtual_time
async def test_load_reset_and_count() -> None:
    async with launcher() as on:
        assert (await on.post("/load", cards=60)).json()["data"]["cards"] == 60
        assert (await on.get("/snapshot"))["cards_inside"] == 60
        assert (await on.post("/reset")).json()["data"]["state"] == "ready"
        press = (await on.post("/eject", cards=2)).json()["data"]["press"]
        await on.settle()
        counted = await on.post("/count", press=press, cards=3)
        assert counted.status_code == 200
        assert counted.json()["type"] == "launcher.burst.counted"
        assert (await on.get("/snapshot"))["cards_inside"] == 57


@pytest.mark.parametrize("press", [7, 999_999])
@virtual_time
async def test_counting_a_press_that_never_ended_is_refused(press: int) -> None:
    async with launcher() as on:
        answer = await on.post("/count", press=press, cards=3)
        assert (answer.status_code, answer.json()["error"]) == (404, "unknown_press")


@virtual_time
async def test_more_cards_than_the_launcher_gives_at_once_are_refused_in_words() -> None:
    async with launcher() as on:
        answer = await on.post("/eject", cards=29)
        assert answer.status_code == 422
        assert "12" in answer.json()["message"]


async def play(on: Launcher, presses: int) -> None:
    """Presses left to luck, with a hand that takes what sticks out."""
    assert on.service.toy is not None
    for _ in range(presses):
        await on.post("/press")
        await on.settle()
        on.service.toy.take_card()
        await on.settle(1)


@virtual_time
async def test_the_odds_are_set_against_what_came() -> None:
    async with launcher() as on:
        await on.post("/eject", cards=1)  # no luck in it: must not count
        await on.settle()
        await play(on, 6)  # the toy fires on presses 2 and 6
        odds = await on.get("/odds")
        ended = (await on.get("/journal", params={"type": "launcher.burst.ended"}))["entries"][1:]
        cards = [entry["data"]["delivered"] for entry in ended]
        assert len(cards) == 6
        assert odds["presses"] == 6
        assert odds["duds"] == odds["came"]["0"] == 4
        assert odds["longest_dry_run"] == 3
        assert odds["cards"] == sum(cards)
        assert odds["came"] == {str(n): cards.count(n) for n in sorted(set(cards))}
        assert sum(odds["expected"].values()) == pytest.approx(1)
        assert odds["uncounted"] == 0


@virtual_time
async def test_a_counted_burst_replaces_the_count_in_the_odds() -> None:
    async with launcher(settings=without_exit_sensor()) as on:
        await on.post("/press")
        await on.settle()
        press = (await on.post("/press")).json()["data"]["press"]
        await on.settle()
        assert (await on.get("/odds"))["uncounted"] == 1
        await on.post("/count", press=press, cards=5)
        after_first = await on.get("/odds")
        assert (after_first["came"], after_first["uncounted"]) == ({"0": 1, "5": 1}, 0)
        await on.post("/count", press=press, cards=4)
        assert (await on.get("/odds"))["came"] == {"0": 1, "4": 1}


@virtual_time
async def test_the_tally_begins_anew_with_other_odds(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    async with launcher(journal=path) as on:
        await play(on, 3)
        assert (await on.get("/odds"))["presses"] == 3
    async with launcher(journal=path) as on:
        await play(on, 1)
        assert (await on.get("/odds"))["presses"] == 4, "the same odds go on"
    gentle = dataclasses.replace(Settings(), odds={"preset": "gentle"})
    async with launcher(journal=path, settings=gentle) as on:
        await play(on, 2)
        assert (await on.get("/odds"))["presses"] == 2


@virtual_time
async def test_the_journal_comes_in_pages() -> None:
    async with launcher() as on:
        await play(on, 3)
        last = (await on.get("/snapshot"))["seq"]
        seqs: list[int] = []
        while True:
            page = await on.get("/journal", params={"after": seqs[-1] if seqs else 0, "limit": 4})
            if not page["entries"]:
                break
            seqs += [entry["seq"] for entry in page["entries"]]
        assert seqs == list(range(1, last + 1))
        assert page["last_seq"] == last
        end = await on.get("/journal", params={"last": 3})
        assert [entry["seq"] for entry in end["entries"]] == [last - 2, last - 1, last]
        two = await on.get("/journal", params={"type": ["launcher.lid.opened", "launcher.press.accepted"]})
        assert {entry["type"] for entry in two["entries"]} == {"launcher.press.accepted"}


@virtual_time
async def test_the_chimes_are_the_launchers() -> None:
    async with launcher() as on:
        chimes = await on.get("/chimes")
        assert set(chimes) == {chime.value for chime in Chime}
        assert chimes["fire"] == [list(note) for note in MELODIES[Chime.FIRE]]


@virtual_time
async def test_a_journal_that_cannot_be_opened_is_said_plainly(tmp_path: Path) -> None:
    not_a_journal = tmp_path / "journal.sqlite3"
    not_a_journal.write_text("This is a shopping list, not a database." * 30)
    async with launcher(journal=not_a_journal) as on:
        snapshot = await on.get("/snapshot")
        assert snapshot["state"] == "fault"
        assert "not a journal" in snapshot["detail"]
        for answer in (await on.post("/press"), await on.client.get("/api/v1/events")):
            assert answer.status_code == 503
            assert answer.json()["error"] == "no_session"
            assert "not a journal" in answer.json()["message"]


# --- hands on the simulated launcher ---


@virtual_time
async def test_the_simulated_lid_button_and_cards_are_there_to_be_touched() -> None:
    async with launcher() as on:
        assert (await on.post("/toy/lid", open=True)).json()["lid_open"] is True
        await on.settle(1)
        assert (await on.get("/snapshot"))["state"] == "open"
        assert (await on.post("/toy/stack", cards=7)).json()["cards_in_stack"] == 7
        await on.post("/toy/lid", open=False)
        await on.settle(1)
        await on.post("/toy/button", hold_s=0.2)
        accepted = await on.until("launcher.press.accepted")
        assert accepted["source"] == "button"
        page = await on.get("/journal", params={"type": ["toy.lid.moved", "toy.stack.filled", "toy.button.pushed"]})
        assert [e["type"] for e in page["entries"]] == [
            "toy.lid.moved",
            "toy.stack.filled",
            "toy.lid.moved",
            "toy.button.pushed",
        ]


@virtual_time
async def test_a_jam_is_freed_under_the_open_lid() -> None:
    async with launcher() as on:
        await on.post("/toy/fault", fault="roller_jam", on=True, cards=9)
        await on.post("/eject", cards=3)
        await on.settle()
        assert (await on.get("/snapshot"))["state"] == "jammed"
        fast = await on.post("/toy/take")
        assert (fast.status_code, fast.json()["error"]) == (409, "jammed_fast")
        await on.post("/toy/fault", fault="roller_jam", on=False)
        await on.post("/toy/lid", open=True)
        freed = await on.post("/toy/take")
        assert (freed.status_code, freed.json()["jammed"]) == (200, False)
        await on.post("/toy/lid", open=False)
        await on.settle()
        assert (await on.get("/snapshot"))["state"] == "ready"


@virtual_time
async def test_faults_and_cells() -> None:
    async with launcher() as on:
        assert not any((await on.get("/toy"))["faults"].values())
        view = (await on.post("/toy/fault", fault="motor_dead", on=True)).json()
        assert [name for name, is_on in view["faults"].items() if is_on] == ["motor_dead"]
        assert (await on.post("/toy/cells", voltage_v=3)).json()["cell_voltage_v"] == 3
        assert (await on.post("/toy/cells")).json()["cell_voltage_v"] > 4
        for wrong in ({"voltage_v": -1}, {"voltage_v": 5.9}, {"voltage_v": 3.0, "new": True}):
            assert (await on.post("/toy/cells", **wrong)).status_code == 422
        unknown = await on.post("/toy/fault", fault="gremlins", on=True)
        assert unknown.status_code == 422
        assert "gremlins" in unknown.json()["message"]


@virtual_time
async def test_a_real_launcher_has_no_simulated_lid() -> None:
    async with launcher() as on:
        toy, on.service.toy = on.service.toy, None
        answers = [await on.post("/toy/lid", open=True), await on.post("/toy/take"), await on.client.get("/api/v1/toy")]
        on.service.toy = toy
        assert [(each.status_code, each.json()["error"]) for each in answers] == [(404, "not_simulated")] * 3
