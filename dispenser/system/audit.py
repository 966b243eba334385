"""Everything that can be proven of a journal: its presses, and the shuffles of its matches."""

from __future__ import annotations

from collections.abc import Iterable

from dispenser.journal import Record
from dispenser.odds.audit import audit as audit_entries
from dispenser.odds.report import AuditReport, Problem
from dispenser.table.audit import audit_shuffles


def audited(entries: Iterable[Record], broken_chain: int | None = None) -> AuditReport:
    """What luck says of the presses, and the table of its shuffles."""
    report = audit_entries(entries, broken_chain)
    shuffles = audit_shuffles(entries)
    report.matches, report.pending_matches = shuffles.matches, shuffles.pending
    report.problems += [Problem(each.seq, each.type, each.text) for each in shuffles.misfits]
    report.problems.sort(key=lambda problem: problem.seq)
    return report
