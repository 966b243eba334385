"""What came of a press, as one friendly remark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dispenser.launcher.messages import BurstEnd, BurstLost

if TYPE_CHECKING:
    from dispenser.launcher.recollection import EntryLike

_NUMBERS = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")
_CUT_SHORT = {
    BurstEnd.LID.value: "the lid was lifted",
    BurstEnd.JAMMED.value: "a card is stuck",
    BurstEnd.EMPTY.value: "the launcher is empty",
    BurstEnd.BLIND.value: "the exit sensor saw nothing",
    BurstEnd.OFF.value: "it was switched off",
    BurstEnd.FAULT.value: "something broke",
}


def was_cut_short(ended: EntryLike) -> bool:
    """Fewer cards came than the press should have brought."""
    return ended.type == BurstLost.type or ended.data["cause"] in _CUT_SHORT


def remark(ended: EntryLike) -> str:
    """A ``launcher.burst.ended`` or ``launcher.burst.lost`` in the tone of the table."""
    data = ended.data
    if ended.type == BurstLost.type:
        return f"Cut off in the middle; until then {_cards(data['delivered'])} came out."
    cause, delivered, planned = data["cause"], data["delivered"], data["planned"]
    if cause == BurstEnd.DUD.value:
        streak = data["dud_streak"]
        return "Nothing came out." + (f" {streak} duds in a row." if streak > 1 else "")
    sticking_out = data["sticking_out"]
    if cause in _CUT_SHORT:
        said = f"{'?' if delivered is None else delivered} of {_cards(planned)}: {_CUT_SHORT[cause]}."
        if sticking_out:
            said += " The one that sticks out is counted: take it."
    elif delivered is None:
        said = f"{_exclaimed(planned)} Or so: nobody counted, there is no exit sensor."
    elif sticking_out:
        said = f"{_in_words(delivered)}, counting the one that sticks out. Take it!"
    else:
        said = _exclaimed(delivered)
    if data["suspected_doubles"]:
        said += " One may be two, stuck together." if data["suspected_doubles"] == 1 else " Some may be double."
    return said


def in_short(ended: EntryLike) -> str:
    """The same for a list: ``3``, ``2 of 5``, ``dud``."""
    data = ended.data
    if ended.type == BurstLost.type:
        return f"{data['delivered']} of ?"
    delivered, planned = data["delivered"], data["planned"]
    if data["cause"] == BurstEnd.DUD.value:
        return "dud"
    if delivered is None:
        return f"about {planned}"
    return str(delivered) if delivered == planned else f"{delivered} of {planned}"


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _exclaimed(number: int) -> str:
    return f"{_in_words(number)}!"


def _in_words(number: int) -> str:
    word = _NUMBERS[number - 1] if 1 <= number <= len(_NUMBERS) else str(number)
    return f"{word} {'card' if number == 1 else 'cards'}"
