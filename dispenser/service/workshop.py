"""Self-test, calibration and manual control on the service's own driver: for the page and for a terminal.

While a workshop is open the launcher is switched off for all others: presses are refused, and driver events go only to
the workshop. It closes on request, after a time without viewers or actions, and with the service.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from dispenser.drivers.base import DriverError, Edge
from dispenser.drivers.findings import Status
from dispenser.i18n import Text, said
from dispenser.launcher import messages as m
from dispenser.maintenance import calibrate, measured, selftest, words
from dispenser.maintenance.bench import Bench, simulate_hand
from dispenser.maintenance.manual import LOOK_S, Act, Manual
from dispenser.maintenance.measured import Measured
from dispenser.maintenance.proposals import SETTINGS, Asking
from dispenser.maintenance.selftest import Launcher
from dispenser.maintenance.wizard import Answer, Hand, Wizard
from dispenser.service.calibration import CalibrationError, CalibrationRecord
from dispenser.service.requests import ServiceError
from dispenser.service.settings import ConfigError

if TYPE_CHECKING:
    from dispenser.service.service import Service

WAIT_S = 4.0  # Longest time that `look` waits for a change, seconds; a page gives up after 8
UNSEEN_S = 30.0  # Closed after this time without a call of `look`, seconds
IDLE_S = 600.0
"""Closed after this time without an answer and without movement, seconds: a page left open calls `look` for ever."""
_NOT_WRITTEN = Text("{error}. Nothing was written; what was measured is kept.")
_WRITTEN = Text(
    "Written into {file}. In force when the launcher starts again. The workshop's page, or 'dispenser calibrate "
    "--undo', takes them back."
)
Kind = Literal["selftest", "calibrate", "manual"]


class Workshop:
    """An open workshop, on the loop's thread. It closes if the journal cannot be written.

    :raises ServiceError: not possible with this launcher or in its present state; the text says what to do.
    :raises DriverError: the levels cannot be read.

    :ivar number: version of the view; increases with each change.
    :ivar cards: cards counted by the sensor since it was opened.
    """

    def __init__(self, kind: Kind, service: Service) -> None:
        self.kind = kind
        self._service, self._simulator, self._driver = service, service.simulator, service.driver
        self._settings = settings = service.all_settings
        self._loop = asyncio.get_running_loop()
        self._seen_s = self._busy_s = self._loop.time()
        self._trouble = self._done = Text("")
        self._written = self.over = False
        self.number = self.cards = 0
        self._changed = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        driver, machine = service.driver, service.settings
        on_pins = service.simulator is not None or settings.driver.kind == "gpio"
        lines = settings.pins.lines() if on_pins else None
        self._launcher = Launcher(driver.capabilities, machine, driver.levels, lines)
        self._manual = Manual(driver.capabilities, machine, driver.levels())
        self._wizard: Wizard | None = None
        self._asking: Asking | None = None
        self._record: CalibrationRecord | None = None
        if kind == "selftest":
            self._wizard = Wizard(selftest.steps(self._launcher))
        elif kind == "calibrate":
            if not on_pins:
                raise ServiceError(calibrate.ONLY_ON_PINS)
            if service.keeps_calibrations:
                try:
                    self._record = CalibrationRecord(settings)
                    self._record.keep()  # so that a write error is found before sixty cards are fed
                except CalibrationError as error:
                    raise ServiceError(error.text) from error
            self._wizard = self._calibration()
        self._bench = Bench(self._wizard or self._manual, driver, self._loop, self._show)

    def _calibration(self) -> Wizard:
        settings, record = self._settings, self._record
        found = Measured() if record is None else record.measured
        can_brake = settings.pins.motor_backward is not None
        self._asking = Asking(found, settings.timing, settings.launcher, can_brake, record.file if record else None)
        steps = (*calibrate.steps(self._launcher, found), self._asking.step())
        return Wizard(steps, record.findings if record else ())

    def open(self) -> None:
        self._note("workshop.opened", {"kind": self.kind})
        if self.over:
            return
        self._bench.begin()
        if self._wizard is None:
            self._read_levels()

    def close(self) -> None:
        """Turn the motor off and accept nothing more. Idempotent."""
        if self.over:
            return
        self.over = True
        if self._timer is not None:
            self._timer.cancel()
        self._bench.close()
        self._changed.set()
        findings = self._wizard.findings if self._wizard else ()
        self._note("workshop.closed", {"kind": self.kind, **{each.check: each.status.value for each in findings}})

    @property
    def forgotten(self) -> bool:
        """Whether the last call of ``look``, or the last action, was too long ago."""
        now_s = self._loop.time()
        return now_s - self._seen_s > UNSEEN_S or now_s - self._busy_s > IDLE_S

    def _note(self, type_: str, data: dict[str, Any]) -> None:
        try:
            self._service.note(type_, data, source="workshop")
        except ServiceError:
            self.close()

    # --- driver events ---

    def on_driver_event(self, event: m.Event) -> None:
        if not isinstance(event, m.ExitBlocked | m.ExitCleared):  # a bad sensor may send these all day
            self._busy_s = self._loop.time()
        if isinstance(event, m.FeedEnded):
            self.cards += event.cards_seen or 0
            counted = {} if event.cards_seen is None else {"cards": event.cards_seen}
            self._note("workshop.run", {**counted, "ended": event.cause.value})
        self._bench.handle(event)

    def edge(self, edge: Edge) -> None:
        if self._wizard is not None:
            self._bench.handle(edge)

    def _read_levels(self) -> None:
        try:
            self._bench.handle(self._driver.levels())
        except DriverError as error:
            self._bench.handle(m.DriverFailed(error.text))
        self._timer = self._loop.call_later(LOOK_S, self._read_levels)

    # --- answers and view ---

    def answer(self, word: str) -> None:
        """Handle one of the answers that ``view`` offers.

        :raises ServiceError: there is no such answer here, or the workshop is closed.
        """
        if self.over:
            raise ServiceError(Text("The workshop is closed."))
        self._seen_s = self._busy_s = self._loop.time()
        record, wizard = self._record, self._wizard
        if word == words.TAKE_BACK and record is not None and record.can_take_back:
            self._take_back(record)
        elif word == words.ANEW and record is not None and record.findings:
            self._measure_anew(record)
        elif word == words.SIMULATE_HAND and self._simulator is not None and wizard is not None:
            if (hand := wizard.view().hand) is not None:
                simulate_hand(self._simulator, hand)
        elif word in list(answers := Act if wizard is None else Answer):
            self._bench.handle(answers(word))
        else:
            raise ServiceError(Text("{word!r} is no answer here").filled(word=word))

    def _show(self) -> None:
        if self._record is not None:
            self._keep(self._record)
        self.number += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def look(self, number: int | None, language: str) -> dict[str, Any]:
        """Return the view once its version differs from ``number``, or after ``WAIT_S``."""
        self._seen_s = self._loop.time()
        if self.number == number:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), WAIT_S)
        return {"open": False} if self.over else {"open": True, **self.view(language)}

    def view(self, language: str) -> dict[str, Any]:
        """Return all that a page shows."""

        def offer(word: str, label: Text) -> dict[str, str]:
            return {"answer": word, "label": said(label, language)}

        common: dict[str, Any] = {"number": self.number, "kind": self.kind}
        common |= {"trouble": said(self._trouble, language), "done": said(self._done, language)}
        if self._wizard is None:
            shown = self._manual.shown()
            acts = [offer(act.value, label) for act, label in words.ACTS.items()]
            return common | asdict(shown) | {"said": said(shown.said, language), "acts": acts}
        now, record = self._wizard.view(), self._record
        step = common["wizard"] = words.as_json(now, language)
        if self._simulator is not None and now.hand not in (None, Hand.LOOK):
            step["answers"].insert(0, offer(words.SIMULATE_HAND, words.HAND_LABEL))
        if record is not None and record.findings:
            step["answers"].append(offer(words.ANEW, words.ANEW_LABEL))
        if record is not None and record.can_take_back:
            step["answers"].append(offer(words.TAKE_BACK, words.TAKE_BACK_LABEL))
        if self._asking is not None:
            figures = measured.shown(self._asking.measured)
            common["figures"] = [asdict(row) | {"name": said(row.name, language)} for row in figures]
            common["proposals"] = [
                {"setting": f"{each.table}.{each.key}", "now": each.now, "proposed": each.proposed}
                | {"why": said(each.why, language)}
                for each in self._asking.proposals
            ]
        return common

    # --- storage of a calibration ---

    def _keep(self, record: CalibrationRecord) -> None:
        """Store each completed step, and the settings once a person has confirmed them."""
        asking, wizard = self._asking, self._wizard
        if self._written or asking is None or wizard is None:
            return
        try:
            if any(each.check == SETTINGS and each.status is Status.GOOD for each in wizard.findings):
                self._written = True
                record.write(asking.changes())
                self._done = _WRITTEN.filled(file=record.file)
            else:
                record.note([each for each in wizard.findings if each.check != SETTINGS])
        except ConfigError as error:
            self._trouble = _NOT_WRITTEN.filled(error=error)
        except CalibrationError as error:
            self._trouble = error.text

    def _measure_anew(self, record: CalibrationRecord) -> None:
        self._bench.close()
        record.begin_anew()
        self._written, self._trouble, self._done = False, Text(""), Text("")
        self._wizard = self._calibration()
        self._bench = Bench(self._wizard, self._driver, self._loop, self._show)
        self._bench.begin()

    def _take_back(self, record: CalibrationRecord) -> None:
        try:
            self._done, self._trouble = record.take_back(), Text("")
        except CalibrationError as error:
            self._trouble = error.text
        self._show()
