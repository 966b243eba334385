"""For terminals that have not all signs: what they cannot show is printed in plain letters, and nothing stops."""

from __future__ import annotations

import codecs
import io
import re
import unicodedata
from collections.abc import Iterable
from typing import Final, TextIO

from dispenser.cli.spoken import language

HANDLER: Final = "dispenser-plain-letters"
"""The name under which Python knows what to do with a sign that cannot be encoded."""

_STRICT: Final = frozenset({"strict", "backslashreplace", "surrogateescape"})
"""What a stream does by itself; whoever has set anything else, as with PYTHONIOENCODING, shall have it."""

_INSTEAD: Final = {
    **dict.fromkeys("‐‑‒–—−─━", "-"),
    **dict.fromkeys("│┃╷╵╎┆", "|"),
    **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼┏┓┗┛┡┩╇", "+"),
    **dict.fromkeys("’‘", "'"),
    **dict.fromkeys("“”«»", '"'),
    **dict.fromkeys("\u00a0\u202f\u2009", " "),
    **dict.fromkeys("█▓", "#"),
    **dict.fromkeys("▒░·", "."),
    **dict(zip("✓✗→←▶↻↺★×", "+x><>><!x", strict=True)),
    **dict(zip("●▲■◆", "o^#*", strict=True)),  # the shapes beside the names of cards, and the suits: no two of a
    **dict(zip("♣♦♥♠", "&*v^", strict=True)),  # game are alike
    "…": "...",
    "≠": "!=",
    "œ": "oe",
    "Œ": "OE",
    "æ": "ae",
    "Æ": "AE",
    "ß": "ss",
}


def speak_plainly(streams: Iterable[TextIO]) -> None:
    """From now on, a sign that a stream cannot encode is written as the letters closest to it, or as ``?``."""
    codecs.register_error(HANDLER, _plainly)
    for stream in streams:
        if not isinstance(stream, io.TextIOWrapper) or stream.errors not in _STRICT:
            continue
        if stream.errors != "surrogateescape" or codecs.lookup(stream.encoding).name != "utf-8":
            stream.reconfigure(errors=HANDLER)


def keep_words_together() -> None:
    """``rich`` breaks lines at no-break spaces, too, and has no setting for that; French has them everywhere."""
    if language() == "fr":
        import rich._wrap

        rich._wrap.re_word = re.compile(r"[^\S\u00a0\u202f]*[\S\u00a0\u202f]+[^\S\u00a0\u202f]*")


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    signs = signs.replace("«\u00a0", "«").replace("\u00a0»", "»")  # plain quotation marks stand without spaces
    return "".join(map(_plain, signs)), error.end


def _plain(sign: str) -> str:
    """In letters that every encoding of a terminal has."""
    if sign in _INSTEAD:
        return _INSTEAD[sign]
    letters = "".join(part for part in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(part))
    return letters if letters.isascii() and letters.isprintable() and letters else "?"
