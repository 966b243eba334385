"""Fold the launcher's journal entries into the short event that every phone gets before its view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from dispenser.launcher import messages as m

if TYPE_CHECKING:
    from dispenser.journal import Record
    from dispenser.service.service import Service

_TYPES: Final = frozenset(
    {
        m.PressAccepted.type,
        m.BurstStarted.type,
        m.CardLeft.type,
        m.BurstEnded.type,
        m.BurstCounted.type,
        m.StateChanged.type,
        m.OrderChanged.type,
        m.ExitChanged.type,
    }
)
_FIELDS: Final = ("press", "planned", "delivered", "cause")


class LauncherEvents:
    """The newest burst, as far as journal entries tell of it, and the state of the launcher now."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._burst: dict[str, Any] = {"press": None, "planned": None, "delivered": 0, "cause": None, "refused": None}

    def apply(self, entry: Record) -> bool:
        """Return whether the event is another one after that entry."""
        if entry.type == m.PressRefused.type and entry.data["source"] == "button":  # others are told in the answer
            self._burst["refused"] = {"press": entry.data["press"], "reason": entry.data["reason"]}
            return True
        if entry.type not in _TYPES:
            return False
        self._burst |= {name: entry.data[name] for name in _FIELDS if name in entry.data}
        if entry.type == m.PressAccepted.type:
            self._burst |= {"planned": None, "delivered": 0, "refused": None}
        elif entry.type == m.CardLeft.type:
            self._burst["delivered"] = entry.data["number"]
        return True

    def event(self) -> bytes:
        """The event as it is sent."""
        known = self._service.known()
        now = {"state": known.state, "refusal": known.refusal, "order": known.order, "cards_inside": known.cards_inside}
        now["workshop"] = self._service.workshop is not None
        return b"event: launcher\ndata: %b\n\n" % msgspec.json.encode(now | self._burst)
