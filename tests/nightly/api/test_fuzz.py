"""Whatever bytes are sent: an answer in the one shape, never a mistake of ours, and nothing moves that should not.

What is JSON and an object is schemathesis' (``test_schemathesis.py``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dispenser.clocks.virtual import VirtualLoop
from tests.web.rig import Launcher, launcher

ALLOWED = {200, 202, 400, 404, 409, 422}

JSON = {"content-type": "application/json"}
Ask = Callable[[Launcher], Coroutine[Any, Any, None]]


class Table:
    """One launcher for many tries, in virtual time; it is in whatever state the last try left it."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner(loop_factory=VirtualLoop)
        self._context = launcher()
        self._on = self._runner.run(self._context.__aenter__())

    def run(self, ask: Ask) -> None:
        async def scenario() -> None:
            await ask(self._on)
            assert (await self._on.client.get("/api/v1/snapshot")).status_code == 200

        self._runner.run(scenario())

    def close(self) -> None:
        self._runner.run(self._context.__aexit__(None, None, None))
        self._runner.close()


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.close()


def check(answer: httpx.Response) -> None:
    assert answer.status_code in ALLOWED, answer.text
    body = answer.json()
    if answer.status_code >= 400:
        assert {"error", "message"} <= body.keys()
        assert isinstance(body["message"], str)
        assert body["message"]
        assert "Traceback" not in answer.text


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=st.lists(st.binary(min_size=1, max_size=300), min_size=1, max_size=12))
def test_any_bytes_get_an_answer(table: Table, sent: list[bytes]) -> None:
    async def commands(on: Launcher) -> None:
        for content in sent:
            check(await on.client.post("/api/v1/eject", content=content, headers=JSON))

    table.run(commands)


NASTY = [
    b"{",
    b"nul",
    b"[" * 16_000,
    b'{"cards":' * 1700 + b"1",
    b'{"cards": 1e999}',
    b'{"cards": NaN}',
    b'{"cards": ' + b"9" * 5000 + b"}",
    b'{"cards": 3.5}',
    b'{"cards": "3"}',
    b'{"cards": true}',
    b'{"cards": 3, "cards": 99}',
    b'{"cards": 3, "colour": "red"}',
    b'{"cards": 3, "id": ""}',
    b'{"cards": 3, "id": "a b"}',
    b'{"cards": 3, "id": "line\\n"}',
    b'{"cards": 3, "id": "' + b"x" * 65 + b'"}',
    b'"\xff\xfe"',
    b"\x00",
    b"[]",
    b"3",
]


@pytest.mark.parametrize("content", NASTY, ids=lambda content: repr(content[:30]))
def test_nasty_bodies_move_nothing(table: Table, content: bytes) -> None:
    async def commands(on: Launcher) -> None:
        presses = on.service.snapshot()["presses"]
        answer = await on.client.post("/api/v1/eject", content=content, headers=JSON)
        check(answer)
        assert answer.status_code in (400, 422)
        assert on.service.snapshot()["presses"] == presses

    table.run(commands)


def test_a_mistake_of_ours_is_admitted_without_its_stack(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> None:
        raise RuntimeError("secret details")

    async def commands(on: Launcher) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(on.service, "snapshot", stumble)
            answer = await on.client.get("/api/v1/snapshot")
        assert (answer.status_code, answer.json()["error"]) == (500, "internal")
        assert "secret details" not in answer.text
        assert answer.headers["x-content-type-options"] == "nosniff"

    table.run(commands)
