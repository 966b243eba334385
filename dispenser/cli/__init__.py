"""The ``dispenser`` command: all its commands in one table. A command's module is imported when the command is used."""

from __future__ import annotations

import errno
import io
import sys
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.main import get_command

import dispenser
from dispenser.cli.failures import IO_ERROR, STOPPED_BY_PIPE, complain, print_nowhere
from dispenser.cli.help_pages import Commands, HelpfulGroup
from dispenser.cli.spoken import _, in_words
from dispenser.i18n import Text, why

_COMMANDS: Final = {
    Text("Run a launcher"): {
        "serve.demo": Text("Try everything without a launcher: open a page with a simulated one."),
        "serve.run": Text("Run the launcher on this machine's GPIO pins or on a microcontroller."),
    },
    Text("Use the running launcher"): {
        "watch.status": Text("Show the state of the running launcher."),
        "commands.press": Text("Press the button: the odds decide how many cards come."),
        "commands.eject": Text("Eject exactly so many cards, whatever the odds."),
        "commands.load": Text("Tell the launcher how many cards are inside now, after each refill."),
        "commands.reset": Text("Tell the launcher that a jam is cleared, the stack refilled or a fault mended."),
        "commands.count": Text("Correct how many cards came out at a press, or count them without an exit sensor."),
        "watch.watch": Text("Show the state of the running launcher, then every event, until Ctrl-C."),
    },
    Text("Journal"): {
        "log.log": Text("Show the journal: everything that happened, oldest first."),
        "audit.audit": Text("Check that nobody cheated: each press and shuffle must fit the revealed seed."),
        "evenings.evenings": Text("List the evenings that the journal knows, the newest first."),
    },
    Text("Odds and rules"): {
        "odds.odds": Text("Show how often some odds bring cards, how many, and the longest wait."),
        "rules.rules": Text("Five card games: their rules, and playing, replaying, checking and simulating them."),
    },
    Text("Maintenance"): {
        "doctor.doctor": Text("Check settings, pins or microcontroller, disk, journal and service; nothing moves."),
        "maintenance.selftest": Text("Try lid, button, sensor, motor, beeper, one card, three cards, and report."),
        "maintenance.calibrate": Text("Measure this launcher, propose settings, and write them after a yes."),
        "maintenance.manual": Text("Watch lid, button and exit; feed, pull back, beep, light while a key is held."),
    },
    Text("Installation"): {
        "install.install": Text("Put the launcher on this machine: program, user, rights, service, settings."),
        "install.update": Text("Put a new version beside the running one and start it; if it fails, the old one runs."),
        "install.remove": Text("Take the launcher off this machine; settings and journal stay, unless --purge."),
        "install.backup": Text("Write settings and journal into one file, also while the launcher runs, and check it."),
        "install.restore": Text("Replace settings and journal by those of a backup; the present ones are kept."),
    },
    Text("Settings and access"): {
        "settings.config": Text("Check or show the settings."),
        "access.address": Text("Say where the page is: on this machine, for phones in the house, as a QR code."),
        "access.owner": Text("Show a QR code that gives a phone the owner's rights; it works once, for ten minutes."),
        "access.hotspot": Text("A Wi-Fi of the launcher's own, for a table without a network."),
        "mqtt.mqtt": Text("See what is published by MQTT, for Home Assistant and other programs."),
        "doctor.support": Text("Collect what a bug report needs: the doctor's findings, versions, settings, journal."),
    },
    Text("Development"): {
        "simulator.simulator": Text("Control a simulated launcher, or run your gpiozero script on one."),
        "scenario.scenario": Text("Play scenarios on the simulated launcher and report what fails."),
        "firmware.firmware": Text("Build, flash and inspect the microcontroller's firmware."),
    },
}
"""Help groups: by ``module.function``, the sentence before its docstring. A module's ``NAME_app`` has subcommands."""
_SENTENCES: Final = {path.partition(".")[2]: (path, text) for each in _COMMANDS.values() for path, text in each.items()}


class _AllCommands(HelpfulGroup):
    """The root group; imports the module of a command when the command is used."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands: dict[str, Any] = dict.fromkeys(_SENTENCES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in self.commands and self.commands[cmd_name] is None:
            self.commands[cmd_name] = _imported(cmd_name)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - the library's signature
        for title, commands in _COMMANDS.items():
            with formatter.section(in_words(title)):
                formatter.write_dl([(path.partition(".")[2], in_words(text)) for path, text in commands.items()])


def _imported(name: str) -> Any:
    path, text = _SENTENCES[name]
    module = import_module(f"dispenser.cli.{path.partition('.')[0]}")
    group = getattr(module, f"{name}_app", None)
    if group is None:
        group = Commands()
        group.command(name)(getattr(module, name))
    command = get_command(group)
    command.name, command.help = name, "\n\n".join(filter(None, (text.msgid, command.help)))
    return command


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dispenser {dispenser.__version__}")
        raise typer.Exit


app = Commands(
    name="dispenser",
    cls=_AllCommands,
    help="Run a motorized card launcher, or a simulated one; begin with: dispenser demo",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the ``dispenser`` command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")  # print characters that the terminal's encoding lacks as ?
    try:
        app()
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # the libraries exit with 1, which has a meaning here
            raise SystemExit(STOPPED_BY_PIPE) from None
        raise
    except OSError as error:
        if error.filename is not None:  # such as a folder without read permission
            complain(_("{file}: {why}", file=error.filename, why=why(error)))
            raise SystemExit(IO_ERROR) from None
        if error.errno != errno.ENOSPC:
            raise
        print_nowhere()
        complain(_("this cannot be printed: {why}", why=why(error)))
        raise SystemExit(IO_ERROR) from None
