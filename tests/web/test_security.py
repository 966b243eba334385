"""Who may talk to the launcher."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from dispenser.config import SettingError
from dispenser.service.settings import WebSettings
from dispenser.web.addresses import KnownNames
from dispenser.web.errors import ProblemError
from dispenser.web.security import Policy
from dispenser.web.server import serve
from tests.web.rig import launcher
from tests.web.table import Table, house

TOKEN = "correct-horse-battery"
LAN = "0.0.0.0"
WITH_TOKEN = WebSettings(host=LAN, token=TOKEN)


def refuses_host(settings: WebSettings, host: str, names: frozenset[str] = frozenset()) -> bool:
    try:
        asyncio.run(Policy(settings, names=KnownNames(lambda: names)).check_host(host))
    except ProblemError as problem:
        return problem.status in (400, 421)
    return False


# --- names ---

AT_HOME = WebSettings()
IN_THE_NET = WebSettings(host=LAN, token=TOKEN, allowed_hosts=("launcher.lan",))


@pytest.mark.parametrize(
    ("settings", "ours", "others"),
    [
        (
            AT_HOME,
            ["localhost", "127.0.0.1:8112", "[::1]:8112", "LOCALHOST:80"],
            ["evil.example", "localhost.evil.example", "192.168.1.20", "", "localhost:999999", "[::1"],
        ),
        (IN_THE_NET, ["192.168.1.20:8112", "[fe80::1]:8112", "launcher.lan"], ["evil.lan"]),
    ],
)
def test_the_launcher_answers_to_its_own_names_alone(settings: WebSettings, ours: list[str], others: list[str]) -> None:
    assert [host for host in (*ours, *others) if not refuses_host(settings, host)] == ours


def test_a_name_that_the_network_gives_will_do_and_no_other_of_its_domain() -> None:
    names = frozenset({"table-2.local", "table.fritz.box"})
    ours = ["table.fritz.box:8112", "Table-2.local"]
    others = ["other.fritz.box", "fritz.box", "table.fritz.box.evil"]
    assert [host for host in (*ours, *others) if not refuses_host(IN_THE_NET, host, names)] == ours


# --- settings ---


async def test_an_open_address_needs_a_token_even_where_the_settings_have_no_page() -> None:
    async with launcher() as on:
        with pytest.raises(SettingError, match="a token is needed"):
            await serve(on.service, WebSettings(enabled=False, host=LAN, port=0))


# --- where a request comes from ---


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_a_link_from_elsewhere_leads_to_the_page_and_to_nothing_else(site: str) -> None:
    link = {"sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    async with launcher() as on:
        assert (await on.client.get("/", headers=link)).status_code == 200
        for path in ("/static/x/page.css", "/api/v1/snapshot", "/api/v1/events", "/api/v1/openapi.json"):
            assert (await on.client.get(path, headers=link)).status_code == 403, path
        assert (await on.client.post("/", headers=link)).status_code == 403
    async with launcher(WITH_TOKEN) as on:
        assert (await on.client.get("/", headers=link)).headers["location"] == "/login"
        assert (await on.client.get("/login", headers=link)).status_code == 200, "where the browser is sent"
        assert (await on.client.get("/", params={"token": TOKEN}, headers=link)).status_code == 200


# --- the token ---


async def test_without_the_token_only_the_login_and_the_looks_are_there() -> None:
    async with launcher(WITH_TOKEN) as on:
        for path in ("/api/v1/snapshot", "/api/v1/events", "/nowhere"):
            answer = await on.client.get(path)
            assert (answer.status_code, answer.json()["error"]) == (401, "token_needed")
            assert answer.headers["www-authenticate"] == "Bearer"
        for name, value in (
            ("authorization", f"Basic {TOKEN}"),
            ("authorization", f"Bearer {TOKEN}x"),
            ("authorization", "Bearer ünïcödé"),
            ("cookie", f"dispenser_session={TOKEN}"),
            ("cookie", 'dispenser_session="\\'),
        ):
            answer = await on.client.get("/api/v1/snapshot", headers=[(name.encode(), value.encode())])
            assert answer.status_code == 401, value
            assert (answer.json()["error"] == "wrong_token") is (name == "authorization"), "not like none"
        assert (await on.client.get("/")).headers["location"] == "/login"
        login = (await on.client.get("/login")).text  # the looks are reachable: the login form needs them
        sheet = login.split('rel="stylesheet" href="')[1].split('"')[0]
        assert (await on.client.get(sheet)).status_code == 200


@pytest.mark.parametrize("by_form", [True, False])
async def test_the_login_form_or_a_link_lets_a_browser_in_until_there_is_another_token(by_form: bool) -> None:
    async with launcher(WITH_TOKEN) as on:

        async def offer(token: str) -> httpx.Response:
            if by_form:
                return await on.client.post("/login", data={"token": f" {token} "})
            return await on.client.get("/", params={"token": token})

        wrong = await offer("wrong-horse-battery")
        assert wrong.status_code == (403 if by_form else 303)
        assert "set-cookie" not in wrong.headers
        if by_form:
            assert "That is not the token." in wrong.text
            assert wrong.headers["referrer-policy"] == "same-origin", "else a browser sends the form with Origin: null"
        right = await offer(TOKEN)
        assert right.status_code == 200
        assert 'http-equiv="refresh" content="0;url=/"' in right.text, "the token leaves the address bar"
        cookie = right.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert TOKEN not in cookie
        assert (await on.client.post("/api/v1/press")).status_code == 202
    login = {"cookie": right.headers["set-cookie"].split(";")[0]}
    for token, status in ((TOKEN, 200), ("another-horse-battery", 401)):
        async with launcher(WebSettings(host=LAN, token=token)) as on:
            assert (await on.client.get("/api/v1/snapshot", headers=login)).status_code == status
    async with launcher() as on:
        assert (await on.client.get("/login")).status_code == 404, "without a token there is no login"


# --- what every answer carries ---


async def test_every_answer_has_the_security_headers() -> None:
    async with launcher() as on:
        for path in ("/", "/api/v1/snapshot", "/api/v1/nowhere", "/static/none/none.js"):
            headers = (await on.client.get(path)).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["date"].endswith("GMT")
            assert "cache-control" in headers


async def test_the_screen_is_shown_in_the_frames_of_the_dashboards_that_the_settings_name() -> None:
    frame = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
    async with launcher(WebSettings(dashboards=("http://house.test:8123", "https://other.test"))) as on:
        screen = await on.client.get("/screen", headers=frame)
        assert screen.status_code == 200
        assert "frame-ancestors http://house.test:8123 https://other.test" in screen.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in (await on.client.get("/table")).headers["content-security-policy"]
        for path in ("/table", "/", "/api/v1/snapshot"):
            assert (await on.client.get(path, headers=frame)).status_code == 403, path


async def test_the_key_of_the_screen_lets_somebody_look_and_do_nothing() -> None:
    key = {"key": "correct-horse-screen"}
    async with house(WebSettings(lan=True, screen_key=key["key"]), Table(is_open=False)) as at:
        for path in ("/screen", "/api/v1/snapshot", "/api/v1/table/view"):
            assert (await at.ask("GET", path, params=key)).status_code < 300, path
            assert (await at.ask("GET", path, params={"key": "wrong"})).status_code in {303, 401}, path
        assert (await at.ask("POST", "/api/v1/press", params=key, json={})).status_code == 401
        assert (await at.ask("POST", "/api/v1/eject", params=key, json={})).status_code == 401


async def test_a_page_asks_to_be_alone_only_where_browsers_heed_it() -> None:
    https = {"x-forwarded-proto": "https"}
    async with house() as at:
        for host, by, alone in (
            ("localhost:8112", {}, True),
            ("[::1]:8112", {}, True),
            ("192.168.1.20:8112", {}, False),
            ("192.168.1.20:8112", https, True),
        ):
            answer = await at.ask("GET", "/t", by, host=f"http://{host}")
            assert ("cross-origin-opener-policy" in answer.headers) == alone, (host, by)


# --- bodies ---


async def test_a_body_that_is_too_large_never_ends_or_is_no_json_is_refused() -> None:
    async def chunks(pause_s: float = 0) -> AsyncIterator[bytes]:
        for _ in range(20):
            yield b" " * 1000
            await asyncio.sleep(pause_s)

    async with launcher() as on:
        for content, media_type, status, error in (
            (b" " * 20_000, "application/json", 413, "body_too_large"),
            (chunks(), "application/json", 413, "body_too_large"),
            (chunks(3600), "application/json", 408, "body_too_slow"),
            (b"{}", "text/plain", 415, "wrong_content_type"),
            (b"{}", "application/x-www-form-urlencoded", 415, "wrong_content_type"),
            (b"{}", "", 415, "wrong_content_type"),
        ):
            answer = await on.client.post("/api/v1/press", content=content, headers={"content-type": media_type})
            assert (answer.status_code, answer.json()["error"]) == (status, error)


async def test_other_methods_and_addresses_are_refused_in_the_same_shape() -> None:
    async with launcher() as on:
        for method, path, status in (("GET", "/api/v1/press", 405), ("PUT", "/", 405), ("GET", "/etc/passwd", 404)):
            answer = await on.client.request(method, path)
            assert answer.status_code == status
            assert set(answer.json()) == {"error", "message", "remedy"}
        browser = {"accept": "text/html,*/*;q=0.8", "accept-language": "fr"}
        page = await on.client.get("/nope", headers=browser)
        assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert "Il n’y a rien à cette adresse." in page.text
        assert '<a href="/">' in page.text
        assert (await on.client.get("/api/v1/nope", headers=browser)).json()["error"] == "not_found"
