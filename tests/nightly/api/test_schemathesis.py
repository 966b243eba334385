"""The API does what its description says, whatever is sent: schemathesis, all its checks, on a real socket.

It is spared two things. A stream has no end; here each is left after its greeting. And a header or a parameter that
nobody knows is not refused: browsers and proxies add what they like.
"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import msgspec
import pytest

from dispenser.journal import Journal, Record
from dispenser.service.event_bus import Subscription
from dispenser.service.settings import OWNERS, WebSettings
from dispenser.system.hotspot import Network
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.web import join
from dispenser.web.addresses import Address
from dispenser.web.owners import OwnerPhones
from tests.web.served import served

TOKEN = "correct-horse-battery"
EXAMPLES = 4
"""For each operation when it tries what it likes; with all that it tries in any case some 1,500 requests."""
LIKED = "examples,fuzzing,stateful"
"""Without what it tries in any case: a token changes who may ask, and nothing of what is asked."""
SETTINGS = "max-stream-events = 2\n[generation]\nallow-extra-parameters = false\n"
EVENING = "5f0c2a9be1d4"
"""One that is over, as the description has it for an example."""
PHONES = [Address("192.168.1.20", "wlan0")]


@pytest.mark.parametrize("token", [None, TOKEN], ids=["without a token", "with one"])
def test_the_api_is_as_it_is_described(token: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(subscription: Subscription) -> list[Record]:
        subscription.close()
        return []

    monkeypatch.setattr(Subscription, "batch", nothing)  # a stream would never end
    monkeypatch.setattr(join, "for_phones", lambda *_: PHONES)  # whatever network this machine is in
    journal = tmp_path / "journal.sqlite3"
    with Journal.open(journal) as before:
        told = (e.Opened(table=EVENING, commitment="0" * 64), e.Joined(person=1, name="Léa"), e.Closed())
        before.append("table", [(each.type, msgspec.to_builtins(each)) for each in told])
    phones = OwnerPhones(journal.with_name(OWNERS))
    phones.add(phones.invite(), "", "")  # there is one to remove
    (tmp_path / "schemathesis.toml").write_text(SETTINGS)

    async def scenario() -> tuple[int, str]:
        async with served(WebSettings(port=0, token=token), journal, Network("Table 7", "k7rwn3xq2h")) as page:
            page.service.execute(c.Open("Ada"), owner=True)  # a table to join
            schemathesis = await asyncio.create_subprocess_exec(
                Path(sys.executable).with_name("schemathesis"),
                *("run", f"{page.address}api/v1/openapi.json", "--checks", "all", "--continue-on-failure"),
                *("--max-examples", str(EXAMPLES), "--seed", "20261122", "--generation-deterministic"),
                *(("--header", f"Authorization: Bearer {token}", "--phases", LIKED) if token else ()),
                cwd=tmp_path,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
            )
            output, _ = await schemathesis.communicate()
            return schemathesis.returncode or 0, output.decode()

    code, said = asyncio.run(scenario())
    assert code == 0, said
    operations = re.search(r"(\d+) selected / \1 total", said)
    assert operations is not None
    assert int(operations[1]) > 30
    assert "✅ Stateful" in said
    assert token or "Missing test data" not in said
