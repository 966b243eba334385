"""Reads a journal from its first record to its last and says what does not make sense in it.

It knows nothing of the machine's code: only what each record promises to the people who read it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dispenser.journal import Record

_OF_AN_ORDER = {"nothing_owed", "count_first"}


class Story:
    """Folds records into what must be true after them; ``problems`` says where they contradict one another."""

    def __init__(self, *, has_exit_sensor: bool = True) -> None:
        self.problems: list[str] = []
        self.last_seq = 0
        self.state = "off"
        self.lid_open = False
        self.presses = 0
        self.accepted = 0
        self.by_source: dict[str, int] = {}
        self.open_press: int | None = None
        self.refusal: str | None = "off"
        """Why a press would be refused, as told before anybody pressed."""
        self._has_exit_sensor = has_exit_sensor
        self._spent = -1
        self.order: tuple[int | None, str | None] = (None, None)
        """What a push brings, and why it brings nothing."""
        self._started = False
        self._left = 0

    def read(self, records: Iterable[Record]) -> Story:
        for record in records:
            self.take(record)
        return self

    def take(self, record: Record) -> None:
        if record.seq != self.last_seq + 1:
            self._wrong(record, f"comes after record {self.last_seq}")
        self.last_seq = record.seq
        tell = getattr(self, "_" + record.type.replace(".", "_"), None)
        if tell is not None:
            tell(record, record.data)

    def _wrong(self, record: Record, what: str) -> None:
        self.problems.append(f"seq {record.seq} {record.type} {record.data}: {what}")

    # --- states ---

    def _launcher_state_changed(self, record: Record, data: dict[str, Any]) -> None:
        if data["old"] != self.state:
            self._wrong(record, f"the state was {self.state}")
        if data["new"] in {"feeding", "retracting"} and self.lid_open:
            self._wrong(record, "the lid is open")
        if (data["new"] in {"jammed", "empty", "blind", "fault"}) != bool(data["detail"]):
            self._wrong(record, "a state that needs somebody says why, and no other does")
        self.refusal = data["refusal"]
        self.state = data["new"]

    def _launcher_switched_on(self, _: Record, data: dict[str, Any]) -> None:
        self.lid_open = data["lid_open"]
        self.order = (None, None)

    def _launcher_lid_opened(self, record: Record, _: dict[str, Any]) -> None:
        if self.lid_open:
            self._wrong(record, "it was open already")
        self.lid_open = True

    def _launcher_lid_closed(self, record: Record, _: dict[str, Any]) -> None:
        if not self.lid_open:
            self._wrong(record, "it was closed already")
        self.lid_open = False

    def _service_started(self, record: Record, _: dict[str, Any]) -> None:
        self.state = self.refusal = "off"
        if self.open_press is not None:
            self._wrong(record, f"press {self.open_press} has no end")

    # --- presses ---

    def _count(self, record: Record, data: dict[str, Any]) -> None:
        if data["press"] != self.presses + 1:
            self._wrong(record, f"the press before was {self.presses}")
        self.presses = data["press"]
        self.by_source[data["source"]] = self.by_source.get(data["source"], 0) + 1

    def _launcher_press_accepted(self, record: Record, data: dict[str, Any]) -> None:
        self._count(record, data)
        self.accepted += 1
        if self.state != "ready" or self.lid_open:
            self._wrong(record, f"accepted in state {self.state}, lid {'up' if self.lid_open else 'down'}")
        if self.open_press is not None:
            self._wrong(record, f"press {self.open_press} has not ended")
        pushed = data["cards"] is None or data["ordered"]
        if self.refusal is not None and (pushed or self.refusal not in _OF_AN_ORDER):
            self._wrong(record, f"it was told that a press would be refused: {self.refusal}")
        if pushed and (data["cards"] != self.order[0] or data["ordered"] != (data["cards"] is not None)):
            self._wrong(record, f"the order was {self.order}")
        if data["ordered"]:
            self.order = (0, "nothing_owed")
            self._spent = record.seq
        self.open_press, self._started, self._left = data["press"], False, 0

    def _launcher_press_refused(self, record: Record, data: dict[str, Any]) -> None:
        self._count(record, data)
        if data["reason"] != self.refusal:
            self._wrong(record, f"it was told that the reason would be {self.refusal}")

    def _launcher_order_changed(self, record: Record, data: dict[str, Any]) -> None:
        told, by_itself = (data["cards"], data["why"]), record.seq == self._spent + 1
        if by_itself != (told == self.order):
            self._wrong(record, f"the order was {self.order}" + " and had to be spent" * by_itself)
        self.order, self.refusal = told, data["refusal"]

    def _about(self, record: Record, data: dict[str, Any]) -> None:
        if data["press"] != self.open_press:
            self._wrong(record, f"press {self.open_press} is under way")

    def _launcher_burst_started(self, record: Record, data: dict[str, Any]) -> None:
        self._about(record, data)
        if self._started or data["planned"] < 1:
            self._wrong(record, "it had started, or is a dud")
        self._started = True

    def _launcher_card_left(self, record: Record, data: dict[str, Any]) -> None:
        if data["press"] is None:
            return
        self._about(record, data)
        self._left += 1
        if data["number"] != self._left:
            self._wrong(record, f"{self._left} cards of this burst have left")
        if not self._started:
            self._wrong(record, "the burst has not started")

    def _launcher_burst_ended(self, record: Record, data: dict[str, Any]) -> None:
        self._about(record, data)
        self.open_press = None
        self.refusal = data["refusal"]
        planned, delivered, cause = data["planned"], data["delivered"], data["cause"]
        if (data["tries"] > 0) != self._started:
            self._wrong(record, "tries and start disagree")
        if data["tries"] and not self._has_exit_sensor:
            if delivered is not None:
                self._wrong(record, "nobody could count")
        elif delivered != self._left + data["sticking_out"]:
            self._wrong(record, f"{self._left} cards left")
        if cause == "complete" and (delivered or 0) < planned:
            self._wrong(record, "that is not complete")

    def _launcher_burst_lost(self, record: Record, data: dict[str, Any]) -> None:
        self._about(record, data)
        self.open_press = None
        if data["delivered"] != self._left:
            self._wrong(record, f"{self._left} cards left")

    def _launcher_exit_changed(self, _: Record, data: dict[str, Any]) -> None:
        self.refusal = data["refusal"]
