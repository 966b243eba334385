"""The doctor's checks of the computer itself: its supply, clock, SD card and Wi-Fi."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from dispenser.drivers.findings import Finding, Status
from dispenser.i18n import Text
from dispenser.system.install.paths import WIFI_AWAKE, WIFI_AWAKE_TEXT
from dispenser.system.programs import answer_of, lacking_for_hotspot

_FIRMWARE = "sys/devices/platform/soc*/soc*:firmware/get_throttled"
_LOW_NOW, _SLOW_NOW, _LOW_BEFORE, _SLOW_BEFORE = 1 << 0, 0b1110, 1 << 16, 0b1110 << 16
"""Bits of ``get_throttled``: undervoltage, and throttling for voltage or heat, each for now and for since boot."""
_KEEP_WIFI_AWAKE = f"printf {WIFI_AWAKE_TEXT!r} >/{WIFI_AWAKE}; iw dev {{name}} set power_save off"


def check_computer(folder: Path, root: Path = Path("/")) -> Iterator[Finding]:
    """Run all checks; ``folder``, the journal's, is on the disk to check, and ``root`` contains ``sys``."""
    yield from check_supply(root)
    yield from check_clock()
    yield from check_card(folder, root)
    yield from check_wifi(root)


def check_supply(root: Path) -> Iterator[Finding]:
    """Check the supply voltage; no finding if it is not measured here."""
    flags = _supply_flags(root)
    remedy = Text(
        "use a supply of 5.1 V and 3 A with a short cable of its own; the motor's current comes from batteries"
    )
    if flags is None:
        return
    if flags & _LOW_NOW:
        yield Finding("supply", Status.WRONG, Text("the voltage is too low, now: the Pi may fail at any time"), remedy)
    elif flags & _LOW_BEFORE:
        yield Finding("supply", Status.NOTE, Text("the voltage was too low since the Pi was started"), remedy)
    elif flags & (_SLOW_NOW | _SLOW_BEFORE):
        cooler = Text("give it air, or a heat sink")
        yield Finding("supply", Status.NOTE, Text("the Pi was so hot that it slowed itself down"), cooler)
    else:
        yield Finding("supply", Status.GOOD, Text("the voltage has held since the Pi was started"))


def _supply_flags(root: Path) -> int | None:
    for file in root.glob(_FIRMWARE):
        with suppress(OSError, ValueError):
            return int(file.read_text(encoding="ascii"), 16)
    with suppress(ValueError):
        what, _, flags = (answer_of("vcgencmd", "get_throttled") or "").partition("=")
        return int(flags, 16) if what == "throttled" else None
    return None


def check_clock() -> Iterator[Finding]:
    """Check that the clock is synchronized; no finding without systemd."""
    shown = answer_of("timedatectl", "show")
    if shown is None:
        return
    clock = dict(line.partition("=")[::2] for line in shown.splitlines())
    late = Text("was not set since the start: the order in the journal is right, its times may not be")
    if clock.get("NTPSynchronized") == "yes":
        yield Finding("clock", Status.GOOD, Text("is set by the network"))
    elif clock.get("NTP") == "no":
        remedy = Text("setting it by the network is switched off")
        yield Finding("clock", Status.NOTE, late, remedy, ("timedatectl", "set-ntp", "true"))
    else:
        yield Finding("clock", Status.NOTE, late, Text("it is set once the network can be reached"))


def check_card(folder: Path, root: Path) -> Iterator[Finding]:
    """Check for errors of the file system with a folder: most SD cards report nothing else about their wear."""
    number = next(path for path in (folder, *folder.parents) if path.exists()).stat().st_dev
    part = (root / f"sys/dev/block/{os.major(number)}:{os.minor(number)}").resolve().name
    try:
        errors = int((root / f"sys/fs/ext4/{part}/errors_count").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return
    if errors:
        found = Text(
            "{disk}: the file system has met {number:,} error",
            plural="{disk}: the file system has met {number:,} errors",
        )
        remedy = Text("make a backup now, and put a new card in: 'dispenser restore' brings everything back")
        yield Finding("card", Status.WRONG, found.filled(disk=part, number=errors), remedy)
    else:
        yield Finding("card", Status.GOOD, Text("{disk}: the file system has met no error").filled(disk=part))


def check_wifi(root: Path) -> Iterator[Finding]:
    """Check the Wi-Fi's power saving, which delays packets, and the programs for a hotspot; skip without Wi-Fi."""
    names = sorted(path.parent.name for path in root.glob("sys/class/net/*/wireless"))
    if names and (lacking := lacking_for_hotspot()):
        found = Text("a Wi-Fi of the launcher's own cannot be opened without {packages}")
        remedy = Text("for a table without a network, install it now, while there is one")
        command = ("apt-get", "install", "-y", "--no-install-recommends", *lacking)
        yield Finding("hotspot", Status.NOTE, found.filled(packages=", ".join(lacking)), remedy, command)
    for name in names:
        answer = answer_of("iw", "dev", name, "get", "power_save")
        if answer is None:
            continue
        if answer.strip().endswith("off"):
            yield Finding("Wi-Fi", Status.GOOD, Text("{name}: stays awake").filled(name=name))
        else:
            found = Text("{name}: sleeps between two packets to save power, so phones wait").filled(name=name)
            command = ("sh", "-c", _KEEP_WIFI_AWAKE.format(name=shlex.quote(name)))
            yield Finding("Wi-Fi", Status.NOTE, found, Text("keep it awake, now and after each start"), command)
