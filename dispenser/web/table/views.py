"""Make the live views of a table: each phone gets its whole view when it connects and at each change.

In addition, all phones get the ``launcher`` event, the same bytes for each, which is sent before the views are built.
Neither is queued for a slow phone: when it reads again, it gets the newest of both.
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
"""Events that do not change roles; after any other table event, each stream determines its role again."""
_OF_BURST: Final = (
    *(m.PressAccepted.type, m.BurstStarted.type, m.CardLeft.type, m.BurstEnded.type, m.BurstCounted.type),
    *(m.StateChanged.type, m.OrderChanged.type, m.ExitChanged.type),
)
"""Records after which the ``launcher`` event changes."""
_BURST_FIELDS: Final = ("press", "planned", "delivered", "cause")
_ASK: Final = Text("Ask {names} to start a new evening, then scan its code.")
_ASK_OWNER: Final = Text("Ask the launcher’s owner to start a new evening, then scan its code.")
_encode = msgspec.json.Encoder().encode
_PING: Final = b"event: ping\ndata: {}\n\n"
_MOVED: Final = b"event: moved\ndata: {}\n\n"
_NOTHING: Final = (None, -1, "", 0)  # Cache key before the first view


class LauncherEvents:
    """The data of the ``launcher`` event: the newest burst, from journal records, and the launcher's current state."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._burst: dict[str, Any] = {"press": None, "planned": None, "delivered": 0, "cause": None, "refused": None}

    def apply(self, record: Record) -> bool:
        """Update from a record; return whether the event has changed."""
        if record.type == m.PressRefused.type and record.data["source"] == "button":  # others get it in the response
            self._burst["refused"] = {"press": record.data["press"], "reason": record.data["reason"]}
            return True
        if record.type not in _OF_BURST:
            return False
        self._burst |= {name: record.data[name] for name in _BURST_FIELDS if name in record.data}
        if record.type == m.PressAccepted.type:
            self._burst |= {"planned": None, "delivered": 0, "refused": None}
        elif record.type == m.CardLeft.type:
            self._burst["delivered"] = record.data["number"]
        return True

    def event(self) -> bytes:
        """Return the server-sent event."""
        known = self._service.known()
        now = {"state": known.state, "refusal": known.refusal, "order": known.order, "cards_inside": known.cards_inside}
        now["workshop"] = self._service.workshop is not None
        return b"event: launcher\ndata: %b\n\n" % _encode(now | self._burst)


class Views:
    """The open view streams of one table; builds and caches the events for them."""

    def __init__(self, service: Service, policy: Policy, streams: Streams) -> None:
        self.service = service
        self._policy = policy
        self._streams = streams
        self._open: dict[ViewStream, None] = {}
        self._made: dict[tuple[Viewer, bool], bytes] = {}
        self._common: dict[str, dict[str, Any]] = {}
        self._invited: dict[bool, Any] = {}
        """How to join, by whether the reader may join the launcher's own Wi-Fi."""
        self._odds: dict[str, Any] = {}
        self._promised: float | None = None
        self._made_for: tuple[Table | None, int, str, int] = _NOTHING
        self._presence = self._people = 0
        self._attended: set[int] = set()
        self.launcher = LauncherEvents(service)
        self._name = ""
        """Name of the current or the last evening."""
        self._ending: tuple[asyncio.Task[EveningStory | None], float | None, Text] | None = None
        self._subscribed = False

    def response(self, request: Request) -> ViewStream:
        """Create a stream of views, within the limit on streams."""
        stream = self._streams.add(client_of(request), lambda: ViewStream(self, self._streams, self._policy, request))
        if not self._subscribed:
            self._subscribed, self._name = True, self.evening
            self.service.on("", self._on_record)
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

    # --- events ---

    def _on_record(self, record: Record) -> None:
        if self.launcher.apply(record):
            event = self.launcher.event()
            for stream in self._open:
                stream.offer(event)
        if record.type == e.Opened.type:
            self._name = str(record.data["table"])
        elif record.type == e.Closed.type:
            self._sum_up_evening()
        if record.type.startswith("table."):
            self._people += record.type not in _OF_PLAY
            self.changed()

    def _sum_up_evening(self) -> None:
        """Start a task that summarizes the evening that has ended, from the journal, for the connected phones."""
        names = sorted({name for stream in self._open if (name := stream.owners_name)})
        ask = _ASK.filled(names=listed(names)) if names else _ASK_OWNER
        story = self.service.ask_journal(story_if_there(self.service, self._name))
        task = asyncio.create_task(story, name="works out how the evening ended")
        self._ending = task, self.cards_per_press(), ask

    async def ending(self, language: str) -> bytes:
        """Return the event that summarizes the evening that is over; empty if there is none."""
        task, per_press, ask = self._ending or (None, None, _ASK_OWNER)
        if task is None or (story := await task) is None:
            return b""
        return b"event: over\ndata: %b\n\n" % _encode(ending(story, per_press, language) | {"again": ask[language]})

    def changed(self) -> None:
        """Mark all views as stale; each stream sends one new view for all events of this turn of the loop."""
        for stream in self._open:
            stream.mark_stale()

    def _poll(self) -> None:
        """Check, at each ping, what changes without an event: how to join, and phones that became silent."""
        if not self._open:
            return
        self._check_invitations()
        before, self._attended = self._attended, self._attended_persons()
        if self._attended != before:
            self._presence += 1
            self.changed()

    # --- presence ---

    @property
    def table(self) -> Table | None:
        """Return the table, open or not; ``None`` while there is no journal."""
        return self.service.evening.table if self.service.evening is not None else None

    @property
    def people(self) -> tuple[Table | None, int]:
        """Return a value that changes whenever the role of a client may have changed."""
        return self.table, self._people

    @property
    def evening(self) -> str:
        """Return the name of the evening under way; empty while there is none."""
        return self.table.name if self.table is not None else ""

    def has_phone(self, person: int) -> bool:
        """Return whether a phone has that person's seat."""
        people = self.table.people if self.table else None
        return people is not None and people.is_here(person) and people.persons[person].secret is not None

    def name_of(self, person: int | None) -> str:
        """Return a person's name; empty without a seat."""
        people = self.table.people if self.table else None
        return people.name(person) if people and person is not None and people.is_here(person) else ""

    def take_person(self, stream: ViewStream, person: int | None) -> None:
        """Assign a person to a stream; another stream of the same person ends."""
        if person is None:
            return
        for other in tuple(self._open):
            if other is not stream and other.person == person:
                other.move_away()
        self.service.present.come(person)
        self._presence += 1
        self.changed()

    def closed(self, stream: ViewStream) -> None:
        """Remove a stream that has ended."""
        if stream in self._open:
            del self._open[stream]
            self.service.present.disconnect()
            self.release_person(stream)

    def _attended_persons(self) -> set[int]:
        """Return the persons whose phone is connected, or was recently."""
        persons = self.table.people.persons if self.table else ()
        return {person for person in persons if person in self.service.present}

    def release_person(self, stream: ViewStream) -> None:
        """Remove a stream's assignment to its person."""
        if stream.person is not None:
            self.service.present.go(stream.person)
            stream.person = None
            self._presence += 1
            self.changed()

    # --- views ---

    def cards_per_press(self) -> float | None:
        """Return the mean number of cards per press under the current odds."""
        odds = self.service.session.odds if self.service.session else {}
        if odds is not self._odds:
            self._odds = odds
            self._promised = Expectation(design_from_description(odds)).cards_per_press if odds else None
        return self._promised

    def around(self, join: Any) -> Around:
        """Return what a view needs besides the table; ``join`` is the result of the method ``join``."""
        return Around(self.service.present, self.cards_per_press(), join, by_phone=self.service.simulator is not None)

    def join(self, *, joins_wifi: bool) -> Any:
        """Return how to join the evening, including the launcher's own Wi-Fi if ``joins_wifi``."""
        return msgspec.to_builtins(invitation(self._policy, self._policy.own_wifi() if joins_wifi else None))

    def view_event(self, role: Role, language: str, *, in_wifi: bool) -> bytes:
        """Return the event with the view for a role; cached, as roles with equal views share it."""
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
        """Invalidate all views if the way to join has changed."""
        if any(self.join(joins_wifi=joins_wifi) != before for joins_wifi, before in self._invited.items()):
            self._invited, self._made_for = {}, _NOTHING
            self.changed()


def viewer_of(table: Table, role: Role, language: str) -> Viewer:
    """Return the viewer that the table's views need, from a client's role."""
    return Viewer(role.person, role.owner, language, table.people.asked_for(role.seats))


class ViewStream(Stream):
    """One phone's stream: the newest view, and the newest launcher event.

    :ivar owners_name: name of the person at the table if the phone is an owner's; else empty.
    """

    def __init__(self, views: Views, streams: Streams, policy: Policy, request: Request) -> None:
        super().__init__(streams)
        self.person: int | None = None
        self.owners_name = ""
        self._views = views
        self._ask_role = partial(policy.role, request)  # called again when roles may have changed
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
        """Send this launcher event next; it replaces one that is still unsent."""
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
        """Send the event ``moved`` (another phone has this seat now), then end."""
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
                if events := await self._next_events(role):
                    await self._views.service.safe()
                    yield events

    async def _next_events(self, role: Role) -> bytes:
        """Return the events to send now."""
        if role.person != self.person:
            self._views.release_person(self)
            self.person = role.person  # the host assigned a seat to this phone
            self._views.take_person(self, self.person)
        events, self._ping, self._event = self._ping + self._event, b"", b""
        if self._stale:
            self._stale = False
            events += self._views.view_event(role, self._language, in_wifi=self._in_wifi)
            self.owners_name = self._views.name_of(role.person) if role.owner else ""
        if (evening := self._views.evening) != self._evening:
            events += b"" if evening else await self._views.ending(self._language)
            self._evening = evening
        return events

    def _displaced(self, role: Role) -> bool:
        """Return whether another phone has this stream's seat; if none has (the person left), this one watches."""
        if self._moved or self.person is None or role.person == self.person:
            return self._moved
        return self._views.has_phone(self.person)

    def _role(self) -> Role:
        """Return the client's role, cached until roles may have changed."""
        people = self._views.people
        if self._known is None or self._known[0] != people:
            self._known = people, self._ask_role()
        return self._known[1]
