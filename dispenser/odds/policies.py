"""When a press fires and how many cards it brings: fire policies and burst sizes.

A **fire policy** is a small Markov chain. Its state is an integer that the caller stores, 0 after power-on or lid.
``branches(state)`` lists the possible outcomes of the next press; one uniform number selects. The odds, ``dispenser
odds`` and the audit use the same branches. A **burst size** lists the probability of each number of cards.

Probabilities are computed only with ``+ - * /``, so results are bit-identical on all machines and an audit on a laptop
agrees with the Pi. The fields are the keys of the tables ``[odds.fire]`` and ``[odds.size]``. A new policy is a class
here, with a tag, its keys, ``branches`` and ``sentence``, and its name in ``AnyFire``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, Final, NamedTuple

from msgspec import Meta, Struct, structs

from dispenser.config import WrongValueError
from dispenser.i18n import Text
from dispenser.launcher.messages import MAX_BURST_CARDS

LOWEST_PROBABILITY = 0.01  # A button that fires less than once in a hundred presses seems broken (assumed)
TOY_FIRES_ON = (
    *(2, 6, 9, 13, 17, 21, 24, 26, 27, 29, 32, 36, 37, 41, 44, 47, 48),
    *(51, 54, 57, 58, 62, 66, 69, 72, 73, 77, 81, 84, 85, 88, 92, 93, 96),
)
"""Presses on which the original toy fires, counted from power-on or lid, as recorded by people."""

Probability = Annotated[float, Meta(ge=LOWEST_PROBABILITY, le=1)]
Share = Annotated[float, Meta(ge=0, le=1)]
Duds = Annotated[int, Meta(ge=0, le=100)]
Cards = Annotated[int, Meta(ge=1, le=MAX_BURST_CARDS)]
_RISING_PRESSES: Final = Text("write rising press numbers from 1 to 1000, such as [2, 6, 9]")
_AT_LEAST: Final = Text("write at least {key} ({value})")
_FIRED: Final = Text("write how many of the presses after 0, 1, 2… duds fired; the last figure must be 1 or more")
_PRESSED: Final = Text("write as many figures as fired has, each at least as large as the one there, and above 0")
_TOO_FEW_BURSTS: Final = Text("the last probability, {fired}/{pressed}, must be {lowest} or more")
_COUNTS: Final = Text('write how many bursts had so many cards (1 to {most}), such as {{"3" = 4, "5" = 1}}').filled(
    most=MAX_BURST_CARDS
)


class Branch(NamedTuple):
    """One possible outcome of the next press."""

    probability: float
    fires: bool
    next_state: int


class FirePolicy(Struct, frozen=True, tag_field="policy"):
    """Decides whether a press fires."""

    sentence: ClassVar[Text]  # When a press fires, for people; its placeholders are the keys

    def in_words(self) -> Text:
        return self.sentence.filled(**structs.asdict(self))

    def branches(self, state: int) -> tuple[Branch, ...]:
        """Return the outcomes of a press in ``state``, with a sum of 1. Some burst must lead back to state 0."""
        raise NotImplementedError


class BurstSize(Struct, frozen=True, tag_field="kind"):
    """Decides how many cards a press that fires brings."""

    def chances(self) -> tuple[tuple[int, float], ...]:
        """Return (cards, probability) pairs, cards rising from 1 or more; the probabilities add up to 1."""
        raise NotImplementedError


def _require(fits: bool, key: str, remedy: Text) -> None:
    if not fits:
        raise WrongValueError(remedy, key)


def _chance(probability: float, if_dud: int) -> tuple[Branch, ...]:
    """Return the branches: fire with this probability and go to state 0; otherwise a dud that leads to ``if_dud``."""
    fires = Branch(min(1.0, probability), fires=True, next_state=0)
    return (fires,) if probability >= 1 else (fires, Branch(1.0 - probability, fires=False, next_state=if_dud))


class ToyTable(FirePolicy, frozen=True, tag="toy"):
    """A fixed table, as in the original toy. State: presses since the start of the table.

    :param fires_on: presses that fire, counted from 1 at power-on or lid, rising. After the last one the table restarts
        (assumed: nobody recorded the toy past press 96).
    """

    sentence = Text("Follows a fixed table: {fires} of {presses} presses bring cards, then it begins again.")
    fires_on: tuple[int, ...] = TOY_FIRES_ON

    def __post_init__(self) -> None:
        rising = all(low < high for low, high in zip((0, *self.fires_on), self.fires_on, strict=False))
        _require(bool(self.fires_on) and rising and self.fires_on[-1] <= 1000, "fires_on", _RISING_PRESSES)

    def in_words(self) -> Text:
        return self.sentence.filled(fires=len(self.fires_on), presses=self.fires_on[-1])

    def branches(self, state: int) -> tuple[Branch, ...]:
        press = state + 1
        return (Branch(1.0, press in self.fires_on, press % self.fires_on[-1]),)


class Memoryless(FirePolicy, frozen=True, tag="memoryless"):
    """Every press fires with the same probability, independent of earlier ones. State: always 0."""

    sentence = Text("Every press brings cards with a chance of {probability:.0%}, whatever came before.")
    probability: Probability

    def branches(self, state: int) -> tuple[Branch, ...]:  # noqa: ARG002 (it has no memory)
        return _chance(self.probability, if_dud=0)


class Countdown(FirePolicy, frozen=True, tag="countdown"):
    """A hidden number of duds, uniformly distributed, drawn at the first press after a burst or a reset; then a burst.

    State: 0, no number drawn yet; otherwise the presses until the burst, which is included.
    """

    sentence = Text("A hidden number of duds, {min_duds} to {max_duds}, then a burst.")
    min_duds: Duds
    max_duds: Duds

    def __post_init__(self) -> None:
        remedy = _AT_LEAST.filled(key="min_duds", value=self.min_duds)
        _require(self.min_duds <= self.max_duds, "max_duds", remedy)

    def branches(self, state: int) -> tuple[Branch, ...]:
        if state:
            return (Branch(1.0, state == 1, state - 1),)
        each = 1.0 / (self.max_duds - self.min_duds + 1)
        return tuple(Branch(each, duds == 0, duds) for duds in range(self.min_duds, self.max_duds + 1))


class Rising(FirePolicy, frozen=True, tag="rising"):
    """The probability rises with each dud: ``first + step * duds``, at most ``highest``.

    State: duds since the last burst, up to where the probability no longer rises.
    """

    sentence = Text(
        "The chance of a burst rises: {first:.0%} at first, {step:.0%} more after each dud, {highest:.0%} at most."
    )
    first: Share
    step: Annotated[float, Meta(ge=0.001, le=1)]
    highest: Probability = 1.0

    def __post_init__(self) -> None:
        _require(self.highest >= self.first, "highest", _AT_LEAST.filled(key="first", value=str(self.first)))

    def branches(self, state: int) -> tuple[Branch, ...]:
        probability = self.first + self.step * state
        if probability < self.highest:
            return _chance(probability, if_dud=state + 1)
        return _chance(self.highest, if_dud=state)


class EmpiricalFire(FirePolicy, frozen=True, tag="empirical"):
    """Distribution of a recorded launcher: after ``d`` duds it fires with probability ``fired[d] / pressed[d]``.

    The last entry applies to longer streaks too, and must have fired at least once. State: duds since the last burst,
    up to the end of the lists.
    """

    sentence = Text("Fires as the recorded launcher did.")
    fired: tuple[int, ...]
    pressed: tuple[int, ...]

    def __post_init__(self) -> None:
        _require(bool(self.fired) and self.fired[-1] >= 1, "fired", _FIRED)
        fits = len(self.pressed) == len(self.fired) and all(
            0 <= fired <= pressed and pressed > 0 for fired, pressed in zip(self.fired, self.pressed, strict=True)
        )
        _require(fits, "pressed", _PRESSED)
        fired, pressed = self.fired[-1], self.pressed[-1]
        too_few = _TOO_FEW_BURSTS.filled(fired=fired, pressed=pressed, lowest=str(LOWEST_PROBABILITY))
        _require(fired / pressed >= LOWEST_PROBABILITY, "pressed", too_few)

    def branches(self, state: int) -> tuple[Branch, ...]:
        return _chance(self.fired[state] / self.pressed[state], if_dud=min(state + 1, len(self.fired) - 1))


AnyFire = ToyTable | Memoryless | Countdown | Rising | EmpiricalFire  # All fire policies that settings can name


class Fixed(BurstSize, frozen=True, tag="fixed"):
    """Always the same number of cards."""

    cards: Cards

    def chances(self) -> tuple[tuple[int, float], ...]:
        return ((self.cards, 1.0),)


class _Range(BurstSize, frozen=True):
    low: Cards
    high: Cards

    def __post_init__(self) -> None:
        _require(self.low <= self.high, "high", _AT_LEAST.filled(key="low", value=self.low))


class Uniform(_Range, frozen=True, tag="uniform"):
    """``low`` to ``high`` cards, uniformly distributed. The original toy: 3 to 8."""

    def chances(self) -> tuple[tuple[int, float], ...]:
        each = 1.0 / (self.high - self.low + 1)
        return tuple((cards, each) for cards in range(self.low, self.high + 1))


class Geometric(_Range, frozen=True, tag="geometric"):
    """``low`` to ``high`` cards; each further card is ``ratio`` times as likely as the one before (truncated)."""

    ratio: Annotated[float, Meta(ge=0.01, le=1)]

    def chances(self) -> tuple[tuple[int, float], ...]:
        weights = [1.0]  # repeated products, not powers: bit-identical on all machines
        for _ in range(self.low, self.high):
            weights.append(weights[-1] * self.ratio)
        return _normalized(range(self.low, self.high + 1), weights)


class EmpiricalSize(BurstSize, frozen=True, tag="empirical"):
    """Distribution of a recorded launcher: number of bursts by number of cards."""

    counts: Annotated[dict[int, int], Meta(extra={"hint": _COUNTS})]

    def __post_init__(self) -> None:
        fits = all(1 <= cards <= MAX_BURST_CARDS and bursts > 0 for cards, bursts in self.counts.items())
        _require(fits and bool(self.counts), "counts", _COUNTS)

    def chances(self) -> tuple[tuple[int, float], ...]:
        cards = sorted(self.counts)
        return _normalized(cards, [float(self.counts[number]) for number in cards])


AnySize = Fixed | Uniform | Geometric | EmpiricalSize  # All burst sizes that settings can name


def _normalized(cards: Iterable[int], weights: list[float]) -> tuple[tuple[int, float], ...]:
    total = 0.0
    for weight in weights:  # not sum(): it compensates from Python 3.12 on, and the bits would differ from 3.11
        total += weight
    return tuple((number, weight / total) for number, weight in zip(cards, weights, strict=True))
