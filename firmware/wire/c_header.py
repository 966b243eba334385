"""The dictionary as a C header: figures, enums, structs, and the ways between structs and bytes."""

from __future__ import annotations

import textwrap

from dictionary import DO_NOT_EDIT, SIZES, Dictionary, Message, Words


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
