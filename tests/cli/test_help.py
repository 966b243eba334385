"""``--help``: paragraphs are set whole, and nothing in it reads like Python."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.main import get_command
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.cli.help_pages import paragraphs, texts_of
from dispenser.i18n import catalog
from tests.cli import man_page


def helped(*command: str) -> str:
    done = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "80", "LC_ALL": "C", "NO_COLOR": "1"})
    assert done.exit_code == 0
    return done.stdout


def about(*command: str) -> list[list[str]]:
    """The paragraphs above the boxes, as lines."""
    text = helped(*command).partition("╭")[0]
    return [paragraph.strip().splitlines() for paragraph in re.split(r"\n\s*\n", text) if paragraph.strip()]


@pytest.mark.parametrize(
    "command",
    [("rules", "simulate"), ("rules", "check"), ("rules", "play"), ("log",), ("scenario",), ("firmware", "monitor")],
)
def test_a_paragraph_breaks_its_lines_at_the_edge_only(command: tuple[str, ...]) -> None:
    for paragraph in about(*command):
        for line, following in itertools.pairwise(paragraph):
            assert len(line.rstrip()) + len(following.split()[0]) + 1 > 78, line


def every_command() -> Iterator[tuple[tuple[str, ...], TyperCommand | TyperGroup]]:
    """All commands and groups of them, with the words that lead there."""
    waiting: list[tuple[tuple[str, ...], object]] = [((), get_command(app))]
    while waiting:
        words, command = waiting.pop()
        assert isinstance(command, TyperCommand | TyperGroup)
        yield words, command
        if isinstance(command, TyperGroup):
            waiting += [((*words, below), each) for below, each in command.commands.items()]


def test_the_manual_page_is_that_of_the_commands() -> None:
    assert man_page.FILE.read_text(encoding="utf-8") == man_page.page(), "stale: run 'python -m tests.cli.man_page'"


def test_each_command_says_what_it_does() -> None:
    commands = list(every_command())
    assert len(commands) > 30
    for words, command in commands:
        assert command.help, words


@pytest.mark.long
@pytest.mark.parametrize("words", [words for words, _ in every_command()], ids=" ".join)
def test_every_page_of_help_is_french_under_a_french_locale(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    page = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "500", "NO_COLOR": "1"}).stdout
    monkeypatch.undo()
    for english in (
        "Usage:",
        "Commands",
        "Show this page",
        "[required]",
        "[default:",
        " NUMBER ",
        "<int",
        "<str",
        "<path",
    ):
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
        (["eject", "3", "4"], "en trop : 4"),
        (["pressez"], "voulais-tu dire"),
        (["toy", "fault"], "il manque 'NOM'"),
        (["toy", "run"], "il manque 'SCRIPT.py'"),
    ],
    ids=str,
)
def test_a_mistake_is_told_in_french_under_a_french_locale(
    typed: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    done = CliRunner().invoke(app, typed, env={"COLUMNS": "200", "NO_COLOR": "1"})
    assert done.exit_code == 2
    assert said in done.stderr.replace("\u00a0", " ")


@pytest.mark.long
@pytest.mark.parametrize(
    ("now", "once"),
    [
        (["run", "--serial-port", "x"], ["run", "--port", "x"]),
        (["run", "--serial-port=x"], ["run", "--port=x"]),
        (["odds", "--recording", "x"], ["odds", "--csv", "x"]),
        (["log", "--seconds-before", "-1"], ["log", "--before", "-1"]),
        (["log", "--seconds-after", "-1"], ["log", "--after", "-1"]),
    ],
    ids=str,
)
def test_an_old_name_of_an_option_is_understood_and_not_shown(now: list[str], once: list[str]) -> None:
    answers = [CliRunner().invoke(app, each, env={"DISPENSER_CONFIG": "/nowhere"}) for each in (now, once)]
    assert answers[0].exit_code == answers[1].exit_code != 0
    assert answers[0].stderr == answers[1].stderr
    assert now[1].partition("=")[0] in helped(now[0])
    assert f"{once[1].partition('=')[0]} " not in helped(once[0])


@pytest.mark.long
@pytest.mark.parametrize(
    "word",
    [
        *("appuie", "éjecte", "charge", "compte", "réarme", "regarde", "lance", "démonstration", "journal", "preuve"),
        *("hasard", "docteur", "réglages", "règles", "micrologiciel", "JOUET"),
    ],
)
def test_a_french_word_leads_to_the_command_of_one_name(word: str) -> None:
    page = helped(word)
    assert word not in page.splitlines()[1]
    assert "Usage: dispenser " in page


def test_a_default_in_words_is_a_sentence() -> None:
    page = re.sub(r"[\s│]+", " ", helped("rules", "play"))
    assert "[default: (" not in page
    assert "Players, you and the bots. Left out: 3." in page


def test_what_has_a_shape_keeps_it() -> None:
    text = "One\ntwo.\n\n- a\n- b\n\n    code\n    more\n\nThree\nfour."
    assert paragraphs(text) == ["One two.", "- a\n- b", "    code\n    more", "Three four."]


@pytest.mark.parametrize(
    "command", [("rules", "simulate"), ("rules", "play"), ("run",), ("demo",), ("firmware", "info")]
)
def test_nothing_reads_like_python(command: tuple[str, ...]) -> None:
    page = helped(*command)
    options = page.partition("─ Options")[2]
    assert not re.search(r"<(int|float|str|path)|\[default: \(", options), page
    assert " NUMBER " in options


def test_an_argument_says_what_it_takes_and_within_which_bounds() -> None:
    page = re.sub(r"[\s│]+", " ", helped("eject"))
    assert " CARDS NUMBER [x>=1] Cards to eject." in page
    assert " CARDS NUMBER [0<=x<=112] Cards in the stack." in re.sub(r"[\s│]+", " ", helped("toy", "stack"))
    assert not re.search(r"<(int|float|str|path)", helped("config", "check"))


def test_no_number_of_any_command_takes_what_is_none() -> None:
    """``nan`` is within no bounds, and beyond none."""
    asked = [
        [*words, *((parameter.opts[0],) if isinstance(parameter, TyperOption) else ()), "nan"]
        for words, command in every_command()
        for parameter in command.params
        if parameter.type.name.startswith("float")
    ]
    assert {" ".join(words[:2]) for words in asked} >= {"log --seconds-before", "toy button", "toy cells"}
    for words in asked:
        answer = CliRunner().invoke(app, words, env={"LC_ALL": "C"})
        assert (answer.exit_code, "'nan' is no number" in answer.stderr) == (2, True), words
