"""Draw the outcome of each press from one seeded stream.

Draw ``k`` depends only on the seed and ``k``: HMAC-SHA256, with the seed as key, of a fixed label and ``k`` gives 32
bytes, split into independent uniform numbers in [0, 1): for the fire policy, the size and the suspense. A press uses
one draw whether it needs all numbers or not; so draws are numbered by press, whatever the policy does.
"""

from __future__ import annotations

import hmac
import struct
from bisect import bisect_right
from typing import Any

from dispenser.config import error_at
from dispenser.i18n import Text
from dispenser.launcher.messages import Outcome
from dispenser.odds.fairness import checked_seed
from dispenser.odds.policies import FirePolicy
from dispenser.odds.presets import OddsDesign, OddsSettingsError

_LABEL = b"card-dispenser draw\0"
_TO_UNIT = 2.0**-53
_FROM_ONE = Text("draws are counted from 1; give 1 or more")


def uniforms(seed: bytes, draw: int) -> tuple[float, float, float]:
    """Return the numbers of draw ``draw``, each uniform in [0, 1): for the fire policy, the size, the suspense."""
    digest = hmac.digest(seed, _LABEL + draw.to_bytes(8, "big"), "sha256")
    fire, size, suspense = struct.unpack_from(">QQQ", digest)
    return (fire >> 11) * _TO_UNIT, (size >> 11) * _TO_UNIT, (suspense >> 11) * _TO_UNIT


class Odds:
    """Odds with a seed, ready to draw.

    :param seed: 32 secret bytes, from ``fairness.new_secret``.
    :param next_draw: number of the next draw; never reuse an earlier one under the same commitment.
    """

    def __init__(self, design: OddsDesign, seed: bytes, next_draw: int = 1) -> None:
        if next_draw < 1:
            raise OddsSettingsError(error_at(("next_draw",), _FROM_ONE, next_draw))
        self.design = design
        self.next_draw = next_draw
        self._seed = checked_seed(seed)
        self._state = 0
        self._branches = _compile_fire(design.fire)
        sizes = design.sizes()
        self._size_limits, self._sizes = _limits([chance for _, chance in sizes]), [cards for cards, _ in sizes]

    def reset(self) -> None:
        """Reset the policy's state, at power-on or when the lid was shut. The stream goes on."""
        self._state = 0

    def draw(self) -> Outcome:
        """Use exactly one draw of the stream for a press; return its outcome."""
        draw = self.next_draw
        self.next_draw = draw + 1
        fire, size, suspense = uniforms(self._seed, draw)
        limits, branches = self._branches[self._state]
        fires, self._state = branches[bisect_right(limits, fire)]
        return Outcome(draw, self._sizes[bisect_right(self._size_limits, size)] if fires else 0, suspense)

    def describe(self) -> dict[str, Any]:
        """Return the odds without seed and state, for JSON."""
        return self.design.describe()


_Chooser = tuple[list[float], list[tuple[bool, int]]]


def _limits(probabilities: list[float]) -> list[float]:
    """Return the upper bounds of all branches but the last, which takes the rest: for ``bisect_right``."""
    limits, total = [], 0.0
    for probability in probabilities[:-1]:
        total += probability
        limits.append(total)
    return limits


def _compile_fire(fire: FirePolicy) -> dict[int, _Chooser]:
    """Return the branches of every state reachable from 0, for ``bisect``."""
    compiled: dict[int, _Chooser] = {}
    waiting = [0]
    while waiting:
        state = waiting.pop()
        if state in compiled:
            continue
        branches = [branch for branch in fire.branches(state) if branch.probability > 0]
        compiled[state] = (
            _limits([branch.probability for branch in branches]),
            [(branch.fires, branch.next_state) for branch in branches],
        )
        waiting += [branch.next_state for branch in branches]
    return compiled
