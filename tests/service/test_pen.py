"""The service's pen: the first and the last entries, and what happens while nothing can be written."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dispenser.journal import Batch, Entry, Journal
from dispenser.odds import fairness
from dispenser.service.hub import Hub
from dispenser.service.pen import MAX_UNWRITTEN, Pen
from dispenser.service.start import recall

SEEDS = [fairness.named_seed(f"record {number}") for number in range(3)]
ODDS = {"name": "toy"}


@pytest.fixture
def journal() -> Iterator[Journal]:
    with Journal.open(":memory:") as journal:
        yield journal


def pen_on(journal: Journal, seed: bytes = SEEDS[0]) -> tuple[Pen, list[Entry]]:
    hub = Hub(journal)
    told: list[Entry] = []
    hub.on("", told.append)
    return Pen(journal, hub.publish, seed, ODDS, recall(journal)), told


def block(journal: Journal, blocked: bool) -> None:
    """The journal cannot be written, or can again."""
    journal.ask(f"PRAGMA query_only = {'ON' if blocked else 'OFF'}")


def story(journal: Journal) -> list[tuple[str, dict[str, object]]]:
    return [(entry.type, entry.data) for entry in journal.read()]


def test_it_begins_with_who_it_is_and_what_it_is_bound_to(journal: Journal) -> None:
    pen, _ = pen_on(journal)
    pen.start({"version": "1"})
    assert story(journal) == [
        ("service.started", {"version": "1"}),
        ("fairness.committed", {"commitment": fairness.commitment(SEEDS[0]), "odds": ODDS}),
    ]
    assert journal.unrevealed_secrets() == [(fairness.commitment(SEEDS[0]), SEEDS[0].hex())]


def test_it_ends_with_the_seed_and_forgets_the_secret(journal: Journal) -> None:
    pen, told = pen_on(journal)
    pen.start({})
    pen.stop()
    assert story(journal)[-2:] == [
        ("fairness.revealed", {"commitment": fairness.commitment(SEEDS[0]), "seed": SEEDS[0].hex()}),
        ("service.stopped", {}),
    ]
    assert [entry.type for entry in told] == ["fairness.revealed", "service.stopped"]
    assert journal.unrevealed_secrets() == []


def test_the_next_start_tells_what_a_killed_one_left_open(journal: Journal) -> None:
    pen_on(journal, SEEDS[0])[0].start({})
    for type_ in ("launcher.press.accepted", "launcher.card.left", "launcher.card.left"):
        journal.append("launcher", [(type_, {"press": 7})])
    pen_on(journal, SEEDS[1])[0].start({})
    assert story(journal)[5:7] == [
        ("launcher.burst.lost", {"press": 7, "delivered": 2}),
        ("fairness.revealed", {"commitment": fairness.commitment(SEEDS[0]), "seed": SEEDS[0].hex()}),
    ]
    assert [commitment for commitment, _ in journal.unrevealed_secrets()] == [fairness.commitment(SEEDS[1])]


def test_a_secret_that_was_kept_but_never_shown_as_a_commitment_stays_secret(journal: Journal) -> None:
    """Killed between the two: nobody has seen the commitment, so there is nothing to reveal."""
    journal.put_secret(fairness.commitment(SEEDS[2]), SEEDS[2].hex())
    pen_on(journal)[0].start({})
    assert SEEDS[2].hex() not in str(story(journal))


def test_a_seed_that_was_revealed_but_not_forgotten_is_not_revealed_again(journal: Journal) -> None:
    pen, _ = pen_on(journal)
    pen.start({})
    pen.stop()
    journal.put_secret(fairness.commitment(SEEDS[0]), SEEDS[0].hex())
    pen_on(journal, SEEDS[1])[0].start({})
    assert [type_ for type_, _ in story(journal)].count("fairness.revealed") == 1


def test_what_cannot_be_written_is_kept_in_order_and_told_once_it_is(journal: Journal) -> None:
    pen, told = pen_on(journal)
    assert pen.write(("launcher", [("a", {})])) != []
    block(journal, True)
    assert pen.write(("launcher", [("b", {}), ("c", {})])) == []
    assert "read-only" in str(pen.trouble)
    assert pen.write(("web", [("d", {})])) == []
    assert not pen.recover()
    assert told == []
    block(journal, False)
    assert pen.write(("launcher", [("e", {})])) == [], "not before what happened earlier"
    assert pen.recover()
    assert pen.trouble is None
    assert [(entry.seq, entry.type, entry.source) for entry in journal.read()] == [
        (1, "a", "launcher"),
        (2, "b", "launcher"),
        (3, "c", "launcher"),
        (4, "d", "web"),
        (5, "e", "launcher"),
    ]
    assert [entry.type for entry in told] == ["b", "c", "d", "e"]
    assert pen.write(("launcher", [("f", {})]))[0].seq == 6


def test_a_recovery_that_fails_half_way_goes_on_where_it_stopped(journal: Journal) -> None:
    pen, told = pen_on(journal)
    block(journal, True)
    for type_ in "abc":
        pen.write(("launcher", [(type_, {})]))
    block(journal, False)
    failing = journal.append_batches
    calls = 0

    def append(*batches: Batch) -> list[Entry]:
        nonlocal calls
        calls += 1
        if calls == 2:
            block(journal, True)
        return failing(*batches)

    journal.append_batches = append  # type: ignore[method-assign, assignment]
    assert not pen.recover()
    assert [entry.type for entry in told] == ["a"]
    block(journal, False)
    assert pen.recover()
    assert [entry.type for entry in journal.read()] == ["a", "b", "c"]
    assert [entry.type for entry in told] == ["a", "b", "c"]


def test_what_several_tell_at_once_is_written_as_one_or_kept_as_one(journal: Journal) -> None:
    pen, told = pen_on(journal)
    press = ("launcher", [("launcher.press.accepted", {"press": 1})]), ("table", [("table.paid", {"press": 1})])
    block(journal, True)
    assert pen.write(*press, ("launcher", [])) == []
    assert list(journal.read()) == []
    block(journal, False)
    assert pen.recover()
    pen.publish(pen.write(*reversed(press)))
    assert [(entry.source, entry.type) for entry in journal.read()] == [
        ("launcher", "launcher.press.accepted"),
        ("table", "table.paid"),
        ("table", "table.paid"),
        ("launcher", "launcher.press.accepted"),
    ]
    assert told == list(journal.read())
    assert told[0].time == told[1].time, "in one transaction"
    assert pen.write(("launcher", []), ("table", [])) == []


def test_it_says_when_no_more_can_be_kept(journal: Journal) -> None:
    pen, _ = pen_on(journal)
    block(journal, True)
    for _ in range(MAX_UNWRITTEN):
        assert not pen.full
        pen.write(("launcher", [("a", {})]))
    assert pen.full
    block(journal, False)
    assert pen.recover()
    assert not pen.full
    assert journal.last_seq == MAX_UNWRITTEN


def test_closing_writes_what_was_kept_if_it_can(journal: Journal, caplog: pytest.LogCaptureFixture) -> None:
    pen, _ = pen_on(journal)
    block(journal, True)
    pen.write(("launcher", [("a", {})]))
    pen.stop()
    assert "could not be written" in caplog.text
    block(journal, False)
    pen.stop()
    assert next(journal.read()).type == "a"


def test_the_count_of_a_press_is_the_last_that_anybody_said(journal: Journal) -> None:
    pen, _ = pen_on(journal)
    ended = "launcher.burst.ended"
    pen.write(("launcher", [(ended, {"press": 1, "delivered": 3}), (ended, {"press": 2, "delivered": None})]))
    pen.write(("launcher", [("launcher.burst.lost", {"press": 3, "delivered": 1})]))
    block(journal, True)
    pen.write(("launcher", [("launcher.burst.counted", {"press": 1, "cards": 4})]))
    assert pen.count_of(1) == 3, "nobody has heard of the other count yet"
    block(journal, False)
    pen.recover()
    assert [pen.count_of(press) for press in (1, 2, 3)] == [4, 0, 1]
    assert not pen.has_ended(4)
