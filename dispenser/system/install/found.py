"""What is on this machine, as far as an installation wants to know; nothing is changed."""

from __future__ import annotations

import json
import os
import platform
import re
import sys
import tomllib
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dispenser.system.install.place import SERVICE, UNITS, Place
from dispenser.system.install.steps import ran
from dispenser.system.programs import AVAHI, lacking_for_hotspot, place_of

COMPLETE = "complete"
"""A file in the folder of a version that is whole."""
PIWHEELS = "piwheels.org"
_ASK_PYTHON = (
    "import json, sys, importlib.util as i; "
    "print(json.dumps([list(sys.version_info[:2]), sys.maxsize > 2**32, bool(i.find_spec('ensurepip')), "
    "bool(i.find_spec('lgpio'))]))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What is there.

    :ivar python: the version of the system's Python; ``None`` when there is none.
    :ivar machine: the processor that its programs are for, such as ``aarch64``.
    :ivar has_ensurepip: whether virtual environments can be made.
    :ivar has_lgpio: whether the system's Python has lgpio.
    :ivar lacking_for_hotspot: Debian's packages without which the launcher cannot open a Wi-Fi of its own.
    :ivar has_avahi: whether something answers for this machine's ``.local`` name.
    :ivar has_piwheels: whether pip looks for packages at piwheels.org.
    :ivar boot_config: the Pi's ``config.txt``; ``None`` where there is none.
    :ivar settings: the text of the settings; ``None`` where there are none.
    :ivar enabled: units of ours that start with the Pi.
    :ivar language: in which the service speaks; empty when nobody has said.
    :ivar current: the name of the version that is linked.
    :ivar versions: the names of those that are whole; ``partial`` of the others.
    :ivar unfinished: an installation has begun to change what runs, and not ended.
    :ivar ran_before: the name of the version that ran before it.
    :ivar from_guide: the program lies there as an earlier build guide told.
    :ivar runs: whether the service is active.
    :ivar person: who has called ``sudo``; empty for nobody.
    """

    python: tuple[int, int] | None
    machine: str = "aarch64"
    has_ensurepip: bool = True
    has_lgpio: bool = False
    has_piwheels: bool = False
    lacking_for_hotspot: tuple[str, ...] = ()
    has_avahi: bool = True
    boot_config: Path | None = None
    boot_text: str = ""
    settings: str | None = None
    enabled: frozenset[str] = field(default_factory=frozenset)
    language: str = ""
    current: str = ""
    versions: frozenset[str] = field(default_factory=frozenset)
    partial: frozenset[str] = field(default_factory=frozenset)
    unfinished: bool = False
    ran_before: str = ""
    from_guide: bool = False
    runs: bool = False
    person: str = ""


def look(place: Place) -> Found:
    """Look around."""
    python, wide, has_ensurepip, has_lgpio = _ask_python(place)
    person = os.environ.get("SUDO_USER", "")
    boot = next((path for path in place.boot_configs if path.is_file()), None)
    whole = frozenset(mark.parent.name for mark in place.versions.glob(f"*/{COMPLETE}"))
    return Found(
        python=python,
        machine=machine_of(platform.machine(), wide=wide),
        has_ensurepip=has_ensurepip,
        has_lgpio=has_lgpio,
        has_piwheels=any(PIWHEELS in _text(place.root / name) for name in ("etc/pip.conf", "etc/xdg/pip/pip.conf")),
        lacking_for_hotspot=tuple(lacking_for_hotspot()),
        has_avahi=place_of(AVAHI) is not None,
        boot_config=boot,
        boot_text=_text(boot) if boot else "",
        settings=_text(place.settings) if place.settings.exists() else None,
        enabled=_enabled(place),
        language=(re.findall(r"LANGUAGE=(\w+)", _text(place.language)) or [""])[0],
        current=place.current.readlink().name if place.current.is_symlink() else "",
        versions=whole,
        partial=frozenset(folder.name for folder in place.versions.glob("*")) - whole,
        unfinished=place.unfinished.exists(),
        ran_before=_text(place.unfinished).strip(),
        from_guide=(place.home / "pyvenv.cfg").exists(),
        runs=ran(["systemctl", "is-active", "--quiet", SERVICE]).returncode == 0,
        person="" if person == "root" else person,
    )


def machine_of(kernel: str, *, wide: bool) -> str:
    """The processor that programs are for; Raspberry Pi OS of 32 bits may have a kernel of 64."""
    return kernel if wide else {"aarch64": "armv7l", "armv8l": "armv7l", "x86_64": "i686"}.get(kernel, kernel)


def is_serial(settings: str) -> bool:
    """Whether settings, as TOML, are for a launcher on a microcontroller."""
    return _table(settings, "driver").get("kind") == "serial"


def is_open(settings: str) -> bool:
    """Whether settings let phones open the page."""
    web = _table(settings, "web")
    return bool(web.get("lan")) or "token" in web


def journal_elsewhere(settings: str, state: Path) -> Path | None:
    """Where settings, as TOML, have the journal, if that is not in the folder of the service's state."""
    path = _table(settings, "journal").get("path")
    if not isinstance(path, str) or not path.startswith("/") or Path(path).is_relative_to(state):
        return None
    return Path(path)


def _table(settings: str, name: str) -> dict[str, Any]:
    with suppress(tomllib.TOMLDecodeError):
        table = tomllib.loads(settings).get(name)
        return table if isinstance(table, dict) else {}
    return {}


def _enabled(place: Place) -> frozenset[str]:
    units = [unit.name for unit in sorted((place.root / UNITS).glob("dispenser*.*")) if unit.is_file()]
    return frozenset(unit for unit in units if ran(["systemctl", "is-enabled", "--quiet", unit]).returncode == 0)


def _ask_python(place: Place) -> tuple[tuple[int, int] | None, bool, bool, bool]:
    asked = ran([place.python, "-I", "-c", _ASK_PYTHON])
    if asked.returncode:
        return None, sys.maxsize > 2**32, False, False
    (major, minor), wide, has_ensurepip, has_lgpio = json.loads(asked.stdout)
    return (major, minor), wide, has_ensurepip, has_lgpio


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
