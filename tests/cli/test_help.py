"""``--help``: paragraphs are set whole, and nothing in it reads like Python."""

from __future__ import annotations

import itertools
import re

import pytest
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.cli.help_pages import with_whole_paragraphs


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


def test_each_command_says_what_it_does() -> None:
    waiting: list[tuple[str, object]] = [("dispenser", get_command(app))]
    seen = 0
    while waiting:
        name, command = waiting.pop()
        assert isinstance(command, TyperCommand | TyperGroup)
        assert command.help, name
        assert "\n" not in command.help.replace("\n\n", ""), name
        seen += 1
        if isinstance(command, TyperGroup):
            waiting += [(f"{name} {below}", each) for below, each in command.commands.items()]
    assert seen > 20


def test_a_default_in_words_is_a_sentence() -> None:
    page = re.sub(r"[\s│]+", " ", helped("rules", "play"))
    assert "[default: (" not in page
    assert "Players, you and the bots. Left out: 3." in page


def test_what_has_a_shape_keeps_it() -> None:
    text = "One\ntwo.\n\n- a\n- b\n\n    code\n    more\n\nThree\nfour."
    assert with_whole_paragraphs(text) == "One two.\n\n- a\n- b\n\n    code\n    more\n\nThree four."


@pytest.mark.parametrize(
    "command", [("rules", "simulate"), ("rules", "play"), ("run",), ("demo",), ("firmware", "info")]
)
def test_nothing_reads_like_python(command: tuple[str, ...]) -> None:
    page = helped(*command)
    options = page.partition("─ Options")[2]
    assert not re.search(r"<(int|float|str|path)|\[default: \(", options), page
    assert " NUMBER " in options
