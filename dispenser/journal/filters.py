"""Which entries are wanted: the filters of ``JournalReader.read`` as SQL that looks at no more rows than it must."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from dispenser.i18n import Text
from dispenser.journal.entry import stamp
from dispenser.journal.errors import FilterError

MAX_MERGED = 100
"""Types whose numbers are merged, at most. Whoever wants more of them wants nearly every entry: those are just read."""
ALL_TYPES = """
    WITH RECURSIVE known (type) AS (
        SELECT min(type) FROM kinds
        UNION ALL SELECT (SELECT min(type) FROM kinds WHERE type > known.type) FROM known WHERE known.type IS NOT NULL
    )
    SELECT type FROM known WHERE type IS NOT NULL UNION SELECT type FROM entries WHERE seq > ?
"""
"""The types there are: one look into ``kinds`` for each, however many entries there are, and the entries after it."""


def checked(patterns: Iterable[str]) -> list[str]:
    """The patterns for types, as a list.

    :raises FilterError: one of them makes no sense.
    """
    wanted = [patterns] if isinstance(patterns, str) else list(patterns)
    for pattern in wanted:
        if "*" in pattern.removesuffix("*") or not pattern:
            raise FilterError(
                Text("{pattern!r} is no type: launcher.press or launcher.* would be").filled(pattern=pattern)
            )
    return wanted


def matching(patterns: Sequence[str], types: Iterable[str]) -> list[str]:
    """Those of ``types`` that one of the patterns means, in order."""
    return sorted(type_ for type_ in set(types) if any(_matches(pattern, type_) for pattern in patterns))


def _matches(pattern: str, type_: str) -> bool:
    stem = pattern.removesuffix("*")
    if stem != pattern and not stem.endswith("."):
        return type_.startswith(stem)
    family = stem.removesuffix(".")
    return type_ == family or type_.startswith(family + ".")


class Wanted:
    """Conditions for rows of ``entries``, as SQL with named parameters, so that a part may stand in several places.

    :param types: exactly these types; ``None``: all.
    :param indexed: the last entry whose number stands in the table ``kinds``.
    :raises FilterError: a time without a time zone.
    """

    def __init__(
        self,
        after: int,
        before: int,
        types: Sequence[str] | None,
        indexed: int,
        *,
        source: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> None:
        self.parameters: dict[str, Any] = {"after": after, "before": before, "indexed": indexed}
        conditions = []
        if source is not None:
            conditions.append("source = :source")
            self.parameters["source"] = source
        for name, moment, compare in (("since", since, ">="), ("until", until, "<=")):
            if moment is not None:
                if moment.tzinfo is None:
                    raise FilterError(Text("{moment} has no time zone: give it one").filled(moment=moment))
                conditions.append(f"time {compare} :{name}")
                self.parameters[name] = stamp(moment.timestamp())
        self._merged: list[str] = []
        """The types, where ``kinds`` knows all about the wanted entries: nothing else is asked of them."""
        if types is not None:
            names = [f":type{number}" for number in range(len(types))]
            self.parameters |= {f"type{number}": type_ for number, type_ in enumerate(types)}
            if not conditions and len(types) <= MAX_MERGED:
                self._merged = names
            conditions.append(f"type IN ({', '.join(names)})")
        self._conditions = " AND ".join(["seq > {after}", "seq < :before", *conditions])

    def rows(self) -> str:
        """SQL that is true for the wanted rows of ``entries``; another page begins with another ``:after``."""
        return f"seq IN ({self.numbers()} ORDER BY seq LIMIT :limit)" if self._merged else self._plain(":after")

    def numbers(self) -> str:
        """SQL for the numbers of the wanted entries; goes on with ``ORDER BY seq``.

        Merged, it is one sorted list for each type, and the newest entries, which stand in no list yet.
        """
        a_list = "SELECT seq FROM kinds WHERE type = {} AND seq > :after AND seq < min(:before, :indexed + 1)"
        lists = [a_list.format(name) for name in self._merged]
        newest = self._plain("max(:after, :indexed)" if lists else ":after")
        return " UNION ALL ".join([*lists, f"SELECT seq FROM entries WHERE {newest}"])  # noqa: S608  # our words only

    def _plain(self, after: str) -> str:
        return self._conditions.replace("{after}", after)
