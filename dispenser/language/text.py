"""Messages that are said in the language of whoever reads them."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Final

from dispenser.language.catalog import LANGUAGES, catalog

_FRENCH_FIGURES: Final = str.maketrans({",": "\u202f", ".": ",", "%": "\u00a0%"})


@dataclass(frozen=True, slots=True)
class Text:
    """A message with named places, such as ``Text("{card} is not in your hand").filled(card=Text("red 3"))``.

    :param msgid: the English of it, the key of the catalog.
    :param french: instead of what the catalog has.
    :param plural: the English for a value of the place ``number`` that is not 1.
    :param context: tells apart two messages that are the same in English.
    :param values: what ``filled`` has put into the places. Without any, braces stand for themselves.
    :param say: see ``worded``.
    """

    msgid: str
    french: str | None = None
    _: KW_ONLY
    plural: str = ""
    context: str = ""
    values: tuple[tuple[str, object], ...] = ()
    say: Callable[..., str] | None = None

    def filled(self, /, **values: object) -> Text:
        """The message with values in its places, each said in the language of the whole: a ``Text``, an error with one,
        a number by its format (``{share:.0%}``, ``{number:,}``), a word of somebody else in quotes (``{word!r}``)."""
        return replace(self, values=(*self.values, *values.items()))

    def __getitem__(self, language: str) -> str:
        """The message in one of ``LANGUAGES``.

        :raises LookupError: there is no such language.
        """
        texts, values = catalog(language), dict(self.values)
        if self.say:
            return self.say(language, **values)
        if language != LANGUAGES[0] and self.french is not None:
            template = self.french
        elif self.plural:
            number = values.get("number", 1)
            many = number if isinstance(number, int) else 2
            template = (
                texts.npgettext(self.context, self.msgid, self.plural, many)
                if self.context
                else texts.ngettext(self.msgid, self.plural, many)
            )
        else:
            template = texts.pgettext(self.context, self.msgid) if self.context else texts.gettext(self.msgid)
        return _WRITERS[language].vformat(template, (), values) if values else template

    @property
    def en(self) -> str:
        """The message in English."""
        return self["en"]

    @property
    def fr(self) -> str:
        """The message in French."""
        return self["fr"]

    def __str__(self) -> str:
        return self["en"]


class SpokenError(Exception):
    """Says what is wrong, where, and what to do, in each of ``LANGUAGES``; ``str(error)`` is the English of it."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)  # whole, so that pickle can make the error anew in another process
        self.text = text

    def __str__(self) -> str:
        return self.text.en


def worded(say: Callable[..., str], /, **values: object) -> Text:
    """What no template can say, such as a card with its article: ``say(language, **values)`` makes it in a language."""
    return Text("", say=say, values=tuple(values.items()))


def listed(things: Iterable[object], between: str = ", ") -> Text:
    """Several things, one behind the other."""
    return worded(_listed, things=tuple(things), between=between)


def _listed(language: str, things: tuple[object, ...], between: str) -> str:
    return between.join(said(each, language) for each in things)


def said(thing: object, language: str) -> str:
    """A text, an error, or anything else in a language."""
    if isinstance(thing, SpokenError):
        thing = thing.text
    return thing[language] if isinstance(thing, Text) else str(thing)


class _Writer(string.Formatter):
    """Fills places as one language writes."""

    def __init__(self, language: str) -> None:
        self._language = language

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        if conversion == "r" and isinstance(value, str) and self._language == "fr":
            return f"«\u00a0{repr(value)[1:-1]}\u00a0»"
        return super().convert_field(value, conversion)

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Text | SpokenError):
            return format(said(value, self._language), format_spec)
        written: str = format(value, format_spec)
        figures = format_spec and isinstance(value, int | float) and self._language == "fr"
        return written.translate(_FRENCH_FIGURES) if figures else written


_WRITERS: Final = {language: _Writer(language) for language in LANGUAGES}
