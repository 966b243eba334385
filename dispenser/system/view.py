"""The doctor in the service's place: in a unit of its own for a moment, with the user, the groups and the sandbox that
the service's unit gives it, and by the program that it starts.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from dispenser.drivers.findings import Finding, Status
from dispenser.drivers.gpio.kind import commands
from dispenser.i18n import SpokenError, Text, recalled, recorded
from dispenser.system.programs import answer_of, systemd_runs
from dispenser.system.unit import UNIT

AS_DATA = "--as-data"
"""The option by which the doctor is asked for what ``findings_in`` reads."""
_LONGEST_S = 90
_NOT_OURS = (
    *("Exec", "Restart", "Timeout", "Watchdog", "Kill", "Standard", "Type", "Notify", "SuccessExit", "Runtime"),
    "RemoveIPC",  # of the user's, and so of the service that runs
)
"""How settings begin that are about how the service runs, not about what it may and sees. ``RuntimeDirectory`` comes
back, with what keeps it."""
_RUNTIME = ("RuntimeDirectory=dispenser", "RuntimeDirectoryMode=0750", "RuntimeDirectoryPreserve=yes")
_FOLDERS = {"%t": "/run", "%S": "/var/lib", "%C": "/var/cache", "%L": "/var/log", "%E": "/etc"}
_OPTIONS = ("--config", "-c", "--driver", "--serial-port", "-p", "--baud")
"""What ``run`` may have been given that the doctor knows, too."""


class ViewError(SpokenError, OSError):
    """The doctor cannot be put in the service's place; says why."""


def is_there() -> bool:
    """Whether there is a service here whose place could be taken."""
    return systemd_runs() and "=loaded" in (answer_of("systemctl", "show", UNIT, "--property=LoadState") or "")


def findings_of_the_service() -> list[Finding]:
    """What the doctor finds in its place.

    :raises ViewError: it could not be put there.
    """
    if os.geteuid() != 0:
        raise ViewError(Text("'sudo dispenser doctor' looks in its place, with its user, its groups and its sandbox"))
    unit = answer_of("systemctl", "cat", UNIT) or ""
    settings = list(settings_of_unit(unit))
    properties = [word for line in settings for word in ("--property", line)]
    program = [*program_of_unit(unit), AS_DATA]
    where = ("--pipe", "--wait", "--collect", "--quiet", "--unit", "dispenser-doctor")
    answer = answer_of("systemd-run", *where, *properties, "--", *program, timeout_s=_LONGEST_S)
    if answer is None:
        text = Text("in a unit like {unit} it does not start: try '{program} doctor', then 'systemctl status {unit}'")
        raise ViewError(text.filled(unit=UNIT, program=program[0]))
    try:
        return list(findings_in(answer, commands(_user(settings))))
    except msgspec.MsgspecError as error:
        raise ViewError(Text("{program} answers something else").filled(program=program[0])) from error


def _user(settings: Iterable[str]) -> str:
    return next((line.removeprefix("User=") for line in reversed(list(settings)) if line.startswith("User=")), "root")


def settings_of_unit(unit: str) -> Iterator[str]:
    """What a unit's files say of what its service may and sees, as ``systemd-run --property`` takes it."""
    service = False
    for line in unit.replace("\\\n", " ").splitlines():
        key, equals, value = (part.strip() for part in line.partition("="))
        if line.startswith("["):
            service = line.strip() == "[Service]"
        elif service and equals and not key.startswith(("#", ";", *_NOT_OURS)):
            for short, folder in _FOLDERS.items():
                value = value.replace(short, folder)
            yield f"{key}={value}"
    yield from _RUNTIME


def program_of_unit(unit: str) -> list[str]:
    """The command of a doctor as the unit's service is started: the same program and the same settings."""
    started = [line.partition("=")[2].strip() for line in unit.splitlines() if line.startswith("ExecStart=")]
    program, *given = shlex.split(next((each for each in reversed(started) if each), "dispenser run").lstrip("-+!:@"))
    command = [program, "doctor"]
    for option, value in zip(given, [*given[1:], ""], strict=True):
        if option in _OPTIONS:
            command += [option, value]
        elif option.startswith(_OPTIONS) and "=" in option:
            command.append(option)
    return command


def in_no_language(findings: Sequence[Finding]) -> str:
    """Findings for another process, in no language yet."""
    return msgspec.json.encode([_as_data(each) for each in findings]).decode()


def _as_data(finding: Finding) -> dict[str, Any]:
    texts = {"found": finding.found, "advice": finding.advice}
    told = {name: recorded(text) if isinstance(text, Text) else {"detail": text} for name, text in texts.items()}
    return {"check": finding.check, "status": finding.status.value, "command": finding.command, **told}


def findings_in(data: str, known: Container[tuple[str, ...]]) -> Iterator[Finding]:
    """What ``in_no_language`` has written.

    The service's user has written it, and root may run what it names: so a command that is none of ours is left out.

    :param known: the commands that a finding may name.
    :raises msgspec.MsgspecError: it is something else.
    """
    for each in msgspec.json.decode(data, type=list[_Told]):
        advice = recalled(each.advice)
        command = each.command if each.command in known else ()
        yield Finding(each.check, Status(each.status), recalled(each.found), advice if str(advice) else "", command)


class _Told(msgspec.Struct, frozen=True):
    check: str
    status: str
    found: dict[str, Any]
    advice: dict[str, Any]
    command: tuple[str, ...] = ()
