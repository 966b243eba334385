"""Who may do what: every route as everybody, and how people come to be somebody."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.requests import HTTPConnection
from starlette.responses import Response

from dispenser.service.settings import WebSettings
from dispenser.table.secrets import hashed
from dispenser.web.access import (
    MAX_SEAT_SECRETS,
    OWNER_COOKIE,
    SEAT_COOKIE,
    WATCH_COOKIE,
    Rank,
    Role,
    required_rank,
    set_seat_cookie,
)
from dispenser.web.owners import OwnerPhones
from dispenser.web.security import Policy
from tests.web.rig import HERE, PHONE, Launcher, Listener, host_of
from tests.web.table import LAN, LAN_WITH_TOKEN, LEA, TOKEN, TOM, Table, cookies, house, kept

TABLE = Table()
OWNERS = OwnerPhones(None)
OWNED, REMOVED = (OWNERS.add(OWNERS.invite(), "", "") for _ in range(2))
OWNERS.remove(2)
WHO: dict[str, tuple[Rank, dict[str, str], tuple[str, int]]] = {
    "nobody": (Rank.STRANGER, {}, PHONE),
    "who had a seat in an evening before": (Rank.PAST_SEAT, kept(TABLE, secret="of the evening before"), PHONE),
    "a watcher": (Rank.WATCHER, kept(TABLE, watches=True), PHONE),
    "Tom": (Rank.SEAT, kept(TABLE, secret=TOM), PHONE),
    "Tom, who watched first": (Rank.SEAT, kept(TABLE, watches=True, secret=TOM), PHONE),
    "Léa, who is host": (Rank.HOST, kept(TABLE, secret=LEA), PHONE),
    "who is at the machine": (Rank.OWNER, {}, HERE),
    "Tom at the machine": (Rank.OWNER, kept(TABLE, secret=TOM), HERE),
    "who has the token": (Rank.OWNER, {"authorization": f"Bearer {TOKEN}"}, PHONE),
    "an owner's phone": (Rank.OWNER, {"cookie": f"{OWNER_COOKIE}={OWNED}"}, PHONE),
    "an owner's phone no more": (Rank.STRANGER, {"cookie": f"{OWNER_COOKIE}={REMOVED}"}, PHONE),
}
PAGES = ("/", "/table", "/screen", "/evenings", "/workshop", "/rules")
REFUSALS = ("join_first", "join_needed", "login_needed", "token_needed", "seat_needed", "host_needed", "owner_needed")


def routes(app: FastAPI) -> Iterator[tuple[str, str]]:
    """Every method and path that the web answers, with something in the places of the path."""
    for route in iter_route_contexts(app.routes):
        for method in sorted(route.methods or ()):
            yield method, (route.path or "").replace("{name}", "page.css").replace("{code}", TABLE.code)


def refusal(rank: Rank, needed: Rank, method: str, path: str) -> tuple[int, str]:
    """What somebody of that rank is told where another is needed."""
    if rank < Rank.WATCHER:
        return (
            (303, "join_first")
            if method == "GET" and (path in PAGES or path.startswith("/rules/"))
            else (401, "join_needed")
        )
    return 403, {Rank.SEAT: "seat_needed", Rank.HOST: "host_needed", Rank.OWNER: "owner_needed"}[needed]


async def begin(
    at: Launcher, method: str, path: str, headers: dict[str, str], client: tuple[str, int]
) -> tuple[int, bytes]:
    """Status and beginning of an answer, which may be a stream."""
    sent = {"host": host_of(client), "content-type": "application/json", **headers}
    listener = Listener(at.app, headers=sent, client=client, path=path, method=method)
    await listener.leave()
    return listener.status, listener.text.encode()


@pytest.mark.parametrize("who", WHO)
async def test_every_route_lets_in_whom_the_table_says_and_nobody_else(who: str) -> None:
    rank, headers, client = WHO[who]
    async with house(LAN_WITH_TOKEN, owners=OWNERS) as at:
        for method, path in routes(at.app.app):
            needed = required_rank(method, path)
            status, body = await begin(at, method, path, headers, client)
            if method == "GET":
                assert (await begin(at, "HEAD", path, headers, client))[0] == status, path
            if rank >= needed:
                assert status != 401, (method, path)
                assert not any(body.startswith(f'{{"error": "{word}"'.encode()) for word in REFUSALS), (
                    method,
                    path,
                )
                continue
            expected, error = refusal(rank, needed, method, path)
            assert status == expected, (method, path, body)
            assert body.startswith(f'{{"error": "{error}"'.encode()), (method, path)


FOREIGN = [
    {"origin": "http://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:9000"},
    {"origin": "http://192.168.1.20:8112", "sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"},
    {"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script"},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"},
]


@pytest.mark.parametrize("who", ["Léa, who is host", "who is at the machine"])
@pytest.mark.parametrize("foreign", FOREIGN)
async def test_no_route_answers_a_page_from_elsewhere_whoever_has_it_open(who: str, foreign: dict[str, str]) -> None:
    _, headers, client = WHO[who]
    async with house(LAN_WITH_TOKEN, owners=OWNERS) as at:
        for method, path in routes(at.app.app):
            status, body = await begin(at, method, path, headers | foreign, client)
            assert (status, body.startswith(b'{"error": "foreign_origin"')) == (403, True), (method, path, body)


def test_the_table_of_routes_says() -> None:
    for method, path, needed in (
        ("GET", "/owner/", Rank.OWNER),
        ("POST", "/api/v1/simulator/lid", Rank.HOST),
        ("GET", "/static/a/b/c", Rank.STRANGER),
        ("GET", "/t/K7PM/more", Rank.OWNER),
        ("POST", "/api/v1/press/", Rank.OWNER),
        ("GET", "/t/\n", Rank.STRANGER),
    ):
        assert required_rank(method, path) == needed, path


def role(
    headers: dict[str, str], client: tuple[str, int] = PHONE, settings: WebSettings = LAN, **table: object
) -> Role:
    """Whom the guard takes somebody for."""
    host = b"localhost" if client == HERE else b"192.168.1.20"
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "headers": [(b"host", host), *raw], "client": client}
    return Policy(settings, dataclasses.replace(TABLE, **table).joinable).role(HTTPConnection(scope))


# --- who somebody is ---


def test_without_the_switch_everybody_at_the_machine_is_owner_as_before_and_person_by_the_cookie() -> None:
    assert role({}, HERE, WebSettings()) == Role(owner=True)
    tom = role(kept(TABLE, secret=TOM), HERE, WebSettings())
    assert (tom.owner, tom.person) == (True, 2)


async def test_where_all_have_the_token_no_cookie_and_no_code_lets_anybody_in() -> None:
    open_to_token = WebSettings(host="0.0.0.0", token=TOKEN)
    cookie = kept(TABLE, watches=True, secret=LEA)
    assert role(cookie, settings=open_to_token) == Role()
    assert role(cookie, HERE, open_to_token) == Role(), "this machine, too, needs the token there"
    assert role({**cookie, "authorization": f"Bearer {TOKEN}"}, settings=open_to_token).person == 1
    async with house(open_to_token) as at:
        for code in ("K7PM", "AAAA"):
            answer = await at.ask("GET", f"/t/{code}")
            assert (answer.status_code, answer.headers["location"]) == (303, "/login"), "and says not which is right"


def test_an_unknown_cookie_lets_nobody_in() -> None:
    seats = (f"{SEAT_COOKIE}={value}" for value in ("guessed", "\xfc"))
    watchers = (f"{WATCH_COOKIE}={value}" for value in ("", "K7PM", "0" * 64))
    for cookie in (*seats, *watchers, "]=bad; ;;"):
        assert role({"cookie": cookie}).rank < Rank.WATCHER, cookie


def test_a_watcher_is_one_for_this_evening_only() -> None:
    watcher = kept(TABLE, watches=True)
    assert role(watcher).watches
    assert not role(watcher, code="9DRT").watches
    assert not role(watcher, watch_key=b"of the next evening, which may have the same code").watches
    assert not role(watcher, is_open=False).watches


def test_who_comes_through_a_proxy_is_not_at_the_machine() -> None:
    for header in ("forwarded", "via", "x-forwarded-for", "x-real-ip"):
        assert role({header: "for=203.0.113.9"}, HERE) == Role()


@pytest.mark.parametrize(
    ("client", "host", "owner"),
    [
        ("127.0.0.5", b"127.0.0.1", True),
        ("::1", b"[::1]:8112", True),
        ("::ffff:127.0.0.1", b"localhost:8112", True),
        ("127.0.0.1", b"laptop.local:8112", False),
        ("127.0.0.1", b"192.168.1.20:8112", False),
        ("::ffff:192.168.1.20", b"localhost:8112", False),
        ("fe80::1%eth0", b"localhost:8112", False),
        ("", b"localhost:8112", False),
    ],
)
def test_the_owner_comes_from_this_machine_by_its_name_for_itself(client: str, host: bytes, owner: bool) -> None:
    """Of such a name a browser says where a request comes from; a page elsewhere cannot use it unnoticed."""
    scope = {"type": "http", "headers": [(b"host", host)], "client": (client, 1) if client else None}
    assert Policy(LAN, TABLE.joinable).role(HTTPConnection(scope)).owner is owner


# --- coming in ---


async def check_welcome(at: Launcher, method: str, path: str, **more: object) -> None:
    answer = await at.ask(method, path, **more)  # type: ignore[arg-type]
    assert (answer.status_code, answer.headers["location"]) == (303, "/table")
    raw = answer.headers["set-cookie"]
    for part in ("HttpOnly", "SameSite=lax", "Path=/", "Max-Age=1209600"):
        assert part in raw
    for part in ("Secure", "Domain", at.table.code):
        assert part not in raw
    value = cookies(answer)[WATCH_COOKIE]
    assert (await at.ask("GET", "/api/v1/snapshot", {"cookie": f"{WATCH_COOKIE}={value}"})).status_code == 200


async def test_the_link_with_the_code_lets_one_watch_and_so_does_the_code_however_typed() -> None:
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    async with house() as at:
        await check_welcome(at, "GET", "/t/k7pm")
        await check_welcome(at, "GET", "/t/K7PM", headers=link)
        await check_welcome(at, "POST", "/t", data={"code": " k7-pm "})


async def test_a_wrong_code_is_told_on_the_form() -> None:
    async with house() as at:
        for method, path, language, says in (
            ("GET", "/t/AAAA", "en", "not the code"),
            ("POST", "/t", "fr", "Ce n’est pas le code"),
        ):
            answer = await at.ask(method, path, {"accept-language": language})
            assert answer.status_code == 403
            assert says in answer.text
            assert 'name="code"' in answer.text
            assert "set-cookie" not in answer.headers
            assert answer.headers["referrer-policy"] == "same-origin", "else the form comes from nowhere"


async def test_nobody_is_sent_to_the_form_and_the_owner_finds_the_login_there() -> None:
    async with house(LAN_WITH_TOKEN) as at:
        for page in PAGES:
            answer = await at.ask("GET", page)
            back = "" if page in ("/", "/table", "/workshop") else f"?to={page}"
            assert (answer.status_code, answer.headers["location"]) == (303, f"/t{back}")
        assert 'href="/login"' in (await at.ask("GET", "/t")).text
        assert (await at.ask("GET", "/", params={"token": TOKEN})).status_code == 200
        wrong = await at.ask("GET", "/", params={"token": "wrong-horse-battery"})
        assert wrong.headers["location"] == "/login"
    async with house() as at:
        assert "/login" not in (await at.ask("GET", "/t")).text
        assert (await at.ask("GET", "/", params={"token": TOKEN})).headers["location"] == "/t"


async def test_the_code_leads_to_the_page_that_was_asked_for_and_to_no_page_elsewhere() -> None:
    async with house() as at:
        for asked, reached in (
            ("/screen", "/screen"),
            ("/rules/uno-extreme", "/rules/uno-extreme"),
            ("//evil.example", "/table"),
            ("/rules/../owner", "/table"),
        ):
            form = await at.ask("GET", "/t", params={"to": asked})
            assert "action=" not in form.text, "it goes to the address that it stands at"
            assert ("on the host’s phone, in the menu" in form.text) == (asked == "/screen")
            answer = await at.ask("POST", "/t", params={"to": asked}, data={"code": "K7PM"})
            assert (answer.status_code, answer.headers["location"]) == (303, reached)


async def test_who_was_there_reads_that_the_evening_is_over_and_how_to_join_the_next_one() -> None:
    async with house(table=Table(is_open=False)) as at:
        for _ in range(30):
            answer = await at.ask("GET", "/t/K7PM")
            assert answer.status_code == 200, "no code is wrong"
            assert "Nobody plays here" in answer.text
        for had, evenings in ((kept(TABLE, secret=TOM), True), (kept(TABLE, watches=True), False)):
            page = await at.ask("GET", "/t", had)
            assert page.status_code == 200
            assert "The evening is over." in page.text
            assert 'name="code"' not in page.text
            assert ('href="/evenings"' in page.text) == evenings
        screen = await at.ask("GET", "/t", kept(TABLE, watches=True), params={"to": "/screen"})
        assert "Look again when the next evening has started." in screen.text
    async with house() as at:
        for old in (kept(Table(code="OLD1"), watches=True), kept(TABLE, secret="of an evening before")):
            page = await at.ask("GET", "/t", old)
            assert page.status_code == 200
            assert "The evening is over. To join the new one, type its code." in page.text
        assert "over" not in (await at.ask("GET", "/t", kept(TABLE, watches=True))).text


async def test_the_launchers_page_is_for_those_whom_its_buttons_obey_and_others_go_to_the_table() -> None:
    async with house() as at:
        assert (await at.ask("GET", "/", kept(TABLE, secret=LEA))).status_code == 200, "the host"
        for others in (kept(TABLE, secret=TOM), kept(TABLE, watches=True)):
            answer = await at.ask("GET", "/", others)
            assert (answer.status_code, answer.headers["location"]) == (303, "/table")


# --- staying, and leaving ---


def test_a_new_seat_leaves_a_phone_those_that_it_had_and_forgets_the_oldest() -> None:
    old = ".".join(f"secret-{number}" for number in range(MAX_SEAT_SECRETS))
    scope = {"type": "http", "headers": [(b"cookie", f"{SEAT_COOKIE}={old}".encode())]}
    response = Response()
    set_seat_cookie(response, TOM, HTTPConnection(scope))
    value = cookies(response)[SEAT_COOKIE].split(".")
    assert value == [TOM, *(f"secret-{number}" for number in range(MAX_SEAT_SECRETS - 1))]
    found = role({"cookie": f"{SEAT_COOKIE}={'.'.join(value)}"})
    assert (found.person, found.seats) == (2, frozenset(map(hashed, value)))


@pytest.mark.parametrize("machine", ["table", "table.lan", "Table.lan"])
def test_the_name_that_phones_are_told_is_one_of_ours(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: machine)
    for name in ("table", "table.local", machine):
        asyncio.run(Policy(LAN).check_host(f"{name}:8112"))
