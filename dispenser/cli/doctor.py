"""``dispenser doctor``: is everything right on this machine, and if not, what to do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from dispenser.cli.failures import FOUND_WRONG
from dispenser.cli.options import BaudOption, ConfigOption, DriverOption, JsonOption, SerialPortOption
from dispenser.cli.settings import with_driver
from dispenser.cli.spoken import _, in_words
from dispenser.language import Text

if TYPE_CHECKING:
    from rich.table import Table

    from dispenser.drivers.findings import Finding
    from dispenser.service.settings import Settings

_MARKS = {"good": ("✓", "green"), "note": ("–", "yellow"), "wrong": ("✗", "bold red")}
_CHECKS = {
    each.msgid: each
    for each in (
        *(Text("settings"), Text("disk"), Text("journal"), Text("page"), Text("packages"), Text("pins"), Text("crash")),
        *(Text("levels"), Text("lid"), Text("button"), Text("exit"), Text("line"), Text("start"), Text("motor")),
        *(Text("cells"), Text("firmware")),
    )
}
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
    from dispenser.drivers.findings import Status
    from dispenser.host.doctor import examine

    def change(settings: Settings) -> Settings:
        return with_driver(settings, driver, serial_port, baud)

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
        keys = ("check", "status", "text", "remedy")
        fields = [{key: getattr(finding, key) for key in keys} for finding in findings]
        typer.echo(json.dumps({"wrong": wrong, "findings": fields}, indent=2, ensure_ascii=False))
    else:
        few = {0: _("Nothing is wrong."), 1: _("One thing is wrong.")}
        typer.echo(few.get(wrong) or _("{number} things are wrong.", number=wrong))
    if wrong:
        raise typer.Exit(FOUND_WRONG)


def _row(finding: Finding) -> Table:
    """A mark, what was looked at, what was found; the remedy below."""
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
    row.add_row(Styled(mark, style), Styled(in_words(_CHECKS.get(finding.check, finding.check)), "bold"), found)
    return row
