"""Sentences about what just happened, for each phone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dispenser.i18n import Text, listed
from dispenser.rules.engine.events import What
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.library import book_of
from dispenser.rules.words.narrator import Narrator
from dispenser.rules.words.phrases import phrases_of, vocabulary_of
from dispenser.rules.words.sentences import FEW_TIMES, TIMES
from dispenser.table import counter
from dispenser.table import events as e
from dispenser.table.match import Match
from dispenser.table.table import News, Table

_FROM_NOW_ON: Final = {
    e.TrackingMode.COUNTER: Text("From now on, tap only what makes someone draw."),
    e.TrackingMode.REFEREE: Text("From now on, tap each card that is played."),
    e.TrackingMode.CARDS: Text("From now on the cards are on the phones."),
}
_FROM_NEXT_ROUND: Final = {
    e.TrackingMode.COUNTER: Text("From the next {round} on, tap only what makes someone draw."),
    e.TrackingMode.REFEREE: Text("From the next {round} on, tap each card that is played."),
    e.TrackingMode.CARDS: Text("From the next {round} on the cards are on the phones."),
}
_OF_SEAT: Final = Text("{name}: {what}")
_CARDS: Final = Text("{number} card.", plural="{number} cards.")
_SOMEBODY: Final = Text("Somebody pressed: {what}")
_CAME: Final = Text("{number} card came", plural="{number} cards came")
_CORRECTION: Final = Text("a correction")
_ENTERED: Final = Text("{name} entered {number} card.", plural="{name} entered {number} cards.")
_SURPLUS: Final = Text("One card too many: put it back.", plural="{number} cards too many: put them back.")
_SURPLUS_OF: Final = Text(
    "{name}: {number} card too many. Put it back!", plural="{name}: {number} cards too many. Put them back!"
)
_HAND_SET: Final = Text(
    "{who} corrected: {name} holds {number} card.", plural="{who} corrected: {name} holds {number} cards."
)
_OWES_PRESSES: Final = Text("{charge}: {name} presses {times}.")
_OWES_CARDS: Final = Text("{charge}: {name} draws {number} card.", plural="{charge}: {name} draws {number} cards.")
_THE_TABLE: Final = Text("The table")


def news(table: Table, person: int | None, language: str, most: int = 6) -> list[dict[str, Any]]:
    """Return the newest sentences, the latest last."""
    told: list[dict[str, Any]] = []
    for item in reversed(table.news):
        text = sentence(table, item, person, language)
        if text:
            told.append({"seq": item.at, "text": text})
        if len(told) == most:
            break
    return told[::-1]


def sentence(table: Table, item: News, person: int | None, language: str) -> str:
    """Return the sentence of one item, cached per reader; empty where other parts of the view say it."""
    listener = (person if _concerns(item, person) else None, language)
    if listener not in item.texts:
        text = _text(table, item, *listener)
        item.texts[listener] = text[language] if isinstance(text, Text) else (text or "")
    return item.texts[listener]


def entered(table: Table, told: e.CountTold) -> Text:
    return _ENTERED.filled(name=_name(table, told.by), number=told.cards)


def _concerns(item: News, person: int | None) -> bool:
    """Decide whether the sentence may address the person; all others share one text."""
    if isinstance(item.event, e.Joined):
        return item.event.person == person
    return item.match is not None and person is not None and person in item.concerned


def _name(table: Table, person: int | None) -> str | Text:
    return table.people.name(person) if person in table.people.persons and person is not None else _THE_TABLE


def _names(table: Table, match: Match) -> list[str]:
    return [table.people.name(person) for person in match.order]


def _text(table: Table, item: News, me: int | None, language: str) -> str | Text | None:  # noqa: PLR0911 - one case per event
    if item.match is not None and (said := _match_text(table, item, item.match, me, language)):
        return said
    match item.event:
        case e.Joined(person=person, name=name):
            return None if person == me else Text("{name} sits down.").filled(name=name)
        case e.Left(person=person):
            return Text("{name} has gone.").filled(name=_name(table, person))
        case e.SeatAsked(person=person, secret=secret):
            text = Text("A new phone asks for {name}’s seat.") if secret else Text("That was not {name}’s phone.")
            return text.filled(name=_name(table, person))
        case e.Claimed(person=person):
            return Text("{name} is back.").filled(name=_name(table, person))
        case e.Renamed(name=name):
            return Text("That is {name} now.").filled(name=name)
        case e.Seated():
            return Text("Seats were changed.")
        case e.HostChanged(person=person):
            return Text("{name} hosts now.").filled(name=_name(table, person))
        case e.Helps(person=person, by_whom=helper, yes=yes):
            text = Text("{who} may play for {name}.") if yes else Text("{who} no longer plays for {name}.")
            return text.filled(who=_name(table, helper), name=_name(table, person))
        case e.StandsIn(person=person):
            phone = Text("{name}’s phone is the launcher now.").filled(name=_name(table, person))
            return Text("The real launcher is back.") if person is None else phone
        case e.MatchEnded():
            return Text("The match is over.")
        case e.PressDone(cards=cards) if cards and item.match is None:
            return _SURPLUS.filled(number=cards)
    return None


def _match_text(  # noqa: PLR0911, PLR0912 - one case per event
    table: Table, item: News, match: Match, me: int | None, language: str
) -> str | Text | None:
    names, who = _names(table, match), _name(table, item.event.by)
    match item.event:
        case e.Acted(action=[Deed.TURN, seat, _]):
            return Text("{who} corrected: it is {name}’s turn.").filled(who=who, name=names[seat])
        case e.Acted(action=[Deed.HAND | Deed.HAND_SIZE, seat, value]):
            number = len(value) if isinstance(value, list) else value
            return _HAND_SET.filled(who=who, name=names[seat], number=number)
        case e.Acted():
            drawn = What.DEALER_DREW  # drawn to choose the dealer, from cards that nobody has seen
            narrator = Narrator(match.game, language, names, match.seat_of(me))
            return " ".join(narrator.events([event for event in item.happened if event.what is not drawn]))
        case e.CardSet():
            return Text("{who} corrected: {what}").filled(who=who, what=_described(match, item, names, language))
        case e.Undone():
            return Text("{who} undid: {what}").filled(who=who, what=_described(match, item, names, language))
        case e.Redone():
            return Text("{who} redid: {what}").filled(who=who, what=_described(match, item, names, language))
        case e.Charged(seat=seat, charge=charge, number=number):
            times = FEW_TIMES.get(number) or TIMES.filled(number=number)
            template = _OWES_PRESSES.filled(times=times) if match.counts_presses else _OWES_CARDS
            return template.filled(charge=match.ledger.charges[charge].name, name=names[seat], number=number)
        case e.Forgiven():
            return Text("{who} removed the debt: {what}").filled(who=who, what=_described(match, item, names, language))
        case e.Paid(cards=cards):
            came = _CARDS.filled(number=cards) if cards else Text("nothing.")
            template = _SOMEBODY if item.taker is None else _OF_SEAT.filled(name=table.people.name(item.taker))
            return template.filled(what=came)
        case e.CountTold():
            return entered(table, item.event)
        case e.PressDone(press=press, cards=cards) if cards and match.tracking_mode is not e.TrackingMode.CARDS:
            place = match.is_current(press)  # surplus matters only with real cards
            payer = _dealt_to(table, press) if place is None else match.game.log[place].seat
            return (_SURPLUS if payer is None else _SURPLUS_OF).filled(name=names[payer or 0], number=cards)
        case e.Scored(seat=seat, score=score):
            return Text("{name} has {score} points now.").filled(name=names[seat], score=score)
        case e.Dealt(seat=seat):
            return Text("{name} has the cards.").filled(name=names[seat])
        case e.TrackingModeChosen(tracking_mode=tracking_mode):
            return _FROM_NEXT_ROUND[tracking_mode].filled(round=vocabulary_of(match.game).round)
        case e.MatchBegun():
            return _begun(table, item.event, changed=item.event.tracking_mode is not item.before)
    return None


def _dealt_to(table: Table, press: int) -> int | None:
    """Return the seat that a press dealt to, if it did."""
    dealt = (each.event for each in reversed(table.news) if isinstance(each.event, e.Dealt))
    return next((event.seat for event in dealt if event.press == press), None)


def _begun(table: Table, begun: e.MatchBegun, *, changed: bool) -> Text | None:
    """Tell that a match begins or its tracking mode changed; with cards on the phones, also who shares a phone."""
    if not begun.anew and not changed:
        return None
    mode = begun.tracking_mode
    told = [Text("{game} begins.").filled(game=book_of(begun.game).name) if begun.anew else _FROM_NOW_ON[mode]]
    if mode is e.TrackingMode.CARDS:
        people = table.people
        shared = ((people.name(each), people.shared_phone(each)) for each in begun.order)
        shares = Text("{name} plays on {other}’s phone.")
        told += [shares.filled(name=name, other=people.name(owner)) for name, owner in shared if owner is not None]
    return listed(told, between=" ")


def _described(match: Match, item: News, names: Sequence[str], language: str) -> str | Text:
    """Describe undone, redone or corrected actions in a few words; a press and its choices count as one."""
    texts = (_action_text(match, action, names) for action in item.taken_back)
    return ", ".join(text[language] for text in texts) or _CORRECTION


def _action_text(match: Match, action: Action | counter.Deed, names: Sequence[str]) -> Text:
    if not isinstance(action, Action):
        return _counted(match, action, names)
    deed, seat, value = action
    what: Text = _CORRECTION
    if deed is Deed.PLAY:
        what = phrases_of(match.game, names).text(value)
    elif deed is Deed.FULFIL:
        what = _came(value if isinstance(value, int) else len(value))
    elif deed is Deed.BEGIN:
        what = Text("the deal")
    elif deed is Deed.ANSWER:
        what = Text("an answer")
    elif deed is Deed.COUNT_ROUND:
        return Text("the end of the {round}").filled(round=vocabulary_of(match.game).round)
    return _OF_SEAT.filled(name=names[seat], what=what) if seat is not None and 0 <= seat < len(names) else what


def _counted(match: Match, deed: counter.Deed, names: Sequence[str]) -> Text:
    """Describe an entry of the ledger."""
    if isinstance(deed, e.Charged):
        return _OF_SEAT.filled(name=names[deed.seat], what=match.ledger.charges[deed.charge].name)
    return _came(deed.cards) if isinstance(deed, e.Paid) else Text("a debt that was removed")


def _came(cards: int) -> Text:
    return _CAME.filled(number=cards) if cards else Text("a dud")
