"""The session's pen: writes notices to the journal, keeps what cannot be written yet, and tells the listeners."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from dispenser.i18n import Text
from dispenser.journal import DAMAGED, Batch, Damage, Entry, Journal
from dispenser.journal.errors import EntryError, JournalError, JournalMissingError
from dispenser.launcher.recollection import Recollection
from dispenser.odds import fairness

_log = logging.getLogger(__name__)

MAX_UNWRITTEN = 1000
"""Batches of notices kept while the journal cannot be written. Past that the rest is only counted, and presses are
not even that: the motor has long been off."""
Notices = list[tuple[str, dict[str, Any]]]
_PROMISED, _KEPT = "fairness.committed", "fairness.revealed"


class Pen:
    """One session's writing in one journal, from its first entry to the seed it reveals at the end.

    :param publish: tells the listeners of entries.
    :param seed: the secret seed of this start; its commitment goes into the journal, it itself at the end.
    :param odds: the odds' description, which the audit needs.
    :param memory: what the journal tells of the evening so far.
    :ivar trouble: why the journal cannot be written now; what happens meanwhile is kept and written, in order, by
        ``recover``.
    """

    def __init__(
        self,
        journal: Journal,
        publish: Callable[[list[Entry]], object],
        seed: bytes,
        odds: dict[str, Any],
        memory: Recollection | None = None,
    ) -> None:
        self.journal = journal
        self.publish = publish
        self.odds = odds
        self.commitment = fairness.commitment(seed)
        self.trouble: Text | None = None
        self._seed = seed
        self._memory = memory or Recollection()
        self._unwritten: list[tuple[Batch, ...]] = []
        self._dropped = 0
        self._unsynced = False
        self._gone = False

    # --- the first and the last entries of a service ---

    def start(self, about: dict[str, Any], at_table: Sequence[tuple[str, dict[str, Any]]] = ()) -> list[Entry]:
        """What is wrong with the journal, what a killed service left open (``at_table``, too), then who we are and
        which seed we are bound to.

        :raises JournalError: not even that could be written.
        """
        secrets = self.journal.unrevealed_secrets()
        altered = [Damage("secret", why=commitment) for commitment, seed in secrets if not _belongs(commitment, seed)]
        left_open = self._left_unrevealed([secret for secret in secrets if _belongs(*secret)])
        first = self._untold(self.journal.damage + altered)
        if (lost := self._memory.lost) is not None:
            first.append((lost.type, {"press": lost.press, "delivered": lost.delivered}))
        first += [(_KEPT, {"commitment": commitment, "seed": seed}) for commitment, seed in left_open]
        first += [("service.started", about), (_PROMISED, {"commitment": self.commitment, "odds": self.odds})]
        self.journal.put_secret(self.commitment, self._seed.hex())
        entries = self._append(("service", first), ("table", at_table))
        self.journal.checkpoint()  # before anybody sees the commitment, its seed must be safe from a power cut
        for commitment, _ in left_open:
            self.journal.forget_secret(commitment)
        return entries

    def _left_unrevealed(self, secrets: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Seeds of services that were killed: committed, used, and not shown yet."""
        if not secrets:
            return []
        last = {entry.data.get("commitment"): entry.type for entry in self.journal.read(types=[_PROMISED, _KEPT])}
        return [(commitment, seed) for commitment, seed in secrets if last.get(commitment) == _PROMISED]

    def tell(self, damage: list[Damage]) -> None:
        """Something is wrong with the journal: into the system's log, and into the journal, once."""
        self.publish(self.write(("service", self._untold(damage))))

    def _untold(self, damage: list[Damage]) -> Notices:
        told = [entry.data for entry in self.journal.read(types=[DAMAGED], last=100)] if damage else []
        for each in damage:
            _log.error("the journal is damaged: %s", each.text)
        return [(DAMAGED, each.data()) for each in damage if each.data() not in told]

    def stop(self) -> None:
        """Reveal the seed: from now on the audit can check every press; log what could not be written."""
        revealed = (_KEPT, {"commitment": self.commitment, "seed": self._seed.hex()})
        entries = self.write(("service", [revealed, ("service.stopped", {})]))
        if entries:
            self.journal.forget_secret(self.commitment)
            self.publish(entries)
        elif not self.recover():
            _log.error("%d batches of entries could not be written: %s", len(self._unwritten), self.trouble)

    # --- writing ---

    @property
    def needs_reopening(self) -> bool:
        """This journal is gone, or SQLite cannot be relied on with it any more: only a new session can go on."""
        return (self._gone and self.trouble is not None) or self.journal.broken

    @property
    def full(self) -> bool:
        """No more can be kept until the journal can be written again."""
        return len(self._unwritten) >= MAX_UNWRITTEN

    def write(self, *batches: Batch, keep: bool = True) -> list[Entry]:
        """Write all that several sources tell as one transaction; when that fails ``trouble`` is set, and nothing
        returns.

        :param keep: write it later, as one again, when that is possible.
        """
        if not (told := sum(len(entries) for _, entries in batches)):
            return []
        if self.trouble is None:
            try:
                entries = self._append(*batches)
            except EntryError:  # a mistake of the caller's, not of the disk's
                raise
            except JournalError as error:
                self.note_trouble(error)
            else:
                self._unsynced = True
                return entries
        if keep and not self.full:
            self._unwritten.append(batches)
        elif keep:
            self._dropped += told
        return []

    def erase(self, first: int, last: int, family: str, source: str, data: dict[str, Any]) -> list[Entry]:
        """Take what entries said out of the journal, and tell of it; see ``Journal.erase``. Else ``trouble`` is set."""
        if self.trouble is None:
            try:
                entries = self.journal.erase(first, last, family, source, data)
            except JournalError as error:
                self.note_trouble(error)
            else:
                self._unsynced = True
                return entries
        return []

    def _append(self, *batches: Batch) -> list[Entry]:
        entries = self.journal.append_batches(*batches)
        for entry in entries:
            self._memory.take(entry)
        return entries

    def recover(self) -> bool:
        """Try to write again; return whether the journal works."""
        try:
            self.journal.probe()
            while self._unwritten:
                entries = self._append(*self._unwritten[0])
                self._unwritten.pop(0)
                self.publish(entries)
            if self._dropped:
                self.publish(self.journal.append("service", [("service.notices.dropped", {"count": self._dropped})]))
                self._dropped = 0
        except JournalError as error:
            self.note_trouble(error)
            return False
        if self.trouble is not None:
            _log.warning("the journal can be written again")
        self.trouble = None
        return True

    def note_trouble(self, error: JournalError) -> None:
        """The journal cannot be written now."""
        if str(self.trouble) != str(error):
            _log.error("%s", error)
        self.trouble = error.text
        self._gone = isinstance(error, JournalMissingError)

    # --- upkeep, look-ups ---

    def tidy(self, *, resting: bool) -> Text | None:
        """Once a second: write waiting edges; bring what is written safely to the disk while the motor rests.

        Returns what is in the way of it, if anything is.
        """
        try:
            self.journal.still_there()
            self.journal.flush_edges()
            if resting and self._unsynced:
                self.journal.checkpoint()
                self._unsynced = False
        except JournalError as error:
            self.note_trouble(error)
        return self.trouble

    def has_ended(self, press: int) -> bool:
        """A burst of that press has ended, and not so long ago that nobody knows any more."""
        return press in self._memory.ended

    def count_of(self, press: int) -> int:
        """How many cards are believed to have come out at a press."""
        return (self._memory.ended[press].count if press in self._memory.ended else None) or 0


def _belongs(commitment: str, seed: str) -> bool:
    try:
        fairness.opened(str(commitment), str(seed))
    except fairness.SeedError:
        return False
    return True
