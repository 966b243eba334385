"""The catalog of French as files: read, brought up to date, written in one normal form, compiled."""

from __future__ import annotations

import io
import re
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as BabelMessage
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from dispenser.i18n import LOCALE
from tests.i18n.extract import Message, all_messages

PO = Path(LOCALE) / "fr" / "LC_MESSAGES" / "messages.po"
MO = PO.with_suffix(".mo")
HEADER = """# What is said to people, in French. Brought up to date by: python -m tests.i18n
msgid ""
msgstr ""
"Project-Id-Version: card-dispenser\\n"
"Language: fr\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
_BEFORE_SIGNS = re.compile("[ \u202f](?=[:;!?»%])|(?<=«)[ \u202f]")


def committed() -> Catalog:
    """The catalog as it is; of records that a merge has left twice, the first."""
    with PO.open("rb") as file:
        return read_po(file, locale="fr")


def brought_up_to_date() -> Catalog:
    """The texts of the code, with the French that the catalog has for them."""
    old, new = committed(), Catalog(locale="fr")
    for message in all_messages():
        id_, context = key(message)
        known = old.get(id_, context)
        french = forms(known)
        new.add(id_, french[0] if isinstance(id_, str) else (*french, "")[:2], context=context)
    for each in new:
        if each.id:
            each.flags.clear()
    return new


def forms(message: BabelMessage | None) -> tuple[str, ...]:
    """The French of a text, or for one and for many; empty where there is none."""
    string = message.string if message else ""
    return tuple(map(spaced, (string,) if isinstance(string, str) else string or ("", "")))


def key(message: Message) -> tuple[str | tuple[str, str], str | None]:
    """The names of Babel for a text."""
    return (message.english, message.plural) if message.plural else message.english, message.context or None


def spaced(french: str) -> str:
    """With no-break spaces where French has a space before a sign."""
    return _BEFORE_SIGNS.sub("\u00a0", french)


def written(catalog: Catalog) -> bytes:
    """The file for people: by the alphabet, each text on a line, nothing that changes by itself."""
    file = io.BytesIO()
    write_po(file, catalog, width=0, no_location=True, omit_header=True, sort_output=True, ignore_obsolete=True)
    return HEADER.encode() + file.getvalue().strip() + b"\n"


class _Plain(Catalog):
    """Says of itself what gettext needs, and not when it was made."""

    mime_headers = [("Content-Type", "text/plain; charset=utf-8"), ("Plural-Forms", "nplurals=2; plural=(n > 1);")]  # noqa: RUF012


def compiled(catalog: Catalog) -> bytes:
    """The file for gettext."""
    plain, file = _Plain(locale="fr"), io.BytesIO()
    for message in catalog:
        if message.id:
            plain.add(message.id, message.string, context=message.context)
    write_mo(file, plain)
    return file.getvalue()
