"""Translate texts for users: English in the code, French in one catalog.

English is in the code, as ``Text``; French in a gettext catalog, ``locale/fr/LC_MESSAGES/messages.po``, which ``python
-m tests.i18n`` updates and compiles.
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

LANGUAGES: Final = ("en", "fr")  # The first one is that of the code, and the default
LOCALE: Final = __file__.removesuffix("__init__.py") + "locale"
_FRENCH_FIGURES: Final = str.maketrans({",": "\u202f", ".": ",", "%": "\u00a0%"})
_FROM_THE_RIGHT: Final = re.compile(
    "[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Code points of right-to-left scripts, such as Hebrew and Arabic; digits alone do not reverse the direction."""
_ELIDES: Final = re.compile("[aeiouhœæ]|y[^aeiou]", re.IGNORECASE)
"""Beginning of a name that turns French « de » into « d’ »: the h of most first names is mute."""


@cache
def catalog(language: str) -> gettext.NullTranslations:
    """Return the texts in one of ``LANGUAGES``. The French catalog is loaded at first use.

    :raises LookupError: there is no such language.
    """
    if language not in LANGUAGES:
        raise LookupError(f"no text in the language {language!r}; take one of: {', '.join(LANGUAGES)}")
    if language == LANGUAGES[0]:
        return gettext.NullTranslations()
    return gettext.translation("messages", LOCALE, [language])


def language_wanted(environment: Mapping[str, str]) -> str:
    """Return the language by gettext's rules: ``LANGUAGE`` precedes ``LC_ALL`` and others, except in the locale C."""
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
        """Return the message with values for its places, which are formatted in the language of the message: a ``Text``
        or an error with one, a number by its format (``{share:.0%}``, ``{number:,}``), a foreign word, isolated
        (``isolated``) or in quotes (``{word!r}``); in French also ``{name:de}``."""
        all_values = (*self.values, *values.items())  # like ``replace``, in a third of the time
        return type(self)(self.msgid, plural=self.plural, context=self.context, values=all_values, say=self.say)

    def __getitem__(self, language: str) -> str:
        """Return the message in one of ``LANGUAGES``.

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
        if not self.msgid:  # the empty msgid is the key of the catalog's header
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
    """An error with a text in each of ``LANGUAGES``: what is wrong, where, what to do. ``str(error)`` is in English.

    :param text: a plain string is used in every language, so that code elsewhere need not use ``Text``.
    """

    def __init__(self, text: Text | str) -> None:
        super().__init__(text)  # all arguments, so that pickle can recreate the error in another process
        self.text = text if isinstance(text, Text) else verbatim(text)

    def __str__(self) -> str:
        return self.text.en


def verbatim(words: object) -> Text:
    """Return a text that is the same in every language, such as an error message of the system."""
    return Text("{words}").filled(words=words)


def worded(say: Callable[..., str], /, **values: object) -> Text:
    """Return a text that a function makes, ``say(language, **values)``, as for a card with its article."""
    return Text("", say=say, values=tuple(values.items()))


def listed(things: Iterable[object], between: str = ", ") -> Text:
    """Return a text that joins several things."""
    return worded(_listed, things=tuple(things), between=between)


def _listed(language: str, things: tuple[object, ...], between: str) -> str:  # a module's function, as pickle needs it
    return between.join(isolated(said(each, language)) for each in things)


def isolated(words: str) -> str:
    """Isolate foreign words, such as a name, by FSI and PDI if they contain right-to-left characters."""
    apart = words.isascii() or "\u2068" in words or not _FROM_THE_RIGHT.search(words)
    return words if apart else f"\u2068{words}\u2069"


def said(thing: object, language: str) -> str:
    """Return a text, an error, or any other object as a string in a language."""
    thing = thing.text if isinstance(thing, SpokenError) else thing
    return thing[language] if isinstance(thing, Text) else str(thing)


def recorded(text: Text) -> dict[str, Any]:
    """Return a text as data of a record: ``detail`` in English; with values, also ``said``, for any language."""
    return {"detail": text.en, **({"said": _as_data(text)} if text.values and text.say is None else {})}


def recalled(data: Mapping[str, Any]) -> Text:
    """Return the text from such data; if ``said`` is missing or damaged, look ``detail`` up in the catalog."""
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
    """Return a value in the form in which ``str.format`` writes it into a text of that language."""
    if language == "en":
        return value if not isinstance(value, str) or value.isascii() else _Word(value)
    if isinstance(value, str | Text | SpokenError):
        return _FrenchWord(said(value, "fr"))
    return _Figure(value) if isinstance(value, int | float) else value


class _Word(str):
    """A foreign word, isolated when formatted."""

    __slots__ = ()

    def __format__(self, format_spec: str) -> str:
        return format(isolated(str(self)), format_spec)


class _FrenchWord(_Word):
    """A word in a French text: ``{word!r}`` is in quotation marks, ``{name:de}`` is « de Tom », « d’Hélène »."""

    __slots__ = ()

    def __format__(self, format_spec: str) -> str:
        if format_spec != "de":
            return super().__format__(format_spec)
        return f"{'d’' if _ELIDES.match(normalize('NFKD', self)) else 'de '}{self}"

    def __repr__(self) -> str:
        return f"«\u00a0{super().__repr__()[1:-1]}\u00a0»"


class _Figure:
    """A number in a French text: with a format it gets a decimal comma and spaces between thousands."""

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
    errno.EROFS: Text("that place is read-only"),
    errno.ENOSPC: Text("there is no room left"),
    errno.ENAMETOOLONG: Text("that name is too long"),
    errno.ECONNREFUSED: Text("the connection is refused"),
    errno.ECONNRESET: Text("the connection has broken off"),
    **dict.fromkeys((errno.EHOSTUNREACH, errno.ENETUNREACH), Text("that address cannot be reached")),
    errno.EADDRINUSE: Text("that address is taken"),
    errno.EADDRNOTAVAIL: Text("this machine does not have that address"),
}


def why(error: OSError, otherwise: Text | None = None) -> Text:
    """Return the description of an operating system error; ``otherwise`` if it is an unknown one."""
    return _WHY.get(error.errno or 0, otherwise or Text("it cannot be used"))
