"""When a press fires and how many cards it brings: fire policies and burst sizes.

A **fire policy** is a small Markov chain. Its state is one whole number; 0 is the state after power-on or after the
lid was shut. ``branches(state)`` lists what the next press may do: how likely, whether it fires, and the state after
it. One uniform figure chooses the branch. The odds, the expectations that ``dispenser odds`` prints and the audit all
read the same branches, so they cannot disagree.

A **burst size** is a list of chances: ``chances()`` gives (cards, probability) pairs for a press that fires.

Probabilities are computed with ``+ - * /`` only, so every machine gets the same bits and an audit made on a laptop
agrees with the Pi. ``describe()`` gives a dict for JSON from which ``presets.py`` builds an equal policy or size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Protocol

from dispenser.launcher.messages import MAX_BURST_CARDS

LOWEST_PROBABILITY = 0.01
"""A button that fires less than once in a hundred presses is broken, not thrilling (assumed)."""

TOY_FIRES_ON = (
    *(2, 6, 9, 13, 17, 21, 24, 26, 27, 29, 32, 36, 37, 41, 44, 47, 48),
    *(51, 54, 57, 58, 62, 66, 69, 72, 73, 77, 81, 84, 85, 88, 92, 93, 96),
)
"""Presses on which the original toy fires, counted from power-on or lid, as people noted them."""


class OddsError(Exception):
    """Something about the odds. The text says what, where, and what to do."""


class OddsSettingsError(OddsError, ValueError):
    """A setting of the odds that cannot be used.

    :param key: dotted key inside the odds table, such as ``fire.probability``.
    :param value: what stands there.
    :param remedy: what to write instead.
    """

    def __init__(self, key: str, value: object, remedy: str) -> None:
        super().__init__(f"{key} = {value!r}: {remedy}")
        self.key = key
        self.value = value
        self.remedy = remedy


class Branch(NamedTuple):
    """One thing the next press may do."""

    probability: float
    fires: bool
    next_state: int


class FirePolicy(Protocol):
    """Does this press fire? Parameters are immutable; the state is a whole number that the caller keeps."""

    policy: ClassVar[str]

    def branches(self, state: int) -> tuple[Branch, ...]:
        """What a press in ``state`` may do; the probabilities add up to 1. Some burst must lead back to state 0."""
        ...

    def describe(self) -> dict[str, Any]: ...


class BurstSize(Protocol):
    """How many cards does a press that fires bring?"""

    kind: ClassVar[str]

    def chances(self) -> tuple[tuple[int, float], ...]:
        """(cards, probability) pairs, cards rising from 1 or more; the probabilities add up to 1."""
        ...

    def describe(self) -> dict[str, Any]: ...


def _require(fits: bool, key: str, value: object, remedy: str) -> None:
    if not fits:
        raise OddsSettingsError(key, value, remedy)


def _require_probability(key: str, value: float) -> None:
    remedy = f"write a probability from {LOWEST_PROBABILITY} to 1, such as 0.35"
    _require(LOWEST_PROBABILITY <= value <= 1, key, value, remedy)


def _chance(probability: float, if_dud: int) -> tuple[Branch, ...]:
    """Fire with that probability and start again; otherwise a dud that leads to ``if_dud``."""
    if probability >= 1:
        return (Branch(1.0, fires=True, next_state=0),)
    return (
        Branch(probability, fires=True, next_state=0),
        Branch(1.0 - probability, fires=False, next_state=if_dud),
    )


# --- fire policies ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToyTable:
    """A fixed table, as in the original toy: nothing is left to luck but the number of cards.

    :param fires_on: presses that fire, counted from 1 at power-on or lid, rising; the toy's own by default.
        After the last of them the table begins again (assumed: nobody noted the toy past press 96).

    State: presses since the table began.
    """

    policy: ClassVar[str] = "toy"
    fires_on: tuple[int, ...] = TOY_FIRES_ON
    _firing: frozenset[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        key, remedy = "fire.fires_on", "write rising press numbers from 1 to 1000, such as [2, 6, 9]"
        _require(bool(self.fires_on), key, list(self.fires_on), remedy)
        rising = all(low < high for low, high in zip((0, *self.fires_on), self.fires_on, strict=False))
        _require(rising and self.fires_on[-1] <= 1000, key, list(self.fires_on), remedy)
        object.__setattr__(self, "_firing", frozenset(self.fires_on))

    def branches(self, state: int) -> tuple[Branch, ...]:
        press = state + 1
        return (Branch(1.0, press in self._firing, press % self.fires_on[-1]),)

    def describe(self) -> dict[str, Any]:
        return {"policy": self.policy, "fires_on": list(self.fires_on)}


@dataclass(frozen=True, slots=True)
class Memoryless:
    """Every press fires with the same probability, whatever came before. State: always 0."""

    policy: ClassVar[str] = "memoryless"
    probability: float

    def __post_init__(self) -> None:
        _require_probability("fire.probability", self.probability)

    def branches(self, state: int) -> tuple[Branch, ...]:  # noqa: ARG002 (it has no memory)
        return _chance(self.probability, if_dud=0)

    def describe(self) -> dict[str, Any]:
        return {"policy": self.policy, "probability": self.probability}


@dataclass(frozen=True, slots=True)
class Countdown:
    """A hidden number of duds, ``min_duds`` to ``max_duds``, each as likely; then a burst, and a new number.

    The number is drawn at the first press after a burst or a reset (its draw of the stream pays for it), and holds
    until the burst. State: 0, no number drawn yet; otherwise the presses until the burst, that one included.
    """

    policy: ClassVar[str] = "countdown"
    min_duds: int
    max_duds: int

    def __post_init__(self) -> None:
        _require(0 <= self.min_duds <= 100, "fire.min_duds", self.min_duds, "write a whole number from 0 to 100")
        remedy = f"write a whole number from min_duds ({self.min_duds}) to 100"
        _require(self.min_duds <= self.max_duds <= 100, "fire.max_duds", self.max_duds, remedy)

    def branches(self, state: int) -> tuple[Branch, ...]:
        if state:
            return (Branch(1.0, state == 1, state - 1),)
        each = 1.0 / (self.max_duds - self.min_duds + 1)
        return tuple(Branch(each, duds == 0, duds) for duds in range(self.min_duds, self.max_duds + 1))

    def describe(self) -> dict[str, Any]:
        return {"policy": self.policy, "min_duds": self.min_duds, "max_duds": self.max_duds}


@dataclass(frozen=True, slots=True)
class Rising:
    """Each dud makes the next press more likely to fire: ``first + step * duds``, but never above ``highest``.

    With ``highest`` at 1 a burst is certain sooner or later. State: duds since the last burst, up to where the
    probability no longer rises.
    """

    policy: ClassVar[str] = "rising"
    first: float
    step: float
    highest: float = 1.0

    def __post_init__(self) -> None:
        _require(0 <= self.first <= 1, "fire.first", self.first, "write a probability from 0 to 1, such as 0.15")
        _require(0.001 <= self.step <= 1, "fire.step", self.step, "write 0.001 to 1, such as 0.15")
        _require_probability("fire.highest", self.highest)
        remedy = f"write at least fire.first ({self.first})"
        _require(self.highest >= self.first, "fire.highest", self.highest, remedy)

    def branches(self, state: int) -> tuple[Branch, ...]:
        probability = self.first + self.step * state
        if probability < self.highest:
            return _chance(probability, if_dud=state + 1)
        return _chance(self.highest, if_dud=state)

    def describe(self) -> dict[str, Any]:
        return {"policy": self.policy, "first": self.first, "step": self.step, "highest": self.highest}


@dataclass(frozen=True, slots=True)
class EmpiricalFire:
    """What a recorded launcher did: after ``d`` duds it fires with probability ``fired[d] / pressed[d]``.

    Both lists run over the duds since the last burst (or reset). The last entry holds for longer streaks too, and
    must have fired at least once. A memory longer than one streak, such as a fixed table, is not kept. State: duds
    since the last burst, up to the end of the lists.
    """

    policy: ClassVar[str] = "empirical"
    fired: tuple[int, ...]
    pressed: tuple[int, ...]

    def __post_init__(self) -> None:
        remedy = "write how many of the presses after 0, 1, 2… duds fired; the last figure must be 1 or more"
        _require(bool(self.fired) and self.fired[-1] >= 1, "fire.fired", list(self.fired), remedy)
        remedy = "write as many figures as fire.fired has, each at least as large as the one there, and above 0"
        fits = len(self.pressed) == len(self.fired) and all(
            0 <= fired <= pressed and pressed > 0 for fired, pressed in zip(self.fired, self.pressed, strict=True)
        )
        _require(fits, "fire.pressed", list(self.pressed), remedy)
        remedy = f"the last probability, {self.fired[-1]}/{self.pressed[-1]}, must be {LOWEST_PROBABILITY} or more"
        _require(self.fired[-1] / self.pressed[-1] >= LOWEST_PROBABILITY, "fire.pressed", list(self.pressed), remedy)

    def branches(self, state: int) -> tuple[Branch, ...]:
        return _chance(self.fired[state] / self.pressed[state], if_dud=min(state + 1, len(self.fired) - 1))

    def describe(self) -> dict[str, Any]:
        return {"policy": self.policy, "fired": list(self.fired), "pressed": list(self.pressed)}


# --- burst sizes --------------------------------------------------------------------------------------------------


def _require_cards(key: str, value: int, lowest: int = 1) -> None:
    remedy = f"write a whole number of cards from {lowest} to {MAX_BURST_CARDS}"
    _require(lowest <= value <= MAX_BURST_CARDS, key, value, remedy)


@dataclass(frozen=True, slots=True)
class Fixed:
    """Always the same number of cards."""

    kind: ClassVar[str] = "fixed"
    cards: int

    def __post_init__(self) -> None:
        _require_cards("size.cards", self.cards)

    def chances(self) -> tuple[tuple[int, float], ...]:
        return ((self.cards, 1.0),)

    def describe(self) -> dict[str, Any]:
        return {"kind": self.kind, "cards": self.cards}


@dataclass(frozen=True, slots=True)
class Uniform:
    """``low`` to ``high`` cards, each number as likely. The original toy: 3 to 8."""

    kind: ClassVar[str] = "uniform"
    low: int
    high: int

    def __post_init__(self) -> None:
        _require_cards("size.low", self.low)
        _require_cards("size.high", self.high, self.low)

    def chances(self) -> tuple[tuple[int, float], ...]:
        each = 1.0 / (self.high - self.low + 1)
        return tuple((cards, each) for cards in range(self.low, self.high + 1))

    def describe(self) -> dict[str, Any]:
        return {"kind": self.kind, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class Geometric:
    """``low`` to ``high`` cards; each further card is ``ratio`` times as likely as the one before (truncated)."""

    kind: ClassVar[str] = "geometric"
    low: int
    high: int
    ratio: float

    def __post_init__(self) -> None:
        _require_cards("size.low", self.low)
        _require_cards("size.high", self.high, self.low)
        _require(0.01 <= self.ratio <= 1, "size.ratio", self.ratio, "write 0.01 to 1, such as 0.7")

    def chances(self) -> tuple[tuple[int, float], ...]:
        weights = [1.0]  # repeated products, not powers: the same bits on every machine
        for _ in range(self.low, self.high):
            weights.append(weights[-1] * self.ratio)
        return _normalized(range(self.low, self.high + 1), weights)

    def describe(self) -> dict[str, Any]:
        return {"kind": self.kind, "low": self.low, "high": self.high, "ratio": self.ratio}


@dataclass(frozen=True, slots=True)
class EmpiricalSize:
    """What a recorded launcher brought: ``counts`` holds (cards, how many bursts) pairs, cards rising."""

    kind: ClassVar[str] = "empirical"
    counts: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        remedy = f'write bursts for each number of cards (1 to {MAX_BURST_CARDS}), such as {{"3" = 4, "5" = 1}}'
        cards = [cards for cards, _ in self.counts]
        fits = bool(cards) and cards == sorted(set(cards)) and cards[0] >= 1 and cards[-1] <= MAX_BURST_CARDS
        _require(fits and all(bursts > 0 for _, bursts in self.counts), "size.counts", dict(self.counts), remedy)

    def chances(self) -> tuple[tuple[int, float], ...]:
        return _normalized([cards for cards, _ in self.counts], [float(bursts) for _, bursts in self.counts])

    def describe(self) -> dict[str, Any]:
        return {"kind": self.kind, "counts": {str(cards): bursts for cards, bursts in self.counts}}


def _normalized(cards: Sequence[int], weights: Sequence[float]) -> tuple[tuple[int, float], ...]:
    total = 0.0
    for weight in weights:  # not sum(): from Python 3.12 on it compensates, and the bits would differ from 3.11
        total += weight
    return tuple((number, weight / total) for number, weight in zip(cards, weights, strict=True))


FIRE_POLICIES: Mapping[str, type[FirePolicy]] = {
    cls.policy: cls for cls in (ToyTable, Memoryless, Countdown, Rising, EmpiricalFire)
}
BURST_SIZES: Mapping[str, type[BurstSize]] = {cls.kind: cls for cls in (Fixed, Uniform, Geometric, EmpiricalSize)}
