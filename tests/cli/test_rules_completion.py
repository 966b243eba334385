"""What a shell completes behind ``dispenser rules``: games, rules, odds."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

COMMAND = "from dispenser.cli import main; main()"


def completed(line: str) -> list[str]:
    """What bash would offer for the last word."""
    environment = os.environ | {
        "_DISPENSER_COMPLETE": "complete_bash",
        "COMP_WORDS": f"dispenser rules {line}",
        "COMP_CWORD": str(len(f"dispenser rules {line}".split(" ")) - 1),
    }
    code = f"import sys; sys.argv[0] = 'dispenser'; {COMMAND}"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("play un", ["uno-extreme", "uno", "uno-vache"]),
        ("simulate hu", ["huit-americain"]),
        ("show 15", ["151"]),
        ("show uno U-1", [f"U-{number}" for number in range(10, 20)]),
        ("play uno --odds wi", ["wild"]),
        ("simulate uno-extreme --odds ge", ["gentle"]),
    ],
)
def test_a_shell_completes_what_one_would_have_to_know(line: str, words: list[str]) -> None:
    assert sorted(completed(line)) == sorted(words)
