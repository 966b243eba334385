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
from dispenser.table import messages as m
from dispenser.table.match import Match
from dispenser.table.table import News, Table

_TELLINGS: Final = {
    m.Telling.COUNTER: Text("From now on, tap only what makes someone draw."),
    m.Telling.REFEREE: Text("From now on, tap each card that is laid."),
    m.Telling.CARDS: Text("From now on the cards are on the phones."),
}
_WISHED: Final = {
    m.Telling.COUNTER: Text("From the next {round} on, tap only what makes someone draw."),
    m.Telling.REFEREE: Text("From the next {round} on, tap each card that is laid."),
    m.Telling.CARDS: Text("From the next {round} on the cards are on the phones."),
}
_TOOK_BACK: Final = Text("{who} took back: {what}")
_DID_AGAIN: Final = Text("{who} did again: {what}")
_OF_SEAT: Final = Text("{name}: {what}")
_CAME: Final = Text("{number} card came", plural="{number} cards came")
_CANCELLED: Final = Text("a debt that was cancelled")
_DEAL: Final = Text("the deal")
_ANSWER: Final = Text("an answer")
_CORRECTION: Final = Text("a correction")
_ROUND_END: Final = Text("the end of the {round}")
_SET_RIGHT: Final = Text("{who} set right: {what}")
_TURN_SET: Final = Text("{who} set right: it is {name}’s turn.")
_HAND_SET: Final = Text(
    "{who} set right: {name} holds {number} card.", plural="{who} set right: {name} holds {number} cards."
)
_ENTERED: Final = Text("{name} entered {number} card.", plural="{name} entered {number} cards.")
_SURPLUS: Final = Text("One card too many: put it back.", plural="{number} cards too many: put them back.")
_SURPLUS_OF: Final = Text(
    "{name}: {number} card too many. Put it back!", plural="{name}: {number} cards too many. Put them back!"
)
_OWES_PRESSES: Final = Text("{charge}: {name} presses once.", plural="{charge}: {name} presses {number} times.")
_OWES_CARDS: Final = Text("{charge}: {name} draws {number} card.", plural="{charge}: {name} draws {number} cards.")
_PAID: Final = Text("{number} card.", plural="{number} cards.")
_PAID_NOTHING: Final = Text("nothing!")
_THE_TABLE: Final = Text("The table")
_SCORED: Final = Text("{name} has {score} points now.")
_JOINED: Final = Text("{name} sits down.")
_LEFT: Final = Text("{name} has gone.")
_SEAT_ASKED: Final = Text("A new phone asks for {name}’s seat.")
_SEAT_KEPT: Final = Text("That was not {name}’s phone.")
_CLAIMED: Final = Text("{name} is back.")
_RENAMED: Final = Text("That is {name} now.")
_SEATED: Final = Text("Seats were changed.")
_HOST: Final = Text("{name} hosts now.")
_HELPS: Final = Text("{who} may play for {name}.")
_HELPS_NO_MORE: Final = Text("{who} plays for {name} no more.")
_STANDS_IN: Final = Text("{name}’s phone is the launcher now.")
_REAL_AGAIN: Final = Text("The real launcher throws again.")
_BEGINS: Final = Text("{game} begins.")
_SHARES: Final = Text("{name} plays on {other}’s phone.")
_ENDED: Final = Text("The match is over.")
_FORGIVEN: Final = Text("{who} cancelled a debt.")
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
        say = _SENTENCES.get(type(item.entry))
        text = say(table, item, listener[0], language) if say else None
        item.said[listener] = text[language] if isinstance(text, Text) else (text or "")
    return item.said[listener]


def entered(table: Table, told: m.CountTold) -> Text:
    """Who told how many cards came."""
    return _ENTERED.filled(name=_name(table, told.by), number=told.cards)


def _concerns(item: News, person: int | None) -> bool:
    """Whether a sentence may speak to that person; the others all hear the same."""
    if isinstance(item.entry, m.Joined):
        return item.entry.person == person
    return item.match is not None and person is not None and person in item.concerned


def _name(table: Table, person: int | None) -> str | Text:
    return table.people.name(person) if person in table.people.persons and person is not None else _THE_TABLE


def _names(table: Table, match: Match) -> list[str]:
    return [table.people.name(person) for person in match.order]


def _acted(table: Table, item: News, person: int | None, language: str) -> str:
    if item.match is None or not isinstance(item.entry, m.Acted):
        return ""
    telling = Telling(item.match.game, language, _names(table, item.match), item.match.seat_of(person))
    if item.entry.action[0] in {Deed.TURN, Deed.HAND, Deed.HAND_SIZE}:
        return _corrected(table, item)[language]
    drawn = What.DEALER_DREW  # by lot, of cards that nobody at the table has seen
    return " ".join(telling.events([event for event in item.happened if event.what is not drawn]))


def _corrected(table: Table, item: News) -> Text:
    """Who says that a hand, or the turn, is otherwise."""
    assert isinstance(item.entry, m.Acted)  # noqa: S101 - told to mypy
    deed, seat, value = item.entry.action
    who, name = _name(table, item.entry.by), _of_seat(table, item, seat)
    if deed == Deed.TURN:
        return _TURN_SET.filled(who=who, name=name)
    return _HAND_SET.filled(who=who, name=name, number=len(value) if isinstance(value, list) else value)


def _back(template: Text) -> Callable[[Table, News, int | None, str], Text]:
    def say(table: Table, item: News, _: int | None, language: str) -> Text:
        what = ", ".join(_described(table, item.match, item.taken_back, language)) if item.match else ""
        return template.filled(who=_name(table, item.entry.by), what=what or _CORRECTION)

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
            what = _DEAL
        elif deed is Deed.ANSWER:
            what = _ANSWER
        elif deed is Deed.COUNT_ROUND:
            what = _ROUND_END.filled(round=vocabulary_of(match.game).round)
        of_seat = deed is not Deed.COUNT_ROUND and seat is not None and 0 <= seat < len(names)
        told.append((_OF_SEAT.filled(name=names[seat or 0], what=what) if of_seat else what)[language])
    return told


def _counted(match: Match, deed: counter.Deed, names: Sequence[str]) -> Text:
    """What was told while the table plays by itself."""
    if isinstance(deed, m.Charged):
        return _OF_SEAT.filled(name=names[deed.seat], what=match.ledger.charges[deed.charge].name)
    return _CAME.filled(number=deed.cards) if isinstance(deed, m.Paid) else _CANCELLED


def _stands_in(table: Table, item: News, _: int | None, __: str) -> Text:
    entry = item.entry
    if not isinstance(entry, m.StandsIn) or entry.person is None:
        return _REAL_AGAIN
    return _STANDS_IN.filled(name=table.people.name(entry.person))


def _charged(table: Table, item: News, _: int | None, __: str) -> Text | None:
    entry = item.entry
    if item.match is None or not isinstance(entry, m.Charged):
        return None
    charge = item.match.ledger.charges[entry.charge]
    template = _OWES_PRESSES if item.match.counts_presses else _OWES_CARDS
    return template.filled(
        charge=charge.name, name=table.people.name(item.match.order[entry.seat]), number=entry.number
    )


def _left_over(table: Table, item: News, _: int | None, __: str) -> Text | None:
    entry = item.entry
    if not isinstance(entry, m.PressDone) or not entry.cards:
        return None
    if item.match and item.match.telling is m.Telling.CARDS:  # nobody holds what came
        return None
    place = item.match.is_current(entry.press) if item.match else None
    seat = item.match.game.log[place].seat if item.match and place is not None else None
    if seat is None:
        return _SURPLUS.filled(number=entry.cards)
    return _SURPLUS_OF.filled(name=_of_seat(table, item, seat), number=entry.cards)


def _paid(table: Table, item: News, _: int | None, __: str) -> Text:
    assert isinstance(item.entry, m.Paid)  # noqa: S101 - told to mypy
    came = (_PAID if item.entry.cards else _PAID_NOTHING).filled(number=item.entry.cards)
    return came if item.taker is None else _OF_SEAT.filled(name=table.people.name(item.taker), what=came)


def _begun(table: Table, item: News, _: int | None, __: str) -> Text | None:
    entry = item.entry
    if not isinstance(entry, m.MatchBegun):
        return None
    told = [_BEGINS.filled(game=book_of(entry.game).name)] if entry.anew else []
    if not entry.anew and entry.telling is not item.before:
        told.append(_TELLINGS[entry.telling])
    if told and entry.telling is m.Telling.CARDS:
        people = table.people
        shared = ((people.name(each), people.shared_phone(each)) for each in entry.order)
        told += [_SHARES.filled(name=name, other=people.name(owner)) for name, owner in shared if owner is not None]
    return listed(told, between=" ") if told else None


def _of_seat(table: Table, item: News, seat: int) -> str | Text:
    return table.people.name(item.match.order[seat]) if item.match else _THE_TABLE


_SENTENCES: Final[dict[type[m.Entry], Callable[[Table, Any, int | None, str], str | Text | None]]] = {
    m.Acted: _acted,
    m.CardSet: _back(_SET_RIGHT),
    m.Undone: _back(_TOOK_BACK),
    m.Redone: _back(_DID_AGAIN),
    m.Charged: _charged,
    m.StandsIn: _stands_in,
    m.MatchBegun: _begun,
    m.Paid: _paid,
    m.CountTold: lambda table, item, _, __: entered(table, item.entry),
    m.PressDone: _left_over,
    m.Forgiven: lambda table, item, _, __: _FORGIVEN.filled(who=_name(table, item.entry.by)),
    m.Scored: lambda table, item, _, __: _SCORED.filled(
        name=_of_seat(table, item, item.entry.seat), score=item.entry.score
    ),
    m.Dealt: lambda table, item, _, __: _DEALT.filled(name=_of_seat(table, item, item.entry.seat)),
    m.TellingWished: lambda _, item, __, ___: _WISHED[item.entry.telling].filled(
        round=vocabulary_of(item.match.game).round
    ),
    m.MatchEnded: lambda _, __, ___, ____: _ENDED,
    m.Joined: lambda _, item, me, __: None if item.entry.person == me else _JOINED.filled(name=item.entry.name),
    m.Left: lambda table, item, _, __: _LEFT.filled(name=_name(table, item.entry.person)),
    m.SeatAsked: lambda table, item, _, __: (_SEAT_ASKED if item.entry.secret else _SEAT_KEPT).filled(
        name=_name(table, item.entry.person)
    ),
    m.Claimed: lambda table, item, _, __: _CLAIMED.filled(name=_name(table, item.entry.person)),
    m.Renamed: lambda _, item, __, ___: _RENAMED.filled(name=item.entry.name),
    m.Seated: lambda _, __, ___, ____: _SEATED,
    m.HostChanged: lambda table, item, _, __: _HOST.filled(name=_name(table, item.entry.person)),
    m.Helps: lambda table, item, _, __: (_HELPS if item.entry.yes else _HELPS_NO_MORE).filled(
        who=_name(table, item.entry.by_whom), name=_name(table, item.entry.person)
    ),
}
