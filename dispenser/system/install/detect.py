"""Detect what is on this machine; nothing is changed."""

from __future__ import annotations

import json
import os
import re
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

from dispenser.i18n import Text
from dispenser.system.install.actions import InstallError, run
from dispenser.system.install.paths import UNITS, Paths
from dispenser.system.programs import AVAHI, answer_of, lacking_for_hotspot, place_of
from dispenser.system.unit import UNIT

COMPLETE = "complete"  # Marker file in the folder of a completely installed version
_ASK_PYTHON = (
    "import json, sys, sysconfig; from importlib.util import find_spec as has; print(json.dumps("
    "[sys.version_info[:2], sysconfig.get_config_var('MULTIARCH') or '', bool(has('ensurepip')), bool(has('lgpio'))]))"
)


class Detected:
    """The state of this machine.

    :ivar machine: architecture of the Python build: ``aarch64``, ``x86_64``, ``arm`` (32 bits), or another one.
    :ivar has_ensurepip: whether Python can create virtual environments.
    :ivar missing_optional: Debian packages missing for the hotspot and for the ``.local`` name.
    :ivar versions: names of complete versions; ``current`` is the one that the link points to.
    :ivar unfinished: an installation was interrupted while it changed the running version; ``ran_before`` is the
        version before.
    :ivar person: the user who called ``sudo``; empty for nobody.
    """

    def __init__(self, paths: Paths) -> None:
        asked = run([paths.python, "-I", "-c", _ASK_PYTHON])
        if asked.returncode:
            raise InstallError(Text("{python} does not run: sudo apt install python3").filled(python=paths.python))
        python, multiarch, self.has_ensurepip, self.has_lgpio = json.loads(asked.stdout)
        self.python: tuple[int, int] = tuple(python)
        self.machine: str = multiarch.partition("-")[0]
        self.missing_optional = [*lacking_for_hotspot(), *([] if place_of(AVAHI) else [AVAHI])]
        self.boot_config = next((path for path in paths.boot_configs if path.is_file()), None)
        self.boot_text = _text(self.boot_config) if self.boot_config else ""
        self.settings = _text(paths.settings) if paths.settings.exists() else None
        self.language = (re.findall(r"LANGUAGE=(\w+)", _text(paths.language)) or [""])[0]
        self.versions = {mark.parent.name for mark in paths.versions.glob(f"*/{COMPLETE}")}
        self.current = paths.current.readlink().name if paths.current.is_symlink() else ""
        self.unfinished = paths.unfinished.exists()
        self.ran_before = _text(paths.unfinished).strip()
        self.units = sorted(unit.name for unit in (paths.root / UNITS).glob("dispenser*.*") if unit.is_file())
        self.enabled = {unit for unit in self.units if answer_of("systemctl", "is-enabled", unit) is not None}
        self.is_running = answer_of("systemctl", "is-active", UNIT) is not None
        self.person = os.environ.get("SUDO_USER", "root").removeprefix("root")


def setting(settings: str, table: str, key: str) -> Any:
    """Return a value from settings in TOML; ``None`` if it is not set."""
    with suppress(tomllib.TOMLDecodeError, KeyError, TypeError):
        return tomllib.loads(settings)[table][key]
    return None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
