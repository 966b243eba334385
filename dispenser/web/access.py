"""Determine the role of a request's sender, and the role that each route requires: one table of all routes.

stranger < past seat < watcher < seat < host < owner; each rank includes the permissions of those before it. This module
decides about routes; the table decides which seat somebody may act for.
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
SEAT_COOKIE = "dispenser_seat"  # Secrets of all seats this phone has had, newest first, joined by dots
MAX_SEAT_SECRETS = 12  # Maximum number of secrets in that cookie; there is one per evening
OWNER_COOKIE = "dispenser_owner"
COOKIE_S = 14 * 24 * 3600
"""Lifetime of the seat and watch cookies, seconds: two weeks, so that a phone works again the week after."""
RETURN_PAGES: Final = re.compile("/screen|/evenings|/rules(/[a-z0-9-]+)?")
"""Pages to which a browser is redirected after it sent the table's code; from any other page it goes to the table."""
OWNER_COOKIE_S = 400 * 24 * 3600  # Lifetime of an owner's cookie: the 400 days that browsers allow at most


def open_evening(service: Service) -> Evening | None:
    """Return the evening that can be joined. Without one no cookie is valid, and no cookie is deleted."""
    evening = service.evening
    return evening if evening is not None and evening.is_open else None


class Rank(IntEnum):
    """Roles in ascending order of permissions."""

    STRANGER = 0
    PAST_SEAT = 1  # had a seat at an earlier evening
    WATCHER = 2
    SEAT = 3
    HOST = 4
    OWNER = 5


@dataclass(frozen=True, slots=True)
class Role:
    """The permissions of the sender of a request. An owner may hold a seat, too.

    :ivar owner: operates the launcher: a request from this machine, with the token, or from an owner's phone.
    :ivar phone: the request comes from an owner's phone.
    :ivar watches: the sender has proved that they know the table's code.
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
        """Return the highest rank that the sender holds."""
        if self.owner:
            return Rank.OWNER
        if self.person is not None:
            return Rank.HOST if self.host else Rank.SEAT
        if self.watches:
            return Rank.WATCHER
        return Rank.PAST_SEAT if self.seats else Rank.STRANGER


_ROUTES: Final = (
    # entry points: for whoever has the token, the table's code or an owner's key
    (Rank.STRANGER, "GET /login", "POST /login", "GET /t", "POST /t", "GET /t/{code}"),
    (Rank.STRANGER, "GET /owner/{key}", "POST /owner/{key}", "GET /static/{version}/{name:path}"),
    # pages
    (Rank.WATCHER, "GET /", "GET /table", "GET /screen", "GET /rules", "GET /rules/{name}", "GET /favicon.ico"),
    # reads and event streams of the launcher
    (Rank.WATCHER, "GET /api/v1/snapshot", "GET /api/v1/events", "GET /api/v1/journal", "GET /api/v1/odds"),
    (Rank.WATCHER, "GET /api/v1/chimes", "GET /api/v1/simulator", "GET /api/v1/openapi.json"),
    # the table checks itself for which seat somebody may act; until they join they are a watcher
    (Rank.WATCHER, "GET /api/v1/table/view", "GET /api/v1/table/views", "GET /api/v1/table/sheet"),
    (Rank.WATCHER, "POST /api/v1/table/commands", "GET /api/v1/table/addresses", "GET /api/v1/table/qr.svg"),
    (Rank.WATCHER, "GET /api/v1/table/wifi.svg"),  # restricted further in join.py
    (Rank.OWNER, "POST /api/v1/table/demo"),
    # past evenings: for holders of a seat there (see readable_seats), not for everybody who knew the code
    (Rank.PAST_SEAT, "GET /evenings", "GET /api/v1/table/evenings", "GET /api/v1/table/evenings/{evening}"),
    (Rank.PAST_SEAT, "GET /api/v1/table/evenings.csv", "GET /api/v1/table/evenings.json"),
    (Rank.OWNER, "POST /api/v1/table/evenings/delete"),
    # maintenance, and the list of owner's phones
    (Rank.OWNER, "GET /workshop", "GET /api/v1/workshop", "POST /api/v1/workshop/open"),
    (Rank.OWNER, "POST /api/v1/workshop/answer", "POST /api/v1/workshop/close"),
    (Rank.OWNER, "GET /api/v1/owners", "POST /api/v1/owners/invite", "POST /api/v1/owners/remove"),
    # launcher commands
    (Rank.SEAT, "POST /api/v1/press", "POST /api/v1/load", "POST /api/v1/reset", "POST /api/v1/count"),
    (Rank.HOST, "POST /api/v1/simulator/{act}"),
    (Rank.OWNER, "POST /api/v1/eject", "POST /api/v1/computer", "GET /metrics"),
)
REQUIRED_RANK: Final = {route: rank for rank, *routes in _ROUTES for route in routes}
"""Rank that each route requires, by method and path. A route that is missing here requires the owner."""
_PATTERNS: Final = [(compile_path(route)[0], rank) for route, rank in REQUIRED_RANK.items() if "{" in route]


def required_rank(method: str, path: str) -> Rank:
    """Return the rank that a route requires."""
    route = f"{method} {path}"
    if (rank := REQUIRED_RANK.get(route)) is not None:
        return rank
    return next((rank for pattern, rank in _PATTERNS if pattern.fullmatch(route)), Rank.OWNER)


def role_of(request: HTTPConnection) -> Role:
    """Return the role that ``Guard`` determined for the sender of this request."""
    role: Role = request.scope["state"]["role"]
    return role


def is_admitted(request: HTTPConnection) -> bool:
    """Return whether the sender would still be admitted. Streams call this: they must not outlive the evening."""
    now: Callable[[], bool] = request.scope["state"]["still_in"]
    return now()


def readable_seats(role: Role) -> frozenset[str] | None:
    """Return the hashes of the seats whose evenings the role may read; ``None`` means all evenings (owner only)."""
    return None if role.owner else role.seats


def first_readable(role: Role, journal: JournalReader) -> int:
    """Return the lowest seq that the role may read: 1 for the owner, the start of the last evening for others."""
    if role.owner:
        return 1
    opened = next(journal.read(types=[Opened.type], last=1), None)
    return journal.last_seq + 1 if opened is None else opened.seq


def role_from_cookies(
    evening: Evening | None, request: HTTPConnection, *, owner: bool, phone: bool = False, watches: bool = False
) -> Role:
    """Return the role that the cookies of a request prove, combined with what the caller has established."""
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
    """Return an HMAC keyed with secret random bytes: from the code alone, values could be guessed offline."""
    return hmac.digest(table.watch_key, f"dispenser watch {table.code}".encode(), "sha256").hex()


def set_watch_cookie(response: Response, table: Table) -> None:
    """Set the cookie that lets a browser watch until the evening is over."""
    _set(response, WATCH_COOKIE, _watch_value(table))


def set_seat_cookie(response: Response, secret: str, request: HTTPConnection | None = None) -> None:
    """Set the cookie of a seat; secrets of earlier seats from the request's cookie are kept after it."""
    had = [] if request is None else _seat_secrets(request)
    secrets = [secret, *(each for each in had if each != secret)]
    _set(response, SEAT_COOKIE, ".".join(secrets[:MAX_SEAT_SECRETS]))


def set_owner_cookie(response: Response, secret: str) -> None:
    """Set the cookie that makes a phone an owner's phone."""
    _set(response, OWNER_COOKIE, secret, OWNER_COOKIE_S)


def _set(response: Response, name: str, value: str, kept_s: int = COOKIE_S) -> None:
    response.set_cookie(name, value, max_age=kept_s, httponly=True, samesite="lax", path="/")
