"""What is on this machine, as far as an installation needs it; nothing is changed."""

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
from dispenser.system.install.paths import SERVICE, UNITS, Paths
from dispenser.system.programs import AVAHI, lacking_for_hotspot, place_of

COMPLETE = "complete"
"""A file in the folder of a version that is whole."""
_ASK_PYTHON = (
    "import json, sys, sysconfig; from importlib.util import find_spec as has; print(json.dumps("
    "[sys.version_info[:2], sysconfig.get_config_var('MULTIARCH') or '', bool(has('ensurepip')), bool(has('lgpio'))]))"
)


class Detected:
    """What is there.

    :ivar python: the version of the system's Python.
    :ivar machine: the processor that it is for: ``aarch64``, ``x86_64``, ``arm``, which is 32 bits, or another one.
    :ivar has_ensurepip: whether it can make virtual environments; ``has_lgpio`` whether it has that.
    :ivar missing_optional: Debian's packages for a Wi-Fi of the launcher's own and for its ``.local`` name.
    :ivar boot_config: the Pi's ``config.txt``; ``None`` where there is none.
    :ivar settings: the text of the settings; ``None`` where there are none.
    :ivar language: in which the service speaks; empty where it is not set.
    :ivar versions: the names of the complete versions.
    :ivar current: the name of the version that is linked.
    :ivar unfinished: an installation has begun to change what runs, and not ended; ``ran_before`` names the version
        that ran before it.
    :ivar units: of ours that are installed; ``enabled`` those that start with the Pi.
    :ivar person: who has called ``sudo``; empty for nobody.
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
        self.enabled = {unit for unit in self.units if _systemctl("is-enabled", unit)}
        self.is_running = _systemctl("is-active", SERVICE)
        self.person = os.environ.get("SUDO_USER", "root").removeprefix("root")


def setting(settings: str, table: str, key: str) -> Any:
    """A value of settings, as TOML; ``None`` where it is not set."""
    with suppress(tomllib.TOMLDecodeError, KeyError, TypeError):
        return tomllib.loads(settings)[table][key]
    return None


def _systemctl(question: str, unit: str) -> bool:
    return run(["systemctl", question, "--quiet", unit]).returncode == 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
