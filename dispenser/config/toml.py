"""TOML as text: what is wrong with its syntax, and the remedy."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from dispenser.config.mistakes import TableError, cut, mistake
from dispenser.i18n import Text, why
from dispenser.safe_open import opened

_MOST_DEPTH = 16
_MOST_BITS = 1000  # of a whole number; TOML promises 64
_SYNTAX: Final = (  # what tomllib says, and what to do about it; the first that fits
    (r"Invalid value", Text('text goes in "quotes"; numbers, true and false stand without')),
    (r"Expected '=' after a key", Text("write key = value; a table begins with its name in [brackets]")),
    (r"Expected newline or end", Text("one key a line; a text with a \" in it goes in 'single quotes'")),
    (r"Unterminated string|Illegal character '\\n'", Text("close the quotes on the same line")),
    (r"Unescaped '\\'", Text("write \\\\ for one \\, or put the text in 'single quotes'")),
    (r"Illegal character|Found invalid character", Text("take this character out; it may not be seen in an editor")),
    (r"Cannot overwrite|Duplicate inline", Text("this key stands there twice: keep one of them")),
    (r"Cannot declare", Text("this table begins twice: put its keys below one heading")),
    (r"Unclosed array", Text("close the list with ]")),
    (r"Unclosed inline table", Text("close the table with a brace")),
    (r"at the end of a table declaration|array declaration", Text("a heading is [name], alone on its line")),
    (r"Invalid initial character for a key|Invalid statement", Text("a key begins with a letter; a comment with #")),
    (r"Cannot mutate immutable", Text("this name has a value already: use another, or take that value out")),
    (r"Invalid date|Invalid hex|Invalid character", Text("write it as in the examples of the documentation")),
    ("", Text("compare it with the examples of the documentation")),
)


def read_file(path: Path) -> dict[str, Any]:
    """The tables of a TOML file.

    :raises TableError: it cannot be read, or where it is wrong; and the remedy. The file is not named.
    """
    try:
        with opened(path, follow_link=True) as file:
            content = file.read()
    except OSError as error:
        raise TableError(Text("{why}; give a file that can be read").filled(why=why(error))) from error
    return parse_content(content)


def parse_content(content: bytes) -> dict[str, Any]:
    """The tables of what a TOML file holds.

    :raises TableError: where it is wrong, and the remedy.
    """
    try:
        return parse_toml(content.decode())
    except UnicodeDecodeError as error:
        no_text = Text("not a text (byte {place}); give a UTF-8 file")
        raise TableError(no_text.filled(place=error.start + 1)) from error


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text; the byte order mark that some editors put before it is no mistake.

    :raises TableError: where it is wrong, and the remedy.
    """
    text = text.removeprefix("\ufeff")
    try:
        tables = tomllib.loads(text)
    except (ValueError, OverflowError, RecursionError) as error:
        raise TableError(Text("not valid TOML: {what}").filled(what=_syntax(error, text))) from error
    for name, table in tables.items():
        for path, value in (
            [((name, key), value) for key, value in table.items()] if isinstance(table, dict) else [((name,), table)]
        ):
            if monster := _monster(value):
                raise TableError(mistake(path, Text("{monster}; no key takes that").filled(monster=monster)))
    return tables


def _syntax(error: Exception, text: str) -> Text:
    """The place that tomllib names and what to do; what it says itself is English everywhere."""
    if isinstance(error, RecursionError):
        return Text("brackets in brackets in brackets, hundreds deep; no key takes more than a list of texts")
    if not isinstance(error, tomllib.TOMLDecodeError):  # one of Python's own limits: 4,300 digits
        return Text("no key takes a number that long: take digits out")
    remedy = next(remedy for says, remedy in _SYNTAX if re.search(says, str(error)))
    found = re.search(r"at line (\d+), column (\d+)", str(error))
    lines = text.splitlines()
    if not found or int(found[1]) > len(lines):
        return Text("end of the file: {remedy}").filled(remedy=remedy)
    return Text("line {number}, column {column}, which reads: {line}; {remedy}").filled(
        number=found[1], column=found[2], line=cut(lines[int(found[1]) - 1].strip()), remedy=remedy
    )


def _monster(value: Any, depth: int = 0) -> Text | None:
    """Numbers that Python itself will not write down, and lists in lists in lists that nobody can walk through."""
    if depth > _MOST_DEPTH:
        return Text("brackets more than {number} deep").filled(number=_MOST_DEPTH)
    if isinstance(value, (Mapping, list)):
        items = value.values() if isinstance(value, Mapping) else value
        return next((found for item in items if (found := _monster(item, depth + 1))), None)
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return Text("a number of {number} bits").filled(number=value.bit_length())
    return None
