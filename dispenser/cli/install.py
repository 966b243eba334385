"""``dispenser install``, ``update``, ``remove``: puts the launcher on this machine, and takes it off."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.options import among
from dispenser.cli.spoken import language as spoken_language
from dispenser.i18n import LANGUAGES
from dispenser.system.install.wishes import BOARDS, HELP, Wishes

if TYPE_CHECKING:
    from dispenser.system.install.dialogue import Dialogue

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
    wheel: Annotated[Path | None, typer.Option(metavar="FILE", help=HELP["wheel"].msgid)] = None,
    wheels: Annotated[Path | None, typer.Option(metavar="FOLDER", help=HELP["wheels"].msgid)] = None,
) -> None:
    """Put the launcher on this machine: program, user, rights, service, settings. Asks what it must know.

    Run again, it finishes what was interrupted, and changes nothing that is right.
    """
    wishes = Wishes(
        board=board,
        language=language,
        phones=phones,
        config_txt=config_txt,
        dry_run=dry_run,
        later=later,
        wheel=wheel,
        wheels=wheels,
    )
    raise typer.Exit(_dialogue(language).install(wishes))


def update(
    start: Annotated[Path | None, typer.Argument(metavar="[FROM]", help=HELP["start"].msgid)] = None,
    dry_run: DryRunOption = False,
) -> None:
    """Put a new version beside the one that runs, and start it; when it does not come up, the old one runs again.

    Nothing is asked. The version before stays.
    """
    raise typer.Exit(_dialogue().update(Wishes(dry_run=dry_run), start))


def remove(
    purge: Annotated[bool, typer.Option("--purge", help=HELP["purge"].msgid)] = False,
    yes: Annotated[bool, typer.Option("--yes", help=HELP["yes"].msgid)] = False,
    dry_run: DryRunOption = False,
    by_package: Annotated[bool, typer.Option("--by-package", help=HELP["by-package"].msgid)] = False,
) -> None:
    """Take the launcher off this machine. Its settings and its journal stay, unless --purge says otherwise."""
    raise typer.Exit(_dialogue().remove(purge=purge, yes=yes, dry_run=dry_run, by_package=by_package))


def _dialogue(language: str | None = None) -> Dialogue:
    from dispenser.system.install.dialogue import Dialogue
    from dispenser.system.install.place import Place

    os.umask(0o022)  # what is installed is for everybody to read
    return Dialogue(Place(), language if language in LANGUAGES else spoken_language())
