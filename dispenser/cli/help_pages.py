"""Help and mistakes in typing, in the language of the terminal: the library itself speaks English only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from dispenser.cli.spoken import _, in_catalog, language
from dispenser.i18n import Text

Function = TypeVar("Function", bound=Callable[..., Any])
UsageError: Final[Any] = typer.BadParameter.__base__
"""What the library raises for any mistake in a command line."""

_EXAMPLE: Final = "Example:"
"""Begins the paragraph of a help that is a command to type."""


class Commands(typer.Typer):
    """A group of commands with such a help."""

    def __init__(self, *, cls: type[TyperGroup] | None = None, **given: Any) -> None:
        super().__init__(cls=cls or HelpfulGroup, **given)

    def command(
        self, name: str | None = None, *, cls: type[TyperCommand] | None = None, **given: Any
    ) -> Callable[[Function], Function]:
        return super().command(name, cls=cls or HelpfulCommand, **given)


class _Helpful:
    """What a command and a group of them have in common."""

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
            translate(command)
        _translate_titles()
        super().format_help(ctx, formatter)  # type: ignore[misc]


class HelpfulCommand(_Helpful, TyperCommand):
    """A command with such a help."""


class HelpfulGroup(_Helpful, TyperGroup):
    """A group of commands with such a help."""

    def make_context(self, *given: Any, **named: Any) -> Any:
        with _mistakes_translated():
            return super().make_context(*given, **named)

    def invoke(self, ctx: Any) -> Any:
        with _mistakes_translated():
            return super().invoke(ctx)


# --- help ----------------------------------------------------------------------------------------------------------


def translate(command: Any) -> None:
    """The help of a command, its options and arguments, once; lines break where the terminal ends."""
    if getattr(command, "is_translated", False):
        return
    command.is_translated = True
    command.help = said_in_paragraphs(command.help)
    for parameter in command.params:
        parameter.help = said_in_paragraphs(parameter.help)
        if isinstance(parameter.show_default, str):
            parameter.show_default = in_catalog(parameter.show_default)
        if isinstance(parameter, TyperArgument):
            parameter.metavar = parameter.metavar or str(parameter.name).upper()
        parameter.metavar = in_catalog(parameter.metavar) if parameter.metavar else None


def texts_of(command: Any) -> Iterator[str]:
    """All that the help of a command and of those below it says, as it stands in the code."""
    yield from (each for each in paragraphs(command.help) if not each.startswith(_EXAMPLE))
    for parameter in command.params:
        if isinstance(parameter, TyperArgument | TyperOption) and not parameter.hidden:
            yield from paragraphs(parameter.help)
            if isinstance(parameter.show_default, str) and not parameter.show_default.isdecimal():
                yield parameter.show_default
            if parameter.metavar or isinstance(parameter, TyperArgument):
                yield parameter.metavar or str(parameter.name).upper()
    for below in getattr(command, "commands", {}).values():
        yield from texts_of(below)


def paragraphs(text: str | None) -> list[str]:
    """Each paragraph on one line."""
    return [" ".join(each.split()) for each in text.split("\n\n")] if text else []


def said_in_paragraphs(text: str | None) -> str:
    """The text as the help shows it, in the language of the terminal."""
    return "\n\n".join(
        each.replace(_EXAMPLE, _("Example:"), 1) if each.startswith(_EXAMPLE) else in_catalog(each)
        for each in paragraphs(text)
    )


def _translate_titles() -> None:
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


@contextmanager
def _mistakes_translated() -> Iterator[None]:
    try:
        yield
    except UsageError as error:
        if error.ctx is not None:
            translate(error.ctx.command)
        said = error.format_message()
        if not said:  # a group without a command, which prints its help
            raise
        _translate_titles()
        raise UsageError(_mistake(said), error.ctx) from error


def _mistake(said: str) -> str:
    """A mistake in the language of the terminal; what the library never said before as it is."""
    for pattern, text in _MISTAKES:
        if found := re.fullmatch(pattern, said, re.DOTALL):
            return text.filled(**{name: _mistake(value) for name, value in found.groupdict().items()})[language()]
    return said
