"""``dispenser simulator``: control the simulated launcher, or run a gpiozero script on it."""

from __future__ import annotations

import builtins
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from dispenser.cli.commands import taking
from dispenser.cli.failures import ENDED_BY, FOUND_WRONG, USAGE, fail
from dispenser.cli.help_pages import Commands
from dispenser.cli.launcher import Answers, answering
from dispenser.cli.options import (
    MOST_CARDS,
    BrowserOption,
    ConfigOption,
    LidOpenOption,
    PagePortOption,
    SeedOption,
)
from dispenser.cli.sentences import texts
from dispenser.cli.settings import load_settings, with_page
from dispenser.cli.spoken import _
from dispenser.client import LauncherClient
from dispenser.simulator.commands import SIMULATOR_COMMANDS, SimulatorCommand

if TYPE_CHECKING:
    from dispenser.web.script import ShownFactory

BROWSER_S = 10.0  # Timeout for the browser to show the page before the script starts, seconds
INTERRUPTED = ENDED_BY + 2
simulator_app = Commands(no_args_is_help=True)


@simulator_app.command()
@answering
def look(client: LauncherClient) -> Answers:
    """Show the state of the simulated launcher."""
    view = client.get("/simulator")
    yield view, _in_words(view)


def _add(word: str, kind: type[SimulatorCommand]) -> None:
    """Add the CLI command that carries out a ``kind`` and prints the state afterwards."""

    def run(client: LauncherClient, command: SimulatorCommand) -> Answers:
        view = client.post(f"/simulator/{word}", **msgspec.to_builtins(command))
        yield view, _in_words(view)

    function = taking(kind, run, f"dispenser simulator {word}")
    function.__doc__ = f"{kind.__doc__}\n\n{function.__doc__}"
    simulator_app.command()(answering(function))


for _word, _kind in SIMULATOR_COMMANDS.items():
    _add(_word, _kind)


def _in_words(view: dict[str, Any]) -> str:
    say = texts()
    faults = say["faults"]
    lid = say["launcher"]["lid_open" if view["lid_open"] else "lid_shut"]
    seen = _(
        "Stack: {stack}, on the way out: {path}, out: {out}. Motor: {motor}. Batteries: {voltage:.1f} V.",
        stack=view["cards_in_stack"],
        path=view["cards_in_path"],
        out=view["cards_out"],
        motor=say["simulator"]["motor_on" if view["motor"] else "motor_off"],
        voltage=view["cell_voltage_v"],
    )
    trouble = _("No fault. Possible faults: {faults}.", faults=", ".join(faults))
    if on := [f"{said} ({name})" for name, said in faults.items() if view["faults"][name]]:
        trouble = _("Faults: {faults}.", faults=", ".join(on))
    return f"{lid}\n{seen}\n{trouble}"


@simulator_app.command(context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True})
def run(
    script: Annotated[Path, typer.Argument(help="A Python script that uses gpiozero.", metavar="SCRIPT.py")],
    arguments: Annotated[list[str] | None, typer.Argument(help="Arguments for the script, options included.")] = None,
    config: ConfigOption = None,
    port: PagePortOption = None,
    seed: SeedOption = None,
    cards: Annotated[
        int | None, typer.Option(min=0, max=MOST_CARDS, help="Cards in the stack.", show_default="112")
    ] = None,
    lid_open: LidOpenOption = False,
    browser: BrowserOption = True,
) -> None:
    """Run a Python script with the simulated launcher on its GPIO pins, shown on a page.

    Your script makes gpiozero devices as on a Raspberry Pi, on the pins of the build guide or of your settings.

    Example: dispenser simulator run my_script.py
    """
    if not script.is_file():
        fail(_("there is no script {script}", script=script), USAGE)
    settings = with_page(load_settings(config), port=port or 0)  # a demo may have the port of the settings

    from gpiozero import Device

    from dispenser.service.assembly import simulator_wiring
    from dispenser.web.script import ShownFactory

    factory = ShownFactory(
        script.name, settings.web, simulator_wiring(settings), cards=cards, seed=seed, lid_open=lid_open or None
    )
    address = factory.show()
    Device.pin_factory = factory
    typer.echo(_("Page: {address}", address=address), err=True)  # standard output belongs to the script
    if browser:
        _show(factory, address)
    ended = _run_as_python(script, arguments or [])
    if isinstance(ended, KeyboardInterrupt):  # the usual way to end it
        raise typer.Exit(INTERRUPTED)
    if isinstance(ended, SystemExit):
        raise ended
    if ended is not None:  # gpiozero closes open devices at process exit, the motor first
        factory.error = type(ended).__name__
        sys.excepthook(type(ended), ended, ended.__traceback__)
        raise typer.Exit(FOUND_WRONG)


def _show(factory: ShownFactory, address: str) -> None:
    """Open the page, and wait for the browser, so that it shows the script's beginning."""
    import threading
    import webbrowser

    typer.echo(_("The script begins when the browser shows it, or in {s:.0f} s.", s=BROWSER_S), err=True)
    opened: list[bool] = []
    threading.Thread(target=lambda: opened.append(webbrowser.open(address)), daemon=True).start()
    factory.wait_for_somebody(BROWSER_S, lambda: opened != [False])


def _run_as_python(script: Path, arguments: Sequence[str]) -> BaseException | None:
    """Run it in this thread as ``__main__``, with its own ``sys.argv``, and its folder first in ``sys.path``.

    The module stays ``__main__`` until the process ends, as threads of the script may still use it.

    :returns: the exception that ended it, with a traceback that begins in the script; ``None`` after a normal end.
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
