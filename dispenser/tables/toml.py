"""TOML as text: what is wrong with its syntax, and the remedy."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from dispenser.tables.mistakes import TableError, Text, cut, mistake

_MOST_DEPTH = 16
_MOST_BITS = 1000  # of a whole number; TOML promises 64
_SYNTAX: Final = (  # what tomllib says, and what to do about it; the first that fits
    (
        r"Invalid value",
        Text(
            'text goes in "quotes"; numbers, true and false stand without',
            'un texte s’écrit entre "guillemets"\xa0; nombres, true et false, sans',
        ),
    ),
    (
        r"Expected '=' after a key",
        Text(
            "write key = value; a table begins with its name in [brackets]",
            "écris clé = valeur\xa0; une table commence par son nom entre [crochets]",
        ),
    ),
    (
        r"Expected newline or end",
        Text(
            "one key a line; a text with a \" in it goes in 'single quotes'",
            "une clé par ligne\xa0; un texte qui contient \" s’écrit entre 'apostrophes'",
        ),
    ),
    (
        r"Unterminated string|Illegal character '\\n'",
        Text("close the quotes on the same line", "ferme les guillemets sur la même ligne"),
    ),
    (
        r"Unescaped '\\'",
        Text(
            "write \\\\ for one \\, or put the text in 'single quotes'",
            "écris \\\\ pour un \\, ou mets le texte entre 'apostrophes'",
        ),
    ),
    (
        r"Illegal character|Found invalid character",
        Text(
            "take this character out; it may not be seen in an editor",
            "enlève ce caractère\xa0; un éditeur ne le montre pas toujours",
        ),
    ),
    (
        r"Cannot overwrite|Duplicate inline",
        Text("this key stands there twice: keep one of them", "cette clé y est deux fois\xa0: n’en garde qu’une"),
    ),
    (
        r"Cannot declare",
        Text(
            "this table begins twice: put its keys below one heading",
            "cette table commence deux fois\xa0: mets ses clés sous un seul titre",
        ),
    ),
    (r"Unclosed array", Text("close the list with ]", "ferme la liste par ]")),
    (r"Unclosed inline table", Text("close the table with }", "ferme la table par }")),
    (
        r"at the end of a table declaration|array declaration",
        Text("a heading is [name], alone on its line", "un titre s’écrit [nom], seul sur sa ligne"),
    ),
    (
        r"Invalid initial character for a key|Invalid statement",
        Text(
            "a key begins with a letter; a comment with #", "une clé commence par une lettre\xa0; un commentaire, par #"
        ),
    ),
    (
        r"Cannot mutate immutable",
        Text(
            "this name has a value already: use another, or take that value out",
            "ce nom a déjà une valeur\xa0: prends-en un autre, ou enlève cette valeur",
        ),
    ),
    (
        r"Invalid date|Invalid hex|Invalid character",
        Text(
            "write it as in the examples of the documentation", "écris-le comme dans les exemples de la documentation"
        ),
    ),
    ("", Text("compare it with the examples of the documentation", "compare avec les exemples de la documentation")),
)


def read_file(path: Path) -> dict[str, Any]:
    """The tables of a TOML file.

    :raises TableError: it cannot be read, or where it is wrong; and the remedy. The file is not named.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise TableError(
            Text(
                "cannot be read ({error}); give a readable UTF-8 file",
                "illisible ({error})\u00a0; donne un fichier UTF-8 qu’on peut lire",
            ).filled(error=error)
        ) from error
    return parse_toml(text)


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text; the byte order mark that some editors put before it is no mistake.

    :raises TableError: where it is wrong, and the remedy.
    """
    text = text.removeprefix("\ufeff")
    try:
        tables = tomllib.loads(text)
    except RecursionError as error:
        raise _not_valid(
            Text(
                "brackets in brackets in brackets, hundreds deep; no key takes more than a list of texts",
                "des crochets dans des crochets, par centaines\u00a0; aucune clé ne prend plus qu’une liste de textes",
            )
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise _not_valid(_syntax(str(error), text)) from error
    except (ValueError, OverflowError) as error:  # Python's own limits, such as 4,300 digits
        raise _not_valid(
            Text(
                "{error}; no key takes a number that long: take digits out",
                "{error}\u00a0; aucune clé ne prend un nombre aussi long\u00a0: enlève des chiffres",
            ).filled(error=error)
        ) from error
    for name, table in tables.items():
        for path, value in (
            [((name, key), value) for key, value in table.items()] if isinstance(table, dict) else [((name,), table)]
        ):
            if monster := _monster(value):
                what = Text("{monster}; no key takes that", "{monster}\u00a0; aucune clé ne prend cela")
                raise TableError(mistake(path, what.filled(monster=monster)))
    return tables


def _not_valid(what: Text) -> TableError:
    return TableError(Text("not valid TOML: {what}", "TOML incorrect\u00a0: {what}").filled(what=what))


def _monster(value: Any, depth: int = 0) -> Text | None:
    """Numbers that Python itself will not write down, and lists in lists in lists that nobody can walk through."""
    if depth > _MOST_DEPTH:
        return Text("brackets more than {number} deep", "plus de {number} crochets imbriqués").filled(
            number=_MOST_DEPTH
        )
    if isinstance(value, (Mapping, list)):
        items = value.values() if isinstance(value, Mapping) else value
        return next((found for item in items if (found := _monster(item, depth + 1))), None)
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return Text("a number of {number} bits", "un nombre de {number} bits").filled(number=value.bit_length())
    return None


def _syntax(message: str, text: str) -> Text:
    """What tomllib says, the line that it means, and what to do."""
    remedy = next(remedy for says, remedy in _SYNTAX if re.search(says, message))
    found = re.search(r"at line (\d+)", message)
    lines = text.splitlines()
    if not found or int(found[1]) > len(lines):
        return Text("{said}; {remedy}", "{said}\u00a0; {remedy}").filled(said=message, remedy=remedy)
    text_of_line = Text("{said}, which reads: {line}; {remedy}", "{said}, où il y a\u00a0: {line}\u00a0; {remedy}")
    return text_of_line.filled(said=message, line=cut(lines[int(found[1]) - 1].strip()), remedy=remedy)
