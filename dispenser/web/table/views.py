"""The live views: each phone gets its own whole view at every opening and at each change; nobody waits for a slow one.

Beside them a short word of what the launcher does goes to all, the same bytes for everybody. What a slow phone has not
read is not kept: it gets the newest view when it reads again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.responses import Response

from dispenser.launcher import messages as m
from dispenser.luck.expectation import Expectation
from dispenser.luck.presets import design_from_description
from dispenser.table.views import Around, Viewer, view
from dispenser.web.access import Rank
from dispenser.web.connections import one_of_the_crowd
from dispenser.web.errors import ProblemError

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

    from dispenser.journal import Entry
    from dispenser.service.service import Service
    from dispenser.web.access import Role
    from dispenser.web.table.door import Door

PING_S: Final = 15.0
"""Between two pings, seconds; a phone that hears none for 40 s begins anew."""
MOST_WORDS: Final = 20
"""Words of the launcher that wait for one phone; older ones are dropped, for the newest tells how it is."""
_WORDS: Final = frozenset(
    {
        m.PressAccepted.type,
        m.PressRefused.type,
        m.BurstStarted.type,
        m.CardLeft.type,
        m.BurstEnded.type,
        m.BurstCounted.type,
        m.StateChanged.type,
        m.OrderChanged.type,
        m.ExitChanged.type,
    }
)
Join = Callable[[], dict[str, Any] | None]
_encode = msgspec.json.Encoder().encode
_TOLD: Final = ("press", "planned", "delivered", "cause")
_PING: Final = b"event: ping\ndata: {}\n\n"
_MOVED: Final = b"event: moved\ndata: {}\n\n"


class Views:
    """All phones that look at one table.

    :param most: streams at a time.
    """

    def __init__(self, service: Service, door: Door, most: int, ping_s: float = PING_S) -> None:
        self.door = door
        self.ping_s = ping_s
        self._service = service
        self._most = most
        self._open: dict[ViewStream, str] = {}
        self._made: dict[tuple[int | None, bool, str], bytes] = {}
        self._invited: tuple[str, dict[str, Any] | None] = ("", None)
        self._odds: dict[str, Any] = {}
        self._promised: float | None = None
        self._made_for: tuple[int, str, int] = (-1, "", 0)
        self._presence = 0
        self._burst: dict[str, Any] = {"press": None, "planned": None, "delivered": 0, "cause": None}
        self._told = False
        self._closed = False

    def __len__(self) -> int:
        return len(self._open)

    def response(self, role: Callable[[], Role], language: str, join: Join, address: str = "") -> ViewStream:
        """A stream of views.

        :param role: who it is, asked again before each view: seats change hands.
        :param join: how to join, asked once an evening.
        :param address: who has most of all streams makes way for who has fewer.
        :raises ProblemError: 503 when there are too many streams, or the service stops.
        """
        if len(self._open) >= self._most and not self._closed:
            leaver = one_of_the_crowd(self._open, self._open.__getitem__, address)
            if leaver is not None:
                del self._open[leaver]
                leaver.end()
        if self._closed or len(self._open) >= self._most:
            raise ProblemError("too_many_streams", number=len(self._open))
        if not self._told:
            self._told = True
            self._service.on("", self._heard)
        stream = ViewStream(self, role, language, join)
        self._open[stream] = address
        return stream

    def close(self) -> None:
        """End every stream."""
        self._closed = True
        for stream in tuple(self._open):
            stream.end()

    def _heard(self, entry: Entry) -> None:
        if entry.type in _WORDS:
            self._burst |= {name: entry.data[name] for name in _TOLD if name in entry.data}
            if entry.type == m.PressAccepted.type:
                self._burst |= {"planned": None, "delivered": 0}
            elif entry.type == m.CardLeft.type:
                self._burst["delivered"] = entry.data["number"]
            word = self.word()
            for stream in self._open:
                stream.offer(word)
        if entry.type.startswith("table."):
            self.changed()

    def word(self) -> bytes:
        """What the launcher does, in a few words."""
        known = self._service.snapshot()
        now = {name: known[name] for name in ("state", "refusal", "order")}
        return b"event: launcher\ndata: %b\n\n" % _encode(now | self._burst)

    def changed(self) -> None:
        """Every phone is to get a view of how it is now."""
        for stream in self._open:
            stream.look()

    def come(self, stream: ViewStream, person: int | None) -> None:
        """A phone listens for a person; the one that did before goes quiet."""
        if person is None:
            return
        for other in tuple(self._open):
            if other is not stream and other.person == person:
                other.move_away()
        self.door.come(person)
        self._presence += 1
        self.changed()

    def gone(self, stream: ViewStream) -> None:
        """A stream has ended."""
        self._open.pop(stream, None)
        if stream.person is not None:
            self.door.go(stream.person)
            self._presence += 1
            self.changed()

    def cards_per_press(self) -> float | None:
        """What the odds promise."""
        odds = (self._service.snapshot()["odds"] or {}) if self._service.session else {}
        if odds != self._odds:
            self._odds = odds
            self._promised = Expectation(design_from_description(odds)).cards_per_press if odds else None
        return self._promised

    def shown(self, role: Role, language: str, join: Join) -> bytes:
        """The view of somebody as JSON; those who see the same get the same bytes."""
        table = self.door.table
        if table is None:
            raise ProblemError("unavailable")
        state = (table.at, table.name, self._presence)
        if state != self._made_for:
            self._made.clear()
            self._made_for = state
        key = (role.person, role.owner, language)
        if key not in self._made:
            around = Around(self.door.present, self.cards_per_press(), self._invitation(table.name, join))
            self._made[key] = _encode(view(table, Viewer(role.person, role.owner, language), around))
        return self._made[key]

    def _invitation(self, evening: str, join: Join) -> dict[str, Any] | None:
        if self._invited[0] != evening:
            self._invited = evening, join()
        return self._invited[1]


class ViewStream(Response):
    """One phone's stream: always the newest view, and what the launcher does."""

    media_type = "text/event-stream"

    def __init__(self, views: Views, role: Callable[[], Role], language: str, join: Join) -> None:
        super().__init__(headers={"x-accel-buffering": "no"})
        del self.headers["content-length"]
        self.person: int | None = None
        self._views = views
        self._role = role
        self._language = language
        self._join = join
        self._words: deque[bytes] = deque(maxlen=MOST_WORDS)
        self._stale = True
        self._moved = False
        self._over = False
        self._awake = asyncio.Event()
        self._awake.set()

    def offer(self, word: bytes) -> None:
        self._words.append(word)
        self._awake.set()

    def look(self) -> None:
        self._stale = True
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
                await self._send_views(send)
            finally:
                watch.cancel()
                await asyncio.wait([watch])
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._views.gone(self)

    async def _send_views(self, send: Send) -> None:
        await send(_part(b"retry: 1000\n\n"))
        while True:
            try:
                async with asyncio.timeout(self._views.ping_s):
                    await self._awake.wait()
            except TimeoutError:
                await send(_part(_PING))
                continue
            self._awake.clear()
            if self._over:
                return
            role = self._role()
            if role.rank is Rank.NOBODY:
                return
            if self._moved or (self.person is not None and role.person != self.person):
                await send(_part(_MOVED))
                return
            if self._words:
                words = b"".join(self._words)
                self._words.clear()
                await send(_part(words))
                await asyncio.sleep(0)  # what the launcher does reaches all before any view is made
            if self._stale:
                self._stale = False
                await send(_part(b"event: view\ndata: %b\n\n" % self._views.shown(role, self._language, self._join)))

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.end()


def _part(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}
