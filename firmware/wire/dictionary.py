"""The message dictionary: read from ``messages.toml`` and checked. What is made of it is in the modules beside."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tomllib
from dataclasses import dataclass
from typing import Any

SIZES = {"u8": 1, "u16": 2, "u32": 4}
FORMATS = {"u8": "B", "u16": "H", "u32": "I"}
ENDS = ("host", "device")
DO_NOT_EDIT = "Made by firmware/wire/generate.py from firmware/wire/messages.toml: change those."
"""The first line of everything that is made."""


class DictionaryError(ValueError):
    """The dictionary contradicts itself. The text says where and how."""


@dataclass(frozen=True)
class Field:
    """One number of a payload. ``words`` or ``bits`` names the list that gives its values a meaning."""

    name: str
    type: str
    text: str
    words: str | None = None
    bits: str | None = None


@dataclass(frozen=True)
class Words:
    """Named numbers from 0 on; or, for bits, named bits from bit 0 on.

    :ivar about: explains those that need it.
    :ivar open: more may come at their end, for whoever does not know a number takes it for ``unknown``.
    """

    name: str
    text: str
    members: tuple[str, ...]
    about: dict[str, str] = dataclasses.field(default_factory=dict)
    open: bool = False

    def numbered(self) -> list[tuple[str, int]]:
        return [(member, number) for number, member in enumerate(self.members)]

    def masks(self) -> list[tuple[str, int]]:
        return [(member, 1 << bit) for bit, member in enumerate(self.members)]


@dataclass(frozen=True)
class Message:
    """One kind of frame."""

    name: str
    number: int
    sender: str
    text: str
    fields: tuple[Field, ...]

    @property
    def size(self) -> int:
        return sum(SIZES[field.type] for field in self.fields)

    @property
    def layout(self) -> str:
        return ">" + "".join(FORMATS[field.type] for field in self.fields)

    @property
    def class_name(self) -> str:
        return "".join(part.capitalize() for part in self.name.split("_"))


@dataclass(frozen=True)
class Dictionary:
    """The whole of ``messages.toml``, checked."""

    version: int
    figures: dict[str, dict[str, Any]]
    words: tuple[Words, ...]
    bits: tuple[Words, ...]
    messages: tuple[Message, ...]

    def carried(self, words: Words) -> bool:
        """Whether a field of a message has these words or bits."""
        return any(words.name in (field.words, field.bits) for message in self.messages for field in message.fields)

    @property
    def fingerprint(self) -> int:
        """Changes with everything that two ends must agree on, and with nothing else."""
        figures = {name: figure["value"] for name, figure in self.figures.items() if not figure.get("local")}
        facts = {
            "version": self.version,
            "figures": figures,
            "words": {words.name: words.numbered() for words in self.words if self.carried(words) and not words.open},
            "bits": {bits.name: bits.masks() for bits in self.bits if self.carried(bits)},
            "messages": [
                [m.name, m.number, m.sender, [[f.name, f.type, f.words, f.bits] for f in m.fields]]
                for m in self.messages
            ],
        }
        canonical = json.dumps(facts, sort_keys=True, separators=(",", ":"))
        return int.from_bytes(hashlib.sha256(canonical.encode()).digest()[:4])


def read(text: str) -> Dictionary:
    """The dictionary from its TOML text.

    :raises DictionaryError: it contradicts itself.
    """
    tables = tomllib.loads(text)
    dictionary = Dictionary(
        version=tables["version"],
        figures=tables["figures"],
        words=tuple(_words(name, table) for name, table in tables["words"].items()),
        bits=tuple(_words(name, table) for name, table in tables["bits"].items()),
        messages=tuple(_message(name, table) for name, table in tables["messages"].items()),
    )
    _check(dictionary)
    return dictionary


def _words(name: str, table: dict[str, Any]) -> Words:
    return Words(name, table["text"], tuple(table["members"]), table.get("about", {}), table.get("open", False))


def _message(name: str, table: dict[str, Any]) -> Message:
    fields = tuple(Field(**field) for field in table["fields"])
    return Message(name, table["number"], table["from"], " ".join(table["text"].split()), fields)


def _check(dictionary: Dictionary) -> None:
    numbers: dict[int, str] = {}
    words = {words.name for words in dictionary.words}
    bits = {bits.name: bits for bits in dictionary.bits}
    for each in (*dictionary.words, *dictionary.bits):
        if strangers := set(each.about) - set(each.members):
            raise DictionaryError(f"{each.name}: about explains what is no member: {', '.join(sorted(strangers))}")
        if each.open and "unknown" not in each.members:
            raise DictionaryError(
                f"{each.name}: open words need a member unknown, for whoever does not know the others"
            )
    for message in dictionary.messages:
        if message.number in numbers:
            raise DictionaryError(f"{message.name} and {numbers[message.number]} have the same number")
        numbers[message.number] = message.name
        if not 0 < message.number < 256:
            raise DictionaryError(f"{message.name}: number {message.number} does not fit a byte above 0")
        if message.sender not in ENDS:
            raise DictionaryError(f"{message.name}: from must be host or device, not {message.sender}")
        first = dictionary.figures["device_numbers"]["value"]
        if (message.number >= first) != (message.sender == "device"):
            raise DictionaryError(
                f"{message.name}: the device's numbers, and only those, begin at device_numbers ({first})"
            )
        if message.size > dictionary.figures["max_payload"]["value"]:
            raise DictionaryError(f"{message.name}: {message.size} bytes are more than max_payload")
        for field in message.fields:
            _check_field(message, field, words, bits)


def _check_field(message: Message, field: Field, words: set[str], bits: dict[str, Words]) -> None:
    where = f"{message.name}.{field.name}"
    if field.type not in SIZES:
        raise DictionaryError(f"{where}: type {field.type} is not one of {', '.join(SIZES)}")
    if field.words is not None and field.words not in words:
        raise DictionaryError(f"{where}: there are no words {field.words}")
    if field.bits is not None:
        if field.bits not in bits:
            raise DictionaryError(f"{where}: there are no bits {field.bits}")
        if len(bits[field.bits].members) > 8 * SIZES[field.type]:
            raise DictionaryError(f"{where}: {field.bits} has more bits than {field.type}")
