"""What can be wrong with a journal, as sentences and as the record that reports it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from dispenser.i18n import Text, recalled

DAMAGED = "service.journal.damaged"  # The type of the entry that tells of damage
_TEXTS = {
    "entries": Text("entries {first} to {last} are missing or were altered: do not trust what is said there"),
    "newest entries": Text("the newest entries, {first} to {last}, are lost"),
    "file": Text("a part of the file cannot be read: {why}"),
    "put aside": Text("the journal was damaged ({why}); it was put aside as {kept_as}, and a new one begun"),
    "gone": Text("the journal, of {last} entries, was removed or emptied; a new one is begun"),
}
_OF_ONE = {
    "entries": Text("entry {first} is missing or was altered: do not trust what is said there"),
    "newest entries": Text("the newest entry, {first}, is lost"),
}


class Damage(msgspec.Struct, frozen=True):
    """One thing that is wrong with a journal.

    :param what: one of the words above.
    :param first: the first entry it is about, where that is known; ``last``: the last one.
    :param kept_as: the name under which a damaged file was put aside.
    """

    what: str
    first: int | None = None
    last: int | None = None
    kept_as: str | None = None
    why: str = ""

    def data(self) -> dict[str, Any]:
        """The ``data`` of an entry of the type ``DAMAGED``."""
        return msgspec.structs.asdict(self)

    @classmethod
    def told(cls, data: Mapping[str, Any]) -> Damage:
        """The damage that such an entry tells of. Unknown fields are ignored."""
        return msgspec.convert(data, cls)

    @property
    def text(self) -> Text:
        """Where it is, what it means and what was done about it, for people."""
        texts = _TEXTS | _OF_ONE if self.first == self.last else _TEXTS
        text = texts.get(self.what, Text("{what}: {why}"))
        return text.filled(**self.data() | {"why": recalled({"detail": self.why})})
