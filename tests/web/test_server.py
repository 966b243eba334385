"""The server on real sockets: quiet, quick to stop, patient with nobody."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest

from dispenser.web import server
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
from tests.web.rig import real_time
from tests.web.served import SOON_S, Page, served
from tests.web.table import house


async def request(page: Page, text: str) -> bytes:
    """Send raw HTTP and read until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", page.port)
    writer.write(text.replace("\n", "\r\n").encode())
    async with asyncio.timeout(SOON_S):
        answer = await reader.read()
    writer.close()
    return answer


async def listeners(page: Page, how_many: int) -> None:
    """Wait until so many listen."""
    async with asyncio.timeout(SOON_S):
        while len(page.service.event_bus) != how_many:  # noqa: ASYNC110 - the bus does not tell who comes and goes
            await asyncio.sleep(0.01)


GET = "GET {} HTTP/1.1\nHost: localhost\nConnection: close\n\n"
LISTEN = "GET /api/v1/events HTTP/1.1\nHost: localhost\n\n"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE_S", 0.3)


@real_time
async def test_head_gets_the_head_of_what_get_gets_and_nothing_more() -> None:
    async with served() as page:
        assert page.address == f"http://127.0.0.1:{page.port}/"
        for path in ("/", "/api/v1/snapshot", "/api/v1/events", "/api/v1/table/views"):
            head, _, body = (await request(page, GET.format(path).replace("GET", "HEAD"))).partition(b"\r\n\r\n")
            assert (head.startswith(b"HTTP/1.1 200 "), body) == (True, b""), path


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("begun", ["", "POST /api/v1/press HTTP/1.1\nHost: localhost\nContent-"])
@real_time
async def test_a_client_that_does_not_finish_its_request_is_cut(begun: str) -> None:
    async with served() as page:
        await request(page, begun)


@pytest.mark.usefixtures("impatient")
@real_time
async def test_a_client_that_does_not_read_is_cut_and_the_others_hear_everything() -> None:
    async with served() as page:
        stuck = socket.create_connection(("127.0.0.1", page.port))
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stuck.sendall(LISTEN.replace("\n", "\r\n").encode())
        reader, writer = await asyncio.open_connection("127.0.0.1", page.port, limit=1 << 24)
        writer.write(LISTEN.replace("\n", "\r\n").encode())
        await reader.readuntil(b"retry: 1000\n\n")
        await listeners(page, 2)
        heard = 0
        for number in range(1500):
            page.service.note("simulator.test.counted", {"number": number, "filler": "x" * 1000})
            if number % 10 == 9:
                async with asyncio.timeout(SOON_S):
                    await reader.readuntil(b'"number":%d,' % number)
                heard = number
        assert heard == 1499
        await listeners(page, 1)
        writer.close()
        stuck.close()


@real_time
async def test_stopping_ends_the_streams_cleanly_and_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE_S", 100 * SOON_S)
    async with served() as page:
        reader, writer = await asyncio.open_connection("127.0.0.1", page.port)
        writer.write(LISTEN.replace("\n", "\r\n").encode())
        await reader.readuntil(b"retry: 1000\n\n")
        idle = await asyncio.open_connection("127.0.0.1", page.port)
        page.serving.cancel()
        async with asyncio.timeout(SOON_S):
            rest = await reader.read()
            await asyncio.wait([page.serving])
        assert rest.endswith(b"0\r\n\r\n"), "the last chunk: a clean end"
        assert page.serving.cancelled()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", page.port)
        for stream in (writer, idle[1]):
            stream.close()


@real_time
async def test_what_is_no_http_or_has_too_long_a_head_is_refused() -> None:
    async with served() as page:
        for sent in ("BREW coffee\n\n", "GET / HTTP/1.1\nX: " + "x" * server.HEADER_BYTES):
            assert (await request(page, sent)).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("asked", ["GET /api/v1/events", "POST /api/v1/press"])
def test_a_body_that_is_no_http_is_answered_once_and_is_no_mistake_of_ours(
    asked: str, caplog: pytest.LogCaptureFixture
) -> None:
    begin = f"{asked} HTTP/1.1\nHost: localhost\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n"

    async def scenario() -> None:
        async with served() as page:
            answer = await request(page, f"{begin}zz\nhello\n")
            assert answer.count(b"HTTP/1.1 ") == 1
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert next(page.service.journal.read(types=["launcher.press.*"]), None) is None

    asyncio.run(scenario())
    assert [record.message for record in caplog.records] == ["Invalid HTTP request received."]


@pytest.mark.parametrize(
    "begun",
    [
        "",
        "POST /api/v1/press HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: 9\n\n",
        LISTEN,
    ],
)
@pytest.mark.parametrize("address", ["127.0.0.2", "127.0.0.1"])
@real_time
async def test_hundreds_of_connections_from_one_address_shut_out_nobody(begun: str, address: str) -> None:
    """Who comes from another address may listen, too; from that very one, look and press."""
    async with AsyncExitStack() as stack, served() as page:
        for _ in range(400):
            _, writer = await asyncio.open_connection("127.0.0.1", page.port, local_addr=(address, 0))
            stack.callback(writer.close)
            writer.write(begun.replace("\n", "\r\n").encode())
        assert (await request(page, GET.format("/api/v1/snapshot"))).startswith(b"HTTP/1.1 200 ")
        reader, writer = await asyncio.open_connection("127.0.0.1", page.port)
        stack.callback(writer.close)
        writer.write(LISTEN.replace("\n", "\r\n").encode())
        full = begun == LISTEN and address == "127.0.0.1"
        assert (await reader.readline()).startswith(b"HTTP/1.1 503 " if full else b"HTTP/1.1 200 ")


@real_time
async def test_an_address_that_cannot_be_listened_on_is_said_plainly() -> None:
    async with served() as page:
        for host, why in (
            ("127.0.0.1", r"that address is taken.*web\.port"),
            ("203.0.113.7", r"does not have that address.*web\.host"),
            ("no-such-host.invalid", r"nobody knows that name.*web\.host"),
        ):
            with pytest.raises(server.AddressUnavailableError, match=rf"port {page.port}: .*{why}"):
                server.listen(host, page.port)


def test_accepted_connections_inherit_the_kernels_limits() -> None:
    with contextlib.closing(server.listen("127.0.0.1", 0)) as listener:
        listener.setblocking(True)
        with socket.create_connection(listener.getsockname()), listener.accept()[0] as accepted:
            timeout_ms = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            assert timeout_ms == server.PATIENCE_S * 1000
            buffer_bytes = accepted.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
            assert buffer_bytes <= 2 * server.SEND_BUFFER_BYTES  # the kernel doubles it for its own needs


def test_the_address_is_one_that_can_be_typed() -> None:
    with contextlib.closing(server.listen("::1", 0)) as listener:
        assert server.address_of(listener) == f"http://[::1]:{listener.getsockname()[1]}/"
    with contextlib.closing(server.listen("0.0.0.0", 0)) as listener:
        assert server.address_of(listener).startswith(f"http://{socket.gethostname()}:")
        assert server.address_of(listener, lan=True) == f"http://127.0.0.1:{listener.getsockname()[1]}/", "the owner's"


# --- who does too much shuts itself out and nobody else ---


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
