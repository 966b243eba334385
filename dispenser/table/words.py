"""What tells and entries are made of."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta

MOST_TYPED: Final = 200
"""Signs of what somebody types in: more than any name has, so that one that is too long gets a sentence of its own."""

Number = Annotated[int, Meta(ge=0, le=1 << 40)]
Count = Annotated[int, Meta(ge=0, le=999)]
Points = Annotated[int, Meta(ge=-9_999, le=9_999)]
Name = Annotated[str, Meta(max_length=MOST_TYPED)]
Word = Annotated[str, Meta(max_length=64)]


class Telling(StrEnum):
    """How much the table is told."""

    COUNTER = "counter"
    """Only what brings presses, cards or points."""
    REFEREE = "referee"
    """Each card laid; hands are hidden and known by their size."""
    CARDS = "cards"
    """The cards are on the phones."""
