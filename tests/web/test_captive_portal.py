"""Phones that ask whether they are in the internet hear what keeps them in the launcher's own Wi-Fi."""

from __future__ import annotations

from dispenser.service.settings import WebSettings
from dispenser.web.captive_portal import HOSTS
from tests.web.table import house

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
