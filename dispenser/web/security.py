"""Who may talk to the launcher: one ASGI layer in front of everything else.

A page on the open web must not be able to press the button of a launcher at home, nor to keep it busy. So: the
``Host`` must be a name of ours (a rebound DNS name is not), a request must come from our own page or from no page at
all (but for a link that somebody follows to the page), and on any address but the loopback one a token is needed.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import re
import socket
from collections import OrderedDict
from email.utils import formatdate
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection

from dispenser.service.settings import LOOPBACK, WebSettings
from dispenser.web.errors import ProblemError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from dispenser.web.connections import Connections

COOKIE = "dispenser_session"
_OWN_SITES = ("none", "same-origin")
_PAGES = ("/", "/login")
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")
_USUAL_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""Every answer has these, unless it brings its own."""


class Policy:
    """What may pass: reads requests, and says no by raising.

    :param settings: with a token wherever others can reach the address, which they see to.
    """

    def __init__(self, settings: WebSettings) -> None:
        self._loopback = settings.host in LOOPBACK
        self._token = None if settings.token is None else settings.token.encode()
        self.guesses = Guesses()
        machine = socket.gethostname().lower()
        names = {"localhost", settings.host.lower(), *map(str.lower, settings.allowed_hosts)}
        self._names = names if self._loopback else names | {machine, f"{machine}.local"}

    @property
    def needs_token(self) -> bool:
        return self._token is not None

    def session(self) -> str:
        """The cookie's value: derived from the token, so that it outlives a restart and does not tell the token."""
        return hmac.new(self._token or b"", b"dispenser session", hashlib.sha256).hexdigest()

    def knows_token(self, offered: str) -> bool:
        return self._token is not None and hmac.compare_digest(offered.encode(errors="replace"), self._token)

    def check_host(self, host: str) -> None:
        """A browser sends the name it was told. A name that is not ours may be a rebound one.

        :raises ProblemError: it is none of ours.
        """
        if not (match := _HOST.fullmatch(host)):
            raise ProblemError("bad_host")
        name = match["name"].lower()
        if name not in self._names and not self._is_own_number(name):
            raise ProblemError("unknown_host", name=name)

    def _is_own_number(self, name: str) -> bool:
        """A numeric address cannot be rebound to another machine, so any of this machine's own will do."""
        try:
            return ipaddress.ip_address(name.strip("[]")).is_loopback or not self._loopback
        except ValueError:
            return False

    def check_origin(self, request: HTTPConnection) -> None:
        """A request must come from our own page, or from a program that is no page.

        But for a link that somebody follows to the page: the page does nothing by itself, and its scripts then come
        from here. A browser says all this of an address that it trusts (this machine's own, or one with https); on
        any other a foreign page has no cookie of ours, so it has to show the token.

        :raises ProblemError: it comes from elsewhere.
        """
        headers = request.headers
        host, origin = headers.get("host", "").lower(), headers.get("origin")
        foreign = origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}")
        if not foreign and headers.get("sec-fetch-site", "none") not in _OWN_SITES:
            followed = (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")) == ("navigate", "document")
            foreign = not (followed and request.scope["method"] == "GET" and request.scope["path"] in _PAGES)
        if foreign:
            raise ProblemError("foreign_origin")

    def is_authorized(self, request: HTTPConnection) -> bool:
        """The token (``Authorization: Bearer``) or the cookie of a login is there, or none is needed."""
        if self._token is None:
            return True
        scheme, _, credential = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.knows_token(credential.strip()):
            return True
        return hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), self.session().encode())

    async def check_stranger(self, request: HTTPConnection) -> None:
        """Without the token one may see the looks, the login form, and a link that carries the right one.

        :raises ProblemError: 303 to the login form, 401 for anything but the page.
        """
        path, offered = request.scope["path"], None
        if path == "/login" or path.startswith("/static/"):
            return
        at_door = request.scope["method"] == "GET" and path == "/"
        if at_door:
            offered = request.query_params.get("token")
        if offered is not None and self.knows_token(offered):
            return
        wrong = "authorization" in request.headers
        if wrong or offered is not None:
            await self.guesses.wait(client_of(request))
        raise ProblemError("login_needed" if at_door else "wrong_token" if wrong else "token_needed")


class Guard:
    """The ASGI layer that applies a ``Policy``, and adds the security headers to every answer."""

    def __init__(self, app: ASGIApp, policy: Policy, connections: Connections) -> None:
        self.app = app
        self._policy = policy
        self._connections = connections

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _USUAL_HEADERS.items():
                    headers.setdefault(name, value)
                headers["date"] = formatdate(usegmt=True)
            await send(message)

        if (task := asyncio.current_task()) is not None:  # whoever looks at tasks sees what this one is about
            task.set_name(f"{scope['method']} {scope['path']}")
        request = HTTPConnection(scope)
        try:
            await self._check(request)
        except ProblemError as problem:
            await problem.response(request)(scope, receive, send_secured)
            return
        await self.app(scope, receive, send_secured)

    async def _check(self, request: HTTPConnection) -> None:
        self._policy.check_host(request.headers.get("host", ""))
        self._policy.check_origin(request)
        if not self._policy.is_authorized(request):
            await self._policy.check_stranger(request)
        elif not self._connections.passed(request.scope["client"]):
            raise ProblemError("too_many_connections")


def client_of(request: HTTPConnection) -> str:
    """Where a request comes from; empty when nobody knows."""
    return request.client.host if request.client else ""


# --- wrong tokens --------------------------------------------------------------------------------------------------

FIRST_S = 0.1
"""How long the first wrong token waits for its answer; each further one of that address twice as long."""
LONGEST_S = 5.0
FORGOTTEN_S = 60.0
"""After so long without a wrong token an address begins anew."""
ADDRESSES = 256
"""Addresses that are remembered; beyond that the one is forgotten that was quiet for longest."""
WAITING = 32
"""Answers that wait at a time; beyond that they are given at once, lest waiting be what fills the memory."""


class Guesses:
    """Wrong tokens of late, by address: answered late, and later each time; the right one at once, whatever others try.

    What that is good for: a program with an old token, or a person who tries words, cannot keep the launcher or its
    log busy. It is not what keeps the door shut: somebody who hangs up and tries again needs no answer. That is the
    token itself, which has 128 random bits when it was made as the settings say.
    """

    def __init__(self) -> None:
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._waiting = 0

    async def wait(self, address: str) -> None:
        """Call this before a wrong token is answered."""
        now = asyncio.get_running_loop().time()
        times, last_s = self._wrong.pop(address, (0, now))
        times = times + 1 if now - last_s < FORGOTTEN_S else 1
        self._wrong[address] = times, now
        if len(self._wrong) > ADDRESSES:
            self._wrong.popitem(last=False)
        if self._waiting >= WAITING:
            return
        self._waiting += 1
        try:
            await asyncio.sleep(min(LONGEST_S, FIRST_S * 2.0 ** min(times - 1, 10)))
        finally:
            self._waiting -= 1
