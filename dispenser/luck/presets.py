"""Named odds, and odds from a settings table.

A settings table, as it stands under ``[odds]`` in the configuration::

    preset = "toy"                       # toy, gentle, wild or family; or
    recording = "saturday.csv"           # what somebody wrote down at a real launcher (see recording.py)
    cap = 12                             # never more cards than this in one burst; a larger burst is cut

    [odds.fire]                          # instead of the preset's or the recording's
    policy = "memoryless"                # toy, memoryless, countdown, rising, empirical
    probability = 0.4

    [odds.size]
    kind = "uniform"                     # fixed, uniform, geometric, empirical
    low = 3
    high = 8

``OddsDesign.describe()`` gives such a table back, whole, for the journal.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeGuard

from dispenser.launcher.messages import MAX_BURST_CARDS
from dispenser.luck.policies import (
    BURST_SIZES,
    FIRE_POLICIES,
    BurstSize,
    Countdown,
    EmpiricalFire,
    EmpiricalSize,
    FirePolicy,
    Fixed,
    Geometric,
    Memoryless,
    OddsSettingsError,
    Rising,
    ToyTable,
    Uniform,
)
from dispenser.luck.recording import parse_recording

DEFAULT_CAP = 12
"""Cards in one burst at most, unless the settings say otherwise (assumed: a burst takes about a second)."""

STREAM = "hmac-sha256/1"
"""How the stream of ``odds.py`` is made; a journal written with another one cannot be replayed here."""

ReadLines = Callable[[str], Iterable[str]]


@dataclass(frozen=True, slots=True)
class OddsDesign:
    """Odds without a seed: when a press fires, how many cards then, and the cap on a burst.

    :param name: the preset's name, ``recording`` or ``custom``; for people.
    """

    name: str
    fire: FirePolicy
    size: BurstSize
    cap: int = DEFAULT_CAP

    def __post_init__(self) -> None:
        if not 1 <= self.cap <= MAX_BURST_CARDS:
            raise OddsSettingsError("cap", self.cap, f"write a whole number of cards from 1 to {MAX_BURST_CARDS}")
        fewest = self.size.chances()[0][0]
        if fewest > self.cap:
            remedy = f"the smallest burst has {fewest} cards and would always be cut; write {fewest} or more"
            raise OddsSettingsError("cap", self.cap, remedy)

    def sizes(self) -> tuple[tuple[int, float], ...]:
        """(cards, probability) of a burst, cards rising; larger bursts are cut to the cap."""
        within = [(cards, chance) for cards, chance in self.size.chances() if cards < self.cap]
        rest = 1.0
        for _, chance in within:
            rest -= chance
        return (*within, (self.cap, rest)) if self.size.chances()[-1][0] >= self.cap else tuple(within)

    def describe(self) -> dict[str, Any]:
        """A dict for JSON, enough to build an equal design: ``design_from_description``."""
        return {
            "name": self.name,
            "stream": STREAM,
            "fire": self.fire.describe(),
            "size": self.size.describe(),
            "cap": self.cap,
        }


PRESETS: Mapping[str, OddsDesign] = MappingProxyType(
    {
        # The original: its fixed table, 3 to 8 cards.
        "toy": OddsDesign("toy", ToyTable(), Uniform(3, 8), cap=8),
        # First evenings and small hands: after a burst one press is always safe, never more than 4 duds, few cards.
        "gentle": OddsDesign("gentle", Countdown(min_duds=1, max_duds=4), Uniform(1, 4), cap=4),
        # No mercy, no pattern: twice in a row or a long silence, and now and then a fountain.
        "wild": OddsDesign("wild", Memoryless(0.4), Geometric(2, 12, ratio=0.9), cap=12),
        # Tension that grows: every dud makes the next press riskier, and the sixth press fires for certain.
        "family": OddsDesign("family", Rising(first=0.15, step=0.17, highest=1.0), Uniform(2, 6), cap=6),
    }
)


def design_from_settings(
    settings: Mapping[str, object], *, read_lines: ReadLines | None = None, max_cards: int = MAX_BURST_CARDS
) -> OddsDesign:
    """Build a design from a settings table; an empty one means the toy.

    :param read_lines: gives the lines of the file that ``recording`` names; without it that key is refused.
    :param max_cards: what the machine lets out in one burst. The cap is lowered to it, so that what the odds say
        and what the machine plans stay the same figure.
    :raises OddsSettingsError: naming the key, what stands there and what to write.
    """
    table = _Table("", settings)
    base = _base(table, read_lines)
    fire = _fire(table.table("fire")) if table.has("fire") else base.fire
    size = _size(table.table("size")) if table.has("size") else base.size
    cap = base.cap if size is base.size else DEFAULT_CAP
    cap = table.whole("cap", 1, max_cards) if table.has("cap") else min(cap, max_cards)
    table.refuse_unknown()
    name = base.name if (fire, size) == (base.fire, base.size) else "custom"
    return OddsDesign(name, fire, size, cap)


def design_from_description(description: Mapping[str, object]) -> OddsDesign:
    """Build the design that ``describe()`` described.

    :raises OddsSettingsError: when it does not fit, or was written for another stream.
    """
    table = _Table("", description)
    table.choice("stream", [STREAM])
    name = table.text("name")
    design = OddsDesign(
        name, _fire(table.table("fire")), _size(table.table("size")), table.whole("cap", 1, MAX_BURST_CARDS)
    )
    table.refuse_unknown()
    return design


def _base(table: _Table, read_lines: ReadLines | None) -> OddsDesign:
    """What ``fire``, ``size`` and ``cap`` change: a preset or a recording."""
    preset = table.has("preset")
    if not table.has("recording"):
        return PRESETS[table.choice("preset", PRESETS) if preset else "toy"]
    path = table.text("recording")
    if preset:
        raise OddsSettingsError("preset", table.text("preset"), "leave it out: recording is there already")
    if read_lines is None:
        raise OddsSettingsError("recording", path, "files cannot be read here; write fire and size instead")
    try:
        recording = parse_recording(read_lines(path))
    except (OSError, UnicodeError) as error:
        raise OddsSettingsError("recording", path, f"cannot be read ({error}); name a CSV text file") from error
    return OddsDesign("recording", recording.fire, recording.size, MAX_BURST_CARDS)


def _fire(table: _Table) -> FirePolicy:
    fire: FirePolicy
    match table.choice("policy", FIRE_POLICIES):
        case "toy":
            fire = ToyTable(table.whole_list("fires_on")) if table.has("fires_on") else ToyTable()
        case "memoryless":
            fire = Memoryless(table.number("probability"))
        case "countdown":
            fire = Countdown(table.whole("min_duds", 0, 100), table.whole("max_duds", 0, 100))
        case "rising":
            highest = table.number("highest") if table.has("highest") else 1.0
            fire = Rising(table.number("first"), table.number("step"), highest)
        case _:
            fire = EmpiricalFire(table.whole_list("fired"), table.whole_list("pressed"))
    table.refuse_unknown()
    return fire


def _size(table: _Table) -> BurstSize:
    size: BurstSize
    match table.choice("kind", BURST_SIZES):
        case "fixed":
            size = Fixed(table.whole("cards", 1, MAX_BURST_CARDS))
        case "uniform":
            size = Uniform(table.whole("low", 1, MAX_BURST_CARDS), table.whole("high", 1, MAX_BURST_CARDS))
        case "geometric":
            low, high = table.whole("low", 1, MAX_BURST_CARDS), table.whole("high", 1, MAX_BURST_CARDS)
            size = Geometric(low, high, table.number("ratio"))
        case _:
            size = EmpiricalSize(table.counts("counts"))
    table.refuse_unknown()
    return size


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 10**9


class _Table:
    """Reads one settings table: every error names the dotted key, and a key nobody asked for is refused."""

    def __init__(self, prefix: str, values: Mapping[str, object]) -> None:
        self._prefix = prefix
        self._values = values
        self._known: list[str] = []

    def has(self, key: str) -> bool:
        self._known.append(key)
        return key in self._values

    def refuse_unknown(self) -> None:
        for key in self._values:
            if key not in self._known:
                near = difflib.get_close_matches(str(key), self._known, 1)
                hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(self._known)}"
                raise self._error(key, f"no such key; {hint}")

    def table(self, key: str) -> _Table:
        value, remedy = self._get(key), f"write a table, such as [odds.{key}]"
        if not isinstance(value, Mapping):
            raise self._error(key, remedy)
        return _Table(f"{self._prefix}{key}.", value)

    def text(self, key: str) -> str:
        value = self._get(key)
        if not isinstance(value, str):
            raise self._error(key, "write a text in quotes")
        return value

    def choice(self, key: str, choices: Iterable[str]) -> str:
        names, value = list(choices), self._get(key)
        if isinstance(value, str) and value in names:
            return value
        near = difflib.get_close_matches(str(value), names, 1)
        raise self._error(key, f"write {_or(names)}" + (f" (did you mean {near[0]}?)" if near else ""))

    def number(self, key: str) -> float:
        value = self._get(key)
        if isinstance(value, float) or _is_whole(value):
            return float(value)
        raise self._error(key, "write a number, such as 0.35")

    def whole(self, key: str, low: int, high: int) -> int:
        value = self._get(key)
        if _is_whole(value) and low <= value <= high:
            return value
        raise self._error(key, f"write a whole number from {low} to {high}")

    def whole_list(self, key: str) -> tuple[int, ...]:
        value = self._get(key)
        if isinstance(value, list) and all(_is_whole(number) for number in value):
            return tuple(value)
        raise self._error(key, "write a list of whole numbers, such as [1, 2, 3]")

    def counts(self, key: str) -> tuple[tuple[int, int], ...]:
        """How often each number of cards came; keys are texts, as TOML and JSON have them."""
        value = self._get(key)
        if isinstance(value, Mapping) and all(_is_cards(cards) and _is_whole(often) for cards, often in value.items()):
            return tuple(sorted((int(cards), often) for cards, often in value.items()))
        raise self._error(key, 'write how many bursts had so many cards, such as {"3" = 4, "5" = 1}')

    def _get(self, key: str) -> object:
        self._known.append(key)
        return self._values.get(key)

    def _error(self, key: str, remedy: str) -> OddsSettingsError:
        if key not in self._values:
            remedy = f"is missing; {remedy}"
        return OddsSettingsError(self._prefix + key, self._values.get(key), remedy)


def _is_cards(text: object) -> bool:
    return isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 3


def _or(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
