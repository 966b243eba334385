"""A table with a launcher that is only played: it errs, jams, and its power is cut; then the records alone go on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from dispenser.launcher import messages as launcher
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.presses import order
from dispenser.table.secrets import commitment_of, hashed
from dispenser.table.table import Table
from tests.table.evening import MOST_CARDS, SECRET, Sat, values_of

FAULTS: Final = ("double", "unseen", "flicker", "lid", "jam", "blind", "killed")
_CAUSES: Final = {
    "lid": launcher.BurstEnd.LID, "jam": launcher.BurstEnd.JAMMED, "blind": launcher.BurstEnd.BLIND,
}  # fmt: skip


class Came(NamedTuple):
    """What a push has brought.

    :ivar cards: that really came; ``told``: as the launcher counted them, ``None`` where it was not sure.
    """

    press: int
    cards: int
    told: int | None


class PureTable(Sat):
    """See the module. Nobody sits there yet.

    :ivar stack: how many cards are in the launcher.
    """

    stack: Callable[[], int]

    def __init__(self) -> None:
        self.table = Table(lambda _: SECRET)
        self.events: list[e.Event] = []
        self.presses = 0
        self.present: dict[int, int] = {}

    def execute(
        self, command: c.Command, person: int | None = None, *, at: int | None = None, **more: Any
    ) -> list[e.Event]:
        """As a phone sends it. Whoever sits down has a phone of their own."""
        sent = msgspec.json.decode(msgspec.json.encode(command), type=c.AnyCommand)
        fresh = {"secret": hashed(str(len(self.events))), "table": "evening", "commitment": commitment_of(SECRET)}
        return super().execute(sent, person, at=at, **fresh, **more)

    def push(self, dice: Random, meanwhile: Callable[[], None]) -> Came:
        """A push and its burst; ``meanwhile`` is what somebody may do while the cards come."""
        planned, stack = order(self.table, MOST_CARDS).cards, self.stack()
        self.accepted()
        press = self.presses
        if dice.random() < 0.05:
            meanwhile()
        planned = dice.choice((0, 0, 0, 3, 4, 5, 8)) if planned is None else planned
        how = dice.choice(("well",) * 20 + FAULTS) if planned else "well"
        came = planned + {"double": 1, "unseen": 1, "flicker": -1}.get(how, 0)
        if how in _CAUSES or how == "killed":
            came = dice.randint(0, planned)
        came = min(came, stack)
        if how == "killed":
            self.dies()
            self.handle_notice(launcher.BurstLost(press, dice.randint(0, came)))
            return Came(press, came, None)
        seen: int | None = came if how in _CAUSES or planned > stack else planned
        cause = _CAUSES.get(how, launcher.BurstEnd.COMPLETE if planned else launcher.BurstEnd.DUD)
        if planned > stack and how not in _CAUSES:
            cause = launcher.BurstEnd.EMPTY
        if how == "blind":
            seen = None
        self.handle_notice(
            launcher.BurstEnded(press, planned, seen, cause, suspected_doubles=int(how == "double"), tries=1)
        )
        return Came(press, came, seen)

    def dies(self) -> None:
        """The power is cut: the next start has the records alone, and they bring back the same table."""
        before, self.table = self.table, self.again()
        assert (values_of(self.table), state_of(self.table)) == (values_of(before), state_of(before)), (
            "replayed, it is another"
        )


def state_of(table: Table) -> dict[str, Any]:
    """How the game stands, whatever was told since and taken back."""
    match = table.match
    known: dict[str, Any] = {"presses": (dict(table.pushes), dict(table.asked)), "paused": table.paused}
    if match is not None:
        known |= {
            "game": (match.game.state.position(), list(match.game.log), list(match.marks), match.due and match.due[:4]),
            "ledger": (list(match.ledger.deeds), list(match.ledger.debts)),
            "rounds": (match.rounds_played, match.open_round, dict(match.dealing), match.scores),
        }
    return known
