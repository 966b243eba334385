"""Describe connection errors of the broker, with a remedy."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from dispenser.i18n import SpokenError, Text

if TYPE_CHECKING:
    from dispenser.service.settings import MqttSettings

TAKEN_OVER: Final = 142  # MQTT 5, 3.14.2.1: another client has connected with the same id
_BAD_LOGIN: Final = (134, 135)  # User name or password, not authorized
_GONE: Final = (4, 7, 128)  # Codes of the library: no connection, connection lost, disconnected without a reason
_UNKNOWN_HOST: Final = Text("{broker}: nobody in this network knows that name; set host in [mqtt]")
_REFUSED: Final = Text("{broker}: nobody listens there; start the broker, or set host and port in [mqtt]")
_SILENT: Final = Text(
    "{broker} does not answer: it hangs, is no MQTT broker, or wants the connection encrypted (tls in [mqtt]) or a "
    "certificate (certificate in [mqtt])"
)
_LOGIN: Final = Text("{broker} refuses this user name or password: set username and password in [mqtt]")
_CERTIFICATE: Final = Text(
    "{broker}: its certificate is not to be trusted ({why}); ca_file in [mqtt] names who has signed it"
)
_NO_TLS: Final = Text(
    "{broker} closes the connection ({why}): it wants it encrypted, or not, or a certificate; set port, tls and "
    "certificate in [mqtt]"
)
_NO_CERTIFICATE: Final = Text(
    "{broker}: {file} is no certificate, or its key is another's; set ca_file, certificate and key in [mqtt]"
)
_TWO: Final = Text(
    "another program is connected to {broker} with the id of this launcher: end it; if it is a copy of this launcher, "
    "delete the file {file} there, and it makes an id of its own"
)
_LOST: Final = Text(
    "{broker}: the connection has broken, another is tried; if this goes on, another program connects with the id of "
    "this launcher: if it is a copy of it, delete the file {file} there"
)
_OTHER: Final = Text("{broker}: {why}")

_OF_CODE: Final[dict[int | None, Text]] = {
    TAKEN_OVER: _TWO,
    **dict.fromkeys(_BAD_LOGIN, _LOGIN),
    **dict.fromkeys(_GONE, _LOST),
}
_OF_SYSTEM: Final[dict[tuple[type[BaseException], ...], Text]] = {
    (ssl.SSLCertVerificationError,): _CERTIFICATE,
    (ssl.SSLError, ConnectionResetError): _NO_TLS,
    (socket.gaierror,): _UNKNOWN_HOST,
    (ConnectionRefusedError,): _REFUSED,
    (TimeoutError,): _SILENT,
}


class BadCertificateError(OSError):
    """A file of the settings is no certificate, or its key does not belong to it. Its text is the file's name."""


class BrokerError(SpokenError):
    """The broker cannot be used. The text says why."""


def broker_error(error: BaseException, settings: MqttSettings, id_file: str) -> Text:
    """Return a connection error as a sentence."""
    chain = list(_chain(error))
    if bad := next((each for each in chain if isinstance(each, BadCertificateError)), None):
        return _NO_CERTIFICATE.filled(broker=f"{settings.host}:{settings.broker_port}", file=bad)
    found = next(filter(None, map(_in_words, chain)), _OTHER)
    why = str(next((each for each in chain if isinstance(each, OSError)), chain[-1]))
    return found.filled(broker=f"{settings.host}:{settings.broker_port}", why=why, file=id_file)


def _in_words(error: BaseException) -> Text | None:
    code = getattr(error, "rc", None)  # of MQTT 5, or of the library
    if (told := _OF_CODE.get(getattr(code, "value", code))) is not None:
        return told
    return next((text for kinds, text in _OF_SYSTEM.items() if isinstance(error, kinds)), None)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the error and its causes, which the library keeps but does not print."""
    seen = set[int]()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.exceptions[0] if isinstance(error, BaseExceptionGroup) else error.__cause__ or error.__context__
