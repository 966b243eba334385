"""Append events to the journal, and publish them when the disk has them.

``write`` commits, which outlives the process. The disk is then brought up to date beside the loop (``Journal.sync``),
once for all that was written before, and only after that the subscribers hear: no power cut can undo what anybody was
told. A journal in memory is published at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from dispenser.i18n import Text
from dispenser.journal import DAMAGED, Batch, Damage, Journal, JournalError, Record
from dispenser.odds import fairness
from dispenser.service.requests import NoSessionError

_log = logging.getLogger(__name__)

Notices = list[tuple[str, dict[str, Any]]]
_PROMISED, _KEPT = "fairness.committed", "fairness.revealed"


class JournalWriter:
    """One session's writing in one journal, from its first entry to the seed it reveals at the end.

    Each method may raise ``JournalError``: the session must end.

    :param failed: called once when the disk does not take what was written: the session must end.
    :param seed: the secret seed of this start; its commitment goes into the journal, it itself at the end.
    :param odds: the odds' description, which the audit needs.
    """

    def __init__(
        self,
        journal: Journal,
        publish: Callable[[list[Record]], object],
        failed: Callable[[JournalError], object],
        *,
        seed: bytes,
        odds: dict[str, Any],
    ) -> None:
        self.journal = journal
        self.odds = odds
        self.commitment = fairness.commitment(seed)
        self._publish = publish
        self._failed = failed
        self._seed = seed
        self._unpublished: list[Record] = []
        self._safe = 0
        """Number of the newest entry that the disk has."""
        self._syncing: asyncio.Future[None] | None = None
        self._why_not: Text | None = None

    # --- the first and the last entries of a session ---

    def start(self, about: dict[str, Any], lost: Notices, at_table: Notices) -> list[Record]:
        """Write what is wrong with the journal, what a killed service left open, who we are and which seed we are
        bound to; return that, on the disk, to be published.

        :param lost: what became of a press that was under way; ``at_table``: what that is at the table.
        """
        left_open = self._left_unrevealed(self.journal.unrevealed_secrets())
        first = self._untold(self.journal.damage) + lost
        first += [(_KEPT, {"commitment": commitment, "seed": seed}) for commitment, seed in left_open]
        first += [("service.started", about), (_PROMISED, {"commitment": self.commitment, "odds": self.odds})]
        self.journal.put_secret(self.commitment, self._seed.hex())
        entries = self.write(("service", first), ("table", at_table))
        self.journal.checkpoint()  # before anybody sees the commitment, its seed must be safe from a power cut
        self._safe = self.journal.written
        for commitment, _ in left_open:
            self.journal.forget_secret(commitment)
        return entries

    def _left_unrevealed(self, secrets: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Seeds of services that were killed: committed, used, and not shown yet."""
        if not secrets:
            return []
        last = {entry.data.get("commitment"): entry.type for entry in self.journal.read(types=[_PROMISED, _KEPT])}
        return [(commitment, seed) for commitment, seed in secrets if last.get(commitment) == _PROMISED]

    def _untold(self, damage: list[Damage]) -> Notices:
        told = [entry.data for entry in self.journal.read(types=[DAMAGED], last=100)] if damage else []
        for each in damage:
            _log.error("%s", each.text)
        return [(DAMAGED, each.data()) for each in damage if each.data() not in told]

    def stop(self) -> None:
        """Reveal the seed: from now on the audit can check every press. Else the next start reveals it."""
        revealed = (_KEPT, {"commitment": self.commitment, "seed": self._seed.hex()})
        entries = self.write(("service", [revealed, ("service.stopped", {})]))
        self.journal.forget_secret(self.commitment)
        self.publish(entries)

    def close(self) -> None:
        """Bring what was written to the disk, publish it, close the journal; the loop waits for the disk, this once."""
        if self._syncing is not None:
            self._syncing.cancel()
        try:
            self.journal.sync()
            self._synced(self.journal.written)
        except JournalError as error:
            self._fail(error)
        finally:
            self.journal.close()

    # --- writing and publishing ---

    def write(self, *batches: Batch) -> list[Record]:
        """Commit all that several sources tell as one transaction."""
        return self.journal.append_batches(*batches)

    def publish(self, entries: list[Record]) -> None:
        """Tell the subscribers of entries as soon as the disk has them."""
        if self.journal.path is None:
            self._publish(entries)
        elif entries and self._why_not is None:
            self._unpublished += entries
            self._sync_soon()

    async def safe(self) -> None:
        """Return when the disk has all that is in the journal now.

        :raises NoSessionError: the disk refuses.
        """
        newest = self.journal.written
        while self._why_not is None and self.journal.path is not None and self._safe < newest:
            await asyncio.wait([self._sync_soon()])
        if self._why_not is not None:
            raise NoSessionError(self._why_not)

    def _sync_soon(self) -> asyncio.Future[None]:
        """One sync at a time; what is written meanwhile waits for the next."""
        if self._syncing is None:
            self._syncing = asyncio.get_running_loop().run_in_executor(None, self.journal.sync)
            self._syncing.add_done_callback(partial(self._sync_ended, self.journal.written))
        return self._syncing

    def _sync_ended(self, newest: int, sync: asyncio.Future[None]) -> None:
        self._syncing = None
        if sync.cancelled():
            return
        try:
            sync.result()
        except JournalError as error:
            self._fail(error)
            return
        self._synced(newest)
        if self._unpublished:
            self._sync_soon()

    def _synced(self, newest: int) -> None:
        """The disk has all up to that entry."""
        self._safe = newest
        safe = [entry for entry in self._unpublished if entry.seq <= newest]
        del self._unpublished[: len(safe)]
        self._publish(safe)

    def _fail(self, error: JournalError) -> None:
        self._why_not = error.text
        self._unpublished = []
        self._failed(error)

    def tidy(self) -> None:
        """Once a second while the motor rests: write waiting edges, and bring the log into the journal's file."""
        self.journal.flush_edges()
        if self._syncing is None:  # else the loop would wait for the disk, too
            self.journal.checkpoint()
