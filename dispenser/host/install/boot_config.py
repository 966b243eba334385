"""The line of a Raspberry Pi's ``config.txt`` that a launcher needs.

Without it the kernel keeps an output at its level when the program that has set it dies, and no resistor can pull it
down. ``hardware/README.md``, *Safety first*, has the whole story.
"""

from __future__ import annotations

import re

LINE = "dtparam=strict_gpiod"
_OURS = "# Card launcher: a pin lets go when its program dies."
_BLOCK = f"\n[all]\n{_OURS}\n{LINE}\n"


def has_line(text: str) -> bool:
    """Whether the line counts on every Pi: it stands in no section, or in ``[all]``."""
    section = "all"
    for line in map(str.strip, text.splitlines()):
        if heading := re.fullmatch(r"\[(.+)\]", line):
            section = heading[1].strip().lower()
        elif section == "all" and re.fullmatch(r"dtparam=(.*,)?strict_gpiod(=(on|true|yes|1))?(,.*)?", line):
            return True
    return False


def with_line(text: str) -> str:
    """The text with the line at its end, in a section that counts on every Pi; as it was if the line counts already."""
    return text if has_line(text) else f"{text.rstrip()}\n{_BLOCK}".lstrip("\n")


def without_line(text: str) -> str:
    """The text without what ``with_line`` has added."""
    return text.replace(_BLOCK, "")
