"""A wizard, or the launcher by hand, on the running service's own driver: for the page.

While it is open the launcher is switched off for everybody else: presses are refused, and what the driver tells goes to
the workshop alone. It closes when somebody says so, when nobody has looked at it or done anything for a while, and with
the service.
"""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from dispenser.drivers.base import Driver, DriverError, Edge
from dispenser.i18n import Text, said
from dispenser.launcher import messages as m
from dispenser.maintenance import calibrate, measured, selftest
from dispenser.maintenance.bench import Bench
from dispenser.maintenance.manual import LOOK_S, Act, Manual
from dispenser.maintenance.notebook import NAME, Notebook, NotebookError, keep, read
from dispenser.maintenance.proposals import SETTINGS, Asking
from dispenser.maintenance.selftest import Launcher
from dispenser.maintenance.steps import Answer, Hand
from dispenser.maintenance.toy_hand import lend_a_hand
from dispenser.maintenance.wizard import Wizard
from dispenser.maintenance.words import ACTS, HAND_LABEL, told
from dispenser.service.changes import change, take_back, where_to_write
from dispenser.service.requests import ServiceError
from dispenser.service.settings import ConfigError, Settings
from dispenser.simulator import Toy

UNSEEN_S = 30.0
"""Closed when nobody has looked for so long, seconds."""
IDLE_S = 600.0
"""Or when nobody has said anything for so long, and nothing has moved: a page that is left open looks for ever."""
_NOT_WRITTEN = Text(
    "{error}. What was measured is kept: 'sudo systemctl stop dispenser', then 'sudo dispenser calibrate' asks again "
    "and writes it"
)
_NOT_TAKEN_BACK = Text("{error}. 'sudo dispenser calibrate --undo' takes them back")
_WRITTEN = Text("Written into {file}. In force when the launcher starts again; here, you can take them back.")
_TAKEN_BACK = Text("The settings in {file} are as they were before. In force when the launcher starts again.")
LEND_A_HAND = "hand"
"""What somebody says for whom the simulated launcher's hand shall do it."""
TAKE_BACK = "undo"
"""What somebody says who wants the settings back that the last calibration has changed."""
_TAKE_BACK_LABEL = Text("take the settings of the last calibration back")


class Kind(enum.StrEnum):
    """What can be done in the workshop."""

    SELFTEST = "selftest"
    CALIBRATE = "calibrate"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Place:
    """What a workshop is to know of the launcher that it is for.

    :param file: the settings file that a calibration changes, or overrides; ``None`` for a simulated launcher.
    """

    settings: Settings
    file: Path | None = None
    toy: Toy | None = None


class Workshop:
    """One that is open. All of it belongs to the loop's thread.

    :param write: writes down what is done. What cannot be written down is not done: the workshop closes.
    :raises ServiceError: it cannot be done with this launcher, or as things are; says what to do.
    :raises DriverError: the levels cannot be read.
    """

    def __init__(
        self, kind: Kind, place: Place, driver: Driver, write: Callable[[str, dict[str, Any]], object]
    ) -> None:
        self.kind = kind
        self._place = place
        self._driver = driver
        self._write = write
        self._loop = asyncio.get_running_loop()
        self._seen_s = self._busy_s = self._loop.time()
        self._trouble = self._done = Text("")
        self._written = False
        self.over = False
        self.number = 0
        """Of what there is to see: another one at each change."""
        self._changed = asyncio.Event()
        self._look: asyncio.TimerHandle | None = None
        self.cards = 0
        """That have left since it was opened, as far as anybody saw."""
        capabilities = driver.capabilities
        settings = replace(
            place.settings.launcher, can_retract=capabilities.retract, has_exit_sensor=capabilities.exit_sensor
        )
        on_pins = place.toy is not None or place.settings.driver.kind == "gpio"
        launcher = Launcher(capabilities, settings, driver.levels, place.settings.pins.lines() if on_pins else None)
        self._manual = Manual(capabilities, settings, driver.levels())
        self._wizard, self._notebook, self._asking = self._begin(launcher)
        self._bench = Bench(self._wizard or self._manual, driver, self._loop, self._show)

    def _begin(self, launcher: Launcher) -> tuple[Wizard | None, Notebook, Asking | None]:
        if self.kind is Kind.MANUAL:
            return None, Notebook(), None
        if self.kind is Kind.SELFTEST:
            return Wizard(selftest.steps(launcher)), Notebook(), None
        settings = self._place.settings
        if settings.driver.kind != "gpio" and self._place.toy is None:
            raise ServiceError(calibrate.ONLY_ON_PINS)
        try:
            notebook = Notebook() if self._place.toy else read(self._kept)
        except NotebookError as error:
            raise ServiceError(error.text) from error
        can_brake = settings.pins.motor_backward is not None
        file = None if self._place.file is None else where_to_write(self._place.file, settings)
        asking = Asking(notebook.measured, settings.timing, settings.launcher, can_brake, file)
        steps = (*calibrate.steps(launcher, notebook.measured), asking.step())
        return Wizard(steps, notebook.findings()), notebook, asking

    @property
    def _kept(self) -> Path:
        return self._place.settings.journal_path().parent / NAME

    def open(self) -> None:
        """Begin."""
        self._note("workshop.opened", {"kind": self.kind.value})
        if self.over:
            return
        self._bench.begin()
        if self.kind is Kind.MANUAL:
            self._look_again()

    def close(self) -> None:
        """Motor off; nothing more is done. May be called twice."""
        if self.over:
            return
        self.over = True
        if self._look is not None:
            self._look.cancel()
        self._bench.close()
        self._changed.set()
        findings = self._wizard.findings if self._wizard else ()
        self._note("workshop.closed", {"kind": self.kind.value, **{each.check: each.status.value for each in findings}})

    def _note(self, type_: str, data: dict[str, Any]) -> None:
        try:
            self._write(type_, data)
        except ServiceError:
            self.close()

    # --- what happens ---

    def hear(self, event: m.Event) -> None:
        """What the driver tells."""
        if not isinstance(event, m.ExitBlocked | m.ExitCleared):  # a bad sensor may tell these all day
            self._busy_s = self._loop.time()
        if isinstance(event, m.FeedEnded):
            self.cards += event.cards_seen or 0
            counted = {} if event.cards_seen is None else {"cards": event.cards_seen}
            self._note("workshop.run", {**counted, "ended": event.cause.value})
        self._bench.hear(event)

    def edge(self, edge: Edge) -> None:
        if self._wizard is not None:
            self._bench.hear(edge)

    def _look_again(self) -> None:
        try:
            self._bench.hear(self._driver.levels())
        except DriverError as error:
            self._bench.hear(m.DriverFailed(error.text))
        self._look = self._loop.call_later(LOOK_S, self._look_again)

    def tell(self, word: str) -> None:
        """An answer, an act by hand, or ``hand``.

        :raises ServiceError: there is no such word here, or the workshop is closed.
        """
        if self.over:
            raise ServiceError(Text("The workshop is closed."))
        self._seen_s = self._busy_s = self._loop.time()
        words = [each.value for each in (Act if self._wizard is None else Answer)]
        if word == TAKE_BACK and self._notebook.file:
            self._take_back()
        elif word == LEND_A_HAND and self._place.toy is not None and self._wizard is not None:
            if (hand := self._wizard.view().hand) is not None:
                lend_a_hand(self._place.toy, hand)
        elif word in words:
            self._bench.hear(Act(word) if self._wizard is None else Answer(word))
        else:
            raise ServiceError(Text("there is nothing called {word!r} to be said here").filled(word=word))

    # --- what there is to see ---

    def _show(self) -> None:
        if self._asking is not None and self._wizard is not None:
            self._keep(self._asking, self._wizard)
        self.number += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def changed(self, number: int, within_s: float) -> None:
        """Wait until there is something newer to see than that."""
        self._seen_s = self._loop.time()
        if self.number == number:
            try:
                await asyncio.wait_for(self._changed.wait(), within_s)
            except TimeoutError:
                return
        self._seen_s = self._loop.time()

    @property
    def forgotten(self) -> bool:
        """Nobody looks any more, or only looks."""
        now_s = self._loop.time()
        return now_s - self._seen_s > UNSEEN_S or now_s - self._busy_s > IDLE_S

    def told(self, language: str) -> dict[str, Any]:
        """All that a page shows."""
        common: dict[str, Any] = {"number": self.number, "kind": self.kind.value}
        common |= {"trouble": said(self._trouble, language), "done": said(self._done, language)}
        if self._wizard is None:
            shown = self._manual.shown()
            acts = [{"answer": act.value, "label": said(label, language)} for act, label in ACTS.items()]
            hand = {"levels": asdict(shown.levels), "moving": shown.moving, "light": shown.light, "acts": acts}
            return common | hand | {"said": said(shown.said, language)}
        view = self._wizard.view()
        step = told(view, language)
        if self._place.toy is not None and view.hand not in (None, Hand.LOOK):
            step["answers"].insert(0, {"answer": LEND_A_HAND, "label": said(HAND_LABEL, language)})
        if self._notebook.file:
            step["answers"].append({"answer": TAKE_BACK, "label": said(_TAKE_BACK_LABEL, language)})
        return common | {"wizard": step} | (self._figures(language) if self._asking else {})

    def _figures(self, language: str) -> dict[str, Any]:
        rows = [asdict(row) | {"name": said(row.name, language)} for row in measured.shown(self._notebook.measured)]
        proposals = [
            {"setting": f"{each.table}.{each.key}", "now": each.now, "proposed": each.proposed}
            | {"why": said(each.why, language)}
            for each in (self._asking.proposals if self._asking else ())
        ]
        return {"figures": rows, "proposals": proposals}

    # --- what is kept of a calibration ---

    def _keep(self, asking: Asking, wizard: Wizard) -> None:
        """Step by step; and the settings, once somebody has said yes to them."""
        if asking.file is None or self._written:
            return
        done = len(self._notebook.done)
        self._notebook.note([each for each in wizard.findings if each.check != SETTINGS])
        accepted = any(each.check == SETTINGS and each.status.value == "good" for each in wizard.findings)
        if len(self._notebook.done) == done and not accepted:
            return
        try:
            if accepted:
                changes = asking.changes()
                self._notebook.wrote(asking.file, change(asking.file, changes, self._place.file), changes)
                self._done = _WRITTEN.filled(file=asking.file)
            keep(self._kept, self._notebook)
            self._written = accepted
        except ConfigError as error:
            self._trouble = _NOT_WRITTEN.filled(error=error)
        except NotebookError as error:
            self._trouble = error.text

    def _take_back(self) -> None:
        """Whoever has changed one of them since keeps that."""
        notebook = self._notebook
        file = Path(notebook.file)
        try:
            take_back(file, notebook.before, notebook.written, self._place.file)
            notebook.took_back()
            keep(self._kept, notebook)
            self._trouble, self._done = Text(""), _TAKEN_BACK.filled(file=file)
        except ConfigError as error:
            self._trouble = _NOT_TAKEN_BACK.filled(error=error)
        except NotebookError as error:
            self._trouble = error.text
        self._show()
