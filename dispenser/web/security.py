"""Who may talk to the launcher: one ASGI layer in front of everything else.

A page on the open web must not be able to press the button of a launcher at home, nor to keep it busy. So: the
``Host`` must be a name of ours (a rebound DNS name is not), a request must come from our own page or from no page at
all (but for a link that somebody follows to the page), and on any address but the loopback one a token is needed.
Bodies are small and whole before anybody reads them.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import re
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from email.utils import formatdate
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from dispenser.language import SpokenError, Text
from dispenser.web.connections import Connection, Connections
from dispenser.web.errors import ProblemError, WebError, send_problem
from dispenser.web.guesses import Guesses
from dispenser.web.i18n import language_for

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BODY_BYTES = 16 * 1024
BODY_S = 10.0
"""How long a body may take to arrive, seconds."""
SHORTEST_TOKEN = 16
COOKIE = "dispenser_session"
CONNECTION = "dispenser.connection"
"""Where the server leaves the connection of a request, in its scope."""

_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_OWN_SITES = ("none", "same-origin")
_PAGES = ("/", "/login")
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")
_CLOSE = ((b"connection", b"close"),)
_CONTENT_SECURITY_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    b"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# Every answer has these, unless it brings its own.
_USUAL_HEADERS = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", _CONTENT_SECURITY_POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class InsecureSettingsError(WebError, SpokenError, ValueError):
    """The settings would open the launcher to anybody. The text says what to set."""


def new_token() -> str:
    """A token nobody can guess: 128 random bits, safe in a link."""
    return secrets.token_urlsafe(16)


def is_loopback(host: str) -> bool:
    """Only this machine can reach that address."""
    if host == "localhost":
        return True
    address = _ip(host)
    return address is not None and address.is_loopback


def _ip(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return None


class Policy:
    """Answers "may this request pass?". Pure: headers in, a problem or nothing out.

    :param host: the address the server is bound to.
    :param token: what a caller must know; may be ``None`` on the loopback address only.
    :param allowed_hosts: further names by which this machine may be called.
    :raises InsecureSettingsError: for an open address without a token, or a token that can be guessed.
    """

    def __init__(self, host: str, token: str | None, allowed_hosts: Collection[str] = ()) -> None:
        self._loopback = is_loopback(host)
        if token is None and not self._loopback:
            raise InsecureSettingsError(
                Text(
                    "web.host {host} can be reached from other machines, so web.token must be set (for example to "
                    '"{token}"); or set web.host to 127.0.0.1'
                ).filled(host=host, token=new_token())
            )
        if token is not None and len(token) < SHORTEST_TOKEN:
            raise InsecureSettingsError(
                Text("web.token must have {fewest} characters or more, not {length}").filled(
                    fewest=SHORTEST_TOKEN, length=len(token)
                )
            )
        self._token = None if token is None else token.encode()
        self.guesses = Guesses()
        machine = socket.gethostname().lower()
        names = {"localhost", host.lower(), *(name.lower() for name in allowed_hosts)}
        if not self._loopback:
            names |= {machine, f"{machine}.local"}
        self._names = frozenset(names)

    @property
    def needs_token(self) -> bool:
        return self._token is not None

    def session(self) -> str:
        """The cookie's value: derived from the token, so that it outlives a restart and does not tell the token."""
        return hmac.new(self._token or b"", b"dispenser session", hashlib.sha256).hexdigest()

    def knows_token(self, offered: str) -> bool:
        return self._token is not None and hmac.compare_digest(offered.encode(), self._token)

    def refuse_host(self, headers: MutableMapping[str, str]) -> ProblemError | None:
        """A browser sends the name it was told. A name that is not ours may be a rebound one."""
        host = headers.get("host")
        match = _HOST.fullmatch(host) if host is not None else None
        if match is None:
            return ProblemError(
                400, "bad_host", Text("The request has no usable Host header."), Text("Send the Host of the address.")
            )
        name = match["name"].lower()
        address = _ip(name)
        # A numeric address cannot be rebound to another machine, so any of this machine's own will do.
        if name in self._names or (address is not None and (address.is_loopback or not self._loopback)):
            return None
        return ProblemError(
            421,
            "unknown_host",
            Text("This launcher is not called {name}.").filled(name=name),
            Text("Use the address it printed at the start, or add the name to web.allowed_hosts in the settings."),
        )

    def refuse_origin(self, method: str, path: str, headers: MutableMapping[str, str]) -> ProblemError | None:
        """A request must come from our own page, or from a program that is no page.

        But for a link that somebody follows to the page: the page does nothing by itself, and its scripts then come
        from here. A browser says all this of an address that it trusts (this machine's own, or one with https); on
        any other a foreign page has no cookie of ours, so it has to show the token.
        """
        origin = headers.get("origin")
        host = headers.get("host", "").lower()
        foreign = origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}")
        site = headers.get("sec-fetch-site", "none")
        if not foreign and site not in _OWN_SITES:
            opened = (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest"))
            foreign = not (method == "GET" and path in _PAGES and opened == ("navigate", "document"))
        if foreign:
            return ProblemError(
                403, "foreign_origin", Text("Another site may not use this launcher."), Text("Use the launcher's page.")
            )
        return None

    def offers_wrong_token(self, method: str, path: str, query: bytes, headers: MutableMapping[str, str]) -> bool:
        """Somebody who may not come in has tried to."""
        link = method == "GET" and path == "/" and "token" in parse_qs(query.decode("latin-1"))
        return self.needs_token and (link or "authorization" in headers)

    def is_authorized(self, headers: MutableMapping[str, str]) -> bool:
        """The token (``Authorization: Bearer``) or the cookie of a login is there, or none is needed."""
        if self._token is None:
            return True
        scheme, _, credential = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.knows_token(credential.strip()):
            return True
        try:
            morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return morsel is not None and hmac.compare_digest(morsel.value.encode(), self.session().encode())

    def is_open_to_all(self, method: str, path: str, query: bytes) -> bool:
        """What a stranger may see: looks, the login form, and a link that carries the right token."""
        if path == "/login" or path.startswith("/static/"):
            return True
        offered = parse_qs(query.decode("latin-1")).get("token", [""])
        return method == "GET" and path == "/" and self.knows_token(offered[0])


class Guard:
    """The ASGI layer that applies a ``Policy``, limits bodies, and adds the security headers to every answer."""

    def __init__(self, app: App, policy: Policy, connections: Connections) -> None:
        self._app = app
        self._policy = policy
        self._connections = connections
        self._date = (0, b"")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [*message.get("headers", ())]
                named = {name for name, _ in own}
                usual = [header for header in _USUAL_HEADERS if header[0] not in named]
                message["headers"] = [*own, *usual, (b"date", self._now())]
            await send(message)

        if (task := asyncio.current_task()) is not None:  # whoever looks at tasks sees what this one is about
            task.set_name(f"{scope['method']} {scope['path']}")
        headers = _decoded(scope["headers"])
        problem = await self._problem(scope, headers)
        if problem is None and scope["method"] not in _SAFE_METHODS:
            body = await _whole_body(headers, receive)
            if isinstance(body, ProblemError):
                problem = body
            else:
                problem = _refuse_type(scope["path"], headers, body)
                receive = _replay(body, receive)
        if problem is not None:
            await send_problem(problem, send_secured, language_for(headers))
            return
        await self._app(scope, receive, send_secured)

    async def _problem(self, scope: Scope, headers: dict[str, str]) -> ProblemError | None:
        policy, method, path, query = self._policy, scope["method"], scope["path"], scope["query_string"]
        problem = policy.refuse_host(headers) or policy.refuse_origin(method, path, headers)
        if problem is not None:
            return problem
        if policy.is_authorized(headers):
            return self._refuse_place(scope.get(CONNECTION))
        if policy.is_open_to_all(method, path, query):
            return None
        if policy.offers_wrong_token(method, path, query, headers):
            await policy.guesses.wait(client_of(scope))
        if method == "GET" and path == "/":
            return ProblemError(303, "login_needed", Text("Log in first."), headers=((b"location", b"/login"),))
        wrong = "authorization" in headers
        return ProblemError(
            401,
            "wrong_token" if wrong else "token_needed",
            Text("That is not this launcher's token.") if wrong else Text("This launcher asks for its token."),
            Text(
                "It stands in the settings, web.token. Send it as 'Authorization: Bearer TOKEN', or log in on the page."
            ),
            headers=((b"www-authenticate", b"Bearer"),),
        )

    def _refuse_place(self, connection: Connection | None) -> ProblemError | None:
        if connection is None or self._connections.passed(connection):
            return None
        return ProblemError(
            503,
            "too_many_connections",
            Text("There are as many connections as there may be, and all are in use."),
            Text("Close a page, or raise web.max_streams in the settings."),
            headers=(*_CLOSE, (b"retry-after", b"5")),
        )

    def _now(self) -> bytes:
        second = int(time.time())
        if self._date[0] != second:
            self._date = (second, formatdate(second, usegmt=True).encode())
        return self._date[1]


def client_of(scope: Scope) -> str:
    """Where a request comes from; empty when nobody knows."""
    return str(scope["client"][0]) if scope.get("client") else ""


def _decoded(raw: Collection[tuple[bytes, bytes]]) -> dict[str, str]:
    """Header names in lower case, each with its first value: a second ``Host`` or ``Origin`` cannot override one."""
    headers: dict[str, str] = {}
    for name, value in raw:
        headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))
    return headers


async def _whole_body(headers: dict[str, str], receive: Receive) -> bytes | ProblemError:
    too_large = ProblemError(
        413,
        "body_too_large",
        Text("The body is larger than {bytes} bytes.").filled(bytes=MAX_BODY_BYTES),
        Text("No command needs more than a few fields."),
        headers=_CLOSE,
    )
    declared = headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared[:9]) > MAX_BODY_BYTES:
        return too_large
    body = bytearray()
    more = True
    try:
        async with asyncio.timeout(BODY_S):
            while more and len(body) <= MAX_BODY_BYTES:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return ProblemError(400, "body_incomplete", Text("The body ended too early."))
                body += message.get("body", b"")
                more = message.get("more_body", False)
    except TimeoutError:
        return ProblemError(
            408,
            "body_too_slow",
            Text("The body was not there after {seconds:.0f} s.").filled(seconds=BODY_S),
            headers=_CLOSE,
        )
    return too_large if len(body) > MAX_BODY_BYTES else bytes(body)


def _refuse_type(path: str, headers: dict[str, str], body: bytes) -> ProblemError | None:
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if not body or not path.startswith("/api/") or media_type == "application/json":
        return None
    return ProblemError(
        415, "wrong_content_type", Text("Commands are JSON."), Text("Send the header 'Content-Type: application/json'.")
    )


def _replay(body: bytes, receive: Receive) -> Receive:
    waiting = [body]

    async def replayed() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return replayed
