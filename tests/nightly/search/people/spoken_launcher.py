"""A launcher made of words: what it really lets out, and what it says of that, is as the dice have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dispenser.launcher import messages as launcher
from dispenser.table.presses import order
from tests.nightly.search.people.sitting import MOST_CARDS

if TYPE_CHECKING:
    from tests.nightly.search.people.presses import Payers

WELL: Final = 25
FAULTS: Final = ("double", "unseen", "flicker", "lid", "jam", "blind", "killed")
_ENDS: Final = {"lid": launcher.BurstEnd.LID, "jam": launcher.BurstEnd.JAMMED}


class PureLauncher:
    """Pushed by people, of whose evening it is a part.

    :cvar killed_after_a_tell: how often the power fails just then.
    :cvar bots: whether bots may play: only where they wait until they are asked.
    """

    killed_after_a_tell = 0.01
    bots = True

    def __init__(self, evening: Payers) -> None:
        self._evening = evening

    def press(self, person: int) -> None:
        """``person`` pushes; what comes out lies in the real hand when this returns."""
        evening, dice = self._evening, self._evening.dice
        sitting, hands = evening.sitting, evening.hands
        wanted = order(sitting.table, MOST_CARDS)
        planned = wanted.cards if wanted.cards is not None else dice.choice((0, 0, 0, 3, 4, 5, 8))
        assert sitting.push(), f"{person} owes, and a push is refused: {wanted}"
        assert sitting.burst is not None
        press = sitting.burst[0]
        if dice.random() < 0.1:
            assert not sitting.push(), "a second push while the cards come"
            evening.did("pushed twice")
        evening.meanwhile(press)
        if sitting.table.stand_in is not None and len(hands.stack) > planned:
            self._from_the_pile(person, press, planned)
            return
        how = dice.choice(("well",) * WELL + FAULTS)
        if how == "killed":
            came = hands.come_out(person, dice.randint(0, planned))
            evening.came(press, came, "killed")
            sitting.dies(seen=dice.choice((came, max(0, came - 1), 0)))
            return
        self._bring(person, press, planned, how)

    def _bring(self, person: int, press: int, planned: int, how: str) -> None:
        evening, hands = self._evening, self._evening.hands
        end = launcher.BurstEnd.COMPLETE
        seen: int | None = planned
        if planned == 0 or how == "well":
            came = hands.come_out(person, planned)
        elif how in {"double", "unseen"}:
            came = hands.come_out(person, planned + 1)
        elif how == "flicker":
            came = hands.come_out(person, planned - 1)
        else:
            came = hands.come_out(person, evening.dice.randint(0, planned))
            end = _ENDS.get(how, launcher.BurstEnd.BLIND)
            seen = None if how == "blind" else came
        if planned and end is launcher.BurstEnd.COMPLETE and not hands.stack and came < planned:
            end, seen = launcher.BurstEnd.EMPTY, came
        sure = end is launcher.BurstEnd.COMPLETE and (how != "double" or not planned or evening.virtual)
        evening.came(press, came, how if planned else "dud", believed=seen if sure else None)
        evening.sitting.burst_ends(seen, end, doubles=1 if how == "double" and planned else 0)

    def _from_the_pile(self, person: int, press: int, planned: int) -> None:
        """A phone is the launcher: it says how many, and fingers take them, one more or less at times."""
        evening, dice = self._evening, self._evening.dice
        slip = dice.choice((-1, 1)) if planned and dice.random() < 0.05 else 0
        came = evening.hands.come_out(person, planned + slip)
        evening.came(press, came, "taken wrong from the pile" if slip else "well", believed=planned)
        evening.did("taken from the pile")
        evening.sitting.burst_ends(planned)
        thrown = evening.sitting.table.thrown
        assert thrown is not None and (thrown.press, thrown.cards) == (press, planned), f"it said {thrown}"  # noqa: PT018
