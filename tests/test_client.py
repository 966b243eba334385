"""The HTTP client: what is lost on the way is made good, and what is wrong is said."""

from __future__ import annotations

import itertools
import json
import socket
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_mock import MockerFixture

from dispenser.client import (
    PAUSES_S,
    AddressError,
    BrokenOffError,
    LauncherClient,
    NotALauncherError,
    OtherJournalError,
    ProblemError,
    RefusedError,
    UnreachableError,
    event_data,
)
from dispenser.journal import Record
from dispenser.launcher.commands import Eject, Press
from tests.cli.fake_launcher import TOKEN, FakeLauncher, serving


@pytest.fixture
def launcher() -> FakeLauncher:
    return FakeLauncher()


@pytest.fixture
def url(launcher: FakeLauncher) -> Iterator[str]:
    with serving(launcher) as url:
        yield url


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def client(url: str, waits: list[float]) -> LauncherClient:
    return LauncherClient(url, sleep=waits.append)


def first(records: Iterator[Record], number: int) -> list[Record]:
    return list(itertools.islice(records, number))


# --- commands ---


def test_a_press_is_answered_by_the_record_that_accepts_it(client: LauncherClient, launcher: FakeLauncher) -> None:
    record = client.send(Press())
    assert record == launcher.journal[0]
    assert record.data == {"press": 1, "cards": None}
    assert client.send(Eject(5)).data == {"press": 2, "cards": 5}


def test_a_press_whose_answer_is_lost_is_sent_again_and_counts_once(
    client: LauncherClient, launcher: FakeLauncher, waits: list[float]
) -> None:
    launcher.lost_answers = 2
    assert client.send(Press()).data["press"] == 1
    ids = [command["id"] for command in launcher.presses]
    assert len(ids) == 3
    assert len(set(ids)) == 1
    assert waits == list(PAUSES_S[:2])


def test_two_presses_have_two_ids_and_ones_own_id_is_kept(client: LauncherClient, launcher: FakeLauncher) -> None:
    client.send(Press())
    client.send(Press())
    client.send(Press(id="mine"))
    ids = [command["id"] for command in launcher.presses]
    assert len(set(ids)) == 3
    assert ids[2] == "mine"


def test_a_press_that_is_never_answered_is_given_up(
    client: LauncherClient, launcher: FakeLauncher, waits: list[float]
) -> None:
    launcher.lost_answers = 100
    with pytest.raises(BrokenOffError, match="broke"):
        client.send(Press())
    assert waits == list(PAUSES_S)
    assert len(launcher.known) == 1


def test_a_launcher_that_hangs_is_asked_twice(client: LauncherClient, mocker: MockerFixture) -> None:
    answer = mocker.patch("http.client.HTTPConnection.getresponse", side_effect=TimeoutError)
    with pytest.raises(BrokenOffError, match="broke"):
        client.send(Press())
    assert answer.call_count == 2


def test_nobody_there_is_said_at_once(waits: list[float]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(UnreachableError, match=f"nothing answers at http://127.0.0.1:{port} "):
        LauncherClient(f"http://127.0.0.1:{port}", sleep=waits.append).send(Press())
    assert waits == []


def test_a_refused_press_says_why_and_what_to_do(client: LauncherClient, launcher: FakeLauncher) -> None:
    launcher.refusal = "lid_open"
    with pytest.raises(RefusedError, match=r"^The lid is open: nothing can move\. Shut the lid\.$") as refused:
        client.send(Press())
    assert refused.value.record == launcher.journal[0]


# --- who answers ---


def test_the_token_is_sent(url: str, launcher: FakeLauncher) -> None:
    launcher.token = TOKEN
    assert LauncherClient(url, TOKEN).snapshot()["state"] == "ready"
    with pytest.raises(ProblemError) as problem:
        LauncherClient(url).snapshot()
    assert (problem.value.status, problem.value.error) == (401, "token_needed")


@pytest.mark.parametrize(
    "instead",
    [
        (404, b"<html>nothing here</html>"),
        (200, b"[]"),
        (200, b'{"hello": "world"}'),
        (200, b'{"seq": "1", "state": "ready"}'),
        (500, b'{"detail": "another API"}'),
        (200, b"\xff\xfe"),
    ],
)
def test_another_server_is_told_from_a_launcher(
    client: LauncherClient, launcher: FakeLauncher, instead: tuple[int, bytes]
) -> None:
    launcher.instead = instead
    with pytest.raises(NotALauncherError, match="something else than a launcher answers"):
        client.snapshot()


def test_https_where_none_is_spoken_is_said(url: str) -> None:
    with pytest.raises(UnreachableError, match="it does not speak HTTPS"):
        LauncherClient(url.replace("http://", "https://")).snapshot()


@pytest.mark.parametrize(
    "url", ["", "pi.local:8112", "ftp://pi.local", "http://", "http://pi:99999", "http://pi:x", "http://pi/?a=1"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(AddressError, match=r"write it like http://127\.0\.0\.1:8112"):
        LauncherClient(url)


def test_a_token_with_a_line_break_cannot_smuggle_in_a_header(url: str) -> None:
    with pytest.raises(AddressError, match="token"):
        LauncherClient(url, "secret\r\nHost: elsewhere")


# --- the stream ---


def test_records_come_in_order_and_live(client: LauncherClient, launcher: FakeLauncher) -> None:
    for number in range(5):
        launcher.note("test.record", number=number)
    events = client.events(2)
    assert [record.seq for record in first(events, 3)] == [3, 4, 5]
    late = launcher.note("test.late")
    assert next(events) == late
    events.close()
    assert launcher.starts == ["2"]


@settings(max_examples=40)
@given(cuts=st.lists(st.integers(0, 6), max_size=6), after=st.integers(0, 8))
def test_after_any_cuts_nothing_is_missed_and_nothing_comes_twice(cuts: list[int], after: int) -> None:
    launcher = FakeLauncher()
    for number in range(9):
        launcher.note("test.record", number=number)
    launcher.cuts = list(cuts)
    with serving(launcher) as url:
        events = LauncherClient(url, sleep=lambda _: None).events(after)
        seen = first(events, 9 - after)
        events.close()
    assert seen == launcher.journal[after:], f"cuts {cuts}"


def test_waits_grow_and_begin_anew_once_something_came(
    client: LauncherClient, launcher: FakeLauncher, waits: list[float]
) -> None:
    for number in range(2):
        launcher.note("test.record", number=number)
    launcher.cuts = [0, 0, 0, 0, 0, 1, 1]
    events = client.events(0)
    first(events, 2)
    events.close()
    assert waits == [0.2, 0.5, 1.0, 2.0, 4.0, 0.2, 0.2]


def test_the_link_is_told(client: LauncherClient, launcher: FakeLauncher) -> None:
    launcher.note("test.record")
    launcher.note("test.record")
    launcher.cuts = [1]
    told: list[str] = []
    events = client.events(0, on_link=lambda error: told.append(type(error).__name__))
    first(events, 2)
    events.close()
    assert told == ["NoneType", "BrokenOffError", "NoneType"]


@pytest.mark.parametrize("length", [0, 1, 2, 3, 9])
def test_another_journal_is_noticed_whatever_its_length(
    client: LauncherClient, launcher: FakeLauncher, length: int
) -> None:
    for number in range(3):
        launcher.note("test.old", number=number)
    launcher.cuts = [3]
    events = client.events(0)
    first(events, 3)
    with launcher.changed:
        launcher.journal.clear()
    for number in range(length):
        launcher.note("test.new", number=number)
    if length == 2:  # as long as what is asked for: the difference shows when the next record comes
        launcher.note("test.new", number=2)
    with pytest.raises(OtherJournalError):
        next(events)


def test_patience_ends(url: str, launcher: FakeLauncher, waits: list[float]) -> None:
    launcher.note("test.record")
    launcher.cuts = [0] * 100
    with pytest.raises(BrokenOffError):
        next(LauncherClient(url, sleep=waits.append).events(0, patience_s=10))
    assert sum(waits) >= 10
    assert sum(waits[:-1]) < 10


@pytest.mark.parametrize(
    ("stream", "data"),
    [
        (b"data: a\n\n", [b"a"]),
        (b"data:a\r\nid: 1\r\n\r\n", [b"a"]),
        (b": ping\n\nretry: 5\n\nid: 7\ndata: a\ndata: b\n\n", [b"a\nb"]),
        (b"data: a\n\ndata: half", [b"a"]),
        (b"data\n\n", [b""]),
        (b"", []),
    ],
)
def test_server_sent_events_are_taken_apart(stream: bytes, data: list[bytes]) -> None:
    lines = iter(stream.splitlines(keepends=True))
    assert list(event_data(lambda: next(lines, b""))) == data


def test_a_record_is_the_same_byte_for_byte(client: LauncherClient, launcher: FakeLauncher) -> None:
    sent = launcher.note("launcher.card.left", press=None, blocked_ms=46.999999999999886, word="déjà \u2028 vu")
    events = client.events(0)
    received = next(events)
    events.close()
    assert received.json() == sent.json()
    assert json.loads(received.json())["data"]["blocked_ms"] == 46.999999999999886
