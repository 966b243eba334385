"""``dispenser toy``: the simulated launcher for anybody's own gpiozero scripts."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.as_python import run_as_python
from dispenser.cli.failures import FOUND_WRONG, UNAVAILABLE, USAGE, fail
from dispenser.cli.settings import ConfigOption, load_settings

if TYPE_CHECKING:
    from dispenser.web.beside import ShownFactory

BROWSER_S = 10.0
"""How long the script waits for the browser to show the page, seconds."""
INTERRUPTED = 130

toy_app = typer.Typer(help="The simulated launcher for your own gpiozero scripts.", no_args_is_help=True)


@toy_app.command(context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True})
def run(
    script: Annotated[Path, typer.Argument(help="A Python script that uses gpiozero.", metavar="SCRIPT.py")],
    arguments: Annotated[list[str] | None, typer.Argument(help="What the script gets, options included.")] = None,
    config: ConfigOption = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port of the page; 0 takes a free one.")] = None,
    seed: Annotated[str | None, typer.Option(help="A word that makes the physics repeat.")] = None,
    cards: Annotated[int | None, typer.Option(min=0, max=112, help="Cards in the stack.", show_default="112")] = None,
    lid_open: Annotated[bool, typer.Option("--lid-open", help="Start with the lid up.")] = False,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
) -> None:
    """Run a script as Python would, with the simulated launcher on its pins and on a page.

    Your script makes gpiozero devices as on a Raspberry Pi. The pins are those of the build guide (or of your
    settings): button 17, lid 27, exit sensor 22, motor 23, 24 and 25, beeper 18, light 16. On the page you push the
    button, lift the lid, make trouble, and see what the script makes of it. Ctrl-C ends it. Without the page:

        GPIOZERO_PIN_FACTORY=toy python SCRIPT.py
    """
    if not script.is_file():
        fail(f"there is no script {script}", USAGE)
    settings = load_settings(config)
    web = settings.web if port is None else dataclasses.replace(settings.web, port=port)

    from gpiozero import Device

    from dispenser.service.assembly import toy_wiring
    from dispenser.toy import ToyValueError
    from dispenser.web.beside import ShownFactory
    from dispenser.web.server import AddressUnavailableError

    try:
        factory = ShownFactory(
            script.name, web, toy_wiring(settings), cards=cards, seed=seed, lid_open=lid_open or None
        )
    except ToyValueError as error:
        fail(error, USAGE)
    try:
        address = factory.page.start()
    except AddressUnavailableError as error:
        fail(error, UNAVAILABLE)
    Device.pin_factory = factory
    typer.echo(f"Page: {address}", err=True)  # standard output is the script's
    if browser:
        _show(factory, address)
    _end_as_python(run_as_python(script, arguments or []), factory)


def _show(factory: ShownFactory, address: str) -> None:
    """Open the page, and give the browser time to show how the script begins."""
    import threading
    import webbrowser

    typer.echo(f"The script begins when the browser shows it, or in {BROWSER_S:.0f} s.", err=True)
    opened: list[bool] = []
    threading.Thread(target=lambda: opened.append(webbrowser.open(address)), daemon=True).start()
    factory.page.wait_for_somebody(BROWSER_S, lambda: opened != [False])


def _end_as_python(error: BaseException | None, factory: ShownFactory) -> None:
    """Say what Python would say; what is still open, gpiozero closes at the end of the process, the motor first."""
    if error is None:
        return
    if isinstance(error, KeyboardInterrupt):  # the way to end it
        raise typer.Exit(INTERRUPTED)
    if isinstance(error, SystemExit):
        raise error
    factory.error = type(error).__name__
    sys.excepthook(type(error), error, error.__traceback__)
    raise typer.Exit(FOUND_WRONG)
