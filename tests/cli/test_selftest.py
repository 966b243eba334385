"""``dispenser selftest`` in a terminal: what it asks for is done by the simulated hand, a key for each answer."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.workshop.steps import Answer
from dispenser.workshop.words import ACTS, HAND_LABEL, LABELS, key_of
from tests.cli.fake_launcher import TOKEN, FakeLauncher, serving

COMMAND = (sys.executable, "-m", "dispenser")


def talk(*words: str, keys: Callable[[str], str]) -> tuple[int, str, str]:
    """Exit code, what was printed, what was said in between, with a key at each line that wants one."""
    with subprocess.Popen(
        [*COMMAND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        said = []
        for line in process.stderr:
            said.append(line)
            if pressed := keys(line):
                process.stdin.write(pressed)
                process.stdin.flush()
        return process.wait(), process.stdout.read(), "".join(said)


def helpful(line: str) -> str:
    """Does what is asked for; answers yes."""
    offered = [key for mark, key in (("[h]and", "h"), ("[g]o on", "g"), ("[y]es", "y")) if mark in line]
    return "".join(offered)


def test_a_whole_self_test_with_its_report_for_programs() -> None:
    code, printed, said = talk("selftest", "--simulated", "--seed", "a", "--json", keys=helpful)
    report = json.loads(printed)
    assert (code, report["passed"]) == (0, True), said
    assert [each["check"] for each in report["findings"]][:3] == ["lid", "button", "barrier"]
    assert "1/7  The lid" in said
    assert "~ the motor turns backward" in said


def test_quitting_tells_what_was_done_and_that_it_is_not_all() -> None:
    def two_steps(line: str) -> str:
        return "q" if "Push the button" in line else helpful(line)

    code, printed, _ = talk("selftest", "--simulated", "--json", keys=two_steps)
    assert code == 1
    assert json.loads(printed) == {
        "passed": False,
        "findings": [{"check": "lid", "status": "good", "text": "it was seen to open and to shut", "remedy": ""}],
    }


def test_by_hand_shows_how_the_launcher_is() -> None:
    command = [*COMMAND, "manual", "--simulated"]
    done = subprocess.run(command, input="q", capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Lid  shut    Button  up    Exit  clear" in done.stdout


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_two_answers_have_the_same_key(language: str) -> None:
    answers = [key_of(label[language]) for answer, label in LABELS.items() if answer is not Answer.NOTHING]
    for keys in ([*answers, key_of(HAND_LABEL[language])], [key_of(label[language]) for label in ACTS.values()]):
        assert len(set(keys)) == len(keys)


class RealLauncher(FakeLauncher):
    """It has the pins."""

    def snapshot(self) -> dict[str, Any]:
        return {**super().snapshot(), "simulated": False}


def test_while_a_launcher_runs_it_says_where_to_do_this(tmp_path: Path) -> None:
    with serving(RealLauncher()) as url:
        config = tmp_path / "dispenser.toml"
        config.write_text(f"[web]\nport = {urlsplit(url).port}\ntoken = '{TOKEN}'\n")
        done = CliRunner().invoke(app, ["selftest", "-c", str(config)])
    assert done.exit_code == 69
    assert f"do this on its page, {url.rstrip('/')}/workshop" in done.output
