"""What can be wrong with a journal, as sentences and as the record that reports it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from dispenser.i18n import Text, recalled

DAMAGED = "service.journal.damaged"  # Type of the record that reports damage
_TEXTS = {
    "records": Text("records {first} to {last} are missing or were altered: do not trust what is said there"),
    "newest records": Text("the newest records, {first} to {last}, are lost"),
    "file": Text("a part of the file cannot be read: {why}"),
    "put aside": Text("the journal was damaged ({why}); it was put aside as {kept_as}, and a new one begun"),
    "gone": Text("the journal, of {last} records, was removed or emptied; a new one is begun"),
}
_OF_ONE = {
    "records": Text("record {first} is missing or was altered: do not trust what is said there"),
    "newest records": Text("the newest record, {first}, is lost"),
}


class Damage(msgspec.Struct, frozen=True):
    """One defect of a journal.

    :param what: a key of ``_TEXTS``.
    :param first: number of the first record concerned, if known; ``last``: the last one.
    :param kept_as: name to which a damaged file was renamed.
    """

    what: str
    first: int | None = None
    last: int | None = None
    kept_as: str | None = None
    why: str = ""

    def data(self) -> dict[str, Any]:
        """Return the ``data`` of a record of type ``DAMAGED``."""
        return msgspec.structs.asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Damage:
        """Return the damage from the ``data`` of a record. Unknown fields are ignored."""
        return msgspec.convert(data, cls)

    @property
    def text(self) -> Text:
        """Description for people: where it is, what it means and what was done about it."""
        texts = _TEXTS | _OF_ONE if self.first == self.last else _TEXTS
        text = texts.get(self.what, Text("{what}: {why}"))
        return text.filled(**self.data() | {"why": recalled({"detail": self.why})})
