"""``dispenser doctor``: is everything right on this machine, and if not, what to do."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.failures import FOUND_WRONG
from dispenser.cli.settings import BaudOption, ConfigOption, DriverOption, PortOption, with_driver

if TYPE_CHECKING:
    from rich.table import Table

    from dispenser.config import Settings
    from dispenser.drivers.findings import Finding

_MARKS = {"good": ("✓", "green"), "note": ("–", "yellow"), "wrong": ("✗", "bold red")}
_CHECK_WIDTH = 8


def doctor(
    config: ConfigOption = None,
    driver: DriverOption = None,
    port: PortOption = None,
    baud: BaudOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Look over settings, pins or microcontroller, levels, disk, journal and service. Nothing moves.

    Exit code: 0, or 1 when something that a launcher needs is wrong.
    """
    from dispenser.drivers.findings import Status
    from dispenser.host.doctor import examine

    def change(settings: Settings) -> Settings:
        return with_driver(settings, driver, port, baud)

    findings = []
    if as_json:
        findings = list(examine(config, change=change))
    else:
        from rich.console import Console

        console = Console(highlight=False)
        for finding in examine(config, change=change):
            findings.append(finding)
            console.print(_row(finding))
    wrong = sum(finding.status is Status.WRONG for finding in findings)
    if as_json:
        fields = [dataclasses.asdict(finding) for finding in findings]
        typer.echo(json.dumps({"wrong": wrong, "findings": fields}, indent=2, ensure_ascii=False))
    else:
        typer.echo({0: "Nothing is wrong.", 1: "One thing is wrong."}.get(wrong, f"{wrong} things are wrong."))
    if wrong:
        raise typer.Exit(FOUND_WRONG)


def _row(finding: Finding) -> Table:
    """A mark, what was looked at, what was found; the remedy below."""
    from rich.table import Table
    from rich.text import Text

    row = Table.grid(padding=(0, 1))
    row.add_column(width=1)
    row.add_column(width=_CHECK_WIDTH)
    row.add_column(overflow="fold")
    mark, style = _MARKS[finding.status]
    found = Text(finding.text, "" if finding.status == "good" else style)
    if finding.remedy:
        found = Text.assemble(found, f"\n→ {finding.remedy}")
    row.add_row(Text(mark, style), Text(finding.check, "bold"), found)
    return row
