"""Phones that ask whether they are in the internet hear what keeps them in the launcher's own Wi-Fi."""

from __future__ import annotations

import pytest

from dispenser.service.settings import WebSettings
from dispenser.web.probes import HOSTS
from tests.web.rig import in_virtual_time
from tests.web.table import house

APPLE = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"


@pytest.mark.parametrize(
    ("host", "path", "status", "text"),
    [
        ("captive.apple.com", "/hotspot-detect.html", 200, APPLE),
        ("connectivitycheck.gstatic.com", "/generate_204", 204, ""),
        ("www.msftconnecttest.com:80", "/connecttest.txt", 200, "Microsoft Connect Test"),
        ("detectportal.firefox.com", "/success.txt?ipv4", 200, "success\n"),
        ("nmcheck.gnome.org", "/check_network_status.txt", 200, "NetworkManager is online\n"),
    ],
)
def test_each_question_has_the_answer_that_its_maker_waits_for(host: str, path: str, status: int, text: str) -> None:
    async def scenario() -> None:
        async with house() as at:
            answer = await at.ask("GET", path, {"host": host})
            assert (answer.status_code, answer.text) == (status, text)

    in_virtual_time(scenario)


def test_a_name_that_is_asked_leads_to_nothing_else() -> None:
    async def scenario() -> None:
        async with house() as at:
            for host in HOSTS:
                assert (await at.ask("GET", "/api/v1/snapshot", {"host": host})).status_code == 421
            assert (await at.ask("POST", "/generate_204", {"host": "clients3.google.com"})).status_code == 421

    in_virtual_time(scenario)


def test_a_page_for_this_machine_alone_answers_nobodys_questions() -> None:
    async def scenario() -> None:
        async with house(WebSettings()) as at:
            assert (await at.ask("GET", "/generate_204", {"host": "clients3.google.com"})).status_code == 421

    in_virtual_time(scenario)
