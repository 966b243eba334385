"""Which language a browser wants."""

from __future__ import annotations

from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

from dispenser.language import LANGUAGES

COOKIE = "dispenser_language"


def language_for(headers: Mapping[str, str]) -> str:
    """The language of the answer to a request with these headers."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        morsel = None
    return choose_language(morsel.value if morsel else None, headers.get("accept-language"))


def choose_language(chosen: str | None, accept_language: str | None) -> str:
    """The language to show: what the person chose on the page, else the best of the browser's list.

    :param accept_language: as in RFC 9110, such as ``fr-CH, fr;q=0.9, en;q=0.8``; anything else counts for nothing.
    """
    if chosen in LANGUAGES:
        return str(chosen)
    best, best_weight = LANGUAGES[0], 0.0
    for part in (accept_language or "").split(",")[:50]:
        tag, _, parameter = part.partition(";")
        language = tag.strip().lower().partition("-")[0]
        weight = _weight(parameter)
        if language in LANGUAGES and weight > best_weight:
            best, best_weight = language, weight
    return best


def _weight(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if not name:
        return 1.0
    try:
        weight = float(value)
    except ValueError:
        return 0.0
    return weight if name == "q" and 0 <= weight <= 1 else 0.0
