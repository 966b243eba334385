"""List the addresses at which phones in the house reach this machine, and the names that lead to it.

Names come from Avahi (multicast DNS) and from the network's search domains.
"""

from __future__ import annotations

import asyncio
import ipaddress
import math
import re
import socket
import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dispenser.service.settings import EVERYWHERE

if TYPE_CHECKING:
    from dispenser.service.settings import WebSettings

USUAL_PORT: Final = 80
SYS_NET = Path("/sys/class/net")
RESOLV_CONF = Path("/etc/resolv.conf")
AVAHI = Path("/run/avahi-daemon/socket")
AVAHI_S: Final = 1.5  # Timeout for Avahi, seconds; it took up to 0.4 s just after its start, otherwise nothing
NAMES_AGE_S: Final = 60.0
_LOCAL_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.local")


@dataclass(frozen=True, slots=True)
class Address:
    """An address of this machine: a host name, or an IP address with its interface, such as ``wlan0``."""

    host: str
    interface: str = ""

    def url(self, port: int, path: str = "/") -> str:
        """Return the URL of a page at this address; the default port is left out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}{path}" if port == USUAL_PORT else f"http://{host}:{port}{path}"


def for_phones(settings: WebSettings, local_name: str = "") -> list[Address]:
    """Return the addresses for phones, likeliest first, the mDNS name second; empty when phones are not let in."""
    if not settings.is_open:
        return []
    if settings.listens_on not in EVERYWHERE:
        return [Address(settings.host)]
    found = reachable(local_name)
    return found if settings.listens_on == "::" else [each for each in found if ":" not in each.host]


def reachable(local_name: str = "") -> list[Address]:
    """Return this machine's addresses in the local network, likeliest first, and its mDNS name second."""
    import ifaddr

    found = [
        Address(ip.ip if isinstance(ip.ip, str) else ip.ip[0], adapter.nice_name.partition(":")[0])  # eth0:1 is eth0
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    ]
    return chosen(found, hardware_interfaces(), local_name)


def chosen(addresses: Iterable[Address], hardware: Collection[str], local_name: str = "") -> list[Address]:
    """Filter and sort addresses that phones may reach, in the order in which to try them.

    Private ones come first: a public one belongs to a machine in the internet, or changes with the provider. One IPv6
    address per interface is enough: the others are temporary.

    :param hardware: result of ``hardware_interfaces``. If it is empty (in a container), all interfaces count.
    """

    found: dict[str, Address] = {}
    by_ip = [(ipaddress.ip_address(each.host), each) for each in addresses]
    for ip, each in sorted(by_ip, key=lambda both: (not both[0].is_private, both[0].version)):
        reachable_ip = not (ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast)
        if reachable_ip and (not hardware or each.interface in hardware):
            found.setdefault(f"IPv6 of {each.interface}" if ip.version == 6 else each.host, each)
    ways = list(found.values())
    if ways and local_name:
        ways.insert(1, Address(local_name))
    return ways


def hardware_interfaces() -> set[str]:
    """Return interfaces with hardware: Ethernet, Wi-Fi, bridges with one of them; not containers, VMs or tunnels."""

    def is_hardware(interface: Path) -> bool:
        return (interface / "device").exists() or any(map(is_hardware, interface.glob("lower_*")))

    return {interface.name for interface in SYS_NET.glob("*") if is_hardware(interface)}


# --- names -----------------------------------------------------------------------------------------------------------


class KnownNames:
    """A cache of ``look_up_names``, refreshed on another thread when it is a minute old."""

    def __init__(self, look_up: Callable[[], frozenset[str]]) -> None:
        self._look_up = look_up
        self._names: frozenset[str] = frozenset()
        self._begun_s = -math.inf
        self._looking: asyncio.Task[None] | None = None

    @property
    def local(self) -> str:
        """Return this machine's mDNS name from the cache; empty if nothing answers for it."""
        self._refresh()
        return next((name for name in self._names if name.endswith(".local")), "")

    async def lead_here(self, name: str) -> bool:
        """Return whether a name belongs to this machine; wait for a running refresh if the cache does not have it."""
        if name not in self._names:
            self._refresh()
            await asyncio.wait(filter(None, [self._looking]))
        return name in self._names

    def _refresh(self) -> None:
        now_s = asyncio.get_running_loop().time()
        if now_s >= self._begun_s + NAMES_AGE_S:
            self._begun_s = now_s
            self._looking = asyncio.create_task(self._look(), name="looks up this machine's names")

    async def _look(self) -> None:
        self._names = await asyncio.to_thread(self._look_up)


def look_up_names() -> frozenset[str]:
    """Return the names by which the network knows this machine: Avahi's, and one per DNS search domain."""
    try:
        lines = [line.split() for line in RESOLV_CONF.read_text(errors="replace").splitlines()]
    except OSError:
        lines = []
    words = [word.strip(".").lower() for line in lines if line[:1] in (["search"], ["domain"]) for word in line[1:]]
    return frozenset(filter(None, {local_name(), *(f"{short_name()}.{domain}" for domain in words if domain)}))


def short_name() -> str:
    """Return this machine's host name without a domain."""
    return socket.gethostname().partition(".")[0].lower()


def local_name() -> str:
    """Return this machine's mDNS name, such as ``table.local``; empty if nothing answers for it.

    Ask Avahi, because it takes another name (``table-2.local``) when this one is in use in the network. macOS answers
    mDNS queries itself.
    """
    if sys.platform == "darwin":
        return f"{short_name()}.local"
    try:
        with socket.socket(socket.AF_UNIX) as avahi:
            avahi.settimeout(AVAHI_S)
            avahi.connect(str(AVAHI))
            avahi.sendall(f"RESOLVE-ADDRESS {reachable()[0].host}\n".encode())
            answer = avahi.recv(1024).decode("ascii", "replace").lower().split()
    except (OSError, IndexError):  # no Avahi, or no network
        return ""
    # the answer is "+", interface, protocol and name, or an error
    is_name = len(answer) == 4 and answer[0] == "+" and _LOCAL_NAME.fullmatch(answer[3])
    return answer[3] if is_name else ""
