"""Under a French locale everything that the library of the command line says is French, too."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.cli.spoken import language
from tests.language.extract import of_help

ENGLISH = re.compile(r"\b(the|and|is|of|not|with|usage|invalid|missing)\b", re.IGNORECASE)


def commands() -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    waiting = [((), get_command(app))]
    while waiting:
        name, command = waiting.pop()
        found.append(name)
        if isinstance(command, TyperGroup):
            waiting += [((*name, below), each) for below, each in command.commands.items()]
    return sorted(found)


def shown(*arguments: str, **environment: str) -> str:
    """What a terminal of 100 columns shows."""
    done = subprocess.run(
        [sys.executable, "-m", "dispenser", *arguments],
        env=os.environ | {"COLUMNS": "100", "NO_COLOR": "1"} | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout + done.stderr


def run(*arguments: str, **environment: str) -> str:
    """The same in one line, without boxes."""
    return re.sub(r"[ \n│╭╮╰╯─]+", " ", shown(*arguments, **environment))


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_each_command_helps_in_french(command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "fr_CH.UTF-8")
    page = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "80"}).stdout
    plain = re.sub(r"\S*[-_.=/]\S*|<\S+>", "", page.partition("Usage\u00a0: ")[2])  # options, files, kinds
    english = {each.english for each in of_help()}
    assert "Affiche cette aide." in page
    assert not {line.strip(" │") for line in page.splitlines()} & {text for text in english if " " in text}
    assert not [word for word in ENGLISH.findall(plain) if word != "Usage"]


def test_the_frame_around_the_help_is_french() -> None:
    page = run("press", "--help", LC_ALL="fr_FR.UTF-8")
    assert re.search("Usage\u00a0: .*dispenser press \\[OPTIONS\\]", page)
    assert "[variable d’environnement\u00a0: DISPENSER_TOKEN]" in page
    assert "Pour l’aide\u00a0: " in run("press", "--nonsense", LC_ALL="fr_FR.UTF-8")
    assert "Commandes" in run("--help", LC_ALL="fr_FR.UTF-8")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("nonsense", "Cette commande n’existe pas\u00a0: 'nonsense'."),
        ("press --nonsense", "Cette option n’existe pas\u00a0: --nonsense"),
        ("press --card 2", "Cette option n’existe pas\u00a0: --card (voulais-tu dire\u00a0: --cards"),
        ("press --cards", "Il manque une valeur derrière l’option '--cards'."),
        ("press --cards two", "Valeur impossible pour '--cards'\u00a0: 'two' n’est pas un nombre entier."),
        ("press --json=1", "L’option '--json' s’écrit sans valeur."),
        ("press 3", "C’est trop\u00a0: 3"),
        ("odds --presses 0", "0 n’est pas dans l’intervalle 1<="),
        ("log --last x", "Valeur impossible pour '--last'\u00a0: 'x' n’est pas un nombre entier."),
        ("rules simulate", "Il manque 'JEU'."),
        ("rules show uno --lang de", "'de' ne fait pas partie de\u00a0: 'en', 'fr'."),
    ],
)
def test_a_usage_error_is_french(typed: str, told: str) -> None:
    page = run(*typed.split(), LC_ALL="fr_FR.UTF-8")
    assert told in page
    assert " Erreur " in page


def test_in_another_language_it_is_english() -> None:
    assert "No such option: --nonsense" in run("press", "--nonsense", LC_ALL="de_DE.UTF-8")
    assert "No such option: --nonsense" in run("press", "--nonsense", LC_ALL="fr_FR.UTF-8", LANGUAGE="en:fr")


@pytest.mark.parametrize("columns", ["60", "70", "80"])
def test_lines_are_not_broken_at_a_space_that_holds(columns: str) -> None:
    page = shown("rules", "play", "--help", LC_ALL="fr_FR.UTF-8", COLUMNS=columns)
    assert "\u00a0;" in page
    assert not re.search(r"^\W*[;:!?»]\s", page, re.MULTILINE)


def test_the_terminal_speaks_the_language_of_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert language() == "fr"
    monkeypatch.setenv("LC_ALL", "C")
    assert language() == "en"
