"""The page's files: read once, kept in memory, served under an address that changes with their content."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

_FOLDER = Path(__file__).with_name("static")
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, as it is sent.

    :param etag: a strong entity tag, quotes included.
    """

    body: bytes
    media_type: str
    etag: str

    @classmethod
    def of(cls, body: bytes, media_type: str) -> Asset:
        return cls(body, media_type, f'"{hashlib.sha256(body).hexdigest()[:24]}"')


@cache
def assets() -> Mapping[str, Asset]:
    """All files by name."""
    found = {}
    for path in sorted(_FOLDER.iterdir()):
        if path.suffix in _TYPES:
            found[path.name] = Asset.of(path.read_bytes(), _TYPES[path.suffix])
    return MappingProxyType(found)


@cache
def version() -> str:
    """A name for the content of all files: a new one makes browsers fetch them again."""
    return hashlib.sha256("".join(asset.etag for asset in assets().values()).encode()).hexdigest()[:12]
