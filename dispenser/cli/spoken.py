"""How the terminal speaks: in the language of the locale, English in the code and French in the one catalog; and with
the signs that it has. What it cannot show is printed in plain letters, and nothing stops.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, TextIO

from dispenser import i18n as texts

if TYPE_CHECKING:
    from rich.console import Console

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
    **dict(zip("●▲■◆♣♦♥♠", "o^#*&*v^", strict=True)),  # shapes beside names, and suits: no two of a game are alike
    **dict(zip("…≠œŒæÆß", ("...", "!=", "oe", "OE", "ae", "AE", "ss"), strict=True)),
}
MARKS: Final = {"good": ("✓", "green"), "note": ("–", "yellow"), "wrong": ("✗", "red")}
"""What stands before a finding, and its colour, by the status."""


def language() -> str:
    """The one that the environment asks for."""
    return texts.language_wanted(os.environ)


def in_words(thing: object) -> str:
    """A text or an error in that language."""
    return texts.said(thing, language())


def _(english: str, /, *, plural: str = "", **places: object) -> str:
    """A text in that language, ``{places}`` filled in; see ``Text``."""
    text = texts.Text(english, plural=plural)
    return in_words(text.filled(**places) if places else text)


def in_catalog(english: str) -> str:
    """A text that stands elsewhere in the code, such as a command's help, in that language."""
    return texts.catalog(language()).gettext(english) if english else ""


def speak_plainly(streams: Iterable[TextIO]) -> None:
    """From now on, a sign that a stream cannot encode is written as the letters closest to it, or as ``?``."""
    codecs.register_error(HANDLER, _plainly)
    for stream in streams:
        if not isinstance(stream, io.TextIOWrapper) or stream.errors not in _STRICT:
            continue
        if stream.errors != "surrogateescape" or codecs.lookup(stream.encoding).name != "utf-8":
            stream.reconfigure(errors=HANDLER)


def new_console(*, stderr: bool = False) -> Console:
    """The terminal. ``rich`` would break lines at no-break spaces, of which French is full, and has no setting."""
    import rich._wrap
    from rich.console import Console

    rich._wrap.re_word = re.compile(r"[^\S\u00a0\u202f]*[\S\u00a0\u202f]+[^\S\u00a0\u202f]*")  # noqa: SLF001
    return Console(stderr=stderr, highlight=False)


def without_marks(word: str) -> str:
    """Without accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))


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
    letters = without_marks(sign)
    return letters if letters.isascii() and letters.isprintable() and letters else "?"
