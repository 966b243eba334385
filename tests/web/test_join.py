"""The way to the table: its addresses, and the QR code that a phone reads off a screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
import zxingcpp
from PIL import Image, ImageDraw

from dispenser.service.settings import WebSettings
from dispenser.system.hotspot import Network
from dispenser.web import addresses
from dispenser.web.addresses import Address
from dispenser.web.captive_portal import HOSTS
from dispenser.web.join import QUIET_MODULES, qr_code
from tests.web.rig import HERE, PHONE
from tests.web.table import LAN, LEA, Table, house, kept

SVG = "{http://www.w3.org/2000/svg}"
WATCHER = kept(Table(), watches=True)
HOST = kept(Table(), secret=LEA)
URL = "http://192.168.1.20:8112/t/K7PM"
OPEN = Network("Card launcher", "k7rwn3xq2h")
GUEST = ("10.42.0.17", 51000)


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Address("192.168.1.20", "wlan0"), Address("table.local"), Address("10.0.0.7", "eth0")]
    monkeypatch.setattr(addresses, "reachable", lambda *_: found)


def runs(path: str) -> Iterator[tuple[float, float, float]]:
    """Where the strokes of a path begin, and how far to the right they go: x, y, length."""
    x = y = 0.0
    for command, numbers in re.findall(r"([Mmh])([^Mmh]*)", path):
        values = [float(number) for number in re.findall(r"-?[0-9.]+", numbers)]
        if command == "h":
            yield x, y, values[0]
            x += values[0]
        else:
            x, y = (values[0], values[1]) if command == "M" else (x + values[0], y + values[1])


def drawn(svg: bytes, scale: int = 4) -> Image.Image:
    """The picture, as a browser draws it."""
    root = ElementTree.fromstring(svg)
    side = int(root.attrib["viewBox"].split()[2])
    image = Image.new("L", (side * scale, side * scale), 0)  # a dark page
    draw = ImageDraw.Draw(image)
    white, black = root.iter(f"{SVG}path")
    assert (white.attrib["fill"], white.attrib["d"]) == ("#fff", f"M0 0h{side}v{side}h-{side}z")
    assert black.attrib["stroke"] == "#000"
    draw.rectangle((0, 0, side * scale, side * scale), fill=255)
    for x, y, length in runs(black.attrib["d"]):
        draw.rectangle((x * scale, (y - 0.5) * scale, (x + length) * scale - 1, (y + 0.5) * scale - 1), fill=0)
    return image


def read(svg: bytes) -> str:
    """What a phone reads."""
    (found,) = zxingcpp.read_barcodes(drawn(svg))
    assert found.ec_level == "M"
    return found.text


@pytest.mark.parametrize("text", [URL, "http://a-rather-long-name-of-a-table.local:65535/t/9DRT"])
def test_a_phone_reads_the_code_and_there_is_white_around_it_on_any_page(text: str) -> None:
    assert read(qr_code(text).body) == text
    image = drawn(qr_code(text).body, scale=1)
    left, top, right, bottom = Image.eval(image, lambda grey: 255 - grey).getbbox() or (0, 0, 0, 0)
    assert (left, top, image.width - right, image.height - bottom) == (QUIET_MODULES,) * 4


async def test_a_screen_shows_how_to_join_and_the_code_is_of_the_address_asked_for() -> None:
    async with house() as at:
        told = (await at.ask("GET", "/api/v1/table/addresses", WATCHER)).json()
        assert (told["code"], told["url"], told["wifi"]) == ("K7PM", URL, None)
        assert [way["host"] for way in told["addresses"]] == ["192.168.1.20", "table.local", "10.0.0.7"]
        by_name = {"host": "table.local", "interface": "", "url": "http://table.local:8112/t/K7PM"}
        assert told["addresses"][1] == by_name
        for host, query in (("192.168.1.20", ""), ("10.0.0.7", "?address=10.0.0.7")):
            answer = await at.ask("GET", f"/api/v1/table/qr.svg{query}", WATCHER)
            assert answer.headers["content-type"] == "image/svg+xml"
            assert f"//{host}:" in read(answer.content)
        for address in ("evil.example", "", "192.168.1.20/t/"):
            answer = await at.ask("GET", "/api/v1/table/qr.svg", WATCHER, params={"address": address})
            assert (answer.status_code, answer.json()["error"]) == (404, "no_address")


async def test_without_an_address_or_a_table_there_is_no_code_and_the_owner_is_told_why() -> None:
    async with house(WebSettings()) as at:
        told = (await at.ask("GET", "/api/v1/table/addresses", client=HERE)).json()
        assert told == {"code": "K7PM", "is_open": False, "url": None, "addresses": [], "wifi": None}
        answer = await at.ask("GET", "/api/v1/table/qr.svg", client=HERE)
        assert (answer.status_code, answer.json()["error"]) == (404, "no_address")
        assert "web.lan" in answer.json()["remedy"]
    async with house(LAN, Table(is_open=False)) as at:
        for path in ("addresses", "qr.svg"):
            answer = await at.ask("GET", f"/api/v1/table/{path}", client=HERE)
            assert (answer.status_code, answer.json()["error"]) == (409, "no_table")


# --- the launcher's own Wi-Fi ---


@pytest.mark.parametrize(
    ("who", "client", "told"),
    [({}, HERE, True), (WATCHER, GUEST, True), (WATCHER, PHONE, False), (HOST, PHONE, False)],
    ids=["owner", "in the Wi-Fi", "watcher", "host, maybe a guest"],
)
async def test_the_owner_and_whoever_is_in_it_are_told_how_to_join_the_wifi_and_nobody_else(
    who: dict[str, str], client: tuple[str, int], told: bool
) -> None:
    async with house(own_wifi=lambda: OPEN) as at:
        ways = await at.ask("GET", "/api/v1/table/addresses", who, client=client)
        code = await at.ask("GET", "/api/v1/table/wifi.svg", who, client=client)
    assert ("k7rwn3xq2h" in ways.text) is told
    if told:
        assert ways.json()["wifi"] == {"name": "Card launcher", "password": "k7rwn3xq2h"}
        assert read(code.content) == "WIFI:T:WPA;S:Card launcher;P:k7rwn3xq2h;;"
    else:
        assert (ways.status_code, ways.json()["wifi"]) == (200, None)
        assert (code.status_code, code.json()["error"]) == (404, "no_wifi")


async def test_who_joins_the_wifi_first_opens_the_address_that_it_leads_to(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Address("192.168.1.20", "eth0"), Address("table.local"), Address("10.42.0.1", "wlan0")]
    monkeypatch.setattr(addresses, "reachable", lambda *_: list(found))
    async with house(own_wifi=lambda: OPEN) as at:
        for client, first in ((GUEST, "10.42.0.1"), (PHONE, "192.168.1.20")):
            told = (await at.ask("GET", "/api/v1/table/addresses", WATCHER, client=client)).json()
            assert told["addresses"][0]["host"] == first


# --- under a name that is not the launcher's ---


async def test_a_browser_under_a_wrong_name_is_told_which_address_to_open() -> None:
    async with house() as at:
        french = {"accept": "text/html,*/*;q=0.8", "accept-language": "fr"}
        page = await at.ask("GET", "/t/K7PM", french, host="http://evil.example:8112")
        assert page.status_code == 421
        assert "« evil.example:8112 » n’est pas l’adresse du lance-cartes" in page.text.replace("\u00a0", " ")
        assert '<a href="http://192.168.1.20:8112/">http://192.168.1.20:8112/</a>' in page.text
        assert "script" not in page.headers["content-security-policy"]
        program = await at.ask("GET", "/api/v1/snapshot", {"accept": "*/*"}, host="http://evil.example:8112")
        assert (program.status_code, program.json()["error"]) == (421, "unknown_host")


# --- phones that ask whether they are in the internet ---


APPLE = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
LINUX = "NetworkManager is online\n"
ASKED = [
    ("iPhone, Mac", "captive.apple.com", "/hotspot-detect.html", 200, APPLE),
    ("Android", "connectivitycheck.gstatic.com", "/generate_204", 204, ""),
    ("Windows 10, 11", "www.msftconnecttest.com:80", "/connecttest.txt", 200, "Microsoft Connect Test"),
    ("Firefox", "detectportal.firefox.com", "/success.txt?ipv4", 200, "success\n"),
    ("Gnome", "nmcheck.gnome.org", "/check_network_status.txt", 200, LINUX),
    ("Ubuntu", "connectivity-check.ubuntu.com", "/", 204, ""),
]


async def test_each_question_has_the_answer_that_its_maker_waits_for() -> None:
    async with house() as at:
        for maker, host, path, status, text in ASKED:
            answer = await at.ask("GET", path, {"host": host})
            assert (answer.status_code, answer.text) == (status, text), maker
            answer = await at.ask("HEAD", path, {"host": host})
            assert (answer.status_code, answer.text) == (status, ""), maker


async def test_a_name_that_is_asked_leads_to_nothing_else_and_to_nothing_on_a_page_for_this_machine_alone() -> None:
    async with house() as at:
        for host in HOSTS:
            assert (await at.ask("GET", "/api/v1/snapshot", {"host": host})).status_code == 421
        assert (await at.ask("POST", "/generate_204", {"host": "clients3.google.com"})).status_code == 421
    async with house(WebSettings()) as at:
        assert (await at.ask("GET", "/generate_204", {"host": "clients3.google.com"})).status_code == 421
