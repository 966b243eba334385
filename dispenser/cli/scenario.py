"""``dispenser scenario``: play scenario files on the simulated launcher and say what came of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.failures import FOUND_WRONG, USAGE, complain, fail
from dispenser.cli.options import JsonOption
from dispenser.cli.spoken import _

if TYPE_CHECKING:
    from rich.console import Console

    from dispenser.scenario.launcher import Finding, Play, Scenario


def scenario(
    files: Annotated[
        list[Path], typer.Argument(help="Scenario files, or folders with *.toml somewhere in them.", show_default=False)
    ],
    timeline: Annotated[bool, typer.Option("--timeline", help="Show all that happened, not failures only.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play scenarios on the simulated launcher, in virtual time, and hold what happened against what they expect.

    Exit code: 0 all expectations came true, 1 some did not, 2 a file is wrong.
    """
    from rich.console import Console

    from dispenser.scenario.launcher import ScenarioError, load

    loaded: list[tuple[Path, Scenario]] = []
    wrong = False
    try:
        for path in _found(files):
            try:
                loaded.append((path, load(path)))
            except ScenarioError as error:
                wrong = True
                for mistake in error.mistakes:
                    complain(ScenarioError(mistake))
    except FileNotFoundError as error:
        fail(error, USAGE)
    if wrong:
        raise typer.Exit(USAGE)
    if as_json:
        all_passed = _print_json(loaded, timeline=timeline)
    else:
        all_passed = _print_words(Console(highlight=False), loaded, timeline=timeline)
    raise typer.Exit(0 if all_passed else FOUND_WRONG)


def _found(files: Iterable[Path]) -> list[Path]:
    paths: list[Path] = []
    for file in files:
        inside = sorted(file.rglob("*.toml")) if file.is_dir() else [file]
        if not inside:
            raise FileNotFoundError(
                _("{file}: no *.toml in this folder; name a scenario file or another folder", file=file)
            )
        paths += inside
    return paths


def _print_json(loaded: list[tuple[Path, Scenario]], *, timeline: bool) -> bool:
    from dispenser.scenario.launcher import play
    from dispenser.scenario.launcher.report import as_dict

    scenarios = []
    for path, each in loaded:
        takes = [as_dict(take, with_timeline=timeline) for take in play(each)]
        passed = all(take["passed"] for take in takes)
        scenarios.append({"file": str(path), "title": each.title, "passed": passed, "takes": takes})
    passed = all(each["passed"] for each in scenarios)
    typer.echo(json.dumps({"passed": passed, "scenarios": scenarios}, indent=2, ensure_ascii=False))
    return passed


def _print_words(console: Console, loaded: list[tuple[Path, Scenario]], *, timeline: bool) -> bool:
    from rich.progress import Progress
    from rich.text import Text

    from dispenser.scenario.launcher import play

    passed = 0
    with Progress(console=console, transient=True, disable=not console.is_terminal or len(loaded) < 2) as progress:
        for path, each in progress.track(loaded, description=_("Playing")):
            plays = play(each)
            passed += all(take.passed for take in plays)
            _print_scenario(console, path, each, plays, timeline=timeline)
    if len(loaded) > 1:
        wrong = len(loaded) - passed
        verdict = _("{passed} of {all} scenarios hold", passed=passed, all=len(loaded))
        verdict += _(", {number} do not", number=wrong) if wrong else ""
        console.print(Text(verdict, "bold red" if wrong else "bold green"))
    return passed == len(loaded)


def _print_scenario(console: Console, path: Path, scenario: Scenario, plays: list[Play], *, timeline: bool) -> None:
    from rich.text import Text

    good = all(play.passed for play in plays)
    takes = f"  {_('({number} takes)', number=len(plays))}" if len(plays) > 1 else ""
    title = Text.assemble(_tick(good=good), (scenario.title, "bold"), (f"{takes}  {path.name}", "dim"))
    console.print(title, soft_wrap=True)
    _print_findings(console, plays)
    if timeline:
        _print_timelines(console, plays)
    if not good:
        _print_failures(console, plays)


def _tick(*, good: bool) -> tuple[str, str]:
    return ("✓ ", "bold green") if good else ("✗ ", "bold red")


def _print_findings(console: Console, plays: list[Play]) -> None:
    """One line for each thing expected, whatever the number of takes; promises only as a number when all hold."""
    from rich.text import Text

    promises = 0
    for row in _rows(plays):
        bad = sum(not finding.passed for finding in row)
        if row[0].name == "promise" and not bad:
            promises += 1
            continue
        often = f"  {_('in {bad} of {all} takes', bad=bad, all=len(plays))}" if bad and len(plays) > 1 else ""
        console.print(Text.assemble("  ", _tick(good=not bad), row[0].what, (often, "red")), soft_wrap=True)
    if promises:
        console.print(
            Text.assemble(
                "  ", _tick(good=True), (_("and the {number} promises that always hold", number=promises), "dim")
            )
        )


def _rows(plays: list[Play]) -> list[list[Finding]]:
    rows: dict[tuple[str, str], list[Finding]] = {}
    for play in plays:
        for finding in play.findings:
            rows.setdefault((finding.name, finding.what), []).append(finding)
    return list(rows.values())


def _print_timelines(console: Console, plays: list[Play]) -> None:
    from rich.text import Text

    from dispenser.scenario.launcher.report import line

    styles = {"step": "bold cyan", "notice": "", "answer": "magenta", "change": "dim"}
    for play in plays:
        if play.take.variant:
            console.print(Text("  " + _("with {variant}", variant=play.take.variant), "bold"))
        for moment in play.timeline.moments:
            console.print(Text(f"  {line(moment)}", styles[moment.kind]), soft_wrap=True)


def _print_failures(console: Console, plays: list[Play]) -> None:
    from rich.text import Text

    from dispenser.scenario.launcher.report import failures

    console.print()
    for words in failures(plays):
        style = "red" if words.startswith("  seen") else "yellow" if words.startswith("   >") else ""
        console.print(Text(f"  {words}" if words else "", style), soft_wrap=True)
