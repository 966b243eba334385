"""Answer the captive portal checks of phones and computers that have joined the launcher's own Wi-Fi.

A phone whose check fails repeats it every half minute, drops its connections meanwhile, and switches to mobile data,
where it cannot reach the launcher. So in that Wi-Fi (``dispenser.system.hotspot``) the host names below resolve to the
launcher, and each check gets the response that its maker expects. Any other response would open a sign-in window, which
is a limited browser. All other names resolve as usual, so that a cable to the house still gives internet access.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

_NOTHING: Final = (204, "", "text/plain")
_APPLE: Final = (200, "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>", "text/html")
_NETWORK_MANAGER: Final = (200, "NetworkManager is online\n", "text/plain")
_FIREFOX_PAGE: Final = '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'
_PROBES: Final = {
    "captive.apple.com": {"/": _APPLE, "/hotspot-detect.html": _APPLE},
    "connectivitycheck.gstatic.com": {"/generate_204": _NOTHING},
    "connectivitycheck.android.com": {"/generate_204": _NOTHING},
    "clients3.google.com": {"/generate_204": _NOTHING},
    "play.googleapis.com": {"/generate_204": _NOTHING},
    "connect.rom.miui.com": {"/generate_204": _NOTHING},
    "connectivitycheck.platform.hicloud.com": {"/generate_204": _NOTHING},
    "www.msftconnecttest.com": {"/connecttest.txt": (200, "Microsoft Connect Test", "text/plain")},
    "www.msftncsi.com": {"/ncsi.txt": (200, "Microsoft NCSI", "text/plain")},
    "detectportal.firefox.com": {
        "/canonical.html": (200, _FIREFOX_PAGE, "text/html"),
        "/success.txt": (200, "success\n", "text/plain"),
    },
    "nmcheck.gnome.org": {"/check_network_status.txt": _NETWORK_MANAGER},
    "network-test.debian.org": {"/nm": _NETWORK_MANAGER},
    "connectivity-check.ubuntu.com": {"/": _NOTHING},
}
"""By host name and path, the response: status, body, media type."""
HOSTS: Final = tuple(_PROBES)  # Host names of the checks


def answer_to_probe(request: HTTPConnection) -> Response | None:
    """Return the response to a captive portal check; ``None`` if the request is not one."""
    paths = _PROBES.get(request.headers.get("host", "").lower().removesuffix(":80"), {})
    if request.scope["method"] != "GET" or (known := paths.get(request.scope["path"])) is None:
        return None
    status, text, kind = known
    return Response(text, status, media_type=kind)
