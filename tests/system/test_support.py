"""``dispenser support``: what a bug report needs is in it, and nothing that is nobody else's business."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli import app
from dispenser.journal import Journal, Record
from dispenser.launcher.commands import Press
from dispenser.launcher.messages import DriverFailed
from dispenser.service.settings import load
from dispenser.system import hotspot
from dispenser.system.redact import Redactor
from dispenser.table import commands as c
from dispenser.table.secrets import hashed
from tests.service.test_evening import begin, lay, pushed, sit_down, table_of
from tests.service.test_service import play, scripted

TOKEN = 'q"7\\Tz-never-tell-§'.replace("§", "~")
SETTINGS = """
[web]
lan = true
token = '{token}'
allowed_hosts = ["zenobies-laptop.example"]
dashboards = ["http://zenobies-house.example:8123"]
screen_key = "key-of-zenobies-screen"
[mqtt]
host = "127.0.0.1"
port = 1
username = "zenobies-launcher"
password = "password-of-the-broker"
[driver]
kind = "serial"
port = "/dev/serial/by-id/usb-Arduino_75330303035351F0B1A2-if00"
[journal]
path = "{journal}"
"""


def support(config: Path, *options: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, ["support", "--config", str(config), *options], input=typed, env={"COLUMNS": "200"})


def contents(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def test_no_byte_of_it_tells_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "zenobie"))
    monkeypatch.setattr(socket, "gethostname", lambda: "zenobies-pi")
    journal = tmp_path / "zenobie" / "journal.sqlite3"
    journal.parent.mkdir()
    config, archive = tmp_path / "dispenser.toml", tmp_path / "report.zip"
    config.write_text(SETTINGS.format(token=TOKEN, journal=journal))
    secrets: list[str] = [TOKEN, json.dumps(TOKEN)[1:-1], "Zénobie", "Ottokar", "Cunégonde", "Hildegard", "zenobies-"]
    secrets.append("password-of-the-broker")

    async def evening() -> None:
        async with scripted(9, 9, journal=journal, settings=load(config)) as service:
            await asyncio.sleep(0.5)
            phones = sit_down(service, "Zénobie", "Ottokar")
            secrets.extend([*phones, *map(hashed, phones), str(table_of(service).code)])
            service.execute(c.Rename("Cunégonde"), person=2, request="a-request-of-Hildegard")
            begin(service, "uno")
            lay(service, 0, "red +2")
            await pushed(service)
            await service.handle(Press(), "Hildegard")
            service.enqueue(DriverFailed(f"the token {TOKEN} of zénobie at 192.168.7.31"))
            await asyncio.sleep(1.0)
            done = support(config, str(archive), "--yes")  # while the seeds are still secret
            assert done.exit_code == 0, done.output

    play(evening)
    with sqlite3.connect(journal) as db:
        rows = db.execute("SELECT commitment, seed FROM secrets").fetchall()
    db.close()
    secrets += [seed for _, seed in rows]
    found = contents(archive)
    everything = b"\0".join([archive.read_bytes(), *found.values(), *map(str.encode, found)])
    for secret in secrets:
        assert secret
        for written in {secret, json.dumps(secret)[1:-1]}:
            assert written.encode() not in everything, written
    records = [json.loads(line) for line in found["journal.jsonl"].splitlines()]
    types = [record["type"] for record in records]
    assert {"table.joined", "table.renamed", "launcher.press.accepted", "launcher.burst.ended"} <= set(types)
    failed = next(record["data"]["detail"] for record in records if record["data"].get("new") == "fault")
    assert "the token <token> of <person> at <address>" in failed
    for secret in (b"192.168.7.31", b"75330303035351f0b1a2", b"zenobie"):
        assert secret not in everything.lower()
    assert any("red +2" in str(record["data"]) for record in records), "a move can be played again"
    assert len(found["edges.csv"].splitlines()) > 3


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "dispenser.toml"
    path.write_text(f'[journal]\npath = "{tmp_path / "journal.sqlite3"}"\n[web]\nenabled = false\n')
    return path


def test_it_shows_what_is_in_it_and_asks_first(config: Path, tmp_path: Path) -> None:
    archive = tmp_path / "report.zip"
    for typed in ("n\n", "\n", ""):
        no = support(config, str(archive), typed=typed)
        assert no.exit_code == 0
        assert "Nothing was written." in no.stdout
        assert not archive.exists()
    yes = support(config, str(archive), typed="y\n")
    assert yes.exit_code == 0, yes.output
    for name, content in contents(archive).items():
        line = next(line for line in yes.stdout.splitlines() if line.startswith(name))
        assert f"{len(content):,} bytes" in line
    assert archive.stat().st_mode & 0o777 == 0o600
    again = support(config, str(archive), "--yes")
    assert again.exit_code == 74
    assert "is there already" in again.stderr


def test_wrong_settings_are_not_quoted(config: Path, tmp_path: Path) -> None:
    config.write_text(f'[web]\ntokn = "{"s3cret" * 4}"\nhost = "s3cret s3cret"\n')
    assert support(config, str(tmp_path / "report.zip"), "--yes").exit_code == 0
    found = contents(tmp_path / "report.zip")
    assert set(found) == {"versions.json", "doctor.json", "settings.txt"}
    assert b"s3cret" not in b"".join(found.values())


def test_the_password_of_the_launchers_own_wifi_is_not_in_it(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hotspot, "SETTINGS", tmp_path / "hotspot.toml")
    hotspot.SETTINGS.write_text('name = "Card launcher"\npassword = "hk7mq2xwpa"\n')
    detail = {"detail": "KeyError: 'WIFI:T:WPA;S:Card launcher;P:hk7mq2xwpa;;'"}
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        journal.append("service", [("launcher.state.changed", detail)])
    assert support(config, str(tmp_path / "report.zip"), "--yes").exit_code == 0
    found = contents(tmp_path / "report.zip")
    assert b"P:<password>;;" in found["journal.jsonl"]
    assert not [name for name, content in found.items() if b"hk7mq2xwpa" in content]
    assert "hk7mq2xwpa" not in repr(hotspot.known()), "nor in a traceback"


def test_of_a_record_nobody_knows_only_figures_are_told() -> None:
    data = {"new": "ready", "cards": 3, "secret": {"order": ["red 5"]}, "deep": {"word": "Ada", "n": [1]}}
    told = Redactor().record(Record(7, "2026-11-23T12:00:00Z", "Ada", "hall.new", data))
    assert told["source"] == "<person>"
    assert told["data"] == {"new": "ready", "cards": 3, "secret": "…", "deep": {"word": "…", "n": [1]}}


@pytest.mark.parametrize("source", ["bot", "mqtt"])
def test_a_press_by_a_bot_or_by_mqtt_names_its_source(source: str) -> None:
    assert Redactor().record(Record(7, "2026-11-23T12:00:00Z", source, "hall.new", {}))["source"] == source


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("fe80:0:0:0:1::2 and 10.0.0.7", "<address> and <address>"),
        ("[2001:db8::17]:8112, b8:27:eb:12:34:56", "[<address>]:8112, <address>"),
        ("http://127.0.0.1:8112 at 12:34:56 in 0.0.0.0", "http://127.0.0.1:8112 at 12:34:56 in 0.0.0.0"),
    ],
)
def test_addresses_of_the_house(said: str, told: str) -> None:
    assert Redactor().text(said) == told
