"""Root looks after a folder that is the service's user's: nothing that lies there leads it to anybody else's files."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from dispenser.journal.errors import JournalError
from dispenser.system.links import followed
from dispenser.system.swap import Replacement, SwapError, plan_beside, replace_all, settle
from tests.system.test_backup import Place

ANOTHER = 65_534


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "here", [1, 2, 3])


@pytest.fixture
def treasure(tmp_path: Path) -> Path:
    """A file that is none of theirs."""
    path = tmp_path / "shadow"
    path.write_text("root:secret")
    return path


def by_another(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another user than the one who looks have made it."""
    if os.geteuid() == 0:
        os.chown(path, ANOTHER, -1, follow_symlinks=False)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: ANOTHER)


def plan_of(place: Place, target: Path) -> Path:
    """A plan as somebody writes it who wants a file of theirs in another place."""
    theirs = place.folder / "theirs"
    theirs.write_text("owned")
    each = {"target": str(target), "kept": str(theirs), "new": None}
    last = {"target": str(place.folder / "a"), "kept": str(place.folder / "b"), "new": str(place.folder / "c")}
    plan = plan_beside(place.journal)
    plan.write_bytes(msgspec.json.encode({"replacements": [each, last], "inodes": [0, 1]}))
    return plan


def test_a_plan_that_somebody_else_has_written_moves_no_file(
    place: Place, treasure: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of(place, treasure)
    by_another(plan, monkeypatch)
    with pytest.raises(SwapError, match="has begun a restore"):
        settle(plan)
    assert treasure.read_text() == "root:secret"
    done = place.run("backup", str(tmp_path / "evening.zip"))
    assert done.exit_code == 74
    assert str(plan) in done.stderr


def test_a_plan_that_is_a_link_or_no_plan_is_told(place: Place, treasure: Path) -> None:
    plan = plan_beside(place.journal)
    plan.symlink_to(treasure)
    with pytest.raises(SwapError, match="cut off"):
        settle(plan)
    plan.unlink()
    plan.write_text("{}")
    with pytest.raises(SwapError, match="cannot be read"):
        settle(plan)


def test_a_link_in_the_place_of_a_plans_draft_is_not_written_through(place: Place, treasure: Path) -> None:
    plan = plan_beside(place.journal)
    plan.with_name(plan.name + ".draft").symlink_to(treasure)
    new, target = place.folder / "new", place.folder / "target"
    new.write_text("new")
    replace_all(plan, [Replacement(target, place.folder / "kept", new)])
    assert target.read_text() == "new"
    assert treasure.read_text() == "root:secret"


def test_a_link_in_the_place_of_the_note_of_a_backup_is_not_written_through(
    place: Place, treasure: Path, tmp_path: Path
) -> None:
    (place.folder / "journal.draft").symlink_to(treasure)
    assert place.run("backup", str(tmp_path / "evening.zip")).exit_code == 0
    assert treasure.read_text() == "root:secret"


def test_a_link_in_the_place_of_what_was_measured_gets_nothing_into_a_backup(
    place: Place, treasure: Path, tmp_path: Path
) -> None:
    (place.folder / "calibration.json").symlink_to(treasure)
    file = tmp_path / "evening.zip"
    done = place.run("backup", str(file))
    assert done.exit_code == 74
    assert "calibration.json" in done.stderr
    assert not file.exists()


def test_a_pipe_in_the_place_of_what_was_measured_keeps_nobody_waiting(place: Place, tmp_path: Path) -> None:
    os.mkfifo(place.folder / "calibration.json")
    os.mkfifo(place.folder / "journal.sqlite3-backup")
    done = place.run("backup", str(tmp_path / "evening.zip"))
    assert done.exit_code == 74
    assert "calibration.json" in done.stderr


def test_a_restore_follows_no_link_that_somebody_else_has_made(
    place: Place, treasure: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "evening.zip"
    assert place.run("backup", str(file)).exit_code == 0
    place.journal.unlink()
    place.journal.symlink_to(treasure)
    by_another(place.journal, monkeypatch)
    done = place.run("restore", str(file), "--yes")
    assert done.exit_code == 74
    assert "remove it" in done.stderr
    assert treasure.read_text() == "root:secret"


def test_a_link_of_ones_own_to_the_journal_is_followed(place: Place, tmp_path: Path) -> None:
    file, elsewhere = tmp_path / "evening.zip", tmp_path / "stick"
    elsewhere.mkdir()
    assert place.run("backup", str(file)).exit_code == 0
    place.journal.rename(elsewhere / "j")
    place.journal.symlink_to("../stick/j")
    assert place.run("restore", str(file), "--yes").exit_code == 0
    assert place.journal.is_symlink()
    assert not (elsewhere / "j").is_symlink()
    assert place.cards() == [1, 2, 3]


def test_links_are_followed_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "a").symlink_to(tmp_path / "disk")
    (tmp_path / "disk" / "j").symlink_to("k")
    assert followed(tmp_path / "a" / "j") == tmp_path / "disk" / "k"
    by_another(tmp_path / "disk" / "j", monkeypatch)
    with pytest.raises(JournalError, match="neither root nor you"):
        followed(tmp_path / "a" / "j")
