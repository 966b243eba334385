"""Check host name, origin and role of every request: one ASGI layer in front of everything else.

No page on the open web may press the button of a launcher at home, or keep it busy. So the ``Host`` must be a known
name (against DNS rebinding), and a request must come from our own pages or from no page, except for a followed link to
a page. On addresses other than loopback, a request needs the token, the cookie of an owner's phone, or, with ``lan``, a
table's code. ``access`` defines what each role may do.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import re
import socket
from email.utils import formatdate
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection

from dispenser.service.requests import NoSessionError
from dispenser.web.access import OWNER_COOKIE, RETURN_PAGES, Rank, Role, required_rank, role_from_cookies
from dispenser.web.addresses import KnownNames, short_name
from dispenser.web.captive_portal import answer_to_probe
from dispenser.web.errors import ProblemError, problem_of
from dispenser.web.rate_limit import (
    CODE_S,
    CODES_AT_ONCE,
    COMMAND_S,
    COMMANDS_AT_ONCE,
    SEAT_S,
    SEATS_AT_ONCE,
    RateLimiter,
    address_of,
    client_of,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from dispenser.service.evening import Evening
    from dispenser.service.settings import WebSettings
    from dispenser.web.owners import OwnerPhones

COOKIE = "dispenser_session"
_OWN_SITES = ("none", "same-origin")
_PAGES = re.compile("/|/table|/screen|/evenings|/workshop|/rules(/[^/]*)?")
"""Pages that redirect to the login or to the form for the code when the sender may not see them."""
_LINKABLE = re.compile("/|/login|/table|/screen|/evenings|/t|/t/[^/]+|/owner/[^/]+|/rules(/[^/]*)?")
"""Pages to which links on other sites may lead."""
_FRAMED = re.compile("/screen")
"""Pages that the dashboards in the settings may embed in a frame (``frame-ancestors``)."""
_NEEDED = {Rank.SEAT: "seat_needed", Rank.HOST: "host_needed", Rank.OWNER: "owner_needed"}
"""Error code when the rank is too low, by the rank that the route requires."""
_THROUGH_A_PROXY = ("forwarded", "via", "x-forwarded-for", "x-real-ip")
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")
_USUAL_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
"""Headers of every response that does not set them itself."""
_OPENER_POLICY = ("cross-origin-opener-policy", "same-origin")
"""Sent only to origins that browsers consider trustworthy: elsewhere they ignore it and log a warning."""


class OwnWifi(Protocol):
    """The launcher's own Wi-Fi: ``address`` is the launcher's in it, ``guests`` its subnet, such as 10.42.0.0/24."""

    @property
    def name(self) -> str: ...
    @property
    def password(self) -> str: ...
    @property
    def address(self) -> str: ...
    @property
    def guests(self) -> str: ...


class Policy:
    """The checks that a request must pass; each raises ``ProblemError``.

    :param settings: they ensure that a token or ``lan`` is set if other machines can reach the address.
    :param evening: returns the evening that can be joined, or ``None``; ``create_app`` sets it if left out.
    :param port: port of the page, if it differs from the settings.
    :param own_wifi: returns the launcher's own Wi-Fi while it is open.
    :param names: names by which the network knows this machine, if other machines can reach it.
    """

    def __init__(
        self,
        settings: WebSettings,
        evening: Callable[[], Evening | None] | None = None,
        port: int | None = None,
        own_wifi: Callable[[], OwnWifi | None] = lambda: None,
        names: KnownNames | None = None,
    ) -> None:
        self.settings = settings
        self.evening = evening
        self.port = port or settings.port
        self.own_wifi = own_wifi
        self.names = names
        self.owners: OwnerPhones | None = None  # set by create_app
        self._token = None if settings.token is None else settings.token.encode()
        self.wrong_codes = RateLimiter(CODES_AT_ONCE, CODE_S, "too_many_guesses")
        self.seats_taken = RateLimiter(SEATS_AT_ONCE, SEAT_S, "too_many_seats")
        self._commands = RateLimiter(COMMANDS_AT_ONCE, COMMAND_S, "too_many_commands")
        machine, short = socket.gethostname().lower(), short_name()
        named = {"localhost", settings.host.lower(), *map(str.lower, settings.allowed_hosts)}
        ours = {machine, short, f"{machine}.local", f"{short}.local"}
        self._own_names = named | ours if settings.is_open else named

    @property
    def needs_token(self) -> bool:
        return self._token is not None

    def session(self) -> str:
        """Return the session cookie's value: an HMAC of the token, which survives restarts and hides the token."""
        return hmac.new(self._token or b"", b"dispenser session", hashlib.sha256).hexdigest()

    def knows_token(self, offered: str) -> bool:
        return self._token is not None and hmac.compare_digest(offered.encode(errors="replace"), self._token)

    def joinable(self) -> Evening | None:
        """Return the evening that can be joined now."""
        return self.evening() if self.evening else None

    async def check(self, request: HTTPConnection) -> None:
        """Determine the role of the sender and store it in the request's state, or raise ``ProblemError``."""
        await self.check_host(request.headers.get("host", ""))
        self._check_origin(request)
        role = self.role(request)
        state = request.scope.setdefault("state", {})
        state["role"], state["still_in"] = role, lambda: self.role(request).rank >= Rank.WATCHER
        self._check_role(request, role)
        if request.scope["method"] == "POST" and not role.owner and role.rank > Rank.STRANGER:
            # each command is written to the journal, and one phone must not fill the disk
            who = client_of(request) if role.person is None else f"person {role.person}"
            self._commands.check(who)
            self._commands.spend(who)

    async def check_host(self, host: str) -> None:
        """Check the Host header: a browser sends the name in the URL, and an unknown name may be DNS rebinding."""
        if not (match := _HOST.fullmatch(host)):
            raise ProblemError("bad_host")
        name = match["name"].lower()
        if name in self._own_names or self._is_own_number(name):
            return
        if self.names is None or not await self.names.lead_here(name):
            raise ProblemError("unknown_host", name=name)

    def _is_own_number(self, name: str) -> bool:
        """Return whether the host is an accepted IP address: DNS rebinding needs a name, so ours are safe."""
        try:
            return ipaddress.ip_address(name.strip("[]")).is_loopback or self.settings.is_open
        except ValueError:
            return False

    def _check_origin(self, request: HTTPConnection) -> None:
        """Refuse a request that another site caused; programs that are no browser send no origin, and pass.

        Exceptions: a navigation to a page (a followed link), and the screen in a dashboard's frame. Pages change
        nothing by themselves, and their scripts then run with our origin. Browsers send fetch metadata only to
        addresses that they trust (loopback, or https); on others a foreign page has no cookie of ours, so it has to
        show the token.
        """
        headers = request.headers
        host, origin = headers.get("host", "").lower(), headers.get("origin")
        foreign = origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}")
        if not foreign and headers.get("sec-fetch-site", "none") not in _OWN_SITES:
            mode, shown_as = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
            pages = {"document": _LINKABLE, "iframe": _FRAMED if self.settings.dashboards else None}.get(shown_as or "")
            is_page = pages and request.scope["method"] == "GET" and pages.fullmatch(request.scope["path"])
            foreign = not (is_page and mode == "navigate")
        if foreign:
            raise ProblemError("foreign_origin")

    def role(self, request: HTTPConnection) -> Role:
        """Return the role of the sender."""
        phone = self.owners is not None and self.owners.knows(request.cookies.get(OWNER_COOKIE, ""))
        owner, watches = phone or self._is_owner(request), self._has_screen_key(request)
        if not owner and not self.settings.lan:  # seat cookies do not count: everybody needs the token
            return Role(watches=watches)
        return role_from_cookies(self.joinable(), request, owner=owner, phone=phone, watches=watches)

    def _has_screen_key(self, request: HTTPConnection) -> bool:
        """Return whether the URL has the screen's key, which gives read access only."""
        if (key := self.settings.screen_key) is None or request.scope["method"] != "GET":
            return False
        return hmac.compare_digest(request.query_params.get("key", "").encode(errors="replace"), key.encode())

    def _is_owner(self, request: HTTPConnection) -> bool:
        """Return whether the token (``Authorization: Bearer``) or a session cookie is present, or not needed."""
        if _is_from_this_machine(request) if self.settings.lan else self._token is None:
            return True
        if self._token is None:
            return False
        scheme, _, credential = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.knows_token(credential.strip()):
            return True
        return hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), self.session().encode())

    def _check_role(self, request: HTTPConnection, role: Role) -> None:
        """Check the rank: 303 to a form for a page, 401 for other requests, 403 for a watcher or higher.

        A request for ``/`` with the right token in its URL passes.
        """
        method, path = request.scope["method"], request.scope["path"]
        needed = required_rank(method, path)
        if role.rank >= needed:
            return
        if role.rank >= Rank.WATCHER:
            raise ProblemError(_NEEDED[needed])
        at_door = method == "GET" and _PAGES.fullmatch(path) is not None
        offered = request.query_params.get("token") if path == "/" and at_door else None
        if offered is not None and self.knows_token(offered):
            return
        wrong = self.needs_token and "authorization" in request.headers
        if self.settings.lan and not wrong and (offered is None or not self.needs_token):
            back = {"location": f"/t?to={path}"} if RETURN_PAGES.fullmatch(path) else None
            raise ProblemError("join_first", headers=back) if at_door else ProblemError("join_needed")
        raise ProblemError("login_needed" if at_door else "wrong_token" if wrong else "token_needed")


def _is_from_this_machine(request: HTTPConnection) -> bool:
    """Return whether the request comes from this machine, addressed as ``localhost`` or by a loopback address.

    To such a host browsers send fetch metadata, and no foreign name leads to it. A proxy on this machine acts for
    others, so requests with a proxy's headers do not count; a proxy that adds none is not detected.
    """
    if request.client is None or any(header in request.headers for header in _THROUGH_A_PROXY):
        return False
    return _is_loopback(request.client.host) and _is_by_own_name(request)


def _is_by_own_name(request: HTTPConnection) -> bool:
    """Return whether the Host header is ``localhost`` or a loopback address."""
    match = _HOST.fullmatch(request.headers.get("host", ""))
    name = match["name"].strip("[]").lower() if match else ""
    return name == "localhost" or _is_loopback(name)


def _is_trusted(request: HTTPConnection) -> bool:
    """Return whether browsers trust this origin: loopback, or https by a proxy."""
    return _is_by_own_name(request) or request.headers.get("x-forwarded-proto") == "https"


@lru_cache(maxsize=64)
def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address_of(address)).is_loopback
    except ValueError:
        return False


class Guard:
    """The ASGI layer that applies a ``Policy`` and adds security headers to every response.

    :param disk_waiter: see ``Service``. Responses wait until the records they depend on are on disk, so that a power
        cut cannot undo what a client was told.
    :param refuse: makes the response to a request that does not pass.
    """

    def __init__(
        self,
        app: ASGIApp,
        policy: Policy,
        disk_waiter: Callable[[], Callable[[], Awaitable[None]]],
        refuse: Callable[[HTTPConnection, ProblemError], Awaitable[Response]],
    ) -> None:
        self.app = app
        self._disk_waiter = disk_waiter
        self._policy = policy
        self._refuse = refuse
        shown_in = " ".join(policy.settings.dashboards) or "'none'"
        framed = _USUAL_HEADERS["content-security-policy"].replace("ancestors 'none'", f"ancestors {shown_in}")
        self._framed_headers = _USUAL_HEADERS | {"content-security-policy": framed}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":  # the server omits the body, and a stream ends at once
            scope, receive = {**scope, "method": "GET"}, _disconnected
        request = HTTPConnection(scope)

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                usual = self._framed_headers if _FRAMED.fullmatch(scope["path"]) else _USUAL_HEADERS
                for name, value in usual.items():
                    headers.setdefault(name, value)
                if _is_trusted(request):
                    headers.setdefault(*_OPENER_POLICY)
                headers["date"] = formatdate(usegmt=True)
            await send(message)

        refused, written = False, self._disk_waiter()

        async def send_when_safe(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start":
                try:
                    await written()
                except NoSessionError as error:
                    refused = True
                    await problem_of(error).response(request)(scope, receive, send_secured)
            if not refused:
                await send_secured(message)

        if (task := asyncio.current_task()) is not None:  # shown in lists of tasks
            task.set_name(f"{scope['method']} {scope['path']}")
        if self._policy.settings.is_open and (answer := answer_to_probe(request)):
            await answer(scope, receive, send_secured)
            return
        try:
            await self._policy.check(request)
        except ProblemError as problem:
            await (await self._refuse(request, problem))(scope, receive, send_secured)
            return
        await self.app(scope, receive, send_when_safe)


async def _disconnected() -> Message:
    return {"type": "http.disconnect"}
