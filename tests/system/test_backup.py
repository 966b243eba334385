"""``dispenser backup`` and ``restore``: what is in a backup is checked, and comes back; what was there is kept."""

from __future__ import annotations

import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli import app
from dispenser.journal import Journal, JournalError
from dispenser.system.backup import JOURNAL, last_backup, make
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
        return _cards(self.journal)

    def run(self, *command: str, **given: object) -> Result:
        return CliRunner().invoke(app, [*command, "--config", str(self.settings)], env={"COLUMNS": "300"}, **given)


def _cards(path: Path) -> list[int]:
    with Journal.read_only(path) as journal:
        return [record.data["cards"] for record in journal]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "here", [1, 2, 3])


@pytest.fixture
def kept(place: Place, tmp_path: Path) -> Path:
    """A backup of it."""
    file = tmp_path / "evening.zip"
    make(place.settings, place.journal, file)
    return file


def test_a_backup_made_while_the_launcher_writes_is_whole(place: Place, tmp_path: Path) -> None:
    file = tmp_path / "evening.zip"
    with Journal.open(place.journal) as journal:
        journal.append("launcher", [("a", {"cards": 4})])  # is in the write-ahead log
        done = place.run("backup", str(file))
    assert done.exit_code == 0, done.output
    assert f"{file}: settings and journal (4 records) of " in done.stdout
    assert file.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(file) as archive:
        archive.extract(JOURNAL, tmp_path)
    assert _cards(tmp_path / JOURNAL) == [1, 2, 3, 4]
    assert last_backup(place.journal) is not None
    again = place.run("backup", str(file))
    assert again.exit_code == 74
    assert "is there already: name another file" in again.stderr
    nowhere = tmp_path / "nowhere" / "evening.zip"
    assert f"{nowhere}: there is no such" in place.run("backup", str(nowhere)).stderr


def test_a_damaged_journal_is_kept_too_and_told(place: Place, tmp_path: Path) -> None:
    with sqlite3.connect(place.journal) as db:
        db.execute("UPDATE records SET data = '{\"cards\":9}' WHERE seq = 2")
    db.close()
    done = place.run("backup", str(tmp_path / "evening.zip"))
    assert done.exit_code == 1
    assert "record 2 is missing or was altered" in done.stdout


@pytest.mark.parametrize("name", ["calibration.json", "journal.sqlite3-backup"])
def test_a_link_in_the_services_folder_leads_a_backup_by_root_nowhere(place: Place, tmp_path: Path, name: str) -> None:
    """Whoever may write there could have root read, or write, any file."""
    (tmp_path / "shadow").write_text("root:secret")
    (place.folder / name).symlink_to(tmp_path / "shadow")
    done = place.run("backup", str(tmp_path / "evening.zip"))
    assert done.exit_code == (74 if name == "calibration.json" else 0)
    assert (tmp_path / "shadow").read_text() == "root:secret"


def test_a_backup_comes_back_and_what_was_there_stays(place: Place, kept: Path) -> None:
    Place(place.folder, [7], odds="wild")  # more, and other settings
    done = place.run("restore", str(kept), input="y\n")
    assert done.exit_code == 0, done.output
    assert place.cards() == [1, 2, 3]
    assert 'preset = "toy"' in place.settings.read_text()
    (settings,) = place.folder.glob("dispenser.toml.before-*Z")
    assert 'preset = "wild"' in settings.read_text()
    (folder,) = place.folder.glob("journal.sqlite3.before-*Z")
    assert _cards(folder / "journal.sqlite3") == [1, 2, 3, 7]
    assert f"What was there is kept as {settings}." in done.stdout
    assert f"What was there is kept as {folder}." in done.stdout
    with Journal.open(place.journal) as journal:
        assert journal.damage == []
    assert not list(place.folder.glob("*restoring*"))


def test_what_was_measured_comes_back_with_it(place: Place, tmp_path: Path) -> None:
    measured, calibrated = place.folder / "calibration.json", place.folder / "calibrated.toml"
    measured.write_text("{}")
    assert place.run("backup", str(tmp_path / "measured.zip")).exit_code == 0
    measured.write_text('{"file": "x"}')
    calibrated.write_text("[timing]\ncoast_s = 0.2\n")
    assert place.run("restore", str(tmp_path / "measured.zip"), "--yes").exit_code == 0
    assert measured.read_text() == "{}"
    assert not calibrated.exists(), "it would override the settings that came back"
    calibrated.write_bytes(b"[web]\nlan = true\n")
    make(place.settings, place.journal, tmp_path / "wrong.zip")
    done = place.run("restore", str(tmp_path / "wrong.zip"), "--yes")
    assert done.exit_code == 74
    assert "calibrated.toml: [web]: there is no such table" in done.stderr.replace("\n", " ")


def test_a_new_card_in_the_pi_gets_everything_back(place: Place, kept: Path) -> None:
    shutil.rmtree(place.folder)
    place.folder.mkdir()
    assert place.run("restore", str(kept), "--yes").exit_code == 0
    assert place.cards() == [1, 2, 3]
    assert place.settings.read_text().endswith(f'token = "{TOKEN}"\n')
    assert {path.stat().st_mode & 0o777 for path in (place.settings, place.journal)} == {0o640, 0o600}


def test_a_running_launcher_refuses_and_one_that_starts_meanwhile_is_refused(
    place: Place, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal.open(place.journal):
        done = place.run("restore", str(kept), "--yes")
    assert done.exit_code == 74
    assert "writes to" in done.stderr
    assert "end it first" in done.stderr
    rename, moved = Path.rename, []

    def start(path: Path, target: Path) -> Path:
        if path.parent == place.folder and path != place.settings:
            moved.append(path.name)
            with pytest.raises(JournalError, match="process"):
                Journal.open(place.journal)
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", start)
    assert place.run("restore", str(kept), "--yes").exit_code == 0
    assert (moved[0], moved[-1]) == ("journal.sqlite3", "journal.sqlite3-state")


@pytest.mark.parametrize("renames", range(5))
def test_one_that_is_cut_off_loses_nothing_and_can_be_done_again(
    place: Place, kept: Path, monkeypatch: pytest.MonkeyPatch, renames: int
) -> None:
    Place(place.folder, [7], odds="wild")
    rename, left = Path.rename, [renames]

    def cut_off(path: Path, target: Path) -> Path:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(5, "power cut")
        return rename(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", cut_off)
        assert place.run("restore", str(kept), "--yes").exit_code == 74
    (old,) = [path for path in place.folder.rglob("journal.sqlite3") if _cards(path) != [1, 2, 3]]
    assert _cards(old) == [1, 2, 3, 7]
    for folder in place.folder.glob("*.before-*"):
        folder.rename(folder.with_name("first"))  # this test restores twice in a second
    assert place.run("restore", str(kept), "--yes").exit_code == 0
    assert place.cards() == [1, 2, 3]
    assert 'preset = "toy"' in place.settings.read_text()


def test_the_service_is_stopped_and_started_again(
    place: Place, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = Programs(tmp_path, monkeypatch)
    system.put("systemctl", "ActiveState=active\n", then='[ "$1" != start ] || exit 1')
    done = place.run("restore", str(kept), "--yes")
    assert "it will be stopped first, and started again afterwards" in done.stdout
    orders = [call.split(" --")[0] for call in system.calls]
    assert orders == [f"systemctl {what} dispenser.service" for what in ("show", "stop", "start")]
    assert done.exit_code == 74
    assert "Restored." in done.stdout
    assert "systemctl start" in done.stderr, "it did not start"


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
        ("manifest.json", lambda text: text.replace(b'"format": 1', b'"format": 2'), "install that version first"),
        ("manifest.json", lambda _: b"{}", "is no backup, or a damaged one"),
        (JOURNAL, lambda content: content[:-1] + b"!", "or a damaged one"),
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
    assert not list(place.folder.glob("*.restoring-*")) + list(place.folder.glob("*.before-*"))
