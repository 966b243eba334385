"""``dispenser address``."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli import app
from dispenser.cli.address import qr_code
from dispenser.web import addresses
from dispenser.web.addresses import Address
from tests.host.programs import Programs

TOKEN = "f00dfacecafe1234"


def told(folder: Path, settings: str) -> Result:
    config = folder / "dispenser.toml"
    config.write_text(settings)
    return CliRunner().invoke(app, ["address", "--config", str(config)])


def test_phones_are_pointed_at_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "reachable", lambda: [Address("192.168.1.20", "wlan0"), Address("table.local")])
    said = told(tmp_path, f'[web]\nlan = true\nport = 9000\ntoken = "{TOKEN}"\n')
    assert said.exit_code == 0
    assert "For phones: http://192.168.1.20:9000/, http://table.local:9000/\n" in said.output
    assert qr_code("http://192.168.1.20:9000/") in said.output
    assert "sudo dispenser owner" in said.output
    assert TOKEN not in said.output, "nobody types it"


def test_a_port_that_systemd_hands_over_is_not_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "reachable", lambda: [Address("table.local")])
    Programs(tmp_path, monkeypatch).put("systemctl", then='[ "$*" = "is-active dispenser-page.socket" ] || exit 3')
    assert "For phones: http://table.local/\n" in told(tmp_path, "[web]\nlan = true\nport = 9000\n").output


def test_without_phones_it_says_how_to_let_them_in(tmp_path: Path) -> None:
    said = told(tmp_path, "[web]\nport = 9000\n")
    assert "http://127.0.0.1:9000" in said.output
    assert "lan = true" in said.output


def test_there_may_be_no_page(tmp_path: Path) -> None:
    assert told(tmp_path, "[web]\nenabled = false\n").output == "The settings switch the page off.\n"
