"""Decide what a command leads to: events, or a refusal. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from dispenser.i18n import Text
from dispenser.rules.engine.errors import IllegalMove, RulesError
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table import matches
from dispenser.table.errors import TableRefusal
from dispenser.table.news import entered
from dispenser.table.people import Who
from dispenser.table.presses import count
from dispenser.table.table import Table


def decide(table: Table, command: c.Command, who: Who) -> list[e.Event]:
    """Return the events of a command; the last one carries the id of the request.

    :raises TableRefusal: the command is refused; the text says why.
    """
    if not table.is_open and not isinstance(command, c.Open):
        raise TableRefusal(Text("Nobody is playing. Tap Play on the launcher’s page."), "no_table")
    decided = _DECISIONS[type(command)](table, command, who)
    events = [replace(event, by=who.person) for event in (decided if isinstance(decided, list) else [decided])]
    return [*events[:-1], replace(events[-1], request=who.request, asked=who.asked if who.request else None)]


def execute(table: Table, command: c.Command, who: Who) -> list[e.Event]:
    """Decide on a command and apply its events.

    :raises TableRefusal: the command is refused, and nothing has changed.
    """
    events = decide(table, command, who)
    for number, event in enumerate(events):
        try:
            table.apply(event)
        except RulesError as error:
            if number:
                raise
            rule = error.rule if isinstance(error, IllegalMove) else None
            raise TableRefusal(error.text, "illegal" if rule else "impossible", rule) from error
    return events


def _open(table: Table, command: c.Open, who: Who) -> list[e.Event]:
    if table.is_open:
        raise TableRefusal(Text("An evening is under way: join it."), "table_open")
    opened = e.Opened(table=who.table, commitment=who.commitment)
    if not command.name:
        return [opened]
    return [opened, e.Joined(person=1, name=table.people.new_name(command.name), secret=who.secret)]


def _join(table: Table, command: c.Join, who: Who) -> e.Event:
    if table.people.is_here(who.person):
        raise TableRefusal(Text("You have a seat already."), "seated")
    return _joined(table, table.people.new_name, command.name, secret=who.secret)


def _guest(table: Table, command: c.Guest, who: Who) -> e.Event:
    table.people.check_seated(who)
    return _joined(table, table.people.new_name, command.name)


def _bot(table: Table, _: c.Bot, who: Who) -> e.Event:
    table.people.check_seated(who)
    return _joined(table, table.people.bot_name, bot=True)


def _joined(
    table: Table, named: Callable[..., str], *names: str, bot: bool = False, secret: str | None = None
) -> e.Event:
    table.people.check_room()
    return e.Joined(person=table.people.next_number(), name=named(*names), bot=bot, secret=secret)


def _leave(table: Table, _: c.Leave, who: Who) -> e.Event:
    if who.person is None or not table.people.is_here(who.person):
        raise TableRefusal(_NO_SEAT, "watching")
    return e.Left(person=who.person)


def _let_go(table: Table, command: c.LetGo, who: Who) -> e.Event:
    person = table.people[command.person]
    table.people.check_host(who, in_person=person.secret is not None)
    return e.Left(person=person.number)


def _claim(table: Table, command: c.Claim, who: Who) -> e.Event:
    person = table.people[command.person]
    if table.people.is_here(who.person):
        raise TableRefusal(Text("You have a seat already."), "seated")
    if person.bot:
        raise TableRefusal(Text("That seat needs no phone."), "no_phone_needed")
    if person.asked_by not in {None, who.secret}:
        text = Text("Another phone asks for {name}’s seat. Wait for the host’s answer.")
        raise TableRefusal(text.filled(name=person.name), "asked_already")
    return e.SeatAsked(person=person.number, secret=who.secret)


def _confirm(table: Table, command: c.Confirm, who: Who) -> e.Event:
    table.people.check_host(who, in_person=True)
    person = table.people[command.person]
    if person.asked_by is None:
        raise TableRefusal(Text("No phone asks for that seat any more."), "too_late")
    if command.yes:
        return e.Claimed(person=person.number, secret=person.asked_by)
    return e.SeatAsked(person=person.number)


def _rename(table: Table, command: c.Rename, who: Who) -> e.Event:
    table.people.check_seated(who)
    number = command.person if command.person is not None else who.person
    if number is None:
        raise TableRefusal(_NO_SEAT, "watching")
    if not table.people[number].phoneless and number != who.person:
        table.people.check_host(who)
    return e.Renamed(person=number, name=table.people.new_name(command.name, but=number))


def _swap(table: Table, command: c.Swap, who: Who) -> e.Event:
    table.people.check_host(who)
    one, other = table.people[command.person].number, table.people[command.other].number
    places = {one: other, other: one}
    return e.Seated(order=[places.get(each, each) for each in table.people.order])


def _hand_over(table: Table, command: c.HandOver, who: Who) -> e.Event:
    table.people.check_host(who, in_person=True)
    if table.people[command.person].secret is None:
        raise TableRefusal(Text("A host needs a phone."), "no_phone")
    return e.HostChanged(person=command.person)


def _help(table: Table, command: c.Help, who: Who) -> e.Event:
    whom, helper = table.people[command.person], table.people[command.by_whom].number
    if whom.number == helper or whom.bot:
        raise TableRefusal(Text("Nobody can play for that seat."), "no_help")
    stops = not command.yes and who.person == helper
    if who.person != whom.number and not stops and not whom.guest:
        table.people.check_host(who, in_person=True)  # a helper sees the hand
    table.people.check_seated(who)
    return e.Helps(person=whom.number, by_whom=helper, yes=command.yes)


def _close(table: Table, _: c.Close, who: Who) -> list[e.Event]:
    table.people.check_host(who)
    return [*matches.ended(table), e.Closed()]


def _host_only(table: Table, command: c.HostOnly, who: Who) -> e.Event:
    table.people.check_host(who)
    return e.HostOnlySet(yes=command.yes)


def _stand_in(table: Table, command: c.StandIn, who: Who) -> e.Event:
    """Set or end the stand-in phone: for the host; the person whose phone stands in may also end it."""
    if command.yes or who.person != table.stand_in:
        table.people.check_host(who)
    table.people.check_seated(who)
    if not command.yes:
        if table.stand_in is None:
            raise TableRefusal(Text("No phone stands in for the launcher."), "no_stand_in")
        return e.StandsIn()
    person = who.person if command.person is None else command.person
    if person is None:
        raise TableRefusal(_NO_SEAT, "watching")
    if table.people[person].secret is None:
        raise TableRefusal(Text("Only a phone can stand in for the launcher."), "no_phone")
    if person == table.stand_in:
        raise TableRefusal(Text("That phone is the launcher already."), "stands_in")
    return e.StandsIn(person=person)


def _continue(table: Table, _: c.Continue, who: Who) -> e.Event:
    table.people.check_seated(who)
    if not table.paused:
        raise TableRefusal(Text("The evening goes on already."), "too_late")
    return e.Continued()


def _count(table: Table, command: c.SetCount, who: Who) -> list[e.Event]:
    table.people.check_seated(who)
    told = table.counted
    seen = told is None or told.press != command.press or who.at is None or who.at >= table.counted_at
    if told is not None and not seen and told.by != who.person:
        raise TableRefusal(entered(table, told), "counted")
    events = count(table, command.press, command.cards)
    if not events:
        raise TableRefusal(Text("That press cannot be counted any more."), "too_late")
    return events


_NO_SEAT: Final = Text("You have no seat.")
_DECISIONS: Final[dict[type[c.Command], Callable[[Table, Any, Who], e.Event | list[e.Event]]]] = {
    c.Open: _open,
    c.Join: _join,
    c.Guest: _guest,
    c.Bot: _bot,
    c.Leave: _leave,
    c.LetGo: _let_go,
    c.Claim: _claim,
    c.Confirm: _confirm,
    c.Rename: _rename,
    c.Swap: _swap,
    c.HandOver: _hand_over,
    c.Help: _help,
    c.Close: _close,
    c.HostOnly: _host_only,
    c.StandIn: _stand_in,
    c.Continue: _continue,
    c.SetCount: _count,
    c.Start: matches.start,
    c.EndMatch: matches.end,
    c.ChangeTrackingMode: matches.choose_tracking_mode,
    c.Deal: matches.next_round,
    c.Act: matches.act,
    c.ChargeSeat: matches.charge,
    c.Forgive: matches.forgive,
    c.Out: matches.count_round,
    c.SetCard: matches.set_card,
    c.SetScore: matches.set_score,
    c.Undo: matches.undo,
    c.Redo: matches.redo,
}
