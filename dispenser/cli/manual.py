"""``dispenser manual``: live levels, and a key for whatever the launcher can do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import typer

from dispenser.cli.failures import ENDED_BY
from dispenser.cli.options import (
    BaudOption,
    ConfigOption,
    DriverOption,
    SeedOption,
    SerialPortOption,
    SimulatedOption,
)
from dispenser.cli.settings import load_settings, with_driver
from dispenser.cli.spoken import _, in_words

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text as Styled

    from dispenser.cli.workbench import Workbench
    from dispenser.maintenance.manual import Shown
    from dispenser.simulator import ToyEvent


def manual(
    config: ConfigOption = None,
    driver: DriverOption = None,
    serial_port: SerialPortOption = None,
    baud: BaudOption = None,
    simulated: SimulatedOption = False,
    seed: SeedOption = None,
) -> None:
    """Watch lid, button and exit live; feed, pull back, beep, light while a key is held.

    A tap is one card; a key that is held goes on card after card, until it is let go. Nothing turns with the lid up,
    and no run is longer than in a game. Exit code: 0, or 69 no pins, or a launcher has them.
    """
    from rich.console import Console
    from rich.live import Live

    from dispenser.cli.workbench import work

    settings = with_driver(load_settings(config), driver, serial_port, baud)
    with Live(console=Console(), auto_refresh=False) as live:

        def begin(workbench: Workbench, done: asyncio.Future[int]) -> None:
            ByHand(workbench, done, live).begin()

        number = work(settings, begin, simulated=simulated, seed=seed)
    raise typer.Exit(ENDED_BY + number if number else 0)


class ByHand:
    """Takes keys to the launcher, and shows how it is."""

    def __init__(self, workbench: Workbench, done: asyncio.Future[int], live: Live) -> None:
        from dispenser.maintenance.manual import Manual

        launcher = workbench.launcher()
        self._manual = Manual(launcher.capabilities, launcher.settings, launcher.levels())
        self._workbench = workbench
        self._done = done
        self._live = live
        self._on_toy = ""
        self._shown: Styled | None = None
        workbench.on_toy = self._toy_changed

    def begin(self) -> None:
        from dispenser.cli.workbench import keys

        reading = keys(self._take, self._end)
        reading.__enter__()
        self._done.add_done_callback(lambda _: reading.__exit__(None, None, None))
        self._bench = self._workbench.put(self._manual, self._show)
        self._look()

    def _look(self) -> None:
        from dispenser.drivers.base import DriverError
        from dispenser.launcher.messages import DriverFailed
        from dispenser.maintenance.manual import LOOK_S

        if self._done.done():
            return
        try:
            self._bench.hear(self._workbench.driver.levels())
        except DriverError as error:
            self._bench.hear(DriverFailed(error.text))
        asyncio.get_running_loop().call_later(LOOK_S, self._look)

    def _take(self, key: str) -> None:
        from dispenser.maintenance.words import ACTS, key_of

        if key.lower() == key_of(_("[q]uit")):
            self._end()
        elif self._workbench.toy is not None and key.lower() == key_of(_("[x] lid of the simulated launcher")):
            toy = self._workbench.toy
            (toy.close_lid if toy.view().lid_open else toy.open_lid)()
        else:
            for act, label in ACTS.items():
                if key.lower() == key_of(in_words(label)):
                    self._bench.hear(act)

    def _end(self) -> None:
        if not self._done.done():
            self._done.set_result(0)

    def _toy_changed(self, event: ToyEvent) -> None:
        from dispenser.cli.wizard import seen_on_toy

        self._on_toy = seen_on_toy(event) or self._on_toy
        self._show()

    def _show(self) -> None:
        lines = self._lines(self._manual.shown())
        if lines != self._shown:
            self._shown = lines
            self._live.update(lines, refresh=True)

    def _lines(self, shown: Shown) -> Styled:
        from rich.text import Text as Styled

        from dispenser.maintenance.words import ACTS

        levels = shown.levels
        lid = (_("open"), "yellow") if levels.lid_open else (_("shut"), "green")
        button = (_("down"), "yellow") if levels.button_down else (_("up"), "green")
        exit_ = (_("dark"), "yellow") if levels.exit_blocked else (_("clear"), "green")
        labels = [in_words(label) for label in ACTS.values()]
        if self._workbench.toy is not None:
            labels.append(_("[x] lid of the simulated launcher"))
        return Styled.assemble(
            (_("Lid"), "bold"), "  ", lid, "    ", (_("Button"), "bold"), "  ", button, "    ",
            (_("Exit"), "bold"), "  ", exit_, f"\n{in_words(shown.said)}\n",
            (f"~ {self._on_toy}\n" if self._on_toy else "", "cyan"),
            ("   ".join([*labels, _("[q]uit")]), "dim"),
        )  # fmt: skip
