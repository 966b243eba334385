"""The dictionary as a page for people, behind the words of ``protocol.md.in``."""

from __future__ import annotations

from pathlib import Path

from dictionary import DO_NOT_EDIT, ENDS, SIZES, Dictionary, Message

RULES = Path(__file__).resolve().parent / "protocol.md.in"


def protocol_page(dictionary: Dictionary) -> str:
    lines = [f"<!-- {DO_NOT_EDIT} -->", "", *RULES.read_text(encoding="utf-8").splitlines()]
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
