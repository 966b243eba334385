"""``dispenser calibrate``: its steps measure a launcher by the times of its own edges, as the kernel tells them."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Generator
from functools import partial
from itertools import pairwise

from dispenser.drivers.base import Edge
from dispenser.drivers.findings import Finding
from dispenser.i18n import Text
from dispenser.launcher import messages as m
from dispenser.maintenance.measured import LID_APART_MS, PUSH_APART_MS, Card, Measured, bounces, cards_of
from dispenser.maintenance.selftest import Launcher, cut_short
from dispenser.maintenance.steps import (
    PATIENCE_S,
    Answer,
    Doing,
    Hand,
    Happened,
    Step,
    TimeIsUp,
    Wait,
    first_of,
    good,
    left_out,
    wrong,
)

ONLY_ON_PINS = Text("a microcontroller keeps its own times: only a launcher on this machine's pins can be calibrated")
PUSHES = 8
MOST_BOUNCE_MS = 40.0
"""No settling time that waits for more than that lets a quick push count."""
LIFTS = 3
SETTLE_S = 0.6
"""After a hand has moved something, until all its edges have come."""
SINGLES = 9
BURSTS, BURST_CARDS = 5, 5
STOPS = 8
NEEDED_CARDS = 60
MOST_FAILED = 4
"""Runs that may go wrong in a step; a misfeed now and then is nothing to measure by."""
_PAUSE_S = 0.4
_MOST_REST = 0.8
"""A card of which more is left when the motor is turned off stays, by any motor."""
_LEAVES_S = 0.5
_Run = Generator[Wait, Happened, tuple[m.FeedEnded | None, list[Edge], float]]


def steps(launcher: Launcher, measured: Measured) -> tuple[Step, ...]:
    """What is measured goes to ``measured`` when a step has come to its end."""
    sensor = launcher.capabilities.exit_sensor

    def with_cards(check: str, title: Text, measure: Callable[[Launcher, Measured], Doing]) -> Step:
        begin = partial(_under_shut_lid, check, partial(measure, launcher, measured))
        return Step(check, title, begin if sensor else partial(_no_sensor, check))

    return (
        Step("button", Text("The button"), partial(_button, measured)),
        Step("lid", Text("The lid"), partial(_lid, measured)),
        with_cards("singles", Text("Single cards"), _singles),
        with_cards("bursts", Text("Bursts"), _bursts),
        with_cards("coasting", Text("Coasting"), _coasting),
    )


def _no_sensor(check: str) -> Doing:
    yield from ()
    return left_out(check, Text("no exit sensor: cards cannot be timed"))


# --- contacts --------------------------------------------------------------------------------------------------------


def _button(measured: Measured) -> Doing:
    edges: list[Edge] = []
    for number in range(PUSHES):
        say = Text("Push the button and let go ({number} of {all}).").filled(number=number + 1, all=PUSHES)
        if not (yield from _moved(Wait(say, Hand.PUSH_BUTTON, within_s=PATIENCE_S), "button", m.Press, edges)):
            return _unmoved("button")
    bounce = bounces(edges, PUSH_APART_MS)
    if (longest := max(bounce, default=0.0)) > MOST_BOUNCE_MS:
        found = Text("it bounces for up to {ms:.0f} ms, nearly as long as a quick push lasts").filled(ms=longest)
        return wrong("button", found, Text("its contact is worn, or its wire is loose: change it, then measure again"))
    measured.button_bounce[:] = bounce
    return _contact("button", measured.button_bounce)


def _lid(measured: Measured) -> Doing:
    edges: list[Edge] = []
    for number in range(LIFTS):
        lift = Text("Lift the lid ({number} of {all}).").filled(number=number + 1, all=LIFTS)
        shut = Text("Shut the lid ({number} of {all}).").filled(number=number + 1, all=LIFTS)
        if not (yield from _moved(Wait(lift, Hand.LIFT_LID, within_s=PATIENCE_S), "lid", m.LidOpened, edges)):
            return _unmoved("lid")
        if not (yield from _moved(Wait(shut, Hand.SHUT_LID, within_s=PATIENCE_S), "lid", m.LidClosed, edges)):
            return _unmoved("lid")
    measured.lid_bounce[:] = bounces(edges, LID_APART_MS)
    return _contact("lid", measured.lid_bounce)


def _moved(wait: Wait, line: str, awaited: type, edges: list[Edge]) -> Generator[Wait, Happened, bool]:
    """Gather the edges of a movement, and of what follows it."""
    wait.answers = (Answer.NOTHING,)
    came: object = None
    while not isinstance(came, (awaited, Answer, TimeIsUp)):
        came = yield from first_of(wait, Edge, awaited)
        if isinstance(came, Edge) and came.line == line:
            edges.append(came)
    yield from _gathered(Wait(Text("Wait a moment."), within_s=SETTLE_S), line, edges)
    return isinstance(came, awaited)


def _gathered(wait: Wait, line: str, edges: list[Edge]) -> Generator[Wait, Happened, None]:
    """Gather edges until the time is up."""
    while not isinstance(came := (yield from first_of(wait, Edge)), TimeIsUp):
        if isinstance(came, Edge) and came.line == line:
            edges.append(came)


def _unmoved(check: str) -> Finding:
    return wrong(check, Text("nothing came of it"), Text("'dispenser selftest' finds what to look at"))


def _contact(check: str, bounce: list[float]) -> Finding:
    found = Text(
        "{number} movement, the longest bounce {ms:.1f} ms", plural="{number} movements, the longest bounce {ms:.1f} ms"
    )
    return good(check, found.filled(number=len(bounce), ms=max(bounce, default=0.0)))


# --- cards -----------------------------------------------------------------------------------------------------------


def _under_shut_lid(check: str, begin: Callable[[], Doing]) -> Doing:
    """Once the motor has begun to turn, a lid that is lifted ends the step, were it for a moment between two runs: who
    shuts it again has not asked for the motor.
    """
    doing = begin()
    try:
        wait = next(doing)
        while True:
            happened = yield wait
            if isinstance(happened, m.LidOpened) and wait.hand is not Hand.LOAD_CARDS:
                doing.close()
                return cut_short(check, m.FeedEnded(m.FeedEnd.LID, None))
            wait = doing.send(happened)
    except StopIteration as end:
        finding: Finding = end.value
        return finding


def _loaded() -> Generator[Wait, Happened, None]:
    say = Text("Put {number} cards or more into the launcher and shut the lid. The motor will turn, again and again.")
    yield from first_of(Wait(say.filled(number=NEEDED_CARDS), Hand.LOAD_CARDS, answers=(Answer.GO,)))


def _run(launcher: Launcher, cards: int, seen: Text) -> _Run:
    """A run with all its edges; its end, which is ``None`` when it was not told; when it was asked for."""
    feed = launcher.settings.feed(cards)
    going = Wait(
        Text("The motor turns."),
        seen=seen,
        within_s=feed.timeout_s + launcher.settings.driver_patience_s,
        commands=(feed,),
    )
    edges: list[Edge] = []
    came: object = None
    while not isinstance(came, (m.FeedEnded, TimeIsUp)):
        came = yield from first_of(going, Edge, m.FeedEnded)
        if isinstance(came, Edge) and came.line == "exit":
            edges.append(came)
    yield from _gathered(Wait(Text("The motor turns."), seen=seen, within_s=_PAUSE_S), "exit", edges)
    return came if isinstance(came, m.FeedEnded) else None, edges, going.at_s


def _runs(
    launcher: Launcher, check: str, runs: int, cards: int, flicker: list[float]
) -> Generator[Wait, Happened, list[tuple[float, list[Card]]] | Finding]:
    """So many good runs: when each was asked for, and its cards; or what is wrong with them."""
    done: list[tuple[float, list[Card]]] = []
    failed = 0
    while len(done) < runs:
        seen = Text("{number} of {all} runs").filled(number=len(done), all=runs)
        ended, edges, at_s = yield from _run(launcher, cards, seen)
        found = cards_of(edges, flicker)
        if ended is not None and ended.cause is m.FeedEnd.COUNT and len(found) == cards:
            done.append((at_s, found))
            continue
        failed += 1
        if failed > MOST_FAILED or ended is None or ended.cause is m.FeedEnd.LID:
            return cut_short(check, ended or m.FeedEnded(m.FeedEnd.STOPPED, None))
    return done


def _singles(launcher: Launcher, measured: Measured) -> Doing:
    yield from _loaded()
    flicker: list[float] = []
    runs = yield from _runs(launcher, "singles", SINGLES, 1, flicker)
    if isinstance(runs, Finding):
        return runs
    runs = runs[1:]  # nobody knows where the first card lay
    measured.first_after[:] = [(cards[0].dark_s - at_s) * 1e3 for at_s, cards in runs]
    measured.first_blocked[:] = [cards[0].blocked_ms for _, cards in runs]
    measured.flicker += flicker
    found = Text("the first card is in the exit after {after:.0f} ms, and blocks it for {ms:.0f} ms")
    after = statistics.median(measured.first_after)
    return good("singles", found.filled(after=after, ms=statistics.median(measured.first_blocked)))


def _bursts(launcher: Launcher, measured: Measured) -> Doing:
    yield from _loaded()
    flicker: list[float] = []
    runs = yield from _runs(launcher, "bursts", BURSTS, BURST_CARDS, flicker)
    if isinstance(runs, Finding):
        return runs
    at_speed = [pair for _, cards in runs for pair in pairwise(cards[1:])]
    measured.blocked[:] = [card.blocked_ms for _, cards in runs for card in cards[1:]]
    measured.gap[:] = [(after.dark_s - before.clear_s) * 1e3 for before, after in at_speed]
    measured.period[:] = [(after.dark_s - before.dark_s) * 1e3 for before, after in at_speed]
    measured.flicker += flicker
    found = Text("a card every {period:.0f} ms, which blocks the exit for {ms:.0f} ms")
    period, blocked = statistics.median(measured.period), statistics.median(measured.blocked)
    return good("bursts", found.filled(period=period, ms=blocked))


# --- coasting --------------------------------------------------------------------------------------------------------


def _coasting(launcher: Launcher, measured: Measured) -> Doing:
    """Turn the motor off with so much of a card still in the exit: does it leave? Closer and closer to the limit."""
    if not measured.blocked:
        return left_out("coasting", Text("the bursts come first"))
    yield from _loaded()
    blocked = statistics.median(measured.blocked)
    late: list[float] = []
    coasted: list[float] = []
    stayed: list[float] = []
    for _ in range(STOPS + MOST_FAILED):
        done = len(coasted) + len(stayed)
        if done == STOPS:
            break
        rest = (max(coasted, default=0.0) + min(stayed, default=blocked * _MOST_REST)) / 2
        seen = Text("{number} of {all} runs").filled(number=done, all=STOPS)
        stopped = yield from _stopped_in_card(launcher, blocked - rest, seen)
        if stopped is None:
            continue
        was_in, left_after = stopped
        if left_after is None:
            stayed.append(blocked - was_in)
            yield from _run(launcher, 1, seen)  # out with it
        else:
            coasted.append(blocked - was_in)
            late.append(left_after)
    if len(coasted) + len(stayed) < STOPS or not coasted:
        return wrong("coasting", Text("no card could be stopped in the exit"), Text("do the bursts again first"))
    measured.late[:], measured.coasted[:], measured.stayed[:] = late, coasted, stayed
    found = Text(
        "the roller turns on as far as in {ms:.0f} ms at full speed; a card left {late:.0f} ms after the motor"
    )
    return good("coasting", found.filled(ms=measured.coast_ms(), late=max(late)))


def _stopped_in_card(
    launcher: Launcher, after_ms: float, seen: Text
) -> Generator[Wait, Happened, tuple[float, float | None] | None]:
    """Turn the motor off when the second card of a run has been in the exit for so long.

    :returns: how long it had been there, and how long after that it left, ``None`` if it stayed; ms. ``None``: there
        was no second card.
    """
    feed = launcher.settings.feed(BURST_CARDS)
    going = Wait(Text("The motor turns."), seen=seen, within_s=feed.timeout_s, commands=(feed,))
    edges: list[Edge] = []
    while sum(edge.active for edge in edges) < 2:
        came = yield from first_of(going, Edge, m.FeedEnded)
        if not isinstance(came, Edge):
            return None
        if came.line == "exit":
            edges.append(came)
    dark_s, after = edges[-1].at_s, list[Edge]()
    yield from _gathered(Wait(Text("The motor turns."), seen=seen, until_s=dark_s + after_ms / 1e3), "exit", after)
    off = Wait(Text("The motor is off."), seen=seen, within_s=_LEAVES_S, commands=(m.Stop(),))
    too_late = bool(after)
    yield from _gathered(off, "exit", after)
    if too_late:
        return None
    left_s = next((edge.at_s for edge in after if not edge.active), None)
    return (off.at_s - dark_s) * 1e3, None if left_s is None else (left_s - off.at_s) * 1e3
