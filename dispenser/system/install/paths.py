"""The files and folders of an installed launcher."""

from __future__ import annotations

from pathlib import Path

from dispenser.drivers.gpio import boot_config
from dispenser.system.unit import UNIT

USER = "dispenser"
PACKAGE = Path("usr/lib/card-dispenser")  # Folder of the Debian package's files; relative to the root
UNITS = Path("etc/systemd/system")
FOLDERS = {
    "": UNITS,
    "sysusers.d": Path("etc/sysusers.d"),
    "tmpfiles.d": Path("etc/tmpfiles.d"),
    "udev": Path("etc/udev/rules.d"),
}
"""Destination of each subfolder of ``systemd/``."""
WIFI_AWAKE = Path("etc/NetworkManager/conf.d/dispenser-wifi.conf")
"""File by which ``dispenser doctor --fix`` disables the Wi-Fi's power saving; relative to the root."""
WIFI_AWAKE_TEXT = "[connection]\nwifi.powersave = 2\n"


class Paths:
    """The paths below ``root``, which is ``/`` except in tests.

    :ivar unfinished: exists while the running version is being changed, until the new one was seen to run; contains the
        name of the version before.
    :ivar cache: temporary files of an installation, removed at its end.
    :ivar python: the system's Python, to which apt's packages belong.
    """

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root
        self.home = root / "opt/dispenser"
        self.versions = self.home / "versions"
        self.current = self.home / "current"
        self.unfinished = self.home / "unfinished"
        self.command = root / "usr/local/bin/dispenser"
        self.manual = root / "usr/local/share/man/man1/dispenser.1"
        self.settings = root / "etc/dispenser/dispenser.toml"
        self.language = root / UNITS / f"{UNIT}.d/language.conf"
        self.state = root / "var/lib/dispenser"
        self.cache = root / "var/cache/dispenser-install"
        self.python = root / "usr/bin/python3"
        self.boot_configs = [root / file.relative_to("/") for file in boot_config.FILES]

    def system_files(self, shipped: Path, *, serial: bool) -> dict[Path, Path]:
        """Map each file of the folder ``systemd/`` to its destination.

        :param serial: whether the launcher is on a microcontroller, which needs an additional udev rule.
        """
        return {
            file: self.root / folder / file.name
            for part, folder in FOLDERS.items()
            for file in sorted((shipped / part).glob("*dispenser*.*"))
            if file.is_file() and (serial or "serial" not in file.name)
        }
