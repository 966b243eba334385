"""Commands to the launcher: one struct each, defined here and nowhere else.

The HTTP API, ``LauncherClient.send`` and the terminal commands are generated from these structs. To add one: define it
here, handle it in ``Service.handle``, add its help text to the table of ``dispenser.cli``. Permissions over the network
are in ``dispenser.web.access``; the default is the owner only.
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from dispenser.i18n import Text

MAX_NUMBER: Final = 2**53  # Numbers above are not exact in JavaScript
RequestId = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9._:-]{1,64}(?!\n)$",  # Python's $ lets a last line break pass
        description="Your own id. A command repeated with it gets the first answer and is not carried out again.",
        examples=["table-3:press-17"],
        extra={"hint": Text("write 1 to 64 letters A to Z, digits, and . _ : -")},
    ),
]


class Command(Struct, kw_only=True, forbid_unknown_fields=True):
    """A command to the launcher; with an ``id`` it is idempotent."""

    id: RequestId | None = None


class Press(Command):
    """Press the button. The number of cards is decided by the order in force, else by the odds."""


class Eject(Command):
    """Eject an exact number of cards, at most `max_burst_cards` of the settings. Odds and orders are ignored."""

    cards: Annotated[int, Meta(ge=1, description="Cards to eject.", examples=[5])]


class Load(Command):
    """Set the number of cards inside. In state `empty` or `blind`, any but 0 makes the launcher ready."""

    cards: Annotated[int, Meta(ge=0, le=999, description="Cards inside the launcher.", examples=[112])]


class Reset(Command):
    """Confirm that the cause of a jam, an empty stack or a fault is removed. A fault that persists stays."""


class Count(Command):
    """Set the number of cards that a press delivered: without an exit sensor, or to correct its count."""

    cards: Annotated[int, Meta(ge=0, le=999, description="Cards that the press delivered.", examples=[3])]
    press: (
        Annotated[
            int, Meta(ge=1, le=MAX_NUMBER, description="Number of the press; default: the last one.", examples=[17])
        ]
        | None
    ) = None


def word_of(command: Command | type[Command]) -> str:
    """Return the word for a command: ``press`` for ``Press``."""
    kind = command if isinstance(command, type) else type(command)
    return kind.__name__.lower()


COMMANDS: Final[dict[str, type[Command]]] = {word_of(kind): kind for kind in (Press, Eject, Load, Reset, Count)}
"""Command types by word: the word is the route, ``POST /api/v1/WORD``, and the terminal command, ``dispenser WORD``."""
MOVING: Final = (Press, Eject)
"""Commands that start the motor: answered when accepted; the result follows as events."""
