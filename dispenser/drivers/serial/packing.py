"""Convert the messages in ``tables`` to bytes and back."""

from __future__ import annotations

import enum
from functools import cache
from struct import Struct
from typing import Annotated, Any, ClassVar, Self, get_args, get_type_hints

import msgspec

U8 = Annotated[int, "B"]
U16 = Annotated[int, "H"]
U32 = Annotated[int, "I"]


class OpenWords(enum.IntEnum):
    """Enumeration that the other end may extend; unknown values become ``UNKNOWN``."""

    @classmethod
    def _missing_(cls, value: object) -> Self:  # noqa: ARG003
        return cls["UNKNOWN"]


class Packed(msgspec.Struct, frozen=True):
    """A message: numbers in the order of its fields, big-endian; enumerations and flags have one byte.

    :cvar TYPE: its number in a frame.
    """

    TYPE: ClassVar[int]

    def pack(self) -> bytes:
        """Return the payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.layout().pack(*msgspec.structs.astuple(self))

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """Build a message from a payload.

        :raises struct.error: its length is wrong.
        :raises ValueError: an enumeration value that the dictionary does not have.
        """
        values = cls.layout().unpack(payload)
        return cls(*(kind(value) for (kind, _), value in zip(_fields(cls), values, strict=True)))

    @classmethod
    @cache
    def layout(cls) -> Struct:
        return Struct(">" + "".join(letter for _, letter in _fields(cls)))


@cache
def _fields(message: type[Packed]) -> list[tuple[Any, str]]:
    """Return for each field the type of its value and its ``struct`` format letter."""
    hints = get_type_hints(message, include_extras=True)
    return [get_args(hints[name]) or (hints[name], "B") for name in message.__struct_fields__]
