"""Every benchmark runs and brings its figures. Times are nobody's promise here; counts are, and some ratios."""

from __future__ import annotations

import json
from functools import cache
from math import isfinite

import pytest

from tests.bench.__main__ import BENCHMARKS, main
from tests.bench.measure import Measure
from tests.bench.start import MEMORY_AT_MOST, MEMORY_WITH_WEB_AT_MOST
from tests.bench.timing import Effort

QUICK = Effort(quick=True)
ROWS = {
    "start": 6,
    "idle": 3,
    "stream": 9,
    "table": 6,
    "firmware": 3,
    "rules": 6,
    "mqtt": 4,
}


@cache
def measured(benchmark: str) -> dict[str, Measure]:
    return {measure.measure: measure for measure in BENCHMARKS[benchmark](QUICK)}


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_a_benchmark_brings_its_figures(benchmark: str) -> None:
    rows = measured(benchmark).values()
    assert len(rows) == ROWS[benchmark]
    for row in rows:
        assert row.benchmark == benchmark
        assert isfinite(row.ours)
        assert row.ours >= 0
        assert (row.met is None) == (not row.goal), row
        if row.ratio is not None:
            assert row.baseline
            assert row.ratio > 0


def test_the_launcher_is_ready_before_the_web_is_imported() -> None:
    rows = measured("start")
    assert rows["web imported before the launcher was ready"].ours == 0
    (told,) = [run["told"] for run in rows["import and ready, web off"].detail["on"]]
    assert "X_IMPORTED=fastapi" in told, "the spy saw nothing, so the order proves nothing"
    assert told.index("READY=1") < told.index("X_IMPORTED=dispenser.web")


@pytest.mark.parametrize(
    ("measure", "at_most"),
    [("peak memory, web off", MEMORY_AT_MOST), ("peak memory, web on", MEMORY_WITH_WEB_AT_MOST)],
)
def test_the_service_needs_little_more_memory_than_the_import_of_its_libraries(measure: str, at_most: float) -> None:
    row = measured("start")[measure]
    assert row.ratio is not None
    assert row.ratio <= at_most, row


def test_an_idle_launcher_sleeps() -> None:
    assert all(row.ours < 1000 for row in measured("idle").values())  # with anything that polls it is thousands


def test_no_client_of_the_event_stream_loses_an_event() -> None:
    lost = [row for name, row in measured("stream").items() if "lost or double" in name]
    assert [(row.ours, row.baseline) for row in lost] == [(0, 0)] * 3


def test_the_command_writes_json(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(
        "sys.argv", ["tests.bench", "firmware", "--quick", "--json", str(tmp_path / "out" / "bench.json")]
    )
    main()
    report = json.loads((tmp_path / "out" / "bench.json").read_text(encoding="utf-8"))
    assert report["quick"] is True
    assert [row["benchmark"] for row in report["measures"]] == ["firmware"] * ROWS["firmware"]
    assert "firmware" in capsys.readouterr().out
