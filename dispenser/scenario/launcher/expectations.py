"""What a scenario expects: reading it, and saying it in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dispenser.scenario.launcher.tables import ScenarioError, Table, closest
from dispenser.scenario.launcher.words import NoticePattern, Wanted, read_chime, read_conditions, read_notice

LONGEST_S = 3600.0
"""No scenario is longer than that, in its own time."""
MAX_COUNT = 100_000


@dataclass(frozen=True, slots=True)
class Expectation:
    """Something that must be seen, or never be.

    :param mode: ``within``: at some moment of the window; ``throughout``: all of it; ``never``: at no moment.
    :param since: name of the step from which times count; ``None`` for the beginning.
    :param until_s: end of the window; ``None`` for the end of the scenario.
    :param count: how many such notices or answers, at least and at most.
    :param longer_than_s: with ``never``: it may be so, but not for longer than this at a time.
    """

    name: str
    mode: Literal["within", "throughout", "never"]
    since: str | None
    from_s: float
    until_s: float | None
    notice: NoticePattern | None = None
    answer: Wanted | None = None
    conditions: dict[str, Wanted] = field(default_factory=dict)
    count: tuple[int, int | None] = (1, None)
    longer_than_s: float = 0.0


def _read_subject(table: Table) -> tuple[NoticePattern | None, Wanted | None, dict[str, Wanted]]:
    notice = read_notice(table, "notice")
    chime = read_chime(table)
    answer = table.text("answer")
    conditions = read_conditions(table)
    if sum(map(bool, (notice, chime, answer, conditions))) != 1:
        raise ScenarioError(
            f"{table.name}: write what is expected, and one thing only: a notice, a chime, an answer, or conditions "
            "such as state, motor, cards_out"
        )
    return notice or chime, Wanted(contains=answer) if answer else None, conditions


def _read_since(table: Table, names: list[str]) -> str | None:
    since = table.text("since")
    if since is not None and since not in names:
        known = closest(since, names) if names else 'give a step a name = "…" first'
        raise table.error("since", f"no step has this name; {known}")
    return since


def _read_window(table: Table, key: str) -> tuple[float, float | None]:
    """``within = 2`` means from 0 to 2 seconds; ``within = [1, 2]`` from 1 to 2."""
    if key not in table:
        return 0.0, None
    value = table.raw(key)
    if not isinstance(value, list):
        return 0.0, table.number(key, 0, LONGEST_S)
    if len(value) != 2:
        raise table.error(key, "write the seconds of its beginning and its end: [1.0, 2.5]")
    first, last = (table.checked_number(key, each, 0, LONGEST_S) for each in value)
    if first > last:
        raise table.error(key, "the end comes before the beginning")
    return first, last


def read_expectation(table: Table, names: list[str]) -> Expectation:
    notice, answer, conditions = _read_subject(table)
    since = _read_since(table, names)
    given = [key for key in ("at", "within", "throughout") if key in table]
    if len(given) > 1:
        raise table.error(given[1], f"give {given[0]} or {given[1]}, not both")
    mode: Literal["within", "throughout"] = "within"
    if conditions:
        if not given:
            raise ScenarioError(f"{table.name}: when? Write at = …, within = … or throughout = … (seconds)")
        mode = "throughout" if given[0] == "throughout" else "within"
    elif given and given[0] != "within":
        raise table.error(given[0], "a notice or an answer is one moment: use within = [from, to]")
    if given == ["at"]:
        at_s = table.number("at", 0, LONGEST_S) or 0.0
        window: tuple[float, float | None] = (at_s, at_s)
    else:
        window = _read_window(table, given[0]) if given else (0.0, None)
    expectation = Expectation(
        name=table.name,
        mode=mode,
        since=since,
        from_s=window[0],
        until_s=window[1],
        notice=notice,
        answer=answer,
        conditions=conditions,
        count=(1, None) if conditions else _read_count(table),
    )
    table.finish()
    return expectation


def _read_count(table: Table) -> tuple[int, int | None]:
    exactly = table.whole("exactly", 0, MAX_COUNT)
    at_least = table.whole("at_least", 0, MAX_COUNT)
    at_most = table.whole("at_most", 0, MAX_COUNT)
    if exactly is not None:
        if at_least is not None or at_most is not None:
            raise table.error("exactly", "leave out at_least and at_most")
        return exactly, exactly
    if at_most is None:
        return (1 if at_least is None else at_least), None
    return at_least or 0, at_most


def read_never(table: Table, names: list[str]) -> Expectation:
    notice, answer, conditions = _read_subject(table)
    from_s, until_s = _read_window(table, "within")
    longer_than_s = table.number("longer_than", 0, LONGEST_S, 0.0) if conditions else 0.0
    expectation = Expectation(
        name=table.name,
        mode="never",
        since=_read_since(table, names),
        from_s=from_s,
        until_s=until_s,
        notice=notice,
        answer=answer,
        conditions=conditions,
        count=(0, 0),
        longer_than_s=longer_than_s or 0.0,
    )
    table.finish()
    return expectation


def describe_window(expectation: Expectation) -> str:
    """When an expectation is looked at, in words."""
    since = f' since "{expectation.since}"' if expectation.since else ""
    if expectation.until_s is None:
        return f"from {expectation.from_s:g} s on{since}" if expectation.from_s or since else "at any time"
    if expectation.from_s == expectation.until_s:
        return f"at {expectation.from_s:g} s{since}"
    span = f"{expectation.from_s:g} s to {expectation.until_s:g} s{since}"
    return f"all the time from {span}" if expectation.mode == "throughout" else f"from {span}"


def describe(expectation: Expectation) -> str:
    """An expectation in words."""
    if expectation.notice is not None:
        what = str(expectation.notice)
    elif expectation.answer is not None:
        what = f"an answer {expectation.answer}"
    else:
        what = " and ".join(f"{name} {wanted}" for name, wanted in expectation.conditions.items())
    if expectation.mode == "never":
        longest = f" for longer than {expectation.longer_than_s:g} s" if expectation.longer_than_s else ""
        return f"never {what}{longest}, {describe_window(expectation)}"
    how_often = "" if expectation.conditions else _describe_count(expectation.count)
    return f"{how_often}{what}, {describe_window(expectation)}"


def _describe_count(count: tuple[int, int | None]) -> str:
    low, high = count
    if low == high:
        return f"exactly {low} × "
    if high is None:
        return "" if low == 1 else f"at least {low} × "
    return f"at most {high} × " if not low else f"{low} to {high} × "
