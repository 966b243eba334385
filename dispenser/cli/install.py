"""``dispenser install``, ``update``, ``remove``, ``backup`` and ``restore``."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from dispenser.cli.failures import FOUND_WRONG, IO_ERROR, UNAVAILABLE, fail
from dispenser.cli.options import ConfigOption, YesOption, among
from dispenser.cli.settings import load_settings
from dispenser.cli.spoken import _, confirm
from dispenser.cli.spoken import language as spoken_language
from dispenser.i18n import LANGUAGES, SpokenError, why
from dispenser.system.install.options import BOARDS, HELP, Options

if TYPE_CHECKING:
    from dispenser.system.backup import Manifest
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
    """Settings that are not given as options are asked for.

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


FileArgument = Annotated[Path, typer.Argument(help="The backup, one file.")]


def backup(file: FileArgument, config: ConfigOption = None) -> None:
    """Nobody but its owner may read it: it holds the page's token, names of people, and seeds that are still secret.

    Example: sudo dispenser backup launcher.backup
    """
    from dispenser.service.settings import find_config
    from dispenser.system.backup import make, note_backup_time

    journal = load_settings(config).journal_path().absolute()
    try:
        manifest = make(find_config(config), journal, file.expanduser().absolute())
    except (SpokenError, OSError) as error:
        _give_up(error, file)
    with suppress(OSError):  # the backup is complete; without the note the doctor only asks for another one
        note_backup_time(journal)
    _say_what_is_in(manifest, file)
    if manifest.damage:
        typer.echo(_("The journal was damaged before: {damage}", damage="; ".join(manifest.damage)))
        raise typer.Exit(FOUND_WRONG)


def restore(file: FileArgument, config: ConfigOption = None, yes: YesOption = False) -> None:
    """The backup is checked completely, then you are asked. The service is stopped before and started afterwards.

    Example: sudo dispenser restore launcher.backup
    """
    from dispenser.service.settings import SYSTEM_CONFIG, find_config
    from dispenser.system import backup as backups
    from dispenser.system import unit

    file = file.expanduser().absolute()
    try:
        settings = find_config(config) or SYSTEM_CONFIG
        manifest, journal = backups.check(file)
        _say_what_is_in(manifest, file)
        typer.echo(_("It replaces {settings} and {journal}.", settings=settings, journal=journal))
        runs = unit.is_active()
        if runs:
            typer.echo(_("The launcher is running: it will be stopped first, and started again afterwards."))
        if not yes and not confirm(_("Continue?")):
            typer.echo(_("Nothing was changed."))
            raise typer.Exit
        with unit.stopped() if runs else nullcontext():
            for each in backups.restore(file, settings, journal):
                typer.echo(_("What was there is kept as {file}.", file=each))
            typer.echo(_("Restored."))  # printed even if the launcher does not start afterwards
    except (SpokenError, OSError) as error:
        _give_up(error, file)


def _give_up(error: SpokenError | OSError, file: Path) -> NoReturn:
    if isinstance(error, SpokenError):
        fail(error, IO_ERROR)
    about = error.filename2 or error.filename or file
    if isinstance(error, PermissionError):
        fail(_("{file}: this user may not do that; try sudo", file=about), UNAVAILABLE)
    fail(_("{file}: {why}", file=about, why=why(error)), IO_ERROR)


def _say_what_is_in(manifest: Manifest, file: Path) -> None:
    from dispenser.system.backup import JOURNAL

    records = _("{number:,} record", plural="{number:,} records", number=manifest.records)
    known = {
        "records": records if JOURNAL in manifest.files else _("there was none"),
        "made": manifest.made,
        "version": manifest.version,
    }
    typer.echo(_("{file}: settings and journal ({records}) of {made}, by dispenser {version}", file=file, **known))
