"""``dispenser rules check``: play rule scenarios and report each expectation that fails."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from dispenser.cli.failures import FOUND_WRONG, USAGE, complain
from dispenser.cli.rules.app import of_file, rules_app
from dispenser.cli.spoken import MARKS, _, in_words, language
from dispenser.i18n import Text, listed

if TYPE_CHECKING:
    from dispenser.scenario.rules.played import Scenario
    from dispenser.scenario.rules.player import Finding

_INDENT: Final = " " * 4
_WIDEST: Final = 92
_NO_FILES: Final = Text("no *.toml in this folder or below; name a scenario file or another folder")


@rules_app.command()
def check(
    files: Annotated[
        list[Path],
        typer.Argument(help="Scenario files, or folders with *.toml in them or below.", show_default=False),
    ],
) -> None:
    """Play rule scenarios: a table, a deal, moves, and what must follow.

    Example: dispenser rules check scenarios/
    """
    from dispenser.config import TableError, read_file
    from dispenser.scenario.rules.format import parse
    from dispenser.scenario.rules.player import play

    paths = [path for file in files for path in sorted(file.rglob("*.toml")) or [file]]
    good = bad = 0
    wrong: list[Text] = []
    for path in paths:
        if path.is_dir():
            wrong.append(of_file(path, _NO_FILES))
            continue
        try:
            scenario = parse(read_file(path))
            findings = play(scenario, language())
        except TableError as error:
            wrong += error.within(path)
            continue
        good += not findings
        bad += bool(findings)
        if findings:
            print(f"{MARKS['wrong'][0]} {scenario.title}  {path}")
            _print_findings(scenario, findings)
    if good or bad:
        print(in_words(_verdict(good, bad, len(paths))))
    for text in wrong:
        complain(in_words(text))
    raise typer.Exit(USAGE if wrong else FOUND_WRONG if bad else 0)


def _verdict(good: int, bad: int, files: int) -> Text:
    if good == files == 1:
        return Text("the scenario passed")
    told = [Text("{good} of {files} scenarios passed").filled(good=good, files=files)]
    if bad:
        told.append(Text("{number} failed").filled(number=bad))
    if left := files - good - bad:
        told.append(Text("{number} unreadable").filled(number=left))
    return listed(told)


def _print_findings(scenario: Scenario, findings: Sequence[Finding]) -> None:
    """Print all differences at one step, and the rules concerned, as the file may be wrong."""
    from dispenser.rules.library import RULES

    step, move = findings[0].step, findings[0].move
    where = Text("step {number}").filled(number=step) if step else Text("start")
    print(f"{_INDENT}{in_words(of_file(where, move) if move else where)}")
    rows: list[tuple[str, str]] = []
    for finding in findings:
        rows += [(_("expected"), finding.expected), (_("found"), finding.found)]
    width = max(len(label) for label, _words in rows)
    for label, words in rows:
        print(f"{_INDENT}{label:<{width}}  {words}")
    width = max(40, min(shutil.get_terminal_size().columns, _WIDEST) - len(_INDENT) - 6)
    for rule in dict.fromkeys(rule for finding in findings for rule in finding.rules) or scenario.rules:
        lines = textwrap.wrap(in_words(RULES[rule].text), width, break_on_hyphens=False)
        for number, line in enumerate(lines):
            print(f"{_INDENT}{'' if number else rule:<6}{line}")
