"""Whatever bytes are sent: an answer in the one shape, never a mistake of ours, and nothing moves that should not.

What is JSON and an object is schemathesis' (``test_schemathesis.py``).
"""

from __future__ import annotations

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.web.rig import in_virtual_time, launcher

ALLOWED = {200, 202, 400, 404, 409, 422}

JSON = {"content-type": "application/json"}


def check(answer: httpx.Response) -> None:
    assert answer.status_code in ALLOWED, answer.text
    body = answer.json()
    if answer.status_code >= 400:
        assert {"error", "message"} <= body.keys()
        assert isinstance(body["message"], str)
        assert body["message"]
        assert "Traceback" not in answer.text


@settings(max_examples=20)
@given(sent=st.lists(st.binary(min_size=1, max_size=300), min_size=1, max_size=50))
def test_any_bytes_get_an_answer(sent: list[bytes]) -> None:
    async def ask() -> None:
        async with launcher() as on:
            for content in sent:
                check(await on.client.post("/api/v1/eject", content=content, headers=JSON))
            assert (await on.client.get("/api/v1/snapshot")).status_code == 200

    in_virtual_time(ask)


NASTY = [
    b"{",
    b"nul",
    b"[" * 16_000,
    b'{"cards":' * 1700 + b"1",
    b'{"cards": 1e999}',
    b'{"cards": NaN}',
    b'{"cards": ' + b"9" * 5000 + b"}",
    b'{"cards": 3, "cards": 99}',
    b'"\xff\xfe"',
    b"\x00",
    b"[]",
    b"3",
]


async def test_nasty_bodies_move_nothing() -> None:
    async with launcher() as on:
        for content in NASTY:
            answer = await on.client.post("/api/v1/eject", content=content, headers=JSON)
            check(answer)
            assert answer.status_code in (400, 422), content[:30]
            assert on.service.snapshot()["presses"] == 0, content[:30]


async def test_a_mistake_of_ours_is_admitted_without_its_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> None:
        raise RuntimeError("secret details")

    async with launcher() as on:
        with monkeypatch.context() as patch:
            patch.setattr(on.service, "snapshot", stumble)
            answer = await on.client.get("/api/v1/snapshot")
        assert (answer.status_code, answer.json()["error"]) == (500, "internal")
        assert "secret details" not in answer.text
        assert answer.headers["x-content-type-options"] == "nosniff"
