"""``dispenser owner``: make a phone the owner's by a QR code, list such phones, and take it back."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Annotated, Any

import typer

from dispenser.cli.address import qr_code
from dispenser.cli.failures import complain
from dispenser.cli.help_pages import Commands
from dispenser.cli.launcher import Answers, TokenOption, UrlOption, answering
from dispenser.cli.options import ConfigOption, JsonOption
from dispenser.cli.spoken import _
from dispenser.client import LauncherClient, UnreachableError

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
    lines = (
        _("Scan this with the phone that is to be the owner's:"),
        qr_code(invited["url"]),
        invited["url"],
        _("It is good once, and for {minutes} minutes.", minutes=minutes),
    )
    yield invited, "\n".join(lines)


def _invitation(client: LauncherClient, wait_s: int) -> dict[str, Any]:
    """:raises ApiError: no, or no answer for so long."""
    for _second in range(wait_s):
        try:
            return client.invite_owner()
        except UnreachableError:
            time.sleep(1)
    return client.invite_owner()


@owner_app.command("list")
@answering
def list_phones(client: LauncherClient) -> Answers:
    """List the phones that are the owner's."""
    phones = client.owner_phones()
    for phone in phones:
        yield phone, f"{phone['number']:3}  {_described(phone)}"
    if not phones:
        complain(_("no phone is the owner's: 'sudo dispenser owner' shows a code that makes one so"))


@owner_app.command()
@answering
def remove(
    client: LauncherClient,
    number: Annotated[int, typer.Argument(min=1, help="Of the phone, as the list shows it.", show_default=False)],
) -> Answers:
    """Make a phone the owner's no more, at once.

    Example: sudo dispenser owner remove 2
    """
    phone = client.remove_owner_phone(number)
    yield phone, _("It is not the owner's phone any more: {phone}", phone=_described(phone))


def _described(phone: dict[str, Any]) -> str:
    added = datetime.fromisoformat(phone["added"]).astimezone()
    return _("{name}, since {added}", name=phone["name"], added=f"{added:%Y-%m-%d %H:%M}")
