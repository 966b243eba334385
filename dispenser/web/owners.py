"""Phones with the owner's rights: granted by a link that works once, within ten minutes; kept in a cookie.

Only the SHA-256 of the cookie's secret is stored, in a small file beside the journal.
"""

from __future__ import annotations

import hmac
import logging
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from dispenser import safe_open
from dispenser.i18n import SpokenError, Text, why
from dispenser.table.secrets import hashed

logger = logging.getLogger("dispenser.web")

INVITED_S: Final = 600  # Lifetime of an invitation, seconds
KEY_BYTES: Final = 24  # Random bytes in an invitation's key and in a phone's secret
Kind = Literal["iphone", "ipad", "android", "computer", "other"]
_DEVICES: Final[Mapping[Kind, tuple[Text, str]]] = {
    "iphone": (Text("iPhone"), "iPhone|iPod"),
    "ipad": (Text("iPad"), "iPad"),
    "android": (Text("Android phone"), "Android"),
    "computer": (Text("computer"), "Windows|Macintosh|X11|CrOS"),
    "other": (Text("phone"), ""),
}
"""By kind of device, its name and a regular expression for the user agent; the first match counts."""


class OwnersFileError(SpokenError, OSError):
    """The list of owner's phones cannot be written. The text says why."""


class KeptPhone(Struct, frozen=True, forbid_unknown_fields=True):
    """One owner's phone, as stored in the file.

    :param number: never reused.
    :param hash: SHA-256 of its secret.
    """

    number: Annotated[int, Meta(ge=1)]
    kind: Kind
    added: Annotated[datetime, Meta(tz=True)]
    hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the file."""

    version: Literal[1] = 1
    last_number: int = 0
    phones: tuple[KeptPhone, ...] = ()


@dataclass
class _Invitation:
    """The last invitation that was created.

    :ivar taken: after its use, address and user agent of the phone, and the secret that it got.
    """

    key: str = ""
    until_s: float = 0.0
    taken: tuple[tuple[str, str], str] | None = None


class OwnerPhones:
    """The list of owner's phones, and at most one open invitation.

    :param file: where the list is stored; ``None`` keeps it in memory only.
    """

    def __init__(self, file: Path | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._clock = clock
        self._kept = _File() if file is None else _read(file)
        self._hashes = {phone.hash for phone in self._kept.phones}
        self._invitation = _Invitation()

    @property
    def phones(self) -> Sequence[KeptPhone]:
        """Return the phones in the order in which they were added."""
        return self._kept.phones

    def knows(self, secret: str) -> bool:
        """Return whether a secret belongs to an owner's phone."""
        return bool(self._hashes) and hashed(secret) in self._hashes

    def invite(self) -> str:
        """Create an invitation, which replaces the one before; return its key."""
        self._invitation = _Invitation(secrets.token_urlsafe(KEY_BYTES), self._clock() + INVITED_S)
        return self._invitation.key

    def invites(self, key: str) -> bool:
        """Return whether a key is valid and unused."""
        return self._is_good(key) and self._invitation.taken is None

    def add(self, key: str, address: str, agent: str) -> str | None:
        """Add an owner's phone and use up the key. A second request of the same phone returns the same secret.

        Writes the file; may be called on any thread, but not concurrently.

        :param agent: the phone's user agent.
        :returns: the phone's secret; ``None`` if the key is invalid.
        :raises OwnersFileError: the file cannot be written; the key stays valid.
        """
        if not self._is_good(key):
            return None
        if self._invitation.taken is not None:
            first, secret = self._invitation.taken
            return secret if (address, agent) == first and self.knows(secret) else None
        secret, number = secrets.token_urlsafe(KEY_BYTES), self._kept.last_number + 1
        phone = KeptPhone(number, kind_of(agent), datetime.now(UTC).replace(microsecond=0), hashed(secret))
        self._keep(_File(last_number=number, phones=(*self._kept.phones, phone)))
        self._invitation.taken = (address, agent), secret
        logger.warning("an owner's phone was added: number %d, %s", number, _DEVICES[phone.kind][0])
        return secret

    def remove(self, number: int) -> KeptPhone | None:
        """Remove an owner's phone and return it; ``None`` if there is none of that number. Threads as for ``add``."""
        gone = next((phone for phone in self._kept.phones if phone.number == number), None)
        if gone is not None:
            phones = tuple(phone for phone in self._kept.phones if phone is not gone)
            self._keep(_File(last_number=self._kept.last_number, phones=phones))
            logger.warning("an owner's phone was removed: number %d, %s", number, _DEVICES[gone.kind][0])
        return gone

    def _is_good(self, key: str) -> bool:
        """Return whether a key is that of the invitation, used or unused, and has not expired."""
        right = self._invitation.key.encode()
        return self._clock() < self._invitation.until_s and hmac.compare_digest(key.encode(errors="replace"), right)

    def _keep(self, changed: _File) -> None:
        if self._file is not None:
            try:
                safe_open.write_whole(self._file, msgspec.json.format(msgspec.json.encode(changed)), 0o600)
            except OSError as error:
                failed = Text("{file}: cannot be written ({why})").filled(file=self._file, why=why(error))
                raise OwnersFileError(failed) from error
        self._kept, self._hashes = changed, {phone.hash for phone in changed.phones}


class RemoveOwner(Struct, forbid_unknown_fields=True):
    """Withdraw the owner's rights from a phone.

    :param number: ``number`` of the phone in the list.
    """

    number: Annotated[int, Meta(ge=1, le=2**53, examples=[1])]


@dataclass(frozen=True)
class OwnerInvitation:
    """A link that gives the owner's rights to the first phone that opens and confirms it.

    :param url: the link, with the first of the launcher's addresses.
    :param expires_s: lifetime, seconds; a new invitation ends it at once.
    """

    url: str
    expires_s: int


@dataclass(frozen=True)
class OwnerPhone:
    """A phone with the owner's rights.

    :param number: identifies the phone; never reused.
    :param name: kind of device, in the language of the request.
    :param added: time at which it got the rights, UTC, ISO 8601.
    """

    number: int
    name: str
    added: str


@dataclass(frozen=True)
class OwnerPhoneList:
    """All phones with the owner's rights, oldest first."""

    phones: list[OwnerPhone]


OF_OWNERS: Final = (RemoveOwner, OwnerInvitation, OwnerPhone, OwnerPhoneList)  # Those with a schema in OpenAPI


def listed(phone: KeptPhone, language: str) -> OwnerPhone:
    """Return a phone as the API describes it."""
    return OwnerPhone(phone.number, _DEVICES[phone.kind][0][language], phone.added.isoformat())


def kind_of(agent: str) -> Kind:
    """Return the kind of device from its user agent."""
    return next(kind for kind, (_, pattern) in _DEVICES.items() if re.search(pattern, agent))


def _read(file: Path) -> _File:
    """Read the file; return an empty list if it cannot be read, so that the launcher starts all the same."""
    try:
        with safe_open.opened(file) as opened:
            return msgspec.json.decode(opened.read(), type=_File)
    except (FileNotFoundError, NotADirectoryError):
        return _File()
    except (OSError, msgspec.MsgspecError, UnicodeError) as error:
        logger.warning(
            "%s cannot be read, so no phone is the owner's: %s. 'sudo dispenser owner' makes one again.", file, error
        )
        return _File()
