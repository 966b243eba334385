"""``dispenser toy``: hands on the simulated launcher, and the same launcher for anybody's own gpiozero scripts."""

from __future__ import annotations

import enum
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dispenser.cli.as_python import run_as_python
from dispenser.cli.failures import ENDED_BY, FOUND_WRONG, UNAVAILABLE, USAGE, fail
from dispenser.cli.help_pages import Commands
from dispenser.cli.launcher import at_launcher
from dispenser.cli.options import (
    MOST_CARDS,
    BrowserOption,
    ConfigOption,
    JsonOption,
    LidOpenOption,
    PagePortOption,
    SeedOption,
    among,
)
from dispenser.cli.settings import load_settings, with_page_port
from dispenser.cli.spoken import _
from dispenser.client import LauncherClient

if TYPE_CHECKING:
    from dispenser.web.script import ShownFactory

BROWSER_S = 10.0
"""How long the script waits for the browser to show the page, seconds."""
INTERRUPTED = ENDED_BY + 2
_LID = {
    **dict.fromkeys(("open", "up", "ouvert", "ouvre", "lève"), True),
    **dict.fromkeys(("shut", "closed", "down", "fermé", "ferme", "baisse"), False),
}

toy_app = Commands(
    help="Hands on a running simulated launcher, and the same launcher for your own gpiozero scripts.",
    no_args_is_help=True,
)


class Switch(enum.StrEnum):
    """Whether a fault is made or ended."""

    ON = "on"
    OFF = "off"


def _faults() -> list[str]:
    from dispenser.toy.faults import ToyFault

    return [fault.value for fault in ToyFault]


def _fault_named(text: str) -> str:
    """The name that the launcher has for a fault, also by what the page calls it."""
    from dispenser.cli.sentences import texts

    names = {said.casefold(): name for name, said in texts()["faults"].items()}
    return str(names.get(text.casefold(), text.replace("-", "_").lower()))


# --- hands ---------------------------------------------------------------------------------------------------------


@toy_app.command()
@at_launcher
def look(client: LauncherClient, as_json: JsonOption = False) -> None:
    """Say what an onlooker sees of the simulated launcher."""
    _show_view(client.toy(), as_json=as_json)


@toy_app.command()
@at_launcher
def lid(
    client: LauncherClient,
    how: Annotated[str, typer.Argument(metavar="open|shut", autocompletion=among(lambda: ("open", "shut")))],
    as_json: JsonOption = False,
) -> None:
    """Lift the lid or shut it."""
    if (lid_open := _LID.get(how.lower())) is None:
        fail(_("{word!r}: a lid is open or shut", word=how), USAGE)
    _show_view(client.toy("lid", open=lid_open), as_json=as_json)


@toy_app.command()
@at_launcher
def button(
    client: LauncherClient,
    hold: Annotated[float, typer.Option("--hold-s", min=0.01, max=10, help="How long it is held, seconds.")] = 0.15,
    as_json: JsonOption = False,
) -> None:
    """Push the button with a finger: the contact bounces, and the launcher answers as to a real push."""
    _show_view(client.toy("button", hold_s=hold), as_json=as_json)


@toy_app.command()
@at_launcher
def release(client: LauncherClient, as_json: JsonOption = False) -> None:
    """Take the finger off the button before its time is over."""
    _show_view(client.toy("release"), as_json=as_json)


@toy_app.command()
@at_launcher
def take(client: LauncherClient, as_json: JsonOption = False) -> None:
    """Take the card that sticks out; under the open lid also one that is jammed."""
    _show_view(client.toy("take"), as_json=as_json)


@toy_app.command()
@at_launcher
def stack(
    client: LauncherClient,
    cards: Annotated[int, typer.Argument(min=0, max=MOST_CARDS, help="Cards in the stack.")] = MOST_CARDS,
    as_json: JsonOption = False,
) -> None:
    """Under the open lid, put in or take out cards until so many are in the stack. Then tell 'dispenser load'."""
    _show_view(client.toy("stack", cards=cards), as_json=as_json)


@toy_app.command()
@at_launcher
def cells(
    client: LauncherClient,
    voltage: Annotated[
        float | None, typer.Argument(min=0, help="Of all cells together, volts.", show_default="new cells")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Put in new cells, or cells of some voltage."""
    how = {} if voltage is None else {"voltage_v": voltage}
    _show_view(client.toy("cells", **how), as_json=as_json)


@toy_app.command()
@at_launcher
def fault(
    client: LauncherClient,
    name: Annotated[
        str, typer.Argument(help="Such as roller_jam; 'dispenser toy look' lists them.", autocompletion=among(_faults))
    ],
    switch: Annotated[Switch, typer.Argument(help="Make it, or end it.")] = Switch.ON,
    cards: Annotated[
        int, typer.Option(min=1, max=MOST_CARDS, help="How many cards a jam, double feed or misfeed strikes.")
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Make trouble, or end it."""
    _show_view(client.toy("fault", fault=_fault_named(name), on=switch is Switch.ON, cards=cards), as_json=as_json)


def _show_view(view: dict[str, Any], *, as_json: bool) -> None:
    import json

    from dispenser.cli.sentences import texts

    if as_json:
        typer.echo(json.dumps(view))
        return
    say = texts()
    faults = say["faults"]
    on = [f"{said} ({name})" for name, said in faults.items() if view["faults"][name]]
    turns = say["toy"]["motor_on" if view["motor"] else "motor_off"]
    typer.echo(say["launcher"]["lid_open" if view["lid_open"] else "lid_shut"])
    typer.echo(
        _(
            "Stack: {stack}, on the way out: {path}, out: {out}. Motor: {motor}. Cells: {voltage:.1f} V.",
            stack=view["cards_in_stack"],
            path=view["cards_in_path"],
            out=view["cards_out"],
            motor=turns,
            voltage=view["cell_voltage_v"],
        )
    )
    if on:
        typer.echo(_("Trouble: {faults}.", faults=", ".join(on)))
    else:
        typer.echo(_("No trouble. There are: {faults}.", faults=", ".join(faults)))


# --- your own scripts ----------------------------------------------------------------------------------------------


@toy_app.command(context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True})
def run(
    script: Annotated[Path, typer.Argument(help="A Python script that uses gpiozero.", metavar="SCRIPT.py")],
    arguments: Annotated[list[str] | None, typer.Argument(help="What the script gets, options included.")] = None,
    config: ConfigOption = None,
    port: PagePortOption = None,
    seed: SeedOption = None,
    cards: Annotated[
        int | None, typer.Option(min=0, max=MOST_CARDS, help="Cards in the stack.", show_default="112")
    ] = None,
    lid_open: LidOpenOption = False,
    browser: BrowserOption = True,
) -> None:
    """Run a script as Python would, with the simulated launcher on its pins and on a page.

    Your script makes gpiozero devices as on a Raspberry Pi. The pins are those of the build guide (or of your
    settings): button 17, lid 27, exit sensor 22, motor 23, 24 and 25, beeper 18, light 16. On the page you push the
    button, lift the lid, make trouble, and see what the script makes of it. Ctrl-C ends it. Without the page:

        GPIOZERO_PIN_FACTORY=toy python SCRIPT.py
    """
    if not script.is_file():
        fail(_("there is no script {script}", script=script), USAGE)
    settings = with_page_port(load_settings(config), port)

    from gpiozero import Device

    from dispenser.service.assembly import toy_wiring
    from dispenser.toy import ToyValueError
    from dispenser.web.script import ShownFactory
    from dispenser.web.server import AddressUnavailableError

    try:
        factory = ShownFactory(
            script.name, settings.web, toy_wiring(settings), cards=cards, seed=seed, lid_open=lid_open or None
        )
    except ToyValueError as error:
        fail(error, USAGE)
    try:
        address = factory.show()
    except AddressUnavailableError as error:
        fail(error, UNAVAILABLE)
    Device.pin_factory = factory
    typer.echo(_("Page: {address}", address=address), err=True)  # standard output is the script's
    if browser:
        _show(factory, address)
    _end_as_python(run_as_python(script, arguments or []), factory)


def _show(factory: ShownFactory, address: str) -> None:
    """Open the page, and give the browser time to show how the script begins."""
    import threading
    import webbrowser

    typer.echo(_("The script begins when the browser shows it, or in {s:.0f} s.", s=BROWSER_S), err=True)
    opened: list[bool] = []
    threading.Thread(target=lambda: opened.append(webbrowser.open(address)), daemon=True).start()
    factory.wait_for_somebody(BROWSER_S, lambda: opened != [False])


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
