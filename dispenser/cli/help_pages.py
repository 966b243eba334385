"""How ``--help`` sets the texts of commands, and what else one may call them."""

from __future__ import annotations

import gettext
import inspect
import re
import unicodedata
from typing import Any, Final

from typer.core import TyperArgument, TyperGroup, TyperOption

from dispenser.cli.spoken import in_words, language
from dispenser.cli.usage_errors import usage_errors_in_words
from dispenser.language import LANGUAGES, LOCALE, Text, catalog

HELP_OPTIONS: Final = ["-h", "--help"]
_LEFT_OUT: Final = Text("Left out: {default}.")
_USAGE: Final = Text("Usage: ")
_OPTIONS: Final = Text("[OPTIONS]")
_COMMAND: Final = Text("COMMAND [ARGS]...")
_HELP: Final = Text("Show this message and exit.")

_WORDS: Final = {
    **dict.fromkeys(("int", "int range", "integer", "integer range"), "NUMBER"),
    **dict.fromkeys(("float", "float range"), "NUMBER"),
    **dict.fromkeys(("str", "text"), "TEXT"),
    "path": "PATH",
}
"""What stands behind an option for its value, by what the library calls the kind of it."""

OLD_NAMES: Final[dict[str, set[str]]] = {
    "--serial-port": {"--port"},
    "--recording": {"--csv"},
    "--seconds-before": {"--before"},
    "--seconds-after": {"--after"},
}
"""Names that an option had once, by its name of today: understood, and not shown."""

OTHER_WORDS: Final = {
    "press": "appuie appuyer presse",
    "eject": "ejecte ejecter sors throw",
    "load": "charge charger",
    "count": "compte compter",
    "reset": "rearme rearmer",
    "watch": "regarde regarder",
    "run": "lance lancer",
    "demo": "demonstration essai",
    "log": "journal",
    "audit": "verifie-le-hasard preuve",
    "odds": "hasard chances",
    "doctor": "docteur diagnostic",
    "config": "reglages settings",
    "rules": "regles",
    "firmware": "micrologiciel",
    "toy": "jouet",
    "look": "vois voir",
    "lid": "couvercle",
    "button": "bouton",
    "release": "relache relacher let-go",
    "take": "prends prendre take-card",
    "stack": "paquet pile",
    "cells": "piles",
    "fault": "panne",
    "list": "liste",
    "show": "montre montrer",
    "check": "verifie verifier",
    "play": "joue jouer",
    "replay": "rejoue rejouer",
    "simulate": "simule simuler",
    "build": "construis construire",
    "flash": "ecris ecrire",
    "info": "infos",
    "monitor": "surveille surveiller",
}
"""What else one may type for a command: the words of the page, in French, without accents. The help shows one name."""
_NAME_OF: Final = {word: name for name, words in OTHER_WORDS.items() for word in words.split()}


class HelpfulGroup(TyperGroup):
    """A group of commands whose help reads like sentences, in the language of the terminal.

    Lines break where the terminal ends, and not where those of the source do, too: the library joins the lines of the
    first paragraph only. A default in words is a sentence of its own: the library writes ``[default: (random)]``. And a
    value is a ``NUMBER`` and no ``<int range>``.
    """

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        _set_anew(self)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command by its name, or by another word for it."""
        return super().get_command(ctx, cmd_name) or super().get_command(ctx, _NAME_OF.get(_plain(cmd_name), cmd_name))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As the library does it; whatever was typed, the command goes by its name."""
        typed, command, rest = super().resolve_command(ctx, args)
        return command.name if command else typed, command, rest

    def make_context(self, *arguments: Any, **attributes: Any) -> Any:
        """As the library does it, its errors in the language of the terminal."""
        with usage_errors_in_words():
            return super().make_context(*arguments, **attributes)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """As the library does it, with the options that it adds itself when all is set."""
        for parameter in self.params:
            _set_parameter(parameter)
        super().format_help(ctx, formatter)

    def invoke(self, ctx: Any) -> Any:
        """As the library does it, its errors in the language of the terminal."""
        with usage_errors_in_words():
            return super().invoke(ctx)


def _set_anew(command: Any) -> None:
    if command.help:
        command.help = translated(with_whole_paragraphs(command.help))
    for parameter in command.params:
        _set_parameter(parameter)
    if language() != LANGUAGES[0]:
        _set_what_the_library_says(command)
    for each in getattr(command, "commands", {}).values():
        if not isinstance(each, HelpfulGroup):
            _set_anew(each)


def _set_parameter(parameter: Any) -> None:
    if not isinstance(parameter, TyperArgument | TyperOption):
        return
    if parameter.help:
        parameter.help = translated(parameter.help)
    if isinstance(parameter.show_default, str):
        default = parameter.show_default
        default = default if default.isdecimal() else translated(default)
        left_out = in_words(_LEFT_OUT.filled(default=default))
        parameter.help = f"{parameter.help or ''} {left_out}".strip()
        parameter.show_default = False
    if isinstance(parameter, TyperOption) and not parameter.is_flag and parameter.metavar is None:
        parameter.metavar = _WORDS.get(parameter.type.name)
    if parameter.metavar:
        parameter.metavar = translated(parameter.metavar)
    if old := OLD_NAMES.get(parameter.opts[0]):
        _hide(parameter, old)


def _hide(parameter: Any, old: set[str]) -> None:
    """Let the parser know all names, and nobody else the old ones."""
    everything, parameter.opts = parameter.opts, [name for name in parameter.opts if name not in old]
    add = parameter.add_to_parser

    def add_to_parser(parser: Any, ctx: Any) -> None:
        shown, parameter.opts = parameter.opts, everything
        add(parser, ctx)
        parameter.opts = shown

    if len(everything) > len(parameter.opts):
        parameter.add_to_parser = add_to_parser


def _plain(word: str) -> str:
    """Without accents and capitals."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(sign))


def _set_what_the_library_says(command: Any) -> None:
    """The words that it does not have translated itself."""

    def format_usage(ctx: Any, formatter: Any) -> None:
        pieces = " ".join(command.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=in_words(_USAGE))

    for parameter in command.params:
        if isinstance(parameter, TyperArgument) and parameter.metavar is None:
            parameter.metavar = translated(parameter.name or "")
    command.format_usage = format_usage
    command.options_metavar = in_words(_OPTIONS)
    if isinstance(command, TyperGroup):
        command.subcommand_metavar = in_words(_COMMAND)
    with command.context_class(command, help_option_names=HELP_OPTIONS) as ctx:
        command.get_help_option(ctx).help = in_words(_HELP)


def translated(english: str) -> str:
    """A text of the commands' own declarations, in the language of the terminal."""
    return catalog(language()).gettext(english)


def speak_french_if_wanted() -> None:
    """Have the libraries speak French as we do. Call it before any command."""
    if language() == LANGUAGES[0]:
        return
    gettext.bindtextdomain("messages", LOCALE)  # what the library of the commands has translated itself, it asks here
    import rich._wrap

    # It breaks lines at no-break spaces, too, and has no setting for that.
    rich._wrap.re_word = re.compile(r"[^\S\u00a0\u202f]*[\S\u00a0\u202f]+[^\S\u00a0\u202f]*")


def with_whole_paragraphs(text: str) -> str:
    """Each paragraph on one line; an indented one, such as a list or an example, as it is."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(each if _has_a_shape(each) else " ".join(each.split()) for each in paragraphs)


def _has_a_shape(paragraph: str) -> bool:
    return "\b" in paragraph or any(line.startswith((" ", "- ")) for line in paragraph.splitlines())
