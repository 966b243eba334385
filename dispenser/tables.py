"""Reads TOML and says what is wrong with it: file, key, value and remedy, one line a mistake."""

from __future__ import annotations

import difflib
import ipaddress
import json
import os
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_SHOWN = 80  # characters of a wrong value that are repeated
_MOST_DEPTH = 16
_MOST_BITS = 1000  # of a whole number; TOML promises 64
_NAME = re.compile(
    r"(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*\.?"
)
_SYNTAX = (  # what tomllib says, and what to do about it; the first that fits
    (r"Invalid value", 'text goes in "quotes"; numbers, true and false stand without'),
    (r"Expected '=' after a key", "write key = value; a table begins with its name in [brackets]"),
    (r"Expected newline or end", "one key a line; a text with a \" in it goes in 'single quotes'"),
    (r"Unterminated string|Illegal character '\\n'", "close the quotes on the same line"),
    (r"Unescaped '\\'", "write \\\\ for one \\, or put the text in 'single quotes'"),
    (r"Illegal character|Found invalid character", "take this character out; it may not be seen in an editor"),
    (r"Cannot overwrite|Duplicate inline", "this key stands there twice: keep one of them"),
    (r"Cannot declare", "this table begins twice: put its keys below one heading"),
    (r"Unclosed array", "close the list with ]"),
    (r"Unclosed inline table", "close the table with }"),
    (r"at the end of a table declaration|array declaration", "a heading is [name], alone on its line"),
    (r"Invalid initial character for a key|Invalid statement", "a key begins with a letter; a comment with #"),
    (r"Cannot mutate immutable|Cannot declare", "this name has a value already: use another, or take that value out"),
    (r"Invalid date|Invalid hex|Invalid character", "write it as the other examples: 'dispenser config show'"),
)
_ANYTHING = "'dispenser config show' prints a file that is right"


class ConfigError(ValueError):
    """Settings that cannot be used. One line: file, key, wrong value, remedy.

    :ivar mistakes: all that is wrong, a line each; the error itself shows the first.
    """

    def __init__(self, *mistakes: str) -> None:
        more = len(mistakes) - 1
        counted = "one more mistake" if more == 1 else f"{more} more mistakes"
        super().__init__(mistakes[0] + (f" ({counted}: 'dispenser config check' names all)" if more else ""))
        self.mistakes = list(mistakes)


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text; the byte order mark that some editors put before it is no mistake.

    :raises ConfigError: where it is wrong, and the remedy.
    """
    text = text.removeprefix("\ufeff")
    try:
        tables = tomllib.loads(text)
    except RecursionError as error:
        raise ConfigError(
            "not valid TOML: brackets in brackets in brackets, hundreds deep; no key takes more than a list of texts"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"not valid TOML: {_syntax(str(error), text)}") from error
    except (ValueError, OverflowError) as error:  # Python's own limits, such as 4,300 digits
        raise ConfigError(f"not valid TOML: {error}; no key takes a number that long: take digits out") from error
    for name, table in tables.items():
        for key, value in table.items() if isinstance(table, dict) else ((None, table),):
            try:
                _refuse_monsters(value)
            except ValueError as error:
                where = f"[{cut(name)}] {cut(key)}" if key is not None else cut(name)
                raise ConfigError(f"{where} = …: {error}; no key takes that") from error
    return tables


def _refuse_monsters(value: Any, depth: int = 0) -> None:
    """Numbers that Python itself will not write down, and lists in lists in lists that nobody can walk through."""
    if depth > _MOST_DEPTH:
        raise ValueError(f"brackets more than {_MOST_DEPTH} deep")
    if isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            _refuse_monsters(item, depth + 1)
    elif isinstance(value, int) and value.bit_length() > _MOST_BITS:
        raise ValueError(f"a number of {value.bit_length()} bits")


def _syntax(message: str, text: str) -> str:
    """What tomllib says, the line that it means, and what to do."""
    remedy = next((remedy for says, remedy in _SYNTAX if re.search(says, message)), _ANYTHING)
    found = re.search(r"at line (\d+)", message)
    lines = text.splitlines()
    line = lines[int(found[1]) - 1].strip() if found and int(found[1]) <= len(lines) else ""
    return f"{message}{f', which reads: {cut(line)}' if line else ''}; {remedy}"


def cut(text: str) -> str:
    """The beginning of a text, printable and on one line."""
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def shown(value: Any) -> str:
    """A value as it may stand in a settings file, cut when it is long."""
    return cut(json.dumps(value, ensure_ascii=False, default=str))


def closest(word: str, known: Sequence[str]) -> str:
    """A remedy for a word that is not known."""
    near = difflib.get_close_matches(word[:_SHOWN], known, n=1)
    return f'did you mean "{near[0]}"?' if near else "known are " + ", ".join(sorted(known))


def of_msgspec(message: str, table: str, values: dict[str, Any]) -> tuple[str, str | None]:
    """msgspec says "Expected `int`, got `str` - at `$.button`"; people want table, key, value, remedy.

    Returns that, and the key it is about (``None``: the whole table).
    """
    found = re.fullmatch(r"(?P<what>.*?)(?: - at `\$(?:\.(?P<key>\w+))?(?P<inside>.*)`)?", message, re.DOTALL)
    what = (found["what"] if found else message).replace("`", "")
    key = found["key"] if found else None
    if key is None:  # one of our own sentences begins with the key that it is about
        named = re.match(r"\w+", what)
        return f"[{table}] {what}", named[0] if named and named[0] in values else None
    return f"[{table}] {key} = {shown(values.get(key))}: {what[0].lower() + what[1:]}{_remedy(what)}", key


def _remedy(what: str) -> str:
    """How to write a value of the wanted type."""
    wanted = re.match(r"Expected (\w+)", what)
    how = {
        "int": "write a whole number without quotes",
        "float": "write a number without quotes",
        "bool": "write true or false without quotes",
        "str": 'write it in "quotes"',
        "array": 'write a list, such as ["a", "b"]',
    }
    return f"; {how[wanted[1]]}" if wanted and wanted[1] in how else ""


# --- values that only look right -----------------------------------------------------------------------------------


def refuse_token(token: str) -> None:
    """:raises ValueError: a token that can be guessed, or that no browser can send."""
    how = "use the output of 'openssl rand -hex 16'"
    if len(token) < 16:
        raise ValueError("token is too short: use 16 characters or more, such as the output of 'openssl rand -hex 16'")
    if not all("!" <= char <= "~" for char in token):
        raise ValueError(f"token has a space or a character that is no ASCII: a browser cannot send that; {how}")
    if len(set(token)) < 6:
        raise ValueError(f"token has only {len(set(token))} different characters and can be guessed; {how}")


def refuse_host(key: str, host: str) -> None:
    """:raises ValueError: what is no name or address of a machine."""
    if _is_address(host) or _NAME.fullmatch(host):
        return
    wrong = f"{key} = {shown(host)}"
    if not host:
        raise ValueError(f'{wrong}: is empty; write an address, such as "127.0.0.1", or a name such as "table.local"')
    if "*" in host:
        raise ValueError(f"{wrong}: stands for no single machine; write each name by which browsers call this one")
    if "/" in host:
        raise ValueError(f"{wrong}: is an address of a page; write only the name, without http:// and what follows it")
    if re.fullmatch(r"(\[.*\]|[^:]*):\d+", host):
        raise ValueError(f"{wrong}: has a port; write only the name, the port stands in port = …")
    if not host.isascii():
        raise ValueError(f"{wrong}: has other than letters a to z, digits, - and .; browsers send such names as xn--…")
    raise ValueError(f"{wrong}: is no name of a machine: letters, digits, - and . only")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def refuse_file(key: str, text: str) -> None:
    """:raises ValueError: a path that can never be that of a file."""
    wrong = f"{key} = {shown(text)}"
    if not text.isprintable():
        raise ValueError(f"{wrong}: has a character that no file name can have here; write it anew")
    try:
        path = Path(text).expanduser()
    except RuntimeError as error:
        raise ValueError(f"{wrong}: there is no such user; write the whole path, from / on") from error
    if any(len(os.fsencode(part)) > 255 for part in path.parts):
        raise ValueError(f"{wrong}: a part of it is longer than 255 bytes; shorten it")
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113  # pathlib's raise PermissionError
        raise ValueError(
            f'{wrong}: is a folder or a device; name a file, such as "/var/lib/dispenser/dispenser.sqlite3"'
        )
