"""``dispenser rules check``: play rule scenarios and say what is not as it should be."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from dispenser.cli.failures import FOUND_WRONG, USAGE
from dispenser.cli.rules.book import LanguageOption, language_in_force, rules_app
from dispenser.cli.rules.output import new_console, said, why

if TYPE_CHECKING:
    from rich.console import Console

    from dispenser.scenario.rules import Finding, Scenario

_STEP: Final = {"en": "step {}", "fr": "étape {}"}
_START: Final = {"en": "start", "fr": "début"}
_COLON: Final = {"en": ": ", "fr": "\u00a0: "}
_EXPECTED: Final = {"en": "expected", "fr": "attendu"}
_FOUND: Final = {"en": "found", "fr": "trouvé"}
_MISSING: Final = {"en": "missing", "fr": "il manque"}
_VERDICTS: Final = {
    "en": (
        ("{} of {} scenarios holds", "{} of {} scenarios hold"),
        ("{} does not", "{} do not"),
        ("{} file is wrong", "{} files are wrong"),
    ),
    "fr": (
        ("{} scénario réussi sur {}", "{} scénarios réussis sur {}"),
        ("{} en échec", "{} en échec"),
        ("{} fichier à corriger", "{} fichiers à corriger"),
    ),
}
_NO_FILES: Final = {
    "en": "no *.toml in this folder or below; name a scenario file or another folder",
    "fr": "aucun *.toml dans ce dossier ni plus bas\u00a0; donne un fichier ou un autre dossier",
}
_UNREADABLE: Final = {
    "en": "{}; give a file that can be read",
    "fr": "{}\u00a0; donne un fichier qu’on peut lire",
}
_NO_TEXT: Final = {
    "en": "not a text (byte {}); give a UTF-8 file",
    "fr": "ce n’est pas un texte (octet {})\u00a0; donne un fichier en UTF-8",
}
_NO_TOML: Final = {"en": "not valid TOML: {}", "fr": "ce n’est pas du TOML valable\u00a0: {}"}
_INDENT: Final = " " * 4
_WIDEST: Final = 92


@rules_app.command()
def check(
    files: Annotated[
        list[Path],
        typer.Argument(help="Scenario files, or folders with *.toml in them or below.", show_default=False),
    ],
    lang: LanguageOption = None,
) -> None:
    """Play rule scenarios: a table, a deal, moves, and what must follow.

    Of a file that is wrong, all mistakes are told that one can see without playing it. Exit code: 0 everything was as
    it should be, 1 something was not, 2 a file is wrong.
    """
    from dispenser.scenario.rules import ScenarioError, play

    language = language_in_force(lang)
    console = new_console()
    good = bad = 0
    errors: list[str] = []
    paths = _found(files, language, errors)
    for path in paths:
        try:
            scenario = _load(path, language)
            findings = play(scenario, language)
        except _WrongFileError as error:
            errors.append(str(error))
        except ScenarioError as error:
            errors += [_at(path, said(each, language), language) for each in (error, *error.more)]
        else:
            good += not findings
            bad += bool(findings)
            _print(console, path, scenario, findings, language)
    if len(paths) > 1:
        verdict = _verdict(good, bad, len(paths), language)
        _line(console, (verdict, _colour(good=good == len(paths))))
    for text in errors:
        typer.echo(f"dispenser: {' '.join(text.split())}", err=True)
    raise typer.Exit(USAGE if errors else FOUND_WRONG if bad else 0)


class _WrongFileError(Exception):
    """A file that is no scenario; the text begins with its path."""


def _verdict(good: int, bad: int, files: int, language: str) -> str:
    holds, holds_not, wrong = _VERDICTS[language]
    told = [holds[_is_plural(good, language)].format(good, files)]
    if bad:
        told.append(holds_not[_is_plural(bad, language)].format(bad))
    if left := files - good - bad:
        told.append(wrong[_is_plural(left, language)].format(left))
    return ", ".join(told)


def _is_plural(number: int, language: str) -> bool:
    return number > 1 if language == "fr" else number != 1


def _found(files: Iterable[Path], language: str, errors: list[str]) -> list[Path]:
    """The files, and those in folders; what is not there is added to the errors."""
    paths: list[Path] = []
    for file in files:
        inside = sorted(file.rglob("*.toml")) if file.is_dir() else [file]
        if not inside:
            errors.append(_at(file, _NO_FILES[language], language))
        paths += inside
    return paths


def _load(path: Path, language: str) -> Scenario:
    """Read a file.

    :raises _WrongFileError: it cannot be read, or is no TOML.
    :raises ScenarioError: it is no scenario.
    """
    import tomllib

    from dispenser.cli.rules.toml import why_no_toml
    from dispenser.scenario.rules import parse

    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        remedy = _UNREADABLE[language].format(why(error, language))
        raise _WrongFileError(_at(path, remedy, language)) from error
    except UnicodeDecodeError as error:
        raise _WrongFileError(_at(path, _NO_TEXT[language].format(error.start + 1), language)) from error
    except (ValueError, RecursionError) as error:  # also numbers and nesting beyond all measure
        raise _WrongFileError(_at(path, _NO_TOML[language].format(why_no_toml(error)[language]), language)) from error
    return parse(tables)


def _at(path: Path, what: str, language: str) -> str:
    return f"{path}{_COLON[language]}{what}"


def _print(console: Console, path: Path, scenario: Scenario, findings: list[Finding], language: str) -> None:
    from dispenser.scenario.rules.expectations import ILLEGAL

    tick = "✗ " if findings else "✓ "
    _line(console, (tick, _colour(good=not findings)), (scenario.title, "bold"), (f"  {path}", "dim"))
    if not findings:
        return
    step, move = findings[0].step, findings[0].move
    where = _STEP[language].format(step) if step else _START[language]
    _line(console, (f"{_INDENT}{where}", "yellow"), (f"{_COLON[language]}{move}" if move else "", ""))
    missing = findings[-1].missing
    width = max(len(label[language]) for label in (_EXPECTED, _FOUND, *([_MISSING] if missing else ())))
    for finding in findings:
        expected = finding.expected if finding.key == ILLEGAL else f"{finding.key} = {finding.expected}"
        _line(console, (f"{_INDENT}{_EXPECTED[language]:<{width}}  ", "dim"), (expected, ""))
        _line(console, (f"{_INDENT}{_FOUND[language]:<{width}}  ", "dim"), (finding.found, "red"))
    if missing:
        _line(console, (f"{_INDENT}{_MISSING[language]:<{width}}  ", "dim"), (missing, "yellow"))
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
