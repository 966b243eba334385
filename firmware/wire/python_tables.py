"""The dictionary as a Python module: figures, enums, and a dataclass for each message."""

from __future__ import annotations

import textwrap

from dictionary import DO_NOT_EDIT, Dictionary, Field, Message, Words

LINE_LENGTH = 120


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
