"""Join the table by its code (typed, by link or QR code); owner's phones by a link that works once."""

from __future__ import annotations

import asyncio
import io
import ipaddress
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated
from urllib.parse import parse_qs

import segno
from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from segno import helpers

from dispenser.web import models, owners
from dispenser.web.access import RETURN_PAGES, WATCH_COOKIE, role_of, set_owner_cookie, set_watch_cookie
from dispenser.web.addresses import Address, for_phones
from dispenser.web.api import json_response
from dispenser.web.errors import ProblemError
from dispenser.web.languages import language_of
from dispenser.web.pages import form_response, render
from dispenser.web.rate_limit import address_of, client_of
from dispenser.web.schemas import answer, api_routes, problems, takes, whole_body

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

    from dispenser.web.access import Role
    from dispenser.web.owners import OwnerPhones
    from dispenser.web.security import OwnWifi, Policy

QUIET_MODULES = 4  # Quiet zone around a QR code, in modules, as the standard requires
_STYLED_ALONE = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
}
"""For a page with inline style: under an unknown host name a browser gets no other file."""
_STATUS = {"": 200, "wrong": 403, "closed": 200, "many": 429}  # Status of the form for the code, by what it says


def add_join(router: APIRouter, policy: Policy) -> None:
    """Add the form for the table's code, ``/t``, and the link that contains the code, ``/t/{code}``."""

    async def form(request: Request, said: str, headers: dict[str, str] | None = None) -> Response:
        role = role_of(request)
        return await form_response(
            request,
            "join.html",
            _STATUS[said],
            headers,
            said=said,
            owners_come_in=policy.needs_token,
            was_here=(bool(role.seats) or WATCH_COOKIE in request.cookies) and not role.watches,
            had_seat=bool(role.seats),
            screen=back(request) == "/screen",
            by_link=request.url.path != "/t",
        )

    async def welcomed(request: Request, offered: str) -> Response:
        if not policy.settings.lan and not role_of(request).owner:
            raise ProblemError("login_needed")  # without ``lan`` the token is required, and no code is valid
        evening, client = policy.joinable(), client_of(request)
        if evening is None:
            return await form(request, "closed")
        try:
            policy.wrong_codes.check(client)
        except ProblemError as problem:
            return await form(request, "many", problem.headers)
        if not evening.knows_code(offered):
            policy.wrong_codes.spend(client)
            return await form(request, "wrong")
        response = RedirectResponse(back(request), 303)
        set_watch_cookie(response, evening.table)
        return response

    def back(request: Request) -> str:
        """Return the page to redirect to afterwards, from ``?to=``."""
        page = request.query_params.get("to", "")
        return page if RETURN_PAGES.fullmatch(page) else "/table"

    @router.get("/t")
    async def show(request: Request) -> Response:
        """Show the form, or redirect somebody who has a seat to the table."""
        if role_of(request).person is not None:
            return RedirectResponse("/table", 303)
        return await form(request, "" if policy.joinable() else "closed")

    @router.get("/t/{code}")
    async def by_link(request: Request, code: str) -> Response:
        return await welcomed(request, code)

    @router.post("/t")
    async def typed(request: Request) -> Response:
        fields = parse_qs((await whole_body(request)).decode("utf-8", "replace"))
        return await welcomed(request, fields.get("code", [""])[0])


def add_owners(router: APIRouter, phones: OwnerPhones) -> None:
    """Add the page behind the link that makes a phone an owner's phone."""

    async def gone(request: Request) -> Response:
        return await form_response(request, "owner.html", 410, said="gone")

    @router.get("/owner/{key}")
    async def ask(request: Request, key: str) -> Response:
        """Show the question only: link previews of messengers open links, too, and must not use up the key."""
        if role_of(request).phone:
            return await form_response(request, "owner.html", said="is")
        return await form_response(request, "owner.html", said="") if phones.invites(key) else await gone(request)

    @router.post("/owner/{key}")
    async def agreed(request: Request, key: str) -> Response:
        response = RedirectResponse("/", 303)
        if role_of(request).phone:
            return response
        address, agent = request.client.host if request.client else "", request.headers.get("user-agent", "")
        secret = await asyncio.to_thread(phones.add, key, address, agent)
        if secret is None:
            return await gone(request)
        set_owner_cookie(response, secret)
        return response


def owners_router(policy: Policy, phones: OwnerPhones, removed: Callable[[], object]) -> APIRouter:
    """Return the routes under ``/api/v1/owners``; ``removed`` is called after a phone was removed."""
    router = api_routes("/owners", "owner")
    all_there_are = answer(owners.OwnerPhoneList, "The phones.")

    @router.get("", responses={200: all_there_are})
    async def listed(request: Request) -> Response:
        """Return the phones that have the owner's rights."""
        language = language_of(request)
        return json_response(owners.OwnerPhoneList([owners.listed(each, language) for each in phones.phones]))

    invited = answer(owners.OwnerInvitation, "The link, for a QR code. It is a secret.")
    refused = problems({409: "Phones cannot reach the page; the message says why."})

    @takes(router, "/invite", responses={200: invited, **refused})
    async def invite(request: Request, command: models.Nothing) -> Response:  # noqa: ARG001 - the body is empty
        """Create a link that gives one phone the owner's rights, once and within ten minutes; it replaces the last."""
        if not policy.settings.is_open:
            raise ProblemError("page_not_open")
        if not (ways := _reachable(policy, policy.own_wifi())):
            raise ProblemError("no_network")
        url = ways[0].url(policy.port, f"/owner/{phones.invite()}")
        return json_response(owners.OwnerInvitation(url, owners.INVITED_S))

    gone = answer(owners.OwnerPhone, "The phone that was removed.")
    unknown = problems({404: "There is no such phone."})

    @takes(router, "/remove", responses={200: gone, **unknown})
    async def remove(request: Request, command: owners.RemoveOwner) -> Response:
        """Withdraw the owner's rights from a phone, with immediate effect."""
        phone = await asyncio.to_thread(phones.remove, command.number)
        if phone is None:
            raise ProblemError("no_such_phone", number=command.number)
        removed()
        return json_response(owners.listed(phone, language_of(request)))

    return router


async def problem_response(policy: Policy, request: HTTPConnection, problem: ProblemError) -> Response:
    """Return a problem as JSON, or, for a browser that opens a page, as HTML with a link to the right address."""
    opens_page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
    if not opens_page or "location" in problem.headers:
        return problem.response(request)
    language, facts = language_of(request), {"url": "/"}
    if problem.error == "unknown_host":
        wifi = policy.own_wifi()
        ways = _reachable(policy, wifi if is_in(wifi, request) else None)
        url = (ways[0] if ways else Address("localhost")).url(policy.port)
        facts = {"url": url, "misnamed": request.headers["host"]}
    page = await asyncio.to_thread(render, "link.html", language, wrong=problem.message[language], **facts)
    return HTMLResponse(page, problem.status, {**problem.headers, **_STYLED_ALONE})


def add_invitation(router: APIRouter, policy: Policy) -> None:
    """Add the routes that tell how to join: addresses, QR codes, the launcher's Wi-Fi."""
    none_open = {409: "No evening is open."}
    how = answer(models.Invitation, "The code and the addresses.")

    def invited(request: Request) -> models.Invitation:
        if (found := invitation(policy, wifi_for(policy, request))) is None:
            raise ProblemError("no_table")
        return found

    @router.get("/addresses", responses={200: how, **problems(none_open)})
    async def addresses(request: Request) -> Response:
        """Return how to join the table: its code, the launcher's addresses, and its own Wi-Fi."""
        return json_response(invited(request))

    svg = {"description": "The QR code, black on white.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}}
    none_there = {404: "Phones cannot reach the launcher at that address."}

    @router.get("/qr.svg", responses={200: svg, **problems(none_open | none_there)})
    async def qr(
        request: Request,
        address: Annotated[str | None, Query(description="A `host` of `/table/addresses`; default: the first.")] = None,
    ) -> Response:
        """Return the link that joins the table, as a QR code."""
        url = next((way.url for way in invited(request).addresses if address in (None, way.host)), None)
        if url is None:
            raise ProblemError("no_address")
        return await asyncio.to_thread(qr_code, url)

    no_wifi = {404: "The launcher has no Wi-Fi of its own, or the client may not know its password."}

    @router.get("/wifi.svg", responses={200: svg, **problems(no_wifi)})
    async def wifi(request: Request) -> Response:
        """Return name and password of the launcher's own Wi-Fi, as a QR code that phones understand."""
        own = wifi_for(policy, request)
        if own is None:
            raise ProblemError("no_wifi")
        return await asyncio.to_thread(qr_code, helpers.make_wifi_data(own.name, own.password, "WPA"))


def may_join_wifi(role: Role, *, is_in_it: bool) -> bool:
    """Return whether a role may learn the password of the launcher's own Wi-Fi.

    The table's code spreads, and whoever has it may watch from anywhere; the password admits to the network. So only
    the owner gets it, and clients that are in that Wi-Fi already, such as a screen at the table. Being host is not
    enough: while the host's phone is silent, a guest acts as host.
    """
    return role.owner or is_in_it


def is_in(wifi: OwnWifi | None, request: HTTPConnection) -> bool:
    """Return whether a request comes from the launcher's own Wi-Fi."""
    if wifi is None or request.client is None:
        return False
    try:
        return ipaddress.ip_address(address_of(request.client.host)) in ipaddress.ip_network(wifi.guests)
    except ValueError:  # not an IP address: a test client or a Unix socket
        return False


def wifi_for(policy: Policy, request: Request) -> OwnWifi | None:
    """Return the launcher's own Wi-Fi if it is open and the sender may join it."""
    wifi = policy.own_wifi()
    return wifi if may_join_wifi(role_of(request), is_in_it=is_in(wifi, request)) else None


def invitation(policy: Policy, wifi: OwnWifi | None) -> models.Invitation | None:
    """Return how to join the evening; ``None`` while there is none.

    :param wifi: the Wi-Fi to join first, if any; the launcher's address in it is then listed first.
    """
    if (evening := policy.joinable()) is None:
        return None
    code, ways = evening.table.code, _reachable(policy, wifi)
    found = [models.PhoneAddress(each.host, each.interface, each.url(policy.port, f"/t/{code}")) for each in ways]
    to_join = None if wifi is None else models.WifiToJoin(wifi.name, wifi.password)
    return models.Invitation(code, policy.settings.is_open, found[0].url if found else None, found, to_join)


def _reachable(policy: Policy, wifi: OwnWifi | None) -> list[Address]:
    """Return the launcher's addresses for phones, likeliest first."""
    found = for_phones(policy.settings, policy.names.local if policy.names else "")
    if wifi is not None:
        found.sort(key=lambda each: each.host != wifi.address)
    return found


def qr_code(text: str) -> Response:
    """Return a QR code as SVG: error correction level M, dark on white in every colour scheme."""
    code = segno.make_qr(text, error="m", boost_error=False)
    looks = {"border": QUIET_MODULES, "dark": "#000", "light": "#fff", "svgclass": None, "lineclass": None}
    drawn = io.BytesIO()
    code.save(drawn, kind="svg", xmldecl=False, omitsize=True, **looks)
    return Response(drawn.getvalue(), media_type="image/svg+xml")
