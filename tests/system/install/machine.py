"""A machine in a folder, whose programs write down how they were called and do a little of what they should."""

from __future__ import annotations

import os
import re
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

from dispenser.system.install.dialogue import Dialogue
from dispenser.system.install.place import Place
from dispenser.system.install.steps import Step
from dispenser.system.install.wishes import Wishes

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
    case " $(cat {log}/broken) " in *" $(cat {root}/opt/dispenser/current/made-of) "*) exit 1 ;; esac
    basename "$(readlink {root}/opt/dispenser/current)" > {log}/runs ;;
enable) shift 2; echo " $* " > {log}/enabled ;;
is-enabled) case "$(cat {log}/enabled)" in *" $3 "*) ;; *) exit 1 ;; esac ;;
disable) rm -f {log}/runs ;;
show) if [ -e {log}/runs ]; then echo ActiveState=active; echo MainPID=7; else echo ActiveState=failed; fi ;;
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
*" install "*) version=$(dirname "$(dirname "$4")")
    for what; do :; done
    mkdir -p "$version/share/card-dispenser/systemd"
    printf '#!/bin/sh\necho "dispenser $*" >> {log}/calls\n[ "dispenser $*" != "$(cat {log}/killed 2>&-)" ]\n' \
        > "$version/bin/dispenser"
    chmod +x "$version/bin/dispenser"
    what=${{what##*card_dispenser-}}; echo "${{what%%-*}}" > "$version/made-of"
    echo "# the unit of $(cat "$version/made-of")" > "$version/share/card-dispenser/systemd/dispenser.service" ;;
esac
"""
APT = """
left=$(cat {log}/locked 2>/dev/null || echo 0)
if [ "$left" -gt 0 ]; then
    echo $((left - 1)) > {log}/locked
    echo "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (unattended-upgr)"; exit 100
fi
"""
SIMPLE = (
    *("journalctl", "systemd-sysusers", "systemd-tmpfiles", "udevadm"),
    *("usermod", "userdel", "groupdel", "sync", "nmcli", "iw", "dnsmasq", "avahi-daemon"),
)
SWITCHED_ON = "[all]\ndtoverlay=disable-bt\n"
WISHES = Wishes(board="raspberry-pi-mosfet", language="fr", phones=True, config_txt=True)


class Machine:
    """Raspberry Pi OS of 64 bits in ``root``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.place = Place(folder / "root")
        self.log = folder / "log"
        self.log.mkdir()
        self.broken()
        (self.log / "enabled").touch()
        self.python("[[3, 11], true, true, false]")
        self._program("systemctl", SYSTEMCTL)
        self._program("apt-get", APT)
        for name in SIMPLE:
            self._program(name, "")
        self._write(self.place.python, PYTHON)
        self._write(self.log / "pip", PIP)
        self.boot = self.place.boot_configs[0]
        self.boot.parent.mkdir(parents=True)
        self.boot.write_text(SWITCHED_ON)

    @property
    def programs(self) -> Path:
        return self.folder / "programs"

    def _program(self, name: str, script: str) -> None:
        self._write(self.programs / name, script)

    def _write(self, path: Path, script: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((HEAD + script).format(log=self.log, root=self.place.root))
        path.chmod(stat.S_IRWXU)

    def python(self, answer: str) -> None:
        """What the system's Python says of itself."""
        (self.log / "python").write_text(answer)

    def lock_apt(self, times: int) -> None:
        """So many times another program has apt's lock."""
        (self.log / "locked").write_text(str(times))

    def broken(self, *contents: str) -> None:
        """Wheels of this content do not start."""
        (self.log / "broken").write_text(" ".join(contents))

    def kills(self, words: str) -> None:
        """Let each program that is called with these words fail; with none, none."""
        killed = self.log / "killed"
        killed.unlink(missing_ok=True)
        if words:
            killed.write_text(f"{words}\n")

    def wheel(self, content: str) -> Path:
        path = self.folder / f"card_dispenser-{content}-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as wheel:
            wheel.writestr(zipfile.ZipInfo("dispenser/version"), content)
        return path

    def dialogue(self, before: Callable[[Step], None] = lambda _: None) -> Dialogue:
        return Dialogue(self.place, "en", settle_s=0, before=before)

    def calls(self) -> list[str]:
        return (self.log / "calls").read_text().splitlines()

    def runs(self) -> str:
        """The version that runs; empty when none does."""
        runs = self.log / "runs"
        return runs.read_text().strip().partition("-")[0] if runs.exists() else ""

    def versions(self) -> list[str]:
        return sorted(folder.name.partition("-")[0] for folder in self.place.versions.iterdir())

    def state(self) -> dict[str, str]:
        """Everything that is there; a token is like any other."""
        found = {}
        for path in sorted(self.place.root.rglob("*")):
            if path.is_symlink():
                what = f"-> {path.readlink()}"
            elif path.is_dir():
                what = "folder"
            else:
                what = f"{stat.S_IMODE(path.stat().st_mode):o} {path.read_text()}"
            found[str(path.relative_to(self.place.root))] = re.sub(r'token = "\w+"', "token", what)
        return found


def path_with(machine: Machine) -> str:
    return f"{machine.programs}:{os.defpath}"
