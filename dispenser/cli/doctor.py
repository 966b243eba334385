"""``dispenser doctor``: check this machine and say what to do; ``support``: an archive for a bug report."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.failures import FOUND_WRONG, IO_ERROR, fail
from dispenser.cli.options import (
    BaudOption,
    ConfigOption,
    DriverOption,
    JsonOption,
    SerialPortOption,
    YesOption,
)
from dispenser.cli.settings import with_driver
from dispenser.cli.spoken import MARKS, _, confirm, in_catalog, in_words
from dispenser.i18n import Text, why

if TYPE_CHECKING:
    from dispenser.drivers.findings import Finding
    from dispenser.service.settings import Settings


_CHECKS = (
    *(Text("settings"), Text("disk"), Text("journal"), Text("page"), Text("packages"), Text("pins"), Text("crash")),
    *(Text("levels"), Text("lid"), Text("button"), Text("exit"), Text("line"), Text("start"), Text("motor")),
    *(Text("cells"), Text("firmware"), Text("seen"), Text("restarts"), Text("port"), Text("backup"), Text("supply")),
    *(Text("clock"), Text("card"), Text("Wi-Fi"), Text("hotspot"), Text("switch-off"), Text("launcher")),
)
"""Names of the checks, for the translation catalog: a finding has only the msgid."""
_CHECK_WIDTH = 10


def doctor(
    config: ConfigOption = None,
    driver: DriverOption = None,
    serial_port: SerialPortOption = None,
    baud: BaudOption = None,
    fix: Annotated[bool, typer.Option("--fix", help="Offer to run each command that fixes a problem.")] = False,
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Example: sudo dispenser doctor --fix"""
    from dispenser.system.doctor import check_all

    def change(settings: Settings) -> Settings:
        return with_driver(settings, driver, serial_port, baud)

    of_ones_own = any(each is not None for each in (config, driver, serial_port, baud))

    def look() -> list[Finding]:
        findings = []
        for finding in check_all(config, change, as_service_user=not of_ones_own):
            findings.append(finding)
            if not as_json:
                _print(finding)
        return findings

    findings = look()
    if fix and _mend(findings, ask=not yes, quietly=as_json):
        findings = look()
    _conclude(findings, as_json=as_json)


def _mend(findings: list[Finding], *, ask: bool, quietly: bool) -> bool:
    """Run the commands that the findings suggest, each after confirmation.

    :returns: whether any was run.
    """
    import subprocess

    ran = False
    for finding in findings:
        if not finding.command:
            continue
        typer.echo(f"\n{in_catalog(finding.check)}: {in_words(finding.found)}\n$ {_typed(finding)}", err=quietly)
        if not ask or confirm(_("Run this?"), stderr=quietly):
            ran = True
            code = subprocess.run(_by_root(finding), check=False, stdout=2 if quietly else None).returncode  # noqa: S603
            typer.echo(_("Done.") if code == 0 else _("That failed (exit code {code}).", code=code), err=quietly)
    return ran


def _by_root(finding: Finding) -> list[str]:
    import os

    return [*([] if os.geteuid() == 0 else ["sudo"]), *finding.command]


def _typed(finding: Finding) -> str:
    """Return the command as a person types it."""
    return shlex.join(_by_root(finding))


def _conclude(findings: list[Finding], *, as_json: bool) -> None:
    """Print the number of problems, or all findings as JSON.

    :raises Exit: with 1 if something is wrong.
    """
    wrong, notes = (sum(finding.status == status for finding in findings) for status in ("wrong", "note"))
    if as_json:
        keys = ("check", "status", "text", "remedy")
        fields = [
            {key: getattr(each, key) for key in keys} | {"command": _typed(each) if each.command else ""}
            for each in findings
        ]
        typer.echo(json.dumps({"wrong": wrong, "findings": fields}, indent=2, ensure_ascii=False))
    else:
        if any(each.command for each in findings):
            typer.echo(_("'dispenser doctor --fix' offers to run the commands above, one by one."))
        some = _("{number} thing is wrong.", plural="{number} things are wrong.", number=wrong)
        none = _("No errors; look at the lines with –.") if notes else _("No errors.")
        typer.echo(some if wrong else none)
    if wrong:
        raise typer.Exit(FOUND_WRONG)


def _print(finding: Finding) -> None:
    """Print a finding: mark, check and text, with the remedy below."""
    mark, colour = MARKS[finding.status]
    typer.echo(f"{typer.style(mark, fg=colour)} {in_catalog(finding.check):{_CHECK_WIDTH}} {in_words(finding.found)}")
    if finding.advice:
        typer.echo(f"  → {in_words(finding.advice)}")
    if finding.command:
        typer.echo(f"  $ {_typed(finding)}")


def support(
    file: Annotated[
        Path | None, typer.Argument(help="The archive.", show_default="dispenser-support-DATE.zip, here")
    ] = None,
    config: ConfigOption = None,
    yes: YesOption = False,
) -> None:
    """Token, secrets, names of people and addresses are left out. It shows what is in it and asks before it writes."""
    from datetime import UTC, datetime

    from dispenser.system.doctor import check_all
    from dispenser.system.support import collect, write

    target = (file or Path(f"dispenser-support-{datetime.now(UTC):%Y%m%d-%H%M%S}.zip")).expanduser().absolute()
    parts = list(collect(config, list(check_all(config, as_service_user=config is None))))
    for part in parts:
        typer.echo(f"{part.name}  {_('{number:,} bytes', number=len(part.content))}  {in_words(part.about)}")
    if not yes and not confirm(_("Write {file}?", file=target)):
        typer.echo(_("Nothing was written."))
        raise typer.Exit
    try:
        write(parts, target)
    except FileExistsError:
        fail(_("{file} is there already: name another file", file=target), IO_ERROR)
    except OSError as error:
        fail(_("{file}: {why}", file=target, why=why(error)), IO_ERROR)
    typer.echo(_("{file}: look at it before you send it.", file=target))
