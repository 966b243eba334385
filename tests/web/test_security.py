"""Who may talk to the launcher."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import httpx
import pytest

from dispenser.config import SettingError
from dispenser.service.settings import WebSettings
from dispenser.web.addresses import KnownNames
from dispenser.web.errors import ProblemError
from dispenser.web.security import Policy
from dispenser.web.server import serve
from tests.web.rig import launcher, virtual_time
from tests.web.table import house

TOKEN = "correct-horse-battery"
LAN = "0.0.0.0"


def refuses_host(settings: WebSettings, host: str) -> bool:
    try:
        asyncio.run(Policy(settings).check_host(host))
    except ProblemError as problem:
        return problem.status in (400, 421)
    return False


# --- names ---

AT_HOME = WebSettings()
IN_THE_NET = WebSettings(host=LAN, token=TOKEN, allowed_hosts=("launcher.lan",))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.0.0.1:8112", "[::1]:8112", "LOCALHOST:80"])
def test_on_the_loopback_address_its_own_names_will_do(host: str) -> None:
    assert not refuses_host(AT_HOME, host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8112",
        "localhost.evil.example",
        "192.168.1.20",
        "",
        "a b",
        "localhost:999999",
        "[::1",
    ],
)
def test_on_the_loopback_address_no_other_name_will_do(host: str) -> None:
    assert refuses_host(AT_HOME, host)


def test_a_name_that_the_network_gives_will_do_and_no_other_of_its_domain() -> None:
    async def answers() -> list[str]:
        names = KnownNames(lambda: frozenset({"table-2.local", "table.fritz.box"}))
        policy, said = Policy(IN_THE_NET, names=names), []
        for host in ("table.fritz.box:8112", "Table-2.local", "other.fritz.box", "fritz.box", "table.fritz.box.evil"):
            with suppress(ProblemError):
                await policy.check_host(host)
                said.append(host)
        return said

    assert asyncio.run(answers()) == ["table.fritz.box:8112", "Table-2.local"]


@pytest.mark.parametrize("host", ["192.168.1.20:8112", "[fe80::1]:8112", "127.0.0.1", "launcher.lan", "localhost"])
def test_on_an_open_address_numbers_and_named_names_will_do(host: str) -> None:
    assert not refuses_host(IN_THE_NET, host)


# --- settings ---


@pytest.mark.parametrize("host", [LAN, "::", "192.168.1.20", "launcher.lan"])
@virtual_time
async def test_an_open_address_needs_a_token_even_where_the_settings_have_no_page(host: str) -> None:
    async with launcher() as on:
        with pytest.raises(SettingError, match="a token is needed"):
            await serve(on.service, WebSettings(enabled=False, host=host, port=0))


# --- where a request comes from ---

ORIGINS = [
    ({}, True),
    ({"origin": "http://localhost:8112"}, True),
    ({"origin": "http://localhost:8112", "sec-fetch-site": "same-origin"}, True),
    ({"sec-fetch-site": "none"}, True),
    ({"origin": "http://evil.example"}, False),
    ({"origin": "http://localhost:9000"}, False),
    ({"origin": "null"}, False),
    ({"sec-fetch-site": "cross-site"}, False),
    ({"origin": "http://localhost:8112", "sec-fetch-site": "cross-site"}, False),
]


@pytest.mark.parametrize(("headers", "passes"), ORIGINS)
@virtual_time
async def test_only_our_own_page_or_a_program_may_press(headers: dict[str, str], passes: bool) -> None:
    async with launcher() as on:
        before = on.service.snapshot()["presses"]
        answer = await on.client.post("/api/v1/press", headers=headers)
        assert answer.status_code == (202 if passes else 403)
        assert on.service.snapshot()["presses"] == before + passes
        if not passes:
            assert answer.json()["error"] == "foreign_origin"


READS = ["/static/x/page.css", "/favicon.ico"]
READS += [f"/api/v1/{what}" for what in ("snapshot", "events", "journal", "odds", "docs", "openapi.json", "toy")]
LINK = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@virtual_time
async def test_a_link_from_elsewhere_leads_to_the_page_and_to_nothing_else(site: str) -> None:
    link = {**LINK, "sec-fetch-site": site}
    async with launcher() as on:
        assert (await on.client.get("/", headers=link)).status_code == 200
        for path in READS:
            assert (await on.client.get(path, headers=link)).status_code == 403, path
        assert (await on.client.post("/", headers=link)).status_code == 403
    async with launcher(host=LAN, token=TOKEN) as on:
        assert (await on.client.get("/", headers=link)).headers["location"] == "/login"
        assert (await on.client.get("/login", headers=link)).status_code == 200, "where the browser is sent"
        assert (await on.client.get("/", params={"token": TOKEN}, headers=link)).status_code == 200


# --- the token ---

CLOSED = ["/api/v1/snapshot", "/api/v1/events", "/api/v1/openapi.json", "/api/v1/toy", "/nowhere"]


@virtual_time
async def test_without_the_token_only_the_login_and_the_looks_are_there() -> None:
    async with launcher(host=LAN, token=TOKEN) as on:
        for path in CLOSED:
            answer = await on.client.get(path)
            assert (answer.status_code, answer.json()["error"]) == (401, "token_needed")
            assert answer.headers["www-authenticate"] == "Bearer"
        wrong = await on.client.get(CLOSED[0], headers={"authorization": "Bearer not-the-token-at-all"})
        assert (wrong.status_code, wrong.json()["error"]) == (401, "wrong_token"), "not like none"
        assert (await on.client.post("/api/v1/press")).status_code == 401
        page = await on.client.get("/")
        assert (page.status_code, page.headers["location"]) == (303, "/login")
        login = (await on.client.get("/login")).text  # the looks are reachable: the login form needs them
        sheet = login.split('rel="stylesheet" href="')[1].split('"')[0]
        assert (await on.client.get(sheet)).status_code == 200


BAD_CREDENTIALS = [
    {"authorization": "Bearer wrong-horse-battery"},
    {"authorization": f"Basic {TOKEN}"},
    {"authorization": "Bearer"},
    {"authorization": f"Bearer {TOKEN}x"},
    {"authorization": "Bearer ünïcödé"},
    {"cookie": f"dispenser_session={TOKEN}"},
    {"cookie": "dispenser_session="},
    {"cookie": 'dispenser_session="\\'},
    {"cookie": "]=bad; ;;"},
]


@pytest.mark.parametrize("headers", BAD_CREDENTIALS)
@virtual_time
async def test_a_wrong_token_does_not_open(headers: dict[str, str]) -> None:
    async with launcher(host=LAN, token=TOKEN) as on:
        raw = [(name.encode(), value.encode("utf-8")) for name, value in headers.items()]
        assert (await on.client.get("/api/v1/snapshot", headers=raw)).status_code == 401


async def check_logged_in(client: httpx.AsyncClient, answer: httpx.Response) -> None:
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert TOKEN not in cookie
    assert (await client.get("/")).status_code == 200
    assert (await client.get("/api/v1/snapshot")).status_code == 200
    assert (await client.post("/api/v1/press")).status_code == 202


@virtual_time
async def test_the_login_form_lets_a_browser_in() -> None:
    async with launcher(host=LAN, token=TOKEN) as on:
        wrong = await on.client.post("/login", data={"token": "wrong-horse-battery"})
        assert wrong.status_code == 403
        assert "set-cookie" not in wrong.headers
        assert "That is not the token." in wrong.text
        assert wrong.headers["referrer-policy"] == "same-origin", "else a browser sends the form with Origin: null"
        right = await on.client.post("/login", data={"token": f" {TOKEN} "})
        assert right.status_code == 200
        await check_logged_in(on.client, right)


@virtual_time
async def test_a_link_with_the_token_lets_a_browser_in() -> None:
    async with launcher(host=LAN, token=TOKEN) as on:
        assert (await on.client.get("/", params={"token": "wrong-horse-battery"})).status_code == 303
        right = await on.client.get("/", params={"token": TOKEN})
        assert right.status_code == 200
        assert 'http-equiv="refresh" content="0;url=/"' in right.text, "the token leaves the address bar"
        await check_logged_in(on.client, right)


@virtual_time
async def test_a_login_outlives_a_restart_and_ends_with_the_token() -> None:
    async with launcher(host=LAN, token=TOKEN) as on:
        login = (await on.client.post("/login", data={"token": TOKEN})).headers["set-cookie"].split(";")[0]
    for token, status in ((TOKEN, 200), ("another-horse-battery", 401)):
        async with launcher(host=LAN, token=token) as on:
            answer = await on.client.get("/api/v1/snapshot", headers={"cookie": login})
            assert answer.status_code == status


@virtual_time
async def test_without_a_token_there_is_no_login() -> None:
    async with launcher() as on:
        assert (await on.client.get("/login")).status_code == 404


# --- what every answer carries ---


@pytest.mark.parametrize("path", ["/", "/api/v1/snapshot", "/api/v1/nowhere", "/static/none/none.js"])
@virtual_time
async def test_every_answer_has_the_security_headers(path: str) -> None:
    async with launcher() as on:
        headers = (await on.client.get(path)).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["date"].endswith("GMT")
        assert "cache-control" in headers


@pytest.mark.parametrize(
    ("host", "by", "alone"),
    [
        ("localhost:8112", {}, True),
        ("127.0.0.1:8112", {}, True),
        ("[::1]:8112", {}, True),
        ("192.168.1.20:8112", {}, False),
        ("192.168.1.20:8112", {"x-forwarded-proto": "https"}, True),
    ],
)
@virtual_time
async def test_a_page_asks_to_be_alone_only_where_browsers_heed_it(host: str, by: dict[str, str], alone: bool) -> None:
    async with house() as at:
        answer = await at.ask("GET", "/t", by, host=f"http://{host}")
        assert answer.status_code == 200
        assert ("cross-origin-opener-policy" in answer.headers) == alone


# --- bodies ---


async def chunks(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part
        await asyncio.sleep(0)


@virtual_time
async def test_a_body_that_is_too_large_is_refused_whether_it_says_so_or_not() -> None:
    async with launcher() as on:
        json_type = {"content-type": "application/json"}
        declared = await on.client.post("/api/v1/press", content=b" " * 20_000, headers=json_type)
        undeclared = await on.client.post(
            "/api/v1/press",
            content=chunks(*[b" " * 1000] * 20),
            headers=json_type,
        )
        for answer in (declared, undeclared):
            assert (answer.status_code, answer.json()["error"]) == (413, "body_too_large")
        assert on.service.snapshot()["presses"] == 0


@virtual_time
async def test_a_body_that_never_ends_is_given_up() -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(3600)

    async with launcher() as on:
        answer = await on.client.post(
            "/api/v1/press",
            content=endless(),
            headers={"content-type": "application/json"},
        )
        assert (answer.status_code, answer.json()["error"]) == (408, "body_too_slow")


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", "", "application/xml"])
@virtual_time
async def test_commands_are_json_and_say_so(media_type: str) -> None:
    async with launcher() as on:
        answer = await on.client.post("/api/v1/eject", content=b'{"cards": 2}', headers={"content-type": media_type})
        assert (answer.status_code, answer.json()["error"]) == (415, "wrong_content_type")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/api/v1/press", 405), ("DELETE", "/api/v1/journal", 405), ("PUT", "/", 405), ("GET", "/etc/passwd", 404)],
)
@virtual_time
async def test_other_methods_and_addresses_are_refused_in_the_same_shape(method: str, path: str, status: int) -> None:
    async with launcher() as on:
        answer = await on.client.request(method, path)
        assert answer.status_code == status
        assert set(answer.json()) == {"error", "message", "remedy"}
