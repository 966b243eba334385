"""Labels of the answers. The letter in brackets is its key in a terminal."""

from __future__ import annotations

from typing import Any

from dispenser.drivers.findings import Finding
from dispenser.i18n import Text, said
from dispenser.maintenance.manual import Act
from dispenser.maintenance.wizard import Answer, View

LABELS = {
    Answer.GO: Text("[g]o on"),
    Answer.YES: Text("[y]es"),
    Answer.NO: Text("[n]o"),
    Answer.NOTHING: Text("done, and [n]othing happens"),
    Answer.OTHER_WAY: Text("it turned the [o]ther way"),
    Answer.AGAIN: Text("[a]gain"),
    Answer.SKIP: Text("[s]kip this"),
    Answer.STOP: Text("[q]uit"),
}
ACTS = {
    Act.FEED: Text("[f]eed"),
    Act.RETRACT: Text("pull [b]ack"),
    Act.CHIME: Text("[c]hime"),
    Act.LIGHT: Text("[l]ight"),
    Act.STOP: Text("[s]top"),
}
COLON = Text(": ")
SIMULATE_HAND, HAND_LABEL = "hand", Text("a [h]and does it")  # bench.simulate_hand acts on the simulated launcher
ANEW, ANEW_LABEL = "anew", Text("[m]easure all again")
TAKE_BACK, TAKE_BACK_LABEL = "undo", Text("[t]ake the settings of the last calibration back")


def key_of(label: str) -> str:
    return label[label.index("[") + 1]


def as_json(view: View, language: str) -> dict[str, Any]:
    """Return a view as JSON data for a terminal or a page, in a language."""
    return {
        "number": view.number,
        "steps": view.steps,
        "check": view.check,
        "title": said(view.title, language),
        "say": said(view.say, language),
        "hand": view.hand,
        "seen": said(view.seen, language),
        "answers": [{"answer": answer, "label": said(LABELS[answer], language)} for answer in view.answers],
        "findings": [_found(each, view.titles.get(each.check, each.check), language) for each in view.findings],
        "over": view.over,
    }


def _found(finding: Finding, title: Text | str, language: str) -> dict[str, str]:
    return {
        "check": finding.check,
        "title": said(title, language) + said(COLON, language),
        "status": finding.status.value,
        "text": said(finding.found, language),
        "remedy": said(finding.advice, language),
    }
