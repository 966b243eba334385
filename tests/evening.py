"""Evenings for the audit: the real machine, the real odds, a launcher played by hand, and the journal of it all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from dispenser.journal import Record
from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.launcher.settings import MachineSettings
from dispenser.odds import fairness
from dispenser.odds.odds import Odds
from dispenser.odds.presets import OddsDesign


class Evening:
    """One journal in the making. Every method is something that happens at the table, if it can happen now."""

    def __init__(self, *, has_exit_sensor: bool = True) -> None:
        self.records: list[Record] = []
        self._settings = MachineSettings(has_exit_sensor=has_exit_sensor, max_tries=2)
        self._machine: LauncherMachine | None = None
        self._seed = b""
        self._unrevealed: list[bytes] = []
        self._turning: m.Feed | m.Retract | None = None
        self._seen = 0
        self._now = 0.0

    # --- the service ---

    def start(self, seed: bytes, design: OddsDesign) -> None:
        """Start the service; if it was killed before, its start says so and shows the old seed."""
        if self._machine is not None:
            return
        presses, lost = self._recall()
        if lost:
            self._write("launcher.burst.lost", press=lost[0], delivered=lost[1])
        for old in self._unrevealed:
            self._write("fairness.revealed", commitment=fairness.commitment(old), seed=old.hex())
        self._seed, self._unrevealed = seed, [seed]
        odds = Odds(design, seed)
        self._machine = LauncherMachine(self._settings, odds, presses=presses)
        self._write("service.started")
        self._write("fairness.committed", commitment=fairness.commitment(seed), odds=odds.describe())
        self._step(m.SwitchOn(lid_open=False))

    def stop(self) -> None:
        """Stop the service in good order."""
        self.switch_off()
        if self._machine is not None:
            self._write("fairness.revealed", commitment=fairness.commitment(self._seed), seed=self._seed.hex())
            self._write("service.stopped")
            self._unrevealed = []
            self._machine = None

    def kill(self) -> None:
        """The service dies, whatever it was doing."""
        self._machine = self._turning = None

    # --- people ---

    def press(self, cards: int | None = None) -> None:
        self._step(m.Press(cards=cards))

    def order(self, cards: int | None = None) -> None:
        self._step(m.Order(cards, None if cards != 0 else m.Refusal.NOTHING_OWED))

    def lid_up(self) -> None:
        if self._machine and not self._machine.snapshot().lid_open:
            turning, self._turning = self._turning, None
            self._step(m.LidOpened())
            if isinstance(turning, m.Feed):
                self._step(m.FeedEnded(m.FeedEnd.LID, self._count(), self._machine.snapshot().exit_blocked))
            elif turning:
                self._step(m.RetractEnded(m.FeedEnd.LID))

    def lid_down(self) -> None:
        if self._machine and self._machine.snapshot().lid_open:
            self._step(m.LidClosed())

    def switch_off(self) -> None:
        self._turning = None
        self._step(m.SwitchOff())

    def switch_on(self) -> None:
        self._step(m.SwitchOn(lid_open=False))

    def reset(self) -> None:
        self._step(m.Reset())

    # --- the launcher ---

    def wait(self) -> None:
        """The drum roll ends."""
        if self._machine and self._machine.deadline is not None and self._turning is None:
            self._now = max(self._now, self._machine.deadline)
            self._step(m.Tick())

    def card(self) -> None:
        """A card leaves."""
        if not isinstance(self._turning, m.Feed):
            return
        self._seen += 1
        if self._settings.has_exit_sensor:
            self._step(m.ExitBlocked())
            self._step(m.ExitCleared(50.0))
        if self._seen == self._turning.cards:
            self._end_feed(m.FeedEnd.COUNT if self._settings.has_exit_sensor else m.FeedEnd.TIMED)

    def peep(self) -> None:
        """A card begins to show in the exit."""
        if isinstance(self._turning, m.Feed) and self._settings.has_exit_sensor:
            self._step(m.ExitBlocked())

    def stick(self) -> None:
        """The motor stops with a card in the exit."""
        if isinstance(self._turning, m.Feed) and self._settings.has_exit_sensor:
            self._step(m.ExitBlocked())
            self._end_feed(m.FeedEnd.TIMEOUT, exit_blocked=True)

    def stall(self) -> None:
        """No card comes, or the retract is over."""
        if isinstance(self._turning, m.Retract):
            self._turning = None
            self._step(m.RetractEnded(m.FeedEnd.TIMED))
        elif self._turning:
            self._end_feed(m.FeedEnd.TIMEOUT)

    def free(self) -> None:
        """Somebody takes the card out of the exit."""
        if self._turning is None:
            self._step(m.ExitCleared(400.0))

    def burst(self, cards: int | None = None) -> None:
        """A press, and everything that comes of it."""
        self.press(cards)
        self.wait()
        while isinstance(self._turning, m.Feed):
            self.card()

    # --- inside ---

    def _end_feed(self, cause: m.FeedEnd, *, exit_blocked: bool = False) -> None:
        self._turning = None
        self._step(m.FeedEnded(cause, self._count(), exit_blocked))

    def _count(self) -> int | None:
        return self._seen if self._settings.has_exit_sensor else None

    def _step(self, event: m.Event) -> None:
        if self._machine is None:
            return
        for output in self._machine.step(event, self._now):
            if isinstance(output, m.Feed | m.Retract):
                self._turning, self._seen = output, 0
            elif not isinstance(output, m.Command):
                self._write(output.type, **msgspec.to_builtins(output))

    def _write(self, type_: str, **data: Any) -> None:
        seq = len(self.records) + 1
        self.records.append(Record(seq, f"2026-11-20T18:00:00.{seq:06}Z", "launcher", type_, data))

    def _recall(self) -> tuple[int, tuple[int, int] | None]:
        """Number of the last press, and the press that a kill left open with the cards that had left."""
        presses, lost = 0, None
        for record in self.records:
            if record.type.startswith("launcher.press."):
                presses = record.data["press"]
            if record.type == "launcher.press.accepted":
                lost = (presses, 0)
            elif record.type == "launcher.card.left" and lost and record.data["press"]:
                lost = (lost[0], lost[1] + 1)
            elif record.type in {"launcher.burst.ended", "launcher.burst.lost"}:
                lost = None
        return presses, lost


def evening_of(actions: Iterable[str], design: OddsDesign, *, has_exit_sensor: bool = True) -> Evening:
    """Play actions by name (``burst:3`` asks for exactly three cards); every start has a seed of its own."""
    evening, starts = Evening(has_exit_sensor=has_exit_sensor), 0
    for action in ("start", *actions):
        name, _, cards = action.partition(":")
        if name == "start":
            starts += 1
            evening.start(fairness.named_seed(f"evening {starts}"), design)
        elif cards:
            getattr(evening, name)(int(cards))
        else:
            getattr(evening, name)()
    return evening
