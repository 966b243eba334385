"""Journal entries in words, for the terminal: one sentence and a colour each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dispenser.journal import DAMAGED, UNREADABLE, Entry
from dispenser.launcher import messages as m

Data = dict[str, Any]
Sentence = tuple[str, str]
"""The words, and a style of ``rich`` ("" for plain)."""

_QUIET = "dim"
_GOOD = "green"
_WARNING = "yellow"
_TROUBLE = "bold red"

_REFUSALS = {
    m.Refusal.OFF.value: "the launcher is off",
    m.Refusal.BUSY.value: "it is busy with another press",
    m.Refusal.LID_OPEN.value: "the lid is open",
    m.Refusal.EMPTY.value: "there are no cards inside",
    m.Refusal.JAMMED.value: "a card is jammed",
    m.Refusal.BLIND.value: "the exit sensor saw nothing of the last burst",
    m.Refusal.CARD_IN_EXIT.value: "a card sticks out of the exit",
    m.Refusal.EXIT_DARK.value: "the exit is dark, though no card was fed into it",
    m.Refusal.FAULT.value: "the launcher has a fault",
}
_BURST_ENDS = {
    m.BurstEnd.COMPLETE.value: ("", _GOOD),
    m.BurstEnd.TIMED.value: ("the time was up", _GOOD),
    m.BurstEnd.LID.value: ("the lid was opened", _WARNING),
    m.BurstEnd.JAMMED.value: ("a card jammed", _TROUBLE),
    m.BurstEnd.EMPTY.value: ("no cards were left", _WARNING),
    m.BurstEnd.BLIND.value: ("the exit sensor saw nothing", _TROUBLE),
    m.BurstEnd.OFF.value: ("it was switched off", _WARNING),
    m.BurstEnd.FAULT.value: ("of a fault", _TROUBLE),
}
_STATE_STYLES = {state.value: _TROUBLE for state in m.AWAITING_A_PERSON} | {m.State.EMPTY.value: _WARNING}


def describe(entry: Entry) -> Sentence:
    """The entry in words. A type or data of another version, which no sentence fits, is shown as it is."""
    words = _WORDS.get(entry.type)
    if words is not None:
        try:
            return words(entry.data)
        except (KeyError, TypeError):  # written by another version of us; every value is shown below
            pass
    subject = entry.type.removeprefix("launcher.").replace(".", " ").replace("_", " ").capitalize()
    details = ", ".join(f"{key} {value}" for key, value in entry.data.items() if value is not None)
    return f"{subject}: {details}" if details else subject, ""


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _service_started(data: Data) -> Sentence:
    return f"Service started, version {data['version']}{', simulated launcher' if data['simulated'] else ''}", ""


def _switched_on(data: Data) -> Sentence:
    return ("Switched on, the lid is open" if data["lid_open"] else "Switched on"), ""


def _state_changed(data: Data) -> Sentence:
    detail = f": {data['detail']}" if data["detail"] else ""
    return f"{data['old']} → {data['new']}{detail}", _STATE_STYLES.get(data["new"], _QUIET)


def _press_accepted(data: Data) -> Sentence:
    wish = f"draw {data['draw']} of the odds" if data["cards"] is None else f"exactly {_cards(data['cards'])}"
    return f"Press {data['press']} accepted: {wish}", ""


def _press_refused(data: Data) -> Sentence:
    return f"Press {data['press']} refused: {_REFUSALS[data['reason']]}", _WARNING


def _burst_started(data: Data) -> Sentence:
    return f"Press {data['press']}: the motor runs", ""  # how many it brings is told when they are out


def _card_left(data: Data) -> Sentence:
    blocked = f"{data['blocked_ms']:.0f} ms"
    if data["press"] is None:
        return f"A card left outside a burst ({blocked})", _WARNING
    double = ", perhaps two at once" if data["suspected_double"] else ""
    return f"Press {data['press']}: card {data['number']} left ({blocked}{double})", _WARNING if double else ""


def _burst_ended(data: Data) -> Sentence:
    if data["cause"] == m.BurstEnd.DUD.value:
        streak = data["dud_streak"]
        return f"Press {data['press']}: dud" + (f", {streak} in a row" if streak > 1 else ""), _QUIET
    reason, style = _BURST_ENDS[data["cause"]]
    planned = _cards(data["planned"])
    counted = f"{planned} planned, not counted" if data["delivered"] is None else f"{data['delivered']} of {planned}"
    words = f"Press {data['press']}: {counted}"
    if reason:
        words += f", because {reason}" if style != _GOOD else f", {reason}"
    if data["tries"] > 1:
        words += f", {data['tries']} tries"
    if data["sticking_out"]:
        words += ", counting the one that sticks out"
    if data["suspected_doubles"]:
        words += f", {data['suspected_doubles']} perhaps double"
    return words, style


def _burst_lost(data: Data) -> Sentence:
    return f"Press {data['press']}: cut off by the end of the service after {_cards(data['delivered'])}", _TROUBLE


def _burst_counted(data: Data) -> Sentence:
    return f"Press {data['press']}: counted by hand, {_cards(data['cards'])} (believed: {data['counted_before']})", ""


def _exit_changed(data: Data) -> Sentence:
    return ("Something is in the exit", _WARNING) if data["blocked"] else ("The exit is free again", "")


def _reset(data: Data) -> Sentence:
    return f"Reset: {data['state']}", _STATE_STYLES.get(data["state"], "")


def _journal_damaged(data: Data) -> Sentence:
    return f"The journal: {data['detail']}", _TROUBLE


_WORDS: dict[str, Callable[[Data], Sentence]] = {
    "service.started": _service_started,
    m.SwitchedOn.type: _switched_on,
    m.SwitchedOff.type: lambda _: ("Switched off", ""),
    m.StateChanged.type: _state_changed,
    m.PressAccepted.type: _press_accepted,
    m.PressRefused.type: _press_refused,
    m.BurstStarted.type: _burst_started,
    m.CardLeft.type: _card_left,
    m.BurstEnded.type: _burst_ended,
    m.BurstLost.type: _burst_lost,
    m.BurstCounted.type: _burst_counted,
    m.LidWasOpened.type: lambda _: ("Lid opened", _WARNING),
    m.LidWasClosed.type: lambda _: ("Lid shut", ""),
    m.ExitChanged.type: _exit_changed,
    m.CardsLoaded.type: lambda data: (f"Loaded: {_cards(data['cards'])} inside", ""),
    m.ChimePlayed.type: lambda data: (f"Chime: {data['chime'].replace('_', ' ')}", _QUIET),
    m.WasReset.type: _reset,
    DAMAGED: _journal_damaged,
    UNREADABLE: lambda data: (f"This entry is damaged and cannot be read ({data['why']})", _TROUBLE),
    "service.notices.dropped": lambda data: (f"{data['count']} entries could not be written and are lost", _TROUBLE),
    "fairness.committed": lambda data: (f"Bound to a secret seed whose SHA-256 is {data['commitment']}", ""),
    "fairness.revealed": lambda data: (f"The seed was {data['seed']}", ""),
}
