"""Who does too much shuts itself out and nobody else: guesses of the code, connections, streams."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from dispenser.web.errors import ProblemError
from dispenser.web.rate_limit import (
    CLIENTS,
    CODE_S,
    CODES_AT_ONCE,
    RateLimiter,
    client_address,
    make_room,
)
from dispenser.web.server import connection_to_close
from tests.web.table import house


async def test_of_many_wrong_codes_at_once_only_a_few_are_looked_at() -> None:
    async with house() as at:
        tries = await asyncio.gather(*(at.ask("GET", f"/t/{number:04}") for number in range(100)))
        assert sum(answer.status_code == 403 for answer in tries) == CODES_AT_ONCE
        late = [answer for answer in tries if answer.status_code == 429]
        assert len(late) == 100 - CODES_AT_ONCE
        assert all(int(answer.headers["retry-after"]) == CODE_S for answer in late)
        assert "Too many wrong codes" in late[0].text
        other = await at.ask("GET", "/t/K7PM", client=("192.168.1.78", 51000))
        assert other.status_code == 303, "the others at the table come in"
        await asyncio.sleep(CODE_S)
        tries = [await at.ask("GET", "/t/AAAA") for _ in range(2)]
        assert [answer.status_code for answer in tries] == [403, 429], "one more each three seconds"


async def test_a_limiter_remembers_a_bounded_number_of_clients() -> None:
    limiter = RateLimiter(1, CODE_S, "too_many_guesses")
    for number in range(CLIENTS + 1):
        limiter.spend(str(number))
    limiter.check("0")
    with pytest.raises(ProblemError):
        limiter.check("1")


@dataclass(frozen=True)
class Line:
    client_address: str
    opened_s: float
    idle: bool = True


def test_the_connection_to_close_is_the_oldest_idle_one_of_the_address_that_has_the_most_or_else_its_oldest() -> None:
    guest = Line("192.168.1.5", 0)
    crowd = [Line("192.168.1.66", 1, idle=False), Line("192.168.1.66", 3), Line("192.168.1.66", 2)]
    assert connection_to_close({guest, *crowd}) == crowd[2]
    busy = [Line("192.168.1.66", opened_s, idle=False) for opened_s in (2, 1, 3)]
    assert connection_to_close({guest, *busy}) == busy[1]


def test_a_stream_makes_room_for_an_address_with_fewer_and_for_no_other() -> None:
    streams = {1: "a", 2: "b", 3: "b", 4: "b"}
    ended: list[int] = []
    make_room(streams, 5, "b", ended.append)
    assert ended == []
    with pytest.raises(ProblemError, match="4 streams are open"):
        make_room(streams, 4, "b", ended.append)
    make_room(streams, 4, "c", ended.append)
    assert (ended, streams) == ([2], {1: "a", 3: "b", 4: "b"})


@pytest.mark.parametrize(
    ("one", "another", "same"),
    [
        ("192.168.1.77", "::ffff:192.168.1.77", True),
        ("::ffff:192.168.1.77", "::ffff:192.168.1.78", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%eth0", "fe80::2", True),
    ],
)
def test_clients_are_counted_by_machine_not_by_address(one: str, another: str, same: bool) -> None:
    assert (client_address((one, 1)) == client_address((another, 2))) is same
