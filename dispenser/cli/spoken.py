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


def confirm(question: str, *, stderr: bool = False) -> bool:
    """Ask a question; only a yes counts, and where nobody can be asked the answer is no."""
    print(question, in_words(Text("[y/N]")), end=" ", flush=True, file=sys.stderr if stderr else sys.stdout)
    answer = sys.stdin.readline()
    if not answer:
        print(file=sys.stderr if stderr else sys.stdout)
    return answer.strip().lower() in {"y", "yes", "o", "oui"}


def in_catalog(english: str) -> str:
    """A text that stands elsewhere in the code, such as a command's help, in that language."""
    return texts.catalog(language()).gettext(english) if english else ""


def new_console(*, stderr: bool = False) -> Console:
    """The terminal. ``rich`` would break lines at no-break spaces, of which French is full, and has no setting."""
    import rich._wrap
    from rich.console import Console

    rich._wrap.re_word = re.compile(r"[^\S\u00a0\u202f]*[\S\u00a0\u202f]+[^\S\u00a0\u202f]*")  # noqa: SLF001
    return Console(stderr=stderr, highlight=False)
