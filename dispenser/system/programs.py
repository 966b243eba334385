"""Run programs of the system, such as ``systemctl``, and return what they print."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Final

from dispenser.i18n import SpokenError, Text

SYSTEM_FOLDERS: Final = ("/usr/local/sbin", "/usr/sbin", "/sbin")
"""Where programs for root are, which is not on everybody's ``PATH``."""
HOTSPOT_PACKAGES: Final = {"nmcli": "network-manager", "iw": "iw", "dnsmasq": "dnsmasq-base"}
"""Debian's packages of the programs that a Wi-Fi of the launcher's own needs; NetworkManager starts dnsmasq."""
AVAHI: Final = "avahi-daemon"
"""Debian's package and its program, which answers phones that look for this machine's ``.local`` name."""


class ProgramError(SpokenError, OSError):
    """A program of the system is not there, takes too long, or fails; the text says which and why."""


def place_of(program: str) -> str | None:
    """Where a program is; ``None`` where it is not."""
    return shutil.which(program, path=os.pathsep.join((os.environ.get("PATH", os.defpath), *SYSTEM_FOLDERS)))


def lacking_for_hotspot() -> list[str]:
    """The packages that NetworkManager, where it is, needs for a Wi-Fi of the launcher's own."""
    if place_of("nmcli") is None:
        return []
    return [package for program, package in HOTSPOT_PACKAGES.items() if place_of(program) is None]


def ask(program: str, *arguments: str, timeout_s: float = 10.0) -> str:
    """:raises ProgramError: it is not there, takes too long, or fails."""
    found = place_of(program)
    if found is None:
        missing = Text("{program} is missing, which belongs to {package}; Raspberry Pi OS 12 and later have both")
        raise ProgramError(missing.filled(program=program, package=HOTSPOT_PACKAGES.get(program, "systemd")))
    command = Text("{command}: {why}").filled(command=" ".join((program, *arguments)))
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and words of ours
            [found, *arguments],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env=os.environ | {"LC_ALL": "C.UTF-8"},  # some translate even for programs, as nmcli does its states
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ProgramError(command.filled(why=Text("no answer"))) from error
    except OSError as error:
        raise ProgramError(command.filled(why=error)) from error
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())
        raise ProgramError(command.filled(why=said or f"exit code {done.returncode}"))
    return done.stdout


def answer_of(program: str, *arguments: str, timeout_s: float = 10.0) -> str | None:
    """What a program prints; ``None`` where it is not there, fails, or takes too long, and nobody asks why."""
    try:
        return ask(program, *arguments, timeout_s=timeout_s)
    except ProgramError:
        return None
