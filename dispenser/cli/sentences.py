"""Journal records and outcomes of presses as sentences for the terminal."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from dispenser.cli.spoken import _, in_words, language
from dispenser.i18n import Text, recalled
from dispenser.journal import DAMAGED, Damage, public_data
from dispenser.launcher import messages as m
from dispenser.web.texts import script_texts

if TYPE_CHECKING:
    from dispenser.launcher.replay import RecordLike

_WHOLE: Final = frozenset({m.BurstEnd.DUD.value, m.BurstEnd.COMPLETE.value, m.BurstEnd.TIMED.value})
_WORDS_OF: Final = {"reason": "refused", "cause": "why", "new": "state", "chime": "chime", "fault": "faults"}
"""By data key, the section of the page's texts that has a text for its value."""
_SPARED: Final = frozenset(map(chr, (0xA0, 0x202F, 0x200C, 0x200D, 0x2068, 0x2069, *range(0xE0020, 0xE0080))))
"""No-break spaces, and characters in and around names: joiners, isolates, tag characters of flags."""
_EITHER: Final = ("open", "on", "blocked", "down", "jammed", "yes")


@cache
def _texts_in(language: str) -> dict[str, Any]:
    return script_texts(language)


def texts() -> dict[str, Any]:
    """Return all texts of the page in the language of this command."""
    return _texts_in(language())


def record_types() -> list[str]:
    """Return the types of records and their prefixes, as the filter ``--type`` accepts them."""
    types = texts()["record"]
    return sorted({".".join(each.split(".")[:parts]) for each in types for parts in (1, 2, 3)})


def describe(record: RecordLike) -> str:
    """Return a description of a record; one of an unknown type or form is printed as its data."""
    data = record.data
    try:
        values = {key: texts()[_WORDS_OF[key]][value] if key in _WORDS_OF else value for key, value in data.items()}
        template = texts()["record"][record.type]
        if record.type == m.OrderChanged.type:
            template = template[_kind_of_order(data)]
            values["why"] = texts()["refused"].get(data["why"], data["why"])
        elif isinstance(template, dict):
            template = template[str(next(data[key] for key in _EITHER if key in data)).lower()]
        words = _filled(template, values)
        more = ", ".join(_more(record, {name for _, name, *_ in string.Formatter().parse(template)}))
        words += f", {more}" if more else ""
        return f"{words} ({detail})" if (detail := _detail(record)) else words
    except (KeyError, TypeError, StopIteration):
        subject = record.type.removeprefix("launcher.").replace(".", " ").replace("_", " ").capitalize()
        details = ", ".join(f"{key} {value}" for key, value in public_data(data).items() if value is not None)
        return f"{subject}: {details}" if details else subject


def _kind_of_order(data: Mapping[str, Any]) -> str:
    if data["why"] is not None:
        return "refused"
    return "luck" if data["cards"] is None else "exact"


def _detail(record: RecordLike) -> str:
    """Return the error text that a record carries, if any."""
    if record.type == m.OrderChanged.type:
        return ""
    if record.type == DAMAGED:
        return in_words(Damage.from_data(record.data).text)
    return in_words(recalled({"detail": record.data.get("why"), **record.data}))


def printable(text: str) -> str:
    """Replace control characters: data from others, such as a source, must not control the terminal."""
    return "".join(char if char.isprintable() or char in _SPARED else "\N{REPLACEMENT CHARACTER}" for char in text)


def _filled(template: str, values: Mapping[str, Any]) -> str:
    values = {**values, "delivered": "?" if values.get("delivered", 0) is None else values.get("delivered")}
    if isinstance(values.get("blocked_ms"), float):
        values["blocked_ms"] = round(values["blocked_ms"])
    return template.format_map(values)


def _more(record: RecordLike, told: set[str | None]) -> Iterator[str]:
    """Yield the values that the page's text leaves out."""
    for key, value in record.data.items():
        more = _MORE.get(key)
        if more is None or key in told or value in (None, False, 0) or (key in _FROM_TWO and value == 1):
            continue
        if key != "cards" or record.type == m.PressAccepted.type:
            yield (more.filled(number=value) if more.msgid.count("{") else more)[language()]
    if record.type == m.WasReset.type:
        yield texts()["state"][record.data["state"]]


_MORE: Final = {
    "version": Text("version {number}"),
    "simulated": Text("simulated launcher"),
    "lid_open": Text("lid open"),
    "draw": Text("draw {number} of the odds"),
    "cards": Text("exactly {number} card", plural="exactly {number} cards"),
    "ordered": Text("as ordered"),
    "press": Text("press {number}"),
    "number": Text("card {number}"),
    "suspected_double": Text("perhaps two at once"),
    "suspected_doubles": Text("{number} of them perhaps two cards"),
    "sticking_out": Text("counting the one that sticks out"),
    "tries": Text("{number} tries"),
    "dud_streak": Text("{number} in a row"),
    "counted_before": Text("assumed: {number}"),
    "commitment": Text("SHA-256 {number}"),
    "seed": Text("it was {number}"),
}
_FROM_TWO: Final = frozenset({"tries", "dud_streak"})


def was_cut_short(ended: RecordLike) -> bool:
    """Return whether fewer cards came than were planned."""
    return ended.type == m.BurstLost.type or ended.data["cause"] not in _WHOLE


def remark(ended: RecordLike) -> str:
    """Return a sentence for a ``launcher.burst.ended`` or ``launcher.burst.lost``, as the page words it."""
    data, say = ended.data, texts()["outcome"]
    if ended.type == m.BurstLost.type:
        return f"{describe(ended)}."
    delivered, cause = data["delivered"], data["cause"]
    if cause == m.BurstEnd.DUD.value:
        said = [
            say["dud"],
            _counted(texts()["controls"]["streak"], data["dud_streak"]) if data["dud_streak"] > 1 else "",
        ]
    elif cause in say["short"]:
        said = [_filled(say["short"][cause], data), say["counted"] if data["sticking_out"] else ""]
    elif delivered is None:
        said = [
            _(
                "About {number}: there is no exit sensor. 'dispenser count' takes the right number.",
                number=data["planned"],
            )
        ]
    else:
        words = say["words"]
        cards = words[delivered - 1] if 0 < delivered <= len(words) else _counted(say["number"], delivered)
        said = [(say["counting"][delivered > 1] if data["sticking_out"] else say["all"]).format(cards=cards)]
    if data["suspected_doubles"]:
        said.append(_counted(say["double"], data["suspected_doubles"]))
    return " ".join(filter(None, said))


def _counted(pair: list[str], number: int) -> str:
    """Return singular or plural for a number: in French, zero takes the singular."""
    one = number == 1 or (number == 0 and language() == "fr")
    return pair[not one].format(n=number)
