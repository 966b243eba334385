"""At which addresses phones reach this machine."""

from __future__ import annotations

import asyncio
import socket
import socketserver
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dispenser.service.settings import WebSettings
from dispenser.web import addresses
from dispenser.web.addresses import (
    Address,
    KnownNames,
    chosen,
    for_phones,
    hardware_interfaces,
    local_name,
    look_up_names,
)

WIFI, CABLE = Address("192.168.1.20", "wlan0"), Address("10.0.0.7", "eth0")
TOKEN = "correct-horse-battery"


HARDWARE = {"wlan0", "eth0"}


def test_addresses_that_lead_nowhere_are_left_out_and_there_is_no_way_by_name_alone() -> None:
    hosts = ("127.0.0.1", "127.0.1.1", "169.254.7.8", "::1", "fe80::1", "0.0.0.0")
    assert chosen([Address(host, "eth0") for host in hosts], HARDWARE, "pi.local") == []


def test_a_tunnel_is_not_the_house_unless_no_interface_has_hardware() -> None:
    others = [Address("10.8.0.2", "work"), Address("172.17.0.1", "containers")]
    assert chosen([*others, CABLE], HARDWARE) == [CABLE]
    assert chosen(others, HARDWARE) == [], "there is hardware, and it is in no network"
    assert {each.host for each in chosen(others, set())} == {each.host for each in others}


def test_the_name_comes_second_ipv6_after_ipv4_public_addresses_last_and_one_ipv6_of_each_interface() -> None:
    hosts = [("2a00:1450::7", "wlan0"), ("81.2.69.142", "eth0"), ("2a00:1450::8", "eth0"), ("fd00::2", "eth0")]
    found = chosen([Address(*each) for each in (*hosts, ("fd00::3", "eth0"))] + [WIFI], HARDWARE, "pi.local")
    assert [each.host for each in found] == ["192.168.1.20", "pi.local", "fd00::2", "81.2.69.142", "2a00:1450::7"]


# --- what this machine says ---


def test_hardware_is_told_from_what_is_made_of_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "SYS_NET", tmp_path)
    below = {"br0": ["eth0", "vnet0"], "eth0.7": ["eth0"], "docker0": ["veth1"], "vlan-in-br0": ["br0"]}
    for interface in ("lo", "veth1", "vnet0", "wg0", *below):
        (tmp_path / interface).mkdir()
    for interface in ("eth0", "wlan0"):
        (tmp_path / interface / "device").mkdir(parents=True)
    (tmp_path / "bonding_masters").touch()
    for interface, members in below.items():
        for member in members:
            (tmp_path / interface / f"lower_{member}").symlink_to(tmp_path / member)
    assert hardware_interfaces() == {"eth0", "wlan0", "br0", "eth0.7", "vlan-in-br0"}


# --- names ---


class Avahi(socketserver.UnixStreamServer):
    """Answers one question; ``asked`` is that question."""

    asked = b""

    def __init__(self, path: Path, answer: bytes) -> None:
        class Answering(socketserver.StreamRequestHandler):
            def handle(answering) -> None:  # noqa: N805 - the server is self
                self.asked = answering.rfile.readline()
                answering.wfile.write(answer)

        super().__init__(str(path), Answering)


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (b"+ 3 0 table-2.local\n", "table-2.local"),
        (b"-15 Timeout reached\n", ""),
        (b"+ 3 0 t\xc3\xa4ble.local\n", ""),
        (b"", ""),
    ],
)
def test_the_local_name_is_the_one_that_avahi_answers_for(
    answer: bytes, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "AVAHI", tmp_path / "socket")
    monkeypatch.setattr(addresses, "reachable", lambda: [WIFI, CABLE])
    assert local_name() == "", "nobody answers"
    with Avahi(tmp_path / "socket", answer) as avahi, ThreadPoolExecutor() as threads:
        threads.submit(avahi.handle_request)
        assert local_name() == name
    assert avahi.asked == b"RESOLVE-ADDRESS 192.168.1.20\n"


def test_the_networks_names_are_that_of_avahi_and_those_of_its_search_domains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "resolv.conf").write_text("# by DHCP\nnameserver 192.168.1.1\ndomain LAN.\nsearch fritz.box .\n")
    monkeypatch.setattr(addresses, "RESOLV_CONF", tmp_path / "resolv.conf")
    monkeypatch.setattr(addresses, "local_name", lambda: "table-2.local")
    monkeypatch.setattr(socket, "gethostname", lambda: "table")
    assert look_up_names() == {"table-2.local", "table.lan", "table.fritz.box"}


async def test_names_are_looked_up_beside_the_loop_and_again_after_a_minute() -> None:
    found = [frozenset({"table.local", "table.lan"}), frozenset({"table-2.local"})]
    names = KnownNames(lambda: found.pop(0))
    assert names.local == "", "nobody waits for it"
    assert await names.lead_here("table.lan")
    assert not await names.lead_here("evil.example")
    assert names.local == "table.local"
    await asyncio.sleep(addresses.NAMES_AGE_S)
    assert await names.lead_here("table-2.local")


# --- for the page ---


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [WIFI, Address("table.local"), Address("fd00::2", "wlan0")]
    monkeypatch.setattr(addresses, "reachable", lambda _: found)


@pytest.mark.usefixtures("at_home")
def test_phones_reach_what_the_page_listens_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert for_phones(WebSettings()) == []
    assert for_phones(WebSettings(token=TOKEN)) == []
    assert for_phones(WebSettings(host="10.0.0.7", token=TOKEN, lan=True)) == [Address("10.0.0.7")]
    old = [each.host for each in for_phones(WebSettings(host="0.0.0.0", token=TOKEN))]
    assert old == ["192.168.1.20", "table.local"]
    assert len(for_phones(WebSettings(host="::", lan=True))) == 3
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    assert len(for_phones(WebSettings(lan=True))) == 2


def test_an_address_is_written_as_a_browser_takes_it() -> None:
    assert WIFI.url(8112, "/t/K7PM") == "http://192.168.1.20:8112/t/K7PM"
    assert Address("fd00::2").url(8112) == "http://[fd00::2]:8112/"
    assert [each.url(80) for each in (WIFI, Address("fd00::2"))] == ["http://192.168.1.20/", "http://[fd00::2]/"]
