"""The dictionary as a page for people, behind the words of ``protocol.md.in``."""

from __future__ import annotations

import binascii
import struct
from pathlib import Path

from dictionary import DO_NOT_EDIT, ENDS, SIZES, Dictionary, Message, Words

RULES = Path(__file__).resolve().parent / "protocol.md.in"

FOREVER = ("hello", "welcome")
"""Messages that all versions must understand: their CRC is that of version 1."""
_MORE_FRAMES = """\
The first begins a session, unless there was noise before it: so put a 00 in front. CRCs and more frames, those that
must be dropped or refused among them, are in [wire/vectors.json](wire/vectors.json)."""


def protocol_page(dictionary: Dictionary) -> str:
    lines = [f"<!-- {DO_NOT_EDIT} -->", "", *RULES.read_text(encoding="utf-8").splitlines()]
    lines += ["", f"Version {dictionary.version}, dictionary `{dictionary.fingerprint:08x}`.", "", "## Figures", ""]
    lines += ["| name | value | meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {figure['value']} | {figure['text']} |" for name, figure in dictionary.figures.items()]
    lines += _examples(dictionary)
    for sender, other in (ENDS, ENDS[::-1]):
        lines += ["", f"## From the {sender} to the {other}"]
        for message in dictionary.messages:
            if message.sender == sender:
                lines += _page_message(message)
    lines += ["", "## Words", ""]
    for words in dictionary.words:
        lines += _page_words(dictionary, words, words.numbered())
    lines += ["", "## Bits", ""]
    for bits in dictionary.bits:
        lines += _page_words(dictionary, bits, bits.masks())
    return "\n".join(lines) + "\n"


def _page_words(dictionary: Dictionary, words: Words, members: list[tuple[str, int]]) -> list[str]:
    numbers = ", ".join(f"{number} `{member}`" for member, number in members)
    more = " More may come: take a number that you do not know for `unknown`." if words.open else ""
    unsent = "" if dictionary.carried(words) else " In no message: the device's tests go by them."
    return [f"- **{words.name}**: {words.text} {numbers}.{more}{unsent}"] + [
        f"  - `{member}`: {words.about[member]}" for member in words.members if member in words.about
    ]


def _examples(dictionary: Dictionary) -> list[str]:
    """Whole frames, to check one's own code against: the first one is answered by any device of this dictionary."""
    messages = {message.name: message for message in dictionary.messages}
    hello, feed = messages["hello"], messages["feed"]
    numbers = (dictionary.version, dictionary.fingerprint, 0xBEEF)
    lines = ["", "## Two frames, byte by byte", ""]
    lines += _example(dictionary, hello, 1, numbers, "protocol and dictionary as above, nonce 0xbeef")
    lines += _example(
        dictionary, feed, 2, (1, 3, 2000, 120, 500, 255), "run 1, 3 cards, 2000 ms, 120 ms, 500 ms, full duty"
    )
    return [*lines, *_MORE_FRAMES.splitlines()]


def _example(dictionary: Dictionary, message: Message, sequence: int, numbers: tuple[int, ...], text: str) -> list[str]:
    body = bytes((dictionary.version, message.number, sequence)) + struct.pack(message.layout, *numbers)
    start = 0 if message.name in FOREVER else 0xFFFF
    crc = binascii.crc_hqx(body, start) ^ start
    whole = body + crc.to_bytes(2)
    blocks = whole.split(b"\0")  # a frame is too short for COBS to need more than this
    encoded = b"".join(bytes((len(block) + 1,)) + block for block in blocks) + b"\0"
    return [
        f"{message.name.upper()}, sequence number {sequence}: {text}.",
        "",
        "| | bytes |",
        "|---|---|",
        f"| version, type, sequence, payload | `{body.hex(' ')}` |",
        f"| its CRC | `{crc.to_bytes(2).hex(' ')}` |",
        f"| on the line | `{encoded.hex(' ')}` |",
        "",
    ]


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
