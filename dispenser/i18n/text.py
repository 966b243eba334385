"""Messages that are said in the language of whoever reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from gettext import NullTranslations
from typing import Any, Final
from unicodedata import normalize

from dispenser.i18n.catalog import catalog

_FRENCH_FIGURES: Final = str.maketrans({",": "\u202f", ".": ",", "%": "\u00a0%"})
_FROM_THE_RIGHT: Final = re.compile(
    "[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Where Unicode has Hebrew, Arabic and all others that are read so; digits alone turn nothing around."""
_ELIDES: Final = re.compile("[aeiouhœæ]|y[^aeiou]", re.IGNORECASE)
"""The beginning of a name after which « de » is « d’ »: the h of most first names is mute."""


@dataclass(frozen=True, slots=True)
class Text:
    """A message with named places, such as ``Text("{card} is not in your hand").filled(card=Text("red 3"))``.

    :param msgid: the English of it, the key of the catalog.
    :param plural: the English for a value of the place ``number`` that is not 1.
    :param context: tells apart two messages that are the same in English.
    :param values: what ``filled`` has put into the places. Without any, braces stand for themselves.
    :param say: see ``worded``.
    """

    msgid: str
    _: KW_ONLY
    plural: str = ""
    context: str = ""
    values: tuple[tuple[str, object], ...] = ()
    say: Callable[..., str] | None = None
    _said: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def filled(self, /, **values: object) -> Text:
        """The message with values in its places, each said in the language of the whole: a ``Text``, an error with one,
        a number by its format (``{share:.0%}``, ``{number:,}``), a word of somebody else held apart (``isolated``), or
        in quotes (``{word!r}``); in French also ``{name:de}``."""
        return Text(  # as ``replace`` does, in a third of the time
            self.msgid,
            plural=self.plural,
            context=self.context,
            values=(*self.values, *values.items()),
            say=self.say,
        )

    def __getitem__(self, language: str) -> str:
        """The message in one of ``LANGUAGES``.

        :raises LookupError: there is no such language.
        """
        if language not in self._said:
            self._said[language] = self._say(language)
        return self._said[language]

    def _say(self, language: str) -> str:
        texts, values = catalog(language), dict(self.values)
        if self.say:
            return self.say(language, **values)
        template = self._template(texts, values.get("number", 1))
        if values:
            within = _in_french if language == "fr" else _in_english
            values = {name: within(value) for name, value in values.items()}
        return template.format_map(values) if values else template

    def _template(self, texts: NullTranslations, number: object) -> str:
        if not self.msgid:  # it is the key of the catalog's head
            return ""
        if not self.plural:
            return texts.pgettext(self.context, self.msgid) if self.context else texts.gettext(self.msgid)
        many = number if isinstance(number, int) else 2
        if self.context:
            return texts.npgettext(self.context, self.msgid, self.plural, many)
        return texts.ngettext(self.msgid, self.plural, many)

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
    """Says what is wrong, where, and what to do, in each of ``LANGUAGES``; ``str(error)`` is the English of it.

    :param text: a plain string is said as it is: whoever raises one of ours elsewhere need not know ``Text``.
    """

    def __init__(self, text: Text | str) -> None:
        super().__init__(text)  # whole, so that pickle can make the error anew in another process
        self.text = text if isinstance(text, Text) else verbatim(text)

    def __str__(self) -> str:
        return self.text.en


def verbatim(words: object) -> Text:
    """What is said the same in every language, such as what the system says."""
    return Text("{words}").filled(words=words)


def worded(say: Callable[..., str], /, **values: object) -> Text:
    """What no template can say, such as a card with its article: ``say(language, **values)`` makes it in a language."""
    return Text("", say=say, values=tuple(values.items()))


def listed(things: Iterable[object], between: str = ", ") -> Text:
    """Several things, one behind the other."""
    return worded(_listed, things=tuple(things), between=between)


def _listed(language: str, things: tuple[object, ...], between: str) -> str:
    return between.join(isolated(said(each, language)) for each in things)


def isolated(words: str) -> str:
    """A word of somebody else, such as a name: where it is read from the right, it turns nothing around beside it."""
    apart = words.isascii() or "\u2068" in words or not _FROM_THE_RIGHT.search(words)
    return words if apart else f"\u2068{words}\u2069"


def said(thing: object, language: str) -> str:
    """A text, an error, or anything else in a language."""
    if isinstance(thing, SpokenError):
        thing = thing.text
    return thing[language] if isinstance(thing, Text) else str(thing)


def recorded(text: Text) -> dict[str, Any]:
    """A text as an entry keeps it: ``detail`` in English; where that has values, ``said`` for any language."""
    return {"detail": text.en, **({"said": _as_data(text)} if text.values and text.say is None else {})}


def recalled(data: Mapping[str, Any]) -> Text:
    """The text that was kept so; of what was kept in English alone, or is damaged, as much as the catalog has."""
    if isinstance(data.get("said"), list):
        with suppress(AttributeError, LookupError, TypeError, ValueError):
            text: Text = _of_data(data["said"])
            return text if text.en else verbatim("")
    return worded(_looked_up, english=str(data.get("detail") or ""))


def _as_data(thing: object) -> Any:
    if isinstance(thing, SpokenError):
        thing = thing.text
    if isinstance(thing, Text) and thing.say is None:
        return [thing.msgid, thing.plural, thing.context, {name: _as_data(value) for name, value in thing.values}]
    return thing if isinstance(thing, int | float) else said(thing, "en")


def _of_data(data: Any) -> Any:
    if not isinstance(data, list):
        return data
    msgid, plural, context, values = data
    text = replace(Text(""), msgid=str(msgid), plural=str(plural), context=str(context))
    return text.filled(**{name: _of_data(value) for name, value in values.items()})


def _looked_up(language: str, english: str) -> str:
    return catalog(language).gettext(english) if english else ""


def _in_english(value: object) -> object:
    """A value as it is written into an English text."""
    return value if not isinstance(value, str) or value.isascii() else _Word(value)


def _in_french(value: object) -> object:
    """A value as it is written into a French text."""
    if isinstance(value, str | Text | SpokenError):
        return _FrenchWord(said(value, "fr"))
    return _Figure(value) if isinstance(value, int | float) else value


class _Word(str):
    """A word of somebody else."""

    __slots__ = ()

    def __format__(self, format_spec: str) -> str:
        return format(isolated(str(self)), format_spec)


class _FrenchWord(_Word):
    """The same in French: ``{word!r}`` puts it into quotation marks, ``{name:de}`` is « de Tom », « d’Hélène »."""

    __slots__ = ()

    def __format__(self, format_spec: str) -> str:
        if format_spec != "de":
            return super().__format__(format_spec)
        return f"{'d’' if _ELIDES.match(normalize('NFKD', self)) else 'de '}{self}"

    def __repr__(self) -> str:
        return f"«\u00a0{super().__repr__()[1:-1]}\u00a0»"


class _Figure:
    """A number, with a comma and wide thousands where it has a format; without, it is as one types it."""

    def __init__(self, value: float) -> None:
        self._value = value

    def __format__(self, format_spec: str) -> str:
        written = format(self._value, format_spec)
        return written.translate(_FRENCH_FIGURES) if format_spec else written

    def __repr__(self) -> str:
        return repr(self._value)
