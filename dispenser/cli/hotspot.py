"""``dispenser hotspot``: a Wi-Fi of the launcher's own, for a table without a network."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.address import port_for_phones, qr_code
from dispenser.cli.failures import USAGE, complain, fail
from dispenser.cli.help_pages import Commands
from dispenser.cli.options import ConfigOption
from dispenser.cli.settings import load_settings
from dispenser.cli.spoken import _
from dispenser.system import hotspot
from dispenser.system.hotspot import Network

if TYPE_CHECKING:
    from dispenser.service.settings import WebSettings

hotspot_app = Commands(no_args_is_help=True)


@hotspot_app.command()
def on(
    name: Annotated[str | None, typer.Option(help="What phones list it as; kept for the next time.")] = None,
    config: ConfigOption = None,
) -> None:
    """Open it, in place of the network that the Wi-Fi is in, and print how phones join.

    It ends by 'dispenser hotspot off', at a restart near a network that is known, or when that one is back after half
    an hour without guests.

    Example: sudo dispenser hotspot on --name "Game night"
    """
    from dispenser.web.captive_portal import HOSTS

    web = load_settings(config).web
    hotspot.check_programs()
    network, device = hotspot.known() or Network(), hotspot.wifi().device
    network = hotspot.renamed(network, name) if name else network
    _need_root("on")
    _tell_how(network, web)
    hotspot.open_hotspot(network, device, HOSTS)
    typer.echo(_("The launcher's own Wi-Fi is on."))


@hotspot_app.command()
def off() -> None:
    """Close it; the Wi-Fi goes back to the network that it was in before."""
    _need_root("off")
    hotspot.close_hotspot()
    typer.echo(_("The launcher's own Wi-Fi is off. The computer looks for the networks that it knows."))


@hotspot_app.command()
def status(config: ConfigOption = None) -> None:
    """Say whether it is on, who is in it, and how phones join."""
    web = load_settings(config).web
    wifi = hotspot.wifi()
    if wifi.is_ours:
        if network := hotspot.known():
            _tell_how(network, web)
        typer.echo(_("The launcher's own Wi-Fi is on."))
        number = hotspot.guests(wifi.device)
        typer.echo(_("{number} guest is in it.", plural="{number} guests are in it.", number=number))
    elif wifi.profile:
        known = {"device": wifi.device, "network": wifi.profile}
        typer.echo(_("The launcher's own Wi-Fi is off; {device} is in the network {network}.", **known))
    else:
        typer.echo(_("The launcher's own Wi-Fi is off; {device} is in no network.", device=wifi.device))


@hotspot_app.command(hidden=True)
def tend() -> None:
    """See to it; by dispenser-hotspot.timer, while it is wanted."""
    hotspot.tend()


def _need_root(act: str) -> None:
    if os.geteuid() != 0:
        needed = _(
            "this changes the computer's network, for which it needs root: sudo dispenser hotspot {act}", act=act
        )
        fail(needed, USAGE)


def _tell_how(network: Network, web: WebSettings) -> None:
    """Two codes, one after the other: a phone that is not in the network does not find the page."""
    from segno.helpers import make_wifi_data

    from dispenser.web.addresses import Address

    page = Address(hotspot.ADDRESS).url(port_for_phones(web))
    typer.echo(_("1. Join the Wi-Fi {name}, password {password}", name=network.name, password=network.password))
    _draw(make_wifi_data(network.name, network.password, "WPA"))
    typer.echo(_("2. Open {address}", address=page))
    _draw(page)
    if not (web.enabled and web.is_open):
        complain(
            _("phones cannot open the page: write lan = true under [web] of the settings, and restart the launcher")
        )


def _draw(text: str) -> None:
    """As a QR code, where a screen shows it."""
    if sys.stdout.isatty():
        typer.echo(qr_code(text))
