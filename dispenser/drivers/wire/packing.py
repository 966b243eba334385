"""What the messages in ``tables`` have in common: the two ways between a dataclass and bytes."""

from __future__ import annotations

import enum
from dataclasses import dataclass, fields
from struct import Struct
from typing import Any, ClassVar, Self, get_type_hints


class OpenWords(enum.IntEnum):
    """Words of which the other end may know more; those are ``UNKNOWN`` here."""

    @classmethod
    def _missing_(cls, value: object) -> Self:  # noqa: ARG003
        return cls["UNKNOWN"]


@dataclass(frozen=True, slots=True)
class Packed:
    """A message: numbers, words and bits in the order of its fields.

    :cvar TYPE: its number in a frame.
    """

    TYPE: ClassVar[int]
    LAYOUT: ClassVar[Struct]

    def pack(self) -> bytes:
        """The payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.LAYOUT.pack(*(getattr(self, field.name) for field in fields(self)))

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """From a payload.

        :raises struct.error: its length is wrong.
        :raises ValueError: a word that the dictionary does not know.
        """
        values = cls.LAYOUT.unpack(payload)
        if (kinds := _KINDS.get(cls.TYPE)) is None:
            hints = get_type_hints(cls)
            kinds = _KINDS[cls.TYPE] = [hints[field.name] for field in fields(cls)]
        return cls(*(kind(value) for kind, value in zip(kinds, values, strict=True)))


_KINDS: dict[int, list[Any]] = {}
"""What the number in each field is, by message."""
