"""The core under AddressSanitizer and UBSan: line noise of one seed, and every input that the fuzzers have kept.

``tests/nightly/fuzz`` searches further.
"""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.firmware.toolchain import FUZZ, run, sanitized

NOISE_BYTES = 300_000


def test_line_noise_never_starts_the_motor() -> None:
    told = json.loads(run(sanitized("noise"), "1", str(NOISE_BYTES)))
    assert told["bytes"] >= NOISE_BYTES
    assert told["frames_read"] > NOISE_BYTES // 200, "whole frames among the noise are still understood"
    assert told["runs_hurt"] > NOISE_BYTES // 200
    assert told["runs_asked"] == 0, "no hurt frame passes for a whole one with this seed"


@pytest.mark.parametrize("name", ["decoder", "commands"])
def test_every_input_of_the_corpus_is_borne(name: str) -> None:
    files = sorted((FUZZ / "corpus" / name).iterdir())
    assert len(files) >= 10
    command = [sanitized("replay", name), *files]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout == f"{len(files)} files\n"
