"""The end of an evening: the journal beside what the launcher knows, what was asked of it, and its own promises."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dispenser.odds.audit import audit
from dispenser.service.replay import replay_launcher
from tests.service.story import Story

if TYPE_CHECKING:
    from tests.nightly.search.watched import WatchedLauncher


def compare_live(watched: WatchedLauncher, live: dict[str, Any]) -> Iterator[str]:
    """The journal alone tells what the launcher knows."""
    memory = replay_launcher(watched.journal)
    for key in ("presses", "dud_streak", "cards_inside"):
        if getattr(memory, key) != live[key]:
            yield f"{key} is {live[key]} live and {getattr(memory, key)} in the journal"
    if memory.lost is not None or live["burst_press"] is not None:
        yield f"a burst is open: {memory.lost}, {live}"
    if (live["state"], live["lid_open"], live["exit_blocked"]) != ("ready", False, False):
        yield f"repaired, but not ready: {live}"
    if watched.settings.pins.light is not None and not watched.simulator.view().light_on:
        yield "ready, but the light is off"


def compare_presses(watched: WatchedLauncher, story: Story) -> Iterator[str]:
    """Every press was answered exactly once."""
    if watched.asked:
        yield f"{len(watched.asked)} presses were never answered"
    numbers = [record.data["press"] for record in watched.answers]
    if len(set(numbers)) != len(numbers):
        yield "two presses got the same answer"
    told = {record.seq: record for record in watched.records}
    if any(told.get(answer.seq) != answer for answer in watched.answers):
        yield "an answer differs from the journal"
    counted = story.by_source.get("api", 0)
    if not len(numbers) <= counted <= len(numbers) + watched.unanswered_by_error:
        yield f"{counted} presses of the API in the journal, {len(numbers)} were answered"
    pushes = presses_in(watched.eyes.button_edges, watched.settings.timing.button_settle_s)
    written = story.by_source.get("button", 0)
    if written > pushes or (written < pushes and not watched.has_missed):
        yield f"{pushes} pushes of the button, {written} in the journal"
    if story.open_press is not None:
        yield f"press {story.open_press} has no end"


def compare_journal(watched: WatchedLauncher, story: Story) -> Iterator[str]:
    written = list(watched.journal.read())
    if written != watched.records:
        yield "what was told is not what was written"
    report = audit(written, watched.journal.verify_chain())
    yield from (f"audit: {problem.in_words}" for problem in report.problems)
    if report.presses != story.accepted or report.pending or (report.unfinished and not watched.has_missed):
        yield f"the audit counts {report}"


def presses_in(edges: list[tuple[float, bool]], settle_s: float) -> int:
    """How many presses the edges of a button's wire are: the button is down once it stayed down for ``settle_s``,
    and up again once it stayed up for that long.
    """
    count, level = 0, False
    for (at_s, down), (next_s, _) in pairwise([*edges, (math.inf, False)]):
        if next_s - at_s >= settle_s and down != level:
            level = down
            count += down
    return count
