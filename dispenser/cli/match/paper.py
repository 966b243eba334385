"""Prints sentences in lines that fit, in one language."""

from __future__ import annotations

import textwrap
from typing import Final

from rich.console import Console, RenderableType
from rich.text import Text as Styled

from dispenser.language import Text

_BETWEEN: Final = Text("; ")


class Paper:
    """Prints for one person, in one language."""

    def __init__(self, console: Console, language: str) -> None:
        self.console = console
        self.language = language

    @property
    def width(self) -> int:
        """Columns of the terminal."""
        return self.console.width

    def say(self, text: Text | str, /, style: str = "", indent: str = "", **places: object) -> None:
        """In lines that fit; they are not broken by rich, which would break at the no-break spaces, too.

        What is longer than a line, a path for one, stays whole: so it can be copied.

        :param places: what stands in the ``{places}`` of a ``Text``.
        """
        lines = textwrap.wrap(
            self.said(text, **places),
            self.width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_on_hyphens=False,
            break_long_words=False,
        )
        self.console.print(Styled("\n".join(lines)), style=style, highlight=False, soft_wrap=True)

    def said(self, text: Text | str, /, **places: object) -> str:
        """A text as this person reads it."""
        return text if isinstance(text, str) else text.filled(**places)[self.language]

    def show(self, what: RenderableType) -> None:
        """A picture, such as the table."""
        self.console.print(what, highlight=False)

    def listed(self, things: list[str]) -> str:
        """One behind the other, as French and English have them."""
        return _BETWEEN[self.language].join(things)
