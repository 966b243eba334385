"""``dispenser doctor``: check everything a launcher needs on this machine. No output pin is ever driven."""

from __future__ import annotations

import getpass
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dispenser.client import ApiError, LauncherClient, NotALauncherError, UnreachableError, local_url
from dispenser.drivers.findings import Finding, Status
from dispenser.drivers.kinds import kind_of
from dispenser.drivers.phone.kind import NO_LAUNCHER
from dispenser.i18n import Text, listed
from dispenser.journal import DAMAGED, Damage, Journal, JournalError, JournalMissingError
from dispenser.journal.errors import READ_ONLY
from dispenser.journal.state import writer_of
from dispenser.launcher.messages import AWAITING_A_PERSON, State
from dispenser.service.settings import ConfigError, Settings, WebSettings, calibrated_file, find_config, load
from dispenser.system.backup import last_backup
from dispenser.system.computer import check_computer
from dispenser.system.programs import AVAHI, answer_of, place_of
from dispenser.system.unit import POWER_UNIT, UNIT, acting_as, unit_properties
from dispenser.web.texts import IN_SHORT

MIN_FREE_BYTES = 1 << 20  # Below this the disk counts as full (assumed: room for some hundred bursts)
LITTLE_ROOM_BYTES = 100 << 20  # Below this the doctor warns (assumed: room for some hundred evenings)
OLD_BACKUP_DAYS = 30
ANSWER_S = 3.0  # Timeout for the page on this machine, seconds
_LISTENER = re.compile(r'\(\("(?P<name>[^"]*)",pid=(?P<process>\d+)')
Found = tuple[Status, Text | str, Text | str]  # Status, finding, remedy
Answer = dict[str, Any] | ApiError | Text  # The running launcher's snapshot, or why there is none
GOOD, NOTE, WRONG = Status


def check_all(
    config: Path | None = None,
    change: Callable[[Settings], Settings] = lambda settings: settings,
    *,
    as_service_user: bool,
) -> Iterator[Finding]:
    """Yield findings as the checks run: what the launcher needs first, then the rest of the computer.

    :param change: applied to the settings: options of the command line.
    :param as_service_user: if root runs this and the service is installed, check files and pins as the service's user.
    """
    unit = unit_properties()
    user = (unit or {}).get("User", "")
    found: list[Finding] = []
    if user and as_service_user and os.geteuid() == 0:
        with suppress(ImportError), acting_as(user):  # a private installation, whose modules that user cannot read
            found = list(check_launcher(config, change))
    if found:
        yield Finding("seen", GOOD, Text("as user {user}, as the service does").filled(user=user))
    elif user:
        text = Text("as user {user}: the service may see something else").filled(user=getpass.getuser())
        sudo = Text("'sudo dispenser doctor' looks as the service's user")
        yield Finding("seen", NOTE, text, sudo if as_service_user and os.geteuid() != 0 else "")
    yield from found or check_launcher(config, change)
    yield from check_unit(unit)
    yield from check_switching_off(unit)
    try:
        settings = change(load(config))
    except ConfigError:
        return
    journal = settings.journal_path().absolute()
    if isinstance(page_answer(settings.web), UnreachableError | NotALauncherError):
        yield from check_port(settings.web.port, writer_of(journal))
    yield from check_name(settings.web)
    yield from check_backup(journal)
    yield from check_computer(journal.parent)


def check_launcher(
    config: Path | None = None, change: Callable[[Settings], Settings] = lambda settings: settings
) -> Iterator[Finding]:
    """Check what the launcher needs, with the rights of this process."""
    unit = unit_properties()
    try:
        settings = change(load(config))
    except ConfigError as error:
        yield Finding("settings", WRONG, error.text, Text("fix that first: most of the rest depends on it"))
        return
    found = find_config(config)
    text: Text | str = str(found) if found else Text("no file, so the defaults are in force")
    calibrated = calibrated_file(settings)
    if os.path.exists(calibrated):  # noqa: PTH110 - does not raise where this user may not look
        text = Text("{file}; what was calibrated overrides it: {calibrated}")
        text = text.filled(file=found or Text("the defaults"), calibrated=calibrated)
    yield Finding("settings", GOOD, text)
    journal = settings.journal_path().absolute()
    answer, writer = page_answer(settings.web), writer_of(journal)
    on_pins = isinstance(answer, dict) and answer.get("simulated") is False
    runs = writer is not None or on_pins or (unit is not None and unit.get("ActiveState") == "active")
    yield from check_driver(settings, runs)
    yield Finding("disk", *_disk(journal))
    yield Finding("journal", *check_journal(journal))
    url = local_url(settings.web.host, settings.web.port)
    yield Finding("page", *_page(url, answer, runs=runs))
    if settings.mqtt.host:
        yield Finding("mqtt", *_broker(settings))


def _broker(settings: Settings) -> Found:
    """Connect to the MQTT broker as the launcher would, and report the result."""
    from dispenser.mqtt.doctor import try_broker

    return try_broker(settings.mqtt, settings.journal_path().parent)


def check_driver(settings: Settings, runs: bool) -> Iterator[Finding]:
    return kind_of(settings.driver).examine(settings, runs=runs)


def _disk(journal: Path) -> Found:
    folder = journal.parent
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    room = Text("{megabytes:,} MB free").filled(megabytes=free >> 20)
    if os.statvfs(there).f_flag & os.ST_RDONLY:
        read_only = Text("{folder} is on a disk that is mounted read-only").filled(folder=there)
        return WRONG, read_only, Text("mount it writable")
    if not os.access(there, os.W_OK | os.X_OK):
        remedy = Text("'sudo dispenser doctor' checks as the launcher's user; or give this user access to the folder")
        return WRONG, Text("this user may not write to {folder}").filled(folder=there), remedy
    if free < MIN_FREE_BYTES:
        full = Text("{folder}: the disk is full").filled(folder=folder)
        return WRONG, full, Text("make room: without it nothing can move")
    if free < LITTLE_ROOM_BYTES:
        little = Text("{folder}: only {room}").filled(folder=folder, room=room)
        return NOTE, little, Text("make room before the next evening")
    text = Text("{folder}: {room}") if there == folder else Text("{folder}: can be made, {room}")
    return GOOD, text.filled(folder=folder, room=room), ""


def check_journal(path: Path) -> Found:
    try:
        with Journal.read_only(path) as journal:
            records, damage = journal.last_seq, journal.find_damage()
            told = [Damage.from_data(record.data).text for record in journal.read(types=[DAMAGED], last=1)]
    except JournalMissingError:
        return NOTE, Text("{file}: none yet").filled(file=path), Text("the first start makes it")
    except JournalError as error:
        return WRONG, error.text, ""
    if damage:
        remedy = Text("keep a copy; what other records say can be trusted, and 'dispenser audit' says what is proven")
        found = Text("{file}: {found}").filled(file=path, found=listed([each.text for each in damage], "; "))
        return WRONG, found, remedy
    if not os.access(path, os.W_OK):
        return WRONG, READ_ONLY.filled(name=path), ""
    if told:
        remedy = Text(
            "a disk that does this twice is worn out; 'dispenser log --type service.journal' shows what was told"
        )
        return NOTE, Text("{file}: whole now, and damaged before: {what}").filled(file=path, what=told[0]), remedy
    whole = Text("{file}: {number:,} record, all in place", plural="{file}: {number:,} records, all in place")
    return GOOD, whole.filled(file=path, number=records), ""


def page_answer(web: WebSettings) -> Answer:
    if not web.enabled:
        return Text("the settings switch it off")
    if web.port == 0:
        return Text("the settings let it take any free port, so nobody knows where it is")
    try:
        return LauncherClient(local_url(web.host, web.port), web.token, answer_s=ANSWER_S).snapshot()
    except ApiError as error:
        return error


def _page(url: str, answer: Answer, *, runs: bool) -> Found:
    match answer:
        case Text():
            return NOTE, answer, ""
        case NotALauncherError():
            return WRONG, answer.text, Text("end that program, or set another web.port")
        case UnreachableError() if runs:
            remedy = Text("'journalctl -u {unit}' may say why; was it started with --no-web or other settings?")
            silent = Text("a launcher runs, but no page answers at {url}")
            return WRONG, silent.filled(url=url), remedy.filled(unit=UNIT)
        case UnreachableError():
            remedy = Text("'sudo systemctl start dispenser' starts the real one, 'dispenser demo' a simulated one")
            return NOTE, Text("no launcher runs at {url}").filled(url=url), remedy
        case ApiError():
            return WRONG, Text("{url}: {why}").filled(url=url, why=answer), ""
    return _state(url, answer)


def _state(url: str, answer: dict[str, Any]) -> Found:
    """Return the finding for the running launcher's snapshot."""
    state, detail = answer["state"], str(answer.get("detail", ""))
    text = Text("{url}: the launcher answers: {state}")
    if answer.get("simulated"):
        text = Text("{url}: a simulated launcher answers: {state}")
    text = text.filled(url=url, state=IN_SHORT.get(state, state))
    if answer.get("workshop"):
        leave = Text("somebody is in the workshop with it: {url}/workshop has the button to leave")
        return NOTE, text, leave.filled(url=url)
    if state == State.FAULT.value and detail == str(NO_LAUNCHER):  # intended by the settings: a phone is the launcher
        return NOTE, Text("{url}: it answers, and no phone is the launcher yet").filled(url=url), NO_LAUNCHER
    waiting = {each.value for each in AWAITING_A_PERSON}
    return WRONG if state == State.FAULT.value else NOTE if state in waiting else GOOD, text, detail


def check_port(port: int, own: str | None) -> Iterator[Finding]:
    """Report another program that listens on the page's port.

    :param own: PID of the launcher's process.
    """
    answer = answer_of("ss", "-Hltnp", f"sport = :{port}")
    listener = _LISTENER.search(answer or "")
    if listener is None and answer:
        unknown = Text("another user's program has port {port}").filled(port=port)
        yield Finding("port", WRONG, unknown, Text("'sudo dispenser doctor' says which"))
    elif listener is not None and listener["process"] != own:
        taken = Text("{program} (process {process}) has port {port}, which the page should have")
        found = taken.filled(program=listener["name"], process=listener["process"], port=port)
        yield Finding("port", WRONG, found, Text("end that program, or set another web.port"))


def check_name(web: WebSettings) -> Iterator[Finding]:
    """Report a missing Avahi, by which phones find the ``.local`` name; only if the page is open to phones."""
    if web.enabled and web.is_open and place_of(AVAHI) is None:
        found = Text("without {package}, phones do not find this computer's .local name").filled(package=AVAHI)
        command = ("apt-get", "install", "-y", "--no-install-recommends", AVAHI)
        yield Finding("name", NOTE, found, Text("install it; its address in numbers works without"), command)


def check_backup(journal: Path) -> Iterator[Finding]:
    """Check the age of the last backup; no finding without a journal."""
    if not os.path.exists(journal):  # noqa: PTH110 - pathlib's raises where this user may not look
        return
    last, now = last_backup(journal), datetime.now(UTC)
    found = Text("this computer knows of none")
    if last is not None:
        found = Text("the last one is {number} day old", plural="the last one is {number} days old")
        found = found.filled(number=max(0, (now - last).days))
    if last is not None and (now - last).days <= OLD_BACKUP_DAYS:
        yield Finding("backup", GOOD, found)
    else:
        home = Path(f"~{os.environ.get('SUDO_USER', '')}").expanduser()  # the home of the person who called sudo
        command = ("dispenser", "backup", str(home / f"launcher-{now:%Y%m%d-%H%M%S}.zip"))
        yield Finding("backup", NOTE, found, Text("make one, and take it to another computer"), command)


def check_unit(unit: Mapping[str, str] | None) -> Iterator[Finding]:
    """Check the state of the service's unit, and whether systemd had to restart it."""
    yield Finding("systemd", *_systemd(unit))
    again = int((unit or {}).get("NRestarts") or 0)
    if again:
        found = Text(
            "the launcher crashed and was started again {number} time",
            plural="the launcher crashed and was started again {number} times",
        )
        remedy = Text("'sudo journalctl -u {unit}' tells why")
        yield Finding("restarts", NOTE, found.filled(number=again), remedy.filled(unit=UNIT))


def check_switching_off(unit: Mapping[str, str] | None) -> Iterator[Finding]:
    """Check that page and button can switch the computer off; no finding if the service is not installed."""
    if unit is None or unit.get("LoadState") != "loaded":
        return
    waits = unit_properties(POWER_UNIT) or {}
    if (waits.get("ActiveState"), waits.get("UnitFileState")) == ("active", "enabled"):
        yield Finding("switch-off", GOOD, Text("the page and the button can switch this computer off"))
    else:
        nobody = Text("{unit} does not run, or not after the next start: the page and the button cannot switch off")
        remedy = Text("enable it, now and at each start; 'sudo dispenser install' brings it")
        command = ("systemctl", "enable", "--now", POWER_UNIT)
        yield Finding("switch-off", NOTE, nobody.filled(unit=POWER_UNIT), remedy, command)


def _systemd(unit: Mapping[str, str] | None) -> Found:
    if unit is None:
        return NOTE, Text("does not run here, so it starts no launcher"), ""
    loaded, state, sub = unit.get("LoadState"), unit.get("ActiveState", "unknown"), unit.get("SubState", "unknown")
    if loaded == "not-found":
        guide = Text("the build guide, hardware/README.md, tells how")
        return NOTE, Text("{unit} is not installed").filled(unit=UNIT), guide
    if loaded != "loaded":
        return WRONG, Text("{unit} is {state}").filled(unit=UNIT, state=loaded), f"'systemctl status {UNIT}'"
    enabled = unit.get("UnitFileState") or Text("not enabled")
    text = Text("{unit} is {state} ({sub}), {enabled}").filled(unit=UNIT, state=state, sub=sub, enabled=enabled)
    if state == "active":
        return GOOD, text, ""
    if state == "failed" or sub == "auto-restart":
        failed = Text("{state}, because of {result} (exit code {code})")
        failed = failed.filled(state=text, result=unit.get("Result"), code=unit.get("ExecMainStatus"))
        return WRONG, failed, Text("'journalctl -u {unit} -n 50' tells why").filled(unit=UNIT)
    return NOTE, text, Text("'sudo systemctl enable --now dispenser' starts it, now and at boot")
