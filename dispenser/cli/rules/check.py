"""``dispenser rules check``: play rule scenarios and say what is not as it should be."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from dispenser.cli.failures import FOUND_WRONG, USAGE, complain
from dispenser.cli.rules.app import LanguageOption, command, language_in_force, new_console, of_file
from dispenser.i18n import Text, listed

if TYPE_CHECKING:
    from rich.console import Console

    from dispenser.scenario.rules import Finding, Scenario

_INDENT: Final = " " * 4
_WIDEST: Final = 92
_GOOD, _BAD = "bold green", "bold red"
_NO_FILES: Final = Text("no *.toml in this folder or below; name a scenario file or another folder")


@command()
def check(
    files: Annotated[
        list[Path],
        typer.Argument(help="Scenario files, or folders with *.toml in them or below.", show_default=False),
    ],
    lang: LanguageOption = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Name those that hold, too.")] = False,
) -> None:
    """Play rule scenarios: a table, a deal, moves, and what must follow.

    Example: dispenser rules check scenarios/
    """
    from dispenser.config import TableError, read_file
    from dispenser.scenario.rules import parse, play

    language, console = language_in_force(lang), new_console()
    paths = [path for file in files for path in _found(file)]
    good = bad = 0
    wrong: list[Text] = []
    for path in paths:
        if path.is_dir():
            wrong.append(of_file(path, _NO_FILES))
            continue
        try:
            scenario = parse(read_file(path))
            findings = play(scenario, language)
        except TableError as error:
            wrong += error.within(path)
            continue
        good += not findings
        bad += bool(findings)
        if findings or verbose:
            tick = ("✗ ", _BAD) if findings else ("✓ ", _GOOD)
            _line(console, tick, (scenario.title, "bold"), (f"  {path}", "dim"))
        if findings:
            _print_findings(console, scenario, findings, language)
    if good or bad:
        _line(console, (_verdict(good, bad, len(paths))[language], _GOOD if good == len(paths) else _BAD))
    for text in wrong:
        complain(text[language])
    raise typer.Exit(USAGE if wrong else FOUND_WRONG if bad else 0)


def _found(file: Path) -> list[Path]:
    """The file, or those in a folder and below; the folder itself where there is none."""
    return sorted(file.rglob("*.toml")) or [file]


def _verdict(good: int, bad: int, files: int) -> Text:
    if good == files == 1:
        return Text("the scenario is as expected")
    told = [Text("{good} of {files} scenarios as expected").filled(good=good, files=files)]
    if bad:
        told.append(Text("{number} not").filled(number=bad))
    if left := files - good - bad:
        told.append(Text("{number} not to be played").filled(number=left))
    return listed(told)


def _print_findings(console: Console, scenario: Scenario, findings: Sequence[Finding], language: str) -> None:
    """What is wrong at one step: all that differs, and what the rules say of it: perhaps the file is wrong."""
    from dispenser.rules.library import RULES

    step, move = findings[0].step, findings[0].move
    where = (Text("step {number}").filled(number=step) if step else Text("start"))[language]
    told = of_file(where, move)[language].removeprefix(where) if move else ""
    _line(console, (f"{_INDENT}{where}", "yellow"), (told, ""))
    rows: list[tuple[Text, str, str]] = []
    for finding in findings:
        rows += [(Text("expected"), finding.expected, ""), (Text("found"), finding.found, "red")]
    rows.append((Text("missing"), findings[-1].missing, "yellow"))
    shown = [(label[language], words, style) for label, words, style in rows if words]
    width = max(len(label) for label, _, _ in shown)
    for label, words, style in shown:
        _line(console, (f"{_INDENT}{label:<{width}}  ", "dim"), (words, style))
    width = max(40, min(console.width, _WIDEST) - len(_INDENT) - 6)
    for rule in dict.fromkeys(rule for finding in findings for rule in finding.rules) or scenario.rules:
        lines = textwrap.wrap(RULES[rule].text[language], width, break_on_hyphens=False)
        for number, line in enumerate(lines):
            _line(console, (f"{_INDENT}{'' if number else rule:<6}", "cyan"), (line, "dim"))


def _line(console: Console, *pieces: tuple[str, str]) -> None:
    from rich.text import Text as StyledText

    console.print(StyledText.assemble(*pieces), soft_wrap=True)
