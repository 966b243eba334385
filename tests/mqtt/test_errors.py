"""What is wrong between launcher and broker, in words: by what the system and the broker say."""

from __future__ import annotations

import socket
import ssl

import pytest
from aiomqtt import MqttError
from aiomqtt.exceptions import MqttCodeError

from dispenser.mqtt.errors import TAKEN_OVER, BadCertificateError, broker_error
from dispenser.service.settings import MqttSettings

SETTINGS = MqttSettings(host="broker.local", tls=True)


def because(cause: BaseException) -> MqttError:
    """As the library raises it: the cause is hidden, and kept."""
    try:
        try:
            raise cause
        except OSError:
            raise MqttError(str(cause)) from None
    except MqttError as error:
        return error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (because(socket.gaierror(-2, "not known")), "nobody in this network knows that name"),
        (because(ConnectionRefusedError(111, "refused")), "nobody listens there"),
        (because(TimeoutError("timed out")), "does not answer"),
        (because(ssl.SSLCertVerificationError("self-signed")), "certificate is not to be trusted"),
        (because(ssl.SSLError("wrong version")), "wants it encrypted, or not"),
        (because(ConnectionResetError(104, "reset")), "wants it encrypted, or not"),
        (because(FileNotFoundError(2, "No such file", "/etc/ca.pem")), "/etc/ca.pem"),
        (because(BadCertificateError("/etc/notes.txt")), "/etc/notes.txt is no certificate"),
        (MqttCodeError(4), "the connection has broken"),
        (MqttCodeError(128), "the connection has broken"),
        (MqttCodeError(134), "refuses this user name"),
        (MqttCodeError(135), "refuses this user name"),
        (ExceptionGroup("", [MqttCodeError(TAKEN_OVER)]), "with the id of this launcher"),
    ],
)
def test_an_error_of_the_connection_says_what_to_do(error: Exception, words: str) -> None:
    said = broker_error(error, SETTINGS, "launcher-id")
    assert "broker.local:8883" in said.en
    assert words in said.en
