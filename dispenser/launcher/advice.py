"""What to look at first when a burst has ended badly, for people."""

from __future__ import annotations

WHEN_JAMMED = (
    "A card is stuck in the exit. Lift the lid, take the card out, shut the lid. If there is none, the exit sensor is "
    "dark by itself: wipe it, look at its wire."
)


def when_empty(inside: int | None) -> str:
    """No more cards came, and that can be believed.

    :param inside: cards that should be in the stack, if anybody knows.
    """
    if inside:
        return (
            f"No more cards came, though about {inside} should be inside. "
            "Lift the lid, press the stack down onto the roller or load cards, shut the lid."
        )
    return "No card came out. Lift the lid, load cards, shut the lid."


def when_blind(inside: int | None) -> str:
    """The exit sensor saw nothing at all: motor, cells, second lid switch, slipping roller or the sensor itself.

    :param inside: as for ``when_empty``, and not 0.
    """
    stack = "whether cards are inside" if inside is None else f"whether the roller grips one of the {inside} cards"
    return (
        "The exit sensor saw nothing at all. If a card or two lie on the table, the sensor is blind: wipe it, look at "
        "its wire, and enter how many came. If none does and the motor was silent, look at the cells, the motor's "
        f"wires and the lid's switches. If it turned, look {stack}. Then shut the lid, or reset."
    )
