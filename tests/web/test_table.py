"""Phones at the table over HTTP: how they come in, what they say and see, and that a slow one is nobody's trouble."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from dispenser.launcher.commands import Press
from dispenser.service.presence import ATTENDED_S
from dispenser.simulator import SimulatorParameters
from dispenser.system.hotspot import Network
from dispenser.web.access import SEAT_COOKIE, WATCH_COOKIE
from dispenser.web.rate_limit import COMMAND_S, COMMANDS_AT_ONCE, SEAT_S, SEATS_AT_ONCE
from dispenser.web.stream import PING_S
from tests.web.rig import HERE, PHONE, Launcher, Listener, host_of, launcher
from tests.web.table import LAN, cookies

_ids = (f"phone-{number:04}-nobody-guesses" for number in itertools.count())


class Phone:
    """Somebody's browser: it keeps its cookies."""

    def __init__(self, at: Launcher, client: tuple[str, int] = PHONE, language: str = "en") -> None:
        self._at, self.client, self.language = at, client, language
        self.host = host_of(client)
        self.jar: dict[str, str] = {}

    @property
    def headers(self) -> dict[str, str]:
        cookie = "; ".join(f"{name}={value}" for name, value in self.jar.items())
        return {"accept-language": self.language, "host": self.host} | ({"cookie": cookie} if cookie else {})

    async def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        answer = await self._at.ask(method, path, self.headers, client=self.client, host=f"http://{self.host}", **more)
        for name, value in cookies(answer).items():
            self.jar.pop(name, None)
            if value:
                self.jar[name] = value
        return answer

    async def tell(self, do: str, *, id: str | None = None, at: int | None = None, **more: Any) -> httpx.Response:  # noqa: A002 - its name there
        body: dict[str, Any] = {"id": id or next(_ids), "command": {"do": do, **more}}
        if at is not None:
            body["at"] = at
        return await self.ask("POST", "/api/v1/table/commands", json=body)

    async def view(self) -> dict[str, Any]:
        answer = await self.ask("GET", "/api/v1/table/view")
        assert answer.status_code == 200, answer.text
        return answer.json()  # type: ignore[no-any-return]

    def listen(self) -> Listener:
        return Listener(self._at.app, headers=self.headers, client=self.client, path="/api/v1/table/views")


class Home:
    """The owner's page of a launcher, and phones."""

    def __init__(self, at: Launcher) -> None:
        self.at, self.service, self.app = at, at.service, at.app
        self.owner = Phone(at, HERE)

    async def open(self, name: str = "Léa") -> None:
        assert (await self.owner.tell("open", name=name)).status_code == 200

    async def phone(self, name: str | None, language: str = "en") -> Phone:
        """Somebody who has typed the code, and a name if there is one."""
        phone = Phone(self.at, language=language)
        assert self.service.evening is not None
        assert (await phone.ask("GET", f"/t/{self.service.evening.table.code}")).status_code == 303
        if name is not None:
            answer = await phone.tell("join", name=name)
            assert answer.status_code == 200, answer.text
        return phone


@asynccontextmanager
async def home(**more: Any) -> AsyncIterator[Home]:
    async with launcher(LAN, parameters=SimulatorParameters.flawless(), **more) as at:
        yield Home(at)


# --- coming in ----------------------------------------------------------------------------------------------------


async def test_one_joins_by_the_code_and_gets_a_cookie_that_no_script_reads() -> None:
    async with home() as at:
        await at.open()
        phone = await at.phone(None)
        assert phone.jar.keys() == {WATCH_COOKIE}
        answer = await phone.tell("join", name="Tom")
        raw = answer.headers["set-cookie"]
        assert raw.startswith(f"{SEAT_COOKIE}=")
        for part in ("HttpOnly", "SameSite=lax", "Path=/", "Max-Age="):
            assert part in raw
        for part in ("Secure", "Domain"):
            assert part not in raw
        assert phone.jar[SEAT_COOKIE] not in answer.text
        shown = await phone.view()
        assert (shown["me"]["name"], shown["me"]["host"], shown["me"]["owner"]) == ("Tom", False, False)
        assert (await at.owner.view())["me"]["owner"]
        assert (await phone.ask("GET", "/t")).headers["location"] == "/table", "back to its seat"


async def test_a_request_that_is_sent_again_gets_the_same_seat_again() -> None:
    async with home() as at:
        await at.open()
        phone, again = await at.phone(None), await at.phone(None)
        for each in (phone, again):
            await each.tell("join", id="a-number-nobody-guesses", name="Tom")
        assert phone.jar[SEAT_COOKIE] == again.jar[SEAT_COOKIE]


async def test_one_phone_does_not_fill_the_disk() -> None:
    async with home() as at:
        await at.open()
        tom, zoe = await at.phone("Tom"), await at.phone("Zoé")
        before = at.service.journal.last_seq
        tries = [await tom.tell("rename", name=f"Tom{number}") for number in range(2 * COMMANDS_AT_ONCE)]
        assert at.service.journal.last_seq - before <= COMMANDS_AT_ONCE
        assert (tries[-1].status_code, tries[-1].json()["error"]) == (429, "too_many_commands")
        assert tries[-1].headers["retry-after"] == "1"
        assert (await zoe.tell("rename", name="Zoë")).status_code == 200
        await asyncio.sleep(COMMAND_S)
        assert (await tom.tell("rename", name="Tom")).status_code == 200


async def test_nobody_takes_seat_after_seat_and_a_party_behind_one_router_sits_down_at_once() -> None:
    async with home() as at:
        await at.open()
        party = [await at.phone(f"P{number}") for number in range(9)]
        restless, tries = party[0], []
        for _ in range(SEATS_AT_ONCE):
            await restless.tell("leave")
            tries.append(await restless.tell("join", name="P0"))
        assert [answer.status_code for answer in tries] == [200] * (SEATS_AT_ONCE - 9) + [429] * 9
        assert (tries[-1].json()["error"], tries[-1].headers["retry-after"]) == ("too_many_seats", "3")
        assert (await party[2].tell("rename", name="Tom")).status_code == 200, "who sits is not concerned"
        await asyncio.sleep(SEAT_S)
        assert (await restless.tell("claim", person=3)).status_code == 200


async def test_a_new_phone_has_a_seat_when_the_host_confirms_and_the_old_one_is_told() -> None:
    async with home() as at:
        await at.open()
        tom, new = await at.phone("Tom"), await at.phone(None)
        asked = await new.tell("claim", person=2)
        assert (asked.status_code, asked.json()["reopen_stream"]) == (200, True)
        was, listener = tom.listen(), new.listen()
        await asyncio.sleep(0.1)
        await at.owner.tell("confirm", person=2)
        await asyncio.sleep(0.1)
        assert listener.views[-1]["me"]["person"] == 2
        assert (was.ended, was.kinds[-1]) == (True, "moved")
        second = new.listen()
        await asyncio.sleep(0.1)
        assert (listener.ended, listener.kinds[-1], second.kinds[-1]) == (True, "moved", "view"), "of two, the newest"
        await at.owner.tell("let_go", person=2)
        await asyncio.sleep(0.1)
        assert (second.ended, second.views[-1]["me"]["person"]) == (False, None), "it watches"
        await second.leave()


async def test_a_phone_presses_when_it_is_its_press_and_for_a_neighbour_whose_phone_is_away() -> None:
    async with home() as at:
        await at.open()
        tom, zoe = await at.phone("Tom"), await at.phone("Zoé")
        await at.owner.tell("start", game="uno-extreme", tracking_mode="counter")
        await at.owner.tell("charge", seat=1, charge=0)
        refused = await zoe.ask("POST", "/api/v1/press", json={"id": "zoe"})
        assert (refused.status_code, refused.json()["message"]) == (409, "Tom presses now.")
        for _ in range(2):
            assert (await tom.ask("POST", "/api/v1/press", json={"id": "tom"})).status_code == 202
            await asyncio.sleep(5)
        await at.owner.ask("POST", "/api/v1/simulator/take")
        await at.owner.tell("charge", seat=1, charge=0)
        await asyncio.sleep(ATTENDED_S)
        assert (await zoe.ask("POST", "/api/v1/press", json={"id": "for-tom"})).status_code == 202


async def test_when_the_evening_ends_all_but_the_owner_are_told_how_and_their_streams_end() -> None:
    async with home() as at:
        await at.open("Ada")
        tom, watcher = await at.phone("Tom"), await at.phone(None, "fr")
        listeners = [each.listen() for each in (at.owner, tom, watcher)]
        records = [Listener(at.app, headers=each.headers, client=each.client) for each in (at.owner, tom, watcher)]
        await asyncio.sleep(0.1)
        await at.owner.tell("start", game="uno-extreme", tracking_mode="counter")
        await at.owner.tell("out", seat=1, points=[20, 0])
        await at.owner.tell("close")
        await asyncio.sleep(0.1)
        assert [each.ended for each in (*listeners, *records)] == [False, True, True] * 2
        for each, sentence in zip(listeners, ["The evening is over."] * 2 + ["La soirée est finie."], strict=True):
            (over,) = each.told("over")
            assert over["sentence"] == sentence
            assert (over["board"]["names"], over["board"]["totals"]) == (["Ada", "Tom"], [0, 20])
            assert "Ada" in over["again"], "whose phone opens the next one"
        await at.open("")
        await asyncio.sleep(0.1)
        assert listeners[0].views[-1]["phase"] == "lobby"
        assert (await tom.ask("GET", "/api/v1/table/view")).status_code == 401, "the old cookies are nobody's"
        await listeners[0].leave()
        await records[0].leave()


async def test_of_evenings_before_a_watcher_reads_nothing_and_a_phone_those_in_which_it_had_a_seat() -> None:
    async def evenings(phone: Phone) -> list[dict[str, Any]]:
        return (await phone.ask("GET", "/api/v1/table/evenings")).json()["evenings"]  # type: ignore[no-any-return]

    async with home() as at:
        await at.open("Yves")
        await at.phone("Wim")
        await at.owner.tell("close")
        await at.open("Ines")
        tom = await at.phone("Tom")
        await at.owner.tell("close")
        over = at.service.journal.last_seq
        assert [each["people"] for each in await evenings(tom)] == [["Ines", "Tom"]], "when it is over, too"
        await at.open("Léa")
        watcher = await at.phone(None)
        await tom.ask("GET", f"/t/{at.service.evening.table.code if at.service.evening else ''}")
        assert (await tom.tell("join", name="Tom")).status_code == 200
        for phone in (watcher, tom):
            for query in ("", "?after=1", "?last=400", "?type=table&last=400", f"?after={over - 3}"):
                told = (await phone.ask("GET", f"/api/v1/journal{query}")).json()["records"]
                assert all(record["seq"] > over for record in told), query
            stream = Listener(at.app, "after=0", phone.headers, phone.client)
            await asyncio.sleep(1)
            assert min(stream.seqs) > over
            await stream.leave()
        assert [each["people"] for each in await evenings(tom)] == [["Léa", "Tom"], ["Ines", "Tom"]]
        assert await evenings(watcher) == []
        ids = [each["id"] for each in await evenings(at.owner)]
        answers = [(await tom.ask("GET", f"/api/v1/table/evenings/{each}")).status_code for each in ids]
        assert answers == [200, 200, 404]
        for path in ("/api/v1/table/evenings.csv", "/api/v1/table/evenings.json", "/evenings"):
            assert "Wim" not in (await tom.ask("GET", path)).text


async def test_an_id_that_was_used_in_an_evening_of_others_tells_a_seat_nothing_of_it() -> None:
    async with home() as at:
        await at.open("Yves")
        await at.owner.tell("rename", id="a-number-of-yves", name="Yvonne")
        await at.owner.tell("close")
        await at.open("Léa")
        tom = await at.phone("Tom")
        for path, body in (("press", {}), ("load", {"cards": 90}), ("reset", {})):
            answer = await tom.ask("POST", f"/api/v1/{path}", json={"id": "a-number-of-yves", **body})
            assert (answer.status_code, answer.json()["error"]) == (409, "request_reused")
            assert "Yvonne" not in answer.text
        reused = await at.owner.ask("POST", "/api/v1/reset", json={"id": "a-number-of-yves"})
        assert reused.json()["record"]["data"]["name"] == "Yvonne"


async def test_a_party_with_bots_is_one_request_from_the_launchers_page() -> None:
    async with home() as at:
        request = next(_ids)
        for _ in range(2):
            answer = await at.owner.ask("POST", "/api/v1/table/demo", json={"id": request})
            assert answer.status_code == 200, answer.text
        shown = await at.owner.view()
        assert (shown["phase"], shown["tracking_mode"], shown["game"]) == ("playing", "cards", "uno-extreme")
        assert [each["bot"] for each in shown["seats"]] == [False, True, True]
        assert shown["me"]["host"]


# --- refusals -----------------------------------------------------------------------------------------------------


async def test_a_refusal_says_why_in_ones_own_language_and_names_the_rule() -> None:
    async with home() as at:
        await at.open()
        lea, tom = at.owner, await at.phone("Tom", "fr")
        refused = await tom.tell("start", game="uno")
        assert (refused.status_code, refused.json()["error"]) == (409, "table_refused")
        assert refused.json()["reason"] == "host_only"
        await lea.tell("start", game="uno-extreme")
        await lea.tell("act", action=["answer", None, "red 5"])
        await lea.tell("act", action=["turn", 1, None])
        illegal = (await tom.tell("act", action=["play", 1, {"act": "lay", "card": "blue 7"}])).json()
        assert illegal["reason"] == "illegal"
        assert illegal["rule"]
        stale = (await lea.view())["at"]
        await tom.tell("act", action=["play", 1, {"act": "lay", "card": "red 7"}])
        late = await tom.tell("undo", at=stale)
        assert (late.status_code, late.json()["reason"]) == (409, "too_late")
        assert "tard" in late.json()["message"]


# --- the stream ---------------------------------------------------------------------------------------------------


async def test_a_stream_has_whole_views_of_what_its_own_seat_may_see_in_its_own_language() -> None:
    async with home() as at:
        await at.open()
        phones = [at.owner, await at.phone("Tom"), await at.phone("Zoé", "fr"), await at.phone(None, "fr")]
        listeners = [each.listen() for each in phones]
        await asyncio.sleep(0.1)
        assert listeners[-1].views == [await phones[-1].view()], "it begins with a whole one"
        await at.owner.tell("start", game="uno", tracking_mode="cards")
        await asyncio.sleep(0.1)
        shown = [each.views[-1] for each in listeners]
        assert shown == [await each.view() for each in phones]
        assert len({str(each["hand"]) for each in shown}) == 4
        assert shown[3]["hand"] == []
        await at.service.handle(Press())
        await asyncio.sleep(10)
        for each in listeners:
            assert "launcher" in each.kinds
            await each.leave()


async def test_a_wifi_that_opens_and_closes_is_seen_by_those_who_may_join_it() -> None:
    wifi: Network | None = None
    async with home(own_wifi=lambda: wifi) as at:
        await at.open()
        guest = await at.phone("Zoé")
        guest.client = ("10.42.0.17", 51000)
        phones = [at.owner, guest, await at.phone("Tom"), await at.phone(None)]
        listeners = [each.listen() for each in phones]
        for now, seen in ((Network("Table 7", "k7rwn3xq2h"), [True, True, False, False]), (None, [False] * 4)):
            wifi = now
            await asyncio.sleep(16)  # a ping
            assert [bool(each.views[-1]["join"]["wifi"]) for each in listeners] == seen
        for each in listeners:
            assert ("k7rwn3xq2h" in each.text) is (each in listeners[:2])
            await each.leave()


async def test_who_listens_is_here_and_who_does_not_is_away() -> None:
    async with home() as at:
        await at.open()
        tom = await at.phone("Tom")
        lea = at.owner.listen()
        await asyncio.sleep(ATTENDED_S + PING_S + 1)
        assert [each["away"] for each in lea.views[-1]["seats"]] == [False, True]
        listener = tom.listen()
        await asyncio.sleep(0.1)
        assert [each["away"] for each in lea.views[-1]["seats"]] == [False, False], "and the others see it"
        await listener.leave()
        assert not (await at.owner.view())["seats"][1]["away"], "a line that fell is no seat that is free"
        await asyncio.sleep(ATTENDED_S + PING_S + 1)
        assert [each["away"] for each in lea.views[-1]["seats"]] == [False, True], "nobody has done anything"
        await lea.leave()
