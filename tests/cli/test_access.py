"""``dispenser address`` and ``dispenser owner``: phones are pointed at the page, and one is made the owner's."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import httpx
import pytest
from typer.testing import Result

from dispenser.cli.access import qr_code
from dispenser.client import LauncherClient, UnreachableError
from dispenser.service.settings import WebSettings
from dispenser.web import addresses
from dispenser.web.addresses import Address
from tests.cli.run import run
from tests.system.programs import Programs
from tests.web.served import served

TOKEN = "f00dfacecafe1234"


def told(folder: Path, settings: str) -> Result:
    config = folder / "dispenser.toml"
    config.write_text(settings)
    return run("address", "--config", config)


def test_phones_are_pointed_at_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "reachable", lambda *_: [Address("192.168.1.20", "wlan0"), Address("table.local")])
    said = told(tmp_path, f'[web]\nlan = true\nport = 9000\ntoken = "{TOKEN}"\n')
    assert said.exit_code == 0
    assert "For phones: http://192.168.1.20:9000/, http://table.local:9000/\n" in said.output
    assert qr_code("http://192.168.1.20:9000/") in said.output
    assert "sudo dispenser owner" in said.output
    assert TOKEN not in said.output, "nobody types it"


def test_a_port_that_systemd_hands_over_is_not_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "reachable", lambda *_: [Address("table.local")])
    Programs(tmp_path, monkeypatch).put("systemctl", then='[ "$*" = "is-active dispenser-page.socket" ] || exit 3')
    assert "For phones: http://table.local/\n" in told(tmp_path, "[web]\nlan = true\nport = 9000\n").output


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("port = 9000", ["http://127.0.0.1:9000", "lan = true"]),
        ("enabled = false", ["The settings switch the page off.\n"]),
    ],
)
def test_without_phones_it_says_how_to_let_them_in(tmp_path: Path, settings: str, words: list[str]) -> None:
    said = told(tmp_path, f"[web]\n{settings}\n").output
    assert all(word in said for word in words)


# --- dispenser owner ---


def owner(*arguments: object) -> Result:
    return run("owner", *arguments)


def test_a_code_makes_a_phone_the_owners_and_it_can_be_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "reachable", lambda *_: [Address("127.0.0.1", "lo")])

    async def scenario() -> None:
        async with served(WebSettings(port=0, lan=True)) as page:
            at = ("--url", f"http://127.0.0.1:{page.port}")
            shown = await asyncio.to_thread(owner, *at)
            assert shown.exit_code == 0, shown.output
            assert "works once, within 10 minutes" in shown.stdout
            (url,) = [line for line in shown.stdout.splitlines() if line.startswith("http")]
            assert qr_code(url) in shown.stdout
            agreed = await asyncio.to_thread(httpx.post, url, headers={"user-agent": "iPhone"})
            assert agreed.status_code == 303
            listed = await asyncio.to_thread(owner, "list", *at)
            assert listed.stdout.startswith("  1  iPhone, since 20")
            as_json = await asyncio.to_thread(owner, "list", "--json", *at)
            assert json.loads(as_json.stdout).keys() == {"number", "name", "added"}
            gone = await asyncio.to_thread(owner, "remove", "1", *at)
            assert "No longer an owner's phone: iPhone" in gone.stdout
            assert (await asyncio.to_thread(owner, "remove", "1", *at)).exit_code == 1
            none = await asyncio.to_thread(owner, "list", *at)
            assert (none.exit_code, none.stdout) == (0, "")
            assert "sudo dispenser owner" in none.stderr

    asyncio.run(scenario())


def test_no_code_without_a_launcher_that_runs(tmp_path: Path) -> None:
    config = tmp_path / "dispenser.toml"
    config.write_text("[web]\nlan = true\nport = 1\n")
    said = owner("--config", config)
    assert said.exit_code == 69
    assert "systemctl start dispenser" in said.stderr


def test_after_a_start_it_waits_for_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    slept_s: list[float] = []

    def invite(client: LauncherClient, _: str) -> dict[str, object]:
        if len(slept_s) < 2:
            raise UnreachableError(client.url)
        return {"url": "http://table.local/owner/key", "expires_s": 600}

    monkeypatch.setattr("time.sleep", slept_s.append)
    monkeypatch.setattr(LauncherClient, "post", invite)
    assert owner("--wait", "1").exit_code == 69
    slept_s.clear()
    assert "http://table.local/owner/key" in owner("--wait", "60").stdout
    assert slept_s == [1, 1]
