"""Options that several commands share, and their shell completion."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import typer

from dispenser.cli.spoken import _

MOST_CARDS = 112  # Cards in a full deck, which is the capacity of a launcher


def finite(value: float | None) -> float | None:
    """Refuse ``nan`` and ``inf``, which the check of the bounds does not catch."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(_("{typed!r} is not a number", typed=str(value)))
    return value


def one_of(words: Callable[[], Iterable[str]]) -> Callable[[str | None], str | None]:
    """Return a callback that refuses other words."""

    def check(value: str | None) -> str | None:
        if value is not None and value not in words():
            wrong = _("{typed!r} is not one of {words}", typed=value, words=", ".join(words()))
            raise typer.BadParameter(wrong)
        return value

    return check


def among(words: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return a completer for ``words``, which is called only when a completion is needed."""

    def complete(incomplete: str) -> list[str]:
        return [word for word in words() if word.startswith(incomplete)]

    return complete


def _serial_ports() -> list[str]:
    from dispenser.drivers.serial.port import ports

    return ports()


def _kinds() -> Iterable[str]:
    from dispenser.drivers.kinds import KINDS

    return KINDS


ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="Settings file; else $DISPENSER_CONFIG, else /etc/dispenser/dispenser.toml."),
]
DriverOption = Annotated[
    str | None,
    typer.Option(
        "--driver",
        metavar="KIND",
        help="gpio, this machine's pins, serial, a microcontroller (--serial-port means that, too), or phone: there is "
        "no launcher, and a phone at the table stands in; else as the settings say.",
        autocompletion=among(_kinds),
        callback=one_of(_kinds),
    ),
]
SerialPortOption = Annotated[
    str | None,
    typer.Option(
        "--serial-port",
        "-p",
        help="The microcontroller's serial port; else as the settings say, else the only one.",
        autocompletion=among(_serial_ports),
    ),
]
BaudOption = Annotated[
    int | None,
    typer.Option("--baud", help="Bits per second; 38400 for a firmware built for 8 MHz; else as the settings say."),
]
PagePortOption = Annotated[
    int | None, typer.Option("--port", min=0, max=65535, help="Port of the page; 0 takes a free one.")
]
LanOption = Annotated[
    bool | None,
    typer.Option("--lan", help="Let phones in the house join by the table's code; else as the settings say."),
]
SeedOption = Annotated[str | None, typer.Option("--seed", help="Seed: any word; the same one gives the same results.")]
SimulatedOption = Annotated[
    bool, typer.Option("--simulated", help="Use a simulated launcher, which can also do what your hands would.")
]
StackOption = Annotated[int, typer.Option("--cards", min=0, max=MOST_CARDS, help="Cards in the stack.")]
LidOpenOption = Annotated[bool, typer.Option("--lid-open", help="Start with the lid open.")]
BrowserOption = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")]
JournalOption = Annotated[
    Path | None, typer.Option("--journal", help="The journal; else the one that the settings name.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs, one value per line.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Answer every question with yes.")]
