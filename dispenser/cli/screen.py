"""What ``dispenser watch`` shows: one screen of lines, made from a snapshot and the newest entries. Pure."""

from __future__ import annotations

import textwrap
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from rich.text import Text

from dispenser.cli.options import MOST_CARDS
from dispenser.cli.sentences import describe, in_short, printable, remark, texts, was_cut_short
from dispenser.cli.spoken import _
from dispenser.journal import Record
from dispenser.launcher.messages import BurstEnded, BurstLost, ChimePlayed, StateChanged
from dispenser.launcher.replay import LauncherReplay

LONGEST_BAR = 40
LABEL = 9
SENTENCE_LINES = 2
"""Lines that the sentence has at least, so that the rest seldom moves."""
KEPT = 200
"""Entries and bursts that are kept for the screen."""

_STYLES = {
    "ready": "bold green",
    **dict.fromkeys(("suspense", "feeding", "retracting"), "bold magenta"),
    **dict.fromkeys(("open", "empty"), "bold yellow"),
    **dict.fromkeys(("jammed", "blind", "fault"), "bold red"),
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
    happened: deque[Record] = field(default_factory=lambda: deque(maxlen=KEPT))
    bursts: deque[Record] = field(default_factory=lambda: deque(maxlen=KEPT))
    told: LauncherReplay = field(default_factory=LauncherReplay)

    def take(self, entry: Record) -> None:
        """One more entry."""
        if entry.type not in _UNSHOWN:
            self.happened.append(entry)
        if entry.type in (BurstEnded.type, BurstLost.type):
            self.bursts.append(entry)
        self.told.apply(entry)


def screen(view: View, width: int, height: int) -> list[Text]:
    """Exactly ``height`` lines, none wider than ``width``: what is, what happened (the newest last), how to end."""
    head = _head(view, width)
    room = height - len(head) - 1
    newest = list(view.happened)[-room:] if room > 0 else []
    lines = [*head, *map(_line, newest)][: height - 1]
    lines += [Text()] * (height - 1 - len(lines))
    lines.append(Text(_("Ctrl-C ends"), "dim"))
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


def _head(view: View, width: int) -> list[Text]:
    known, say = view.snapshot, texts()["launcher"]
    lid = (texts()["state"]["open"], "yellow") if known["lid_open"] else _("shut")
    in_exit = say["exit_dark" if known.get("refusal") == "exit_dark" else "card_in_exit"]
    rows: list[tuple[str, list[Part]]] = [
        (_("Lid"), [lid, (f"  {in_exit}" if known["exit_blocked"] else "", "yellow")]),
        (_("Stack"), _stack(known["cards_inside"], width)),
        (_("Presses"), [str(known["presses"])]),
        (_("Duds"), [_("{number} in a row", number=known["dud_streak"])]),
        (_("Bursts"), _bursts(view)),
    ]
    simulated = _("simulated") + "  " if known["simulated"] else ""
    return [
        Text.assemble(("dispenser  ", "bold"), (simulated, "cyan"), printable(view.url)),
        Text(),
        *_sentence(view, width),
        Text(),
        *(Text.assemble((label.ljust(LABEL), "dim"), *parts) for label, parts in rows),
        Text(),
        Text((_("What happened") + " ").ljust(width, "─"), "dim"),
    ]


def _sentence(view: View, width: int) -> list[Text]:
    """What is going on, in words; in trouble also what to do."""
    state, say = view.snapshot["state"], texts()["sentence"]
    refusal = view.snapshot.get("refusal")  # a service of an earlier version does not tell
    style = _STYLES.get(state if refusal is None or state != "ready" else "open", "bold")
    if view.trouble:
        words, style = f"{say['lost']} {view.trouble}", "bold red"
    elif state == "ready" and (outcome := view.told.outcome) is not None:
        words = remark(outcome)
        if refusal is not None and not outcome.data.get("sticking_out"):
            words += f" {say[refusal]}"
    elif state == "ready":
        words = say[refusal or state]
    else:
        words = view.snapshot["detail"] or say.get(state, state)
    lines = [Text(line, style) for line in textwrap.wrap(printable(words), width)]
    return lines + [Text()] * (SENTENCE_LINES - len(lines))


def _stack(cards: int | None, width: int) -> list[Part]:
    if cards is None:
        return [_("nobody said how many cards are inside")]
    about = _("about {number} card", plural="about {number} cards", number=cards)
    bar = min(LONGEST_BAR, max(width - LABEL - len(about) - 1, 0))
    full = round(bar * min(cards / MOST_CARDS, 1.0))
    return [("█" * full, "green"), ("░" * (bar - full), "dim"), f" {about}"]


def _bursts(view: View) -> list[Part]:
    """The newest first."""
    parts: list[Part] = []
    for ended in reversed(view.bursts):
        style = "yellow" if was_cut_short(ended) else "green" if ended.data["delivered"] else "dim"
        parts += ["  " if parts else "", (in_short(ended), style)]
    return parts or [(_("none yet"), "dim")]


def _line(entry: Record) -> Text:
    words, style = describe(entry)
    moment = datetime.fromisoformat(entry.time).astimezone()
    return Text.assemble((f"{moment:%H:%M:%S}  ", "dim"), (printable(words), style))
