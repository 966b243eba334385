"""The owner's phones: how a phone becomes one, what it may do, and that it can be taken back."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import httpx
import pytest

from dispenser.service.settings import WebSettings
from dispenser.web import addresses
from dispenser.web.access import OWNER_COOKIE
from dispenser.web.addresses import Address
from dispenser.web.owners import INVITED_S, OwnerPhones, OwnersFileError, kind_of
from tests.web.rig import HERE, PHONE, Launcher, Listener
from tests.web.table import LAN, TOKEN, cookies, house

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Mobile/15E148 Safari/604.1"
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/131.0 Mobile Safari/537.36"
OTHER_PHONE = ("192.168.1.78", 51000)
WITH_TOKEN = WebSettings(host="0.0.0.0", token=TOKEN)
BEARER = {"authorization": f"Bearer {TOKEN}"}


class Clock:
    """Stands still until it is told to go on."""

    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture(autouse=True)
def in_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "reachable", lambda *_: [Address("192.168.1.20", "wlan0")])


def at_home(
    settings: WebSettings = LAN, file: Path | None = None, clock: Clock | None = None
) -> AbstractAsyncContextManager[Launcher]:
    return house(settings, owners=OwnerPhones(file, clock or Clock()))


async def invited(at: Launcher, headers: dict[str, str] | None = None) -> str:
    """The path of a new invitation's link."""
    answer = await at.ask("POST", "/api/v1/owners/invite", headers, client=HERE)
    assert answer.status_code == 200, answer.text
    assert answer.json()["expires_s"] == 600
    url = httpx.URL(answer.json()["url"])
    assert (url.host, url.port) == ("192.168.1.20", 8112)
    return url.path


async def agree(at: Launcher, path: str, agent: str = IPHONE, client: tuple[str, int] = PHONE) -> httpx.Response:
    headers = {"origin": "http://192.168.1.20:8112", "user-agent": agent}
    return await at.ask("POST", path, headers, client=client)


def as_owner(answer: httpx.Response) -> dict[str, str]:
    """The header of the phone that got that answer."""
    assert (answer.status_code, answer.headers["location"]) == (303, "/"), answer.text
    return {"cookie": f"{OWNER_COOKIE}={cookies(answer)[OWNER_COOKIE]}"}


async def may_all(at: Launcher, headers: dict[str, str]) -> bool:
    return (await at.ask("GET", "/api/v1/workshop", headers)).status_code == 200


@pytest.mark.parametrize(("settings", "here"), [(LAN, {}), (WITH_TOKEN, BEARER)], ids=["lan", "token"])
async def test_the_link_makes_one_phone_the_owners(settings: WebSettings, here: dict[str, str]) -> None:
    async with at_home(settings) as at:
        path = await invited(at, here)
        for _ in range(2):  # to look at it uses up nothing
            asked = await at.ask("GET", path)
            assert asked.status_code == 200
        assert asked.headers["referrer-policy"] == "same-origin", "else the form comes from nowhere"
        assert '<form method="post"' in asked.text
        answer = await agree(at, path)
        raw = answer.headers["set-cookie"]
        for part in ("HttpOnly", "SameSite=lax", "Path=/", f"Max-Age={400 * 24 * 3600}"):
            assert part in raw
        assert "Domain" not in raw
        phone = as_owner(answer)
        assert await may_all(at, phone)
        assert not await may_all(at, {"cookie": f"{OWNER_COOKIE}=guessed"})
        assert "Owner’s phone" in (await at.ask("GET", "/", phone)).text
        assert "data-owners-phone" in (await at.ask("GET", "/table", phone)).text
        assert "already" in (await at.ask("GET", path, phone)).text, "as the button Back shows it"


async def test_it_is_good_once_for_ten_minutes_and_until_the_next_one() -> None:
    clock = Clock()
    async with at_home(clock=clock) as at:
        old, new = await invited(at), await invited(at)
        assert (await agree(at, old)).status_code == 410
        clock.now_s += INVITED_S - 1
        assert (await at.ask("GET", new)).status_code == 200
        clock.now_s += 1
        assert (await at.ask("GET", new)).status_code == 410
        assert (await agree(at, new)).status_code == 410
        used = await invited(at)
        await agree(at, used)
        again = await agree(at, used, client=OTHER_PHONE)
        assert again.status_code == 410
        assert "set-cookie" not in again.headers
        assert "has been used or is older than ten minutes" in again.text


async def test_a_second_tap_on_the_same_phone_gets_the_same_answer() -> None:
    """A browser forgets the first answer, with its cookie, when the button is tapped again."""
    async with at_home() as at:
        path = await invited(at)
        first, second = await agree(at, path), await agree(at, path)
        assert as_owner(first) == as_owner(second)
        assert (await agree(at, path, agent=ANDROID)).status_code == 410, "another phone behind the same router"
        await at.ask("POST", "/api/v1/owners/remove", client=HERE, json={"number": 1})
        assert (await agree(at, path)).status_code == 410, "nor does it bring back what was taken"


async def test_they_are_listed_and_taken_back_at_once() -> None:
    async with at_home() as at:
        one = as_owner(await agree(at, await invited(at)))
        two = as_owner(await agree(at, await invited(at), agent=ANDROID))
        listed = (await at.ask("GET", "/api/v1/owners", two | {"accept-language": "fr"})).json()["phones"]
        assert [(each["number"], each["name"]) for each in listed] == [(1, "iPhone"), (2, "téléphone Android")]
        host = {"host": "192.168.1.20:8112"}
        records = Listener(at.app, headers=one | host, client=PHONE)
        views = Listener(at.app, headers=one | host, client=PHONE, path="/api/v1/table/views")
        others = Listener(at.app, headers=two | host, client=PHONE)
        await asyncio.sleep(1)
        assert (records.status, views.status) == (200, 200)
        gone = await at.ask("POST", "/api/v1/owners/remove", two, json={"number": 1})
        assert gone.json()["name"] == "iPhone"
        await records.end()
        await views.end()
        assert not others.ended
        await others.leave()
        assert [await may_all(at, each) for each in (one, two)] == [False, True]
        again = await at.ask("POST", "/api/v1/owners/remove", two, json={"number": 1})
        assert (again.status_code, again.json()["error"]) == (404, "no_such_phone")


async def test_where_no_phone_can_come_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "reachable", lambda *_: [])
    for settings, error, says in (
        (WebSettings(), "page_not_open", "lan = true"),
        (LAN, "no_network", "dispenser hotspot on"),
    ):
        async with at_home(settings) as at:
            answer = await at.ask("POST", "/api/v1/owners/invite", client=HERE)
            assert (answer.status_code, answer.json()["error"]) == (409, error)
            assert says in answer.json()["remedy"]


async def test_the_list_outlives_a_restart_and_holds_no_secret(tmp_path: Path) -> None:
    file = tmp_path / "owners.json"
    async with at_home(file=file) as at:
        await agree(at, await invited(at))
        phone = as_owner(await agree(at, await invited(at)))
        await at.ask("POST", "/api/v1/owners/remove", client=HERE, json={"number": 1})
    assert file.stat().st_mode & 0o777 == 0o600
    assert phone["cookie"].partition("=")[2] not in file.read_text()
    async with at_home(file=file) as at:
        assert await may_all(at, phone)
        await agree(at, await invited(at))
        listed = (await at.ask("GET", "/api/v1/owners", phone)).json()["phones"]
        assert [each["number"] for each in listed] == [2, 3], "no number comes twice"


@pytest.mark.parametrize("content", [b"\x00" * 100, b'{"version": 2}', b'{"version": 1, "phones": [{}]}'])
def test_a_damaged_list_is_told_once_and_makes_nobody_the_owner(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    file = tmp_path / "owners.json"
    file.write_bytes(content)
    with caplog.at_level(logging.WARNING, "dispenser.web"):
        phones = OwnerPhones(file)
    assert not phones.phones
    (record,) = caplog.records
    assert record.getMessage().startswith(f"{file} cannot be read, so no phone is the owner's")
    assert phones.add(phones.invite(), "", IPHONE) is not None
    assert len(OwnerPhones(file).phones) == 1


def test_a_list_that_cannot_be_written_leaves_the_key_good(tmp_path: Path) -> None:
    file = tmp_path / "later" / "owners.json"
    phones = OwnerPhones(file)
    key = phones.invite()
    with pytest.raises(OwnersFileError, match="cannot be written"):
        phones.add(key, "", IPHONE)
    assert phones.invites(key)
    file.parent.mkdir()
    assert phones.add(key, "", IPHONE)


@pytest.mark.parametrize(
    ("agent", "kind"), [(IPHONE, "iphone"), (ANDROID, "android"), ("(iPad; CPU OS 12_5)", "ipad"), ("", "other")]
)
def test_a_phone_is_called_what_its_browser_says(agent: str, kind: str) -> None:
    assert kind_of(agent) == kind
