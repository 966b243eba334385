"""Takes the launcher off this machine; its settings and its journal stay, unless somebody wants them gone, too."""

from __future__ import annotations

from dispenser.host.install import boot_config
from dispenser.host.install.found import Found
from dispenser.host.install.place import FOLDERS, UNITS, USER, Place
from dispenser.host.install.steps import Remove, Run, Stage, Step, Write
from dispenser.language import Text

HOTSPOT = "dispenser-hotspot.timer"
"""Is there where the launcher may have a Wi-Fi of its own, which is taken down while there is a program to do so."""


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
    if purge:
        stages.append(Stage(Text("Its settings, its journal, its user"), _traces(place)))
    program = [Remove(place.root / "run/dispenser"), Remove(place.cache), Remove(place.home)]
    links = [link for link in (place.command, place.manual) if link.is_symlink()]
    program += [Remove(link) for link in links if link.readlink().is_relative_to(place.home)]
    return [*stages, Stage(Text("The program"), program)]


def _traces(place: Place) -> list[Step]:
    return [
        Remove(place.settings.parent),
        Remove(place.state),
        Run(("userdel", USER), may_fail=True),
        Run(("groupdel", USER), may_fail=True),
    ]
