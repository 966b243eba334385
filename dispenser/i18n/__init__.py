"""Translate texts for users: English in the code, French in one catalog.

English stands in the code, as ``Text``; French in one gettext catalog, ``locale/fr/LC_MESSAGES/messages.po``, which
``python -m tests.i18n`` brings up to date and compiles.
"""

from __future__ import annotations

import errno
import gettext
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cache
from typing import Any, Final
from unicodedata import normalize

LANGUAGES: Final = ("en", "fr")  # The first one stands in the code, and is for whoever wants none of them
LOCALE: Final = __file__.removesuffix("__init__.py") + "locale"
_FRENCH_FIGURES: Final = str.maketrans({",": "\u202f", ".": ",", "%": "\u00a0%"})
_FROM_THE_RIGHT: Final = re.compile(
    "[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Where Unicode has Hebrew, Arabic and all others that are read so; digits alone turn nothing around."""
_ELIDES: Final = re.compile("[aeiouhœæ]|y[^aeiou]", re.IGNORECASE)
"""The beginning of a name after which « de » is « d’ »: the h of most first names is mute."""


@cache
def catalog(language: str) -> gettext.NullTranslations:
    """The texts in one of ``LANGUAGES``. French is read from its file when somebody first wants it.

    :raises LookupError: there is no such language.
    """
    if language not in LANGUAGES:
        raise LookupError(f"no text in the language {language!r}; take one of: {', '.join(LANGUAGES)}")
    if language == LANGUAGES[0]:
        return gettext.NullTranslations()
    return gettext.translation("messages", LOCALE, [language])


def language_wanted(environment: Mapping[str, str]) -> str:
    """The one of ``LANGUAGES`` that the environment of a program asks for, read as gettext reads it: the list in
    ``LANGUAGE`` comes first, but counts for nothing in the locale C."""
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "C")
    wanted = locale if locale in {"C", "POSIX"} else environment.get("LANGUAGE") or locale
    tongues = (re.split(r"[_.@-]", each)[0].lower() for each in wanted.split(":"))
    return next((tongue for tongue in tongues if tongue in LANGUAGES), LANGUAGES[0])


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
        all_values = (*self.values, *values.items())  # as ``replace`` does, in a third of the time:
        return type(self)(self.msgid, plural=self.plural, context=self.context, values=all_values, say=self.say)

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
        return (
            template.format_map({name: _within(language, each) for name, each in self.values}) if values else template
        )

    def _template(self, texts: gettext.NullTranslations, number: object) -> str:
        if not self.msgid:  # it is the key of the catalog's head
            return ""
        key = f"{self.context}\x04{self.msgid}" if self.context else self.msgid
        many = number if isinstance(number, int) else 2
        found = texts.ngettext(key, self.plural, many) if self.plural else texts.gettext(key)
        return found.removeprefix(f"{self.context}\x04")

    @property
    def en(self) -> str:
        return self["en"]

    @property
    def fr(self) -> str:
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


def _listed(language: str, things: tuple[object, ...], between: str) -> str:  # named, so that pickle can find it
    return between.join(isolated(said(each, language)) for each in things)


def isolated(words: str) -> str:
    """A word of somebody else, such as a name: where it is read from the right, it turns nothing around beside it."""
    apart = words.isascii() or "\u2068" in words or not _FROM_THE_RIGHT.search(words)
    return words if apart else f"\u2068{words}\u2069"


def said(thing: object, language: str) -> str:
    """A text, an error, or anything else in a language."""
    thing = thing.text if isinstance(thing, SpokenError) else thing
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
    return replace(Text(""), msgid=str(data.get("detail") or ""))


def _as_data(thing: object) -> Any:
    thing = thing.text if isinstance(thing, SpokenError) else thing
    if isinstance(thing, Text) and thing.say is None:
        return [thing.msgid, thing.plural, thing.context, {name: _as_data(value) for name, value in thing.values}]
    return thing if isinstance(thing, int | float) else said(thing, "en")


def _of_data(data: Any) -> Any:
    if not isinstance(data, list):
        return data
    msgid, plural, context, values = data
    text = replace(Text(""), msgid=str(msgid), plural=str(plural), context=str(context))
    return text.filled(**{name: _of_data(value) for name, value in values.items()})


def _within(language: str, value: object) -> object:
    """A value as it is written into a text of that language."""
    if language == "en":
        return value if not isinstance(value, str) or value.isascii() else _Word(value)
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


_WHY: Final = {
    errno.ENOENT: Text("there is no such file or folder"),
    errno.EEXIST: Text("this file is there already, and stays"),
    errno.ENOTDIR: Text("a part of that path is no folder"),
    errno.EINVAL: Text("that is a pipe or a device, not a file"),
    errno.EISDIR: Text("that is a folder, not a file"),
    **dict.fromkeys((errno.EACCES, errno.EPERM), Text("that is not permitted here")),
    errno.EROFS: Text("one can only read there"),
    errno.ENOSPC: Text("there is no room left"),
    errno.ENAMETOOLONG: Text("that name is too long"),
    errno.ECONNREFUSED: Text("the connection is refused"),
    errno.ECONNRESET: Text("the connection has broken off"),
    **dict.fromkeys((errno.EHOSTUNREACH, errno.ENETUNREACH), Text("no way leads there")),
    errno.EADDRINUSE: Text("that address is taken"),
    errno.EADDRNOTAVAIL: Text("this machine does not have that address"),
}


def why(error: OSError, otherwise: Text | None = None) -> Text:
    """What is wrong with a file or an address, by the system's error; else ``otherwise``."""
    return _WHY.get(error.errno or 0, otherwise or Text("it cannot be used"))
