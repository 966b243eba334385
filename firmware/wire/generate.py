#!/usr/bin/env python3
"""Makes the C header, the Python tables and the protocol page from ``messages.toml``.

``generate.py`` writes the three files; ``generate.py --check`` writes nothing and fails when one of them differs.
Needs Python 3.11 and nothing else.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import textwrap
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SIZES = {"u8": 1, "u16": 2, "u32": 4}
FORMATS = {"u8": "B", "u16": "H", "u32": "I"}
ENDS = ("host", "device")
LINE_LENGTH = 120
DO_NOT_EDIT = "Made by firmware/wire/generate.py from firmware/wire/messages.toml: change those."


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
    """Named numbers from 0 on; or, for bits, named bits from bit 0 on."""

    name: str
    text: str
    members: tuple[str, ...]

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

    @property
    def fingerprint(self) -> int:
        """Changes with everything that two ends must agree on, and not with an explanation."""
        facts = {
            "version": self.version,
            "figures": {name: figure["value"] for name, figure in self.figures.items()},
            "words": {words.name: words.numbered() for words in self.words},
            "bits": {bits.name: bits.masks() for bits in self.bits},
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
    return Words(name, table["text"], tuple(table["members"]))


def _message(name: str, table: dict[str, Any]) -> Message:
    fields = tuple(Field(**field) for field in table["fields"])
    return Message(name, table["number"], table["from"], " ".join(table["text"].split()), fields)


def _check(dictionary: Dictionary) -> None:
    numbers: dict[int, str] = {}
    words = {words.name for words in dictionary.words}
    bits = {bits.name: bits for bits in dictionary.bits}
    for message in dictionary.messages:
        if message.number in numbers:
            raise DictionaryError(f"{message.name} and {numbers[message.number]} have the same number")
        numbers[message.number] = message.name
        if not 0 < message.number < 256:
            raise DictionaryError(f"{message.name}: number {message.number} does not fit a byte above 0")
        if message.sender not in ENDS:
            raise DictionaryError(f"{message.name}: from must be host or device, not {message.sender}")
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


# --- C ------------------------------------------------------------------------------------------------------------


def c_header(dictionary: Dictionary) -> str:
    lines = [
        f"/* {DO_NOT_EDIT} */",
        "#ifndef WIRE_MESSAGES_H",
        "#define WIRE_MESSAGES_H",
        "",
        "#include <stdbool.h>",
        "#include <stdint.h>",
        "",
        f"#define WIRE_VERSION {dictionary.version}u",
        f"#define WIRE_DICTIONARY UINT32_C(0x{dictionary.fingerprint:08x})",
    ]
    lines += [
        f"#define WIRE_{name.upper()} {fig['value']}u /* {fig['text']} */" for name, fig in dictionary.figures.items()
    ]
    for words in dictionary.words:
        lines += _c_enum(words, words.numbered(), "{}")
        lines.append(f"#define WIRE_{words.name.upper()}_MEMBERS {len(words.members)}u")
    for bits in dictionary.bits:
        lines += _c_enum(bits, bits.masks(), "0x{:02x}")
    lines += ["", "/* Kinds of frames. */", "enum wire_type {"]
    lines += [f"    WIRE_{message.name.upper()} = 0x{message.number:02x}," for message in dictionary.messages]
    lines += ["};", "", *_C_NUMBERS.splitlines()]
    for message in dictionary.messages:
        lines += _c_message(message)
    lines += ["", "#endif"]
    return "\n".join(lines) + "\n"


def _c_enum(words: Words, members: list[tuple[str, int]], style: str) -> list[str]:
    lines = ["", f"/* {words.text} */", f"enum wire_{words.name} {{"]
    lines += [f"    WIRE_{words.name.upper()}_{member.upper()} = {style.format(n)}," for member, n in members]
    return [*lines, "};"]


_C_NUMBERS = """\
static inline void wire_put_u16(uint8_t *bytes, uint16_t value) {
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

static inline void wire_put_u32(uint8_t *bytes, uint32_t value) {
    wire_put_u16(bytes, (uint16_t)(value >> 16));
    wire_put_u16(bytes + 2, (uint16_t)value);
}

static inline uint16_t wire_get_u16(const uint8_t *bytes) {
    return (uint16_t)((uint16_t)(bytes[0] << 8) | bytes[1]);
}

static inline uint32_t wire_get_u32(const uint8_t *bytes) {
    return ((uint32_t)wire_get_u16(bytes) << 16) | wire_get_u16(bytes + 2);
}"""


def _c_message(message: Message) -> list[str]:
    """Size; and, where there is a payload, the struct and the two ways between it and bytes."""
    name = f"wire_{message.name}"
    size = f"{name.upper()}_SIZE"
    lines = ["", *_c_comment(f"{message.name.upper()}, from the {message.sender}. {message.text}")]
    lines.append(f"#define {size} {message.size}u")
    if not message.fields:
        return lines
    lines += [f"struct {name} {{"]
    lines += [f"    uint{8 * SIZES[field.type]}_t {field.name}; /* {field.text} */" for field in message.fields]
    lines += ["};", ""]
    put, get, at = [], [], 0
    for field in message.fields:
        if field.type == "u8":
            put.append(f"    payload[{at}] = message->{field.name};")
            get.append(f"    message->{field.name} = payload[{at}];")
        else:
            put.append(f"    wire_put_{field.type}(payload + {at}, message->{field.name});")
            get.append(f"    message->{field.name} = wire_get_{field.type}(payload + {at});")
        at += SIZES[field.type]
    lines += [f"static inline uint8_t wire_pack_{message.name}(uint8_t *payload, const struct {name} *message) {{"]
    lines += [*put, f"    return {size};", "}", ""]
    signature = f"const uint8_t *payload, uint8_t length, struct {name} *message"
    lines += [f"static inline bool wire_unpack_{message.name}({signature}) {{"]
    lines += [f"    if (length != {size}) {{", "        return false;", "    }", *get, "    return true;", "}"]
    return lines


def _c_comment(text: str) -> list[str]:
    wrapped = textwrap.wrap(text, 112)
    return [f"/* {line}" if n == 0 else f" * {line}" for n, line in enumerate(wrapped[:-1])] + [
        f"{'/*' if len(wrapped) == 1 else ' *'} {wrapped[-1]} */"
    ]


# --- Python -------------------------------------------------------------------------------------------------------


def python_tables(dictionary: Dictionary) -> str:
    lines = [
        '"""Messages, words and figures of the serial line.',
        "",
        DO_NOT_EDIT,
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "import enum",
        "import struct",
        "from dataclasses import dataclass",
        "from typing import ClassVar, Self",
        "",
        f"VERSION = {dictionary.version}",
        f"DICTIONARY = 0x{dictionary.fingerprint:08X}",
    ]
    for name, figure in dictionary.figures.items():
        lines += [f"{name.upper()} = {figure['value']}", f'"""{_sentence(figure["text"])}"""']
    for words in dictionary.words:
        lines += _python_enum(words, "IntEnum", words.numbered())
    for bits in dictionary.bits:
        lines += _python_enum(bits, "IntFlag", bits.masks())
    for message in dictionary.messages:
        lines += _python_message(message)
    names = [message.class_name for message in dictionary.messages]
    union = f"Message = {' | '.join(names)}"
    broken = ["Message = (", *(f"    {'| ' if n else ''}{name}" for n, name in enumerate(names)), ")"]
    lines += ["", "", *([union] if len(union) <= LINE_LENGTH else broken)]
    lines += ["", "MESSAGES: dict[int, type[Message]] = {"]
    lines += [f"    {name}.TYPE: {name}," for name in names]
    lines += ["}", '"""The class of each kind of frame."""']
    return "\n".join(lines) + "\n"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:].rstrip(".") + "."


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _python_enum(words: Words, base: str, members: list[tuple[str, int]]) -> list[str]:
    lines = ["", "", f"class {_camel(words.name)}(enum.{base}):", f'    """{words.text}"""', ""]
    lines += [f"    {member.upper()} = {number}" for member, number in members]
    if "unknown" in words.members:  # the other end may be newer and know more
        lines += ["", "    @classmethod", "    def _missing_(cls, value: object) -> Self:  # noqa: ARG003"]
        lines += ["        return cls.UNKNOWN"]
    return lines


def _python_message(message: Message) -> list[str]:
    lines = ["", "", "@dataclass(frozen=True, slots=True)", f"class {message.class_name}:"]
    text = textwrap.wrap(f"From the {message.sender}. {message.text}", 110)
    lines += [f'    """{text[0]}', *(f"    {line}" for line in text[1:])]
    if message.fields:
        lines += ["", *(f"    :param {field.name}: {field.text}." for field in message.fields)]
    if len(lines) == 5:
        lines[-1] += '"""'
    else:
        lines.append('    """')
    lines += ["", f"    TYPE: ClassVar[int] = 0x{message.number:02X}"]
    lines.append(f'    LAYOUT: ClassVar[struct.Struct] = struct.Struct("{message.layout}")')
    if message.fields:
        lines += ["", *(f"    {field.name}: {_python_type(field)}" for field in message.fields)]
    return [*lines, *_python_ways(message)]


def _python_type(field: Field) -> str:
    return _camel(field.words or field.bits or "int") if field.words or field.bits else "int"


def _python_ways(message: Message) -> list[str]:
    """The two ways between the dataclass and bytes."""
    lines = ["", "    def pack(self) -> bytes:", '        """The payload.', ""]
    lines += ["        :raises struct.error: a number does not fit its field.", '        """']
    if message.fields:
        lines.append("        return self.LAYOUT.pack(")
        lines += [f"            self.{field.name}," for field in message.fields]
        lines.append("        )")
    else:
        lines.append("        return self.LAYOUT.pack()")
    lines += ["", "    @classmethod", "    def unpack(cls, payload: bytes) -> Self:"]
    lines += ['        """From a payload.', "", "        :raises struct.error: its length is wrong."]
    if any(field.words for field in message.fields):
        lines.append("        :raises ValueError: a word that the dictionary does not know.")
    lines.append('        """')
    if not message.fields:
        return [*lines, "        cls.LAYOUT.unpack(payload)", "        return cls()"]
    lines += ["        values = cls.LAYOUT.unpack(payload)", "        return cls("]
    for at, field in enumerate(message.fields):
        kind = _python_type(field)
        lines.append(f"            values[{at}]," if kind == "int" else f"            {kind}(values[{at}]),")
    return [*lines, "        )"]


# --- a page for people --------------------------------------------------------------------------------------------


def protocol_page(dictionary: Dictionary) -> str:
    lines = [f"<!-- {DO_NOT_EDIT} -->", "", *(HERE / "protocol.md.in").read_text(encoding="utf-8").splitlines()]
    lines += ["", f"Version {dictionary.version}, dictionary `{dictionary.fingerprint:08x}`.", "", "## Figures", ""]
    lines += ["| name | value | meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {figure['value']} | {figure['text']} |" for name, figure in dictionary.figures.items()]
    for sender, other in (ENDS, ENDS[::-1]):
        lines += ["", f"## From the {sender} to the {other}"]
        for message in dictionary.messages:
            if message.sender == sender:
                lines += _page_message(message)
    lines += ["", "## Words", ""]
    for words in dictionary.words:
        numbers = ", ".join(f"{number} `{member}`" for member, number in words.numbered())
        lines.append(f"- **{words.name}**: {words.text} {numbers}")
    lines += ["", "## Bits", ""]
    for bits in dictionary.bits:
        masks = ", ".join(f"{mask} `{member}`" for member, mask in bits.masks())
        lines.append(f"- **{bits.name}**: {bits.text} {masks}")
    return "\n".join(lines) + "\n"


def _page_message(message: Message) -> list[str]:
    lines = ["", f"### {message.name.upper()} (0x{message.number:02x}, {message.size} bytes)", "", message.text]
    if message.fields:
        lines += ["", "| byte | field | type | meaning |", "|---|---|---|---|"]
    at = 0
    for field in message.fields:
        of = field.words or field.bits
        meaning = f"{field.text} ({of})" if of else field.text
        lines.append(f"| {at} | `{field.name}` | {field.type} | {meaning} |")
        at += SIZES[field.type]
    return lines


# --- the command --------------------------------------------------------------------------------------------------

OUTPUTS: dict[str, Callable[[Dictionary], str]] = {
    "firmware/core/wire_messages.h": c_header,
    "dispenser/drivers/wire_tables.py": python_tables,
    "firmware/PROTOCOL.md": protocol_page,
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file differs")
    options = parser.parse_args(arguments)
    dictionary = read((HERE / "messages.toml").read_text(encoding="utf-8"))
    stale = []
    for name, make in OUTPUTS.items():
        path, text = ROOT / name, make(dictionary)
        if options.check and (not path.exists() or path.read_text(encoding="utf-8") != text):
            stale.append(name)
        elif not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for name in stale:
        sys.stderr.write(f"{name} is not what messages.toml says: run python firmware/wire/generate.py\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
