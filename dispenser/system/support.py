"""``dispenser support``: make one redacted archive for a bug report."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dispenser.config import as_toml
from dispenser.drivers.findings import Finding
from dispenser.drivers.gpio.kind import pi_model
from dispenser.i18n import Text
from dispenser.journal import Journal, JournalError
from dispenser.service.settings import ConfigError, as_tables, load
from dispenser.system.programs import answer_of
from dispenser.system.redact import Redactor

LAST_RECORDS = 500
LAST_EDGES = 2_000
_EDGES = "SELECT run, after_seq, line, active, at_s, wall_s FROM edges ORDER BY id DESC LIMIT ?"


class Part(NamedTuple):
    """One file of the archive; ``about`` describes it to the person who decides whether to send it."""

    name: str
    content: bytes
    about: Text


def collect(config: Path | None, findings: Iterable[Finding]) -> Iterator[Part]:
    """Yield the files of the archive; ``findings`` are those of the doctor."""
    redactor, parts = Redactor(), list[Part]()
    try:
        settings = load(config)
    except ConfigError:  # the finding may quote wrong settings, which are not redacted
        findings = [each for each in findings if each.check != "settings"]
        parts.append(Part("settings.txt", b"they are wrong\n", Text("that the settings are wrong")))
    else:
        redactor.add_settings(settings)
        parts += _of_journal(settings.journal_path(), redactor)  # also teaches the redactor people's names
        written = as_toml(redactor.settings(as_tables(settings)))
        parts.append(Part("settings.toml", written.encode(), Text("the settings, without token, names and addresses")))
    told = [
        {"check": each.check, "status": each.status.value}
        | {"text": redactor.text(each.text), "remedy": redactor.text(each.remedy)}
        for each in findings
    ]
    yield Part("versions.json", _json(_versions()), Text("versions of the system and of the packages"))
    yield Part("doctor.json", _json(told), Text("what the doctor finds"))
    yield from parts


def write(parts: Iterable[Part], target: Path) -> None:
    """Write the archive; raise ``FileExistsError`` if the file exists. It gets the owner of its folder."""
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for part in parts:
                archive.writestr(part.name, part.content)
        with suppress(OSError):  # FAT file systems, as on USB sticks, have no owners
            os.fchown(file.fileno(), target.parent.stat().st_uid, target.parent.stat().st_gid)


def _json(content: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(content)) + b"\n"


def _versions() -> dict[str, Any]:
    release = platform.freedesktop_os_release() if Path("/etc/os-release").exists() else {}
    found = ((each.metadata["Name"], each.version) for each in importlib.metadata.distributions())
    return {
        "dispenser": importlib.metadata.version("card-dispenser"),
        "python": sys.version,
        "system": release.get("PRETTY_NAME", platform.system()),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "computer": pi_model() or "no Raspberry Pi",
        "systemd": (answer_of("systemctl", "--version") or "none").partition("\n")[0],
        "packages": dict(sorted(found)),
    }


def _of_journal(path: Path, redactor: Redactor) -> Iterator[Part]:
    try:
        with Journal.read_only(path) as journal:
            redactor.add_journal(journal)
            records = [redactor.record(record) for record in journal.read(last=LAST_RECORDS)]
            rows = [",".join(map(str, row)) for row in reversed(journal.ask(_EDGES, (LAST_EDGES,)))]
    except JournalError as error:
        yield Part("journal.txt", f"{redactor.text(str(error))}\n".encode(), Text("why the journal cannot be read"))
        return
    lines = b"".join(msgspec.json.encode(each) + b"\n" for each in records)
    yield Part("journal.jsonl", lines, Text("the journal's end, without names of people"))
    edges = "\n".join(["run,after_seq,line,active,at_s,wall_s", *rows, ""]).encode()
    yield Part("edges.csv", edges, Text("the newest raw edges of button, lid and exit"))
