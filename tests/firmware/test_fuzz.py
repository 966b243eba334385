"""Bytes and acts that nobody has thought of, and line noise by the million, under AddressSanitizer and UBSan.

The corpora in ``fuzz/corpus`` are what libFuzzer kept of longer hunts by hand; CI goes on from there.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.firmware.toolchain import FIRMWARE, FUZZ_FLAGS, HERE, fuzzer, host_sources, run, sanitized

EXECUTIONS = 1_000_000
"""Of both fuzzers together in CI; by hand, ``out/firmware-tests/fuzz_commands-* CORPUS`` runs for ever."""
SHARES = {"decoder": 3, "commands": 1}
"""Quarters of them; a sequence of commands takes ten times as long as a piece of line."""
SPLIT = 4
NOISE_BYTES = 10_000_000
NOISE_SEEDS = range(1, 5)
LONGEST_S = 600
"""Not a measure of speed: a fuzzer that hangs for so long has found an endless loop."""


def hunt(name: str, runs: int, seed: int, tmp_path: Path) -> str:
    """Run a fuzzer; what it finds fails the test, with the input that did it."""
    corpus = HERE / "fuzz" / "corpus" / name
    command = [
        str(fuzzer(name)),
        f"-runs={runs}",
        f"-seed={seed}",
        "-max_len=96",
        "-timeout=60",
        "-reload=0",
        "-print_final_stats=1",
        f"-artifact_prefix={tmp_path}/",
        str(tmp_path / "new"),
        str(corpus),
    ]
    (tmp_path / "new").mkdir()
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    found = [f"{path.name}: {path.read_bytes().hex()}" for path in tmp_path.iterdir() if path.is_file()]
    assert done.returncode == 0, f"{name}, seed {seed}: {found}\n{done.stderr[-3000:]}"
    return done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("part", range(SPLIT))
@pytest.mark.parametrize("name", ["decoder", "commands"])
def test_the_fuzzers_find_nothing(name: str, part: int, tmp_path: Path) -> None:
    runs = EXECUTIONS * SHARES[name] // 4 // SPLIT
    told = hunt(name, runs, 1000 + part, tmp_path)
    executed = re.search(r"stat::number_of_executed_units: (\d+)", told)
    assert executed
    assert int(executed[1]) >= runs


@pytest.mark.slow
@pytest.mark.parametrize("seed", NOISE_SEEDS)
def test_line_noise_never_hangs_it_and_never_starts_the_motor(seed: int) -> None:
    wanted = NOISE_BYTES // len(NOISE_SEEDS)
    done = subprocess.run(
        [sanitized("noise"), str(seed), str(wanted)], capture_output=True, text=True, timeout=LONGEST_S, check=False
    )
    assert done.returncode == 0, f"seed {seed}: {done.stderr[-2000:]}"
    told = json.loads(done.stdout)
    assert told["bytes"] >= wanted
    assert told["frames_read"] > wanted // 200, "whole frames among the noise are still understood"
    assert told["runs_hurt"] > wanted // 200


@pytest.mark.parametrize("name", ["decoder", "commands"])
def test_a_corpus_is_kept(name: str) -> None:
    assert len(list((HERE / "fuzz" / "corpus" / name).iterdir())) > 20


def test_the_witness_would_see_it(tmp_path: Path) -> None:
    """A core that gives a silent host ten times as long is found within few runs: the alarm is not deaf."""
    broken = tmp_path / "session.c"
    text = (FIRMWARE / "core" / "session.c").read_text(encoding="utf-8")
    figure = "#define SILENT_US (WIRE_HOST_SILENT_MS"
    assert figure in text
    broken.write_text(text.replace(figure, f"{figure} * 10"), encoding="utf-8")
    sources = [broken if path.name == "session.c" else path for path in host_sources()]
    run("clang", *FUZZ_FLAGS, HERE / "fuzz" / "commands.c", *sources, "-o", tmp_path / "fuzz")
    done = subprocess.run(
        [tmp_path / "fuzz", "-runs=100000", "-seed=1", f"-artifact_prefix={tmp_path}/", HERE / "fuzz/corpus/commands"],
        capture_output=True,
        check=False,
        text=True,
        timeout=LONGEST_S,
    )
    assert "though the host has been silent" in done.stderr
