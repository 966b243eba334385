"""``dispenser log``: what the terminal shows, what an export holds, and what it says to nonsense."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner, Result

from dispenser.cli import app
from dispenser.cli.log import TextWriter, parse_bound
from dispenser.cli.sentences import describe
from dispenser.i18n import isolated
from dispenser.journal import Journal, Record
from dispenser.launcher import messages as m

NOON_S = datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp()
SECRET = "5eed" * 16


@pytest.fixture(autouse=True)
def paris() -> Iterator[None]:
    """The local time of the terminal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Europe/Paris")
        time.tzset()
        yield
    time.tzset()


def record_of(notice: m.Notice) -> tuple[str, dict[str, object]]:
    return notice.type, msgspec.to_builtins(notice)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of an evening; the process that wrote it is gone."""
    now_s = NOON_S
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path, wall_clock=lambda: now_s) as journal:
        journal.put_secret("c0ffee", SECRET)
        for source, records in (
            ("service", [("fairness.committed", {"commitment": "c0ffee", "odds": {"preset": "toy"}})]),
            ("launcher", [record_of(m.LidWasClosed()), record_of(m.StateChanged(m.State.OPEN, m.State.READY))]),
            ("button", [record_of(m.PressAccepted(1, "button", None, 1))]),
            ("web\x1b[2J", [record_of(m.PressRefused(2, "web", m.Refusal.BUSY, 'a "quoted"; request\r\n,é'))]),
            ("launcher", [record_of(m.BurstEnded(1, 5, 2, m.BurstEnd.LID, tries=1))]),
            ("launcher", [("launcher.unheard.of", {"number": 1e22, "nothing": None, "deep": {"list": [1.0, "x"]}})]),
        ):
            journal.append(source, records)
            now_s += 60.123456
    return path


@pytest.fixture
def run(path: Path) -> Callable[..., Result]:
    """Run the command on that journal."""

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["log", "--journal", str(path), *arguments])

    return run


# --- text ----------------------------------------------------------------------------------------------------------


def test_the_terminal_shows_a_day_and_a_line_for_each_record_in_local_time(run: Callable[..., Result]) -> None:
    result = run()
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "2026-11-20, CET",
        "     1  13:00:00.000  service   A secret seed is committed, SHA-256 c0ffee",
        "     2  13:01:00.123  launcher  Lid shut",
        "     3  13:01:00.123  launcher  Now: ready",
        "     4  13:02:00.246  button    Press 1 counts, draw 1 of the odds",
        "     5  13:03:00.370  web�[2J   Press 2 does not count: One press at a time!",
        "     6  13:04:00.493  launcher  Press 1: 2 of 5 (lid)",
        "     7  13:05:00.617  launcher  Unheard of: number 1e+22, deep {'list': [1.0, 'x']}",
    ]


def test_a_new_day_has_its_heading(capsys: pytest.CaptureFixture[str]) -> None:
    write = TextWriter()
    for seq, text in enumerate(("2026-11-20T22:59:59.000000Z", "2026-11-20T23:00:00.000000Z"), 1):
        write(Record(seq, text, "launcher", "launcher.lid.opened", {}))
    assert capsys.readouterr().out.splitlines() == [
        "2026-11-20, CET",
        "     1  23:59:59.000  launcher  Lid lifted",
        "2026-11-21, CET",
        "     2  00:00:00.000  launcher  Lid lifted",
    ]


def test_every_notice_has_a_sentence_of_its_own() -> None:
    notices: list[m.Notice] = [
        m.SwitchedOn(True),
        m.SwitchedOff(),
        m.StateChanged(m.State.READY, m.State.FAULT, "no pins"),
        m.PressAccepted(1, "api", 3, None),
        *(m.PressRefused(2, "button", reason) for reason in m.Refusal),
        m.BurstStarted(1, 3),
        m.CardLeft(1, 2, 57.2, False),
        m.CardLeft(1, 2, 99.0, True),
        m.CardLeft(None, 0, 57.0, False),
        *(m.BurstEnded(1, 5, 2, cause, True, 1, 2, 3) for cause in m.BurstEnd),
        m.BurstEnded(1, 5, None, m.BurstEnd.TIMED),
        m.BurstLost(1, 1),
        m.BurstCounted(1, 4, 3),
        m.LidWasOpened(),
        m.LidWasClosed(),
        m.ExitChanged(True),
        m.ExitChanged(False),
        m.OrderChanged(None, None),
        m.OrderChanged(4, None, m.Refusal.BUSY),
        *(m.OrderChanged(0, why, why) for why in (m.Refusal.NOTHING_OWED, m.Refusal.COUNT_FIRST)),
        m.PressAccepted(1, "button", 4, None, ordered=True),
        m.CardsLoaded(112),
        m.ChimePlayed(m.Chime.LID_SHUT),
        m.WasReset(m.State.READY),
    ]
    assert {type(notice) for notice in notices} == set(m.Notice.__args__), "no notice was forgotten"
    with Journal.open(":memory:") as journal:
        records = journal.append("launcher", [record_of(notice) for notice in notices])
    sentences = [describe(record) for record in records]
    assert len(set(sentences)) == len(sentences)
    for record, sentence in zip(records, sentences, strict=True):
        assert not any(key in sentence for key in record.data if "_" in key), f"no field names: {sentence}"
        assert "None" not in sentence
        assert "True" not in sentence
    told = sentences[notices.index(m.BurstStarted(1, 3))]
    assert "3" not in told, "how many it brings is said when they are out"


def test_known_types_with_unknown_data_are_shown_as_they_are() -> None:
    record = Record(1, "2026-11-20T12:00:00.000000Z", "launcher", "launcher.press.refused", {"why": "another version"})
    assert describe(record) == "Press refused: why another version"


def test_the_terminal_shows_the_newest_hundred_unless_told_otherwise(run: Callable[..., Result], path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append("launcher", [("a", {"n": n}) for n in range(300)])
    assert len([line for line in run().stdout.splitlines() if line.startswith(" ")]) == 100
    assert len([line for line in run("--last", "5").stdout.splitlines() if line.startswith(" ")]) == 5
    assert len([line for line in run("--since", "1").stdout.splitlines() if line.startswith(" ")]) == 307
    assert len(run("--json").stdout.splitlines()) == 307


# --- filters -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], [1, 2, 3, 4, 5, 6, 7]),
        (["--type", "launcher.press.refused", "--type", "fairness.*"], [1, 5]),
        (["--source", "launcher"], [2, 3, 6, 7]),
        (["--last", "1", "--type", "launcher.press"], [5]),
        (["--since", "3", "--until", "5"], [3, 4, 5]),
        (["--since", "2026-11-20T13:03"], [5, 6, 7]),
        (["--since", "2026-11-20 13:03:00", "--until", "2026-11-20T12:04:30Z"], [5, 6]),
        (["--since", "2026-11-20T12:03:00+00:00"], [5, 6, 7]),
        (["--until", "2026-11-20"], []),
        (["--since", "9" * 30], []),
    ],
    ids=str,
)
def test_filters(run: Callable[..., Result], arguments: list[str], expected: list[int]) -> None:
    result = run("--json", *arguments)
    assert result.exit_code == 0, result.stderr
    assert [json.loads(line)["seq"] for line in result.stdout.splitlines()] == expected
    shown = run(*arguments)
    assert (not shown.stdout, "no such record" in shown.stderr) == (not expected, not expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("17", 17),
        ("90m", datetime(2026, 11, 20, 10, 30, tzinfo=UTC)),
        ("2d", datetime(2026, 11, 18, 12, tzinfo=UTC)),
        ("18:00", datetime(2026, 11, 20, 17, tzinfo=UTC)),
        ("9:05", datetime(2026, 11, 20, 8, 5, tzinfo=UTC)),
        ("09:05:30", datetime(2026, 11, 20, 8, 5, 30, tzinfo=UTC)),
        ("2026-07-01", datetime(2026, 6, 30, 22, tzinfo=UTC)),
        ("2026-07-01T00:00:00.5Z", datetime(2026, 7, 1, 0, 0, 0, 500_000, tzinfo=UTC)),
    ],
)
def test_bounds(text: str, expected: int | datetime) -> None:
    now = datetime(2026, 11, 20, 12, tzinfo=UTC).astimezone()
    assert parse_bound(text, now) == expected


@pytest.mark.parametrize(
    "text", ["", "yesterday", "-3", "25:00", "9:5", "2026-13-01", "9999999999999d", "1.5h", "٣:٠٠"]
)
def test_nonsense_for_a_bound_gets_one_clear_line(run: Callable[..., Result], text: str) -> None:
    result = run("--until", text)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert result.stderr.startswith(f"dispenser: --until {isolated(text)}: give a record's number")
    assert "'a*b' is no type" in run("--type", "a*b").stderr


# --- exports -------------------------------------------------------------------------------------------------------


def test_exports_have_every_record_as_the_api_sends_it_and_no_secret(run: Callable[..., Result], path: Path) -> None:
    with Journal.read_only(path) as reader:
        sent = [record.json() for record in reader.read()]
    as_json, as_csv = run("--json").stdout_bytes, run("--csv").stdout_bytes
    assert as_json.splitlines() == sent
    rows = list(csv.reader(io.StringIO(as_csv.decode(), newline="")))
    assert rows[0] == ["seq", "time", "source", "type", "data"]
    read = [Record(int(seq), moment, source, type_, json.loads(data)) for seq, moment, source, type_, data in rows[1:]]
    assert [record.json() for record in read] == sent
    assert SECRET.encode() not in as_json + as_csv


def test_a_journal_that_cannot_be_read_gets_one_clear_line(run: Callable[..., Result], path: Path) -> None:
    path.unlink()
    result = run()
    assert result.exit_code == 74
    assert result.stderr.startswith(f"dispenser: {path}: there is no journal here")
    assert result.stderr.count("\n") == 1
    path.write_text("no journal")
    assert run().exit_code == 74
