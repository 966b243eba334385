"""Bytes and acts that nobody has thought of, and line noise by the million, under AddressSanitizer and UBSan.

``DISPENSER_SEED`` repeats a run that failed (else the seed is a random one); ``DISPENSER_FUZZ_RUNS`` is how many inputs
the two fuzzers try together. The corpora in ``corpus`` are the smallest inputs that libFuzzer kept of longer hunts.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
from pathlib import Path

import pytest

from tests.firmware.toolchain import FIRMWARE, FUZZ, FUZZ_FLAGS, fuzzer, host_sources, run, sanitized

SEED = int(os.environ.get("DISPENSER_SEED") or random.randint(1, 10**6))
RUNS = int(os.environ.get("DISPENSER_FUZZ_RUNS") or 1_000_000)
SHARES = {"decoder": 3, "commands": 1}
"""Quarters of them; a sequence of commands takes ten times as long as a piece of line."""
PARTS = 4
NOISE_BYTES = 10 * RUNS
LONGEST_S = 600 + RUNS // 1000
"""Not a measure of speed: a program that has not ended by then has found an endless loop."""
FEW_FILES = 100


def seed_of(part: int) -> int:
    """Another one for each part; not 0, which libFuzzer takes for a random one."""
    return (SEED * PARTS + part) % (2**32 - 1) + 1


@pytest.fixture(autouse=True)
def _tell_the_seed(request: pytest.FixtureRequest) -> None:
    print(f'\nDISPENSER_SEED={SEED} DISPENSER_FUZZ_RUNS={RUNS} python -m pytest "{request.node.nodeid}"')


def hunt(name: str, runs: int, seed: int, tmp_path: Path) -> str:
    """Run a fuzzer; what it finds fails the test, with the input that did it."""
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
        str(FUZZ / "corpus" / name),
    ]
    (tmp_path / "new").mkdir()
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    found = [f"{path.name}: {path.read_bytes().hex()}" for path in tmp_path.iterdir() if path.is_file()]
    assert done.returncode == 0, f"{name}, seed {seed}: {found}\n{done.stderr[-3000:]}"
    return done.stderr


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", ["decoder", "commands"])
def test_the_fuzzers_find_nothing(name: str, part: int, tmp_path: Path) -> None:
    runs = RUNS * SHARES[name] // 4 // PARTS
    told = hunt(name, runs, seed_of(part), tmp_path)
    executed = re.search(r"stat::number_of_executed_units: (\d+)", told)
    assert executed
    assert int(executed[1]) >= runs


@pytest.mark.parametrize("part", range(PARTS))
def test_line_noise_never_hangs_it_and_never_starts_the_motor_unasked(part: int) -> None:
    wanted = NOISE_BYTES // PARTS
    command = [sanitized("noise"), str(seed_of(part)), str(wanted)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    assert done.returncode == 0, f"seed {seed_of(part)}: {done.stderr[-2000:]}"
    told = json.loads(done.stdout)
    assert told["bytes"] >= wanted
    assert told["frames_read"] > wanted // 200, "whole frames among the noise are still understood"
    assert told["runs_hurt"] > wanted // 200


def test_the_corpora_are_small() -> None:
    assert 2 <= len([path for path in (FUZZ / "corpus").glob("*/*") if path.stat().st_size <= 96]) <= FEW_FILES


def test_the_witness_would_see_it(tmp_path: Path) -> None:
    """A core that gives a silent host ten times as long is found within few runs, always the same ones."""
    broken = tmp_path / "session.c"
    text = (FIRMWARE / "core" / "session.c").read_text(encoding="utf-8")
    figure = "#define SILENT_US (WIRE_HOST_SILENT_MS"
    assert figure in text
    broken.write_text(text.replace(figure, f"{figure} * 10"), encoding="utf-8")
    sources = [broken if path.name == "session.c" else path for path in host_sources()]
    run("clang", *FUZZ_FLAGS, FUZZ / "commands.c", *sources, "-o", tmp_path / "fuzz")
    done = subprocess.run(
        [tmp_path / "fuzz", "-runs=100000", "-seed=1", f"-artifact_prefix={tmp_path}/", FUZZ / "corpus" / "commands"],
        capture_output=True,
        check=False,
        text=True,
        timeout=LONGEST_S,
    )
    assert "though the host has been silent" in done.stderr
