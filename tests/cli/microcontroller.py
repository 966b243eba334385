"""What the tests of the command line with a microcontroller share."""

from __future__ import annotations

from typer.testing import CliRunner, Result

from dispenser.cli import app


def dispenser(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)
