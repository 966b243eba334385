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
from dispenser.drivers.findings import Finding, Status
from dispenser.drivers.kinds import kind_of
from dispenser.journal import DAMAGED, Damage, Journal, JournalError, JournalMissingError
from dispenser.journal.check import damage_of
from dispenser.journal.errors import MIN_FREE_BYTES
from dispenser.journal.keeper import put_aside_before, writer_of
from dispenser.language import Text, listed
from dispenser.launcher.messages import AWAITING_A_PERSON, State
from dispenser.service.settings import ConfigError, Settings, find_config, load

OLDEST_PYTHON = (3, 11)
UNIT = "dispenser.service"
LITTLE_ROOM_BYTES = 100 << 20
"""Below this much room the doctor speaks up (assumed: some hundred evenings fit into it)."""
ANSWER_S = 3.0
"""How long the page on this machine may take to answer, seconds."""
_UNIT_PROPERTIES = ("LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "ExecMainStatus")
_GUIDE = Text("the build guide, hardware/README.md, tells how")


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
        yield Finding(
            "settings", Status.WRONG, error.text, Text("put that right first: most of the rest depends on it")
        )
        yield _systemd(unit)
        return
    found = find_config(config)
    yield Finding("settings", Status.GOOD, str(found) if found else Text("no file, so the defaults are in force"))
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
    return Finding(
        "Python",
        Status.WRONG,
        Text("{version} is too old").filled(version=text),
        Text("use Python {version} or newer").filled(version=wanted),
    )


# --- disk and journal ------------------------------------------------------------------------------------------------


def _disk(journal: Path) -> Finding:
    folder = journal.parent
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    room = Text("{megabytes:,} MB free").filled(megabytes=free >> 20)
    if os.statvfs(there).f_flag & os.ST_RDONLY:
        return Finding(
            "disk",
            Status.WRONG,
            Text("{folder} is on a disk that is mounted read-only").filled(folder=there),
            Text("mount it writable"),
        )
    if not os.access(there, os.W_OK | os.X_OK):
        remedy = Text(
            "run this as the launcher's user, such as 'sudo -u dispenser dispenser doctor'; or give it the folder"
        )
        return Finding("disk", Status.WRONG, Text("this user may not write to {folder}").filled(folder=there), remedy)
    if free < MIN_FREE_BYTES:
        return Finding(
            "disk",
            Status.WRONG,
            Text("{folder}: the disk is full").filled(folder=folder),
            Text("make room: without it nothing can move"),
        )
    if free < LITTLE_ROOM_BYTES:
        little = Text("{folder}: only {room}").filled(folder=folder, room=room)
        return Finding("disk", Status.NOTE, little, Text("make room before the next evening"))
    text = Text("{folder}: {room}") if there == folder else Text("{folder}: can be made, {room}")
    return Finding("disk", Status.GOOD, text.filled(folder=folder, room=room))


def look_at_journal(path: Path) -> Finding:
    try:
        with Journal.read_only(path) as journal:
            entries, damage = journal.last_seq, damage_of(journal)
            told = [Damage.told(entry.data).text for entry in journal.read(types=[DAMAGED], last=1)]
    except JournalMissingError:
        return Finding(
            "journal", Status.NOTE, Text("{file}: none yet").filled(file=path), Text("the first start makes it")
        )
    except JournalError as error:
        return Finding("journal", Status.WRONG, error.text)
    if damage:
        remedy = Text("keep a copy; what other entries say can be trusted, and 'dispenser audit' says what is proven")
        found = Text("{file}: {found}").filled(file=path, found=listed([each.text for each in damage], "; "))
        return Finding("journal", Status.WRONG, found, remedy)
    aside = put_aside_before(path)
    if told or aside:
        what = told[0] if told else ", ".join(aside)
        text = Text("{file}: whole now, and damaged before: {what}").filled(file=path, what=what)
        remedy = Text(
            "a disk that does this twice is worn out; 'dispenser log --type service.journal' shows what was told"
        )
        return Finding("journal", Status.NOTE, text, remedy)
    whole = Text("{file}: {number:,} entry, all in place", plural="{file}: {number:,} entries, all in place")
    return Finding("journal", Status.GOOD, whole.filled(file=path, number=entries))


# --- the running service ---------------------------------------------------------------------------------------------


class _Page:
    """What answers where the settings put the page; asked once."""

    def __init__(self, settings: Settings, here: Surroundings) -> None:
        web = settings.web
        self._why_not = None if web.enabled else Text("the settings switch it off")
        if web.enabled and web.port == 0:
            self._why_not = Text("the settings let it take any free port, so nobody knows where it is")
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
            return Finding("page", Status.WRONG, self._error.text, Text("end that program, or set another web.port"))
        if isinstance(self._error, UnreachableError):
            return self._silent(writer, runs=runs)
        if self._error is not None:
            return Finding("page", Status.WRONG, Text("{url}: {why}").filled(url=self._url, why=self._error))
        state, detail = self._answer["state"], str(self._answer.get("detail", ""))
        text = Text("{url}: the launcher answers, it is {state}")
        if self._answer.get("simulated"):
            text = Text("{url}: a simulated launcher answers, it is {state}")
        waits = state in {latched.value for latched in AWAITING_A_PERSON}
        status = Status.WRONG if state == State.FAULT.value else Status.NOTE if waits else Status.GOOD
        return Finding("page", status, text.filled(url=self._url, state=state), detail)

    def _silent(self, writer: str | None, *, runs: bool) -> Finding:
        if runs:
            text = Text("a launcher runs (process {process}), but no page answers at {url}")
            if writer is None:
                text = Text("a launcher runs, but no page answers at {url}")
            remedy = Text("'journalctl -u {unit}' may say why; was it started with --no-web or other settings?")
            text = text.filled(process=writer, url=self._url)
            return Finding("page", Status.WRONG, text, remedy.filled(unit=UNIT))
        remedy = Text("'sudo systemctl start dispenser' starts the real one, 'dispenser demo' a simulated one")
        return Finding("page", Status.NOTE, Text("no launcher runs at {url}").filled(url=self._url), remedy)


def _systemd(unit: Mapping[str, str] | None) -> Finding:
    if unit is None:
        return Finding("systemd", Status.NOTE, Text("does not run here, so it starts no launcher"))
    state, sub = unit.get("ActiveState", "unknown"), unit.get("SubState", "unknown")
    enabled = unit.get("UnitFileState") or Text("not enabled")
    text = Text("{unit} is {state} ({sub}), {enabled}").filled(unit=UNIT, state=state, sub=sub, enabled=enabled)
    if unit.get("LoadState") == "not-found":
        return Finding("systemd", Status.NOTE, Text("{unit} is not installed").filled(unit=UNIT), _GUIDE)
    if unit.get("LoadState") != "loaded":
        loaded = Text("{unit} is {state}").filled(unit=UNIT, state=unit.get("LoadState"))
        return Finding("systemd", Status.WRONG, loaded, f"'systemctl status {UNIT}'")
    if state == "active":
        return Finding("systemd", Status.GOOD, text)
    if state == "failed" or sub == "auto-restart":
        failed = Text("{state}, because of {result} (exit code {code})").filled(
            state=text, result=unit.get("Result"), code=unit.get("ExecMainStatus")
        )
        return Finding(
            "systemd", Status.WRONG, failed, Text("'journalctl -u {unit} -n 50' tells why").filled(unit=UNIT)
        )
    return Finding(
        "systemd", Status.NOTE, text, Text("'sudo systemctl enable --now dispenser' starts it, now and at boot")
    )
