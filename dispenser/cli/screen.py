"""What ``dispenser watch`` shows: one screen of lines, made from a snapshot and the newest entries. Pure."""

from __future__ import annotations

import textwrap
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from rich.text import Text

from dispenser.cli.remarks import in_short, remark, was_cut_short
from dispenser.cli.sentences import describe
from dispenser.journal import Entry
from dispenser.launcher.messages import (
    BurstEnded,
    BurstLost,
    ChimePlayed,
    StateChanged,
)
from dispenser.launcher.recollection import Recollection
from dispenser.web.texts import SENTENCES

FULL_STACK = 112
"""Cards of a full deck, for the length of the bar."""
LONGEST_BAR = 40
LABEL = 9
SENTENCE_LINES = 2
"""Lines that the sentence has at least, so that the rest seldom moves."""
KEPT = 200
"""Entries and bursts that are kept for the screen."""

_STYLES = {
    "ready": "bold green",
    "suspense": "bold magenta",
    "feeding": "bold magenta",
    "retracting": "bold magenta",
    "open": "bold yellow",
    "empty": "bold yellow",
    "jammed": "bold red",
    "blind": "bold red",
    "fault": "bold red",
}
_UNSHOWN = (StateChanged.type, ChimePlayed.type)  # the head of the screen says the first; the second is only noise
Part = str | tuple[str, str]


@dataclass
class View:
    """All that the screen shows.

    :param snapshot: as the API gives it.
    :param trouble: why the connection is lost; empty while it is there.
    """

    url: str
    snapshot: dict[str, Any]
    trouble: str = ""
    happened: deque[Entry] = field(default_factory=lambda: deque(maxlen=KEPT))
    bursts: deque[Entry] = field(default_factory=lambda: deque(maxlen=KEPT))
    told: Recollection = field(default_factory=Recollection)

    def take(self, entry: Entry) -> None:
        """One more entry."""
        if entry.type not in _UNSHOWN:
            self.happened.append(entry)
        if entry.type in (BurstEnded.type, BurstLost.type):
            self.bursts.append(entry)
        self.told.take(entry)

    def forget(self) -> None:
        """The launcher has begun another journal."""
        self.happened.clear()
        self.bursts.clear()
        self.told = Recollection()


def screen(view: View, width: int, height: int) -> list[Text]:
    """Exactly ``height`` lines, none wider than ``width``: what is, what happened (the newest last), how to end."""
    head = _head(view, width)
    room = height - len(head) - 1
    newest = list(view.happened)[-room:] if room > 0 else []
    lines = [*head, *map(_line, newest)][: height - 1]
    lines += [Text()] * (height - 1 - len(lines))
    lines.append(Text("Ctrl-C ends", "dim"))
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


def _head(view: View, width: int) -> list[Text]:
    known = view.snapshot
    lid = ("open", "yellow") if known["lid_open"] else "shut"
    in_exit = "the exit is dark" if known.get("refusal") == "exit_dark" else "a card is in the exit"
    exit_ = (f", and {in_exit}", "yellow") if known["exit_blocked"] else ""
    streak = known["dud_streak"]
    return [
        Text.assemble(
            ("dispenser  ", "bold"), ("simulated  ", "cyan") if known["simulated"] else "", printable(view.url)
        ),
        Text(),
        *_sentence(view, width),
        Text(),
        _row("Lid", lid, exit_),
        _row("Stack", *_stack(known["cards_inside"], width)),
        _row("Presses", f"{known['presses']}"),
        _row("Duds", f"{streak} in a row"),
        _row("Bursts", *_bursts(view)),
        Text(),
        Text("What happened ".ljust(width, "─"), "dim"),
    ]


def _sentence(view: View, width: int) -> list[Text]:
    """What is going on, in words; in trouble also what to do."""
    state, detail = view.snapshot["state"], view.snapshot["detail"]
    refusal = view.snapshot.get("refusal")  # a service of an earlier version does not tell
    style = _STYLES.get(state if refusal is None or state != "ready" else "open", "bold")
    if view.trouble:
        words, style = f"{SENTENCES['lost']} {view.trouble}", "bold red"
    elif state == "ready" and (outcome := view.told.outcome) is not None:
        words = remark(outcome)
        if refusal is not None and not outcome.data.get("sticking_out"):
            words += f" {SENTENCES[refusal]}"
    elif state == "ready" and refusal is not None:
        words = SENTENCES[refusal].en
    else:
        words = detail or str(SENTENCES.get(state, state))
    lines = [Text(line, style) for line in textwrap.wrap(printable(words), width)]
    return lines + [Text()] * (SENTENCE_LINES - len(lines))


def _stack(cards: int | None, width: int) -> list[Part]:
    if cards is None:
        return ["nobody said how many cards are inside"]
    bar = min(LONGEST_BAR, max(width - LABEL - len(" about 112 cards"), 0))
    full = round(bar * min(cards / FULL_STACK, 1.0))
    return [("█" * full, "green"), ("░" * (bar - full), "dim"), f" about {cards} {'card' if cards == 1 else 'cards'}"]


def _bursts(view: View) -> list[Part]:
    """The newest first."""
    if not view.bursts:
        return [("none yet", "dim")]
    parts: list[Part] = []
    for ended in reversed(view.bursts):
        short = in_short(ended)
        style = "yellow" if was_cut_short(ended) else "dim" if short == "dud" else "green"
        parts += ["  " if parts else "", (short, style)]
    return parts


def _row(label: str, *parts: Part) -> Text:
    return Text.assemble((label.ljust(LABEL), "dim"), *parts)


def _line(entry: Entry) -> Text:
    words, style = describe(entry)
    moment = datetime.fromisoformat(entry.time).astimezone()
    return Text.assemble((f"{moment:%H:%M:%S}  ", "dim"), (printable(words), style))


def printable(text: str) -> str:
    """Without control characters, which could steer the terminal."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
