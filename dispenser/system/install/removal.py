"""Takes the launcher off this machine; its settings and its journal stay, unless somebody wants them gone, too."""

from __future__ import annotations

import glob
from pathlib import Path

from dispenser.drivers.gpio import boot_config
from dispenser.i18n import Text
from dispenser.system.install.found import Found, journal_elsewhere
from dispenser.system.install.place import FOLDERS, UNITS, USER, WIFI_AWAKE, WIFI_AWAKE_TEXT, Place
from dispenser.system.install.steps import Remove, Run, Stage, Step, Write

HOTSPOT = "dispenser-hotspot.timer"
"""Is there where the launcher may have a Wi-Fi of its own, which is taken down while there is a program to do so."""

_BESIDE = (
    "",
    "-wal",
    "-shm",
    "-state",
    "-backup",
    "-restore",
    "-restore.draft",
    ".restoring",
    ".before-*",
    ".damaged-*",
)
"""What there may be of a journal, by what follows its name."""
_WITH_IT = (
    *("calibration.json", "calibration.json.before-*", "calibrated.toml", "calibrated.toml.before-*"),
    *("owners.json", "crashes"),
)


def removal(place: Place, found: Found, *, purge: bool) -> list[Stage]:
    """All there is to do, in order; each stage can be done again. The program goes last: it is what is running."""
    units = sorted(path.name for path in (place.root / UNITS).glob("dispenser*.*") if path.is_file())
    stop = [Run(("systemctl", "disable", "--now", "--quiet", *units), may_fail=True)] if units else []
    files = sorted(file for folder in set(FOLDERS.values()) for file in (place.root / folder).glob("*dispenser*"))
    gone: list[Step] = [Remove(file) for file in files]
    tell = [Run(("systemctl", "daemon-reload"), may_fail=True), Run(("udevadm", "control", "--reload"), may_fail=True)]
    network = [Run((place.home / "bin/dispenser", "hotspot", "off"), may_fail=True)] if HOTSPOT in units else []
    stages = [Stage(Text("The service"), [*network, *stop, *gone, *tell])]
    without = boot_config.without_line(found.boot_text)
    if found.boot_config is not None and without != found.boot_text:
        stages.append(
            Stage(Text("Its line in {file}").filled(file=found.boot_config), [Write(found.boot_config, without)])
        )
    wifi = place.root / WIFI_AWAKE
    if wifi.is_file() and wifi.read_text(encoding="utf-8") == WIFI_AWAKE_TEXT:
        asleep: list[Step] = [Remove(wifi), Run(("nmcli", "general", "reload", "conf"), may_fail=True)]
        stages.append(Stage(Text("What kept the Wi-Fi awake"), asleep))
    if purge:
        stages.append(Stage(Text("Its settings, its journal, its user"), _traces(place, found)))
    program = [Remove(place.root / "run/dispenser"), Remove(place.cache), Remove(place.home)]
    links = [link for link in (place.command, place.manual) if link.is_symlink()]
    program += [Remove(link) for link in links if link.readlink().is_relative_to(place.home)]
    return [*stages, Stage(Text("The program"), program)]


def _traces(place: Place, found: Found) -> list[Step]:
    return [
        *_of_journal_elsewhere(place, found),
        Remove(place.settings.parent),
        Remove(place.state),
        Run(("userdel", USER), may_fail=True),
        Run(("groupdel", USER), may_fail=True),
    ]


def _of_journal_elsewhere(place: Place, found: Found) -> list[Step]:
    """The journal and what lies beside it, but nothing else of a folder that may be somebody's home."""
    journal = journal_elsewhere(found.settings or "", Path("/") / place.state.relative_to(place.root))
    if journal is None:
        return []
    folder = place.root / journal.parent.relative_to("/")
    names = [f"{glob.escape(journal.name)}{suffix}" for suffix in _BESIDE]
    return [Remove(path) for name in (*names, *_WITH_IT) for path in sorted(folder.glob(name))]
