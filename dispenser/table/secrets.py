"""Derive the join code, the phones' secrets and the seed of each match from the evening's secret.

The same secret gives the same, so a restart knows it all. A code may be read wrongly from a screen to a thumb: it has
no two signs that look alike, no vowels (it makes no word) and one case.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from typing import Final

CODE_SIGNS: Final = "34679CDFGHJKMNPQRTVWXY"
CODE_LENGTH: Final = 4
"""22 signs to the power of 4: 234256 codes, of which a patient client may try one in three seconds."""


def code_of(secret: bytes) -> str:
    """What people type to join, such as ``K7PM``."""
    number = int.from_bytes(_derived(secret, "join code"), "big")
    signs = []
    for _ in range(CODE_LENGTH):
        number, place = divmod(number, len(CODE_SIGNS))
        signs.append(CODE_SIGNS[place])
    return "".join(signs)


def same_code(offered: str, code: str) -> bool:
    """Whether somebody typed that code: in any case, with spaces or hyphens."""
    typed = "".join(sign for sign in offered.upper() if sign.isalnum())
    return hmac.compare_digest(typed.encode(errors="replace"), code.encode())


def watch_key_of(secret: bytes) -> bytes:
    """What the cookie of those who watch is made with."""
    return _derived(secret, "watch")


def phone_secret(secret: bytes, request: str) -> str:
    """What only the phone knows that has sat down with a request of that id, which nobody else could guess."""
    return urlsafe_b64encode(_derived(secret, f"phone {request}")[:18]).decode()


def mark_of(secret: bytes, said: str) -> str:
    """By which the same is known again, and from which nobody can guess what it was."""
    return _derived(secret, f"said {said}")[:8].hex()


def hashed(secret: str) -> str:
    """What of a phone's secret may be written down: SHA-256 in hexadecimal digits. 144 random bits need no salt."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def seed_of(secret: bytes, number: int) -> bytes:
    """The seed, 32 bytes, of the evening's shuffles number ``number``."""
    return _derived(secret, f"seed {number}")


def commitment_of(seed: bytes) -> str:
    """What is shown of a seed before anything is drawn from it."""
    return hashlib.sha256(seed).hexdigest()


def _derived(secret: bytes, what: str) -> bytes:
    return hmac.digest(secret, f"card-dispenser table: {what}".encode(errors="replace"), "sha256")
