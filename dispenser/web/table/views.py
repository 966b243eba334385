"""The live views: each phone gets its own whole view at every opening and at each change; nobody waits for a slow one.

Beside them a short word of what the launcher does goes to all, the same bytes for everybody, and before any view is
made. What a slow phone has not read is not kept: it gets the newest word and view when it reads again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.responses import Response

from dispenser.i18n import Text, listed
from dispenser.launcher import messages as m
from dispenser.odds.expectation import Expectation
from dispenser.odds.presets import design_from_description
from dispenser.service.requests import NoSessionError
from dispenser.table import messages as t
from dispenser.table.common import Around, common
from dispenser.table.ending import ending
from dispenser.table.views import Viewer, view
from dispenser.web.access import Rank
from dispenser.web.errors import ProblemError
from dispenser.web.join import may_join_wifi
from dispenser.web.rate_limit import make_room
from dispenser.web.stream import part
from dispenser.web.table.evenings import story_if_there

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from dispenser.journal import Record
    from dispenser.service.service import Service
    from dispenser.table.evenings import EveningStory
    from dispenser.table.table import Table
    from dispenser.web.access import Role
    from dispenser.web.table.service_table import ServiceTable

PING_S: Final = 15.0
"""Between two pings, seconds; a phone that hears none for 40 s begins anew."""
_WORDS: Final = frozenset(
    {
        m.PressAccepted.type,
        m.BurstStarted.type,
        m.CardLeft.type,
        m.BurstEnded.type,
        m.BurstCounted.type,
        m.StateChanged.type,
        m.OrderChanged.type,
        m.ExitChanged.type,
    }
)
_OF_PLAY: Final = frozenset(
    each.type
    for each in (
        *(t.Acted, t.Undone, t.Redone, t.Charged, t.Forgiven, t.Paid, t.RoundOpened, t.Dealt, t.Scored),
        *(t.PressTaken, t.PressDone, t.CountAsked, t.CountTold),
    )
)
"""Entries after which everybody is who they were; after any other, each phone is asked anew who it is."""
Join = Callable[[bool], dict[str, Any] | None]
"""How to join the table; with the launcher's own Wi-Fi for those who may join it."""
_ASK: Final = Text("Ask {names} to start a new evening, then scan its code.")
_ASK_OWNER: Final = Text("Ask the launcher’s owner to start a new evening, then scan its code.")
_encode = msgspec.json.Encoder().encode
_TOLD: Final = ("press", "planned", "delivered", "cause")
_PING: Final = b"event: ping\ndata: {}\n\n"
_MOVED: Final = b"event: moved\ndata: {}\n\n"
_NOTHING: Final = (None, -1, "", 0)
"""What no view was made for."""


class Views:
    """All phones that look at one table.

    :param most: streams at a time.
    """

    def __init__(self, service: Service, service_table: ServiceTable, most: int) -> None:
        self.service_table = service_table
        self._service = service
        self._most = most
        self._open: dict[ViewStream, str] = {}
        """In the order in which they came; and from where."""
        self._waking = False
        self._news = self._changes = False
        self._pinging: asyncio.TimerHandle | None = None
        self._made: dict[tuple[Viewer, bool], bytes] = {}
        self._common: dict[str, dict[str, Any]] = {}
        self._invited: dict[tuple[str, bool], dict[str, Any] | None] = {}
        """By evening, and whether it is for those who may join the launcher's own Wi-Fi."""
        self._odds: dict[str, Any] = {}
        self._promised: float | None = None
        self._made_for: tuple[Table | None, int, str, int] = _NOTHING
        self._presence = self._people = 0
        self._attended: set[int] = set()
        self._burst: dict[str, Any] = {"press": None, "planned": None, "delivered": 0, "cause": None, "refused": None}
        self._name = ""
        """Of the evening under way, or the last one."""
        self._ending: tuple[asyncio.Task[EveningStory | None], float | None, Text] | None = None
        self._told = False
        self._closed = False

    def __len__(self) -> int:
        return len(self._open)

    def response(
        self, role: Callable[[], Role], language: str, join: Join, address: str = "", *, in_wifi: bool = False
    ) -> ViewStream:
        """A stream of views.

        :param role: who it is, asked again whenever that may have changed: seats change hands.
        :param join: how to join, asked at each opening: the Wi-Fi may have come since.
        :param in_wifi: whether it is in the launcher's own Wi-Fi.
        :param address: who has most of all streams makes way for who has fewer.
        :raises ProblemError: 503 when there are too many streams, or the service stops.
        """
        if self._closed:
            raise ProblemError("too_many_streams", number=len(self._open))
        make_room(self._open, self._most, address, ViewStream.end)
        if not self._told:
            self._told, self._name = True, self.evening
            self._service.on("", self._heard)
            self._service.event_bus.on_close(self._end_streams)
        if self._pinging is None:
            self._pinging = asyncio.get_running_loop().call_later(PING_S, self._ping)
            self._attended = self._here()
        self._look_around(join)
        stream = ViewStream(self, role, language, join, in_wifi=in_wifi)
        self._open[stream] = address
        self.service_table.connect()
        return stream

    def close(self) -> None:
        """End every stream, for good."""
        self._closed = True
        self._end_streams()

    def _end_streams(self) -> None:
        for stream in tuple(self._open):
            stream.end()

    # --- what happens ---

    def _heard(self, entry: Record) -> None:
        if entry.type in _WORDS:
            self._burst |= {name: entry.data[name] for name in _TOLD if name in entry.data}
            if entry.type == m.PressAccepted.type:
                self._burst |= {"planned": None, "delivered": 0, "refused": None}
            elif entry.type == m.CardLeft.type:
                self._burst["delivered"] = entry.data["number"]
            self._news = True
            self._wake_soon()
        elif (
            entry.type == m.PressRefused.type and entry.data["source"] == "button"
        ):  # any other is answered to who pressed
            self._burst["refused"] = {"press": entry.data["press"], "reason": entry.data["reason"]}
            self._news = True
            self._wake_soon()
        if entry.type == t.Opened.type:
            self._name = str(entry.data["table"])
        elif entry.type == t.Closed.type:
            self._tell_ending()
        if entry.type.startswith("table."):
            self._people += entry.type not in _OF_PLAY
            self.changed()

    def _tell_ending(self) -> None:
        """Work out how the evening ended, for whoever looks on; the entries before its end tell it."""
        id_, per_press, service = self._name, self.cards_per_press(), self._service

        names = sorted({name for stream in self._open if (name := stream.owners_name)})
        ask = _ASK.filled(names=listed(names)) if names else _ASK_OWNER
        told = service.ask_journal(story_if_there(service, id_))
        self._ending = asyncio.create_task(told, name="works out how the evening ended"), per_press, ask

    async def ending(self, language: str) -> bytes:
        """How the evening that is over has ended, as an event; empty where nobody knows."""
        if self._ending is None:
            return b""
        task, per_press, ask = self._ending
        if (story := await task) is None:
            return b""
        return b"event: over\ndata: %b\n\n" % _encode(ending(story, per_press, language) | {"again": ask[language]})

    def changed(self) -> None:
        """Every phone is to get a view of how it is now."""
        self._changes = True
        self._wake_soon()

    def look_again(self) -> None:
        """Somebody may be somebody else now, or nobody."""
        self._people += 1
        self.changed()

    def _wake_soon(self) -> None:
        if not self._waking:
            self._waking = True
            asyncio.get_running_loop().call_soon(self._wake)

    def _wake(self) -> None:
        """Tell every phone what is new, once for all that has happened in this turn of the loop."""
        self._waking = False
        news, self._news = self._news, False
        changes, self._changes = self._changes, False
        word = self.word() if news else b""
        for stream in self._open:
            if news:
                stream.offer(word)
            if changes:
                stream.look()

    async def safe(self) -> None:
        """Wait until the disk has what a view tells of.

        :raises NoSessionError: the disk refuses.
        """
        await self._service.safe()

    def _ping(self) -> None:
        """One timer for all of them: a table at which nothing happens sleeps."""
        self._pinging = None
        if self._open:
            self._pinging = asyncio.get_running_loop().call_later(PING_S, self._ping)
            for stream in self._open:
                stream.ping()
            self._look_around(next(iter(self._open)).join)
            before, self._attended = self._attended, self._here()
            if self._attended != before:  # a seat falls silent by time alone
                self._presence += 1
                self._changes = True
            self._wake_soon()

    def word(self) -> bytes:
        """What the launcher does, in a few words."""
        known = self._service.known()
        now = {"state": known.state, "refusal": known.refusal, "order": known.order, "cards_inside": known.cards_inside}
        now["workshop"] = self._service.workshop is not None
        return b"event: launcher\ndata: %b\n\n" % _encode(now | self._burst)

    # --- who is there ---

    @property
    def people(self) -> tuple[Table | None, int]:
        """Another one whenever somebody may have become somebody else."""
        return self.service_table.table, self._people

    @property
    def evening(self) -> str:
        """The name of the evening under way; empty while there is none."""
        return self.service_table.table.name if self.service_table.table is not None else ""

    def has_phone(self, person: int) -> bool:
        """Whether a phone has that person's seat."""
        table = self.service_table.table
        return table is not None and table.people.is_here(person) and table.people.persons[person].secret is not None

    def name_of(self, person: int | None) -> str:
        """Empty for whoever has no seat."""
        table = self.service_table.table
        return table.people.name(person) if table and person is not None and table.people.is_here(person) else ""

    def come(self, stream: ViewStream, person: int | None) -> None:
        """A phone listens for a person; the one that did before goes quiet."""
        if person is None:
            return
        for other in tuple(self._open):
            if other is not stream and other.person == person:
                other.move_away()
        self.service_table.come(person)
        self._presence += 1
        self.changed()

    def gone(self, stream: ViewStream) -> None:
        """A stream has ended."""
        self._open.pop(stream, None)
        self.service_table.disconnect()
        if not self._open and self._pinging is not None:
            self._pinging.cancel()
            self._pinging = None
        self.leave(stream)

    def _here(self) -> set[int]:
        """Whose seats are attended."""
        table, present = self.service_table.table, self.service_table.present
        return {person for person in table.people.persons if person in present} if table is not None else set()

    def leave(self, stream: ViewStream) -> None:
        """A stream speaks for nobody any more."""
        if stream.person is not None:
            self.service_table.go(stream.person)
            stream.person = None
            self._presence += 1
            self.changed()

    # --- what they see ---

    def cards_per_press(self) -> float | None:
        """What the odds promise."""
        odds = self._service.session.writer.odds if self._service.session else {}
        if odds is not self._odds:
            self._odds = odds
            self._promised = Expectation(design_from_description(odds)).cards_per_press if odds else None
        return self._promised

    @property
    def by_phone(self) -> bool:
        """Whether the launcher is simulated."""
        return self._service.toy is not None

    def shown(self, role: Role, language: str, join: Join, *, in_wifi: bool) -> bytes:
        """The view of somebody as an event; those who see the same get the same bytes."""
        table = self.service_table.table
        if table is None:
            raise ProblemError("unavailable")
        state = (table, table.at, table.name, self._presence)
        if state != self._made_for:
            self._made.clear()
            self._common.clear()
            self._made_for = state
        joins_wifi = may_join_wifi(role, is_in_it=in_wifi)
        viewer = viewer_of(table, role, language)
        key = (viewer, joins_wifi)
        if key not in self._made:
            invited = self._invitation(table.name, join, joins_wifi)
            around = Around(self.service_table.present, self.cards_per_press(), invited, self.by_phone)
            if language not in self._common:
                self._common[language] = common(table, language, around)
            seen = view(table, viewer, around, self._common[language])
            self._made[key] = b"event: view\ndata: %b\n\n" % _encode(seen)
        return self._made[key]

    def _invitation(self, evening: str, join: Join, joins_wifi: bool) -> dict[str, Any] | None:
        key = (evening, joins_wifi)
        if key not in self._invited:
            self._invited = {each: found for each, found in self._invited.items() if each[0] == evening}
            self._invited[key] = join(joins_wifi)
        return self._invited[key]

    def _look_around(self, join: Join) -> None:
        """Have all views made anew where phones find the table otherwise than they were told."""
        if any(join(joins_wifi) != told for (_, joins_wifi), told in self._invited.items()):
            self._invited, self._made_for = {}, _NOTHING
            self._changes = True


def viewer_of(table: Table, role: Role, language: str) -> Viewer:
    """Who looks at the table."""
    return Viewer(role.person, role.owner, language, table.people.asked_for(role.seats))


class ViewStream(Response):
    """One phone's stream: always the newest view, and what the launcher does.

    :ivar stale: it has not been told how it is now.
    :ivar join: how to join, as it would be told.
    :ivar owners_name: of a person at the table whose phone is the owner's; else empty.
    """

    media_type = "text/event-stream"

    def __init__(self, views: Views, role: Callable[[], Role], language: str, join: Join, *, in_wifi: bool) -> None:
        super().__init__(headers={"x-accel-buffering": "no"})
        del self.headers["content-length"]
        self.person: int | None = None
        self.stale = True
        self._views = views
        self._ask_role = role
        self._known: tuple[object, Role] | None = None
        self._evening = views.evening
        self._language = language
        self.join = join
        self.owners_name = ""
        self._in_wifi = in_wifi
        self._word = b""
        self._ping = b""
        self._moved = False
        self._over = False
        self._awake = asyncio.Event()
        self._awake.set()

    def offer(self, word: bytes) -> None:
        """The launcher has done something; an older word need not be told any more."""
        self._word = word
        self._awake.set()

    def look(self) -> None:
        """Something has changed."""
        self.stale = True
        self._awake.set()

    def ping(self) -> None:
        """Say that the line is good."""
        self._ping = _PING
        self._awake.set()

    def move_away(self) -> None:
        """Another phone speaks for this seat now."""
        self._moved = True
        self._awake.set()

    def end(self) -> None:
        self._over = True
        self._awake.set()

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            self.offer(self._views.word())
            self.person = self._role().person
            self._views.come(self, self.person)
            watch = asyncio.create_task(self._watch(receive))
            try:
                with suppress(NoSessionError):  # the session ends, and with it every stream
                    await self._send_views(send)
            finally:
                watch.cancel()
                await asyncio.wait([watch])
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._views.gone(self)

    async def _send_views(self, send: Send) -> None:
        await send(part(b"retry: 1000\n\n"))
        while await self._awake.wait():
            self._awake.clear()
            if self._over:
                return
            role = self._role()
            if role.rank < Rank.WATCHER:
                await send(part(await self._views.ending(self._language)))
                return
            if self._displaced(role):
                await send(part(_MOVED))
                return
            if role.person != self.person:
                self._views.leave(self)
                self.person = role.person  # a new phone, and the host has said whose it is
                self._views.come(self, self.person)
            told, self._ping, self._word = self._ping + self._word, b"", b""
            if self.stale:
                self.stale = False
                told += self._views.shown(role, self._language, self.join, in_wifi=self._in_wifi)
                self.owners_name = self._views.name_of(role.person) if role.owner else ""
            if (evening := self._views.evening) != self._evening:
                told += b"" if evening else await self._views.ending(self._language)
                self._evening = evening
            if told:
                await self._views.safe()
                await send(part(told))

    def _displaced(self, role: Role) -> bool:
        """Whether another phone has its seat; where none has, one watches: by leaving, or as the host let it go."""
        if self._moved or self.person is None or role.person == self.person:
            return self._moved
        return self._views.has_phone(self.person)

    def _role(self) -> Role:
        """Who it is now."""
        people = self._views.people
        if self._known is None or self._known[0] != people:
            self._known = people, self._ask_role()
        return self._known[1]

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.end()
