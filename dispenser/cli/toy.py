"""``dispenser toy``: hands on the simulated launcher, and the same launcher for anybody's own gpiozero scripts."""

from __future__ import annotations

import builtins
import enum
import functools
import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dispenser.cli.failures import ENDED_BY, FOUND_WRONG, UNAVAILABLE, USAGE, fail
from dispenser.cli.help_pages import Commands
from dispenser.cli.launcher import Answers, answering
from dispenser.cli.options import (
    MOST_CARDS,
    BrowserOption,
    ConfigOption,
    LidOpenOption,
    PagePortOption,
    SeedOption,
    among,
    finite,
)
from dispenser.cli.settings import load_settings, with_page_port
from dispenser.cli.spoken import _
from dispenser.client import LauncherClient

if TYPE_CHECKING:
    from dispenser.web.script import ShownFactory

BROWSER_S = 10.0
"""How long the script waits for the browser to show the page, seconds."""
INTERRUPTED = ENDED_BY + 2
View = dict[str, Any]
"""What an onlooker sees of the simulated launcher."""

toy_app = Commands(
    help="Hands on a running simulated launcher, and the same launcher for your own gpiozero scripts.",
    no_args_is_help=True,
)


class Lid(enum.StrEnum):
    """How the lid is put."""

    OPEN = "open"
    SHUT = "shut"


class Switch(enum.StrEnum):
    """Whether a fault is made or ended."""

    ON = "on"
    OFF = "off"


# --- hands ---------------------------------------------------------------------------------------------------------


def hand(command: Callable[..., View]) -> None:
    """Make it a command, which says what there is to see then."""

    @functools.wraps(command)
    def run(client: LauncherClient, **given: Any) -> Answers:
        view = command(client, **given)
        yield view, _in_words(view)

    toy_app.command()(answering(run, finds_demo=True))


def _in_words(view: View) -> str:
    from dispenser.cli.sentences import texts

    say = texts()
    faults = say["faults"]
    lid = say["launcher"]["lid_open" if view["lid_open"] else "lid_shut"]
    seen = _(
        "Stack: {stack}, on the way out: {path}, out: {out}. Motor: {motor}. Cells: {voltage:.1f} V.",
        stack=view["cards_in_stack"],
        path=view["cards_in_path"],
        out=view["cards_out"],
        motor=say["toy"]["motor_on" if view["motor"] else "motor_off"],
        voltage=view["cell_voltage_v"],
    )
    trouble = _("No trouble. There are: {faults}.", faults=", ".join(faults))
    if on := [f"{said} ({name})" for name, said in faults.items() if view["faults"][name]]:
        trouble = _("Trouble: {faults}.", faults=", ".join(on))
    return f"{lid}\n{seen}\n{trouble}"


@hand
def look(client: LauncherClient) -> View:
    """Say what an onlooker sees of the simulated launcher."""
    return client.toy()


@hand
def lid(client: LauncherClient, how: Lid) -> View:
    """Lift the lid or shut it.

    Example: dispenser toy lid open
    """
    return client.toy("lid", open=how is Lid.OPEN)


@hand
def button(
    client: LauncherClient,
    hold: Annotated[
        float, typer.Option("--hold-s", min=0.01, max=10, callback=finite, help="How long it is held, seconds.")
    ] = 0.15,
) -> View:
    """Push the button with a finger: the contact bounces, and the launcher answers as to a real push."""
    return client.toy("button", hold_s=hold)


@hand
def release(client: LauncherClient) -> View:
    """Take the finger off the button before its time is over."""
    return client.toy("release")


@hand
def take(client: LauncherClient) -> View:
    """Take the card that sticks out; under the open lid also one that is jammed."""
    return client.toy("take")


@hand
def stack(
    client: LauncherClient,
    cards: Annotated[int, typer.Argument(min=0, max=MOST_CARDS, help="Cards in the stack.")] = MOST_CARDS,
) -> View:
    """Under the open lid, put in or take out cards until so many are in the stack. Then tell 'dispenser load'.

    Example: dispenser toy stack 60
    """
    return client.toy("stack", cards=cards)


@hand
def cells(
    client: LauncherClient,
    voltage: Annotated[
        float | None,
        typer.Argument(min=0, callback=finite, help="Of all cells together, volts.", show_default="new cells"),
    ] = None,
) -> View:
    """Put in new cells, or cells of some voltage.

    Example: dispenser toy cells 4.1
    """
    return client.toy("cells") if voltage is None else client.toy("cells", voltage_v=voltage)


def _faults() -> list[str]:
    from dispenser.simulator.faults import ToyFault

    return [fault.value for fault in ToyFault]


@hand
def fault(
    client: LauncherClient,
    name: Annotated[
        str, typer.Argument(help="Such as roller_jam; 'dispenser toy look' lists them.", autocompletion=among(_faults))
    ],
    switch: Annotated[Switch, typer.Argument(help="Make it, or end it.")] = Switch.ON,
    cards: Annotated[
        int, typer.Option(min=1, max=MOST_CARDS, help="How many cards a jam, double feed or misfeed strikes.")
    ] = 1,
) -> View:
    """Make trouble, or end it.

    Example: dispenser toy fault roller_jam
    """
    return client.toy("fault", fault=name, on=switch is Switch.ON, cards=cards)


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

    Your script makes gpiozero devices as on a Raspberry Pi, on the pins of the build guide or of your settings.

    Example: dispenser toy run my_script.py
    """
    if not script.is_file():
        fail(_("there is no script {script}", script=script), USAGE)
    settings = with_page_port(load_settings(config), port)

    from gpiozero import Device

    from dispenser.service.assembly import toy_wiring
    from dispenser.simulator import ToyValueError
    from dispenser.web.script import ShownFactory
    from dispenser.web.server import AddressUnavailableError

    try:
        factory = ShownFactory(
            script.name, settings.web, toy_wiring(settings), cards=cards, seed=seed, lid_open=lid_open or None
        )
        address = factory.show()
    except ToyValueError as error:
        fail(error, USAGE)
    except AddressUnavailableError as error:
        fail(error, UNAVAILABLE)
    Device.pin_factory = factory
    typer.echo(_("Page: {address}", address=address), err=True)  # standard output is the script's
    if browser:
        _show(factory, address)
    ended = _run_as_python(script, arguments or [])
    if isinstance(ended, KeyboardInterrupt):  # the way to end it
        raise typer.Exit(INTERRUPTED)
    if isinstance(ended, SystemExit):
        raise ended
    if ended is not None:  # what is still open, gpiozero closes at the end of the process, the motor first
        factory.error = type(ended).__name__
        sys.excepthook(type(ended), ended, ended.__traceback__)
        raise typer.Exit(FOUND_WRONG)


def _show(factory: ShownFactory, address: str) -> None:
    """Open the page, and give the browser time to show how the script begins."""
    import threading
    import webbrowser

    typer.echo(_("The script begins when the browser shows it, or in {s:.0f} s.", s=BROWSER_S), err=True)
    opened: list[bool] = []
    threading.Thread(target=lambda: opened.append(webbrowser.open(address)), daemon=True).start()
    factory.wait_for_somebody(BROWSER_S, lambda: opened != [False])


def _run_as_python(script: Path, arguments: Sequence[str]) -> BaseException | None:
    """Run it in this thread as ``__main__``, with its own ``sys.argv``, and with its folder first in ``sys.path``.

    Its module stays ``__main__`` until the process ends, as threads it has started go on using it.

    :returns: what it ended with, its traceback beginning in the script; ``None`` when it came to its end.
    :raises OSError: it cannot be read.
    """
    with io.open_code(str(script.absolute())) as file:
        source = file.read()
    main = ModuleType("__main__")
    main.__dict__.update(__file__=str(script), __builtins__=builtins, __cached__=None)
    sys.modules["__main__"] = main
    sys.argv[:] = [str(script), *arguments]
    if not sys.flags.safe_path:
        sys.path[0] = str(script.resolve().parent)
    try:
        exec(compile(source, str(script), "exec", dont_inherit=True), main.__dict__)  # noqa: S102 - that is the point
    except BaseException as error:  # noqa: BLE001 - also SystemExit and Ctrl-C: the caller ends as each asks for
        traceback = error.__traceback__
        return error.with_traceback(traceback and traceback.tb_next)  # without this frame
    return None
