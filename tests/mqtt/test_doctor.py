"""What the doctor says of the broker, and the broker of a demo."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from dispenser.drivers.findings import Status
from dispenser.mqtt import local_broker
from dispenser.mqtt.doctor import try_broker
from dispenser.mqtt.errors import BrokerError
from dispenser.mqtt.identity import launcher_id
from dispenser.service.settings import MqttSettings
from tests.mqtt.conftest import MOSQUITTO, MakeBroker


def test_the_doctor_names_the_broker_and_the_launchers_topics(make_broker: MakeBroker, tmp_path: Path) -> None:
    id_, port = launcher_id(tmp_path), make_broker().port
    assert launcher_id(tmp_path) == id_
    status, text, _ = try_broker(MqttSettings(host="127.0.0.1", port=port), tmp_path)
    assert (status, text.en) == (
        Status.GOOD,
        f"127.0.0.1:{port} takes the launcher’s messages; its topics begin with dispenser/{id_}",
    )


def test_the_doctor_says_why_the_broker_cannot_be_used(free_port: int, tmp_path: Path) -> None:
    status, text, _ = try_broker(MqttSettings(host="127.0.0.1", port=free_port), tmp_path)
    assert status is Status.WRONG
    assert "nobody listens there" in text.en


def test_the_doctor_names_a_file_that_is_no_certificate(free_port: int, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("call the plumber")
    settings = MqttSettings(host="127.0.0.1", port=free_port, tls=True, ca_file=str(tmp_path / "notes.txt"))
    status, text, _ = try_broker(settings, tmp_path)
    assert status is Status.WRONG
    assert "notes.txt is no certificate" in text.en


def test_a_demo_takes_the_broker_that_runs(make_broker: MakeBroker) -> None:
    port = make_broker().port
    with local_broker.join(MqttSettings(host="elsewhere", port=port)) as (settings, started):
        assert (settings.host, settings.port, started) == ("127.0.0.1", port, False)


def test_a_demo_starts_mosquitto_where_none_runs_and_ends_it(free_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_broker.shutil, "which", lambda *_, **__: MOSQUITTO)
    with local_broker.join(MqttSettings(port=free_port)) as (settings, started):
        assert started
        socket.create_connection(("127.0.0.1", settings.port)).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", free_port))


def test_a_demo_says_how_mosquitto_is_installed(free_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_broker.shutil, "which", lambda *_, **__: None)
    with (
        pytest.raises(BrokerError, match="sudo apt install mosquitto"),
        local_broker.join(MqttSettings(port=free_port)),
    ):
        pass
