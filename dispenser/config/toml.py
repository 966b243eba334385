"""Parse TOML text; syntax errors name the line and what to write instead."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

from dispenser.config.errors import TableError, cut
from dispenser.i18n import Text, why
from dispenser.safe_open import opened

_SYNTAX: Final = (  # pattern of tomllib's error, and the hint; the first match counts
    (r"Invalid value", Text('text goes in "quotes"; numbers, true and false stand without')),
    (r"Expected '=' after a key", Text("write key = value; a table begins with its name in [brackets]")),
    (r"Expected newline or end", Text("one key a line; a text with a \" in it goes in 'single quotes'")),
    (r"Unterminated string|Illegal character '\\n'", Text("close the quotes on the same line")),
    (r"Cannot overwrite|Duplicate inline", Text("this key stands there twice: keep one of them")),
    (r"Cannot declare", Text("this table begins twice: put its keys below one heading")),
    (r"Unclosed", Text("close the list with ], or the table with a brace")),
    (r"declaration|for a key|statement", Text("a key begins with a letter, a comment with #; a heading is [name]")),
    ("", Text("compare it with the examples of the documentation")),
)


def read_file(path: Path) -> dict[str, Any]:
    """:raises TableError: the file cannot be read or parsed; says where and what to write. The file is not named."""
    try:
        with opened(path, follow_link=True) as file:
            text = file.read().decode("utf-8-sig")  # drops a byte order mark
    except OSError as error:
        raise TableError(Text("{why}; give a file that can be read").filled(why=why(error))) from error
    except UnicodeDecodeError as error:
        raise TableError(Text("not a text (byte {place}); give a UTF-8 file").filled(place=error.start + 1)) from error
    return parse_toml(text)


def parse_toml(text: str) -> dict[str, Any]:
    """:raises TableError: invalid TOML; says where, and what to write instead."""
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise TableError(Text("not valid TOML: {what}").filled(what=_syntax(str(error), text))) from error


def _syntax(said: str, text: str) -> Text:
    hint = next(hint for pattern, hint in _SYNTAX if re.search(pattern, said))
    found = re.search(r"at line (\d+), column (\d+)", said)
    lines = text.splitlines()
    if not found or int(found[1]) > len(lines):
        return Text("end of the file: {remedy}").filled(remedy=hint)
    return Text("line {number}, column {column}, which reads: {line}; {remedy}").filled(
        number=found[1], column=found[2], line=cut(lines[int(found[1]) - 1].strip()), remedy=hint
    )
