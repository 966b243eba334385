"""At which addresses phones reach this machine."""

from __future__ import annotations

import ipaddress
import socket
import struct

import pytest

from dispenser.service.settings import WebSettings
from dispenser.web import addresses
from dispenser.web.addresses import Address, chosen, default_interfaces, for_phones, ipv4, ipv6, reachable

WIFI, CABLE = Address("192.168.1.20", "wlan0"), Address("10.0.0.7", "eth0")
TOKEN = "correct-horse-battery"


@pytest.mark.parametrize(
    "interface",
    ["lo", "docker0", "br-3f2a9c1d7e44", "veth12ab", "virbr0", "tun0", "tap1", "wg0", "tailscale0", "vboxnet0", "cni0"],
)
def test_guests_of_this_machine_and_tunnels_are_no_way_for_phones(interface: str) -> None:
    assert chosen([Address("172.17.0.1", interface)], [interface], "pi") == []


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.1.1", "169.254.7.8", "::1", "fe80::1", "0.0.0.0"])
def test_addresses_that_lead_nowhere_are_left_out(host: str) -> None:
    assert chosen([Address(host, "eth0")], ["eth0"], "pi") == []


@pytest.mark.parametrize("interface", ["eth0", "wlan0", "enp3s0", "wlp2s0", "end0", "usb0", "br0", "bond0", "en0"])
def test_cables_and_radios_of_the_house_are_ways(interface: str) -> None:
    assert chosen([Address("192.168.1.20", interface)], [], "pi")[0].interface == interface


def test_the_way_out_of_the_house_comes_first_and_the_name_second() -> None:
    assert chosen([CABLE, WIFI], ["wlan0"], "Table") == [WIFI, Address("table.local"), CABLE]
    assert chosen([CABLE, WIFI], ["eth0", "wlan0"], "table.lan") == [CABLE, Address("table.local"), WIFI]


def test_a_hotspot_of_ones_own_needs_no_way_out() -> None:
    assert chosen([Address("192.168.4.1", "wlan0")], [], "pi")[0] == Address("192.168.4.1", "wlan0")


def test_ipv6_comes_after_all_of_ipv4() -> None:
    new = Address("fd00::2", "eth0")
    assert [each.host for each in chosen([new, WIFI], ["eth0"], "pi")] == ["192.168.1.20", "pi.local", "fd00::2"]


@pytest.mark.parametrize("machine", ["localhost", "localhost.localdomain", "", "täble", "a_b"])
def test_a_name_that_leads_nowhere_is_not_told(machine: str) -> None:
    assert chosen([WIFI], [], machine) == [WIFI]


def test_in_no_network_there_is_no_way_not_even_by_name() -> None:
    assert chosen([Address("127.0.0.1", "lo")], [], "pi") == []


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


# --- for the page ---


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [WIFI, Address("table.local"), Address("fd00::2", "wlan0")]
    monkeypatch.setattr(addresses, "reachable", lambda: found)


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
