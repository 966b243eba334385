"""Who somebody is to the launcher, and what each may do: one table of all routes.

nobody < former < watcher < person < host < owner, each with all that those before it may do. What somebody may do *at*
the table (move for this seat, not for that one) is the table's own business; this is about routes.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final, Protocol

from dispenser.table.messages import Opened
from dispenser.table.secrets import hashed

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import HTTPConnection
    from starlette.responses import Response

    from dispenser.journal import JournalReader

WATCH_COOKIE = "dispenser_watch"
SEAT_COOKIE = "dispenser_seat"
"""Secrets of the seats that the phone has had, the newest first, with dots between them."""
MOST_SEATS = 12
"""Secrets in that cookie: of so many evenings a phone is known to have been there."""
OWNER_COOKIE = "dispenser_owner"
KEPT_S = 14 * 24 * 3600
"""How long a phone keeps its cookies: an evening, the night, and the one who finds it again next week."""
RETURNS: Final = re.compile("/screen|/evenings|/rules(/[a-z0-9-]+)?")
"""Pages to which whoever asked for them comes back after typing the code; from any other they go to the table."""
OWNER_KEPT_S = 400 * 24 * 3600
"""How long an owner's phone keeps its cookie: as long as browsers let it."""


class TableAccess(Protocol):
    """What is asked of the table to know who somebody is. It looks nothing up and waits for nothing."""

    @property
    def is_open(self) -> bool:
        """Whether there is an evening to join. While there is none, no cookie counts and none is taken away."""

    @property
    def code(self) -> str:
        """The join code of this evening."""

    @property
    def watch_key(self) -> bytes:
        """What the watchers' cookie is made with: at least 16 random bytes, of this evening only, the same after a
        restart, and never told. (The code alone could be tried out without anybody noticing.)"""

    @property
    def host(self) -> int | None:
        """The person who is host."""

    def knows_code(self, offered: str) -> bool:
        """Whether that is the join code, however it was typed."""

    def person_of(self, secret: str) -> int | None:
        """Who holds the secret, of which only a hash is known."""


class Rank(IntEnum):
    """What there is to be, least first."""

    NOBODY = 0
    FORMER = 1
    WATCHER = 2
    PERSON = 3
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
            return Rank.HOST if self.host else Rank.PERSON
        if self.watches:
            return Rank.WATCHER
        return Rank.FORMER if self.seats else Rank.NOBODY


LEAST: Final[dict[str, Rank]] = {
    # the way in, and the looks
    "GET /login": Rank.NOBODY,
    "POST /login": Rank.NOBODY,
    "GET /t": Rank.NOBODY,
    "POST /t": Rank.NOBODY,
    "GET /owner/{key}": Rank.NOBODY,  # whoever has the key
    "POST /owner/{key}": Rank.NOBODY,
    "GET /t/{code}": Rank.NOBODY,
    "GET /static/{version}/{name:path}": Rank.NOBODY,
    "GET /favicon.ico": Rank.WATCHER,
    # pages
    "GET /": Rank.WATCHER,
    "GET /table": Rank.WATCHER,
    "GET /screen": Rank.WATCHER,
    "GET /rules": Rank.WATCHER,
    "GET /rules/{name}": Rank.WATCHER,
    # look and listen
    "GET /api/v1/docs": Rank.WATCHER,
    "GET /api/v1/openapi.json": Rank.WATCHER,
    "GET /api/v1/snapshot": Rank.WATCHER,
    "GET /api/v1/events": Rank.WATCHER,
    "GET /api/v1/journal": Rank.WATCHER,
    "GET /api/v1/odds": Rank.WATCHER,
    "GET /api/v1/chimes": Rank.WATCHER,
    "GET /api/v1/toy": Rank.WATCHER,
    # the table, which knows for whom somebody may speak there: who joins is a watcher until then
    "GET /api/v1/table/view": Rank.WATCHER,
    "GET /api/v1/table/views": Rank.WATCHER,
    "GET /api/v1/table/sheet": Rank.WATCHER,
    "POST /api/v1/table/demo": Rank.OWNER,
    "GET /api/v1/table/addresses": Rank.WATCHER,
    "GET /api/v1/table/qr.svg": Rank.WATCHER,
    "GET /api/v1/table/wifi.svg": Rank.WATCHER,  # and then only for some: join.py
    "POST /api/v1/table/tell": Rank.WATCHER,
    # evenings of before are for those who had a seat there (see evenings_of), not for whoever has seen the code
    "GET /evenings": Rank.FORMER,
    "GET /api/v1/table/evenings": Rank.FORMER,
    "GET /api/v1/table/evenings.csv": Rank.FORMER,
    "GET /api/v1/table/evenings.json": Rank.FORMER,
    "GET /api/v1/table/evenings/{evening}": Rank.FORMER,
    "POST /api/v1/table/evenings/delete": Rank.OWNER,
    # the workshop
    "GET /workshop": Rank.OWNER,
    "GET /api/v1/workshop": Rank.OWNER,
    "POST /api/v1/workshop/open": Rank.OWNER,
    "POST /api/v1/workshop/tell": Rank.OWNER,
    "POST /api/v1/workshop/close": Rank.OWNER,
    # the owner's phones
    "GET /api/v1/owners": Rank.OWNER,
    "POST /api/v1/owners/invite": Rank.OWNER,
    "POST /api/v1/owners/remove": Rank.OWNER,
    # commands of the launcher
    "POST /api/v1/press": Rank.PERSON,
    "POST /api/v1/eject": Rank.OWNER,
    "POST /api/v1/load": Rank.PERSON,
    "POST /api/v1/reset": Rank.PERSON,
    "POST /api/v1/count": Rank.PERSON,
    "POST /api/v1/computer": Rank.OWNER,
    "POST /api/v1/toy/{act}": Rank.HOST,
}
"""By method and route, the least that somebody must be. What does not stand here is the owner's."""
_PATTERNS: Final = [
    (re.compile(re.sub(r"\\{\w+(:path)?\\}", lambda part: ".+" if part[1] else "[^/]+", re.escape(route))), rank)
    for route, rank in LEAST.items()
    if "{" in route
]


def least(method: str, path: str) -> Rank | None:
    """What one must be at least, ``None`` where the table has no such route."""
    route = f"{method} {path}"
    if (rank := LEAST.get(route)) is not None:
        return rank
    return next((rank for pattern, rank in _PATTERNS if pattern.fullmatch(route)), None)


def role_of(request: HTTPConnection) -> Role:
    """Who the request comes from, as the guard found out."""
    role: Role = request.scope["state"]["role"]
    return role


def was_here(request: HTTPConnection) -> bool:
    """Whether the browser has been at a table of this launcher, at an evening that may be over."""
    return bool(role_of(request).seats) or WATCH_COOKIE in request.cookies


def still_in(request: HTTPConnection) -> bool:
    """Whether somebody who was let in would be now: for answers that last, which shall not outlive the evening."""
    now: Callable[[], bool] = request.scope["state"]["still_in"]
    return now()


# --- what each may read of evenings -------------------------------------------------------------------------------


def evenings_of(role: Role) -> frozenset[str] | None:
    """Whose evenings somebody may read: those of these seats; ``None`` for all of them, which is the owner's."""
    return None if role.owner else role.seats


def first_readable(role: Role, journal: JournalReader) -> int:
    """The first entry of the journal that somebody may read: others than the owner see the last evening alone."""
    if role.owner:
        return 1
    opened = next(journal.read(types=[Opened.type], last=1), None)
    return journal.last_seq + 1 if opened is None else opened.seq


# --- cookies -------------------------------------------------------------------------------------------------------


def role_at(table: TableAccess | None, request: HTTPConnection, *, owner: bool) -> Role:
    """Who the cookies say that somebody is."""
    cookies = request.cookies
    secrets = _seat_secrets(request)
    seats = frozenset(map(hashed, secrets))
    if table is None or not table.is_open:
        return Role(owner=owner, seats=seats)
    watches = hmac.compare_digest(cookies.get(WATCH_COOKIE, "").encode(errors="replace"), _watch_value(table).encode())
    person = next((found for secret in secrets if (found := table.person_of(secret)) is not None), None)
    return Role(owner, watches, person, host=person is not None and person == table.host, seats=seats)


def _seat_secrets(request: HTTPConnection) -> list[str]:
    return [secret for secret in request.cookies.get(SEAT_COOKIE, "").split(".") if secret][:MOST_SEATS]


def _watch_value(table: TableAccess) -> str:
    return hmac.digest(table.watch_key, f"dispenser watch {table.code}".encode(), "sha256").hex()


def let_watch(response: Response, table: TableAccess) -> None:
    """The answer lets whoever gets it watch, until the evening is over."""
    _set(response, WATCH_COOKIE, _watch_value(table))


def let_sit(response: Response, secret: str, request: HTTPConnection | None = None) -> None:
    """The answer makes whoever gets it the person of that secret; the seats that they had stay theirs, too.

    :param request: theirs.
    """
    had = [] if request is None else _seat_secrets(request)
    secrets = [secret, *(each for each in had if each != secret)]
    _set(response, SEAT_COOKIE, ".".join(secrets[:MOST_SEATS]))


def let_own(response: Response, secret: str) -> None:
    """The answer makes the phone that gets it the owner's."""
    _set(response, OWNER_COOKIE, secret, OWNER_KEPT_S)


def _set(response: Response, name: str, value: str, kept_s: int = KEPT_S) -> None:
    response.set_cookie(name, value, max_age=kept_s, httponly=True, samesite="lax", path="/")
