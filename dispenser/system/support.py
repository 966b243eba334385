"""What a bug report needs to know, in one archive, and nothing that is nobody else's business (``private``)."""

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
from dispenser.journal import Journal, JournalError, JournalReader
from dispenser.service.settings import ConfigError, as_tables, load
from dispenser.system.private import Private
from dispenser.system.programs import answer_of

LAST_ENTRIES = 500
LAST_EDGES = 2_000
_EDGES = "SELECT run, after_seq, line, active, at_s, wall_s FROM edges ORDER BY id DESC LIMIT ?"


class Part(NamedTuple):
    """One file of the archive.

    :ivar about: what it is, for whoever decides whether to send it.
    """

    name: str
    content: bytes
    about: Text


def collect(config: Path | None, findings: Iterable[Finding]) -> Iterator[Part]:
    """Everything that goes in.

    :param findings: the doctor's.
    """
    private = Private()
    yield Part("versions.json", _json(_versions()), Text("versions of the system and of the packages"))
    journal: Path | None = None
    try:
        settings = load(config)
    except ConfigError:
        findings = [_without_values(each) for each in findings]
    else:
        private.add_settings(settings)
        journal = settings.journal_path()
    parts = list(_of_journal(journal, private)) if journal else []
    told = [
        {**_told(each), "text": private.veiled(each.text), "remedy": private.veiled(each.remedy)} for each in findings
    ]
    yield Part("doctor.json", _json(told), Text("what the doctor finds"))
    if journal:
        written = as_toml(private.veiled_tables(as_tables(settings)))
        yield Part("settings.toml", written.encode(), Text("the settings, without token, names and addresses"))
    yield from parts


def write(parts: Iterable[Part], target: Path) -> None:
    """Make the archive; it belongs to whom its folder belongs to.

    :raises OSError: it cannot be written, or is there already.
    """
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for part in parts:
                archive.writestr(part.name, part.content)
        with suppress(OSError):  # a stick's file system has no owners
            os.fchown(file.fileno(), target.parent.stat().st_uid, target.parent.stat().st_gid)


def _json(content: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(content)) + b"\n"


def _told(finding: Finding) -> dict[str, Any]:
    return {"check": finding.check, "status": finding.status.value}


def _without_values(finding: Finding) -> Finding:
    """What is said of wrong settings may show what stands in them, at the wrong place."""
    if finding.check != "settings":
        return finding
    return Finding(finding.check, finding.status, "they are wrong; what is said of them is left out")


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


# --- journal ---------------------------------------------------------------------------------------------------------


def _of_journal(path: Path, private: Private) -> Iterator[Part]:
    try:
        with Journal.read_only(path) as journal:
            private.add_journal(journal)
            entries = [private.veiled_entry(entry) for entry in journal.read(last=LAST_ENTRIES)]
            edges = _edges(journal)
    except JournalError as error:
        yield Part("journal.txt", f"{private.veiled(str(error))}\n".encode(), Text("why the journal cannot be read"))
        return
    lines = b"".join(msgspec.json.encode(each) + b"\n" for each in entries)
    yield Part("journal.jsonl", lines, Text("the journal's end, without names of people"))
    yield Part("edges.csv", edges, Text("the newest raw edges of button, lid and exit"))


def _edges(journal: JournalReader) -> bytes:
    rows = [",".join(map(str, row)) for row in reversed(journal.ask(_EDGES, (LAST_EDGES,)))]
    return "\n".join(["run,after_seq,line,active,at_s,wall_s", *rows, ""]).encode()
