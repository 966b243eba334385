"""Looks over everything a launcher needs on this machine, and moves nothing: no output pin is ever driven."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dispenser.client import ApiError, LauncherClient, NotALauncherError, UnreachableError, local_url
from dispenser.config import ConfigError, Settings, find_config, load
from dispenser.drivers.findings import Finding, Status
from dispenser.drivers.kinds import kind_of
from dispenser.journal import DAMAGED, Journal, JournalError, JournalMissingError
from dispenser.journal.check import JournalCheck
from dispenser.journal.damage import put_aside_before
from dispenser.journal.errors import MIN_FREE_BYTES
from dispenser.journal.lock import writer_of
from dispenser.launcher.messages import AWAITING_A_PERSON, State

OLDEST_PYTHON = (3, 11)
UNIT = "dispenser.service"
LITTLE_ROOM_BYTES = 100 << 20
"""Below this much room the doctor speaks up (assumed: some hundred evenings fit into it)."""
ANSWER_S = 3.0
"""How long the page on this machine may take to answer, seconds."""
_UNIT_PROPERTIES = ("LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "ExecMainStatus")
_GUIDE = "the build guide, hardware/README.md, tells how"


def unit_properties() -> dict[str, str] | None:
    """What systemd knows of our unit; ``None`` where systemd does not run."""
    systemctl = shutil.which("systemctl")
    if systemctl is None or not Path("/run/systemd/system").is_dir():
        return None
    command = [systemctl, "show", UNIT, f"--property={','.join(_UNIT_PROPERTIES)}"]
    try:
        shown = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None
    return dict(line.partition("=")[::2] for line in shown.splitlines())


def snapshot(url: str, token: str | None) -> dict[str, Any]:
    """What a launcher at this address says of itself.

    :raises ApiError: no launcher answers.
    """
    return LauncherClient(url, token, answer_s=ANSWER_S).snapshot()


def look_at_driver(settings: Settings, runs: bool) -> Iterator[Finding]:
    return kind_of(settings.driver).examine(settings, runs=runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The machine, as far as the doctor asks it; a test brings its own."""

    python: tuple[int, ...] = sys.version_info[:3]
    driver: Callable[[Settings, bool], Iterator[Finding]] = look_at_driver
    unit_properties: Callable[[], Mapping[str, str] | None] = unit_properties
    snapshot: Callable[[str, str | None], dict[str, Any]] = snapshot


def examine(
    config: Path | None = None,
    surroundings: Surroundings | None = None,
    change: Callable[[Settings], Settings] = lambda settings: settings,
) -> Iterator[Finding]:
    """One finding after the other, as they are made.

    :param change: what the command line says besides the settings.
    """
    here = surroundings or Surroundings()
    yield _python(here.python)
    unit = here.unit_properties()
    try:
        settings = change(load(config))
    except ConfigError as error:
        yield Finding("settings", Status.WRONG, str(error), "put that right first: most of the rest depends on it")
        yield _systemd(unit)
        return
    found = find_config(config)
    yield Finding("settings", Status.GOOD, str(found) if found else "no file, so the defaults are in force")
    page = _Page(settings, here)
    journal = settings.journal_path().absolute()
    writer = writer_of(journal)
    runs = writer is not None or page.on_pins or (unit is not None and unit.get("ActiveState") == "active")
    yield from here.driver(settings, runs)
    yield _disk(journal)
    yield look_at_journal(journal)
    yield page.finding(writer, runs=runs)
    yield _systemd(unit)


def _python(version: tuple[int, ...]) -> Finding:
    text = ".".join(map(str, version))
    if version >= OLDEST_PYTHON:
        return Finding("Python", Status.GOOD, text)
    wanted = ".".join(map(str, OLDEST_PYTHON))
    return Finding("Python", Status.WRONG, f"{text} is too old", f"use Python {wanted} or newer")


# --- disk and journal ------------------------------------------------------------------------------------------------


def _disk(journal: Path) -> Finding:
    folder = journal.parent
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    room = f"{free >> 20:,} MB free"
    if os.statvfs(there).f_flag & os.ST_RDONLY:
        return Finding("disk", Status.WRONG, f"{there} is on a disk that is mounted read-only", "mount it writable")
    if not os.access(there, os.W_OK | os.X_OK):
        remedy = "run this as the launcher's user, such as 'sudo -u dispenser dispenser doctor'; or give it the folder"
        return Finding("disk", Status.WRONG, f"this user may not write to {there}", remedy)
    if free < MIN_FREE_BYTES:
        return Finding("disk", Status.WRONG, f"{folder}: the disk is full", "make room: without it nothing can move")
    if free < LITTLE_ROOM_BYTES:
        return Finding("disk", Status.NOTE, f"{folder}: only {room}", "make room before the next evening")
    return Finding("disk", Status.GOOD, f"{folder}: {'' if there == folder else 'can be made, '}{room}")


def look_at_journal(path: Path) -> Finding:
    try:
        with Journal.read_only(path) as journal:
            entries, damage = journal.last_seq, JournalCheck().run(journal)
            told = [entry.data.get("detail") for entry in journal.read(types=[DAMAGED])]
    except JournalMissingError:
        return Finding("journal", Status.NOTE, f"{path}: none yet", "the first start makes it")
    except JournalError as error:
        return Finding("journal", Status.WRONG, str(error))
    if damage:
        remedy = "keep a copy; what other entries say can be trusted, and 'dispenser audit' says what is proven"
        return Finding("journal", Status.WRONG, f"{path}: {'; '.join(each.detail for each in damage)}", remedy)
    aside = put_aside_before(path)
    if told or aside:
        text = f"{path}: whole now, and damaged before" + (f": {told[-1]}" if told else f": {', '.join(aside)}")
        remedy = "a disk that does this twice is worn out; 'dispenser log --type service.journal' shows what was told"
        return Finding("journal", Status.NOTE, text, remedy)
    return Finding(
        "journal", Status.GOOD, f"{path}: {entries:,} {'entry' if entries == 1 else 'entries'}, all in place"
    )


# --- the running service ---------------------------------------------------------------------------------------------


class _Page:
    """What answers where the settings put the page; asked once."""

    def __init__(self, settings: Settings, here: Surroundings) -> None:
        web = settings.web
        self._why_not = "" if web.enabled else "the settings switch it off"
        if web.enabled and web.port == 0:
            self._why_not = "the settings let it take any free port, so nobody knows where it is"
        self._url = local_url(web.host, web.port)
        self._answer: dict[str, Any] = {}
        self._error: ApiError | None = None
        if not self._why_not:
            try:
                self._answer = here.snapshot(self._url, web.token)
            except ApiError as error:
                self._error = error

    @property
    def on_pins(self) -> bool:
        """A launcher answers, and it is a real one."""
        return self._answer.get("simulated") is False

    def finding(self, writer: str | None, *, runs: bool) -> Finding:
        if self._why_not:
            return Finding("page", Status.NOTE, self._why_not)
        if isinstance(self._error, NotALauncherError):
            return Finding("page", Status.WRONG, str(self._error), "end that program, or set another web.port")
        if isinstance(self._error, UnreachableError):
            return self._silent(writer, runs=runs)
        if self._error is not None:
            return Finding("page", Status.WRONG, f"{self._url}: {self._error}")
        state, detail = self._answer["state"], str(self._answer.get("detail", ""))
        kind = "a simulated launcher" if self._answer.get("simulated") else "the launcher"
        waits = state in {latched.value for latched in AWAITING_A_PERSON}
        status = Status.WRONG if state == State.FAULT.value else Status.NOTE if waits else Status.GOOD
        return Finding("page", status, f"{self._url}: {kind} answers, it is {state}", detail)

    def _silent(self, writer: str | None, *, runs: bool) -> Finding:
        if runs:
            who = "a launcher runs" if writer is None else f"a launcher runs (process {writer})"
            remedy = f"'journalctl -u {UNIT}' may say why; was it started with --no-web or other settings?"
            return Finding("page", Status.WRONG, f"{who}, but no page answers at {self._url}", remedy)
        remedy = "'sudo systemctl start dispenser' starts the real one, 'dispenser demo' a simulated one"
        return Finding("page", Status.NOTE, f"no launcher runs at {self._url}", remedy)


def _systemd(unit: Mapping[str, str] | None) -> Finding:
    if unit is None:
        return Finding("systemd", Status.NOTE, "does not run here, so it starts no launcher")
    state, sub = unit.get("ActiveState", "unknown"), unit.get("SubState", "unknown")
    text = f"{UNIT} is {state} ({sub}), {unit.get('UnitFileState') or 'not enabled'}"
    if unit.get("LoadState") == "not-found":
        return Finding("systemd", Status.NOTE, f"{UNIT} is not installed", _GUIDE)
    if unit.get("LoadState") != "loaded":
        return Finding("systemd", Status.WRONG, f"{UNIT} is {unit.get('LoadState')}", f"'systemctl status {UNIT}'")
    if state == "active":
        return Finding("systemd", Status.GOOD, text)
    if state == "failed" or sub == "auto-restart":
        text += f", because of {unit.get('Result')} (exit code {unit.get('ExecMainStatus')})"
        return Finding("systemd", Status.WRONG, text, f"'journalctl -u {UNIT} -n 50' tells why")
    return Finding("systemd", Status.NOTE, text, "'sudo systemctl enable --now dispenser' starts it, now and at boot")
