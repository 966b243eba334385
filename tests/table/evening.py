"""An evening without a launcher: people who send commands, presses that bring what a test wants, and the same again
from its events alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dispenser.launcher import messages as launcher
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.decisions import execute
from dispenser.table.errors import TableRefusal
from dispenser.table.match import Match
from dispenser.table.people import Who
from dispenser.table.presses import handle_notice, order
from dispenser.table.secrets import commitment_of, hashed
from dispenser.table.table import Table
from dispenser.table.views import Around, Viewer, sheet, view

SECRET = bytes(range(32))
MOST_CARDS = 12
OWNER = Who(owner=True)


class Sat:
    """Léa hosts, Tom and Zoé have phones."""

    def __init__(self, *names: str) -> None:
        self.table = Table(lambda _: SECRET)
        self.events: list[e.Event] = []
        self.presses = 0
        self.present: dict[int, int] = {}
        for number, name in enumerate(names or ("Léa", "Tom", "Zoé"), start=1):
            if number == 1:
                opening = Who(owner=True, table="evening", commitment=commitment_of(SECRET), secret=hashed(name))
                self.take(execute(self.table, c.Open(name), opening))
            else:
                self.take(execute(self.table, c.Join(name), Who(secret=hashed(name))))
            self.present[number] = 1

    def take(self, events: list[e.Event]) -> list[e.Event]:
        """Write down what has come about."""
        self.events += events
        return events

    def execute(
        self, command: c.Command, person: int | None = 1, *, at: int | None = None, **more: Any
    ) -> list[e.Event]:
        """Somebody says something; nobody when ``person`` is ``None``, and the owner with ``owner=True``."""
        who = Who(person, at=at, present=frozenset(self.present), **more)
        return self.take(execute(self.table, command, who))

    def refused(self, command: c.Command, person: int | None = 1, **more: Any) -> str:
        """The word of the refusal; nothing has changed."""
        before = values_of(self.table)
        with pytest.raises(TableRefusal) as refusal:
            self.execute(command, person, **more)
        assert values_of(self.table) == before
        assert refusal.value.text["fr"], "a refusal says why"
        return refusal.value.word

    def act(self, *action: Any, person: int | None = 1) -> list[e.Event]:
        return self.execute(c.Act(list(action)), person)

    def lay(self, seat: int, card: str, **parts: Any) -> list[e.Event]:
        """Whoever sits there lays that card."""
        return self.act("play", seat, {"act": "lay", "card": card, **parts}, person=self.match.order[seat])

    @property
    def match(self) -> Match:
        assert self.table.match is not None
        return self.table.match

    def order(self) -> tuple[int | None, str | None]:
        """What the next push brings."""
        now = order(self.table, MOST_CARDS)
        return now.cards, now.why.value if now.why else None

    def handle_notice(self, notice: launcher.Notice) -> list[e.Event]:
        return self.take(handle_notice(self.table, notice))

    def accepted(self, source: str = "button", *, ejected: int | None = None) -> list[e.Event]:
        """A push that counts."""
        self.presses += 1
        cards = order(self.table, MOST_CARDS).cards if ejected is None else ejected
        assert cards != 0, "the launcher would have refused it"
        ordered = ejected is None and cards is not None
        return self.handle_notice(launcher.PressAccepted(self.presses, source, cards, None, ordered=ordered))

    def ended(
        self, delivered: int | None, cause: str = "complete", planned: int | None = None, doubles: int = 0
    ) -> Any:
        plan = planned if planned is not None else delivered or 0
        end = launcher.BurstEnd.DUD if cause == "complete" and not plan else launcher.BurstEnd(cause)
        return self.handle_notice(launcher.BurstEnded(self.presses, plan, delivered, end, suspected_doubles=doubles))

    def press(self, cards: int | None = None, **more: Any) -> list[e.Event]:
        """A push and its whole burst: what was ordered, or so many."""
        ordered = order(self.table, MOST_CARDS).cards
        accepted = self.accepted(**more)
        came = cards if cards is not None else ordered or 0
        return [*accepted, *self.ended(came)]

    def view(self, person: int | None = 1, language: str = "en", *, owner: bool = False) -> dict[str, Any]:
        around = Around(self.present, 1.5, {"code": self.table.code})
        return view(self.table, Viewer(person, owner, language), around)

    def sheet(self, person: int | None = 1, language: str = "en", *, owner: bool = False) -> dict[str, Any]:
        return sheet(self.table, Viewer(person, owner, language), Around(self.present))

    def again(self) -> Table:
        """The table that its events bring back, as they come from the journal."""
        table = Table(lambda _: SECRET)
        for event in self.events:
            written = msgspec.json.decode(msgspec.json.encode(event))
            table.apply(msgspec.convert(written, e.EVENTS[event.type]))
        return table

    def check(self) -> None:
        """The events alone bring back the same table."""
        assert values_of(self.again()) == values_of(self.table)


def values_of(table: Table) -> dict[str, Any]:
    """All that a table is, to compare."""
    match = table.match
    known: dict[str, Any] = {
        "open": (table.name, table.commitment, table.at, table.changed_at, table.called_at),
        "people": vars(table.people) | {"persons": {each: vars(it) for each, it in table.people.persons.items()}},
        "pushes": table.pushes,
        "asked": table.asked,
        "shuffles": (table.shuffles, table.seeds, table.next_tracking_mode, table.host_only, table.paused),
    }
    if match is not None:
        known["match"] = (
            match.order, match.tracking_mode, match.game.log, match.game.phase, match.game.demand, match.scores,
            match.game.state.sizes, [(each.number, each.seat, each.left, each.total) for each in match.ledger.debts],
            match.ledger.deeds, match.ledger.undone, match.marks,
            match.undone_marks, match.rounds_played, match.dealing, match.open_round, match.due,
        )  # fmt: skip
    return msgspec.json.decode(msgspec.json.encode(msgspec.to_builtins(known, enc_hook=str)))  # type: ignore[no-any-return]


def referee(game: str = "uno-extreme", top: str = "red 5", *names: str, **options: Any) -> Sat:
    """A match that the table tells card by card, with that card on top; seat 0 is in turn, so far as the game says."""
    sat = Sat(*names)
    sat.execute(c.Start(game, options=options))
    turn_up(sat, top)
    return sat


def turn_up(sat: Sat, top: str) -> None:
    """Answer what lies on top, where it is asked."""
    if sat.match.game.question is not None:
        sat.act("answer", None, top)


def in_turn(sat: Sat, seat: int) -> Sat:
    """Say whose turn it is."""
    sat.act("turn", seat, None)
    return sat


def pressing_four() -> Sat:
    """Uno Extrême: Léa has laid a Press 4, and Tom owes."""
    sat = in_turn(referee("uno-extreme", "red 5"), 0)
    sat.act("hand size", 0, 7)
    sat.lay(0, "red press 2")
    return sat


def drawing_two(game: str = "uno") -> Sat:
    """Uno: Léa has laid a +2, and Tom draws two."""
    sat = in_turn(referee(game, "red 5"), 0)
    sat.lay(0, "red +2")
    return sat


def counting(game: str = "uno-extreme", **options: str) -> Sat:
    sat = Sat()
    sat.execute(c.Start(game, dict(options), e.TrackingMode.COUNTER))
    return sat


def owed(sat: Sat) -> tuple[int, int] | None:
    demand = sat.match.game.demand
    return (demand.payer, demand.number) if demand else None
