"""The ``dispenser`` command. One module a command group; what is heavy is imported when a command runs."""

from __future__ import annotations

import errno
import sys
from importlib import import_module
from typing import Annotated, Any, Final

import typer

import dispenser
from dispenser.cli.failures import IO_ERROR, STOPPED_BY_PIPE, complain, print_nowhere
from dispenser.cli.help_pages import Commands
from dispenser.cli.spoken import _, in_words, keep_words_together, speak_plainly
from dispenser.i18n import Text, why
from dispenser.launcher.commands import COMMANDS

_COMMANDS: Final = (
    (Text("Run a launcher"), "serve.demo serve.run"),
    (Text("Use the running launcher"), " ".join(f"commands.{word}" for word in COMMANDS) + " watch.watch"),
    (Text("Journal"), "log.log audit.audit evenings.evenings"),
    (Text("Odds and rules"), "odds.odds rules.rules"),
    (Text("Maintenance"), "doctor.doctor maintenance.selftest maintenance.calibrate maintenance.manual"),
    (Text("Installation"), "install.install install.update install.remove backup.backup backup.restore"),
    (Text("Settings and access"), "settings.config address.address owner.owner hotspot.hotspot support.support"),
    (Text("Development"), "toy.toy scenario.scenario firmware.firmware"),
)
"""The groups of the help, and the module and name of each command; ``NAME_app`` there has commands of its own. A module
is imported when its command is typed: the others cost half a second."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dispenser {dispenser.__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


def _commands(typed: str = "") -> Commands:
    """The ``dispenser`` command, with the one of its words that was typed; with all when that is none of them."""
    app = Commands(
        name="dispenser",
        help="Brain, simulator and table companion for a motorized card launcher.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    all_commands = [(title, path.partition(".")) for title, paths in _COMMANDS for path in paths.split()]
    wanted = [each for each in all_commands if each[1][2] == typed] or all_commands
    for title, (module_name, _dot, name) in wanted:
        module = import_module(f"dispenser.cli.{module_name}")
        if (group := getattr(module, f"{name}_app", None)) is not None:
            app.add_typer(group, name=name, rich_help_panel=in_words(title))
        else:
            app.command(rich_help_panel=in_words(title))(getattr(module, name))
    return app


def __getattr__(name: str) -> Any:
    """``app``: the whole command."""
    if name == "app":
        return _commands()
    raise AttributeError(f"module 'dispenser.cli' has no attribute {name!r}")


def main() -> None:
    """Entry point of the ``dispenser`` command."""
    speak_plainly((sys.stdout, sys.stderr))
    keep_words_together()
    try:
        _commands(sys.argv[1] if len(sys.argv) > 1 else "")()
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # the libraries would have 1, which is an answer
            raise SystemExit(STOPPED_BY_PIPE) from None
        raise
    except OSError as error:
        if error.errno != errno.ENOSPC or error.filename is not None:
            raise
        print_nowhere()
        complain(_("this cannot be printed: {why}", why=why(error)))
        raise SystemExit(IO_ERROR) from None
