"""Finds the texts in the code: each ``Text("…")`` and ``_("…")``, what ``--help`` and the page's templates say."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from jinja2.ext import babel_extract
from typer.core import TyperArgument, TyperOption
from typer.main import get_command

import dispenser
from dispenser.cli import app
from dispenser.cli.help_pages import EXAMPLE, paragraphs
from dispenser.i18n import Text
from dispenser.rules.book import SHARED
from dispenser.rules.library import BOOKS

PACKAGE = Path(dispenser.__file__).parent


class Message(NamedTuple):
    """A text as the catalog knows it.

    :ivar place: file and line, for people.
    """

    english: str
    plural: str
    context: str
    place: str


def all_messages() -> list[Message]:
    """Every text that is said to people, in the order of the code."""
    of_books = (Message(text.msgid, "", "", "a rule sheet") for text in sheet_texts())
    return [*texts(), *of_books, *of_templates(), *of_help()]


def texts() -> Iterator[Message]:
    """Every ``Text("…")`` and, in the commands, every ``_("…")`` of the package."""
    for call, place in calls_of_text():
        words = {keyword.arg: keyword.value for keyword in call.keywords}
        english, plural, context = map(constant, (call.args[0], words.get("plural"), words.get("context")))
        if english:
            yield Message(english, plural, context, place)


def calls_of_text() -> Iterator[tuple[ast.Call, str]]:
    """Where the package makes a text, and not one of ``rich``; or says one at once, as the commands do by ``_``."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dispenser")
            for alias in node.names
            if alias.name in {"Text", "_"}
        }
        names |= {node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Text"}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                yield node, f"{path.relative_to(PACKAGE.parent)}:{node.lineno}"


def constant(node: ast.expr | None) -> str:
    """A string that stands in the code whole.

    :raises ValueError: it is made while the program runs, so no catalog can have it.
    """
    if node is None:
        return ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError(f"a text needs its English whole, and values by filled(): {ast.unparse(node)}")


def sheet_texts() -> Iterator[Text]:
    """Every text of every rule book, in the order of the sheets."""
    for book in BOOKS.values():
        yield from (book.name, book.summary)
        yield from (text for option in book.options for text in (option.label, option.text))
    for heading, rules in (SHARED, *(section for book in BOOKS.values() for section in book.sections)):
        yield heading
        yield from (text for rule in rules for text in (rule.title, rule.text, rule.reading) if text)


def of_help() -> list[Message]:
    """What ``--help`` says, whichever command it is asked for."""
    return [Message(english, "", "", "--help") for english in dict.fromkeys(texts_of(get_command(app)))]


def texts_of(command: Any) -> Iterator[str]:
    """All that the help of a command and of those below it says, as it stands in the code."""
    yield from (each for each in paragraphs(command.help) if not each.startswith(EXAMPLE))
    for parameter in command.params:
        if isinstance(parameter, TyperArgument | TyperOption) and not parameter.hidden:
            yield from paragraphs(parameter.help)
            if isinstance(parameter.show_default, str) and not parameter.show_default.isdecimal():
                yield parameter.show_default
            if parameter.metavar or isinstance(parameter, TyperArgument):
                yield parameter.metavar or str(parameter.name).upper()
    for name in getattr(command, "commands", ()):
        yield from texts_of(command.get_command(None, name))


def of_templates() -> Iterator[Message]:
    """What the page's templates say."""
    options = {"trimmed": "true", "silent": "false"}
    for path in sorted((PACKAGE / "web" / "templates").glob("*.html")):
        with path.open("rb") as file:
            for line, function, said, _ in babel_extract(file, ("gettext", "ngettext", "pgettext", "_"), (), options):
                words = [said] if isinstance(said, str) else [each for each in said if each is not None]
                english, plural = (words[-1], "") if function != "ngettext" else (words[0], words[1])
                context = words[0] if function == "pgettext" else ""
                yield Message(english, plural, context, f"{path.name}:{line}")
