"""Find out the role of whoever sends a request, and which role each route requires: one table of all routes.

stranger < past seat < watcher < seat < host < owner, each with all that those before it may do. What somebody may do
*at* the table (move for this seat, not for that one) is decided by the table; this is about routes.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from starlette.routing import compile_path

from dispenser.table.events import Opened
from dispenser.table.secrets import hashed

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import HTTPConnection
    from starlette.responses import Response

    from dispenser.journal import JournalReader
    from dispenser.service.evening import Evening
    from dispenser.service.service import Service
    from dispenser.table.table import Table

WATCH_COOKIE = "dispenser_watch"
SEAT_COOKIE = "dispenser_seat"  # Secrets of the seats that the phone has had, the newest first, joined by dots
MAX_SEAT_SECRETS = 12  # Secrets in that cookie, one for each evening
OWNER_COOKIE = "dispenser_owner"
COOKIE_S = 14 * 24 * 3600
"""How long a phone keeps its cookies: an evening, the night, and the one who finds it again next week."""
RETURN_PAGES: Final = re.compile("/screen|/evenings|/rules(/[a-z0-9-]+)?")
"""Pages that a browser is sent back to after the code was typed; from any other it goes to the table."""
OWNER_COOKIE_S = 400 * 24 * 3600  # How long an owner's phone keeps its cookie: as long as browsers let it


def open_evening(service: Service) -> Evening | None:
    """The evening that one can join. While there is none, no cookie counts and none is taken away."""
    evening = service.evening
    return evening if evening is not None and evening.is_open else None


class Rank(IntEnum):
    """Roles in the order of what they may do, least first."""

    STRANGER = 0
    PAST_SEAT = 1  # had a seat in an earlier evening
    WATCHER = 2
    SEAT = 3
    HOST = 4
    OWNER = 5


@dataclass(frozen=True, slots=True)
class Role:
    """Who a request comes from. A person may be the owner, too: then they are both.

    :ivar owner: operates the launcher: comes from this machine, has the token, or is an owner's phone.
    :ivar phone: is an owner's phone.
    :ivar watches: knows the code.
    :ivar seats: SHA-256 of the secrets of all seats that the phone has had.
    """

    owner: bool = False
    watches: bool = False
    person: int | None = None
    host: bool = False
    seats: frozenset[str] = frozenset()
    phone: bool = False

    @property
    def rank(self) -> Rank:
        """The highest of all that they are."""
        if self.owner:
            return Rank.OWNER
        if self.person is not None:
            return Rank.HOST if self.host else Rank.SEAT
        if self.watches:
            return Rank.WATCHER
        return Rank.PAST_SEAT if self.seats else Rank.STRANGER


_ROUTES: Final = (
    # the way in: whoever has the token, the code or the key
    (Rank.STRANGER, "GET /login", "POST /login", "GET /t", "POST /t", "GET /t/{code}"),
    (Rank.STRANGER, "GET /owner/{key}", "POST /owner/{key}", "GET /static/{version}/{name:path}"),
    # pages
    (Rank.WATCHER, "GET /", "GET /table", "GET /screen", "GET /rules", "GET /rules/{name}", "GET /favicon.ico"),
    # look and listen
    (Rank.WATCHER, "GET /api/v1/snapshot", "GET /api/v1/events", "GET /api/v1/journal", "GET /api/v1/odds"),
    (Rank.WATCHER, "GET /api/v1/chimes", "GET /api/v1/toy", "GET /api/v1/openapi.json"),
    # the table, which knows for whom somebody may speak there: who joins is a watcher until then
    (Rank.WATCHER, "GET /api/v1/table/view", "GET /api/v1/table/views", "GET /api/v1/table/sheet"),
    (Rank.WATCHER, "POST /api/v1/table/tell", "GET /api/v1/table/addresses", "GET /api/v1/table/qr.svg"),
    (Rank.WATCHER, "GET /api/v1/table/wifi.svg"),  # and then only for some: join.py
    (Rank.OWNER, "POST /api/v1/table/demo"),
    # evenings of before are for those who had a seat there (see readable_seats), not for whoever has seen the code
    (Rank.PAST_SEAT, "GET /evenings", "GET /api/v1/table/evenings", "GET /api/v1/table/evenings/{evening}"),
    (Rank.PAST_SEAT, "GET /api/v1/table/evenings.csv", "GET /api/v1/table/evenings.json"),
    (Rank.OWNER, "POST /api/v1/table/evenings/delete"),
    # the workshop, and the owner's phones
    (Rank.OWNER, "GET /workshop", "GET /api/v1/workshop", "POST /api/v1/workshop/open"),
    (Rank.OWNER, "POST /api/v1/workshop/tell", "POST /api/v1/workshop/close"),
    (Rank.OWNER, "GET /api/v1/owners", "POST /api/v1/owners/invite", "POST /api/v1/owners/remove"),
    # commands of the launcher
    (Rank.SEAT, "POST /api/v1/press", "POST /api/v1/load", "POST /api/v1/reset", "POST /api/v1/count"),
    (Rank.HOST, "POST /api/v1/toy/{act}"),
    (Rank.OWNER, "POST /api/v1/eject", "POST /api/v1/computer", "GET /metrics"),
)
REQUIRED_RANK: Final = {route: rank for rank, *routes in _ROUTES for route in routes}
"""The rank that a route requires, by method and path. A route that is not here is the owner's."""
_PATTERNS: Final = [(compile_path(route)[0], rank) for route, rank in REQUIRED_RANK.items() if "{" in route]


def required_rank(method: str, path: str) -> Rank:
    """The rank that a route requires."""
    route = f"{method} {path}"
    if (rank := REQUIRED_RANK.get(route)) is not None:
        return rank
    return next((rank for pattern, rank in _PATTERNS if pattern.fullmatch(route)), Rank.OWNER)


def role_of(request: HTTPConnection) -> Role:
    """The role of whoever sent the request, as the guard found out."""
    role: Role = request.scope["state"]["role"]
    return role


def is_admitted(request: HTTPConnection) -> bool:
    """Whether the sender would still be let in: asked by streams, which must not outlive the evening."""
    now: Callable[[], bool] = request.scope["state"]["still_in"]
    return now()


def readable_seats(role: Role) -> frozenset[str] | None:
    """The seats whose evenings somebody may read; ``None`` for all evenings, which only the owner may."""
    return None if role.owner else role.seats


def first_readable(role: Role, journal: JournalReader) -> int:
    """The first entry of the journal that somebody may read: others than the owner see the last evening alone."""
    if role.owner:
        return 1
    opened = next(journal.read(types=[Opened.type], last=1), None)
    return journal.last_seq + 1 if opened is None else opened.seq


def role_from_cookies(
    evening: Evening | None, request: HTTPConnection, *, owner: bool, phone: bool = False, watches: bool = False
) -> Role:
    """The role that the cookies of a request prove, beside what is known already."""
    secrets = _seat_secrets(request)
    seats = frozenset(map(hashed, secrets))
    if evening is None:
        return Role(owner, watches, seats=seats, phone=phone)
    offered = request.cookies.get(WATCH_COOKIE, "").encode(errors="replace")
    watches = watches or hmac.compare_digest(offered, _watch_value(evening.table).encode())
    person = next((found for secret in secrets if (found := evening.person_of(secret)) is not None), None)
    host = person is not None and person == evening.table.people.acting_host(evening.present)
    return Role(owner, watches, person, host, seats, phone)


def _seat_secrets(request: HTTPConnection) -> list[str]:
    return [secret for secret in request.cookies.get(SEAT_COOKIE, "").split(".") if secret][:MAX_SEAT_SECRETS]


def _watch_value(table: Table) -> str:
    """Made with random bytes of this evening, never told: the code alone could be tried out unnoticed."""
    return hmac.digest(table.watch_key, f"dispenser watch {table.code}".encode(), "sha256").hex()


def set_watch_cookie(response: Response, table: Table) -> None:
    """Let whoever gets the response watch, until the evening is over."""
    _set(response, WATCH_COOKIE, _watch_value(table))


def set_seat_cookie(response: Response, secret: str, request: HTTPConnection | None = None) -> None:
    """Give whoever gets the response the seat of that secret; earlier seats, as their request has them, stay theirs."""
    had = [] if request is None else _seat_secrets(request)
    secrets = [secret, *(each for each in had if each != secret)]
    _set(response, SEAT_COOKIE, ".".join(secrets[:MAX_SEAT_SECRETS]))


def set_owner_cookie(response: Response, secret: str) -> None:
    """Make the phone that gets the response an owner's phone."""
    _set(response, OWNER_COOKIE, secret, OWNER_COOKIE_S)


def _set(response: Response, name: str, value: str, kept_s: int = COOKIE_S) -> None:
    response.set_cookie(name, value, max_age=kept_s, httponly=True, samesite="lax", path="/")
