"""Made-up roles on every route, and a guest's hour: nobody gets a power, a hand, a name or a secret of another role."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from dispenser.rules.engine.history import Action, Deed
from dispenser.service.presence import ATTENDED_S
from dispenser.table import messages as t
from dispenser.table.replay import entry_of
from dispenser.table.secrets import hashed
from dispenser.table.table import Table
from dispenser.web.access import MAX_SEAT_SECRETS, OWNER_COOKIE, SEAT_COOKIE, WATCH_COOKIE, Rank
from dispenser.web.rate_limit import COMMAND_S, COMMANDS_AT_ONCE
from dispenser.web.security import COOKIE
from tests.nightly.api.roles import BOT, EARLIER, GUEST, HOST, OTHER, Actor, Party, party
from tests.table.evening import told
from tests.web.rig import in_virtual_time
from tests.web.table import HERE, PHONE, TOKEN
from tests.web.test_access import routes

TELLS = 100
"""Of each kind, by each role."""
ODD = ("GET /nowhere", "HEAD /api/v1/snapshot", "DELETE /api/v1/journal", "POST /api/v1/press/", "GET //table")
LAST = (t.Leave, t.HandOver, t.Close)
"""What ends an actor's role is said last."""
PLAUSIBLE: dict[str, Any] = {
    "eject": {"cards": 2}, "load": {"cards": 90}, "count": {"press": 1, "cards": 2}, "computer": {"act": "off"},
    "demo": {"name": "Eve"}, "open": {"kind": "manual"}, "remove": {"number": 1}, "lid": {"open": False},
    "button": {"hold_s": 0.1}, "fault": {"fault": "roller_jam", "on": False}, "stack": {"cards": 80},
}  # fmt: skip


# --- what is sent ---


def any_tell(at: Party, kind: type[t.Tell] | None = None) -> dict[str, Any]:
    random, chosen = at.random, kind or at.random.choice(get_args(t.AnyTell))
    made: dict[str, Any] = {"do": chosen.__struct_config__.tag}
    for each in msgspec.structs.fields(chosen):
        if each.required or random.random() < 0.8:
            made[each.name] = any_value(at, each.name)
    return made


def any_value(at: Party, name: str) -> Any:
    random, evening = at.random, at.service.evening
    here = evening.table.people.order if evening is not None and evening.is_open else []
    if name in {"person", "other", "by_whom"} and here and random.random() < 0.8:
        return random.choice(here)
    values: dict[str, Any] = {
        "name": random.choice(["Eve", "host", "Mamie", "Robo", "", "=1+1", "x" * 30, f"N{random.randrange(99)}"]),
        "game": random.choice(["uno-extreme", "uno", "bridge"]),
        "telling": random.choice(["cards", "counter", "referee"]),
        "options": {},
        "yes": random.random() < 0.6,
        "deals": random.random() < 0.1,
        "points": [random.randrange(30) for _ in range(random.choice([3, 4, 5]))],
    }
    if name == "action":
        return any_action(at)
    if random.random() < 0.03:
        return random.choice([None, "", -1, 10**12, [], {"do": "undo"}, "\x00", 1.5])
    return values.get(name, random.randrange(9))


def any_action(at: Party) -> list[Any]:
    random, evening = at.random, at.service.evening
    match = evening.table.match if evening is not None and evening.is_open else None
    seat = random.randrange(6)
    if match is not None and seat < match.game.seats and random.random() < 0.6 and (
        moves := match.game.legal_moves(seat)
    ):  # fmt: skip
        return match.notes.write(Action(Deed.PLAY, seat, random.choice(moves)))
    value = random.choice([None, 3, "red 5", ["red 5", "wild"], {"act": "draw"}, "advice", True, {}, "chance"])
    return [str(random.choice(list(Deed))), random.choice([seat, None]), value]


def requests(at: Party, code: str, tells: int) -> Iterator[tuple[str, str, bytes]]:
    """Something plausible and something random for every route."""
    every = [*routes(at.app.app), *(tuple(each.split(" ")) for each in ODD)]  # type: ignore[arg-type]
    ids = [str(each.data["table"]) for each in at.service.journal.read(types=[t.Opened.type])]
    for method, route in sorted(set(every)):
        for evening in ids if "{evening}" in route else [""]:
            path = route.replace("{evening}", evening).replace("{act}", "lid").replace("K7PM", code)
            if method == "GET":
                for query in ("", "?after=0&last=300", "?after=0", "?name=yvonne-secret&type=table"):
                    yield method, path + query, b""
            elif not path.endswith("/tell"):
                body = PLAUSIBLE.get(path.rpartition("/")[2], {"evening": ids[0]} if "delete" in path else {})
                sent = [body, body | {"id": f"id-{at.random.randrange(20)}"}, {"cards": None, "x": [1]}, [3]]
                yield from ((method, path, json.dumps(each).encode()) for each in sent)
                yield method, path, at.random.randbytes(20)
    kinds = [*get_args(t.AnyTell)] * tells
    at.random.shuffle(kinds)
    for kind in sorted(kinds, key=LAST.__contains__):
        body = {"tell": any_tell(at, kind)} | (
            {"id": f"id-{at.random.randrange(50)}"} if at.random.random() < 0.2 else {}
        )
        yield "POST", "/api/v1/table/tell", json.dumps(body).encode()


def forged(at: Party) -> Iterator[Actor]:
    """Who has cookies, tokens, addresses and names that are not theirs, and gets nothing by them."""
    seat, watch = at.phones["seat"].jar[SEAT_COOKIE], at.phones["watcher"].jar[WATCH_COOKIE]
    junk = ".".join(f"junk-{number}" for number in range(MAX_SEAT_SECRETS))
    values = {
        WATCH_COOKIE: ["0" * 64, watch[:-1], watch.upper(), watch + "." + watch, at.old[0].jar[WATCH_COOKIE]],
        SEAT_COOKIE: [
            *(seat[:-1], seat.swapcase(), hashed(seat), f"{junk}.{seat}", "x" * 8000, "\xfc", '"\\015\\012a: b"'),
            *(f"x\r\nset-cookie: {SEAT_COOKIE}={seat}", at.old[1].jar[SEAT_COOKIE], at.old[0].jar[SEAT_COOKIE]),
        ],
        COOKIE: [TOKEN, hmac.digest(b"", b"dispenser session", "sha256").hex(), at.policy.session()[:-1], "\xfc"],
        OWNER_COOKIE: [at.own[:-1], hashed(at.own), seat, watch, ""],
    }
    for name, forged in values.items():
        for value in forged:
            rank = Rank.PAST_SEAT if name == SEAT_COOKIE else Rank.STRANGER
            knows = next((EARLIER[number] for number in (0, 1) if at.old[number].jar.get(name) == value), ())
            yield Actor([("cookie", f"{name}={value}")], rank=rank, knows=knows if rank else ())
    for value in (TOKEN[:-1], f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", f"Bearer {TOKEN} x", f"Bearer {seat}"):
        yield Actor([("authorization", value)], rank=Rank.STRANGER)
    for name in ("x-forwarded-for", "forwarded", "x-real-ip", "via"):
        yield Actor([(name, "127.0.0.1")], rank=Rank.STRANGER)
        yield Actor([(name, "192.168.1.9")], rank=Rank.STRANGER, client=HERE, host="localhost:8112")
    yield Actor(rank=Rank.STRANGER, host="localhost:8112")
    yield Actor(rank=Rank.STRANGER, client=HERE)
    for client in (HERE, PHONE):
        yield Actor(jar=at.phones["host"].jar, client=client, host="evil.example", always=(421, "unknown_host"))
    for header in (("origin", "http://evil.example"), ("origin", "null"), ("sec-fetch-site", "same-site")):
        foreign = (403, "foreign_origin")
        yield Actor([header], dict(at.phones["host"].jar), always=foreign)
        yield Actor([header], client=HERE, host="localhost:8112", always=foreign)


# --- the tests ---


@pytest.fixture(autouse=True)
def _no_mistake_and_much_time(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("tests.web.rig.LONGEST_S", 1e6)
    yield
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


async def actors(at: Party, role: str) -> list[Actor]:
    if role == "forged":
        return list(forged(at))
    if role == "acting":
        await at.listens.pop("host").leave()
        await asyncio.sleep(ATTENDED_S + 1)
        return [Actor(jar=at.phones["seat"].jar)]
    if role == "again":
        assert at.service.evening is not None
        await at.old[1].ask("GET", f"/t/{at.service.evening.table.code}")
        assert (await at.old[1].tell("join", name="Back")).status_code == 200
        return [Actor(jar=at.old[1].jar, knows=EARLIER[1])]
    jars = {name: phone.jar for name, phone in at.phones.items()} | {"stranger": {}, "before": at.old[1].jar}
    return [Actor(jar=jars[role], knows=EARLIER[1] if role == "before" else ())]


RANKS = (
    {"stranger": Rank.STRANGER, "before": Rank.PAST_SEAT, "forged": Rank.STRANGER}
    | dict.fromkeys(("watcher", "left", "freed"), Rank.WATCHER)
    | dict.fromkeys(("seat", "other", "again"), Rank.SEAT)
    | dict.fromkeys(("acting", "host"), Rank.HOST)
)


@pytest.mark.parametrize("role", RANKS)
def test_no_route_gives_a_role_what_is_another_ones(role: str) -> None:
    async def scenario() -> None:
        async with party(role) as at:
            for actor in await actors(at, role):
                assert actor.always or role == "forged" or at.was(actor).rank == RANKS[role]
                code = at.service.evening.table.code if at.service.evening and RANKS[role] else "AAAA"
                for method, path, body in requests(at, code, TELLS if role != "forged" else 5):
                    await at.ask(actor, method, path, body)
                    if method == "POST":
                        await asyncio.sleep(COMMAND_S)
            for each in at.listens.values():
                await each.leave()

    in_virtual_time(scenario)


# --- a guest's hour -----------------------------------------------------------------------------------------------

STEPS, EACH = 5_000, 200


async def tidy(at: Party, guest: Actor, game: str, telling: str) -> None:
    """What the host does from time to time, so that it goes on: who has left is back, strangers go, a match is on."""
    assert at.service.evening is not None
    host, table = at.phones["host"], at.service.evening.table
    if at.was(guest).me is None:
        at.phones["seat"].jar.pop(SEAT_COOKIE, None)
        guest.jar.pop(SEAT_COOKIE, None)
    for number in [each for each in table.people.order if each > BOT and each != at.was(guest).me]:
        await host.tell("let_go", person=number)
    if at.was(guest).me is None:
        phone = at.phones["seat"]
        assert (await phone.tell("join", name=f"Tom {table.at}")).status_code == 200
        guest.jar = phone.jar
    for number in list(table.asked):
        await host.tell("count", press=number, cards=2)
    plays = table.match is not None and at.was(guest).me in table.match.order
    if not plays or table.match is None or table.match.over or at.random.random() < 0.1:
        await host.tell("end")
        assert (await host.tell("start", game=game, telling=telling)).status_code == 200
    await host.ask("POST", "/api/v1/load", json={"cards": 90})
    await host.tell("continue")


async def somebody_plays(at: Party) -> None:
    """So that it is the guest's turn now and then."""
    table = at.service.evening.table if at.service.evening is not None else None
    if table is None or table.match is None or not table.match.in_round or table.match.by_itself:
        return
    seat = table.match.game.turn
    name = {HOST: "host", OTHER: "other", GUEST: "host"}.get(table.match.order[seat])
    if name is not None and (moves := table.match.game.legal_moves(seat)):
        move = table.match.notes.write(Action(Deed.PLAY, seat, at.random.choice(moves)))
        await at.phones[name].tell("act", action=move)


async def check_hour(at: Party, telling: str, secrets: dict[int, str | None]) -> None:
    evening = at.service.evening
    assert evening is not None
    table = evening.table
    assert (table.people.host, table.host_only, table.wished) == (HOST, True, None)
    assert table.match is None or table.match.telling == telling
    assert {each: table.people.persons[each].secret for each in secrets} == secrets
    seed = evening.unrevealed.get(table.commitment)
    again = Table(lambda _: seed or b"")
    opened = [each.seq for each in at.service.journal.read(types=[t.Opened.type])][-1]
    for each in at.service.journal.read(opened - 1, types=[t.FAMILY]):
        if (entry := entry_of(each)) is not None:
            again.take(entry)
    assert told(again) == told(table)


@pytest.mark.parametrize(
    ("game", "telling"),
    [("uno-extreme", "cards"), ("uno", "cards"), ("uno-extreme", "referee"), ("uno-extreme", "counter")],
)
def test_a_guests_hour_leaves_the_others_what_is_theirs(game: str, telling: str) -> None:
    async def scenario() -> None:
        async with party(f"{game} {telling}") as at:
            guest, watcher = (Actor(jar=dict(at.phones[name].jar)) for name in ("seat", "watcher"))
            await at.phones["host"].tell("host_only", yes=True)
            await at.phones["host"].tell("end")
            persons = at.service.evening.table.people.persons  # type: ignore[union-attr]
            secrets = {number: persons[number].secret for number in (HOST, OTHER)}
            before, heard = at.service.journal.last_seq, 0
            for step in range(STEPS):
                if step % EACH == 0:
                    await check_hour(at, telling, secrets)
                    await tidy(at, guest, game, telling)
                if step % 10 == 0:
                    await somebody_plays(at)
                kind, actor = at.random.random(), watcher if at.random.random() < 0.1 else guest
                if kind < 0.85:
                    said = any_tell(at)
                    if said["do"] == "leave" and at.random.random() < 0.98:
                        continue
                    body: Any = {"tell": said} | ({"id": f"id-{step // 2}"} if kind < 0.4 else {})
                    path = "table/tell"
                else:
                    path = at.random.choice(["press", "load", "reset", "count"])
                    body = PLAUSIBLE.get(path, {}) | ({"press": step // 20 + 1} if path == "count" else {})
                if kind < 0.97:
                    status, *_ = await at.ask(actor, "POST", f"/api/v1/{path}", json.dumps(body).encode())
                    heard += status != 429
                else:
                    path = at.random.choice(["table/view", "table/views", "table/sheet", "journal?last=50", "snapshot"])
                    await at.ask(actor, "GET", f"/api/v1/{path}")
                await asyncio.sleep(COMMAND_S)
            assert heard > 0.9 * STEPS
            spoken = [each.data.get("by") not in {None, HOST, OTHER} for each in at.service.journal.read(before)]
            assert sum(spoken) > STEPS / 50, "not all was refused"
            assert at.service.journal.last_seq - before < 12 * STEPS
            await tidy(at, guest, game, telling)
            await asyncio.sleep(COMMAND_S * COMMANDS_AT_ONCE)
            rename = [json.dumps({"tell": {"do": "rename", "name": f"T{each}"}}).encode() for each in range(130)]
            answers = [await at.ask(guest, "POST", "/api/v1/table/tell", each) for each in rename]
            assert [each[0] for each in answers] == [200] * COMMANDS_AT_ONCE + [429] * (130 - COMMANDS_AT_ONCE)
            assert b"retry-after: 1" in answers[COMMANDS_AT_ONCE][1]
            await check_hour(at, telling, secrets)
            for each in at.listens.values():
                await each.leave()

    in_virtual_time(scenario)
