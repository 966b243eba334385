"""The dictionary as a Python module: figures, enums, and a class for each message. PROTOCOL.md explains them."""

from __future__ import annotations

from dictionary import DO_NOT_EDIT, Dictionary, Field, Message, Words

LINE_LENGTH = 120


def python_tables(dictionary: Dictionary) -> str:
    lines = [
        '"""Messages and constants of the serial line, generated; firmware/PROTOCOL.md explains them.',
        "",
        DO_NOT_EDIT,
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "import enum",
        "from typing import get_args",
        "",
        "from dispenser.drivers.serial.packing import U8, U16, U32, OpenWords, Packed",
        "",
        f"VERSION = {dictionary.version}",
        f"DICTIONARY = 0x{dictionary.fingerprint:08X}",
        *(f"{name.upper()} = {figure['value']}" for name, figure in dictionary.figures.items()),
    ]
    for words in dictionary.words:  # the other end of open words may be newer and know more
        lines += _python_enum(words, "OpenWords" if words.open else "enum.IntEnum", f"range({len(words.members)})")
    for bits in dictionary.bits:
        lines += _python_enum(bits, "enum.IntFlag", ", ".join(str(mask) for _, mask in bits.masks()))
    for message in dictionary.messages:
        lines += _python_message(message)
    names = [message.class_name for message in dictionary.messages]
    union = f"Message = {' | '.join(names)}"
    broken = ["Message = (", *(f"    {'| ' if n else ''}{name}" for n, name in enumerate(names)), ")"]
    lines += ["", "", *([union] if len(union) <= LINE_LENGTH else broken)]
    lines += ["MESSAGES: dict[int, type[Message]] = {kind.TYPE: kind for kind in get_args(Message)}"]
    return "\n".join(lines) + "\n"


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _python_enum(words: Words, base: str, values: str) -> list[str]:
    members = ", ".join(member.upper() for member in words.members)
    return ["", "", f"class {_camel(words.name)}({base}):", f"    {members} = {values}"]


def _python_message(message: Message) -> list[str]:
    lines = ["", "", f"class {message.class_name}(Packed, frozen=True):", f"    TYPE = 0x{message.number:02X}"]
    return [*lines, *(f"    {field.name}: {_python_type(field)}" for field in message.fields)]


def _python_type(field: Field) -> str:
    words = field.words or field.bits
    return _camel(words) if words else field.type.upper()
