"""``dispenser support``: one archive for a bug report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dispenser.cli.failures import IO_ERROR, fail
from dispenser.cli.options import ConfigOption, YesOption, expanded
from dispenser.cli.spoken import _, in_words
from dispenser.i18n import why


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

    target = expanded(file or Path(f"dispenser-support-{datetime.now(UTC):%Y%m%d-%H%M%S}.zip")).absolute()
    parts = list(collect(config, list(check_all(config, as_service_user=config is None))))
    for part in parts:
        typer.echo(f"{part.name}  {_('{number:,} bytes', number=len(part.content))}  {in_words(part.about)}")
    if not yes and not typer.confirm(_("Write {file}?", file=target)):
        raise typer.Exit
    try:
        write(parts, target)
    except FileExistsError:
        fail(_("{file} is there already: name another file", file=target), IO_ERROR)
    except OSError as error:
        fail(_("{file}: {why}", file=target, why=why(error)), IO_ERROR)
    typer.echo(_("{file}: look into it before you send it.", file=target))
