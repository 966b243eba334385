"""Evenings as a journal has them, played by bots at a pure table: quick to make, and every card of them is real."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

import msgspec

from dispenser.launcher import messages as launcher
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.history import Action, Deed
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.bots import move_out_of_turn, order_of_reaction, takes_its_turn
from dispenser.table.decisions import execute
from dispenser.table.errors import TableRefusal
from dispenser.table.people import Who
from dispenser.table.presses import convert_notice
from dispenser.table.secrets import commitment_of
from dispenser.table.table import Table

CARDS_OF_A_PRESS = (0, 0, 1, 1, 2, 3, 5)


@dataclass(frozen=True)
class Line:
    """One record of a journal."""

    seq: int
    time: str
    type: str
    data: dict[str, Any]


@dataclass
class PlayedEvening:
    """One evening in the making.

    :param first: number of its first record.
    """

    seed: str
    first: int = 1
    lines: list[Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.secret = sha256(self.seed.encode()).digest()
        self.table = Table(lambda _: self.secret)
        self.presses = 0

    def execute(self, command: c.Command, person: int | None = 1) -> None:
        name = sha256(f"name {self.seed}".encode()).hexdigest()[:12]
        who = Who(
            person,
            owner=True,
            present=frozenset({1}),
            secret="ab" * 32,
            table=name,
            commitment=commitment_of(self.secret),
        )
        self._write(execute(self.table, command, who))

    def _write(self, records: list[e.Event]) -> None:
        for record in records:
            seq = self.first + len(self.lines)
            time = f"2026-11-20T{18 + seq // 3600 % 6:02}:{seq // 60 % 60:02}:{seq % 60:02}.000000Z"
            self.lines.append(Line(seq, time, record.type, msgspec.to_builtins(record)))

    def press(self, doubles: int = 0) -> None:
        """A push of the launcher, and what it brings; of suspected doubles somebody is asked."""
        self.presses += 1
        match = self.table.match
        demand = match.game.demand if match else None
        exact = demand is not None and demand.kind is Owed.CARDS
        cards = demand.number if demand is not None and exact else self.random.choice(CARDS_OF_A_PRESS)
        planned = cards if exact else None
        self._handle_notice(launcher.PressAccepted(self.presses, "button", planned, None, ordered=exact))
        why = launcher.BurstEnd.COMPLETE if cards else launcher.BurstEnd.DUD
        self._handle_notice(
            launcher.BurstEnded(self.presses, cards, cards, why, sticking_out=False, suspected_doubles=doubles, tries=1)
        )

    def _handle_notice(self, notice: launcher.Notice) -> None:
        records = convert_notice(self.table, notice)
        for record in records:
            self.table.apply(record)
        self._write(records)

    def sit_down(self, *names: str, bots: int = 0) -> None:
        self.execute(c.Open(names[0]), None)
        for name in names[1:]:
            self.execute(c.Guest(name))
        for _ in range(bots):
            self.execute(c.Bot())

    def play(self, most_steps: int = 400, undo: float = 0.02, recount: float = 0.0) -> None:
        """Go on until the match is over; now and then a move is taken back, and a count set right."""
        for _ in range(most_steps):
            match = self.table.match
            if match is None or match.over:
                return
            if not match.in_round:
                self.execute(c.Deal())
            else:
                pressed = self.presses
                self._move()
                if self.presses > pressed and self.random.random() < recount:
                    with suppress(TableRefusal):
                        self.execute(c.SetCount(self.presses, self.random.choice(CARDS_OF_A_PRESS)))
                if self.random.random() < undo:
                    with suppress(TableRefusal):  # cards have been seen
                        self.execute(c.Undo())
                        if self.random.random() < 0.5:
                            self.execute(c.Redo())

    def _move(self) -> None:
        match = self.table.match
        assert match is not None
        game = match.game
        if game.demand is not None:
            return self.press()
        if (question := game.question) is not None:
            raise AssertionError(f"nobody answers {question}")
        for seat in order_of_reaction(game, [], self.random):
            if seat != game.turn and (move := move_out_of_turn(game, match.turns, seat, self.random)) is not None:
                return self._act(seat, move)
        move = takes_its_turn(game, self.random)
        if match.counts_presses and move.act.value == "draw":
            return self.press()
        return self._act(game.turn, move)

    def _act(self, seat: int, move: Any) -> None:
        match = self.table.match
        assert match is not None
        self.execute(c.Act(match.notes.write(Action(Deed.PLAY, seat, move))), match.order[seat])


def evening(
    seed: str,
    game: str = "uno-extreme",
    *,
    first: int = 1,
    steps: int = 400,
    names: tuple[str, ...] = ("Léa", "Tom"),
    close: bool = True,
    recount: float = 0.0,
) -> PlayedEvening:
    """An evening with the cards on the phones, from the first who comes to the last who goes."""
    played = PlayedEvening(seed, first)
    played.sit_down(*names, bots=1)
    played.execute(c.Start(game, tracking_mode=e.TrackingMode.CARDS))
    played.play(steps, recount=recount)
    if close:
        played.execute(c.Close())
    return played
