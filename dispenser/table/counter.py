"""The ledger of the tracking mode *counter*: the presses or cards that each seat owes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dispenser.rules.charges import Charge
from dispenser.rules.engine.demands import Owed
from dispenser.table import events as e

Deed = e.LedgerEvent


class Debt(NamedTuple):
    """A debt of a seat; ``left``: presses or cards still owed, of ``total``."""

    number: int
    seat: int
    charge: Charge
    left: int
    total: int


class Ledger:
    """Charges and payments of one round, from which the open debts are computed."""

    def __init__(self, charges: Sequence[Charge]) -> None:
        self.charges = charges
        self.deeds: list[Deed] = []
        self.undone: list[Deed] = []
        self.debts: list[Debt] = []

    def _work_out(self) -> None:
        debts: list[Debt] = []
        number = 0
        for deed in self.deeds:
            match deed:
                case e.Charged():
                    number += 1
                    debts.append(Debt(number, deed.seat, self.charges[deed.charge], deed.number, deed.number))
                case e.Forgiven():
                    debts = [debt for debt in debts if debt.number != deed.debt]
                case e.Paid() if debts:
                    first = debts[0]
                    paid = 1 if first.charge.kind is Owed.PRESSES else deed.cards
                    debts[0] = first._replace(left=max(0, first.left - paid))
                    debts = [debt for debt in debts if debt.left]
        self.debts = debts

    def clear(self) -> None:
        self.deeds, self.undone, self.debts = [], [], []

    def apply(self, deed: Deed) -> None:
        self.deeds.append(deed)
        self.undone.clear()
        self._work_out()

    def charged(self, debt: int) -> e.Charged:
        """Return what began a debt, by the number of the debt."""
        return [deed for deed in self.deeds if isinstance(deed, e.Charged)][debt - 1]

    def brought(self, press: int) -> int | None:
        """Return how many cards a press delivered, or ``None`` if it paid no debt."""
        return next((deed.cards for deed in self.deeds if isinstance(deed, e.Paid) and deed.press == press), None)

    def recount(self, press: int, cards: int) -> None:
        self.deeds = [
            e.Paid(press=press, cards=cards) if isinstance(deed, e.Paid) and deed.press == press else deed
            for deed in self.deeds
        ]
        self._work_out()

    def undo(self) -> Deed:
        return self._move_last(self.deeds, self.undone)

    def redo(self) -> Deed:
        return self._move_last(self.undone, self.deeds)

    def _move_last(self, source: list[Deed], target: list[Deed]) -> Deed:
        target.append(source.pop())
        self._work_out()
        return target[-1]
