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
        description="Your own id for this command. The same id again gives the same answer, and nothing moves twice.",
        examples=["table-3:press-17"],
        extra={"hint": Text("write 1 to 64 letters A to Z, digits, and . _ : -")},
    ),
]


class Command(Struct, kw_only=True, forbid_unknown_fields=True):
    """What every command may carry."""

    id: RequestId | None = None


class Press(Command):
    """Press the button: the odds decide how many cards come."""


class Eject(Command):
    """Eject exactly so many cards, whatever the odds. At most max_burst_cards of the settings at a time."""

    cards: Annotated[int, Meta(ge=1, description="Cards to eject.", examples=[5])]


class Load(Command):
    """Say how many cards are inside now. An empty launcher is then ready again."""

    cards: Annotated[int, Meta(ge=0, le=999, description="Cards in the launcher.", examples=[112])]


class Reset(Command):
    """Say that a jam, an empty stack or a fault has been seen to. What persists, stays."""


class Count(Command):
    """Say how many cards really came out at a press, which only people can tell without an exit sensor."""

    cards: Annotated[int, Meta(ge=0, le=999, description="Cards that came out.", examples=[3])]
    press: (
        Annotated[int, Meta(ge=1, le=MAX_NUMBER, description="Number of the press, else the last one.", examples=[17])]
        | None
    ) = None


def word_of(command: Command | type[Command]) -> str:
    """Return the word for a command: ``press`` for ``Press``."""
    kind = command if isinstance(command, type) else type(command)
    return kind.__name__.lower()


COMMANDS: Final[dict[str, type[Command]]] = {word_of(kind): kind for kind in (Press, Eject, Load, Reset, Count)}
"""Command types by word: the word is the route, ``POST /api/v1/WORD``, and the terminal command, ``dispenser WORD``."""
MOVING: Final = (Press, Eject)
"""Commands that start the motor: answered when accepted; the outcome follows as events."""
