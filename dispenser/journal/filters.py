"""Which entries are wanted: the filters of ``JournalReader.read`` as SQL that looks at no more rows than it must."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from dispenser.journal.errors import FilterError
from dispenser.language import Text

MAX_MERGED = 100
"""Types whose numbers are merged, at most. Whoever wants more of them wants nearly every entry: those are just read."""


def stamp(wall_s: float) -> str:
    """Seconds since 1970 as an entry shows them."""
    return datetime.fromtimestamp(wall_s, UTC).isoformat(timespec="microseconds")[:-6] + "Z"


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
    """Conditions for rows of ``entries``, as SQL with named parameters, so that a part may stand in several places."""

    def __init__(
        self,
        after: int,
        before: int,
        types: Sequence[str] | None = None,
        *,
        indexed: int | None = None,
        source: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> None:
        """The entries between two numbers, and of those only some.

        :param types: exactly these types; ``None``: all.
        :param indexed: the last entry whose number stands in the table ``kinds``; ``None``: there is no such table.
        :raises FilterError: a time without a time zone.
        """
        self.after = after
        self.parameters: dict[str, Any] = {"after": after, "before": before}
        self._more = ""
        if source is not None:
            self._more += " AND source = :source"
            self.parameters["source"] = source
        for name, moment, compare in (("since", since, ">="), ("until", until, "<=")):
            if moment is not None:
                if moment.tzinfo is None:
                    raise FilterError(Text("{moment} has no time zone: give it one").filled(moment=moment))
                self._more += f" AND time {compare} :{name}"
                self.parameters[name] = stamp(moment.timestamp())
        self._types = [] if types is None else [f":type{number}" for number in range(len(types))]
        self.parameters |= {f"type{number}": type_ for number, type_ in enumerate(types or ())}
        self.merged = types is not None and len(types) <= MAX_MERGED and indexed is not None and not self._more
        """The table ``kinds`` knows where the wanted entries are, and nothing else is asked of them."""
        if indexed is not None:
            self.parameters |= {"indexed": indexed, "listed": min(before, indexed + 1)}
        if types is not None:
            self._more += f" AND type IN ({', '.join(self._types)})"

    def conditions(self, after: str = ":after") -> str:
        """SQL that is true for the wanted rows of ``entries``; another page begins with another ``:after``."""
        return f"seq > {after} AND seq < :before{self._more}"

    def numbers(self) -> str:
        """SQL for the numbers of the wanted entries; goes on with ``ORDER BY seq``.

        Merged, it is one sorted list for each type, and the newest entries, which stand in no list yet.
        """
        if not self.merged:
            return f"SELECT seq FROM entries WHERE {self.conditions()}"  # noqa: S608  # our words only
        a_list = "SELECT seq FROM kinds WHERE type = {} AND seq > :after AND seq < :listed"
        lists = [a_list.format(name) for name in self._types]
        newest = f"SELECT seq FROM entries WHERE {self.conditions('max(:after, :indexed)')}"  # noqa: S608
        return " UNION ALL ".join([*lists, newest])
