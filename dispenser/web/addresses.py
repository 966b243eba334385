"""At which addresses phones in the house can reach this machine, and which names lead to it.

Addresses are read from the kernel without netlink, which systemd keeps from the service; where there is no such kernel
(a Mac), the one address is found that leads out of the house. Names are asked of Avahi and of the network's DNS.
"""

from __future__ import annotations

import asyncio
import ipaddress
import math
import re
import socket
import struct
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
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
RESOLV_CONF = Path("/etc/resolv.conf")
AVAHI = Path("/run/avahi-daemon/socket")
"""Where Avahi, which answers multicast DNS, takes questions of programs, a line each."""
AVAHI_S: Final = 1.5
"""How long Avahi may take; for an address of this machine it has taken 0.4 s when just started, else nothing."""
NAMES_AGE_S: Final = 60.0
"""After so long, names are looked up again."""
NAMES_PATIENCE_S: Final = 2.0
"""So long a request under an unknown name waits for names that are being looked up."""
_GLOBAL_SCOPE: Final = 0x00
_PASSING: Final = 0x01 | 0x20 | 0x40
"""IPv6 addresses that are temporary, deprecated or only tried yet."""
_SIOCGIFCONF: Final = 0x8912
_IFREQ_BYTES: Final = 16 + (24 if struct.calcsize("P") == 8 else 16)
_MOST_ADDRESSES: Final = 64
_LOCAL_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.local")


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


@dataclass(frozen=True, slots=True)
class Names:
    """Names that lead to this machine.

    :ivar local: by multicast DNS, such as ``table.local``; empty where nothing answers it.
    :ivar others: by the DNS of the network, such as ``table.fritz.box``.
    """

    local: str = ""
    others: frozenset[str] = frozenset()


def for_phones(settings: WebSettings, local_name: str = "") -> list[Address]:
    """Where phones find the page, the likeliest first; none when they cannot.

    :param local_name: this machine's name by multicast DNS, if it has one.
    """
    if not settings.is_open:
        return []
    if settings.listens_on not in EVERYWHERE:
        return [Address(settings.host)]
    found = reachable(local_name)
    return found if settings.listens_on == "::" else [each for each in found if ":" not in each.host]


def reachable(local_name: str = "") -> list[Address]:
    """This machine's addresses in the house, the likeliest first, and its name second."""
    try:
        addresses = [each for each in (*_ipv4(), *ipv6(_read("if_inet6"))) if _is_up(each.interface)]
        routed, hardware = default_interfaces(_read("route"), _read("ipv6_route")), hardware_interfaces()
    except (ImportError, OSError):
        addresses, routed, hardware = list(_routed()), [], set()
    return chosen(addresses, routed, hardware, local_name)


def chosen(
    addresses: Iterable[Address], routed: Sequence[str], hardware: Collection[str], local_name: str = ""
) -> list[Address]:
    """Those of the addresses that phones may reach, in the order in which they are worth a try.

    Private ones come first: a public one is that of a machine in the internet, or changes with the provider.

    :param routed: interfaces with a default route, the preferred one first.
    :param hardware: as ``hardware_interfaces`` has them. Without any (in a container) all interfaces count.
    """
    good = {each.host: each for each in addresses if not hardware or each.interface in hardware}.values()
    places = {name: place for place, name in reversed(list(enumerate(routed)))}

    def order(each: Address) -> tuple[bool, bool, int]:
        return not _is_private(each.host), ":" in each.host, places.get(each.interface, len(places))

    found = sorted((each for each in good if _leads_somewhere(each.host)), key=order)
    if found and local_name:
        found.insert(1, Address(local_name))
    return found


def _is_private(host: str) -> bool:
    return ipaddress.ip_address(host).is_private


def _leads_somewhere(host: str) -> bool:
    ip = ipaddress.ip_address(host)
    return not (ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast)


# --- names -----------------------------------------------------------------------------------------------------------


class KnownNames:
    """The names of this machine, looked up when they are asked for, on another thread: DNS may take seconds.

    The thread is no executor's: one that still waits for DNS must not hold up the end of the service.
    """

    def __init__(self, look_up: Callable[[], Names]) -> None:
        self._look_up = look_up
        self._names = Names()
        self._begun_s = -math.inf
        self._arrived = asyncio.Event()

    def latest(self) -> Names:
        """Those that are known; when they are old, they are looked up for whoever asks next."""
        loop = asyncio.get_running_loop()
        if loop.time() >= self._begun_s + NAMES_AGE_S:
            self._begun_s = loop.time()
            self._arrived.clear()
            threading.Thread(target=self._look, args=(loop,), name="names", daemon=True).start()
        return self._names

    async def lead_here(self, name: str) -> bool:
        """Whether a name is one of these; one that is not known waits a moment for those being looked up."""
        if name not in self._all():
            self.latest()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._arrived.wait(), NAMES_PATIENCE_S)
        return name in self._all()

    def _all(self) -> set[str]:
        return {self._names.local, *self._names.others}

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        found = self._look_up()
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(self._take, found)

    def _take(self, found: Names) -> None:
        self._names = found
        self._arrived.set()


def look_up_names() -> Names:
    """What leads to this machine, by everybody who may know. Takes long."""
    private = [each.host for each in reachable() if _is_private(each.host)]
    by_domain = {f"{short_name()}.{domain}" for domain in search_domains()}
    return Names(local_name(), frozenset(by_domain.union(*map(_by_reverse_lookup, private))))


def short_name() -> str:
    """This machine's own name, without a domain."""
    return socket.gethostname().partition(".")[0].lower()


def search_domains() -> list[str]:
    """The domains of this network, as its DHCP server or this machine's settings say."""
    try:
        lines = [line.split() for line in RESOLV_CONF.read_text(errors="replace").splitlines()]
    except OSError:
        return []
    words = [word for line in lines if line[:1] in (["search"], ["domain"]) for word in line[1:]]
    return [domain for word in words if (domain := word.strip(".").lower())]


def local_name() -> str:
    """This machine's name by multicast DNS, such as ``table.local``; empty where nothing answers it.

    Avahi is asked, for it takes another (``table-2.local``) when somebody in the house has that name already. A Mac
    answers by itself.
    """
    if not (PROC_NET / "route").exists():
        return f"{short_name()}.local"
    return _by_avahi(ways[0].host) if (ways := reachable()) else ""


def _by_avahi(host: str) -> str:
    """The name that Avahi has for an address: it answers with "+", interface, protocol and name, or with an error."""
    try:
        with socket.socket(socket.AF_UNIX) as avahi:
            avahi.settimeout(AVAHI_S)
            avahi.connect(str(AVAHI))
            avahi.sendall(f"RESOLVE-ADDRESS {host}\n".encode())
            answer = avahi.recv(1024).decode("ascii", "replace").lower().split()
    except OSError:
        return ""
    is_name = len(answer) == 4 and answer[0] == "+" and _LOCAL_NAME.fullmatch(answer[3])
    return answer[3] if is_name else ""


def _by_reverse_lookup(host: str) -> set[str]:
    try:
        name, others, _ = socket.gethostbyaddr(host)
    except OSError:
        return set()
    return {name.lower(), *map(str.lower, others)}


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


def hardware_interfaces() -> set[str]:
    """Those with hardware of this machine behind them: a cable, a radio, or what is made of such (a bridge with a cable
    in it). Containers, virtual machines and tunnels have none."""
    return {interface.name for interface in SYS_NET.glob("*") if _is_hardware(interface)}


def _is_hardware(interface: Path) -> bool:
    return (interface / "device").exists() or any(map(_is_hardware, interface.glob("lower_*")))


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
