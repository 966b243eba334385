"""At which addresses phones reach this machine."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import socketserver
import struct
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dispenser.service.settings import WebSettings
from dispenser.web import addresses
from dispenser.web.addresses import (
    Address,
    KnownNames,
    Names,
    chosen,
    default_interfaces,
    for_phones,
    hardware_interfaces,
    ipv4,
    ipv6,
    local_name,
    look_up_names,
    reachable,
)

WIFI, CABLE = Address("192.168.1.20", "wlan0"), Address("10.0.0.7", "eth0")
TOKEN = "correct-horse-battery"


HARDWARE = {"wlan0", "eth0"}


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.1.1", "169.254.7.8", "::1", "fe80::1", "0.0.0.0"])
def test_addresses_that_lead_nowhere_are_left_out(host: str) -> None:
    assert chosen([Address(host, "eth0")], ["eth0"], HARDWARE, "pi.local") == []


def test_a_tunnel_with_the_way_out_of_the_house_is_not_the_house() -> None:
    others = [Address("10.8.0.2", "work"), Address("172.17.0.1", "containers")]
    assert chosen([*others, CABLE], ["work", "eth0"], HARDWARE) == [CABLE]
    assert chosen(others, ["work"], HARDWARE) == [], "there is hardware, and it is in no network"


def test_where_no_interface_has_hardware_all_are_offered_the_way_out_first() -> None:
    inside = [Address("172.17.0.5", "eth1"), Address("172.18.0.5", "eth0")]
    assert chosen(inside, ["eth0"], set()) == inside[::-1]


def test_the_way_out_of_the_house_comes_first_and_the_name_second() -> None:
    assert chosen([CABLE, WIFI], ["wlan0"], HARDWARE, "table.local") == [WIFI, Address("table.local"), CABLE]
    assert chosen([CABLE, WIFI], ["eth0", "wlan0"], HARDWARE, "table.local") == [CABLE, Address("table.local"), WIFI]
    assert chosen([CABLE, WIFI], ["wlan0"], HARDWARE) == [WIFI, CABLE]


def test_a_hotspot_of_ones_own_needs_no_way_out() -> None:
    assert chosen([Address("192.168.4.1", "wlan0")], [], HARDWARE)[0] == Address("192.168.4.1", "wlan0")


def test_ipv6_comes_after_ipv4_and_public_addresses_last() -> None:
    hosts = ["2a00:1450::7", "81.2.69.142", "fd00::2", "192.168.1.20"]
    found = chosen([Address(host, "eth0") for host in hosts], ["eth0"], HARDWARE, "pi.local")
    assert [each.host for each in found] == ["192.168.1.20", "pi.local", "fd00::2", "81.2.69.142", "2a00:1450::7"]


def test_in_no_network_there_is_no_way_not_even_by_name() -> None:
    assert chosen([Address("127.0.0.1", "lo")], [], HARDWARE, "pi.local") == []


# --- what the kernel says ---

ROUTE = """\
Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
eth0\t00000000\t0100000A\t0003\t0\t0\t100\t00000000\t0\t0\t0
tun0\t00000000\t0100080A\t0003\t0\t0\t50\t00000080\t0\t0\t0
eth0\t0000000A\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
"""
NONE = "0" * 32
ROUTE_6 = f"""\
{NONE} 00 {NONE} 00 fe800000000000000000000000000001 00000400 00000003 00000000 00000003     usb0
{NONE} 00 {NONE} 00 {NONE} ffffffff 00000001 00000000 00200200       lo
fd{NONE[2:]} 40 {NONE} 00 {NONE} 00000100 00000001 00000000 00000001     eth1
"""
IF_INET6 = """\
fe8000000000000000fc00fffe000001 03 40 20 80    wlan0
fd000000000000000000000000000002 03 40 00 80    wlan0
20010db8000000000000000000000bad 03 40 00 01    wlan0
20010db8000000000000000000000bae 03 40 00 20    wlan0
00000000000000000000000000000001 01 80 10 80       lo
"""


def test_default_routes_are_read_by_their_metric() -> None:
    assert default_interfaces(ROUTE, ROUTE_6) == ["eth0", "wlan0", "usb0"], "half of all addresses is no default"
    assert default_interfaces("Iface\tDestination\n", "") == []


def test_lasting_ipv6_addresses_are_read() -> None:
    assert ipv6(IF_INET6) == [Address("fd00::2", "wlan0")]


def test_ipv4_addresses_are_read() -> None:
    def row(label: bytes, host: str) -> bytes:
        told = struct.pack("16sHH4s", label, socket.AF_INET, 0, socket.inet_aton(host))
        return told.ljust(40 if struct.calcsize("P") == 8 else 32, b"\0")

    table = row(b"lo", "127.0.0.1") + row(b"eth0:1", "10.0.0.8") + row(b"wlan0", "192.168.1.20")
    assert ipv4(table) == [Address("127.0.0.1", "lo"), Address("10.0.0.8", "eth0"), WIFI]
    assert ipv4(b"") == []


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


def test_this_very_machine_has_only_addresses_of_its_own() -> None:
    for each in reachable():
        if not each.host.endswith(".local"):
            family = socket.AF_INET6 if ":" in each.host else socket.AF_INET
            with socket.socket(family, socket.SOCK_STREAM) as ours:
                ours.bind((each.host, 0))
            assert not ipaddress.ip_address(each.host).is_loopback


def test_without_such_a_kernel_the_address_is_found_that_leads_out(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {each.host for each in reachable()}
    monkeypatch.setattr(addresses, "PROC_NET", addresses.PROC_NET / "not" / "here")
    assert {each.host for each in reachable()} <= known


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


@pytest.fixture
def router(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network of the domains ``fritz.box`` and ``lan``, in which this machine has another name, too."""

    def by_address(host: str) -> tuple[str, list[str], list[str]]:
        if host != WIFI.host:
            raise socket.herror(1, "Unknown host")
        return "Launcher.fritz.box", ["table.home"], [host]

    (tmp_path / "resolv.conf").write_text("# by DHCP\nnameserver 192.168.1.1\ndomain LAN.\nsearch fritz.box .\n")
    monkeypatch.setattr(addresses, "RESOLV_CONF", tmp_path / "resolv.conf")
    monkeypatch.setattr(addresses, "AVAHI", tmp_path / "nobody")
    monkeypatch.setattr(addresses, "reachable", lambda: [WIFI, CABLE, Address("81.2.69.142", "eth0")])
    monkeypatch.setattr(socket, "gethostname", lambda: "table")
    monkeypatch.setattr(socket, "gethostbyaddr", by_address)


@pytest.mark.usefixtures("router")
def test_the_networks_names_are_those_of_its_domains_and_of_its_reverse_lookup() -> None:
    assert look_up_names().others == {"table.lan", "table.fritz.box", "launcher.fritz.box", "table.home"}


def test_names_are_looked_up_beside_the_loop_and_a_silent_network_is_waited_for_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, go_on = Names("table.local", frozenset({"table.lan"})), threading.Event()

    def look_up() -> Names:
        go_on.wait()
        return found

    async def scenario() -> None:
        names = KnownNames(look_up)
        assert names.latest() == Names()
        monkeypatch.setattr(addresses, "NAMES_PATIENCE_S", 0.0)
        assert not await names.lead_here("table.lan")
        monkeypatch.undo()
        go_on.set()
        assert await names.lead_here("table.lan")
        assert await names.lead_here("table.local")
        assert not await names.lead_here("evil.example")
        assert names.latest() == found

    asyncio.run(scenario())


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
