"""Run programs of the system, such as ``systemctl``, and return what they print."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Final

from dispenser.i18n import SpokenError, Text

SYSTEM_FOLDERS: Final = ("/usr/local/sbin", "/usr/sbin", "/sbin")
"""Folders of programs for root, which are not in every user's ``PATH``."""
HOTSPOT_PACKAGES: Final = {"nmcli": "network-manager", "iw": "iw", "dnsmasq": "dnsmasq-base"}
"""Debian packages of the programs that the hotspot needs; NetworkManager starts dnsmasq."""
AVAHI: Final = "avahi-daemon"
"""Debian package and program that answers mDNS queries for this machine's ``.local`` name."""


class ProgramError(SpokenError, OSError):
    """A program of the system is missing, fails, or takes too long. The text says which and why."""


def place_of(program: str) -> str | None:
    """Return the path of a program; ``None`` if it is not installed."""
    return shutil.which(program, path=os.pathsep.join((os.environ.get("PATH", os.defpath), *SYSTEM_FOLDERS)))


def lacking_for_hotspot() -> list[str]:
    """Return the missing packages for the hotspot; none if NetworkManager is not installed."""
    if place_of("nmcli") is None:
        return []
    return [package for program, package in HOTSPOT_PACKAGES.items() if place_of(program) is None]


def ask(program: str, *arguments: str, timeout_s: float = 10.0) -> str:
    """Run a program and return its output; raise ``ProgramError`` if it is missing, fails, or takes too long."""
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
            env=os.environ | {"LC_ALL": "C.UTF-8"},  # nmcli translates states even in terse output
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
    """Return the output of a program; ``None`` if it is missing, fails, or takes too long."""
    try:
        return ask(program, *arguments, timeout_s=timeout_s)
    except ProgramError:
        return None
