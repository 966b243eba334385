"""``dispenser backup`` and ``restore``: what is in a backup is checked, and comes back whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli import app
from dispenser.journal import Journal
from dispenser.service.settings import ConfigError, load
from dispenser.system.backup import JOURNAL, SETTINGS, Manifest, make
from dispenser.system.last_backup import last_backup
from dispenser.system.swap import SwapError, plan_beside, settle
from tests.journal.tools import overwrite
from tests.system.programs import Programs

TOKEN = "a-very-secret-token"


class Place:
    """A folder with settings and a journal, as on a Pi."""

    def __init__(self, folder: Path, cards: list[int], *, odds: str = "toy") -> None:
        self.folder, self.settings, self.journal = folder, folder / "dispenser.toml", folder / "journal.sqlite3"
        folder.mkdir(exist_ok=True)
        text = f'[odds]\npreset = "{odds}"\n[journal]\npath = "{self.journal}"\n[web]\ntoken = "{TOKEN}"\n'
        self.settings.write_text(text)
        with Journal.open(self.journal) as journal:
            journal.append("launcher", [("a", {"cards": number}) for number in cards])

    def cards(self) -> list[int]:
        with Journal.read_only(self.journal) as journal:
            return [entry.data["cards"] for entry in journal]

    def run(self, *command: str, **given: object) -> Result:
        return CliRunner().invoke(app, [*command, "--config", str(self.settings)], env={"COLUMNS": "300"}, **given)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "here", [1, 2, 3])


@pytest.fixture
def kept(place: Place, tmp_path: Path) -> Path:
    """A backup of it."""
    file = tmp_path / "evening.zip"
    make(place.settings, place.journal, file)
    return file


# --- making one ---


def test_a_backup_is_made_while_the_launcher_writes_on(place: Place, tmp_path: Path) -> None:
    file = tmp_path / "evening.zip"
    with Journal.open(place.journal) as journal:
        journal.append("launcher", [("a", {"cards": 4})])  # is in the write-ahead log
        told = []

        def progress(done: int, of: int) -> None:
            told.append((done, of))
            journal.append("launcher", [("a", {"cards": 5})])

        manifest = make(place.settings, place.journal, file, progress)
    assert manifest.entries == 4
    assert told[-1][0] == told[-1][1] > 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evening.zip", "here"]


def test_what_cp_would_miss_is_in_the_backup(place: Place, tmp_path: Path) -> None:
    with Journal.open(place.journal) as journal:
        journal.append("launcher", [("a", {"cards": 4})])
        make(place.settings, place.journal, tmp_path / "evening.zip")
        copied = Path(shutil.copy(place.journal, tmp_path / "copied.sqlite3"))
    with Journal.read_only(copied) as by_cp:
        assert by_cp.last_seq == 3
    with zipfile.ZipFile(tmp_path / "evening.zip") as archive:
        archive.extract(JOURNAL, tmp_path)
    with Journal.read_only(tmp_path / JOURNAL) as by_us:
        assert by_us.last_seq == 4


def test_the_command_says_what_is_in_it_and_the_doctor_knows_of_it(place: Place, tmp_path: Path) -> None:
    file = tmp_path / "evening.zip"
    done = place.run("backup", str(file))
    assert done.exit_code == 0, done.output
    assert f"{file}: settings and journal (3 entries) of " in done.stdout
    last = last_backup(place.journal)
    assert last is not None
    assert last.entries == 3
    again = place.run("backup", str(file))
    assert again.exit_code == 74
    assert "is there already: name another file" in again.stderr


def test_a_damaged_journal_is_kept_too_and_told(place: Place, tmp_path: Path) -> None:
    with sqlite3.connect(place.journal) as db:
        db.execute("UPDATE entries SET data = '{\"cards\":9}' WHERE seq = 2")
    db.close()
    done = place.run("backup", str(tmp_path / "evening.zip"))
    assert done.exit_code == 1
    assert "entry 2 is missing or was altered" in done.stdout
    back = place.run("restore", str(tmp_path / "evening.zip"), "--yes")
    assert back.exit_code == 0, back.output


def test_a_journal_that_cannot_be_read_is_named_and_not_the_copy_of_it(place: Place, tmp_path: Path) -> None:
    overwrite(place.journal, 4096, bytes(4096))
    done = place.run("backup", str(tmp_path / "evening.zip"))
    assert done.exit_code == 74
    assert done.stderr.startswith(f"dispenser: {place.journal}: the journal is damaged")


def test_a_backup_is_made_where_nothing_may_be_written_beside_the_journal(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied", str(place.folder))

    monkeypatch.setattr("dispenser.system.last_backup.fresh", refused)
    done = place.run("backup", str(tmp_path / "evening.zip"))
    assert done.exit_code == 0, done.output
    assert (tmp_path / "evening.zip").exists()


def test_a_place_without_a_journal_and_without_rights(place: Place, tmp_path: Path) -> None:
    for path in place.folder.glob("journal*"):
        path.unlink()
    done = place.run("backup", str(tmp_path / "evening.zip"))
    assert "no journal: there was none" in done.stdout
    for folder in (str(tmp_path / "nowhere"), "~nowhere"):  # of no user, so a shell leaves it as it is
        for command in ("backup", "restore"):
            nowhere = place.run(command, f"{folder}/evening.zip")
            assert nowhere.exit_code == 74
            assert "nowhere" in nowhere.stderr


# --- putting it back ---


def test_a_backup_comes_back_and_what_was_there_stays(place: Place, kept: Path) -> None:
    Place(place.folder, [7], odds="wild")  # more, and other settings
    done = place.run("restore", str(kept), input="y\n")
    assert done.exit_code == 0, done.output
    assert place.cards() == [1, 2, 3]
    assert 'preset = "toy"' in place.settings.read_text()
    asides = {path.name.split("-2")[0]: path for path in place.folder.iterdir() if ".before-" in path.name}
    assert {"journal.sqlite3.before", "dispenser.toml.before"} <= set(asides)
    assert 'preset = "wild"' in asides["dispenser.toml.before"].read_text()
    with Journal.read_only(next(place.folder.glob("journal.sqlite3.before-*Z"))) as before:
        assert before.last_seq == 4
    with Journal.open(place.journal) as journal:
        assert journal.damage == []
    assert not list(place.folder.glob("*restor*"))


@pytest.mark.parametrize(
    ("name", "first", "then"),
    [
        ("calibration.json", "{}", '{"file": "x"}'),
        ("calibrated.toml", "[timing]\ncoast_s = 0.2\n", "[timing]\ncoast_s = 0.3\n"),
    ],
)
def test_what_was_measured_comes_back_with_it(place: Place, tmp_path: Path, name: str, first: str, then: str) -> None:
    measured = place.folder / name
    measured.write_text(first)
    assert place.run("backup", str(tmp_path / "measured.zip")).exit_code == 0
    measured.write_text(then)
    assert place.run("restore", str(tmp_path / "measured.zip"), "--yes").exit_code == 0
    assert measured.read_text() == first
    assert next(place.folder.glob(f"{name}.before-*")).read_text() == then


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[web]\nlan = true\n", "web: belongs into the settings file"),
        (b"[timing]\ncoast_s = 0.2 # \xff\n", "not a text (byte 26); give a UTF-8 file"),
    ],
)
def test_a_calibration_that_the_service_would_not_start_with_is_refused(
    place: Place, tmp_path: Path, content: bytes, words: str
) -> None:
    calibrated, archive = place.folder / "calibrated.toml", tmp_path / "wrong.zip"
    calibrated.write_bytes(content)
    with pytest.raises(ConfigError, match=re.escape(words)):
        load(place.settings)
    make(place.settings, place.journal, archive)
    calibrated.write_text("[timing]\ncoast_s = 0.2\n")
    done = place.run("restore", str(archive), "--yes")
    assert done.exit_code == 74
    assert f"calibrated.toml: {words}" in done.stderr.replace("\n", " ")
    assert calibrated.read_text() == "[timing]\ncoast_s = 0.2\n"


def test_a_pipe_is_no_backup(place: Place, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    done = place.run("restore", str(tmp_path / "pipe"), "--yes")
    assert (done.exit_code, "a pipe or a device, not a file" in done.stderr) == (74, True)


def test_nothing_is_done_without_a_yes(place: Place, kept: Path) -> None:
    Place(place.folder, [7])
    done = place.run("restore", str(kept), input="n\n")
    assert done.exit_code == 0
    assert place.cards() == [1, 2, 3, 7]


def test_a_new_card_in_the_pi_gets_everything_back(place: Place, kept: Path) -> None:
    shutil.rmtree(place.folder)
    place.folder.mkdir()
    assert place.run("restore", str(kept), "--yes").exit_code == 0
    assert place.cards() == [1, 2, 3]
    assert place.settings.read_text().endswith(f'token = "{TOKEN}"\n')
    assert {path.stat().st_mode & 0o777 for path in (place.settings, place.journal)} == {0o640, 0o600}


def test_a_running_launcher_is_not_robbed_of_its_journal(place: Place, kept: Path) -> None:
    with Journal.open(place.journal):
        done = place.run("restore", str(kept), "--yes")
    assert done.exit_code == 74
    assert "writes to" in done.stderr
    assert "end it first" in done.stderr


def test_the_service_is_stopped_and_started_again(
    place: Place, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = Programs(tmp_path, monkeypatch)
    system.put("systemctl", "ActiveState=active\n")
    done = place.run("restore", str(kept), "--yes")
    assert done.exit_code == 0, done.output
    assert "it is ended before, and started again afterwards" in done.stdout
    orders = [call.split(" --")[0] for call in system.calls]
    assert orders == [f"systemctl {what} dispenser.service" for what in ("show", "stop", "start")]


def changed(file: Path, name: str, change: Callable[[bytes], bytes]) -> Path:
    """The backup with one of its parts changed."""
    other = file.with_name("changed.zip")
    with zipfile.ZipFile(file) as archive, zipfile.ZipFile(other, "w") as written:
        for each in archive.namelist():
            content = archive.read(each)
            written.writestr(each, change(content) if each == name else content)
    return other


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("manifest.json", lambda text: text.replace(b'"format": 1', b'"format": 2'), "update this one first"),
        ("manifest.json", lambda text: text.replace(b'"version": "0', b'"version": "9'), "was made by dispenser 9"),
        ("manifest.json", lambda text: text.replace(b'"journal_version": 4', b'"journal_version": 5'), "update"),
        (
            "manifest.json",
            lambda text: text.replace(b'"entries": 3', b'"entries": 4'),
            "is not what was kept (3 entries)",
        ),
        ("manifest.json", lambda _: b"{}", "is no backup, or a damaged one"),
        (SETTINGS, lambda text: text + b"#", "dispenser.toml is not what it was"),
        (JOURNAL, lambda content: content[:-1] + b"!", "journal.sqlite3 is not what it was"),
    ],
)
def test_what_is_not_what_it_says_is_refused(
    place: Place, kept: Path, name: str, change: Callable[[bytes], bytes], words: str
) -> None:
    before = place.settings.read_bytes(), place.journal.read_bytes()
    done = place.run("restore", str(changed(kept, name, change)), "--yes")
    assert done.exit_code == 74
    assert words in done.stderr
    assert (place.settings.read_bytes(), place.journal.read_bytes()) == before
    assert not list(place.folder.glob("*restor*"))


def test_a_backup_has_what_a_restore_takes_and_nothing_else(kept: Path) -> None:
    with zipfile.ZipFile(kept) as archive:
        assert archive.namelist() == ["manifest.json", SETTINGS, JOURNAL]


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("manifest.json", lambda text: text + b" " * (1 << 21), "manifest.json is far too long"),
        ("manifest.json", lambda text: text.replace(b'"version": "0', b'"version": "' + b"9" * 5000), "is no backup"),
        ("manifest.json", lambda text: text.replace(b'"version": "0', b'"version": "\\u001b]0;'), "is no backup"),
        ("manifest.json", lambda text: text.replace(b'"made": "', b'"made": "\\u001b[2J'), "is no backup"),
        ("manifest.json", lambda text: text.replace(b'"size": ', b'"size": 9'), "is not what it was"),
    ],
)
def test_what_somebody_has_made_up_is_refused_in_one_line(
    place: Place, kept: Path, name: str, change: Callable[[bytes], bytes], words: str
) -> None:
    done = place.run("restore", str(changed(kept, name, change)), "--yes")
    assert done.exit_code == 74
    assert words in done.stderr
    assert "\x1b" not in done.output
    assert len(done.stderr.splitlines()) == 1


def with_settings(kept: Path, settings: bytes) -> Path:
    """The backup with other settings, of which the manifest knows."""
    part = {"size": len(settings), "sha256": hashlib.sha256(settings).hexdigest()}

    def known(text: bytes) -> bytes:
        manifest = json.loads(text)
        manifest["files"][SETTINGS] = part
        return json.dumps(manifest).encode()

    return changed(changed(kept, "manifest.json", known).rename(kept), SETTINGS, lambda _: settings)


@pytest.mark.parametrize("settings", [b"# \xe9", b"#" * (1 << 21)])
def test_settings_that_are_no_text_or_no_end_are_refused_in_one_line(place: Place, kept: Path, settings: bytes) -> None:
    done = place.run("restore", str(with_settings(kept, settings)), "--yes")
    assert done.exit_code == 74
    assert len(done.stderr.splitlines()) == 1


def test_what_does_not_fit_on_the_disk_is_not_begun(place: Place, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=1 << 10))
    done = place.run("restore", str(kept), "--yes")
    assert done.exit_code == 74
    assert "make room first" in done.stderr
    assert not list(place.folder.glob("*restor*"))


def test_a_launcher_that_does_not_start_afterwards_is_told_after_what_was_restored(
    place: Place, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Place(place.folder, [7])
    system = Programs(tmp_path, monkeypatch)
    system.put("systemctl", "ActiveState=active\n", then='[ "$1" != start ] || exit 1')
    done = place.run("restore", str(kept), "--yes")
    assert done.exit_code == 74
    assert "Restored." in done.stdout
    assert "What was there is kept as" in done.stdout
    assert "systemctl start" in done.stderr


@pytest.fixture
def no_program_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """End what is still running: a signal may come while a program is being started, and then nobody waits for it."""
    started: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen.__init__

    def noted(process: subprocess.Popen[bytes], *given: Any, **more: Any) -> None:
        started.append(process)
        start(process, *given, **more)

    monkeypatch.setattr(subprocess.Popen, "__init__", noted)
    yield
    for process in started:
        if process.pid is not None and process.returncode is None:  # no number: the signal came before it was known
            process.kill()
            process.wait()


@pytest.mark.usefixtures("no_program_left")
@pytest.mark.parametrize("call", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("at", ["stop", "restore"])
def test_whatever_ends_a_restore_the_launcher_is_started_again(
    place: Place, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: signal.Signals, at: str
) -> None:
    """A terminal that is closed, twice: its shell tells it again."""

    def ended(*_: object) -> list[Path]:
        signal.raise_signal(call)
        raise AssertionError("it went on")

    system, log = Programs(tmp_path, monkeypatch), tmp_path / "orders"
    kill = f"kill -{call.value} $PPID; exec sleep 60" if at == "stop" else ":"
    again = f"kill -{call.value} $PPID"
    then = f'echo $1 >> "{log}"; case $1 in stop) {kill} ;; start) {again} ;; esac'
    system.put("systemctl", "ActiveState=active\n", then=then)
    monkeypatch.setattr("dispenser.system.restore.restore", ended)
    before = [signal.getsignal(each) for each in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT)]
    done = place.run("restore", str(kept), "--yes")
    assert done.exit_code == 128 + call
    assert log.read_text().split() == ["show", "stop", "start"]
    assert [signal.getsignal(each) for each in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT)] == before


def test_a_bit_that_flips_on_the_stick_is_found(place: Place, kept: Path) -> None:
    content = bytearray(kept.read_bytes())
    content[len(content) // 2] ^= 4
    kept.write_bytes(content)
    done = place.run("restore", str(kept), "--yes")
    assert done.exit_code == 74
    assert "damaged" in done.stderr


def test_something_else_is_no_backup(place: Place) -> None:
    done = place.run("restore", str(place.settings), "--yes")
    assert "is no backup" in done.stderr
    missing = place.run("restore", str(place.folder / "none.zip"), "--yes")
    assert missing.exit_code == 74
    assert "none.zip" in missing.stderr


# --- killed at each step ---


def test_a_launcher_that_starts_meanwhile_waits_for_the_end(place: Place) -> None:
    import fcntl

    plan = plan_beside(place.journal)
    plan.write_text("{}")
    with plan.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(SwapError, match="being restored just now"):
            settle(plan)
        done = place.run("run")
        assert done.exit_code == 69
        assert "being restored just now" in done.stderr


def test_a_manifest_can_be_read_by_people(kept: Path) -> None:
    with zipfile.ZipFile(kept) as archive:
        lines = archive.read("manifest.json").decode().splitlines()
    assert len(lines) > len(Manifest.__struct_fields__)
