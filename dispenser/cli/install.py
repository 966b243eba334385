"""``dispenser install``, ``update``, ``remove``: puts the launcher on this machine, and takes it off."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.options import among
from dispenser.cli.spoken import language as spoken_language
from dispenser.i18n import LANGUAGES
from dispenser.system.install.options import BOARDS, HELP, Options

if TYPE_CHECKING:
    from dispenser.system.install.installer import Installer

DryRunOption = Annotated[bool, typer.Option("--dry-run", help=HELP["dry-run"].msgid)]


def install(
    board: Annotated[
        str | None, typer.Option(metavar="NAME", help=HELP["board"].msgid, autocompletion=among(lambda: BOARDS))
    ] = None,
    language: Annotated[
        str | None, typer.Option(metavar="WORD", help=HELP["language"].msgid, autocompletion=among(lambda: LANGUAGES))
    ] = None,
    phones: Annotated[bool | None, typer.Option("--phones/--no-phones", help=HELP["phones"].msgid)] = None,
    config_txt: Annotated[
        bool | None, typer.Option("--config-txt/--no-config-txt", help=HELP["config-txt"].msgid)
    ] = None,
    dry_run: DryRunOption = False,
    later: Annotated[bool, typer.Option("--later", help=HELP["later"].msgid)] = False,
) -> None:
    """It asks what it must know.

    Example: sudo dispenser install --board raspberry-pi-h-bridge --phones
    """
    options = Options(board=board, language=language, phones=phones, config_txt=config_txt, later=later)
    raise typer.Exit(_installer(language, dry_run=dry_run).install(options))


def update(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help=HELP["folder"].msgid)],
    dry_run: DryRunOption = False,
) -> None:
    """Example: sudo dispenser update card-dispenser/"""
    raise typer.Exit(_installer(dry_run=dry_run).update(folder))


def remove(
    purge: Annotated[bool, typer.Option("--purge", help=HELP["purge"].msgid)] = False,
    yes: Annotated[bool, typer.Option("--yes", help=HELP["yes"].msgid)] = False,
    dry_run: DryRunOption = False,
) -> None:
    """Example: sudo dispenser remove --dry-run"""
    raise typer.Exit(_installer(dry_run=dry_run).remove(purge=purge, yes=yes))


def _installer(language: str | None = None, *, dry_run: bool) -> Installer:
    from dispenser.system.install.installer import Installer
    from dispenser.system.install.paths import Paths

    return Installer(Paths(), language if language in LANGUAGES else spoken_language(), dry_run=dry_run)
