"""Imports of table and rules that only an evening needs: a fifth of all that a start would load.

So it is loaded by an evening that opens or goes on, all of it at once, and not by a launcher that nobody plays with.
Where there is a page it is there before anybody can open one, for the page needs it, too.
"""

from __future__ import annotations

from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import DRAW
from dispenser.table.bots import in_order_of_speaking, speaks_up, takes_its_turn
from dispenser.table.decisions import Who, step
from dispenser.table.presses import listen, order
from dispenser.table.push import payer
from dispenser.table.replay import Replay
from dispenser.table.table import Table

__all__ = [
    "DRAW",
    "Action",
    "Deed",
    "Replay",
    "Table",
    "Who",
    "in_order_of_speaking",
    "listen",
    "order",
    "payer",
    "speaks_up",
    "step",
    "takes_its_turn",
]
