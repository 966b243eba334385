"""``dispenser config``: check the settings file, show the settings in force."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dispenser.cli.failures import BAD_SETTINGS, USAGE, complain, fail
from dispenser.cli.help_pages import Commands
from dispenser.cli.options import ConfigOption, JsonOption
from dispenser.cli.spoken import _

if TYPE_CHECKING:
    from dispenser.service.settings import Settings

config_app = Commands(no_args_is_help=True)


def load_settings(config: Path | None) -> Settings:
    """Load the settings; raise ``ConfigError`` if they are invalid."""
    from dispenser.service.settings import load

    return load(config)


def journal_path(given: Path | None) -> Path:
    """Return the given journal, else the one in the settings."""
    return given or load_settings(None).journal_path()


def with_driver(settings: Settings, kind: str | None, port: str | None, baud: int | None = None) -> Settings:
    """Return settings with the driver options of the command line; a wrong combination exits with code 2.

    A port or a baud rate implies the serial driver.
    """
    if port is not None or baud is not None:
        if kind not in (None, "serial"):
            wrong = _("--serial-port and --baud are for a microcontroller: leave them out, or write --driver serial")
            fail(wrong, USAGE)
        kind = "serial"
    now = settings.driver
    driver = replace(now, kind=kind or now.kind, port=now.port if port is None else port, baud=baud or now.baud)
    return replace(settings, driver=driver)


def with_page(settings: Settings, **given: Any) -> Settings:
    """Return settings with the page options of the command line: ``port``, ``lan``."""
    return replace(settings, web=replace(settings.web, **{k: v for k, v in given.items() if v is not None}))


@config_app.command()
def check(
    file: Annotated[Path | None, typer.Argument(help="Settings file; else the one that the service reads.")] = None,
) -> None:
    """Check a settings file; print file, key, wrong value and remedy of each error.

    Example: dispenser config check my-settings.toml
    """
    from dispenser.drivers.gpio.boot_config import who_takes
    from dispenser.service.settings import ConfigError, find_config, load

    try:
        settings = load(file)
    except ConfigError as error:
        for each in error.errors:
            complain(ConfigError(each))
        raise typer.Exit(BAD_SETTINGS) from error
    found = find_config(file)
    if settings.driver.kind == "gpio" and (takes := who_takes(settings.pins.lines())):
        complain(_("warning: {what}", what=takes))
    typer.echo(_("{file}: valid", file=found) if found else _("no settings file: the defaults are in force"))


@config_app.command()
def show(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Print the settings in force, defaults included, as a file that would give the same."""
    settings = load_settings(config)
    if as_json:
        import msgspec

        typer.echo(msgspec.json.format(msgspec.json.encode(settings), indent=2))
    else:
        from dispenser.config import as_toml
        from dispenser.service.settings import as_tables

        typer.echo(as_toml(as_tables(settings)).rstrip())
