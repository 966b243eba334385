"""``dispenser calibrate``: measure the launcher, propose settings, write them after a yes, take them back."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from dispenser.cli.failures import BAD_SETTINGS, ENDED_BY, FOUND_WRONG, IO_ERROR, UNAVAILABLE, fail
from dispenser.cli.options import ConfigOption, JsonOption, SeedOption, SimulatedOption
from dispenser.cli.settings import load_settings
from dispenser.cli.spoken import _, in_words

if TYPE_CHECKING:
    from rich.console import Console

    from dispenser.cli.workbench import Workbench
    from dispenser.maintenance.measured import Measured
    from dispenser.maintenance.notebook import Notebook
    from dispenser.maintenance.proposals import Proposal
    from dispenser.maintenance.wizard import Wizard
    from dispenser.service.settings import Settings

_SHADES = " ░▒▓█"


def calibrate(
    config: ConfigOption = None,
    simulated: SimulatedOption = False,
    seed: SeedOption = None,
    anew: Annotated[bool, typer.Option("--anew", help="Measure all again, whatever was measured before.")] = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Take the settings of the last calibration back; again: of the one before.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure bounce, time per card, brake and coasting of this launcher, and propose settings for it.

    It asks before it writes them; comments in the file stay. Stop whenever you like: what was measured is kept beside
    the journal, and the next time goes on there. Of a simulated launcher nothing is written, but into a file that you
    name with --config. Exit code: 0 done, 1 stopped, or a step went wrong, 69 no pins, or a
    launcher has them.
    """
    from dispenser.maintenance.notebook import NAME, SIMULATED, NotebookError, read

    settings = load_settings(config)
    kept = settings.journal_path().parent / (SIMULATED if simulated else NAME)
    try:
        notebook = read(kept)
        if undo:
            _take_back(kept, notebook, config)
        if anew:
            notebook.begin_anew()
        _calibrate(settings, config, kept, notebook, simulated=simulated, seed=seed, as_json=as_json)
    except NotebookError as error:
        fail(error, IO_ERROR)


def _calibrate(
    settings: Settings,
    config: Path | None,
    kept: Path,
    notebook: Notebook,
    *,
    simulated: bool,
    seed: str | None,
    as_json: bool,
) -> NoReturn:
    from rich.console import Console

    from dispenser.cli.workbench import work

    if not simulated and settings.driver.kind != "gpio":
        from dispenser.maintenance.calibrate import ONLY_ON_PINS

        fail(in_words(ONLY_ON_PINS), UNAVAILABLE)
    from dispenser.service.changes import file_to_change, where_to_write

    file = config if simulated else where_to_write(file_to_change(config), settings)
    sitting = Sitting(settings, file, kept, notebook, Console(stderr=as_json), config)
    number = work(settings, sitting.begin, simulated=simulated, seed=seed)
    if number:
        raise typer.Exit(ENDED_BY + number)
    raise typer.Exit(sitting.end(as_json=as_json))


class Sitting:
    """One sitting of a calibration.

    :param file: the file to change; ``None``: none.
    :param config: the settings file that was named.
    """

    def __init__(
        self,
        settings: Settings,
        file: Path | None,
        kept: Path,
        notebook: Notebook,
        console: Console,
        config: Path | None,
    ) -> None:
        from dispenser.maintenance.proposals import Asking

        can_brake = settings.pins.motor_backward is not None
        self._asking = Asking(notebook.measured, settings.timing, settings.launcher, can_brake, file)
        self._kept, self._config = kept, config
        self._notebook = notebook
        self._console = console
        self._wizard: Wizard
        self._shown = self._unkept = False

    def begin(self, workbench: Workbench, done: asyncio.Future[int]) -> None:
        from dispenser.cli.wizard import talk
        from dispenser.maintenance.calibrate import steps
        from dispenser.maintenance.wizard import Wizard

        self._keep()  # whoever cannot hears it before sixty cards
        found = self._notebook.findings()
        if found:
            self._console.print(_("What was measured before is kept; --anew measures it again."))
        all_steps = (*steps(workbench.launcher(), self._notebook.measured), self._asking.step())
        self._wizard = Wizard(all_steps, found)
        talk(self._wizard, workbench, done, self._console, self._changed)

    def _changed(self) -> None:
        """What was measured is kept, step by step; before the question the figures are shown."""
        from dispenser.maintenance.notebook import NotebookError

        noted = len(self._notebook.done)
        self._notebook.note([each for each in self._wizard.findings if each.check != "settings"])
        if len(self._notebook.done) != noted and not self._unkept:
            try:
                self._keep()
            except NotebookError as error:  # no reason to measure no further, and to ask
                self._unkept = True
                self._console.print(in_words(error.text), style="bold red")
        if self._asking.proposals and not self._shown:
            self._shown = True
            show(self._notebook.measured, self._asking.proposals, self._console)

    def end(self, *, as_json: bool) -> int:
        """Write what was said yes to.

        :returns: the exit code.
        """
        from dispenser.drivers.findings import Status

        findings = {each.check: each.status for each in self._wizard.findings}
        accepted = findings.get("settings") is Status.GOOD
        if as_json:
            self._print_json(accepted=accepted)
        if accepted and self._asking.file is not None:
            self._write(self._asking.file)
        if self._wizard.stopped and not self._unkept:
            self._console.print(_("Stopped. What was measured is kept: the same command goes on."))
        return FOUND_WRONG if self._wizard.stopped or Status.WRONG in findings.values() else 0

    def _keep(self) -> None:
        from dispenser.maintenance.notebook import keep

        keep(self._kept, self._notebook)

    def _write(self, file: Path) -> None:
        from dispenser.service.changes import change, file_to_change
        from dispenser.service.settings import ConfigError

        written = self._asking.changes()
        try:
            before = change(file, written, file_to_change(self._config))
        except ConfigError as error:  # what was measured is kept
            fail(error, BAD_SETTINGS)
        self._notebook.wrote(file, before, written)
        self._keep()
        words = _(
            "Written into {file}. In force when the launcher starts again; 'dispenser calibrate --undo' takes them "
            "back.",
            file=file,
        )
        self._console.print(words)

    def _print_json(self, *, accepted: bool) -> None:
        import msgspec

        keys = ("table", "key", "now", "proposed")
        proposals = [
            {key: getattr(each, key) for key in keys} | {"why": str(each.why)} for each in self._asking.proposals
        ]
        measured = msgspec.to_builtins(self._notebook.measured)
        typer.echo(json.dumps({"measured_ms": measured, "proposals": proposals, "accepted": accepted}))


def show(measured: Measured, proposals: list[Proposal], console: Console) -> None:
    """The figures with a small chart of each, and what follows from them."""
    from rich.table import Table

    from dispenser.maintenance.measured import shown

    rows = Table(title=_("Measured, ms"), title_justify="left", box=None)
    for column in ("", _("number"), _("least"), _("median"), _("most")):
        rows.add_column(column, justify="left" if not column else "right")
    rows.add_column("")
    for row in shown(measured):
        shades = "".join(_SHADES[round(share * (len(_SHADES) - 1))] for share in row.shades)
        figures = [f"{each:.1f}" for each in (row.least, row.median, row.most)]
        rows.add_row(in_words(row.name), str(row.number), *figures, f"|{shades}|")
    console.print(rows)
    if not proposals:
        return
    proposed = Table(title=_("Proposed"), title_justify="left", box=None)
    for column in (_("setting"), _("now"), _("proposed"), _("because")):
        proposed.add_column(column)
    for each in proposals:
        proposed.add_row(f"{each.table}.{each.key}", f"{each.now:g}", f"{each.proposed:g}", in_words(each.why))
    console.print(proposed)


def _take_back(kept: Path, notebook: Notebook, config: Path | None) -> NoReturn:
    """Put the settings back as they were."""
    from dispenser.maintenance.notebook import keep
    from dispenser.service.changes import file_to_change, take_back
    from dispenser.service.settings import ConfigError

    if not notebook.file:
        fail(_("nothing to take back: no calibration has written settings"), FOUND_WRONG)
    try:
        back = take_back(Path(notebook.file), notebook.before, notebook.written, file_to_change(config))
    except ConfigError as error:
        fail(error, BAD_SETTINGS)
    for table, keys in notebook.before.items():
        for key, value in keys.items():
            usual = _("the default") if value is None else f"{value:g}"
            stays = key not in back.get(table, {})
            words = _("was changed since, and stays") if stays else usual
            typer.echo(f"{table}.{key}: {words}")
    notebook.took_back()
    keep(kept, notebook)
    raise typer.Exit
