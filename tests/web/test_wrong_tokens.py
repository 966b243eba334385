"""Wrong tokens are answered late, the right one at once."""

from __future__ import annotations

import asyncio

from dispenser.web import guesses
from dispenser.web.guesses import Guesses
from tests.web.rig import in_virtual_time, launcher

TOKEN = "correct-horse-battery"
RIGHT = {"authorization": f"Bearer {TOKEN}"}
WRONG = {"authorization": "Bearer wrong-horse-battery"}


async def waited(tries: Guesses, address: str) -> float:
    loop = asyncio.get_running_loop()
    begin = loop.time()
    await tries.wait(address)
    return round(loop.time() - begin, 3)


def test_each_wrong_token_of_an_address_waits_twice_as_long_up_to_a_limit() -> None:
    async def scenario() -> list[float]:
        tries = Guesses()
        return [await waited(tries, "a") for _ in range(9)]

    assert in_virtual_time(scenario) == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 5.0]


def test_another_address_and_a_later_time_begin_anew() -> None:
    async def scenario() -> None:
        tries = Guesses()
        for _ in range(5):
            await tries.wait("a")
        assert await waited(tries, "b") == guesses.FIRST_S
        await asyncio.sleep(guesses.FORGOTTEN_S)
        assert await waited(tries, "a") == guesses.FIRST_S

    in_virtual_time(scenario)


def test_what_is_remembered_is_bounded() -> None:
    async def scenario() -> None:
        tries = Guesses()
        await tries.wait("first")
        for number in range(guesses.ADDRESSES):
            await tries.wait(str(number))
        assert await waited(tries, "first") == guesses.FIRST_S, "forgotten for others"

    in_virtual_time(scenario)


def test_so_many_wait_and_no_more() -> None:
    async def scenario() -> None:
        tries = Guesses()
        waiting = [asyncio.create_task(tries.wait("a")) for _ in range(guesses.WAITING)]
        await asyncio.sleep(0)
        assert await waited(tries, "a") == 0
        await asyncio.gather(*waiting)
        assert await waited(tries, "a") > 0

    in_virtual_time(scenario)


def test_wrong_tokens_wait_wherever_they_come_in_and_right_ones_never() -> None:
    async def scenario() -> None:
        async with launcher(host="0.0.0.0", token=TOKEN) as on:
            loop = asyncio.get_running_loop()
            tries = (
                lambda: on.client.get("/api/v1/snapshot", headers=WRONG),
                lambda: on.client.post("/login", data={"token": "wrong"}),
                lambda: on.client.get("/", params={"token": "wrong"}),
            )
            for wait_s, attempt in zip((0.1, 0.2, 0.4), tries, strict=True):
                begin = loop.time()
                assert (await attempt()).status_code in (401, 403, 303)
                assert loop.time() - begin >= wait_s - 1e-6
            begin = loop.time()
            waiting = asyncio.create_task(on.client.get("/api/v1/snapshot", headers=WRONG))
            await asyncio.sleep(0.1)
            assert (await on.client.get("/api/v1/snapshot", headers=RIGHT)).status_code == 200
            assert not waiting.done(), "the right one overtook it"
            assert (await waiting).status_code == 401

    in_virtual_time(scenario)


def test_who_shows_no_token_has_not_guessed() -> None:
    async def scenario() -> None:
        async with launcher(host="0.0.0.0", token=TOKEN) as on:
            for _ in range(20):
                assert (await on.client.get("/api/v1/snapshot")).status_code == 401
                assert (await on.client.get("/")).status_code == 303
            begin = asyncio.get_running_loop().time()
            await on.client.get("/api/v1/snapshot", headers=WRONG)
            assert asyncio.get_running_loop().time() - begin < 2 * guesses.FIRST_S

    in_virtual_time(scenario)
