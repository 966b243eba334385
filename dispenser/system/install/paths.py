"""The files and folders of an installed launcher."""

from __future__ import annotations

from pathlib import Path

from dispenser.drivers.gpio import boot_config
from dispenser.system.unit import UNIT

USER = "dispenser"
PACKAGE = Path("usr/lib/card-dispenser")  # Where the Debian package has its files; below the root
UNITS = Path("etc/systemd/system")
FOLDERS = {
    "": UNITS,
    "sysusers.d": Path("etc/sysusers.d"),
    "tmpfiles.d": Path("etc/tmpfiles.d"),
    "udev": Path("etc/udev/rules.d"),
}
"""Where the files of each folder of ``systemd/`` belong."""
WIFI_AWAKE = Path("etc/NetworkManager/conf.d/dispenser-wifi.conf")
"""What ``dispenser doctor --fix`` writes, so that the Wi-Fi does not sleep; below the root."""
WIFI_AWAKE_TEXT = "[connection]\nwifi.powersave = 2\n"


class Paths:
    """The paths below ``root``, which is ``/`` except in tests.

    :ivar unfinished: exists from the first change of what runs until the launcher was seen to run; names the version
        that ran before.
    :ivar cache: temporary files of an installation, removed at its end.
    :ivar python: the system's own, for which apt's packages are.
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
        """Map each file of the folder ``systemd/`` to where it is installed.

        :param serial: whether the launcher is on a microcontroller, which has a udev rule of its own.
        """
        return {
            file: self.root / folder / file.name
            for part, folder in FOLDERS.items()
            for file in sorted((shipped / part).glob("*dispenser*.*"))
            if file.is_file() and (serial or "serial" not in file.name)
        }
