"""``dispenser address``, ``owner`` and ``hotspot``: how phones reach the page, and which phone is the owner's."""

from __future__ import annotations

import io
import os
import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dispenser.cli.failures import USAGE, complain, fail
from dispenser.cli.help_pages import Commands
from dispenser.cli.launcher import Answers, TokenOption, UrlOption, answering
from dispenser.cli.options import ConfigOption, JsonOption
from dispenser.cli.settings import load_settings
from dispenser.cli.spoken import _
from dispenser.client import LauncherClient, UnreachableError
from dispenser.system import hotspot
from dispenser.system.hotspot import Network

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
        typer.echo(_("Phones cannot open it: start a demo with --lan; for a launcher, write lan = true under [web]."))
    elif not ways:
        typer.echo(_("No phone can reach this machine: it is in no network."))
    else:
        typer.echo(_("For phones: {addresses}", addresses=", ".join(ways)))
        typer.echo(qr_code(ways[0]))
    if web.is_open:
        typer.echo(_("To operate the launcher from your own phone: sudo dispenser owner"))


def port_for_phones(web: WebSettings) -> int:
    """Return the port for phones: 80, which URLs leave out, if systemd's socket is active; else the settings' port."""
    from dispenser.system.programs import answer_of
    from dispenser.web.addresses import USUAL_PORT

    return USUAL_PORT if answer_of("systemctl", "is-active", "dispenser-page.socket") is not None else web.port


def qr_code(text: str) -> str:
    """Return a QR code in block characters for a terminal, two rows per line."""
    import segno

    drawn = io.StringIO()
    segno.make_qr(text, error="m", boost_error=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue()


owner_app = Commands(invoke_without_command=True)


@owner_app.callback()
def owner(
    context: typer.Context,
    wait: Annotated[
        int, typer.Option(min=0, max=600, help="Seconds to wait for the page: after a start it takes a while.")
    ] = 0,
    url: UrlOption = None,
    token: TokenOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Example: sudo dispenser owner"""
    if context.invoked_subcommand is None:
        _invite(wait_s=wait, url=url, token=token, config=config, as_json=as_json)


@answering
def _invite(client: LauncherClient, wait_s: int) -> Answers:
    invited = _invitation(client, wait_s)
    minutes = invited["expires_s"] // 60
    scan = _("Scan this with the phone that will be the owner's:")
    good = _("It works once, within {minutes} minutes.", minutes=minutes)
    yield invited, "\n".join((scan, qr_code(invited["url"]), invited["url"], good))


def _invitation(client: LauncherClient, wait_s: int) -> dict[str, Any]:
    """Request an invitation; while the launcher does not answer, retry once a second, up to ``wait_s`` times."""
    for _second in range(wait_s):
        try:
            return client.post("/owners/invite")
        except UnreachableError:
            time.sleep(1)
    return client.post("/owners/invite")


@owner_app.command("list")
@answering
def list_phones(client: LauncherClient) -> Answers:
    """List the phones that have the owner's rights."""
    phones = client.get("/owners")["phones"]
    for phone in phones:
        yield phone, f"{phone['number']:3}  {_described(phone)}"
    if not phones:
        complain(_("there is no owner's phone: 'sudo dispenser owner' shows a code that makes one"))


@owner_app.command()
@answering
def remove(
    client: LauncherClient,
    number: Annotated[int, typer.Argument(min=1, help="Number of the phone in the list.", show_default=False)],
) -> Answers:
    """Withdraw the owner's rights from a phone, with immediate effect.

    Example: sudo dispenser owner remove 2
    """
    phone = client.post("/owners/remove", number=number)
    yield phone, _("No longer an owner's phone: {phone}", phone=_described(phone))


def _described(phone: dict[str, Any]) -> str:
    added = datetime.fromisoformat(phone["added"]).astimezone()
    return _("{name}, since {added}", name=phone["name"], added=f"{added:%Y-%m-%d %H:%M}")


hotspot_app = Commands(no_args_is_help=True)


@hotspot_app.command()
def on(
    name: Annotated[str | None, typer.Option(help="Name of the Wi-Fi; kept for the next time.")] = None,
    config: ConfigOption = None,
) -> None:
    """Open the hotspot, in place of the network that the Wi-Fi is in, and print how phones join.

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
    """Close the hotspot; the Wi-Fi reconnects to the network that it was in before."""
    _need_root("off")
    hotspot.close_hotspot()
    typer.echo(_("The launcher's own Wi-Fi is off. The computer looks for the networks that it knows."))


@hotspot_app.command()
def status(config: ConfigOption = None) -> None:
    """Show whether the hotspot is on, which devices are in it, and how phones join."""
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
    """Open or end the hotspot as needed; run by dispenser-hotspot.timer."""
    hotspot.tend()


def _need_root(act: str) -> None:
    if os.geteuid() != 0:
        needed = _("this changes the computer's network, so it needs root: sudo dispenser hotspot {act}", act=act)
        fail(needed, USAGE)


def _tell_how(network: Network, web: WebSettings) -> None:
    """Print two QR codes, Wi-Fi first: a phone that is not in the network cannot open the page."""
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
    """Print a QR code if standard output is a terminal."""
    if sys.stdout.isatty():
        typer.echo(qr_code(text))
