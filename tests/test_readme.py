"""The shop window shows what is inside."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import dispenser
from tests.launcher.diagram import mermaid
from tests.simulator.scripts import REACTION_S, running

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def test_the_version_is_the_projects() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert dispenser.__version__ == project["version"]


def test_the_state_diagram_is_the_machines() -> None:
    assert blocks("mermaid") == [mermaid()], (
        "stale: put the output of 'python -m tests.launcher.diagram' into README.md"
    )


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (0, r"^Ada pressed: \d+ cards, (dud|complete)$"),
        (2, r"^Not allowed by G-04: that card is not in the hand\. Seat 2 can: .+$"),
    ],
)
def test_the_python_examples_run(tmp_path: Path, number: int, says: str) -> None:
    example = blocks("python")[number]
    assert len([line for line in example.splitlines() if line.startswith("        ")]) <= 10
    done = subprocess.run(
        [sys.executable, "-c", example], check=False, capture_output=True, text=True, timeout=60, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert re.search(says, done.stdout, re.MULTILINE), done.stdout


def test_the_script_for_the_toy_brings_three_cards_at_a_push(tmp_path: Path) -> None:
    with running(blocks("python")[1], tmp_path) as script:
        script.persuade(("push_button",), lambda: script.until("motor", 1.0, within_s=REACTION_S))
        assert script.until("motor", 0.0)
        script.interrupt()
        assert script.end is not None
        assert script.end[1] >= 3


@pytest.mark.parametrize("link", sorted(set(re.findall(r"(?:\]\(|src=\")([^)\"#:]+)[)\"]", README))))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists(), f"README.md links to {link}, which is not there"


def test_every_folder_of_the_table_is_there() -> None:
    for place in re.findall(r"^\| `([^`]+)` \|", README, re.MULTILINE):
        assert (ROOT / place).exists(), place


@pytest.mark.parametrize("command", ["demo", "test"])
def test_the_two_commands_are_there_and_can_be_run(command: str) -> None:
    assert f".ci/{command} " in blocks("sh")[0]
    assert os.access(ROOT / ".ci" / command, os.X_OK)


def test_ci_calls_the_test_command() -> None:
    assert re.search(r"^exec \.ci/test$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
