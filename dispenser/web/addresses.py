"""At which addresses phones in the house can reach this machine.

Read from the kernel without netlink, which systemd keeps from the service; where there is no such kernel (a Mac), the
one address is found that leads out of the house.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import struct
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dispenser.service.settings import EVERYWHERE

if TYPE_CHECKING:
    from dispenser.service.settings import WebSettings

USUAL_PORT: Final = 80
"""What a browser means by an address without a port."""
PROC_NET = Path("/proc/net")
SYS_NET = Path("/sys/class/net")
_NO_CABLE = {"down", "lowerlayerdown", "notpresent"}
_NOT_FOR_PHONES = re.compile(
    "lo|(docker|br-|veth|virbr|vnet|vmnet|vboxnet|lxc|lxdbr|cni|cbr|flannel|cali|podman|tun|tap|wg|tailscale|zt|ppp|ipsec).*"
)
"""Interfaces to this machine's own guests, and tunnels to other houses."""
_GLOBAL_SCOPE: Final = 0x00
_PASSING: Final = 0x01 | 0x20 | 0x40
"""IPv6 addresses that are temporary, deprecated or only tried yet."""
_SIOCGIFCONF: Final = 0x8912
_IFREQ_BYTES: Final = 16 + (24 if struct.calcsize("P") == 8 else 16)
_MOST_ADDRESSES: Final = 64
_NAME = re.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class Address:
    """Where this machine is found.

    :ivar host: an IP address or a name.
    :ivar interface: such as ``wlan0``; empty for a name.
    """

    host: str
    interface: str = ""

    def url(self, port: int, path: str = "/") -> str:
        """The address of a page there, as short as browsers take it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}{path}" if port == USUAL_PORT else f"http://{host}:{port}{path}"


def for_phones(settings: WebSettings) -> list[Address]:
    """Where phones find the page, the likeliest first; none when they cannot."""
    if not settings.is_open:
        return []
    if settings.listens_on not in EVERYWHERE:
        return [Address(settings.host)]
    found = reachable()
    return found if settings.listens_on == "::" else [each for each in found if ":" not in each.host]


def reachable() -> list[Address]:
    """This machine's addresses in the house, the likeliest first, and its name second."""
    try:
        addresses = [each for each in (*_ipv4(), *ipv6(_read("if_inet6"))) if _is_up(each.interface)]
        routed = default_interfaces(_read("route"), _read("ipv6_route"))
    except (ImportError, OSError):
        addresses, routed = list(_routed()), []
    return chosen(addresses, routed, socket.gethostname())


def chosen(addresses: Iterable[Address], routed: Sequence[str], machine: str) -> list[Address]:
    """Those of the addresses that phones may reach, in the order in which they are worth a try.

    :param routed: interfaces with a default route, the preferred one first.
    :param machine: this machine's own name.
    """
    good = {each.host: each for each in addresses if _is_for_phones(each)}.values()
    places = {name: place for place, name in reversed(list(enumerate(routed)))}
    found = sorted(good, key=lambda each: (":" in each.host, places.get(each.interface, len(places))))
    name = machine.partition(".")[0].lower()
    if found and name != "localhost" and _NAME.fullmatch(name):
        found.insert(1, Address(f"{name}.local"))
    return found


def _is_for_phones(address: Address) -> bool:
    ip = ipaddress.ip_address(address.host)
    elsewhere = ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast
    return not elsewhere and not _NOT_FOR_PHONES.fullmatch(address.interface)


# --- from the kernel -----------------------------------------------------------------------------------------------


def _read(name: str) -> str:
    """A table of the kernel's; none when it has no such addresses."""
    try:
        return (PROC_NET / name).read_text()
    except FileNotFoundError:
        if not (PROC_NET / "route").exists():
            raise
        return ""


def _is_up(interface: str) -> bool:
    """An interface keeps its address when its cable is pulled; what no one knows of is up."""
    try:
        return (SYS_NET / interface / "operstate").read_text().strip() not in _NO_CABLE
    except OSError:
        return True


def _ipv4() -> list[Address]:
    import array
    import fcntl

    room = array.array("B", bytes(_IFREQ_BYTES * _MOST_ADDRESSES))
    where, _ = room.buffer_info()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        told = fcntl.ioctl(any_socket, _SIOCGIFCONF, struct.pack("iP", len(room), where))
    used, _ = struct.unpack("iP", told)
    return ipv4(room.tobytes()[:used])


def ipv4(table: bytes) -> list[Address]:
    """The addresses in what ``SIOCGIFCONF`` tells: a name of 16 bytes, then a ``sockaddr_in``, each."""
    found = []
    for begin in range(0, len(table) - _IFREQ_BYTES + 1, _IFREQ_BYTES):
        label, number = table[begin : begin + 16], table[begin + 20 : begin + 24]
        interface = label.partition(b"\0")[0].decode("ascii", "replace").partition(":")[0]  # eth0:1 is eth0, too
        found.append(Address(socket.inet_ntoa(number), interface))
    return found


def ipv6(table: str) -> list[Address]:
    """The lasting addresses in ``/proc/net/if_inet6``: number, index, prefix, scope, flags, interface; hexadecimal."""
    found = []
    for line in table.splitlines():
        number, _, _, scope, flags, interface = line.split()
        if int(scope, 16) == _GLOBAL_SCOPE and not int(flags, 16) & _PASSING:
            found.append(Address(str(ipaddress.IPv6Address(bytes.fromhex(number))), interface))
    return found


def default_interfaces(route: str, ipv6_route: str) -> list[str]:
    """Interfaces with a way out of the house, the preferred one first: those of IPv4, then those of IPv6.

    :param route: ``/proc/net/route``: interface, destination, gateway, flags, and the metric in the 7th place.
    :param ipv6_route: ``/proc/net/ipv6_route``: destination, prefix, …, metric in the 6th place, interface in the last.
    """
    lines = [line.split() for line in route.splitlines()[1:]]
    ways = [(0, int(line[6]), line[0]) for line in lines if line[1] == "0" * 8 and line[7] == "0" * 8]
    lines = [line.split() for line in ipv6_route.splitlines()]
    ways += [
        (6, int(line[5], 16), line[9]) for line in lines if (line[0], line[1]) == ("0" * 32, "00") and line[9] != "lo"
    ]
    return list(dict.fromkeys(interface for _, _, interface in sorted(ways)))


def _routed() -> Iterable[Address]:
    """The addresses from which this machine would send something out of the house; nothing is sent.

    The addresses asked for are those of documentation (RFC 5737, RFC 3849): they are nobody's.
    """
    for family, somewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as any_socket:
            any_socket.connect((somewhere, 9))
            yield Address(any_socket.getsockname()[0])
