"""Every scenario of this folder holds. That each expectation can fail: ``tests/nightly/scenarios``."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from dispenser.launcher import messages as m
from dispenser.scenario.launcher.format import Scenario
from dispenser.scenario.launcher.runner import Play, failures
from dispenser.scenario.launcher.steps import STEPS
from tests.scenario.rig import load, play

FOLDER = Path(__file__).parent / "launcher"
FILES = sorted(FOLDER.glob("*.toml"))
scenario_files = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


@cache
def loaded(file: Path) -> Scenario:
    return load(file)


@cache
def played(file: Path) -> list[Play]:
    return play(loaded(file))


@scenario_files
def test_holds(file: Path) -> None:
    plays = played(file)
    told = "\n".join(failures(plays))
    assert all(each.passed for each in plays), f"{loaded(file).title}\n\n{told}"


def test_names_and_titles_are_sentences_of_their_own() -> None:
    assert len(FILES) > 50
    titles = [loaded(file).title for file in FILES]
    assert len(set(titles)) == len(titles)
    for file in FILES:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+){3,}", file.stem), file.name


def test_together_they_show_everything_the_launcher_can_say() -> None:
    plays = [each for file in FILES for each in played(file)]
    notices = [moment for each in plays for moment in each.timeline.moments if moment.kind == "notice"]

    def seen(type_: str, field: str) -> set[str]:
        return {notice.data[field] for notice in notices if notice.type == type_}

    assert seen(m.StateChanged.type, "new") == {state.value for state in m.State}
    assert seen(m.BurstEnded.type, "cause") == {cause.value for cause in m.BurstEnd}
    assert seen(m.ChimePlayed.type, "chime") == {chime.value for chime in m.Chime}
    # A service answers presses only once it has switched the machine on, so nobody can see this one.
    assert seen(m.PressRefused.type, "reason") == {reason.value for reason in m.Refusal} - {m.Refusal.OFF.value}


def test_together_they_use_every_act() -> None:
    used = {step.phrase for file in FILES for take in loaded(file).takes for step in take.steps}
    assert used == set(STEPS)
