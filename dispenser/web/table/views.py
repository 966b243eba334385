"""Make the live views of a table: each phone gets its whole view when it connects and at each change.

Beside them a short event of what the launcher does goes to all, the same bytes for everybody, and before any view is
made. What a slow phone has not read is not kept: it gets the newest of both when it reads again.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dispenser.i18n import Text, listed
from dispenser.launcher import messages as m
from dispenser.odds.expectation import Expectation
from dispenser.odds.presets import design_from_description
from dispenser.service.requests import NoSessionError
from dispenser.table import events as e
from dispenser.table.common import Around, common
from dispenser.table.ending import ending
from dispenser.table.views import Viewer, view
from dispenser.web.access import Rank
from dispenser.web.errors import ProblemError
from dispenser.web.join import invitation, is_in, may_join_wifi
from dispenser.web.languages import language_of
from dispenser.web.rate_limit import client_of
from dispenser.web.stream import Stream, Streams
from dispenser.web.table.evenings import story_if_there

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from fastapi import Request

    from dispenser.journal import Record
    from dispenser.service.service import Service
    from dispenser.table.evenings import EveningStory
    from dispenser.table.table import Table
    from dispenser.web.access import Role
    from dispenser.web.security import Policy

_OF_PLAY: Final = (
    *(e.Acted.type, e.Undone.type, e.Redone.type, e.Charged.type, e.Forgiven.type, e.Paid.type, e.RoundOpened.type),
    *(e.Dealt.type, e.Scored.type, e.PressTaken.type, e.PressDone.type, e.CountAsked.type, e.CountTold.type),
)
"""Entries after which everybody is who they were; after any other, each phone is asked anew who it is."""
_OF_BURST: Final = (
    *(m.PressAccepted.type, m.BurstStarted.type, m.CardLeft.type, m.BurstEnded.type, m.BurstCounted.type),
    *(m.StateChanged.type, m.OrderChanged.type, m.ExitChanged.type),
)
"""Entries after which the launcher's event is another one."""
_BURST_FIELDS: Final = ("press", "planned", "delivered", "cause")
_ASK: Final = Text("Ask {names} to start a new evening, then scan its code.")
_ASK_OWNER: Final = Text("Ask the launcher’s owner to start a new evening, then scan its code.")
_encode = msgspec.json.Encoder().encode
_PING: Final = b"event: ping\ndata: {}\n\n"
_MOVED: Final = b"event: moved\ndata: {}\n\n"
_NOTHING: Final = (None, -1, "", 0)  # What no view was made for


class LauncherEvents:
    """The short event: the newest burst, as far as journal entries tell of it, and the state of the launcher now."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._burst: dict[str, Any] = {"press": None, "planned": None, "delivered": 0, "cause": None, "refused": None}

    def apply(self, entry: Record) -> bool:
        """Return whether the event is another one after that entry."""
        if entry.type == m.PressRefused.type and entry.data["source"] == "button":  # others are told in the answer
            self._burst["refused"] = {"press": entry.data["press"], "reason": entry.data["reason"]}
            return True
        if entry.type not in _OF_BURST:
            return False
        self._burst |= {name: entry.data[name] for name in _BURST_FIELDS if name in entry.data}
        if entry.type == m.PressAccepted.type:
            self._burst |= {"planned": None, "delivered": 0, "refused": None}
        elif entry.type == m.CardLeft.type:
            self._burst["delivered"] = entry.data["number"]
        return True

    def event(self) -> bytes:
        """The event as it is sent."""
        known = self._service.known()
        now = {"state": known.state, "refusal": known.refusal, "order": known.order, "cards_inside": known.cards_inside}
        now["workshop"] = self._service.workshop is not None
        return b"event: launcher\ndata: %b\n\n" % _encode(now | self._burst)


class Views:
    """The open view streams of one table, and the events that go to them."""

    def __init__(self, service: Service, policy: Policy, streams: Streams) -> None:
        self.service = service
        self._policy = policy
        self._streams = streams
        self._open: dict[ViewStream, None] = {}
        self._made: dict[tuple[Viewer, bool], bytes] = {}
        self._common: dict[str, dict[str, Any]] = {}
        self._invited: dict[bool, Any] = {}
        """How to join, by whether it is for those who may join the launcher's own Wi-Fi."""
        self._odds: dict[str, Any] = {}
        self._promised: float | None = None
        self._made_for: tuple[Table | None, int, str, int] = _NOTHING
        self._presence = self._people = 0
        self._attended: set[int] = set()
        self.launcher = LauncherEvents(service)
        self._name = ""
        """Of the evening under way, or the last one."""
        self._ending: tuple[asyncio.Task[EveningStory | None], float | None, Text] | None = None
        self._subscribed = False

    def response(self, request: Request) -> ViewStream:
        """A stream of views, if there may be one more."""
        stream = self._streams.add(client_of(request), lambda: ViewStream(self, self._streams, self._policy, request))
        if not self._subscribed:
            self._subscribed, self._name = True, self.evening
            self.service.on("", self._on_entry)
            self.service.event_bus.on_close(self._end_streams)
            self._streams.on_ping(self._poll)
        if not self._open:
            self._attended = self._attended_persons()
        self._check_invitations()
        self._open[stream] = None
        self.service.present.connect()
        if self.service.session is not None and (bots := self.service.session.bots) is not None:
            bots.look()
        return stream

    def _end_streams(self) -> None:
        for stream in tuple(self._open):
            stream.end()

    # --- what happens ---

    def _on_entry(self, entry: Record) -> None:
        if self.launcher.apply(entry):
            event = self.launcher.event()
            for stream in self._open:
                stream.offer(event)
        if entry.type == e.Opened.type:
            self._name = str(entry.data["table"])
        elif entry.type == e.Closed.type:
            self._sum_up_evening()
        if entry.type.startswith("table."):
            self._people += entry.type not in _OF_PLAY
            self.changed()

    def _sum_up_evening(self) -> None:
        """Begin to sum up the evening that has ended, from its journal entries, for the phones that are connected."""
        names = sorted({name for stream in self._open if (name := stream.owners_name)})
        ask = _ASK.filled(names=listed(names)) if names else _ASK_OWNER
        told = self.service.ask_journal(story_if_there(self.service, self._name))
        task = asyncio.create_task(told, name="works out how the evening ended")
        self._ending = task, self.cards_per_press(), ask

    async def ending(self, language: str) -> bytes:
        """The event that sums up the evening that is over; empty if there is none."""
        task, per_press, ask = self._ending or (None, None, _ASK_OWNER)
        if task is None or (story := await task) is None:
            return b""
        return b"event: over\ndata: %b\n\n" % _encode(ending(story, per_press, language) | {"again": ask[language]})

    def changed(self) -> None:
        """Send a new view to every phone soon, once for all that happens in this turn of the loop."""
        for stream in self._open:
            stream.mark_stale()

    def _poll(self) -> None:
        """See what changes by time alone: how to join, and whose phone has been silent for long."""
        if not self._open:
            return
        self._check_invitations()
        before, self._attended = self._attended, self._attended_persons()
        if self._attended != before:
            self._presence += 1
            self.changed()

    # --- who is there ---

    @property
    def table(self) -> Table | None:
        """The table, open or not; ``None`` while there is no journal."""
        return self.service.evening.table if self.service.evening is not None else None

    @property
    def people(self) -> tuple[Table | None, int]:
        """A value that changes whenever the role of a phone may have changed."""
        return self.table, self._people

    @property
    def evening(self) -> str:
        """The name of the evening under way; empty while there is none."""
        return self.table.name if self.table is not None else ""

    def has_phone(self, person: int) -> bool:
        """Whether a phone has that person's seat."""
        people = self.table.people if self.table else None
        return people is not None and people.is_here(person) and people.persons[person].secret is not None

    def name_of(self, person: int | None) -> str:
        """Empty for whoever has no seat."""
        people = self.table.people if self.table else None
        return people.name(person) if people and person is not None and people.is_here(person) else ""

    def take_person(self, stream: ViewStream, person: int | None) -> None:
        """A phone speaks for a person now; the one that did before ends."""
        if person is None:
            return
        for other in tuple(self._open):
            if other is not stream and other.person == person:
                other.move_away()
        self.service.present.come(person)
        self._presence += 1
        self.changed()

    def closed(self, stream: ViewStream) -> None:
        """A stream has ended."""
        if stream in self._open:
            del self._open[stream]
            self.service.present.disconnect()
            self.release_person(stream)

    def _attended_persons(self) -> set[int]:
        """Persons with a phone that is connected, or lately was."""
        persons = self.table.people.persons if self.table else ()
        return {person for person in persons if person in self.service.present}

    def release_person(self, stream: ViewStream) -> None:
        """A phone does not speak for its person any more."""
        if stream.person is not None:
            self.service.present.go(stream.person)
            stream.person = None
            self._presence += 1
            self.changed()

    # --- what they see ---

    def cards_per_press(self) -> float | None:
        """Cards that a press brings on average, by the odds."""
        odds = self.service.session.odds if self.service.session else {}
        if odds is not self._odds:
            self._odds = odds
            self._promised = Expectation(design_from_description(odds)).cards_per_press if odds else None
        return self._promised

    def around(self, join: Any) -> Around:
        """What the table does not know itself; ``join`` is as the method of that name says it."""
        return Around(self.service.present, self.cards_per_press(), join, by_phone=self.service.toy is not None)

    def join(self, *, joins_wifi: bool) -> Any:
        """How to join the evening; with the launcher's own Wi-Fi for those who may join it."""
        return msgspec.to_builtins(invitation(self._policy, self._policy.own_wifi() if joins_wifi else None))

    def view_event(self, role: Role, language: str, *, in_wifi: bool) -> bytes:
        """The event with somebody's view; it is made once for all who see the same."""
        if (table := self.table) is None:
            raise ProblemError("unavailable")
        state = (table, table.at, table.name, self._presence)
        if state != self._made_for:
            if table.name != self._made_for[2]:
                self._invited.clear()
            self._made.clear()
            self._common.clear()
            self._made_for = state
        joins_wifi = may_join_wifi(role, is_in_it=in_wifi)
        viewer = viewer_of(table, role, language)
        key = (viewer, joins_wifi)
        if key not in self._made:
            if joins_wifi not in self._invited:
                self._invited[joins_wifi] = self.join(joins_wifi=joins_wifi)
            around = self.around(self._invited[joins_wifi])
            if language not in self._common:
                self._common[language] = common(table, language, around)
            seen = view(table, viewer, around, self._common[language])
            self._made[key] = b"event: view\ndata: %b\n\n" % _encode(seen)
        return self._made[key]

    def _check_invitations(self) -> None:
        """Make all views anew if the way to join has changed."""
        if any(self.join(joins_wifi=joins_wifi) != told for joins_wifi, told in self._invited.items()):
            self._invited, self._made_for = {}, _NOTHING
            self.changed()


def viewer_of(table: Table, role: Role, language: str) -> Viewer:
    """The role of a client as the table's views take it."""
    return Viewer(role.person, role.owner, language, table.people.asked_for(role.seats))


class ViewStream(Stream):
    """One phone's stream: always the newest view, and what the launcher does.

    :ivar owners_name: of a person at the table whose phone is the owner's; else empty.
    """

    def __init__(self, views: Views, streams: Streams, policy: Policy, request: Request) -> None:
        super().__init__(streams)
        self.person: int | None = None
        self.owners_name = ""
        self._views = views
        self._ask_role = partial(policy.role, request)  # asked again whenever it may have changed: seats change hands
        self._known: tuple[object, Role] | None = None
        self._evening = views.evening
        self._language = language_of(request)
        self._in_wifi = is_in(policy.own_wifi(), request)
        self._event = views.launcher.event()
        self._ping = b""
        self._stale = True
        self._moved = self._over = False
        self._awake = asyncio.Event()
        self._awake.set()

    def offer(self, event: bytes) -> None:
        """Send this launcher event next, in place of an older one that was not sent yet."""
        self._event = event
        self._awake.set()

    def mark_stale(self) -> None:
        """Send a new view next."""
        self._stale = True
        self._awake.set()

    def ping(self) -> None:
        self._ping = _PING
        self._awake.set()

    def recheck_role(self) -> None:
        self._known = None
        self.mark_stale()

    def move_away(self) -> None:
        """Say that another phone speaks for this seat now, then end."""
        self._moved = True
        self._awake.set()

    def end(self) -> None:
        self._over = True
        self._awake.set()

    def closed(self) -> None:
        self.end()
        self._views.closed(self)

    async def parts(self) -> AsyncIterator[bytes]:
        self.person = self._role().person
        self._views.take_person(self, self.person)
        with suppress(NoSessionError):  # the session ends, and with it every stream
            while await self._awake.wait():
                self._awake.clear()
                if self._over:
                    return
                role = self._role()
                if role.rank < Rank.WATCHER:
                    yield await self._views.ending(self._language)
                    return
                if self._displaced(role):
                    yield _MOVED
                    return
                if told := await self._told(role):
                    await self._views.service.safe()
                    yield told

    async def _told(self, role: Role) -> bytes:
        """What is new for that client."""
        if role.person != self.person:
            self._views.release_person(self)
            self.person = role.person  # a new phone, and the host has said whose it is
            self._views.take_person(self, self.person)
        told, self._ping, self._event = self._ping + self._event, b"", b""
        if self._stale:
            self._stale = False
            told += self._views.view_event(role, self._language, in_wifi=self._in_wifi)
            self.owners_name = self._views.name_of(role.person) if role.owner else ""
        if (evening := self._views.evening) != self._evening:
            told += b"" if evening else await self._views.ending(self._language)
            self._evening = evening
        return told

    def _displaced(self, role: Role) -> bool:
        """Whether another phone has its seat; where none has, one watches: by leaving, or as the host let it go."""
        if self._moved or self.person is None or role.person == self.person:
            return self._moved
        return self._views.has_phone(self.person)

    def _role(self) -> Role:
        """The role of the client now."""
        people = self._views.people
        if self._known is None or self._known[0] != people:
            self._known = people, self._ask_role()
        return self._known[1]
