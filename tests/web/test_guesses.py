"""Guessing a table's code: slow for who tries many, at once for who knows it, and nobody pays for another."""

from __future__ import annotations

import asyncio

import pytest
from starlette.requests import HTTPConnection

from dispenser.table.secrets import CODE_LENGTH, CODE_SIGNS, code_of, hashed, phone_secret, same_code
from dispenser.web.errors import ProblemError
from dispenser.web.guesses import CODE_S, CODES_AT_ONCE, FIRST_S, CodeGuesses, client_of
from tests.web.rig import in_virtual_time
from tests.web.table import PHONE, House, house

ANOTHER = ("192.168.1.78", 51000)


def now_s() -> float:
    return asyncio.get_running_loop().time()


async def took(at: House, code: str, client: tuple[str, int] = PHONE) -> tuple[int, float]:
    begin = now_s()
    answer = await at.ask("GET", f"/t/{code}", client=client)
    return answer.status_code, round(now_s() - begin, 3)


def test_each_wrong_code_of_a_client_waits_longer_and_the_right_one_does_not() -> None:
    async def scenario() -> None:
        async with house() as at:
            assert [await took(at, "AAAA") for _ in range(4)] == [(403, 0.1), (403, 0.2), (403, 0.4), (403, 0.8)]
            assert await took(at, "K7PM") == (303, 0)
            assert await took(at, "AAAA", ANOTHER) == (403, FIRST_S)

    in_virtual_time(scenario)


def test_who_does_not_wait_for_answers_gets_no_further() -> None:
    """Hundreds of connections at once try no more codes than one."""

    async def scenario() -> None:
        async with house() as at:
            tries = await asyncio.gather(*(at.ask("GET", f"/t/{number:04}") for number in range(300)))
            assert sum(answer.status_code == 403 for answer in tries) == CODES_AT_ONCE
            late = [answer for answer in tries if answer.status_code == 429]
            assert len(late) == 300 - CODES_AT_ONCE
            assert all(int(answer.headers["retry-after"]) == CODE_S for answer in late)
            assert "Too many wrong codes" in late[0].text
            assert await took(at, "K7PM", ANOTHER) == (303, 0), "the others at the table come in"

    in_virtual_time(scenario)


def test_who_tried_too_many_is_heard_again_after_a_while() -> None:
    async def scenario() -> None:
        async with house() as at:
            await asyncio.gather(*(at.ask("GET", "/t/AAAA") for _ in range(CODES_AT_ONCE)))
            await asyncio.sleep(CODE_S)
            assert (await took(at, "K7PM"))[0] == 303

    in_virtual_time(scenario)


def test_a_patient_client_tries_one_code_in_three_seconds() -> None:
    async def scenario() -> int:
        guesses, tries = CodeGuesses(), set()
        until = now_s() + 600
        while now_s() < until:
            try:
                guesses.check("a")
            except ProblemError:
                await asyncio.sleep(0.5)
                continue
            tries.add(asyncio.create_task(guesses.wait("a")))
            await asyncio.sleep(0)
        return len(tries)

    assert in_virtual_time(scenario) <= 600 / CODE_S + CODES_AT_ONCE + 1


@pytest.mark.parametrize(
    ("one", "another", "same"),
    [
        ("192.168.1.77", "192.168.1.78", False),
        ("192.168.1.77", "::ffff:192.168.1.77", True),
        ("::ffff:192.168.1.77", "::ffff:192.168.1.78", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%eth0", "fe80::2", True),
    ],
)
def test_guesses_are_counted_by_machine_not_by_address(one: str, another: str, same: bool) -> None:
    clients = [
        client_of(HTTPConnection({"type": "http", "client": (each, 1), "headers": []})) for each in (one, another)
    ]
    assert (clients[0] == clients[1]) is same


def test_nobody_knows_where_a_request_without_a_client_comes_from() -> None:
    assert client_of(HTTPConnection({"type": "http", "client": None, "headers": []})) == ""


# --- codes and secrets ---


def test_a_code_has_four_signs_that_nobody_mistakes() -> None:
    codes = {code_of(bytes([number % 256, number // 256])) for number in range(500)}
    assert len(codes) > 450
    assert {len(code) for code in codes} == {CODE_LENGTH}
    assert set("".join(codes)) <= set(CODE_SIGNS)
    assert not set(CODE_SIGNS) & set("0O1IL5S2Z8BUAE")


@pytest.mark.parametrize(
    ("typed", "same"),
    [("K7PM", True), (" k7-pm\n", True), ("K7P", False), ("K7PMM", False), ("", False), ("ß", False), ("К7РМ", False)],
)
def test_a_code_may_be_typed_in_any_way(typed: str, same: bool) -> None:
    assert same_code(typed, "K7PM") is same


def test_a_secret_is_long_goes_into_a_cookie_and_is_known_by_its_hash() -> None:
    secret = phone_secret(b"of the evening", "a request with an id that is long")
    assert len(secret) >= 22
    assert all(sign.isalnum() or sign in "-_" for sign in secret)
    assert hashed(secret) != secret
    assert len(hashed("\udc80")) == 64, "whatever a cookie holds"
