"""What comes of what somebody says: entries, or a refusal. Nothing is changed here; ``Who`` tells who says it."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from dispenser.i18n import Text
from dispenser.rules import GAMES
from dispenser.rules.engine.errors import IllegalMove, OptionError, RulesError
from dispenser.rules.engine.history import Deed
from dispenser.table import matches
from dispenser.table import messages as m
from dispenser.table.errors import TableRefusal
from dispenser.table.news import entered
from dispenser.table.presses import count
from dispenser.table.table import Table


class Who(NamedTuple):
    """Who says something, and what a pure table cannot find out by itself.

    :ivar person: at the table; ``None`` for others.
    :ivar owner: operates the launcher.
    :ivar at: the state of the table that it was meant for, as the phone's view told it.
    :ivar request: an id of the phone's.
    :ivar asked: a mark of what is said, by which the same is known again.
    :ivar present: persons whose phones are connected.
    :ivar secret: SHA-256 of a fresh secret, for whoever sits down.
    :ivar table: a fresh name for an evening, and ``commitment`` to its fresh secret.
    """

    person: int | None = None
    owner: bool = False
    at: int | None = None
    request: str | None = None
    asked: str | None = None
    present: Container[int] = frozenset()
    secret: str | None = None
    table: str = ""
    commitment: str = ""


def decide(table: Table, tell: m.Tell, who: Who) -> list[m.Entry]:
    """What comes of it.

    :raises TableRefusal: nothing, and why.
    """
    if not table.is_open and not isinstance(tell, m.Open):
        raise TableRefusal(Text("Nobody is playing. Tap Play on the launcher's page."), "no_table")
    return _DECISIONS[type(tell)](table, tell, who)


def step(table: Table, tell: m.Tell, who: Who) -> list[m.Entry]:
    """Decide, and let it be in force.

    :raises TableRefusal: nothing has changed, and why.
    """
    entries = [replace(entry, asked=who.asked) if entry.request else entry for entry in decide(table, tell, who)]
    for number, entry in enumerate(entries):
        try:
            table.take(entry)
        except RulesError as error:
            if number:
                raise
            rule = error.rule if isinstance(error, IllegalMove) else None
            raise TableRefusal(error.text, "illegal" if rule else "impossible", rule) from error
    return entries


# --- who may -----------------------------------------------------------------------------------------------------


def seated(table: Table, who: Who) -> None:
    """:raises TableRefusal: watchers can't move anything."""
    if not (who.owner or table.people.is_here(who.person)):
        raise TableRefusal(Text("You’re only watching: take a seat to play."), "watching")


def hosts(table: Table, who: Who, *, in_person: bool = False) -> None:
    """:raises TableRefusal: that is for the host, or the launcher's owner.

    :param in_person: whoever acts as host, while the host's phone is silent, may not do it.
    """
    seated(table, who)
    host = table.people.host if in_person else table.people.acting_host(who.present)
    if not (who.owner or who.person == host):
        name = table.people.name(host) if host else "?"
        raise TableRefusal(Text("Ask {name}, who hosts.").filled(name=name), "host_only")


def _usual(who: Who) -> dict[str, Any]:
    return {"by": who.person, "request": who.request}


# --- the evening and its people ----------------------------------------------------------------------------------


def _open(table: Table, tell: m.Open, who: Who) -> list[m.Entry]:
    if table.is_open:
        raise TableRefusal(Text("An evening is under way: join it."), "table_open")
    opened = m.Opened(table=who.table, commitment=who.commitment, request=who.request)
    if not tell.name:
        return [opened]
    name = table.people.new_name(tell.name)
    return [opened, m.Joined(person=1, name=name, secret=who.secret, by=1)]


def _join(table: Table, tell: m.Join, who: Who) -> list[m.Entry]:
    if table.people.is_here(who.person):
        raise TableRefusal(Text("You have a seat already."), "seated")
    table.people.check_room()
    number, name = table.people.next_number(), table.people.new_name(tell.name)
    return [m.Joined(person=number, name=name, secret=who.secret, by=number, request=who.request)]


def _guest(table: Table, tell: m.Guest, who: Who) -> list[m.Entry]:
    seated(table, who)
    table.people.check_room()
    name = table.people.new_name(tell.name)
    return [m.Joined(person=table.people.next_number(), name=name, **_usual(who))]


def _bot(table: Table, _: m.Bot, who: Who) -> list[m.Entry]:
    seated(table, who)
    table.people.check_room()
    people = table.people
    return [m.Joined(person=people.next_number(), name=people.bot_name(), bot=True, **_usual(who))]


def _leave(table: Table, _: m.Leave, who: Who) -> list[m.Entry]:
    if who.person is None or not table.people.is_here(who.person):
        raise TableRefusal(Text("You have no seat."), "watching")
    return [m.Left(person=who.person, **_usual(who))]


def _let_go(table: Table, tell: m.LetGo, who: Who) -> list[m.Entry]:
    person = table.people[tell.person]
    hosts(table, who, in_person=person.secret is not None)
    return [m.Left(person=person.number, **_usual(who))]


def _claim(table: Table, tell: m.Claim, who: Who) -> list[m.Entry]:
    person = table.people[tell.person]
    if table.people.is_here(who.person):
        raise TableRefusal(Text("You have a seat already."), "seated")
    if person.bot:
        raise TableRefusal(Text("That seat needs no phone."), "no_phone_needed")
    if person.asked_by not in {None, who.secret}:
        text = Text("Another phone asks for {name}’s seat. Wait for the host’s answer.")
        raise TableRefusal(text.filled(name=person.name), "asked_already")
    return [m.SeatAsked(person=person.number, secret=who.secret, request=who.request)]


def _confirm(table: Table, tell: m.Confirm, who: Who) -> list[m.Entry]:
    hosts(table, who, in_person=True)
    person = table.people[tell.person]
    if person.asked_by is None:
        raise TableRefusal(Text("No phone asks for that seat any more."), "too_late")
    if tell.yes:
        return [m.Claimed(person=person.number, secret=person.asked_by, **_usual(who))]
    return [m.SeatAsked(person=person.number, **_usual(who))]


def _rename(table: Table, tell: m.Rename, who: Who) -> list[m.Entry]:
    seated(table, who)
    number = tell.person if tell.person is not None else who.person
    if number is None:
        raise TableRefusal(Text("You have no seat."), "watching")
    if not table.people[number].phoneless and number != who.person:
        hosts(table, who)
    return [m.Renamed(person=number, name=table.people.new_name(tell.name, but=number), **_usual(who))]


def _swap(table: Table, tell: m.Swap, who: Who) -> list[m.Entry]:
    hosts(table, who)
    one, other = table.people[tell.person].number, table.people[tell.other].number
    places = {one: other, other: one}
    return [m.Seated(order=[places.get(each, each) for each in table.people.order], **_usual(who))]


def _hand_over(table: Table, tell: m.HandOver, who: Who) -> list[m.Entry]:
    hosts(table, who, in_person=True)
    return [m.HostChanged(person=_able(table, tell.person), **_usual(who))]


def _able(table: Table, person: int) -> int:
    """A person who can host, which takes a phone."""
    if table.people[person].secret is None:
        raise TableRefusal(Text("A host needs a phone."), "no_phone")
    return person


def _help(table: Table, tell: m.Help, who: Who) -> list[m.Entry]:
    whom, helper = table.people[tell.person].number, table.people[tell.by_whom].number
    if whom == helper or table.people[whom].bot:
        raise TableRefusal(Text("Nobody can play for that seat."), "no_help")
    stops = not tell.yes and who.person == helper
    if who.person != whom and not stops and not table.people[whom].guest:
        hosts(table, who, in_person=True)  # a helper sees the hand
    seated(table, who)
    return [m.Helps(person=whom, by_whom=helper, yes=tell.yes, **_usual(who))]


def _close(table: Table, _: m.Close, who: Who) -> list[m.Entry]:
    hosts(table, who)
    return [*matches.ended(table, who.person), m.Closed(**_usual(who))]


def _host_only(table: Table, tell: m.HostOnly, who: Who) -> list[m.Entry]:
    hosts(table, who)
    return [m.HostOnlySet(yes=tell.yes, **_usual(who))]


def _stand_in(table: Table, tell: m.StandIn, who: Who) -> list[m.Entry]:
    """The host says whose phone is the launcher; back to the real one may also say whose phone it is."""
    (seated if not tell.yes and who.person == table.stand_in else hosts)(table, who)
    if not tell.yes:
        if table.stand_in is None:
            raise TableRefusal(Text("No phone stands in for the launcher."), "no_stand_in")
        return [m.StandsIn(**_usual(who))]
    person = who.person if tell.person is None else tell.person
    if person is None:
        raise TableRefusal(Text("You have no seat."), "watching")
    if table.people[person].secret is None:
        raise TableRefusal(Text("Only a phone can stand in for the launcher."), "no_phone")
    if person == table.stand_in:
        raise TableRefusal(Text("That phone is the launcher already."), "stands_in")
    return [m.StandsIn(person=person, **_usual(who))]


# --- the match ---------------------------------------------------------------------------------------------------


def _start(table: Table, tell: m.Start, who: Who) -> list[m.Entry]:
    hosts(table, who)
    if tell.game not in GAMES:
        raise TableRefusal(Text("There is no such game."), "unknown_game")
    if table.playing or table.asked:
        raise TableRefusal(Text("A round is under way. End the match first."), "round_under_way")
    order = matches.players(table, tell.telling)
    matches.check_hands(table, order, tell.telling)
    begun = m.MatchBegun(
        game=tell.game,
        options=dict(tell.options),
        order=order,
        telling=tell.telling,
        scores=[0] * len(order),
        deals=tell.deals and tell.telling is not m.Telling.CARDS,
        commitment=table.next_commitment(),
        **_usual(who),
    )
    try:
        begun = matches.fitting(begun)
    except OptionError as error:
        raise TableRefusal(error.text, "bad_options") from error
    return [*matches.ended(table, who.person), begun, *matches.deal(matches.trial(begun), who.person)]


def _telling(table: Table, tell: m.ChangeTelling, who: Who) -> list[m.Entry]:
    hosts(table, who)
    return [_first(matches.change_telling(table, tell, who.person), who)]


def _deal(table: Table, _: m.Deal, who: Who) -> list[m.Entry]:
    seated(table, who)
    matches.fresh(table, who.at)
    entries = matches.next_round(table, who.person)
    return [_first(entries[0], who), *entries[1:]]


def _first(entry: m.Entry, who: Who) -> m.Entry:
    """The entry as the answer to a request."""
    return replace(entry, by=who.person, request=who.request)


def _act(table: Table, tell: m.Act, who: Who) -> list[m.Entry]:
    corrects = bool(tell.action) and tell.action[0] in _CORRECTIONS
    (_corrects if corrects else seated)(table, who)
    return [matches.acted(table, tell.action, who.person, at=who.at, request=who.request, present=who.present)]


_CORRECTIONS: Final = (Deed.HAND, Deed.HAND_SIZE, Deed.TURN)
"""What the engine is told of a round that it has followed wrongly."""


def _charge(table: Table, tell: m.ChargeSeat, who: Who) -> list[m.Entry]:
    seated(table, who)
    return [matches.charged(table, tell, who.person, who.at, who.request)]


def _forgive(table: Table, tell: m.Forgive, who: Who) -> list[m.Entry]:
    _corrects(table, who)
    match = matches.current(table)
    matches.fresh(table, who.at)
    if all(debt.number != tell.debt for debt in match.ledger.debts):
        raise TableRefusal(Text("That is paid already."), "too_late")
    return [m.Forgiven(debt=tell.debt, **_usual(who))]


def _out(table: Table, tell: m.Out, who: Who) -> list[m.Entry]:
    virtual = table.match is not None and table.match.telling is m.Telling.CARDS
    (hosts if virtual else seated)(table, who)  # cards on the phones count themselves: to stop them is the host's
    matches.fresh(table, who.at)
    return [matches.round_out(table, tell, who.person, who.request)]


def _count(table: Table, tell: m.TellCount, who: Who) -> list[m.Entry]:
    seated(table, who)
    _not_counted_meanwhile(table, tell, who)
    entries = count(table, tell.press, tell.cards, who.person, who.request)
    if not entries:
        raise TableRefusal(Text("That press cannot be counted any more."), "too_late")
    return entries


def _not_counted_meanwhile(table: Table, tell: m.TellCount, who: Who) -> None:
    """:raises TableRefusal: somebody else has told another count of it since the phone's view was made."""
    told = table.counted
    if told is None or told.press != tell.press or who.at is None or who.at >= table.counted_at:
        return
    if told.by != who.person:
        raise TableRefusal(entered(table, told), "counted")


def _card(table: Table, tell: m.SetCard, who: Who) -> list[m.Entry]:
    _corrects(table, who)
    matches.fresh(table, who.at)
    return [matches.recarded(table, tell, who.person, who.request)]


def _score(table: Table, tell: m.SetScore, who: Who) -> list[m.Entry]:
    _corrects(table, who)
    return matches.rescored(table, tell, who.person, who.request)


def _undo(table: Table, _: m.Undo, who: Who) -> list[m.Entry]:
    _corrects(table, who)
    matches.fresh(table, who.at)
    return [m.Undone(steps=matches.steps_back(table), **_usual(who))]


def _redo(table: Table, _: m.Redo, who: Who) -> list[m.Entry]:
    _corrects(table, who)
    matches.fresh(table, who.at)
    return [m.Redone(steps=matches.steps_forward(table), **_usual(who))]


def _corrects(table: Table, who: Who) -> None:
    """:raises TableRefusal: here the host alone takes back and sets right, or the speaker watches."""
    (hosts if table.host_only else seated)(table, who)


def _end(table: Table, _: m.EndMatch, who: Who) -> list[m.Entry]:
    hosts(table, who)
    matches.current(table)
    entries = matches.ended(table, who.person)
    return [_first(entries[0], who), *entries[1:]]


def _continue(table: Table, _: m.Continue, who: Who) -> list[m.Entry]:
    seated(table, who)
    if not table.paused:
        raise TableRefusal(Text("The evening goes on already."), "too_late")
    return [m.Continued(**_usual(who))]


_DECISIONS: Final[dict[type[m.Tell], Callable[[Table, Any, Who], list[m.Entry]]]] = {
    m.Open: _open,
    m.Join: _join,
    m.Guest: _guest,
    m.Bot: _bot,
    m.Leave: _leave,
    m.LetGo: _let_go,
    m.Claim: _claim,
    m.Confirm: _confirm,
    m.Rename: _rename,
    m.Swap: _swap,
    m.HandOver: _hand_over,
    m.Help: _help,
    m.Close: _close,
    m.HostOnly: _host_only,
    m.StandIn: _stand_in,
    m.Start: _start,
    m.ChangeTelling: _telling,
    m.Deal: _deal,
    m.Act: _act,
    m.ChargeSeat: _charge,
    m.Forgive: _forgive,
    m.Out: _out,
    m.TellCount: _count,
    m.SetCard: _card,
    m.SetScore: _score,
    m.Undo: _undo,
    m.Redo: _redo,
    m.EndMatch: _end,
    m.Continue: _continue,
}
