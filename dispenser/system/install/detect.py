"""What is on this machine, as far as an installation needs it; nothing is changed."""

from __future__ import annotations

import json
import os
import re
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dispenser.i18n import Text
from dispenser.system.install.actions import InstallError, run
from dispenser.system.install.paths import SERVICE, UNITS, Paths
from dispenser.system.programs import AVAHI, lacking_for_hotspot, place_of

COMPLETE = "complete"
"""A file in the folder of a version that is whole."""
_ASK_PYTHON = (
    "import json, sys, sysconfig; from importlib.util import find_spec as has; print(json.dumps("
    "[sys.version_info[:2], sysconfig.get_config_var('MULTIARCH') or '', bool(has('ensurepip')), bool(has('lgpio'))]))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Detected:
    """What is there.

    :ivar python: the version of the system's Python.
    :ivar machine: the processor that it is for: ``aarch64``, ``x86_64``, ``arm``, which is 32 bits, or another one.
    :ivar has_ensurepip: whether it can make virtual environments; ``has_lgpio`` whether it has that.
    :ivar missing_optional: Debian's packages for a Wi-Fi of the launcher's own and for its ``.local`` name.
    :ivar boot_config: the Pi's ``config.txt``; ``None`` where there is none.
    :ivar settings: the text of the settings; ``None`` where there are none.
    :ivar versions: the names of the complete versions; ``partial`` of the others.
    :ivar current: the name of the version that is linked.
    :ivar unfinished: an installation has begun to change what runs, and not ended; ``ran_before`` names the version
        that ran before it.
    :ivar enabled: units of ours that start with the Pi.
    :ivar person: who has called ``sudo``; empty for nobody.
    """

    python: tuple[int, int]
    machine: str = "aarch64"
    has_ensurepip: bool = True
    has_lgpio: bool = False
    missing_optional: tuple[str, ...] = ()
    boot_config: Path | None = None
    boot_text: str = ""
    settings: str | None = None
    language: str = ""
    versions: frozenset[str] = frozenset()
    partial: frozenset[str] = frozenset()
    current: str = ""
    unfinished: bool = False
    ran_before: str = ""
    enabled: frozenset[str] = frozenset()
    is_running: bool = False
    person: str = ""


def detect(paths: Paths) -> Detected:
    """Look at the machine."""
    python, multiarch, has_ensurepip, has_lgpio = _ask_python(paths)
    boot = next((path for path in paths.boot_configs if path.is_file()), None)
    complete = frozenset(mark.parent.name for mark in paths.versions.glob(f"*/{COMPLETE}"))
    units = [unit.name for unit in (paths.root / UNITS).glob("dispenser*.*") if unit.is_file()]
    return Detected(
        python=(python[0], python[1]),
        machine=multiarch.partition("-")[0],
        has_ensurepip=has_ensurepip,
        has_lgpio=has_lgpio,
        missing_optional=(*lacking_for_hotspot(), *([] if place_of(AVAHI) else [AVAHI])),
        boot_config=boot,
        boot_text=_text(boot) if boot else "",
        settings=_text(paths.settings) if paths.settings.exists() else None,
        language=(re.findall(r"LANGUAGE=(\w+)", _text(paths.language)) or [""])[0],
        versions=complete,
        partial=frozenset(folder.name for folder in paths.versions.glob("*")) - complete,
        current=paths.current.readlink().name if paths.current.is_symlink() else "",
        unfinished=paths.unfinished.exists(),
        ran_before=_text(paths.unfinished).strip(),
        enabled=frozenset(unit for unit in units if _systemctl("is-enabled", unit)),
        is_running=_systemctl("is-active", SERVICE),
        person=os.environ.get("SUDO_USER", "root").removeprefix("root"),
    )


def is_serial(settings: str) -> bool:
    """Whether settings, as TOML, are for a launcher on a microcontroller."""
    return _table(settings, "driver").get("kind") == "serial"


def is_open(settings: str) -> bool:
    """Whether settings let phones open the page."""
    web = _table(settings, "web")
    return bool(web.get("lan")) or "token" in web


def journal_of(settings: str) -> Path | None:
    """Where settings, as TOML, have the journal; ``None`` for its usual place."""
    path = _table(settings, "journal").get("path")
    return Path(path) if isinstance(path, str) else None


def _table(settings: str, name: str) -> dict[str, Any]:
    with suppress(tomllib.TOMLDecodeError):
        table = tomllib.loads(settings).get(name)
        return table if isinstance(table, dict) else {}
    return {}


def _systemctl(question: str, unit: str) -> bool:
    return run(["systemctl", question, "--quiet", unit]).returncode == 0


def _ask_python(paths: Paths) -> tuple[list[int], str, bool, bool]:
    asked = run([paths.python, "-I", "-c", _ASK_PYTHON])
    if asked.returncode:
        raise InstallError(Text("{python} does not run: sudo apt install python3").filled(python=paths.python))
    answer: tuple[list[int], str, bool, bool] = json.loads(asked.stdout)
    return answer


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
