"""``dispenser doctor``: is everything right on this machine, and if not, what to do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from dispenser.cli.failures import FOUND_WRONG
from dispenser.cli.options import BaudOption, ConfigOption, DriverOption, JsonOption, SerialPortOption
from dispenser.cli.settings import with_driver
from dispenser.cli.spoken import _, in_catalog, in_words
from dispenser.language import Text

if TYPE_CHECKING:
    from dispenser.drivers.findings import Finding

_MARKS = {"good": ("✓", "green"), "note": ("–", "yellow"), "wrong": ("✗", "bold red")}
_CHECKS = (
    *(Text("settings"), Text("disk"), Text("journal"), Text("page"), Text("packages"), Text("pins"), Text("crash")),
    *(Text("levels"), Text("lid"), Text("button"), Text("exit"), Text("line"), Text("start"), Text("motor")),
    *(Text("cells"), Text("firmware")),
)
"""What is looked at, for the catalog: a finding has only the word."""
_CHECK_WIDTH = 10


def doctor(
    config: ConfigOption = None,
    driver: DriverOption = None,
    serial_port: SerialPortOption = None,
    baud: BaudOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look over settings, pins or microcontroller, levels, disk, journal and service. Nothing moves.

    Exit code: 0, or 1 when something that a launcher needs is wrong.
    """
    from dispenser.host.doctor import WRONG, examine

    findings = []
    for finding in examine(config, lambda settings: with_driver(settings, driver, serial_port, baud)):
        findings.append(finding)
        if not as_json:
            _print(finding)
    wrong = sum(finding.status is WRONG for finding in findings)
    if as_json:
        keys = ("check", "status", "text", "remedy")
        fields = [{key: getattr(finding, key) for key in keys} for finding in findings]
        typer.echo(json.dumps({"wrong": wrong, "findings": fields}, indent=2, ensure_ascii=False))
    else:
        few = {0: _("Nothing is wrong."), 1: _("One thing is wrong.")}
        typer.echo(few.get(wrong) or _("{number} things are wrong.", number=wrong))
    if wrong:
        raise typer.Exit(FOUND_WRONG)


def _print(finding: Finding) -> None:
    """A mark, what was looked at, what was found; the remedy below."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text as Styled

    row = Table.grid(padding=(0, 1))
    row.add_column(width=1)
    row.add_column(width=_CHECK_WIDTH)
    row.add_column(overflow="fold")
    mark, style = _MARKS[finding.status]
    found = Styled(in_words(finding.found), "" if finding.status == "good" else style)
    if finding.advice:
        found = Styled.assemble(found, f"\n→ {in_words(finding.advice)}")
    row.add_row(Styled(mark, style), Styled(in_catalog(finding.check), "bold"), found)
    Console().print(row)
