"""``dispenser rules check``: play rule scenarios and say what is not as it should be."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from dispenser.cli.failures import FOUND_WRONG, USAGE, complain
from dispenser.cli.file_errors import why
from dispenser.cli.rules.app import IN_FILE, LanguageOption, language_in_force, new_console, rules_app
from dispenser.language import SpokenError, Text

if TYPE_CHECKING:
    from rich.console import Console

    from dispenser.scenario.rules import Finding, Scenario

_STEP: Final = Text("step {number}")
_START: Final = Text("start")
_EXPECTED: Final = Text("expected")
_FOUND: Final = Text("found")
_MISSING: Final = Text("missing")
_IT_HOLDS: Final = Text("the scenario is as expected")
_HOLD: Final = Text("{good} of {files} scenarios as expected")
_DO_NOT: Final = Text("{number} not")
_WRONG_FILES: Final = Text("{number} not to be played")
_NO_FILES: Final = Text("no *.toml in this folder or below; name a scenario file or another folder")
_UNREADABLE: Final = Text("{why}; give a file that can be read")
_NO_TEXT: Final = Text("not a text (byte {place}); give a UTF-8 file")
_INDENT: Final = " " * 4
_WIDEST: Final = 92


@rules_app.command()
def check(
    files: Annotated[
        list[Path],
        typer.Argument(help="Scenario files, or folders with *.toml in them or below.", show_default=False),
    ],
    lang: LanguageOption = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Name those that hold, too.")] = False,
) -> None:
    """Play rule scenarios: a table, a deal, moves, and what must follow.

    Of a file that is wrong, all mistakes are told that one can see without playing it. Exit code: 0 everything was as
    it should be, 1 something was not, 2 a file is wrong.
    """
    from dispenser.scenario.rules import ScenarioError, play

    language = language_in_force(lang)
    console = new_console()
    good = bad = 0
    wrong: list[Text] = []
    paths = list(_found(files, wrong))
    for path in paths:
        try:
            scenario = _load(path)
            findings = play(scenario, language)
        except _WrongFileError as error:
            wrong += _in_file(path, error.mistakes)
            continue
        except ScenarioError as error:
            wrong += _in_file(path, error.mistakes)
            continue
        good += not findings
        bad += bool(findings)
        if findings or verbose:
            _print_title(console, path, scenario, good=not findings)
        if findings:
            _print_findings(console, scenario, findings, language)
    if good or bad:
        _line(console, (_verdict(good, bad, len(paths), language), _colour(good=good == len(paths))))
    for text in wrong:
        complain(text[language])
    raise typer.Exit(USAGE if wrong else FOUND_WRONG if bad else 0)


class _WrongFileError(Exception):
    """A file that cannot be read, or that is no TOML."""

    def __init__(self, *mistakes: Text) -> None:
        super().__init__(*mistakes)
        self.mistakes = mistakes


def _in_file(path: Path, mistakes: Iterable[Text | SpokenError]) -> list[Text]:
    return [IN_FILE.filled(file=path, what=each) for each in mistakes]


def _verdict(good: int, bad: int, files: int, language: str) -> str:
    if good == files == 1:
        return _IT_HOLDS[language]
    told = [_HOLD.filled(good=good, files=files)]
    if bad:
        told.append(_DO_NOT.filled(number=bad))
    if left := files - good - bad:
        told.append(_WRONG_FILES.filled(number=left))
    return ", ".join(each[language] for each in told)


def _found(files: Iterable[Path], wrong: list[Text]) -> Iterator[Path]:
    """The files, and those in folders; a folder without any is added to what is wrong."""
    for file in files:
        inside = sorted(file.rglob("*.toml")) if file.is_dir() else [file]
        if not inside:
            wrong += _in_file(file, [_NO_FILES])
        yield from inside


def _load(path: Path) -> Scenario:
    """Read a file.

    :raises _WrongFileError: it cannot be read, or is no TOML.
    :raises ScenarioError: it is no scenario.
    """
    from dispenser.scenario.rules import parse
    from dispenser.tables import TableError, parse_toml

    try:
        return parse(parse_toml(path.read_text(encoding="utf-8")))
    except TableError as error:
        raise _WrongFileError(*error.mistakes) from error
    except OSError as error:
        raise _WrongFileError(_UNREADABLE.filled(why=why(error))) from error
    except UnicodeDecodeError as error:
        raise _WrongFileError(_NO_TEXT.filled(place=error.start + 1)) from error


def _print_title(console: Console, path: Path, scenario: Scenario, *, good: bool) -> None:
    tick = "✓ " if good else "✗ "
    _line(console, (tick, _colour(good=good)), (scenario.title, "bold"), (f"  {path}", "dim"))


def _print_findings(console: Console, scenario: Scenario, findings: Sequence[Finding], language: str) -> None:
    """What is wrong at one step: all that differs, and what the rules say of it."""
    from dispenser.scenario.rules.expectations import ILLEGAL

    step, move = findings[0].step, findings[0].move
    where = (_STEP.filled(number=step) if step else _START)[language]
    told = IN_FILE.filled(file=where, what=move)[language].removeprefix(where) if move else ""
    _line(console, (f"{_INDENT}{where}", "yellow"), (told, ""))
    rows = [(_MISSING, findings[-1].missing, "yellow")]
    for finding in reversed(findings):
        expected = finding.expected if finding.key == ILLEGAL else f"{finding.key} = {finding.expected}"
        rows = [(_EXPECTED, expected, ""), (_FOUND, finding.found, "red"), *rows]
    shown = [(label[language], words, style) for label, words, style in rows if words]
    width = max(len(label) for label, _, _ in shown)
    for label, words, style in shown:
        _line(console, (f"{_INDENT}{label:<{width}}  ", "dim"), (words, style))
    rules = dict.fromkeys(rule for finding in findings for rule in finding.rules)
    _print_rules(console, rules or scenario.rules, language)


def _print_rules(console: Console, rules: Iterable[str], language: str) -> None:
    """What the rules say that it is about: perhaps the file is wrong and not the game."""
    from dispenser.rules.library import RULES

    for rule in rules:
        text = RULES[rule].text[language]
        lines = textwrap.wrap(text, max(40, min(console.width, _WIDEST) - len(_INDENT) - 6), break_on_hyphens=False)
        for number, line in enumerate(lines):
            _line(console, (f"{_INDENT}{'' if number else rule:<6}", "cyan"), (line, "dim"))


def _line(console: Console, *pieces: tuple[str, str]) -> None:
    from rich.text import Text as StyledText

    console.print(StyledText.assemble(*pieces), soft_wrap=True)


def _colour(*, good: bool) -> str:
    return "bold green" if good else "bold red"
