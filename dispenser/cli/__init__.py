"""The ``dispenser`` command. One module a command group; what is heavy is imported when a command runs.

Exit codes, the same everywhere:

=== =====================================================================
0   done
1   it ran, and what it found is not right (audit, scenario, check, press refused)
2   the command line is wrong
3   ``audit``: nothing to prove yet, the seed is not revealed
69  not available: no pins, no service at that address, address taken
74  the journal cannot be read or written
78  the settings are wrong
130 stopped by Ctrl-C (129, 143: by a closed terminal, by a request to end); 141: nobody reads what is printed
=== =====================================================================
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from dispenser.cli.acts import count, eject, load, press, reset
from dispenser.cli.audit import audit
from dispenser.cli.doctor import doctor
from dispenser.cli.firmware import firmware_app
from dispenser.cli.help_pages import Commands
from dispenser.cli.log import log
from dispenser.cli.odds import odds
from dispenser.cli.plain_letters import keep_words_together, speak_plainly
from dispenser.cli.rules import rules_app
from dispenser.cli.scenario import scenario
from dispenser.cli.serve import demo, run
from dispenser.cli.settings import settings_app
from dispenser.cli.toy import toy_app
from dispenser.cli.watch import watch
from dispenser.version import __version__

app = Commands(
    name="dispenser",
    help="Brain, simulator and table companion for a motorized card launcher.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dispenser {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


for _command in (run, demo, press, eject, load, count, reset, watch, odds, audit, log, scenario, doctor):
    app.command()(_command)
app.add_typer(settings_app, name="config")
app.add_typer(rules_app, name="rules")
app.add_typer(firmware_app, name="firmware")
app.add_typer(toy_app, name="toy")


def main() -> None:
    """Entry point of the ``dispenser`` command."""
    speak_plainly((sys.stdout, sys.stderr))
    keep_words_together()
    app()
