"""The runner sees what is so and says what is not."""

from __future__ import annotations

import pytest

from dispenser.scenario.launcher.runner import Play, failures, line
from dispenser.scenario.launcher.timeline import Timeline
from tests.scenario.rig import parse, play

PRESS = """
title = "One press"
[setup]
planned = [3]
[[step]]
name = "press"
at = 1.0
do = "press"
"""
LID = PRESS + '[[step]]\nname = "lid"\nwhen = "launcher.card.left"\ndo = "lid up"\n'
WAITS = '[[step]]\nname = "x"\nwhen = "launcher.lid.opened"\ndo = "mark"\n'
ENDED = '[[expect]]\nnotice = "launcher.burst.ended"\n'


def played(text: str) -> Play:
    (only,) = play(parse(text))
    return only


# --- expectations ---


@pytest.mark.parametrize(
    ("expectation", "seen"),
    [
        ('[[expect]]\nnotice = "launcher.burst.ended"\nwith = { delivered = 4 }', "but delivered was 3"),
        ('[[expect]]\nnotice = "launcher.card.left"\nexactly = 4', "3 of them, at 2."),
        ('[[expect]]\nnotice = "launcher.lid.opened"', "no such notice at all"),
        ('[[expect]]\nwithin = [0, 1]\nnotice = "launcher.burst.ended"', "none in that time, but at 2."),
        ('[[expect]]\nanswer = "too many"', 'no such answer; the answers were: "launcher.press.accepted" at 1.000 s'),
        ('[[expect]]\nat = 5\nstate = "feeding"', "state ready at 5.000 s"),
        ('[[expect]]\nthroughout = [0, 5]\nmotor = "off"', "motor forward from 2.100 to 2.2"),
        ('[[expect]]\nsince = "press"\nwithin = 1\nmotor = "forward"', "motor off from 1.000 to 2.000 s"),
        ('[[never]]\nmotor = "forward"', "motor forward from 2.100 to 2.2"),
        ('[[never]]\nmotor = "forward"\nlonger_than = 0.1', "motor forward from 2.100 to 2.2"),
        ('[[never]]\nnotice = "launcher.burst.started"', "1 of them, at 2.100 s"),
        ('[[never]]\nwithin = [3, 3]\nstate = "ready"', "state ready at 3.000 s"),
    ],
)
def test_what_was_seen_instead_is_told(expectation: str, seen: str) -> None:
    took = played(PRESS + expectation)
    (wrong,) = [finding for finding in took.findings if not finding.passed]
    assert seen in wrong.seen
    told = "\n".join(failures([took]))
    assert f"expected: {wrong.what}" in told
    assert f"seen:     {wrong.seen}" in told
    assert "- launcher.press.accepted" in told or wrong.at_s > 2


@pytest.mark.parametrize(
    ("steps", "seen"),
    [
        ('[[step]]\nat = 3\ndo = "clear the jam"', "the jammed card lies under the lid: open the lid first"),
        (WAITS, "did not come 1 ×"),
        (WAITS + '[[expect]]\nsince = "x"\nat = 1\nlid = "open"', 'the step "x" never happened'),
        (
            '[[step]]\nwhen = "launcher.burst.ended"\ndo = "mark"\n[[step]]\nat = 1.5\ndo = "mark"',
            "its time, 1.5 s, was over when the step before was done",
        ),
    ],
)
def test_a_step_that_cannot_be_done_in_its_time_is_a_failure(steps: str, seen: str) -> None:
    took = played(f"{PRESS}{steps}\n{ENDED}")
    assert any(seen in finding.seen for finding in took.findings if not finding.passed)


def test_the_same_file_gives_the_same_play_to_the_microsecond() -> None:
    first, second = played(LID + ENDED), played(LID + ENDED)
    assert [line(moment) for moment in first.timeline.moments] == [line(moment) for moment in second.timeline.moments]
    other = played(LID.replace("[setup]", 'seed = "another"\n[setup]') + ENDED)
    assert [moment.at_s for moment in other.timeline.moments] != [moment.at_s for moment in first.timeline.moments]


def test_a_window_is_cut_where_something_changes_and_what_lasted_no_time_is_forgotten() -> None:
    timeline = Timeline()
    timeline.observe(0.0, {"motor": "off", "lid": "shut"})
    timeline.observe(1.0, {"motor": "backward"})
    timeline.observe(1.0, {"motor": "forward"})
    timeline.observe(2.0, {"lid": "open"})
    spans = [
        (span.from_s, span.to_s, span.values["motor"], span.values["lid"])
        for span in timeline.spans(["motor", "lid"], 0.5, 3.0)
    ]
    assert spans == [(0.5, 1.0, "off", "shut"), (1.0, 2.0, "forward", "shut"), (2.0, 3.0, "forward", "open")]
    (moment,) = timeline.spans(["motor"], 1.0, 1.0)
    assert (moment.values, moment.length_s) == ({"motor": "forward"}, 0.0)
