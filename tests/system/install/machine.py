"""A machine in a folder, whose programs write down how they were called and do a little of what they should."""

from __future__ import annotations

import re
import stat
from pathlib import Path

from dispenser.system.install.installer import Installer
from dispenser.system.install.options import Options
from dispenser.system.install.paths import Paths
from dispenser.system.install.source import Source

ROOT = Path(__file__).parents[3]
HEAD = """#!/bin/sh
echo "${{0##*/}} $*" >> {log}/calls
if [ -e {log}/killed ]; then
    read -r words < {log}/killed; case "${{0##*/}} $*" in *"$words"*) echo killed; exit 137 ;; esac
fi
"""
SYSTEMCTL = """
case "$1" in
is-active) [ -e {log}/runs ] ;;
restart) rm -f {log}/runs
    case "$(readlink {root}/opt/dispenser/current)" in */"$(cat {log}/broken)"-*) exit 1 ;; esac
    basename "$(readlink {root}/opt/dispenser/current)" > {log}/runs ;;
enable) shift 2; echo " $* " > {log}/enabled ;;
is-enabled) case "$(cat {log}/enabled)" in *" $2 "*) ;; *) exit 1 ;; esac ;;
disable) rm -f {log}/runs ;;
show) if [ -e {log}/runs ]; then echo 7; else echo 0; fi ;;
esac
"""
PYTHON = """
case "$*" in
*ensurepip*) cat {log}/python ;;
*"-m venv"*) for folder; do :; done
    mkdir -p "$folder/bin"; cp {log}/pip "$folder/bin/python" ;;
esac
"""
PIP = r"""
case "$*" in
*" install "*) version=$(dirname "$(dirname "$0")")
    share=$version/share/card-dispenser
    mkdir -p "$share"; cp -r {repository}/systemd "$share"
    echo "# of $(basename "$version")" >> "$share/systemd/dispenser.service"
    printf '#!/bin/sh\necho "dispenser $*" >> {log}/calls\n' > "$version/bin/dispenser"
    chmod +x "$version/bin/dispenser" ;;
esac
"""
SIMPLE = (
    *("journalctl", "systemd-sysusers", "systemd-tmpfiles", "udevadm"),
    *("usermod", "userdel", "groupdel", "sync", "apt-get", "nmcli", "iw", "dnsmasq", "avahi-daemon"),
)
SWITCHED_ON = "[all]\ndtoverlay=disable-bt\n"
OPTIONS = Options(board="raspberry-pi-mosfet", language="fr", phones=True, config_txt=True)


class Machine:
    """Raspberry Pi OS of 64 bits in ``root``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.paths = Paths(folder / "root")
        self.log = folder / "log"
        self.log.mkdir()
        self.broken()
        (self.log / "enabled").touch()
        self.python('[[3, 11], "aarch64-linux-gnu", true, false]')
        for name, script in (("systemctl", SYSTEMCTL), *((name, "") for name in SIMPLE)):
            self._write(self.programs / name, script)
        self._write(self.paths.python, PYTHON)
        self._write(self.log / "pip", PIP)
        self.boot = self.paths.boot_configs[0]
        self.boot.parent.mkdir(parents=True)
        self.boot.write_text(SWITCHED_ON)

    @property
    def programs(self) -> Path:
        return self.folder / "programs"

    def _write(self, path: Path, script: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((HEAD + script).format(log=self.log, root=self.paths.root, repository=ROOT))
        path.chmod(stat.S_IRWXU)

    def python(self, answer: str) -> None:
        """What the system's Python says of itself."""
        (self.log / "python").write_text(answer)

    def broken(self, version: str = "") -> None:
        """Let this version not start."""
        (self.log / "broken").write_text(version)

    def kills(self, words: str) -> None:
        """Let each program that is called with these words fail."""
        (self.log / "killed").write_text(f"{words}\n")

    def installer(self, version: str = "1.0", *, wheels: Path | None = None, dry_run: bool = False) -> Installer:
        source = Source(f"{version}-0", ROOT, wheels)
        return Installer(self.paths, "en", dry_run=dry_run, source=source)

    def calls(self) -> list[str]:
        return (self.log / "calls").read_text().splitlines()

    def runs(self) -> str:
        """The version that runs; empty when none does."""
        runs = self.log / "runs"
        return runs.read_text().strip().partition("-")[0] if runs.exists() else ""

    def versions(self) -> list[str]:
        return sorted(folder.name.partition("-")[0] for folder in self.paths.versions.iterdir())

    def state(self) -> dict[str, str]:
        """Everything that is there; a token is like any other."""
        found = {}
        for path in sorted(self.paths.root.rglob("*")):
            if path.is_symlink():
                what = f"-> {path.readlink()}"
            elif path.is_dir():
                what = "folder"
            else:
                what = f"{stat.S_IMODE(path.stat().st_mode):o} {path.read_text()}"
            found[str(path.relative_to(self.paths.root))] = re.sub(r'token = "\w+"', "token", what)
        return found

    def files(self) -> dict[str, str]:
        """As ``state``, without folders."""
        return {path: what for path, what in self.state().items() if what != "folder"}
