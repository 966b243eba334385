"""Where everything is on a machine with a launcher."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SERVICE = "dispenser.service"
USER = "dispenser"
PACKAGE = Path("usr/lib/card-dispenser")
"""Where the Debian package has its files; below the root."""
UNITS = Path("etc/systemd/system")
RULES = Path("etc/udev/rules.d")
FOLDERS = {"": UNITS, "sysusers.d": Path("etc/sysusers.d"), "tmpfiles.d": Path("etc/tmpfiles.d"), "udev": RULES}
"""Where the files of each folder of ``systemd/`` belong."""
WIFI_AWAKE = Path("etc/NetworkManager/conf.d/dispenser-wifi.conf")
"""What ``dispenser doctor --fix`` writes, so that the Wi-Fi does not sleep; below the root."""
WIFI_AWAKE_TEXT = "[connection]\nwifi.powersave = 2\n"


@dataclass(frozen=True, slots=True)
class Place:
    """The paths, below ``root``: ``/`` but in tests."""

    root: Path = Path("/")

    @property
    def home(self) -> Path:
        return self.root / "opt/dispenser"

    @property
    def versions(self) -> Path:
        return self.home / "versions"

    @property
    def current(self) -> Path:
        """A link to the version that runs."""
        return self.home / "current"

    @property
    def unfinished(self) -> Path:
        """Is there from the first change of what runs until the launcher was seen to run; names what ran before."""
        return self.home / "unfinished"

    @property
    def command(self) -> Path:
        return self.root / "usr/local/bin/dispenser"

    @property
    def manual(self) -> Path:
        """A link to the manual page of the version that runs, where ``man`` looks."""
        return self.root / "usr/local/share/man/man1/dispenser.1"

    @property
    def settings(self) -> Path:
        return self.root / "etc/dispenser/dispenser.toml"

    @property
    def state(self) -> Path:
        return self.root / "var/lib/dispenser"

    @property
    def cache(self) -> Path:
        """All that an installation leaves lying about; removed at its end."""
        return self.root / "var/cache/dispenser-install"

    @property
    def language(self) -> Path:
        """In which language the service speaks to the system's journal."""
        return self.root / UNITS / f"{SERVICE}.d" / "language.conf"

    @property
    def python(self) -> Path:
        """The system's own, which apt's packages are for."""
        return self.root / "usr/bin/python3"

    @property
    def boot_configs(self) -> tuple[Path, ...]:
        """The firmware's settings of a Raspberry Pi: of today, and of Raspberry Pi OS before Bookworm."""
        return self.root / "boot/firmware/config.txt", self.root / "boot/config.txt"

    def system_files(self, shipped: Path, *, serial: bool) -> dict[Path, Path]:
        """Of each file of the folder ``systemd/`` where it belongs.

        :param serial: whether the launcher is on a microcontroller, for which there is a rule of its own.
        """
        found = {}
        for part, folder in FOLDERS.items():
            for file in sorted((shipped / part).glob("*.*")):
                if file.is_file() and (serial or "serial" not in file.name):
                    found[file] = self.root / folder / file.name
        return found
