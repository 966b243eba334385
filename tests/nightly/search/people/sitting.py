"""A pure table with people and a launcher made of words, watched at each step.

Whatever is said to it: a refusal changes nothing at all, each entry survives JSON, and a second table, to which only
what the journal would keep is given, is the same at each entry.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from dispenser.launcher import messages as launcher
from dispenser.rules.engine.demands import Owed
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.decisions import execute
from dispenser.table.errors import TableRefusal
from dispenser.table.match import Match
from dispenser.table.people import Who
from dispenser.table.presses import listen, order
from dispenser.table.secrets import commitment_of
from dispenser.table.table import Table

MOST_CARDS = 30


def fingerprint(table: Table) -> dict[str, Any]:
    """All that is known of a table, as values that can be compared."""
    people = table.people
    return {
        "evening": (
            table.name,
            table.commitment,
            table.wished,
            table.host_only,
            table.paused,
            table.shuffles,
            tuple(table.seeds),
        ),
        "at": (table.at, table.changed_at, table.charged_at, table.called_at, table.called),
        "presses": (dict(table.pushes), dict(table.asked), table.last_press),
        "news": [(news.at, news.event, news.happened, news.taken_back) for news in table.news],
        "persons": {number: repr(person) for number, person in people.persons.items()},
        "order": (list(people.order), people.host, set(people.helpers)),
        "match": _of_match(table.match) if table.match is not None else None,
    }


def _of_match(match: Match) -> dict[str, Any]:
    game = match.game
    return {
        "begun": match.begun,
        "seed": match.seed,
        "earlier": list(match.earlier),
        "rounds": list(match.rounds),
        "position": game.state.position(),
        "events": list(game.events),
        "log": list(game.log),
        "undone": list(game.undone),
        "marks": (list(match.marks), list(match.undone_marks)),
        "dealing": dict(match.dealing),
        "open": match.open_round,
        "due": match.due,
        "ledger": (list(match.ledger.deeds), list(match.ledger.undone)),
    }


def hash_of(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


class Sitting:
    """See the module.

    :param careful: compare the whole table with what it was, and with its twin, each time; else after a power cut only.
    :ivar table: what is tested; ``twin`` knows only its entries.
    :ivar press: of the last push.
    :ivar burst: the press that has not ended, and how many cards it is to bring; ``None`` for luck.
    """

    def __init__(self, *, careful: bool = True) -> None:
        self.careful = careful
        self.secrets: dict[str, bytes] = {}
        self.table = Table(self.secrets.__getitem__)
        self.twin = Table(self.secrets.__getitem__)
        self.entries: list[e.Event] = []
        self.present: set[int] = set()
        self.press = 0
        self.burst: tuple[int, int | None] | None = None
        self.refusal: TableRefusal | None = None

    # --- what is said and what is heard ---

    def say(
        self, tell: c.Command, person: int | None = None, *, owner: bool = False, at: int | None = None, **more: Any
    ) -> list[e.Event]:
        """What came of it; nothing when it was refused, and then ``refusal`` says why."""
        secret = f"secret {len(self.entries)} of {len(self.secrets)}"
        evening = secret.encode()
        self.secrets.setdefault(commitment_of(evening), evening)
        who = Who(
            person, owner, at, secret=hash_of(secret), table=f"evening {len(self.entries)}",
            commitment=commitment_of(evening), present=frozenset(self.present), **more,
        )  # fmt: skip
        tell = msgspec.json.decode(msgspec.json.encode(tell), type=c.AnyCommand)
        before, self.refusal = fingerprint(self.table) if self.careful else {}, None
        try:
            entries = execute(self.table, tell, who)
        except TableRefusal as refusal:
            self.refusal, entries = refusal, []
        else:
            assert entries, f"neither done nor refused: {tell}"
        self._keep(entries)
        if self.refusal is not None and self.careful:
            assert fingerprint(self.table) == before, f"refused, and yet something has changed: {tell}"
            assert str(self.refusal)
            assert self.refusal.text["fr"]
        return entries

    def said(self, tell: c.Command, person: int | None = None, **more: Any) -> list[e.Event]:
        """The same, of what must not be refused."""
        entries = self.say(tell, person, **more)
        assert self.refusal is None, f"{tell}: {self.refusal}"
        return entries

    def refused(self, tell: c.Command, person: int | None = None, **more: Any) -> str:
        """The same, of what must be; returns the word for it."""
        entries = self.say(tell, person, **more)
        assert self.refusal is not None, f"{tell} was not refused: {entries}"
        return self.refusal.word

    def hear(self, notice: launcher.Notice) -> list[e.Event]:
        entries = listen(self.table, notice)
        self._keep(entries)
        return entries

    def take(self, *entries: e.Event) -> None:
        """What somebody else has decided, a bot for one."""
        for entry in entries:
            self.table.apply(entry)
        self._keep(entries)

    def _keep(self, entries: Iterable[e.Event]) -> None:
        if not self.careful:
            self.entries += entries
            return
        for entry in entries:
            copy = msgspec.json.decode(msgspec.json.encode(entry), type=type(entry))
            assert copy == entry, f"{entry} is {copy} after JSON"
            at = self.twin.at
            self.twin.apply(copy)
            if not isinstance(entry, e.Opened | e.Closed):
                assert self.twin.at == at + 1
            self.entries.append(entry)
        assert fingerprint(self.twin) == fingerprint(self.table)

    # --- the launcher ---

    def push(self, *, cards: int | None = None) -> bool:
        """Somebody pushes, or asks the launcher for cards; whether that was accepted."""
        self.press += 1
        now = order(self.table, MOST_CARDS)
        if self.burst is not None:
            self.hear(launcher.PressRefused(self.press, "button", launcher.Refusal.BUSY))
            return False
        if cards is None and now.cards == 0:
            assert now.why is not None
            self.hear(launcher.PressRefused(self.press, "button", now.why))
            return False
        ordered = cards is None and now.cards is not None
        number = cards if cards is not None else now.cards
        draw = self.press if number is None else None
        self.burst = self.press, number
        self.hear(launcher.PressAccepted(self.press, "button", number, draw, None, ordered))
        return True

    def burst_ends(
        self, cards: int | None, cause: launcher.BurstEnd = launcher.BurstEnd.COMPLETE, *, doubles: int = 0
    ) -> list[e.Event]:
        """The burst is over."""
        assert self.burst is not None
        (press, number), self.burst = self.burst, None
        planned = number if number is not None else cards or 0
        if cause is launcher.BurstEnd.COMPLETE and not cards:
            cause = launcher.BurstEnd.DUD
        return self.hear(
            launcher.BurstEnded(press, planned, cards, cause, suspected_doubles=doubles, tries=1 if planned else 0)
        )

    def brings(self, cards: int) -> int:
        """A push that brings so many cards; returns its number."""
        assert self.push(), f"refused: {order(self.table, MOST_CARDS)}"
        self.burst_ends(cards)
        return self.press

    def dies(self, seen: int = 0) -> None:
        """The power is cut, and the next start has the journal alone; of a burst under way ``seen`` cards were seen."""
        before = fingerprint(self.table)
        self.table = self.replayed(self.entries)
        assert fingerprint(self.table) == before, "after a power cut the table is another"
        self.burst = None
        for press in [press for press in self.table.pushes if press not in self.table.asked]:
            self.hear(launcher.BurstLost(press, seen))

    def replayed(self, entries: Sequence[e.Event]) -> Table:
        table = Table(self.secrets.__getitem__)
        for entry in entries:
            table.apply(msgspec.json.decode(msgspec.json.encode(entry), type=type(entry)))
        return table

    # --- what must always hold ---

    def check(self) -> None:
        table = self.table
        under_way = set() if self.burst is None else {self.burst[0]}
        lost = table.pushes.keys() - table.asked.keys() - under_way
        assert not lost, f"presses {lost} have ended, and the table waits for them for ever"
        self.check_order()

    def check_order(self) -> None:
        now, match = order(self.table, MOST_CARDS), self.table.playing
        assert (now.cards == 0) == (now.why is not None)
        if self.table.asked:
            assert now.why is launcher.Refusal.COUNT_FIRST
        elif match is None:
            assert now == launcher.Order()
        elif match.dealing:
            assert now.cards == min(MOST_CARDS, next(iter(match.dealing.values())))
        elif match.by_itself:
            self._check_order_of_ledger(now, match)
        elif (demand := match.game.demand) is None:
            may_press = match.counts_presses and match.may_decline
            assert now == (launcher.Order() if may_press else launcher.Order(0, launcher.Refusal.NOTHING_OWED))
        elif demand.kind is Owed.PRESSES:
            assert now.cards is None
        else:
            assert now.cards == min(MOST_CARDS, demand.number)

    def _check_order_of_ledger(self, now: launcher.Order, match: Match) -> None:
        debts = match.ledger.debts
        assert all(debt.left > 0 for debt in debts)
        if match.counts_presses:
            assert now.cards is None
        else:
            assert now.cards == (min(MOST_CARDS, debts[0].left) if debts else 1)
