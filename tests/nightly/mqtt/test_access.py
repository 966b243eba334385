"""Who may do what at a real broker: the rules of the guide, and TLS with certificates of both sides."""

from __future__ import annotations

import gc
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiomqtt import Client, ProtocolVersion

from dispenser.drivers.findings import Status
from dispenser.mqtt import publisher
from dispenser.mqtt.doctor import try_broker
from dispenser.service.settings import MqttSettings
from tests.mqtt.conftest import Listener, MakeBroker, warned
from tests.mqtt.test_publisher import ID, PREFIX, ask, published, ready
from tests.web.rig import real_time

GUIDE = Path("dispenser/mqtt/README.md")
OTHER = "ba9876543210"
PASSWORD = "correct"


def passwords(folder: Path, *users: str) -> str:
    """The settings of a broker that knows these users alone."""
    (file := folder / "passwords").touch(mode=0o600)
    for user in users:
        subprocess.run(["mosquitto_passwd", "-b", file, user, PASSWORD], check=True)
    return f"allow_anonymous false\npassword_file {file}"


def guides_rules() -> str:
    block = re.search(r"^```\n# /etc/mosquitto/access\n(.*?)^```$", GUIDE.read_text(), re.DOTALL | re.MULTILINE)
    assert block
    return block[1]


@real_time
async def test_by_the_guides_rules_no_launcher_writes_as_another(make_broker: MakeBroker, tmp_path: Path) -> None:
    rules = guides_rules()
    assert ID in rules
    (access := tmp_path / "access").write_text(rules + rules.replace("kitchen", "hall").replace(ID, OTHER))
    users = ["launcher-kitchen", "launcher-hall", "homeassistant"]
    broker = make_broker(passwords(tmp_path, *users), f"acl_file {access}")

    def client(user: str) -> Client:
        known = {"username": user, "password": PASSWORD, "protocol": ProtocolVersion.V5}
        return Client("127.0.0.1", broker.port, **known)  # type: ignore[arg-type]

    kitchen = {"username": "launcher-kitchen", "password": PASSWORD, "commands": ["press"]}
    async with client("homeassistant") as home, client("launcher-hall") as hall:
        await home.subscribe([("dispenser/#", 1), ("homeassistant/#", 1)])
        mine = [f"{PREFIX}/{end}" for end in ("status", "state", "journal", "command/press")]
        mine.append(f"homeassistant/button/card_launcher_{ID}/press/config")
        for topic in [*mine, f"dispenser/{OTHER}/status"]:
            await hall.publish(topic, '{"id": "forged"}', qos=1)
        heard = Listener(home)
        await heard.on(f"{OTHER}/status")
        assert len(heard.seen) == 1
        async with published(broker, tmp_path / "journal.sqlite3", **kitchen):
            await ready(heard)
            await ask(heard, f"{PREFIX}/command/press", '{"id": "one"}', answer_to=f"{PREFIX}/answer")
            assert (await heard.on("/answer"))["id"] == "one"
            assert (await heard.on("/press/config"))["command_topic"] == f"{PREFIX}/command/press"
            await heard.on("/journal", lambda record: record["type"] == "launcher.press.accepted")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of an authority, of a server and a client that it has signed, and of another authority."""
    folder = tmp_path_factory.mktemp("certificates")

    def make(name: str, *more: str) -> None:
        new = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        files = ["-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem", *more]
        subprocess.run([*new, *files], cwd=folder, check=True, stderr=subprocess.DEVNULL)

    make("authority")
    make("stranger")
    signed = ["-CA", "authority.pem", "-CAkey", "authority.key"]
    make("server", *signed, "-addext", "subjectAltName=IP:127.0.0.1")
    make("client", *signed)
    return folder


@pytest.fixture
def _left_open() -> Iterator[None]:
    """The library leaves a socket open when TLS fails."""
    yield
    gc.collect()


@pytest.mark.usefixtures("_left_open")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, ""),
        ({"ca_file": "stranger.pem"}, "its certificate is not to be trusted"),
        ({"certificate": "", "key": ""}, "or a certificate"),
        ({"password": "wrong"}, "refuses this user name or password"),
        ({"ca_file": "nowhere.pem"}, "nowhere.pem"),
        ({"tls": False}, "wants the connection encrypted"),
    ],
    ids=["right", "another authority", "no certificate", "wrong password", "no file", "without TLS"],
)
@pytest.mark.filterwarnings("ignore:Exception ignored in. <ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning")
@real_time
async def test_with_certificates_of_both_sides_it_connects_or_is_told_what_is_wrong(
    change: dict[str, Any],
    words: str,
    certificates: Path,
    make_broker: MakeBroker,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if "certificate" in change or "tls" in change:  # the broker does not answer
        monkeypatch.setattr(publisher, "ANSWER_S", 1.0)
    tls = {"cafile": "authority.pem", "certfile": "server.pem", "keyfile": "server.key"}
    lines = [f"{key} {certificates / name}" for key, name in tls.items()]
    broker = make_broker(*lines, "require_certificate true", passwords(tmp_path, "launcher"))
    files = {"ca_file": "authority.pem", "certificate": "client.pem", "key": "client.key"}
    settings = {"tls": True, "username": "launcher", "password": PASSWORD, **files, **change}
    settings |= {key: str(certificates / settings[key]) for key in files if settings[key]}
    status, text, _ = try_broker(MqttSettings(host="127.0.0.1", port=broker.port, **settings), tmp_path)
    assert status is (Status.WRONG if words else Status.GOOD), text.en
    assert words in text.en
    async with published(broker, tmp_path / "journal.sqlite3", tmp_path / "mqtt.json", **settings) as (service, _):
        if words:
            await warned("dispenser.mqtt")
            assert words in service.snapshot()["broker_error"]
