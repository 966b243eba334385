"""One input line: contacts bounce and barriers flicker, so only a level that has lasted counts.

It is judged by the times of its own edges, never by when somebody got round to them: edges that are taken late, in one
go, give the same levels at the same times. Ours and not gpiozero's ``bounce_time``: what that does differs from one
pin factory to the next (after stability, after the first edge, not at all on mock pins), and it drops edges.
"""

from __future__ import annotations


class Line:
    """A filtered line on somebody else's clock.

    Before each raw edge, and when ``due_s`` has come, ask ``settle``; then tell the ``edge``, and ask again.

    :param level: the level that counts at the start.
    :param settle_s: how long a new level must last without an edge before it counts, seconds; 0: at once.
    :param settle_active_s: the same for becoming active; ``None``: no difference.
    :param guess_s: how long at least a guessed level must last: the edge itself may be on its way, and tells when.
    :param now_s: the time now, seconds.
    """

    __slots__ = ("_guess_s", "_guessed", "_leaving_s", "_settle_s", "before_s", "due_s", "level", "raw", "since_s")

    def __init__(
        self, level: bool, settle_s: float, now_s: float, *, settle_active_s: float | None = None, guess_s: float = 0.0
    ) -> None:
        self._settle_s = (settle_s, settle_s if settle_active_s is None else settle_active_s)
        self._guess_s = guess_s
        self._guessed = False  # the last edge was not heard but found by looking
        self.level = level
        self.raw = level
        self.since_s = now_s
        """When the level that counts began."""
        self.before_s = now_s
        """When the level before it began."""
        self._leaving_s = now_s  # when the raw level first left the one that counts: a new level begins there
        self.due_s: float | None = None
        """When the raw level will count, if no edge comes; ``None`` while it is the one that counts."""

    def edge(self, raw: bool, at_s: float, *, guessed: bool = False) -> bool:
        """Note a raw edge; return whether it is news.

        :param guessed: found by looking at ``at_s``, so it came before; the edge itself may follow and tell when.
        """
        if raw == self.raw:
            if self._guessed and not guessed:
                self._correct(at_s)
            elif self.due_s is not None:  # the edge between was missed: it has not lasted
                self.due_s = at_s + self._settle_s[raw]
            return False
        self._guessed = guessed
        self.raw = raw
        if raw == self.level:
            self.due_s = None
        else:
            self._leaving_s = at_s
            self.due_s = at_s + (max(self._settle_s[raw], self._guess_s) if guessed else self._settle_s[raw])
        return True

    def _correct(self, at_s: float) -> None:
        """The true edge of a guess has come."""
        self._guessed = False
        if self.due_s is not None and at_s < self._leaving_s:
            self._leaving_s, self.due_s = at_s, at_s + self._settle_s[self.raw]
        elif self.due_s is None and at_s < self.since_s:
            self.since_s = at_s

    def settle(self, now_s: float) -> bool:
        """Return whether a new level has lasted long enough by ``now_s``; from then on it is ``level``."""
        if self.due_s is None or now_s < self.due_s:
            return False
        self.due_s = None
        self.level = self.raw
        self.before_s, self.since_s = self.since_s, self._leaving_s
        return True
