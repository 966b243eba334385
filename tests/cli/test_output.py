"""What every command does when what it prints goes nowhere."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from dispenser.cli import main
from dispenser.cli.failures import fail
from dispenser.journal import Journal
from tests.sampled import sampled

COMMAND = (sys.executable, "-c", "from dispenser.cli import main; main()")
LOG = ("log", "--journal", "journal.sqlite3")


@pytest.fixture(autouse=True)
def beside_a_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        journal.append("launcher", [("launcher.lid.opened", {})])


every_command = pytest.mark.parametrize(
    "arguments", sampled([("--help",), ("odds", "--json"), ("odds",), LOG], 4), ids=str
)


@every_command
def test_a_reader_that_has_gone_is_no_answer(arguments: tuple[str, ...]) -> None:
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as printing:
        assert printing.stdout is not None
        assert printing.stderr is not None
        printing.stdout.close()
        assert printing.stderr.read() == b""
        assert printing.wait() == 141


@every_command
def test_a_full_disk_is_told_in_one_line(arguments: tuple[str, ...]) -> None:
    environment = os.environ | {"LC_ALL": "fr_FR.UTF-8", "PYTHONIOENCODING": "utf-8"}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, check=False, env=environment)
    assert done.stderr.decode() == "dispenser: impossible de l’afficher\u00a0: il n’y a plus de place\n"
    assert done.returncode == 74


def test_an_error_keeps_its_no_break_spaces(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        fail("il manque une carte\u00a0:\n  laquelle\u00a0?", 2)
    assert capsys.readouterr().err == "dispenser: il manque une carte\u00a0: laquelle\u00a0?\n"


def test_a_sign_that_the_terminal_does_not_have_stops_nothing() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "fr_FR.UTF-8"}
    done = subprocess.run([*COMMAND, "rules", "list"], capture_output=True, check=True, env=environment)
    assert b"Uno Extr?me" in done.stdout


def test_a_folder_that_this_user_may_not_look_into_is_told_on_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def locked(*_: object) -> bool:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/locked/evening.sqlite3")

    monkeypatch.setattr(Path, "is_file", locked)
    monkeypatch.setattr(sys, "argv", ["dispenser", "audit", "--journal", "/locked/evening.sqlite3"])
    with pytest.raises(SystemExit, match="74"):
        main()
    assert capsys.readouterr().err.startswith("dispenser: /locked/evening.sqlite3: ")
