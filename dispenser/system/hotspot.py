"""The launcher's own Wi-Fi, for a table without a network: what is decided, and what is done for it.

NetworkManager makes it: a profile of its own (``ipv4.method=shared``: addresses and names for the guests), which comes
up when it is told to and never by itself, so after a power cut the Pi looks for the networks it knew before. A timer
(``dispenser-hotspot.timer``) then sees to the rest, every two minutes and whatever has crashed, by ``next_act``.

Nothing here asks or prints; what needs root is a list of ``Step``.
"""

from __future__ import annotations

import math
import re
import secrets
import shutil
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from dispenser.config import TableError, as_toml, read, read_file
from dispenser.i18n import SpokenError, Text
from dispenser.system.programs import answer_of, ask, lacking_for_hotspot

PROFILE: Final = "dispenser-hotspot"
ADDRESS: Final = "10.42.0.1"
"""The launcher's own in that network; NetworkManager's usual one."""
GUESTS: Final = "10.42.0.0/24"
"""The addresses of whoever is in it."""
TIMER: Final = "dispenser-hotspot.timer"
PAGE_SOCKET: Final = "dispenser-page.socket"
GROUP: Final = "dispenser"
"""Who may read its password besides root: the page shows it."""
SETTINGS: Final = Path("/etc/dispenser/hotspot.toml")
LAST_GUEST: Final = Path("/run/dispenser-hotspot/last_guest_s")
"""When there was a guest, in the computer's seconds since its start."""
AT_WORK: Final = Path("/run/dispenser-hotspot/at_work")
"""Whoever opens, closes or tends it has a lock on this file; the kernel takes it from whoever is killed."""
KEYFILE: Final = Path(f"/etc/NetworkManager/system-connections/{PROFILE}.nmconnection")
NAMES: Final = Path("/etc/NetworkManager/dnsmasq-shared.d/dispenser.conf")
EMPTY_S: Final = 30 * 60.0
"""So long without a guest, and the old network is tried again, seconds."""
ANSWER_S: Final = 60.0
"""How long a program of the system may take, seconds; NetworkManager gives up after 90 by itself."""
_UUID: Final = "6f1c2b1e-7a55-4e0f-9d0b-3a7c7c0e8112"
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""No two of them look alike."""
_ON_WINDOWS: Final = "131.107.255.255"
"""What Windows expects of the name it asks for."""


_NAME: Final = Text("write 1 to 32 plain letters, figures, signs or spaces, in quotes")
_PASSWORD: Final = Text("write 8 to 63 plain letters, figures or signs, in quotes")


class HotspotError(SpokenError, OSError):
    """It cannot be done. The text says why, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The Wi-Fi as its guests know it; ``/etc/dispenser/hotspot.toml``.

    :param name: what phones list it as.
    :param password: WPA2's; made once, of ten letters. No log has it: it is in no ``repr``, nor is the text of a file.
    """

    name: Annotated[str, Meta(pattern="^[ -~]{1,32}$", extra={"hint": _NAME})] = "Card launcher"
    password: Annotated[str, Meta(pattern="^[!-~]{8,63}$", extra={"hint": _PASSWORD})] = field(
        default_factory=lambda: "".join(secrets.choice(_LETTERS) for _ in range(10)), repr=False
    )


@dataclass(frozen=True, slots=True)
class OnAir:
    """The network while it is open, for whoever tells others how to join.

    :ivar address: the launcher's own in it.
    :ivar guests: the addresses of whoever is in it.
    """

    name: str
    password: str = field(repr=False)
    address: str = ADDRESS
    guests: str = GUESTS


@dataclass(frozen=True, slots=True)
class Command:
    """A program of the system to run."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Write:
    """A file to write, whole.

    :ivar mode: who may read it.
    :ivar group: whose it is besides root's.
    """

    path: Path
    text: str = field(repr=False)
    mode: int = 0o600
    group: str = ""

    def __str__(self) -> str:
        return f"write {self.path}"


@dataclass(frozen=True, slots=True)
class Remove:
    """A file to remove, if it is there."""

    path: Path

    def __str__(self) -> str:
        return f"rm -f {self.path}"


Step: TypeAlias = Command | Write | Remove


class Act(Enum):
    """What the timer finds to do."""

    NOTHING = "nothing"
    UP = "up"
    """No network at all: the launcher's own."""
    DOWN = "down"
    """Nobody has been there for long: is the old network back?"""
    OFF = "off"
    """The old network is back."""


@dataclass(frozen=True, slots=True)
class Wifi:
    """How the Wi-Fi is.

    :ivar device: such as ``wlan0``.
    :ivar state: NetworkManager's word: ``connected``, ``disconnected``, ``connecting (…)``, ``unavailable``.
    :ivar profile: what is connected there; empty for none.
    """

    device: str
    state: str
    profile: str

    @property
    def is_ours(self) -> bool:
        return self.profile == PROFILE


def next_act(wifi: Wifi, empty_s: float) -> Act:
    """What is to be done while the hotspot is wanted.

    :param empty_s: how long it has had no guest, seconds.
    """
    if wifi.is_ours:
        return Act.DOWN if empty_s >= EMPTY_S else Act.NOTHING
    return {"connected": Act.OFF, "disconnected": Act.UP}.get(wifi.state, Act.NOTHING)


# --- what is done --------------------------------------------------------------------------------------------------


def steps_on(network: Network, device: str, probed: Iterable[str]) -> list[Step]:
    """Make the network, have it looked after, and join it: in this order, so that nobody's end leaves it open for ever.

    :param probed: names by which guests find out whether they are in the internet; they lead to the launcher.
    """
    return [
        Write(SETTINGS, as_toml({"name": network.name, "password": network.password}), mode=0o640, group=GROUP),
        Write(NAMES, _names(probed), mode=0o644),
        Write(KEYFILE, _keyfile(network, device)),
        Command(("nmcli", "connection", "load", str(KEYFILE))),
        Command(("systemctl", "enable", "--now", TIMER)),
        *steps_up(),
    ]


_UP: Final = Command(("nmcli", "--wait", "45", "connection", "up", "id", PROFILE))
DOWN: Final = Command(("nmcli", "connection", "down", "id", PROFILE))


def steps_up() -> list[Step]:
    """Join the network that has been made, as one that nobody has been in yet."""
    return [Remove(LAST_GUEST), _UP]


def steps_off(wifi: Wifi | None) -> list[Step]:
    """Take it away; NetworkManager then goes back to the networks that it knows. Each step is worth doing by itself.

    :param wifi: how it is now, if anybody knows.
    """
    return [
        Command(("systemctl", "disable", "--now", TIMER)),
        *([DOWN] if wifi and wifi.is_ours else []),
        Remove(NAMES),
        Remove(KEYFILE),
        Command(("nmcli", "connection", "reload")),
    ]


@contextmanager
def alone(*, wait: bool = True) -> Iterator[bool]:
    """Inside, nobody else opens, closes or tends it.

    :param wait: until the other one is done, a minute or two at most; otherwise ``False`` comes, and it is not so.
    :raises OSError: the file of the lock cannot be made.
    """
    import fcntl  # only where there is Unix

    AT_WORK.parent.mkdir(parents=True, exist_ok=True)
    with AT_WORK.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True


def carry_out(step: Step) -> None:
    """Do it.

    :raises ProgramError: a program failed, or there is no such group.
    :raises OSError: a file cannot be written.
    """
    match step:
        case Command(words):
            ask(*words, timeout_s=ANSWER_S)
        case Write():
            _write(step)
        case Remove(path):
            path.unlink(missing_ok=True)


def _write(step: Write) -> None:
    """Whole or not at all; nobody else may read it, not even while it is written."""
    new = step.path.with_name(f".{step.path.name}.new")
    step.path.parent.mkdir(parents=True, exist_ok=True)
    new.unlink(missing_ok=True)
    new.touch(0o600, exist_ok=False)
    new.write_text(step.text, encoding="utf-8")
    if step.group:
        try:
            shutil.chown(new, group=step.group)
        except LookupError as error:
            new.unlink()
            missing = Text("there is no group {group}: install the launcher first")
            raise HotspotError(missing.filled(group=step.group)) from error
    new.chmod(step.mode)
    new.replace(step.path)


def _keyfile(network: Network, device: str) -> str:
    """A profile of NetworkManager's, with the escapes of its own writer: a name with ``;`` could be a list of bytes."""
    ssid, password = (
        value.replace("\\", "\\\\").replace(" ", "\\s")
        for value in (network.name.replace(";", "\\;"), network.password)
    )
    return f"""\
# Written by 'dispenser hotspot on', removed by 'dispenser hotspot off'.
[connection]
id={PROFILE}
uuid={_UUID}
type=wifi
interface-name={device}
autoconnect=false

[wifi]
mode=ap
band=bg
ssid={ssid}
powersave=2

[wifi-security]
key-mgmt=wpa-psk
proto=rsn;
pairwise=ccmp;
group=ccmp;
pmf=1
psk={password}

[ipv4]
method=shared
address1={ADDRESS}/24

[ipv6]
method=disabled
"""


def _names(probed: Iterable[str]) -> str:
    """For the server of names that NetworkManager starts for guests."""
    lines = [f"address=/{name}/{ADDRESS}\nlocal=/{name}/" for name in probed]  # local: there is nothing else of it
    return "\n".join(
        (
            "# Written by 'dispenser hotspot on', removed by 'dispenser hotspot off'. Phones ask these names whether",
            "# this is the internet, and leave a network that does not answer.",
            *lines,
            f"address=/dns.msftncsi.com/{_ON_WINDOWS}\nlocal=/dns.msftncsi.com/",
            "",
        )
    )


# --- what is asked -------------------------------------------------------------------------------------------------


def wifi() -> Wifi:
    """How the Wi-Fi is.

    :raises HotspotError: there is none, or it is switched off.
    :raises ProgramError: nobody knows.
    """
    answer = ask("nmcli", "--terse", "--fields", "TYPE,DEVICE,STATE,CONNECTION", "device", timeout_s=ANSWER_S)
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
    """Whether what NetworkManager needs is there; without it, it would only say that it failed.

    :raises HotspotError: something is missing.
    """
    if lacking := lacking_for_hotspot():
        missing = Text("the launcher's own Wi-Fi needs {packages}: 'sudo apt install {packages}'")
        raise HotspotError(missing.filled(packages=" ".join(lacking)))


def is_active(unit: str) -> bool:
    """Whether systemd has it running."""
    return answer_of("systemctl", "is-active", unit) is not None


def guests(device: str) -> int:
    """How many are in the network now.

    :raises ProgramError: nobody knows.
    """
    stations = ask("iw", "dev", device, "station", "dump", timeout_s=ANSWER_S)
    return sum(line.startswith("Station ") for line in stations.splitlines())


def empty_s(device: str) -> float:
    """How long there has been no guest, seconds; counted from the first time that somebody asks.

    When it was is written down anew where that cannot be read, or lies ahead: the network must come to its end.

    :raises ProgramError: nobody knows.
    """
    now_s = time.monotonic()
    last_s = math.inf
    if not guests(device):
        with suppress(FileNotFoundError, ValueError):  # none yet; cut off half-way
            last_s = float(LAST_GUEST.read_text())
    if last_s <= now_s:  # no "nan" either
        return now_s - last_s
    LAST_GUEST.parent.mkdir(parents=True, exist_ok=True)
    LAST_GUEST.write_text(f"{math.floor(now_s)}\n")
    return 0.0


def checked(network: Network) -> Network:
    """The network, if there can be one of that name and password.

    :raises HotspotError: there cannot.
    """
    try:
        return read({"name": network.name, "password": network.password}, Network)
    except TableError as error:
        raise HotspotError(error.errors[0]) from error


def known() -> Network | None:
    """The network's name and password, if it has been made once.

    :raises HotspotError: its file cannot be read.
    """
    try:
        return read(read_file(SETTINGS), Network) if SETTINGS.exists() else None
    except PermissionError as error:  # of its folder
        locked = Text("only root and the launcher may look at {file}: use sudo")
        raise HotspotError(locked.filled(file=SETTINGS)) from error
    except TableError as error:
        raise HotspotError(error.within(SETTINGS)[0]) from error


def on_air() -> OnAir | None:
    """The network, if it is open now; asks no program, as the service may start none."""
    if not NAMES.exists() or not _is_ours(ADDRESS):
        return None
    try:
        network = known()
    except HotspotError:
        return None
    return None if network is None else OnAir(network.name, network.password)


def _is_ours(address: str) -> bool:
    """Whether this computer has that address now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        try:
            any_socket.bind((address, 0))
        except OSError:
            return False
    return True
