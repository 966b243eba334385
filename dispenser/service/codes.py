"""What lets people in: the join code that stands on the shared screen, and the secret of one seat.

Text may be lost on the way from a screen to a thumb, so the code has no two signs that look alike, no vowels (it makes
no word) and one case. A secret is made here and goes into a cookie; the journal and the memory have its hash.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

CODE_SIGNS = "34679CDFGHJKMNPQRTVWXY"
CODE_LENGTH = 4
"""22 signs to the power of 4: 234256 codes, of which a patient client may try one in three seconds."""
SECRET_BYTES = 16


def new_code() -> str:
    """A join code such as ``K7PM``."""
    return "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))


def same_code(offered: str, code: str) -> bool:
    """Whether somebody typed that code: in any case, with spaces or hyphens."""
    typed = "".join(sign for sign in offered.upper() if sign.isalnum())
    return hmac.compare_digest(typed.encode(), code.encode())


def new_secret() -> str:
    """What only one seat's phone knows."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hashed(secret: str) -> str:
    """What of a secret may be written down: SHA-256 in hexadecimal digits. 128 random bits need no salt."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
