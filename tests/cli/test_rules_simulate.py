"""``dispenser rules simulate``: a table, JSON, a chart; and what it refuses."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_mock import MockerFixture
from typer.testing import Result

from tests.cli.run import run
from tests.sampled import sampled
from tests.waiting import wait_until

COMMAND = (sys.executable, "-c", "from dispenser.cli import main; main()", "rules", "simulate")


def simulate(*arguments: object, language: str = "en") -> Result:
    return run("rules", "simulate", *arguments, "--processes", "1", language=language)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("uno-extreme: 4 matches of 3 players", "turns", "seat 3 wins")),
        ("fr", ("uno-extreme\u00a0: 4 parties à 3 joueurs (robots\u00a0: sensible), graine ", "pioches", "Victoires")),
    ],
)
def test_odds_side_by_side(language: str, words: tuple[str, ...]) -> None:
    told = ("--games", "4", "--seats", "3", "--odds", "toy", "--odds", "gentle")
    done = simulate("uno-extreme", *told, language=language)
    assert done.exit_code == 0, done.output
    assert all(word in done.stdout for word in (*words, "toy", "gentle")), done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("game", ["uno", "huit-americain", "151", "uno-vache"])
def test_every_game_as_json(game: str) -> None:
    done = simulate(game, "--games", "2", "--seats", "4", "--json")
    figures = json.loads(done.stdout)
    assert (figures["game"], figures["seats"]) == (game, 4)
    (told,) = figures["odds"].values()
    assert told["matches"] == 2
    assert sum(told["wins_by_seat"]) == pytest.approx(2)
    assert told["turns_a_round"]["mean"] > 5


@pytest.mark.parametrize("form", ["table", "json"])
def test_the_figures_are_not_lost_with_the_chart(tmp_path: Path, mocker: MockerFixture, form: str) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    mocker.patch("dispenser.bot_matches.report.plot", side_effect=full)
    chart = tmp_path / "chart.svg"
    done = simulate("uno", "--games", "2", "--plot", str(chart), *(["--json"] if form == "json" else []))
    assert done.exit_code == 74
    assert f"--plot {chart}: the chart cannot be written there: there is no room left" in done.stderr
    if form == "json":
        assert json.loads(done.stdout)["odds"]["exact"]["matches"] == 2
    else:
        assert "seat 4 wins" in done.stdout
        assert "Chart" not in done.stdout


HUNG_S = 300
"""No measure of speed: what takes longer, on however busy a machine, does not end by itself."""


@pytest.mark.parametrize("call", sampled([signal.SIGINT, signal.SIGTERM], 2))
def test_a_call_to_end_ends_all_processes_at_once(call: signal.Signals) -> None:
    """Ctrl-C as a terminal does it: everybody in the group hears of it. Other calls come to the command alone."""
    with subprocess.Popen(
        [*COMMAND, "uno-extreme", "--games", "1000000", "--processes", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as parent:
        try:
            wait_until(lambda: len(members(parent.pid)) >= 5, "parent, fork server, tracker, two workers")
            (os.killpg if call == signal.SIGINT else os.kill)(parent.pid, call)
            _, said = parent.communicate(timeout=HUNG_S)
            wait_until(lambda: not members(parent.pid), "the end of all processes")
        finally:
            if members(parent.pid):
                os.killpg(parent.pid, signal.SIGKILL)
        assert parent.returncode == 128 + call
        assert "Traceback" not in said, said
        assert "Process" not in said, said


def members(group: int) -> list[int]:
    """Processes of a group that are alive."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of = status.read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue
        if int(of) == group and state != "Z":
            found.append(int(status.parent.name))
    return found
