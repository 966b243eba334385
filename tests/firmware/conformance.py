"""Lays what the firmware did beside what the Python machine did with the same inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from tests.firmware.board import START_US, Uno
from tests.firmware.host import BURST_ENDS, EXIT_SENSOR, RETRACT, STATES, Happening, HostCore
from tests.firmware.reference import Reference
from tests.firmware.toolchain import elf_with_scripted_odds, symbols
from tests.firmware.traces import Trace

LIMIT_US = 50
"""The core's own clock counts microseconds: what it does may come so much later than what the Python machine does."""
KINDS = ("motor", "tone", "light", "state", "burst")


class DifferenceError(AssertionError):
    """The two did not do the same."""


def reference_log(trace: Trace, capabilities: int = EXIT_SENSOR | RETRACT) -> list[Happening]:
    """The Python machine, from power-on."""
    outcomes, edges, end_us = trace
    reference = Reference(outcomes, capabilities=capabilities)
    for line in ("lid", "button", "exit"):
        reference.put(line, False)
    reference.switch_on()
    reference.play(edges, end_us)
    log = list(reference.log)
    reference.close()
    return log


def core_log(trace: Trace, core: HostCore) -> list[Happening]:
    """The core on the host, from power-on."""
    outcomes, edges, end_us = trace
    core.script(outcomes)
    core.start()
    for edge in edges:
        core.run_to(edge.us)
        core.put(edge.line, edge.active)
    core.run_to(end_us)
    return core.happenings(*KINDS)


def steady(log: Iterable[Happening], kind: str, shortest_us: int) -> list[Happening]:
    """Values of one kind that lasted; a value that was overruled sooner is left out, and so is a repetition."""
    lasting: list[Happening] = []
    for happening in log:
        if happening.kind != kind:
            continue
        if lasting and kind != "burst" and happening.us - lasting[-1].us <= shortest_us:
            lasting.pop()
        if not lasting or kind == "burst" or lasting[-1].value != happening.value:
            lasting.append(happening)
    return lasting


def compare(
    ours: Sequence[Happening],
    wanted: Sequence[Happening],
    limit_us: int = LIMIT_US,
    *,
    kinds: Sequence[str] = KINDS,
    pitch: float = 0.0,
) -> int:
    """Return how far apart in time the two were at most, microseconds.

    :param pitch: how far apart tones may be, as a share.
    :raises DifferenceError: another order, another value, or too far apart.
    """
    worst = 0
    for kind in kinds:
        mine, theirs = steady(ours, kind, limit_us), steady(wanted, kind, limit_us)
        for number, (one, other) in enumerate(zip(mine, theirs, strict=False)):
            worst = max(worst, abs(one.us - other.us))
            apart = abs(one.value - other.value) > (pitch * other.value if kind == "tone" else 0)
            if apart or abs(one.us - other.us) > limit_us:
                raise DifferenceError(_story(kind, mine, theirs, number))
        if len(mine) != len(theirs):
            raise DifferenceError(_story(kind, mine, theirs, min(len(mine), len(theirs))))
    return worst


def _story(kind: str, mine: Sequence[Happening], theirs: Sequence[Happening], number: int) -> str:
    lines = [f"{kind} number {number} differs: firmware | Python machine"]
    for index in range(max(0, number - 3), number + 3):
        pair = [_told(log[index]) if index < len(log) else "-" for log in (mine, theirs)]
        lines.append(f"{'>' if index == number else ' '} {pair[0]:32} | {pair[1]}")
    return "\n".join(lines)


def _told(happening: Happening) -> str:
    value: object = happening.value
    if happening.kind == "state":
        value = STATES[happening.value].value
    elif happening.kind == "burst":
        value = f"{BURST_ENDS[happening.value & 0xFF].value}, {happening.value >> 8} cards"
    return f"{happening.us / 1e6:.6f} s {value}"


PROGRAM_LIMIT_US = 4_000
"""The real program looks at its inputs and timers when its main loop comes round, within a millisecond or so; what
depends on several of its own timers in a row adds that up."""
_SCRIPTED_OUTCOMES = 40


@cache
def _plays_at(clock_mhz: int) -> int:
    """The cycle at which the real program is ready: trace time 0."""
    uno = Uno(clock_mhz, program=elf_with_scripted_odds(clock_mhz))
    return uno.follow(START_US)[0].cycle


def program_log(trace: Trace, clock_mhz: int = 16) -> list[Happening]:
    """The real program in simavr; its state cannot be seen, all that it does can."""
    outcomes, edges, end_us = trace
    program = elf_with_scripted_odds(clock_mhz)
    uno = Uno(clock_mhz, program=program)
    begin = _plays_at(clock_mhz)
    did = uno.follow_to(begin + uno.cycles(10_000))
    script = symbols(program)["script"] & 0xFFFF
    for number, (cards, suspense_ms) in enumerate(outcomes[:_SCRIPTED_OUTCOMES]):
        for offset, value in enumerate((cards, suspense_ms >> 8, suspense_ms & 0xFF)):
            uno.poke(script + 3 * number + offset, value)
    for edge in edges:
        uno.put_at(begin + uno.cycles(edge.us), edge.line, edge.active)
    did += uno.follow_to(begin + uno.cycles(end_us))
    uno.close()
    return [Happening(round(uno.us(one.cycle - begin)), one.kind, one.value) for one in did]


# --- what the tests ask, of as many traces as they like ------------------------------------------------------------

Make = Callable[[int], Trace]
PITCH = 0.005
"""How far the tones of the real program may be off: a timer divides a crystal."""


def core_conforms(
    make: Make, seeds: Iterable[int], capabilities: int = EXIT_SENSOR | RETRACT, *, clock_wraps: bool = False
) -> None:
    """The core on the host does what the Python machine does, with or without a bridge and an exit sensor.

    :param clock_wraps: the microsecond clock begins anew in the middle of a trace.
    """
    for seed in seeds:
        trace = make(seed)
        clock_us = 2**32 - (seed * 70_000 + 1) if clock_wraps else 0
        core = HostCore(capabilities=capabilities, clock_us=clock_us)
        try:
            compare(core_log(trace, core), reference_log(trace, capabilities))
        except DifferenceError as difference:
            raise AssertionError(f"{make.__name__}({seed}), clock from {clock_us} us: {difference}") from None


def program_conforms(make: Make, seeds: Iterable[int], clock_mhz: int) -> None:
    """The real program, in simavr, does what the Python machine does, as far as its pins show it."""
    for seed in seeds:
        trace = make(seed)
        try:
            compare(
                program_log(trace, clock_mhz),
                reference_log(trace),
                PROGRAM_LIMIT_US,
                kinds=("motor", "tone", "light"),
                pitch=PITCH,
            )
        except DifferenceError as difference:
            raise AssertionError(f"{make.__name__}({seed}), {clock_mhz} MHz: {difference}") from None
