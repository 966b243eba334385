"""Derive the join code, the phones' secrets and the seed of each match from the evening's secret.

Deterministic, so nothing is lost by a restart. People copy the code from a screen by hand: no two characters look
alike, there are no vowels (so no words), and one case.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from typing import Final

CODE_SIGNS: Final = "34679CDFGHJKMNPQRTVWXY"
CODE_LENGTH: Final = 4
"""22 characters to the power of 4: 234256 codes; a patient client may try one every three seconds."""


def code_of(secret: bytes) -> str:
    """Return the code that people type to join, such as ``K7PM``."""
    number = int.from_bytes(_derived(secret, "join code"), "big")
    signs = []
    for _ in range(CODE_LENGTH):
        number, place = divmod(number, len(CODE_SIGNS))
        signs.append(CODE_SIGNS[place])
    return "".join(signs)


def same_code(offered: str, code: str) -> bool:
    """Compare a typed code in constant time, ignoring case, spaces and hyphens."""
    typed = "".join(sign for sign in offered.upper() if sign.isalnum())
    return hmac.compare_digest(typed.encode(errors="replace"), code.encode())


def watch_key_of(secret: bytes) -> bytes:
    """Return the key that signs the cookie of people who watch."""
    return _derived(secret, "watch")


def phone_secret(secret: bytes, request: str) -> str:
    """Return the secret of the phone that sat down with that request id; nobody else can guess it."""
    return urlsafe_b64encode(_derived(secret, f"phone {request}")[:18]).decode()


def mark_of(secret: bytes, text: str) -> str:
    """Return a keyed hash of ``text``, which recognizes a repetition and does not reveal the text."""
    return _derived(secret, f"said {text}")[:8].hex()


def hashed(secret: str) -> str:
    """Return the SHA-256 of a phone's secret in hexadecimal digits, to be stored. 144 random bits need no salt."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def seed_of(secret: bytes, number: int) -> bytes:
    """Return the seed, 32 bytes, of the evening's shuffle ``number``."""
    return _derived(secret, f"seed {number}")


def commitment_of(seed: bytes) -> str:
    """Return the commitment to a seed, published before anything is drawn from it."""
    return hashlib.sha256(seed).hexdigest()


def _derived(secret: bytes, what: str) -> bytes:
    return hmac.digest(secret, f"card-dispenser table: {what}".encode(errors="replace"), "sha256")
