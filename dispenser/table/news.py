"""What just happened, in sentences for each phone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from dispenser.i18n import Text, listed
from dispenser.rules.engine.events import What
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.library import book_of
from dispenser.rules.words.phrases import phrases_of, vocabulary_of
from dispenser.rules.words.telling import Telling
from dispenser.table import counter
from dispenser.table import events as e
from dispenser.table.match import Match
from dispenser.table.table import News, Table

_TELLINGS: Final = {
    e.TrackingMode.COUNTER: Text("From now on, tap only what makes someone draw."),
    e.TrackingMode.REFEREE: Text("From now on, tap each card that is laid."),
    e.TrackingMode.CARDS: Text("From now on the cards are on the phones."),
}
_WISHED: Final = {
    e.TrackingMode.COUNTER: Text("From the next {round} on, tap only what makes someone draw."),
    e.TrackingMode.REFEREE: Text("From the next {round} on, tap each card that is laid."),
    e.TrackingMode.CARDS: Text("From the next {round} on the cards are on the phones."),
}
_OF_SEAT: Final = Text("{name}: {what}")
_CAME: Final = Text("{number} card came", plural="{number} cards came")
_CORRECTION: Final = Text("a correction")
_ENTERED: Final = Text("{name} entered {number} card.", plural="{name} entered {number} cards.")
_SURPLUS: Final = Text("One card too many: put it back.", plural="{number} cards too many: put them back.")
_OWES_PRESSES: Final = Text("{charge}: {name} presses once.", plural="{charge}: {name} presses {number} times.")
_OWES_CARDS: Final = Text("{charge}: {name} draws {number} card.", plural="{charge}: {name} draws {number} cards.")
_PAID: Final = Text("{number} card.", plural="{number} cards.")
_THE_TABLE: Final = Text("The table")
_JOINED: Final = Text("{name} sits down.")
_SHARES: Final = Text("{name} plays on {other}’s phone.")
_DEALT: Final = Text("{name} has the cards.")


def news(table: Table, person: int | None, language: str, most: int = 6) -> list[dict[str, Any]]:
    """The newest sentences, the latest last."""
    told: list[dict[str, Any]] = []
    for item in reversed(table.news):
        text = sentence(table, item, person, language)
        if text:
            told.append({"seq": item.at, "text": text})
        if len(told) == most:
            break
    return told[::-1]


def sentence(table: Table, item: News, person: int | None, language: str) -> str:
    """One of them; empty where the rest of the page says it."""
    listener = (person if _concerns(item, person) else None, language)
    if listener not in item.said:
        say = _SENTENCES.get(type(item.event))
        text = say(table, item, listener[0], language) if say else None
        item.said[listener] = text[language] if isinstance(text, Text) else (text or "")
    return item.said[listener]


def entered(table: Table, told: e.CountTold) -> Text:
    """Who told how many cards came."""
    return _ENTERED.filled(name=_name(table, told.by), number=told.cards)


def _concerns(item: News, person: int | None) -> bool:
    """Whether a sentence may speak to that person; the others all hear the same."""
    if isinstance(item.event, e.Joined):
        return item.event.person == person
    return item.match is not None and person is not None and person in item.concerned


def _name(table: Table, person: int | None) -> str | Text:
    return table.people.name(person) if person in table.people.persons and person is not None else _THE_TABLE


def _names(table: Table, match: Match) -> list[str]:
    return [table.people.name(person) for person in match.order]


def _acted(table: Table, item: News, person: int | None, language: str) -> str:
    if item.match is None or not isinstance(item.event, e.Acted):
        return ""
    telling = Telling(item.match.game, language, _names(table, item.match), item.match.seat_of(person))
    if item.event.action[0] in {Deed.TURN, Deed.HAND, Deed.HAND_SIZE}:
        return _corrected(table, item)[language]
    drawn = What.DEALER_DREW  # by lot, of cards that nobody at the table has seen
    return " ".join(telling.events([event for event in item.happened if event.what is not drawn]))


def _corrected(table: Table, item: News) -> Text:
    """Who says that a hand, or the turn, is otherwise."""
    assert isinstance(item.event, e.Acted)  # noqa: S101 - told to mypy
    deed, seat, value = item.event.action
    who, name = _name(table, item.event.by), _of_seat(table, item, seat)
    if deed == Deed.TURN:
        return Text("{who} set right: it is {name}’s turn.").filled(who=who, name=name)
    return Text(
        "{who} set right: {name} holds {number} card.", plural="{who} set right: {name} holds {number} cards."
    ).filled(who=who, name=name, number=len(value) if isinstance(value, list) else value)


def _back(template: Text) -> Callable[[Table, News, int | None, str], Text]:
    def say(table: Table, item: News, _: int | None, language: str) -> Text:
        what = ", ".join(_described(table, item.match, item.taken_back, language)) if item.match else ""
        return template.filled(who=_name(table, item.event.by), what=what or _CORRECTION)

    return say


def _described(table: Table, match: Match, actions: Sequence[Action | counter.Deed], language: str) -> list[str]:
    """What was done, in a few words; a press and what it chose are one."""
    names = _names(table, match)
    told = []
    for action in actions:
        if not isinstance(action, Action):
            told.append(_counted(match, action, names)[language])
            continue
        deed, seat, value = action
        what: Text = _CORRECTION
        if deed is Deed.PLAY:
            what = phrases_of(match.game, names).text(value)
        elif deed is Deed.FULFIL:
            what = _CAME.filled(number=value if isinstance(value, int) else len(value))
        elif deed is Deed.BEGIN:
            what = Text("the deal")
        elif deed is Deed.ANSWER:
            what = Text("an answer")
        elif deed is Deed.COUNT_ROUND:
            what = Text("the end of the {round}").filled(round=vocabulary_of(match.game).round)
        of_seat = deed is not Deed.COUNT_ROUND and seat is not None and 0 <= seat < len(names)
        told.append((_OF_SEAT.filled(name=names[seat or 0], what=what) if of_seat else what)[language])
    return told


def _counted(match: Match, deed: counter.Deed, names: Sequence[str]) -> Text:
    """What was told while the table plays by itself."""
    if isinstance(deed, e.Charged):
        return _OF_SEAT.filled(name=names[deed.seat], what=match.ledger.charges[deed.charge].name)
    return _CAME.filled(number=deed.cards) if isinstance(deed, e.Paid) else Text("a debt that was cancelled")


def _stands_in(table: Table, item: News, _: int | None, __: str) -> Text:
    event = item.event
    if not isinstance(event, e.StandsIn) or event.person is None:
        return Text("The real launcher throws again.")
    return Text("{name}’s phone is the launcher now.").filled(name=table.people.name(event.person))


def _charged(table: Table, item: News, _: int | None, __: str) -> Text | None:
    event = item.event
    if item.match is None or not isinstance(event, e.Charged):
        return None
    charge = item.match.ledger.charges[event.charge]
    template = _OWES_PRESSES if item.match.counts_presses else _OWES_CARDS
    return template.filled(
        charge=charge.name, name=table.people.name(item.match.order[event.seat]), number=event.number
    )


def _left_over(table: Table, item: News, _: int | None, __: str) -> Text | None:
    event = item.event
    if not isinstance(event, e.PressDone) or not event.cards:
        return None
    if item.match and item.match.telling is e.TrackingMode.CARDS:  # nobody holds what came
        return None
    place = item.match.is_current(event.press) if item.match else None
    seat = item.match.game.log[place].seat if item.match and place is not None else None
    if seat is None:
        return _SURPLUS.filled(number=event.cards)
    return Text(
        "{name}: {number} card too many. Put it back!", plural="{name}: {number} cards too many. Put them back!"
    ).filled(name=_of_seat(table, item, seat), number=event.cards)


def _paid(table: Table, item: News, _: int | None, __: str) -> Text:
    assert isinstance(item.event, e.Paid)  # noqa: S101 - told to mypy
    came = (_PAID if item.event.cards else Text("nothing!")).filled(number=item.event.cards)
    return came if item.taker is None else _OF_SEAT.filled(name=table.people.name(item.taker), what=came)


def _begun(table: Table, item: News, _: int | None, __: str) -> Text | None:
    event = item.event
    if not isinstance(event, e.MatchBegun):
        return None
    told = [Text("{game} begins.").filled(game=book_of(event.game).name)] if event.anew else []
    if not event.anew and event.telling is not item.before:
        told.append(_TELLINGS[event.telling])
    if told and event.telling is e.TrackingMode.CARDS:
        people = table.people
        shared = ((people.name(each), people.shared_phone(each)) for each in event.order)
        told += [_SHARES.filled(name=name, other=people.name(owner)) for name, owner in shared if owner is not None]
    return listed(told, between=" ") if told else None


def _of_seat(table: Table, item: News, seat: int) -> str | Text:
    return table.people.name(item.match.order[seat]) if item.match else _THE_TABLE


_SENTENCES: Final[dict[type[e.Event], Callable[[Table, Any, int | None, str], str | Text | None]]] = {
    e.Acted: _acted,
    e.CardSet: _back(Text("{who} set right: {what}")),
    e.Undone: _back(Text("{who} took back: {what}")),
    e.Redone: _back(Text("{who} did again: {what}")),
    e.Charged: _charged,
    e.StandsIn: _stands_in,
    e.MatchBegun: _begun,
    e.Paid: _paid,
    e.CountTold: lambda table, item, _, __: entered(table, item.event),
    e.PressDone: _left_over,
    e.Forgiven: lambda table, item, _, __: Text("{who} cancelled a debt.").filled(who=_name(table, item.event.by)),
    e.Scored: lambda table, item, _, __: Text("{name} has {score} points now.").filled(
        name=_of_seat(table, item, item.event.seat), score=item.event.score
    ),
    e.Dealt: lambda table, item, _, __: _DEALT.filled(name=_of_seat(table, item, item.event.seat)),
    e.TrackingModeChosen: lambda _, item, __, ___: _WISHED[item.event.telling].filled(
        round=vocabulary_of(item.match.game).round
    ),
    e.MatchEnded: lambda _, __, ___, ____: Text("The match is over."),
    e.Joined: lambda _, item, me, __: None if item.event.person == me else _JOINED.filled(name=item.event.name),
    e.Left: lambda table, item, _, __: Text("{name} has gone.").filled(name=_name(table, item.event.person)),
    e.SeatAsked: lambda table, item, _, __: (
        Text("A new phone asks for {name}’s seat.") if item.event.secret else Text("That was not {name}’s phone.")
    ).filled(name=_name(table, item.event.person)),
    e.Claimed: lambda table, item, _, __: Text("{name} is back.").filled(name=_name(table, item.event.person)),
    e.Renamed: lambda _, item, __, ___: Text("That is {name} now.").filled(name=item.event.name),
    e.Seated: lambda _, __, ___, ____: Text("Seats were changed."),
    e.HostChanged: lambda table, item, _, __: Text("{name} hosts now.").filled(name=_name(table, item.event.person)),
    e.Helps: lambda table, item, _, __: (
        Text("{who} may play for {name}.") if item.event.yes else Text("{who} plays for {name} no more.")
    ).filled(who=_name(table, item.event.by_whom), name=_name(table, item.event.person)),
}
