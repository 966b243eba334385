"""What to look at first when a burst has ended badly, for people."""

from __future__ import annotations

from dispenser.i18n import Text
from dispenser.launcher.words import State

_WHEN = {
    State.JAMMED: Text(
        "A card is stuck in the exit. Lift the lid, take the card out, shut the lid. If there is none, the exit sensor "
        "is dark by itself: wipe it, look at its wire."
    ),
    State.EMPTY: Text("No card came out. Lift the lid, load cards, shut the lid."),
    State.BLIND: Text(  # motor, cells, second lid switch, slipping roller or the sensor: the pins cannot tell
        "The exit sensor saw nothing at all. If a card or two lie on the table, the sensor is blind: wipe it, look at "
        "its wire, and enter how many came. If none does and the motor was silent, look at the cells, the motor's "
        "wires and the lid's switches. If it turned, look whether cards are inside and the roller grips them. Then "
        "shut the lid, or reset."
    ),
}
_TOO_SOON = Text(
    "No more cards came, though about {inside} should be inside. Lift the lid, press the stack down onto the roller or "
    "load cards, shut the lid."
)
WHEN_STOPPED = Text("The motor was stopped from outside. Look at the launcher, then reset.")
WHEN_UNANSWERED = Text("The driver did not report the end of a motor run. Check the wiring, then reset.")


def when(state: State, inside: int | None) -> Text:
    """In one of the states in which a burst may end badly.

    :param inside: cards that should be in the stack, if anybody knows.
    """
    if state is State.EMPTY and inside:
        return _TOO_SOON.filled(inside=inside)
    return _WHEN[state]
