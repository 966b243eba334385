"""Sixty damaged journals, each from its seed: the launcher is ready or says why not, and nothing is lost unsaid."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dispenser import simulated_launcher
from dispenser.cli import app
from dispenser.journal import DAMAGED, Damage, Entry, Journal
from dispenser.journal.keeper import put_aside_before
from dispenser.service.answers import JournalUnavailableError
from dispenser.service.service import Service
from dispenser.simulator import ToyParameters
from tests.journal.damaged_journals import HARMS, NAME, UNKNOWABLE, beside, write_evening
from tests.journal.test_disk import NOBODY, ordinary_user
from tests.nightly.seed import SEED
from tests.service.test_evening import begin, lay, sit_down
from tests.service.test_fails_closed import motor_of
from tests.service.test_service import play, toy_of

JOURNALS = 60
PRESSES = 30
HANGS_S = 60
"""No case takes more than a few seconds; what takes this long hangs."""
CODES = {
    "doctor": {0, 1},
    "log": {0, 2, 74},
    "audit": {0, 1, 2, 3, 74},
    "backup": {0, 1, 74, 78},
    "support": {0},
    "config": {0, 78},
}
"""The exit codes that each command documents for what it may find here."""


# --- the evening ------------------------------------------------------------------------------------------------------


async def an_evening(path: Path, killed: Path) -> None:
    """Presses, and people at a table."""
    async with simulated_launcher(journal=path, seed="evening", parameters=ToyParameters.flawless()) as service:
        await asyncio.sleep(1.0)
        sit_down(service, "Ann", "Bob")
        for press in range(PRESSES):
            await service.outcome(await service.press(cards=2 if press % 3 else None, request=f"press {press}"))
            toy_of(service).take_card()
            await asyncio.sleep(1.0)
        begin(service, "uno")
        lay(service, 0, "red +2")
        shutil.copytree(path.parent, killed, ignore=shutil.ignore_patterns("*-shm"))


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A journal that was closed, and one as a kill leaves it."""
    path = write_evening(tmp_path_factory.mktemp("closed"), killed=False)
    killed = tmp_path_factory.mktemp("killed") / "folder"
    play(lambda: an_evening(path, killed))
    return {"closed": path, "killed": killed / NAME}


def entries_of(path: Path) -> list[Entry]:
    with Journal.read_only(path) as reader:
        return list(reader.read())


def copied(journal: Path, folder: Path) -> Path:
    shutil.copytree(journal.parent, folder)
    if os.getuid() == 0:
        for each in (folder, *folder.iterdir()):
            os.chown(each, NOBODY, NOBODY)
    return folder / NAME


# --- what is asked of it ----------------------------------------------------------------------------------------------


def look(path: Path, out: Path) -> dict[str, Result]:
    """Each command that looks at a journal ends, says what it must in words, and changes nothing."""
    config = out / "dispenser.toml"
    config.write_text(f'[journal]\npath = "{path}"\n[web]\nport = 0\n')
    here = {"doctor": ["--json"], "backup": [str(out / "backup.zip")], "support": [str(out / "support.zip"), "--yes"]}
    given = {"config": ["check", str(config)], "log": ["--journal", str(path)], "audit": ["--journal", str(path)]}
    done = {}
    for command, codes in CODES.items():
        arguments = given.get(command) or [*here[command], "--config", str(config)]
        result = done[command] = CliRunner().invoke(app, [command, *arguments], env={"COLUMNS": "400"})
        assert isinstance(result.exception, SystemExit | None), f"{command}: {result.exception!r}"
        assert result.exit_code in codes, f"{command}: {result.exit_code}, {result.output}"
        assert "Traceback" not in result.output
        if result.exit_code in {74, 78}:
            assert len(result.stderr.splitlines()) == 1, f"{command}: {result.stderr}"
            assert str(path) in result.stderr or str(config) in result.stderr, f"{command}: {result.stderr}"
    for made in ("backup.zip", "support.zip"):
        (out / made).unlink(missing_ok=True)
    return done


def told_by_doctor(result: Result, *statuses: str) -> list[str]:
    """What it says of the journal, its disk, or the settings that refuse it."""
    found = json.loads(result.stdout)["findings"]
    return [
        each["text"]
        for each in found
        if each["check"] in {"journal", "disk", "settings"} and each["status"] in statuses
    ]


async def start(path: Path, seed: str) -> str:
    """Start the service and press; returns why it is not ready, or nothing."""
    service = simulated_launcher(journal=path, seed=seed, parameters=ToyParameters.flawless())
    async with service:
        await asyncio.sleep(3.0)
        known = service.snapshot()
        if known["state"] == "ready":
            outcome = await service.outcome(await service.press(cards=2))
            assert outcome.data["delivered"] == 2
            return ""
        return await refused(service, path)


async def refused(service: Service, path: Path) -> str:
    known = service.snapshot()
    assert known["state"] == "fault"
    assert str(path) in known["detail"]
    assert known["detail"].isprintable()
    with pytest.raises(JournalUnavailableError):
        await service.press()
    await asyncio.sleep(3.0)
    assert motor_of(service) == 0
    return str(known["detail"])


def unsaid(before: list[Entry], now: list[Entry], told: list[Damage]) -> list[int]:
    """The entries that are not what they were, without anybody having been told."""
    if any(each.what in {"put aside", "gone", "replaced"} for each in told):
        return []
    ranges = [each for each in told if each.what in {"entries", "newest entries"}]
    kept = {entry.seq: entry for entry in now}
    changed = [entry.seq for entry in before if kept.get(entry.seq) != entry]
    return [seq for seq in changed if not any((each.first or 0) <= seq <= (each.last or 0) for each in ranges)]


@contextmanager
def not_for_ever(case: str) -> Iterator[None]:
    def hangs(*_: object) -> None:
        raise AssertionError(f"{case} hangs")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(HANGS_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("seed", range(SEED, SEED + JOURNALS))
def test_no_damage_stops_the_launcher_or_goes_unsaid(
    seed: int, evenings: dict[str, Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    dice = Random(f"damaged journal {seed}")
    name = list(HARMS)[seed % len(HARMS)]
    left = "killed" if name.startswith("log") else dice.choice(("closed", "killed"))
    stateless = dice.random() < 0.4
    case = f"seed {seed}: {name}, {left}{', without state file' if stateless else ''}"
    caplog.set_level(logging.CRITICAL + 1, "asyncio")
    before = entries_of(copied(evenings[left], tmp_path / "whole"))
    assert len(before) > 300
    with tempfile.TemporaryDirectory() as folder, not_for_ever(case):
        Path(folder).chmod(0o755)
        out = Path(folder) / "out"
        out.mkdir()
        out.chmod(0o777)
        path = copied(evenings[left], Path(folder) / "state")
        if stateless:
            beside(path, "-state").unlink()
        HARMS[name](path, dice)
        by: AbstractContextManager[None] = nullcontext()
        if name.startswith(("nobody", "folder read-only")):
            by = ordinary_user()
        with by:
            check(case, path, before, out, knowable=not (name in UNKNOWABLE and (stateless or path.is_symlink())))
        path.parent.chmod(0o755)


def check(case: str, path: Path, before: list[Entry], out: Path, *, knowable: bool) -> None:
    content = path.read_bytes() if path.is_file() and os.access(path, os.R_OK) else None
    log = beside(path, "-wal").exists()
    seen = look(path, out)
    if content is not None:
        assert path.read_bytes() == content, f"{case}: looking has changed it"
    why = played(lambda: start(path, "first"))
    print(f"{case}: {why or 'ready'}")
    if why:
        assert told_by_doctor(seen["doctor"], "wrong"), case
        assert content is None or path.read_bytes() == content, f"{case}: what is refused is left as it is"
        return
    now = entries_of(path)
    told = [Damage.told(entry.data) for entry in now if entry.type == DAMAGED]
    print(f"{case}: {[str(each.text) for each in told]}")
    lost = unsaid(before, now, told)
    assert lost == [] or not knowable, f"{case}: nobody was told of these"
    assert lost == [each.seq for each in before[-len(lost) :] if lost], f"{case}: entries before these are lost, too"
    if told:
        assert told_by_doctor(look(path, out)["doctor"], "note", "wrong"), case
    else:
        assert seen["audit"].exit_code in {0, 3} or not knowable, case
    for each in told:
        if each.kept_as and content is not None and not log:  # else SQLite has brought its log into it
            assert path.with_name(each.kept_as).read_bytes()[100:] == content[100:], case  # it counts in the header
    assert put_aside_before(path) == [each.kept_as for each in told if each.kept_as], case
    assert played(lambda: start(path, "second")) == "", case
    assert [entry for entry in entries_of(path) if entry.type == DAMAGED][len(told) :] == [], f"{case}: told twice"


def played(evening: Callable[[], Coroutine[Any, Any, str]]) -> str:
    said = []

    async def heard() -> None:
        said.append(await evening())

    play(heard)
    return said[0]
