"""``dispenser scenario``: play scenario files on the simulated launcher and report the result."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.failures import FOUND_WRONG, USAGE, complain, fail
from dispenser.cli.options import JsonOption
from dispenser.cli.spoken import _

if TYPE_CHECKING:
    from dispenser.scenario.launcher.expectations import Finding
    from dispenser.scenario.launcher.format import Scenario
    from dispenser.scenario.launcher.runner import Play

_TICKS = ("✗", "✓")


def scenario(
    files: Annotated[
        list[Path], typer.Argument(help="Scenario files, or folders with *.toml somewhere in them.", show_default=False)
    ],
    timeline: Annotated[bool, typer.Option("--timeline", help="Show all that happened, not failures only.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Exit code: 0 all expectations came true, 1 some did not, 2 a file cannot be played (the others are played)."""
    loaded, wrong = _loaded(files)
    holds = _print_json(loaded, timeline=timeline) if as_json else _print_words(loaded, timeline=timeline)
    raise typer.Exit(USAGE if wrong else 0 if holds else FOUND_WRONG)


def _loaded(files: Iterable[Path]) -> tuple[list[tuple[Path, Scenario]], bool]:
    """Return the scenarios, and whether a file could not be parsed; its errors are printed."""
    from dispenser.config import TableError, read_file
    from dispenser.scenario.launcher.format import parse

    loaded, wrong = [], False
    for given in files:
        paths = sorted(given.rglob("*.toml")) if given.is_dir() else [given]
        if not paths:
            fail(_("{file}: no *.toml in this folder; name a scenario file or another folder", file=given), USAGE)
        for path in paths:
            try:
                loaded.append((path, parse(read_file(path))))
            except TableError as error:
                wrong = True
                for each in error.within(path):
                    complain(TableError(each))
    return loaded, wrong


def _print_json(loaded: list[tuple[Path, Scenario]], *, timeline: bool) -> bool:
    from dispenser.scenario.launcher.runner import as_dict, play

    scenarios = []
    for path, each in loaded:
        takes = [as_dict(take, with_timeline=timeline) for take in play(each)]
        passed = all(take["passed"] for take in takes)
        scenarios.append({"file": str(path), "title": each.title, "passed": passed, "takes": takes})
    passed = all(each["passed"] for each in scenarios)
    typer.echo(json.dumps({"passed": passed, "scenarios": scenarios}, indent=2, ensure_ascii=False))
    return passed


def _print_words(loaded: list[tuple[Path, Scenario]], *, timeline: bool) -> bool:
    from dispenser.scenario.launcher.runner import play

    passed = 0
    for path, each in loaded:
        plays = play(each)
        passed += all(take.passed for take in plays)
        for line in _lines(path, each, plays, timeline=timeline):
            typer.echo(line)
    if len(loaded) > 1:
        verdict = _("{passed} of {all} scenarios passed", passed=passed, all=len(loaded))
        wrong = len(loaded) - passed
        typer.echo(verdict + (_(", {number} failed", number=wrong) if wrong else ""))
    return passed == len(loaded)


def _lines(path: Path, scenario: Scenario, plays: list[Play], *, timeline: bool) -> Iterator[str]:
    """Yield the lines for one scenario: title, one line per expectation (all takes together), failures."""
    from dispenser.scenario.launcher import runner

    good = all(play.passed for play in plays)
    takes = f"  {_('({number} takes)', number=len(plays))}" if len(plays) > 1 else ""
    yield f"{_TICKS[good]} {scenario.title}{takes}  {path.name}"
    rows: dict[tuple[str, str], list[Finding]] = {}
    for finding in (each for play in plays for each in play.findings):
        rows.setdefault((finding.name, finding.what), []).append(finding)
    for (_name, what), row in rows.items():
        bad = sum(not finding.passed for finding in row)
        often = f"  {_('in {bad} of {all} takes', bad=bad, all=len(plays))}" if bad and len(plays) > 1 else ""
        yield f"  {_TICKS[not bad]} {what}{often}"
    for play in plays if timeline else ():
        if play.take.variant:
            yield "  " + _("with {variant}", variant=play.take.variant)
        yield from (f"  {runner.line(moment)}" for moment in play.timeline.moments)
    if not good:
        yield ""
        yield from (f"  {words}" for words in runner.failures(plays))
