"""Audit a journal: whether its presses and its shuffles came of the seeds that were committed to."""

from __future__ import annotations

from collections.abc import Iterable

from dispenser.journal import Record
from dispenser.odds.audit import audit as audit_entries
from dispenser.odds.report import AuditReport, Problem
from dispenser.table.audit import audit_shuffles


def audit_journal(entries: Iterable[Record], broken_chain: int | None = None) -> AuditReport:
    """One report of the presses and of the shuffles."""
    report = audit_entries(entries, broken_chain)
    shuffles = audit_shuffles(entries)
    report.matches, report.pending_matches = shuffles.matches, shuffles.pending
    report.problems += [Problem(each.seq, each.type, each.text) for each in shuffles.misfits]
    report.problems.sort(key=lambda problem: problem.seq)
    return report
