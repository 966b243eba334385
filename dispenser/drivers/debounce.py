"""A contact bounces: only a level that has lasted counts.

Ours and not gpiozero's ``bounce_time``: what that does differs from one pin factory to the next (after stability,
after the first edge, not at all on mock pins), and it drops edges.
"""

from __future__ import annotations


class Debouncer:
    """One line's filter on somebody else's clock.

    Tell it every raw edge with ``edge``; when ``due`` comes, ask ``settle``. A level counts once it has lasted
    ``settle_s`` seconds without an edge; 0 lets every edge through at once.

    :param level: the level that counts at the start.
    """

    __slots__ = ("changed_at_s", "due", "level", "raw", "settle_s")

    def __init__(self, settle_s: float, *, level: bool = False) -> None:
        self.settle_s = settle_s
        self.level = level
        self.raw = level
        self.due: float | None = None
        self.changed_at_s = 0.0

    def edge(self, raw: bool, at_s: float) -> bool:
        """Note a raw edge at ``at_s``; return whether a new level counts already (only with ``settle_s`` 0)."""
        self.raw = raw
        if raw == self.level:
            self.due = None
            return False
        if self.due is None:
            self.changed_at_s = at_s
        self.due = at_s + self.settle_s
        return self.settle_s <= 0 and self.settle(at_s)

    def settle(self, now_s: float) -> bool:
        """Return whether a new level has lasted long enough now; from then on it is ``level``."""
        if self.due is None or now_s < self.due:
            return False
        self.due = None
        self.level = self.raw
        return True
