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

from tests.firmware.toolchain import FUZZ, fuzzer, sanitized

SEED = int(os.environ.get("DISPENSER_SEED") or random.randint(1, 10**6))
RUNS = int(os.environ.get("DISPENSER_FUZZ_RUNS") or 1_000_000)
SHARES = {"decoder": 3, "commands": 1}
"""Quarters of them; a sequence of commands takes ten times as long as a piece of line."""
PARTS = 4
NOISE_BYTES = 10 * RUNS
LONGEST_S = 600 + RUNS // 1000
"""Not a measure of speed: a program that has not ended by then has found an endless loop."""


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
