"""What an evening came to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Figures:
    """See the module.

    :ivar ended: rounds that came to their natural end; the others were given up and counted as they stood.
    """

    game: str = ""
    telling: str = ""
    rounds: int = 0
    ended: int = 0
    tells: int = 0
    presses: int = 0
    cards: int = 0
    mistakes: Counter[str] = field(default_factory=Counter)
