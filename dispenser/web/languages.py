"""Choose a language from what the browser accepts."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING

from dispenser.i18n import LANGUAGES

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

COOKIE = "dispenser_language"
_WISH = re.compile(r"\s*(?P<language>[A-Za-z]+)[\w-]*\s*(?:;\s*q=(?P<weight>0(?:\.[0-9]*)?|1(?:\.0*)?)\s*)?", re.ASCII)


def language_of(request: HTTPConnection) -> str:
    """Return the language for the answer to a request."""
    return choose_language(request.cookies.get(COOKIE), request.headers.get("accept-language", ""))


def choose_language(chosen: str | None, accept_language: str) -> str:
    """Return the language that the person chose on the page, else the best match of the browser's list.

    :param accept_language: as in RFC 9110, such as ``fr-CH, fr;q=0.9, en;q=0.8``; invalid parts are ignored.
    """
    if chosen in LANGUAGES:
        return chosen
    wishes = filter(None, map(_WISH.fullmatch, accept_language.split(",")[:50]))
    weights = [(wish["language"].lower(), float(wish["weight"] or 1)) for wish in wishes]
    ours = [(language, weight) for language, weight in weights if language in LANGUAGES and weight]
    return max(ours, key=itemgetter(1), default=(LANGUAGES[0], 0.0))[0]
