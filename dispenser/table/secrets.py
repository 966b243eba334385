"""What an evening's one secret gives: its join code, and the seed of each match. The same secret gives the same."""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

CODE_LETTERS: Final = "ABCDEFGHJKMNPQRTUVWXYZ2346789"
"""Those that nobody takes for one another on a screen across the room: no I, L, O, S, 0, 1, 5."""
CODE_LENGTH: Final = 4


def code_of(secret: bytes) -> str:
    """What people type to join: four letters, 700,000 codes."""
    digest = int.from_bytes(_derived(secret, "join code"), "big")
    code = ""
    for _ in range(CODE_LENGTH):
        digest, place = divmod(digest, len(CODE_LETTERS))
        code += CODE_LETTERS[place]
    return code


def seed_of(secret: bytes, number: int) -> bytes:
    """The seed, 32 bytes, of the evening's shuffles number ``number``."""
    return _derived(secret, f"seed {number}")


def commitment_of(seed: bytes) -> str:
    """What is shown of a seed before anything is drawn from it."""
    return hashlib.sha256(seed).hexdigest()


def hash_of(secret: str) -> str:
    """What the journal keeps of a phone's secret, which is long and random: nobody can guess it back."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def _derived(secret: bytes, what: str) -> bytes:
    return hmac.digest(secret, f"card-dispenser table: {what}".encode(), "sha256")
