"""The launcher's own Wi-Fi: a hotspot made with NetworkManager's ``nmcli``.

Its profile is not activated automatically, so after a power cut the Pi looks for its known networks. While the hotspot
is enabled, a timer runs ``tend`` every two minutes, which returns the launcher to the house's Wi-Fi: NetworkManager
never leaves an active hotspot on its own.
"""

from __future__ import annotations

import re
import secrets
import shutil
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Final

from msgspec import Meta

from dispenser.config import TableError, as_toml, read, read_file
from dispenser.i18n import SpokenError, Text
from dispenser.system.install.actions import Write
from dispenser.system.programs import answer_of, ask, lacking_for_hotspot

PROFILE: Final = "dispenser-hotspot"
ADDRESS: Final = "10.42.0.1"
TIMER: Final = "dispenser-hotspot.timer"
GROUP: Final = "dispenser"
SETTINGS: Final = Path("/etc/dispenser/hotspot.toml")
LAST_GUEST: Final = Path("/run/dispenser-hotspot/last_guest_s")
"""Time of the last guest, as ``time.monotonic``, that is seconds since boot."""
LOCK: Final = Path("/run/dispenser-hotspot/lock")
KEYFILE: Final = Path(f"/etc/NetworkManager/system-connections/{PROFILE}.nmconnection")
NAMES: Final = Path("/etc/NetworkManager/dnsmasq-shared.d/dispenser.conf")
EMPTY_S: Final = 30 * 60.0  # Seconds without a guest after which the old network is tried again
ANSWER_S: Final = 60.0  # Timeout for programs of the system, seconds; NetworkManager gives up after 90 by itself
_UUID: Final = "6f1c2b1e-7a55-4e0f-9d0b-3a7c7c0e8112"
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # Characters of a password; none that look alike
_WINDOWS: Final = {"dns.msftncsi.com": "131.107.255.255"}  # The address that Windows expects for this name
_WRITTEN: Final = "# Written by 'dispenser hotspot on', removed by 'dispenser hotspot off'.\n"
_NAME: Final = Text("write 1 to 32 plain letters, digits, signs or spaces, in quotes")
_PASSWORD: Final = Text("write 8 to 63 plain letters, digits or signs, in quotes")


class HotspotError(SpokenError, OSError):
    """The hotspot cannot be opened or closed. The text says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Network:
    """Name and password of the hotspot, stored in ``/etc/dispenser/hotspot.toml``.

    :param password: for WPA2; generated once, ten letters. Left out of ``repr``, so that no log contains it.
    :cvar guests: the subnet of the clients.
    """

    name: Annotated[str, Meta(pattern="^[ -~]{1,32}$", extra={"hint": _NAME})] = "Card launcher"
    password: Annotated[str, Meta(pattern="^[!-~]{8,63}$", extra={"hint": _PASSWORD})] = field(
        default_factory=lambda: "".join(secrets.choice(_LETTERS) for _ in range(10)), repr=False
    )
    address: ClassVar[str] = ADDRESS
    guests: ClassVar[str] = "10.42.0.0/24"


@dataclass(frozen=True, slots=True)
class Wifi:
    """State of the Wi-Fi device.

    :ivar state: as NetworkManager reports it: ``connected``, ``disconnected``, ``connecting (…)``, ``unavailable``.
    :ivar profile: the active connection; empty for none.
    """

    device: str
    state: str
    profile: str

    @property
    def is_ours(self) -> bool:
        return self.profile == PROFILE


def open_hotspot(network: Network, device: str, probed: Iterable[str]) -> None:
    """Write the hotspot's files, start the timer, then activate it: in this order, so that the timer always closes it.

    :param probed: host names of captive portal checks, which resolve to the launcher.
    :raises OSError: a step failed; the old network is active again.
    """
    with _locked():
        try:
            Write(SETTINGS, as_toml({"name": network.name, "password": network.password}), 0o640).do()
            with suppress(LookupError):  # no launcher is installed, which systemctl reports below
                shutil.chown(SETTINGS, group=GROUP)
            Write(NAMES, _names(probed)).do()
            Write(KEYFILE, _keyfile(network, device), 0o600).do()
            _run("nmcli", "connection", "load", str(KEYFILE))
            _run("systemctl", "enable", "--now", TIMER)
            _join()
        except BaseException:  # also Ctrl-C: otherwise the old network would be away for half an hour
            with suppress(OSError):
                _close()
            raise


def close_hotspot() -> None:
    """Remove the hotspot; NetworkManager then connects to a network that it knows.

    :raises OSError: a step failed; the others were done all the same.
    """
    with _locked():
        _close()


def tend() -> None:
    """Open the hotspot without a network, end it after 30 min without guests, remove it if another network is up."""
    with _locked():
        now = wifi()
        if now.is_ours:
            if _empty_s(now.device) >= EMPTY_S:
                _run("nmcli", "connection", "down", "id", PROFILE)
        elif now.state == "disconnected":
            _join()
        elif now.state == "connected":
            _close()


def _join() -> None:
    LAST_GUEST.unlink(missing_ok=True)
    _run("nmcli", "--wait", "45", "connection", "up", "id", PROFILE)


def _close() -> None:
    with ExitStack() as steps:  # runs every step, whatever earlier ones raise; last registered first
        steps.callback(_run, "nmcli", "connection", "reload")
        steps.callback(KEYFILE.unlink, missing_ok=True)
        steps.callback(NAMES.unlink, missing_ok=True)
        steps.callback(answer_of, "nmcli", "connection", "down", "id", PROFILE, timeout_s=ANSWER_S)  # may be down
        steps.callback(_run, "systemctl", "disable", "--now", TIMER)


def _run(program: str, *words: str) -> str:
    return ask(program, *words, timeout_s=ANSWER_S)


@contextmanager
def _locked() -> Iterator[None]:
    """Hold a file lock, so that the timer does not close a hotspot that is being opened."""
    import fcntl  # Unix only

    LOCK.parent.mkdir(parents=True, exist_ok=True)
    with LOCK.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _keyfile(network: Network, device: str) -> str:
    """Return a NetworkManager keyfile, escaped as by its own writer: a name with ``;`` could be read as a byte list."""
    password = network.password.replace("\\", "\\\\")
    name = network.name.replace(";", "\\;").replace("\\", "\\\\").replace(" ", "\\s")
    sections = {
        "connection": f"id={PROFILE}\nuuid={_UUID}\ntype=wifi\ninterface-name={device}\nautoconnect=false",
        "wifi": f"mode=ap\nband=bg\npowersave=2\nssid={name}",
        "wifi-security": f"key-mgmt=wpa-psk\nproto=rsn;\npairwise=ccmp;\ngroup=ccmp;\npmf=1\npsk={password}",
        "ipv4": f"method=shared\naddress1={ADDRESS}/24",
        "ipv6": "method=disabled",
    }
    return _WRITTEN + "\n".join(f"[{name}]\n{lines}\n" for name, lines in sections.items())


def _names(probed: Iterable[str]) -> str:
    """Return dnsmasq's configuration: phones leave a network in which these names do not resolve."""
    addresses = dict.fromkeys(probed, ADDRESS) | _WINDOWS
    # local: no upstream queries for the name, so no IPv6 address either
    return _WRITTEN + "".join(f"address=/{name}/{at}\nlocal=/{name}/\n" for name, at in addresses.items())


def wifi() -> Wifi:
    """Return the state of the Wi-Fi device.

    :raises HotspotError, ProgramError: there is none, it is switched off, or its state is unknown.
    """
    answer = _run("nmcli", "--terse", "--fields", "TYPE,DEVICE,STATE,CONNECTION", "device")
    devices = [re.split(r"(?<!\\):", line) for line in answer.splitlines()]
    ours = [Wifi(*fields[1:]) for fields in devices if fields[0] == "wifi" and fields[2] != "unmanaged"]
    if not ours:
        raise HotspotError(Text("there is no Wi-Fi that NetworkManager knows; 'nmcli device' shows what there is"))
    best = max(ours, key=lambda each: (each.is_ours, each.state != "unavailable"))
    if best.state == "unavailable":
        raise HotspotError(
            Text("the Wi-Fi is switched off: 'sudo raspi-config nonint do_wifi_country FR' (your country) allows it")
        )
    return best


def check_programs() -> None:
    """Check the programs that NetworkManager needs; without them it would only report a failure.

    :raises HotspotError: a program is missing.
    """
    if lacking := lacking_for_hotspot():
        missing = Text("the launcher's own Wi-Fi needs {packages}: 'sudo apt install {packages}'")
        raise HotspotError(missing.filled(packages=" ".join(lacking)))


def guests(device: str) -> int:
    """Return the number of connected clients."""
    stations = _run("iw", "dev", device, "station", "dump")
    return sum(line.startswith("Station ") for line in stations.splitlines())


def _empty_s(device: str) -> float:
    """Return how long there has been no client, seconds; counted from the first call."""
    now_s = time.monotonic()
    if guests(device) or not LAST_GUEST.exists():
        LAST_GUEST.write_text(str(now_s))
    return now_s - float(LAST_GUEST.read_text())


def renamed(network: Network, name: str) -> Network:
    """Return the network with another name; raise ``HotspotError`` if the name is invalid."""
    try:
        return read({"name": name, "password": network.password}, Network)
    except TableError as error:
        raise HotspotError(error.errors[0]) from error


def known() -> Network | None:
    """Return name and password of the hotspot, if it was opened before."""
    try:
        return read(read_file(SETTINGS), Network) if SETTINGS.exists() else None
    except PermissionError as error:  # for the folder
        locked = Text("only root and the launcher may look at {file}: use sudo")
        raise HotspotError(locked.filled(file=SETTINGS)) from error
    except TableError as error:
        raise HotspotError(error.within(SETTINGS)[0]) from error


def on_air() -> Network | None:
    """Return the hotspot if it is active. Runs no program, because the service is not permitted to."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        try:
            any_socket.bind((ADDRESS, 0))
            return known() if NAMES.exists() else None
        except OSError:  # this computer lacks that address, or the file cannot be read
            return None
