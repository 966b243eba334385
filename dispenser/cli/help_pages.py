"""How ``--help`` sets the texts of commands."""

from __future__ import annotations

import inspect
from typing import Any, Final

from typer.core import TyperArgument, TyperGroup, TyperOption

_WORDS: Final = {
    **dict.fromkeys(("int", "int range", "integer", "integer range"), "NUMBER"),
    **dict.fromkeys(("float", "float range"), "NUMBER"),
    **dict.fromkeys(("str", "text"), "TEXT"),
    "path": "PATH",
}
"""What stands behind an option for its value, by what the library calls the kind of it."""


class HelpfulGroup(TyperGroup):
    """A group of commands whose help reads like sentences.

    Lines break where the terminal ends, and not where those of the source do, too: the library joins the lines of the
    first paragraph only. A default in words is a sentence of its own: the library writes ``[default: (random)]``. And a
    value is a ``NUMBER`` and no ``<int range>``.
    """

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        _set_anew(self)


def _set_anew(group: TyperGroup) -> None:
    for command in group.commands.values():
        if command.help:
            command.help = with_whole_paragraphs(command.help)
        for parameter in command.params:
            if isinstance(parameter, TyperArgument | TyperOption) and isinstance(parameter.show_default, str):
                parameter.help = f"{parameter.help or ''} Left out: {parameter.show_default}.".strip()
                parameter.show_default = False
            if isinstance(parameter, TyperOption) and not parameter.is_flag and parameter.metavar is None:
                parameter.metavar = _WORDS.get(parameter.type.name)
        if isinstance(command, TyperGroup):
            _set_anew(command)


def with_whole_paragraphs(text: str) -> str:
    """Each paragraph on one line; an indented one, such as a list or an example, as it is."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(each if _has_a_shape(each) else " ".join(each.split()) for each in paragraphs)


def _has_a_shape(paragraph: str) -> bool:
    return "\b" in paragraph or any(line.startswith((" ", "- ")) for line in paragraph.splitlines())
