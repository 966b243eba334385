"""Commit to a secret seed before the first press, reveal it after the last.

At the start the service publishes the SHA-256 of its secret seed (the *commitment*); when it ends, the seed itself.
Every draw of the odds follows from the seed and its number (see ``odds.py``), so ``dispenser audit`` can replay the
journal and compare each press.

What this proves: the seed was fixed before the first press. Nobody, including the operator, could choose, swap or
repeat a single outcome afterwards without the audit naming the record.

What it does not prove:

* that the operator does not *know* the outcomes: the seed is on their own disk while the service runs;
* that the operator did not start the service many times and keep the preferred seed: ask for a fresh start at the table
  and note the commitment before the first press;
* that the end of the journal is complete: without its last records it is a shorter, valid journal. Note the last
  ``seq`` and the commitment of an evening;
* that the launcher obeyed: compare the sensor's count with the planned one.
"""

from __future__ import annotations

import hashlib
import re
from typing import TypeGuard

from dispenser.i18n import SpokenError, Text

SEED_BYTES = 32
_HEX_DIGITS = re.compile("[0-9a-f]{64}")


class SeedError(SpokenError, ValueError):
    """A seed of the wrong type or length. The text says what is needed."""


def new_secret(entropy: bytes) -> bytes:
    """Derive a secret seed of 32 bytes from fresh entropy, 32 bytes or more."""
    if len(entropy) < SEED_BYTES:
        text = Text("{bytes} bytes of entropy are too few: give os.urandom({needed})")
        raise SeedError(text.filled(bytes=len(entropy), needed=SEED_BYTES))
    return hashlib.sha256(b"card-dispenser secret seed\0" + entropy).digest()


def named_seed(name: str) -> bytes:
    """Return the seed for a name: for reproducible simulations and tests, never for play (it can be guessed)."""
    return hashlib.sha256(b"card-dispenser named seed\0" + name.encode()).digest()


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of the seed, 64 hexadecimal digits, to be published before the first press."""
    return hashlib.sha256(checked_seed(seed)).hexdigest()


def is_commitment(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and _HEX_DIGITS.fullmatch(value) is not None


def opened(promised: str, shown: str) -> bytes:
    """Return the seed from its 64 hexadecimal digits in the journal, in lower case, checked against its commitment."""
    if not _HEX_DIGITS.fullmatch(shown):
        text = Text("{text!r} is no seed: {digits} hexadecimal digits (0-9, a-f) are needed")
        raise SeedError(text.filled(text=shown, digits=2 * SEED_BYTES))
    seed = bytes.fromhex(shown)
    if commitment(seed) != promised:
        text = Text("the seed does not belong to the commitment {promised}; it hashes to {commitment}")
        raise SeedError(text.filled(promised=promised, commitment=commitment(seed)))
    return seed


def checked_seed(seed: bytes) -> bytes:
    """Return the seed; raise ``SeedError`` unless it has exactly 32 bytes."""
    if len(seed) != SEED_BYTES:
        text = Text("a seed has {needed} bytes, not {bytes}: make one with new_secret()")
        raise SeedError(text.filled(needed=SEED_BYTES, bytes=len(seed)))
    return seed
