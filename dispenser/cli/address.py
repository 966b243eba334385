"""``dispenser address``: where phones find the page, with a QR code to point them at."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import typer

from dispenser.cli.options import ConfigOption
from dispenser.cli.settings import load_settings
from dispenser.cli.spoken import _

if TYPE_CHECKING:
    from dispenser.service.settings import WebSettings


def address(config: ConfigOption = None) -> None:
    from dispenser.client import local_url
    from dispenser.web.addresses import for_phones, local_name

    web = load_settings(config).web
    if not web.enabled:
        typer.echo(_("The settings switch the page off."))
        return
    typer.echo(_("On this machine: {address}", address=local_url(web.host, web.port)))
    ways = [each.url(port_for_phones(web)) for each in for_phones(web, local_name())]
    if not web.is_open:
        typer.echo(_("Phones cannot open it; lan = true under [web] in the settings lets them."))
    elif not ways:
        typer.echo(_("No phone can reach this machine: it is in no network."))
    else:
        typer.echo(_("For phones: {addresses}", addresses=", ".join(ways)))
        typer.echo(qr_code(ways[0]))
    if web.is_open:
        typer.echo(_("To operate the launcher from your own phone: sudo dispenser owner"))


def port_for_phones(web: WebSettings) -> int:
    """The usual one, which nobody types, where systemd hands it over."""
    from dispenser.system.programs import answer_of
    from dispenser.web.addresses import USUAL_PORT

    return USUAL_PORT if answer_of("systemctl", "is-active", "dispenser-page.socket") is not None else web.port


def qr_code(text: str) -> str:
    """A QR code in block letters, two rows in one, for a terminal."""
    import segno

    drawn = io.StringIO()
    segno.make_qr(text, error="m", boost_error=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue()
