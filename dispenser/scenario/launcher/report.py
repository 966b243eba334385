"""What came of a play, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from dispenser.scenario.launcher.expectations import Finding
from dispenser.scenario.launcher.runner import Play
from dispenser.scenario.launcher.timeline import Moment

AROUND = 15
"""Moments of the timeline shown with a failure."""
_SIGNS = {"step": "*", "notice": "-", "answer": "=", "change": " "}


def line(moment: Moment) -> str:
    """One moment of the timeline."""
    return f"{moment.at_s:9.3f}  {_SIGNS[moment.kind]} {moment.words}"


def failures(plays: list[Play]) -> Iterator[str]:
    """All that failed, each finding with its first take only: what was expected and seen, what happened around it."""
    told = Counter[str]()
    for play in plays:
        for finding in play.findings:
            told[key := f"{finding.name} {finding.what}"] += not finding.passed
            if not finding.passed and told[key] == 1:
                yield from _paragraph(finding, play)
    for key, times in told.items():
        if times > 1:
            yield f"{key}: failed in {times} of {len(plays)} takes; the first is shown"


def _paragraph(finding: Finding, play: Play) -> Iterator[str]:
    take = f" (with {play.take.variant})" if play.take.variant else ""
    yield f"{finding.name} did not hold{take}"
    yield f"  expected: {finding.what}"
    yield f"  seen:     {finding.seen}"
    yield "  around it:"
    for moment in play.timeline.around(finding.at_s, AROUND):
        here = ">" if abs(moment.at_s - finding.at_s) < 1e-6 else " "
        yield f"   {here} {line(moment)}"
    yield ""


def as_dict(play: Play, *, with_timeline: bool) -> dict[str, Any]:
    """A play as JSON-able values."""
    findings = [{**asdict(finding), "passed": finding.passed} for finding in play.findings]
    told: dict[str, Any] = {"variant": play.take.variant, "passed": play.passed, "findings": findings}
    if with_timeline:
        told["timeline"] = [asdict(moment) for moment in play.timeline.moments]
    return told
