"""Translate what the terminal prints into the language of the locale."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Final

from dispenser import i18n as texts
from dispenser.i18n import Text

if TYPE_CHECKING:
    from rich.console import Console

MARKS: Final = {"good": ("✓", "green"), "note": ("–", "yellow"), "wrong": ("✗", "red")}
"""Mark and colour of a finding, by its status."""


def language() -> str:
    """Return the language that the environment variables select."""
    return texts.language_wanted(os.environ)


def in_words(thing: object) -> str:
    """Return a text or an error in that language."""
    return texts.said(thing, language())


def _(english: str, /, *, plural: str = "", **places: object) -> str:
    """Return a text in that language, with ``{places}`` filled in; see ``Text``."""
    text = texts.Text(english, plural=plural)
    return in_words(text.filled(**places) if places else text)


def confirm(question: str, *, stderr: bool = False) -> bool:
    """Ask a yes/no question; anything but a yes counts as no, also the end of the input."""
    print(question, in_words(Text("[y/N]")), end=" ", flush=True, file=sys.stderr if stderr else sys.stdout)
    answer = sys.stdin.readline()
    if not answer:
        print(file=sys.stderr if stderr else sys.stdout)
    return answer.strip().lower() in {"y", "yes", "o", "oui"}


def in_catalog(english: str) -> str:
    """Translate a text that is defined elsewhere, such as a command's help."""
    return texts.catalog(language()).gettext(english) if english else ""


def new_console(*, stderr: bool = False) -> Console:
    """Return a console. Patch ``rich``, which breaks lines at no-break spaces, frequent in French; it has no option."""
    import rich._wrap
    from rich.console import Console

    rich._wrap.re_word = re.compile(r"[^\S\u00a0\u202f]*[\S\u00a0\u202f]+[^\S\u00a0\u202f]*")  # noqa: SLF001
    return Console(stderr=stderr, highlight=False)
