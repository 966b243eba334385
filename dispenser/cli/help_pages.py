"""The library's commands in the language of whoever types: their help, mistakes in typing, other words for them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any, Final, TypeVar

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from dispenser.cli.spoken import _, in_catalog, language, without_marks
from dispenser.i18n import Text

Function = TypeVar("Function", bound=Callable[..., Any])
UsageError: Final[Any] = typer.BadParameter.__base__
"""What the library raises for any mistake in a command line."""

_VALUES: Final = {
    **dict.fromkeys(("int", "int range", "integer", "integer range", "float", "float range"), Text("NUMBER")),
    **dict.fromkeys(("str", "text"), Text("TEXT")),
    "path": Text("PATH"),
}
"""What stands behind an option for its value, by what the library calls the kind of it."""

OTHER_WORDS: Final = {
    "press": "appuie appuyer",
    "eject": "ejecte ejecter",
    "load": "charge charger",
    "count": "compte compter",
    "reset": "rearme rearmer",
    "watch": "regarde regarder",
    "run": "lance lancer",
    "demo": "demonstration",
    "log": "journal",
    "audit": "preuve",
    "odds": "hasard",
    "doctor": "docteur",
    "support": "assistance",
    "backup": "sauvegarde sauvegarder",
    "restore": "restaure restaurer",
    "selftest": "essai essais",
    "calibrate": "calibre calibrer",
    "manual": "main manuel",
    "address": "adresse",
    "install": "installe installer",
    "update": "actualise actualiser",
    "remove": "enleve enlever",
    "config": "reglages",
    "rules": "regles",
    "firmware": "micrologiciel",
    "toy": "jouet",
    "evenings": "soirees",
    "owner": "proprietaire",
}
"""What else one may type for a command: the words of the page, in French, without accents. The help shows one name."""
_NAME_OF: Final = {word: name for name, words in OTHER_WORDS.items() for word in words.split()}


_OPTION_OF: Final = {
    "--port": "--serial-port",
    "--csv": "--recording",
    "--before": "--seconds-before",
    "--after": "--seconds-after",
}
"""What an option was called once, and is called today: still understood by a command that has the new one only."""


class Commands(typer.Typer):
    """A group of commands whose help reads like sentences, in the language of the terminal."""

    def __init__(self, *, cls: type[TyperGroup] | None = None, **given: Any) -> None:
        super().__init__(cls=cls or HelpfulGroup, **given)

    def command(
        self, name: str | None = None, *, cls: type[TyperCommand] | None = None, **given: Any
    ) -> Callable[[Function], Function]:
        return super().command(name, cls=cls or HelpfulCommand, **given)


class _Helpful:
    """What a command and a group of them have in common: such a help."""

    def get_usage(self, ctx: Any) -> str:
        text: str = super().get_usage(ctx)  # type: ignore[misc]
        command = _("COMMAND [ARGS]...")
        return text.replace("Usage: ", _("Usage: "), 1).replace("COMMAND [ARGS]...", command)

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help = _("Show this page and stop.")
        return option

    def format_help(self, ctx: Any, formatter: Any) -> None:
        for command in (self, *getattr(self, "commands", {}).values()):
            set_anew(command)
        _set_library_anew()
        super().format_help(ctx, formatter)  # type: ignore[misc]


class HelpfulCommand(_Helpful, TyperCommand):
    """A command with such a help, whose options may be called as they once were."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        known = {name for parameter in self.params for name in parameter.opts}
        renamed = {old: new for old, new in _OPTION_OF.items() if old not in known and new in known}
        parts = [arg.partition("=") for arg in args]
        return super().parse_args(ctx, [renamed.get(name, name) + equals + value for name, equals, value in parts])


class HelpfulGroup(_Helpful, TyperGroup):
    """A group of commands with such a help, each known by several words."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return super().get_command(ctx, cmd_name) or super().get_command(
            ctx, _NAME_OF.get(without_marks(cmd_name.lower()), cmd_name)
        )

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        typed, command, rest = super().resolve_command(ctx, args)
        return (command.name if command else typed), command, rest

    def make_context(self, *given: Any, **named: Any) -> Any:
        with _mistakes_in_our_language():
            return super().make_context(*given, **named)

    def invoke(self, ctx: Any) -> Any:
        with _mistakes_in_our_language():
            return super().invoke(ctx)


# --- help ----------------------------------------------------------------------------------------------------------


def set_anew(command: Any) -> None:
    """Lines break where the terminal ends, not where those of the source do; a default in words is a sentence; a value
    is a ``NUMBER`` and no ``<int range>``; what is not to be shown is not; and all in the language of the terminal.
    """
    if getattr(command, "is_set_anew", False):
        return
    command.is_set_anew = True
    command.help = said_in_paragraphs(command.help)
    for parameter in command.params:
        if isinstance(parameter, TyperArgument | TyperOption):
            _set_parameter_anew(parameter)


def _set_parameter_anew(parameter: TyperArgument | TyperOption) -> None:
    parameter.help = said_in_paragraphs(parameter.help)
    if isinstance(parameter.show_default, str):
        left_out = _("Left out: {default}.", default=in_catalog(parameter.show_default))
        parameter.help = f"{parameter.help or ''} {left_out}".strip()
        parameter.show_default = False
    metavar = parameter.metavar
    if isinstance(parameter, TyperArgument):
        metavar = metavar or str(parameter.name).upper()
        _set_kind_anew(parameter)
    elif not parameter.is_flag and metavar is None and (value := _VALUES.get(parameter.type.name)):
        metavar = value.msgid
    parameter.metavar = in_catalog(metavar) if metavar else None


def _set_kind_anew(argument: TyperArgument) -> None:
    """What an argument takes, in the words and with the bounds that an option has."""
    if value := _VALUES.get(argument.type.name):
        kind: Any = copy(argument.type)  # those without bounds are everybody's
        bounds = f" [{kind._describe_range()}]" if hasattr(kind, "_describe_range") else ""  # noqa: SLF001 - click's words
        shown = in_catalog(value.msgid) + bounds
        kind.get_metavar = lambda *_given, **_named: shown
        argument.type = kind


def texts_of(command: Any) -> Iterator[str]:
    """All that the help of a command and of those below it says, as it stands in the code."""
    yield from (each for each in paragraphs(command.help) if not each.startswith(" "))
    for parameter in command.params:
        if not getattr(parameter, "hidden", False):
            yield from paragraphs(parameter.help)
            if isinstance(parameter.show_default, str) and not parameter.show_default.isdecimal():
                yield parameter.show_default
            if parameter.metavar or isinstance(parameter, TyperArgument):
                yield parameter.metavar or str(parameter.name).upper()
    for below in getattr(command, "commands", {}).values():
        yield from texts_of(below)


def paragraphs(text: str | None) -> list[str]:
    """Each paragraph on one line; an indented one, such as a list or an example, as it is."""
    parts = inspect.cleandoc(text).split("\n\n") if text else []
    return [each if _has_a_shape(each) else " ".join(each.split()) for each in parts]


def said_in_paragraphs(text: str | None) -> str:
    """The text as the help shows it, in the language of the terminal."""
    return "\n\n".join(each if each.startswith(" ") else in_catalog(each) for each in paragraphs(text))


def _has_a_shape(paragraph: str) -> bool:
    return "\b" in paragraph or any(line.startswith((" ", "- ")) for line in paragraph.splitlines())


def _set_library_anew() -> None:
    """The library's own words: it has taken them from the catalogs of nobody when it was imported."""
    from typer import rich_utils

    rich_utils.ARGUMENTS_PANEL_TITLE = _("Arguments")
    rich_utils.OPTIONS_PANEL_TITLE = _("Options")
    rich_utils.COMMANDS_PANEL_TITLE = _("Commands")
    rich_utils.ERRORS_PANEL_TITLE = _("Mistake")
    rich_utils.DEFAULT_STRING = _("[default: {}]")
    rich_utils.REQUIRED_LONG_STRING = _("[required]")
    rich_utils.ENVVAR_STRING = _("[environment: {}]")
    rich_utils.RICH_HELP = _("Try [blue]'{command_path} {help_option}'[/] for help.")


# --- mistakes ------------------------------------------------------------------------------------------------------

_MEANT: Final = Text("there is no {typed}; did you mean {meant}?")


@contextmanager
def _mistakes_in_our_language() -> Iterator[None]:
    try:
        yield
    except UsageError as error:
        if error.ctx is not None:
            set_anew(error.ctx.command)
        said = error.format_message()
        if not said:  # a group without a command, which prints its help
            raise
        _set_library_anew()
        raise UsageError(in_words(said), error.ctx) from error


_MISTAKES: Final = (
    (r"No such option: (?P<typed>.*?) (?:Did you mean |\(Possible options: )(?P<meant>.*)[?)]", _MEANT),
    (r"No such option: (?P<typed>.*)", Text("there is no option {typed}")),
    (r"No such command '(?P<typed>.*)'\. Did you mean (?P<meant>.*)\?", _MEANT),
    (r"No such command '(?P<typed>.*)'\.", Text("there is no command {typed!r}")),
    (r"Missing \w+ (?P<which>'.*?'|\S+?)\.(?:\s.*)?", Text("{which} is missing")),
    (r"Option '(?P<option>.*)' requires an argument\.", Text("{option} needs a value")),
    (r"Option '(?P<option>.*)' does not take a value\.", Text("{option} takes no value")),
    (r"Got unexpected extra \S+ \((?P<words>.*)\)", Text("too much: {words}")),
    (r"Invalid value for (?P<option>.*?): (?P<what>.*)", Text("{option}: {what}")),
    (r"'(?P<typed>.*)' is not a valid int.*", Text("{typed!r} is no whole number")),
    (r"'(?P<typed>.*)' is not a valid float.*", Text("{typed!r} is no number")),
    (r"(?P<typed>.*) is not in the range (?P<range>.*)\.", Text("{typed} is outside of {range}")),
    (r"'(?P<typed>.*)' is not one of (?P<words>.*)\.", Text("{typed!r} is none of {words}")),
)
"""What the library says of a mistake, and what we do."""


def in_words(said: str) -> str:
    """A mistake in the language of the terminal; what the library never said before as it is."""
    for pattern, text in _MISTAKES:
        if found := re.fullmatch(pattern, said, re.DOTALL):
            return text.filled(**{name: in_words(value) for name, value in found.groupdict().items()})[language()]
    return said
