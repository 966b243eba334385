"""``--help``, the manual page, and mistakes in typing: complete, and in the language of the terminal."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import pytest
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.main import get_command
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.i18n import catalog
from tests.cli import man_page
from tests.i18n.extract import texts_of


def every_command() -> Iterator[tuple[tuple[str, ...], TyperCommand | TyperGroup]]:
    """All commands and groups of them, with the words that lead there."""
    waiting: list[tuple[tuple[str, ...], object]] = [((), get_command(app))]
    while waiting:
        words, command = waiting.pop()
        assert isinstance(command, TyperCommand | TyperGroup)
        yield words, command
        if isinstance(command, TyperGroup):
            waiting += [((*words, below), command.get_command(None, below)) for below in command.commands]


def test_the_manual_page_is_that_of_the_commands() -> None:
    assert man_page.FILE.read_text(encoding="utf-8") == man_page.page(), "stale: run 'python -m tests.cli.man_page'"


def test_each_command_says_what_it_does_and_its_example_can_be_typed() -> None:
    examples = 0
    for words, command in every_command():
        assert command.help, words
        if example := re.search(r"^Example: (?:sudo )?dispenser (.*)$", command.help, re.MULTILINE):
            typed = shlex.split(example[1])
            assert tuple(typed[: len(words)]) == words
            command.make_context(words[-1], typed[len(words) :])
            examples += 1
    assert examples > 20


@pytest.mark.long
@pytest.mark.parametrize("words", [words for words, _ in every_command()], ids=" ".join)
def test_every_page_of_help_is_french_under_a_french_locale(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    page = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "500", "NO_COLOR": "1"}).stdout
    monkeypatch.undo()
    for english in ("Usage:", "Commands", "Show this page", "required]", "default:", "Example:"):
        assert english not in page
    command = dict(every_command())[words]
    for text in texts_of(TyperCommand(None, help=command.help, params=command.params)):
        assert text not in page or catalog("fr").gettext(text) == text, text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["eject"], "il manque 'CARTES'"),
        (["eject", "trois"], "« trois » n’est pas un nombre entier"),
        (["press", "--foo"], "l’option --foo n’existe pas"),
        (["odds", "wilde"], "« wilde » ne convient pas ; valeurs possibles : toy"),
        (["run", "--driver", "foo"], "--driver"),
        (["demo", "--seed"], "--seed attend une valeur"),
        (["eject", "3", "4"], "en trop : 4"),
        (["pressez"], "voulais-tu dire"),
        (["simulator", "fault"], "il manque 'PANNE'"),
        (["simulator", "run"], "il manque 'SCRIPT.py'"),
    ],
    ids=str,
)
def test_a_mistake_is_told_in_french_under_a_french_locale(
    typed: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    done = CliRunner().invoke(app, typed, env={"COLUMNS": "200", "NO_COLOR": "1"})
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr.replace("\u00a0", " ")


def test_no_number_of_any_command_takes_what_is_none() -> None:
    """``nan`` is within no bounds, and beyond none."""
    asked = [
        [*words, *((parameter.opts[0],) if isinstance(parameter, TyperOption) else ()), "nan"]
        for words, command in every_command()
        for parameter in command.params
        if parameter.type.name.startswith("float")
    ]
    assert {" ".join(words[:2]) for words in asked} >= {"log --seconds-before", "simulator button", "simulator cells"}
    for words in asked:
        answer = CliRunner().invoke(app, words, env={"LC_ALL": "C"})
        assert (answer.exit_code, "'nan' is not a number" in answer.stderr) == (2, True), words
