"""Help pages and usage errors in the language of the terminal; typer itself has English only."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, Final, TypeVar

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

from dispenser.cli.failures import code_of, complain, fail
from dispenser.cli.spoken import _, in_catalog, in_words
from dispenser.i18n import LOCALE, SpokenError, Text

Function = TypeVar("Function", bound=Callable[..., Any])
UsageError: Final[Any] = typer.BadParameter.__base__  # Base class of all errors about a command line

EXAMPLE: Final = "Example:"  # Marks a paragraph of the help as an example
_OF_THE_LIBRARY: Final = (
    *(Text("Arguments"), Text("Options"), Text("Commands"), Text("Aborted!"), Text("required")),
    *(Text("default: {default}"), Text("env var: {var}")),
)
"""Texts that the library looks up in our catalog by gettext."""
gettext.bindtextdomain("messages", LOCALE)


class Commands(typer.Typer):
    """A group of commands with such a help."""

    def __init__(self, *, cls: type[TyperGroup] | None = None, add_completion: bool = False, **given: Any) -> None:
        super().__init__(cls=cls or HelpfulGroup, add_completion=add_completion, rich_markup_mode=None, **given)

    def command(
        self, name: str | None = None, *, cls: type[TyperCommand] | None = None, **given: Any
    ) -> Callable[[Function], Function]:
        return super().command(name, cls=cls or HelpfulCommand, **given)


class _Helpful:
    """Mixin of commands and groups: translated help, and errors with a message end the command."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))  # type: ignore[attr-defined]
        pieces = pieces.replace("COMMAND [ARGS]...", _("COMMAND [ARGS]..."))
        formatter.write_usage(ctx.command_path, pieces, prefix=_("Usage: "))

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help = _("Show this page and stop.")
        return option

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)  # type: ignore[misc,no-any-return]
        except UsageError as error:
            error.ctx = error.ctx or ctx  # missing for an option without its value, or with one that it does not take
            raise

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)  # type: ignore[misc]
        except SpokenError as error:
            fail(error, code_of(error))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        translate(self)
        formatter.write_heading = lambda heading: formatter.write(_("{heading}:", heading=heading) + "\n")
        super().format_help(ctx, formatter)  # type: ignore[misc]


class HelpfulCommand(_Helpful, TyperCommand):
    """A command with translated help."""


class HelpfulGroup(_Helpful, TyperGroup):
    """A group of commands with translated help."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - the library's signature
        commands = [(name, each) for name, each in self.commands.items() if not each.hidden]
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, in_catalog(paragraphs(each.help)[0])) for name, each in commands])

    def make_context(self, *given: Any, **named: Any) -> Any:
        with _mistakes_translated():
            return super().make_context(*given, **named)

    def invoke(self, ctx: Any) -> Any:
        with _mistakes_translated():
            return super().invoke(ctx)


def translate(command: Any) -> None:
    """Translate the help of a command, its options and its arguments, once."""
    if getattr(command, "is_translated", False):
        return
    command.is_translated = True
    command.help = "\n\n".join(map(_paragraph, paragraphs(command.help)))
    for parameter in command.params:
        parameter.help = in_catalog(" ".join((parameter.help or "").split()))
        if isinstance(parameter.show_default, str):
            parameter.show_default = in_catalog(parameter.show_default)
        if isinstance(parameter, TyperArgument):
            parameter.metavar = parameter.metavar or str(parameter.name).upper()
        parameter.metavar = in_catalog(parameter.metavar) if parameter.metavar else None


def paragraphs(text: str | None) -> list[str]:
    """Return the paragraphs of a text, each on one line."""
    return [" ".join(each.split()) for each in text.split("\n\n")] if text else []


def _paragraph(text: str) -> str:
    return text.replace(EXAMPLE, _("Example:"), 1) if text.startswith(EXAMPLE) else in_catalog(text)


_MEANT: Final = Text("there is no {typed}; did you mean {meant}?")
_MISTAKES: Final = (
    (r"No such option: (?P<typed>.*?) (?:Did you mean |\(Possible options: )(?P<meant>.*)[?)]", _MEANT),
    (r"No such option: (?P<typed>.*)", Text("there is no option {typed}")),
    (r"No such command '(?P<typed>.*)'\. Did you mean (?P<meant>.*)\?", _MEANT),
    (r"No such command '(?P<typed>.*)'\.", Text("there is no command {typed!r}")),
    (r"Missing \w+ (?P<which>'.*?'|\S+?)\.(?:\s.*)?", Text("{which} is missing")),
    (r"Option '(?P<option>.*)' requires an argument\.", Text("{option} needs a value")),
    (r"Option '(?P<option>.*)' does not take a value\.", Text("{option} takes no value")),
    (r"Got unexpected extra \S+ \((?P<words>.*)\)", Text("unexpected: {words}")),
    (r"Invalid value for (?P<option>.*?): (?P<what>.*)", Text("{option}: {what}")),
    (r"'(?P<typed>.*)' is not a valid int.*", Text("{typed!r} is not a whole number")),
    (r"'(?P<typed>.*)' is not a valid float.*", Text("{typed!r} is not a number")),
    (r"(?P<typed>.*) is not in the range (?P<range>.*)\.", Text("{typed} is outside of {range}")),
    (r"'(?P<typed>.*)' is not one of (?P<words>.*)\.", Text("{typed!r} is not one of {words}")),
)
"""Regular expressions of the library's error messages, with our texts."""


class _MistakeError(UsageError):  # type: ignore[misc]
    """An error in a command line, printed on one line like all errors."""

    def show(self, file: IO[Any] | None = None) -> None:  # noqa: ARG002 - the library's signature
        complain(_("{mistake} (help: {command} --help)", mistake=self.message, command=self.ctx.command_path))


@contextmanager
def _mistakes_translated() -> Iterator[None]:
    try:
        yield
    except UsageError as error:
        if error.ctx is None or type(error).__name__ == "NoArgsIsHelpError":
            raise
        translate(error.ctx.command)  # to translate the names of arguments
        raise _MistakeError(_mistake(error.format_message()), error.ctx) from error


def _mistake(said: str) -> str:
    """Return an error message of the library in the terminal's language; an unknown one unchanged."""
    for pattern, text in _MISTAKES:
        if found := re.fullmatch(pattern, said, re.DOTALL):
            return in_words(text.filled(**{name: _mistake(value) for name, value in found.groupdict().items()}))
    return said
