"""Run tiers of tests one after the other and print one table of them: tier, tests, seconds.

    .ci/tiers.py test                     the gating tiers
    .ci/tiers.py nightly [TIER…]          the long ones, all or those that are named
    .ci/tiers.py nightly --seed N TIER    the same search again

A tier that fails does not stop the others. A tier of pytest fails, too, when it ran no test.
"""

from __future__ import annotations

import argparse
import codecs
import os
import re
import secrets
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTEST = ("python", "-m", "pytest", "-q", "--durations=10")
PARALLEL = ("-n", "2", "--dist", "worksteal")
UNIT = ("--ignore=tests/browser", "--ignore=tests/firmware")
SHELL = ("systemd/install", "firmware/upload.sh", ".ci/debian/*", ".ci/[a-z]*", "tests/nightly/pi/*.sh")
"""Patterns of shell scripts."""
COUNTS = re.compile(r"(\d+) (passed|failed|errors?|skipped)\b")


@dataclass(frozen=True)
class Tier:
    """One row of the table.

    :ivar commands: run in order; the first that fails ends the tier.
    """

    name: str
    commands: tuple[tuple[str, ...], ...]


@dataclass
class Result:
    """What came of a tier: numbers of tests (a command that is not pytest counts as one), seconds."""

    name: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0


def scripts() -> list[str]:
    """All shell scripts of the project."""
    found = sorted({path for pattern in SHELL for path in ROOT.glob(pattern) if path.is_file()})
    return [str(path.relative_to(ROOT)) for path in found if path.suffix != ".py"]


def workflows() -> list[str]:
    """All GitHub workflows."""
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / ".github/workflows").glob("*.yml"))]


def gating() -> list[Tier]:
    """What every change must pass."""
    return [
        Tier(
            "lint",
            (
                ("ruff", "format", "--check", "."),
                ("ruff", "check", "."),
                ("shellcheck", *scripts()),
                ("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows()),
            ),
        ),
        Tier("types", (("mypy",), ("tests/browser/node_modules/.bin/tsc", "--project", "dispenser/web/jsconfig.json"))),
        Tier("imports", (("lint-imports",),)),
        Tier("unit", ((*PYTEST, *PARALLEL, *UNIT),)),
        Tier("firmware", ((*PYTEST, *PARALLEL, "tests/firmware"),)),
        Tier("browser", ((*PYTEST, *PARALLEL, "tests/browser"),)),
    ]


def nightly(seed: int) -> list[Tier]:
    """What takes longer or needs more than a change should wait for."""

    def folder(name: str, *options: str) -> Tier:
        return Tier(name, ((*PYTEST, *options, f"tests/nightly/{name}"),))

    explore = ("--hypothesis-profile", "nightly", "--hypothesis-seed", str(seed))
    return [
        folder("search", *PARALLEL, *explore),
        Tier("properties", ((*PYTEST, *PARALLEL, *explore, "-m", "hypothesis"),)),
        Tier("order", ((*PYTEST, *PARALLEL, "-p", "randomly", f"--randomly-seed={seed}", *UNIT),)),
        folder("scenarios", *PARALLEL),
        Tier("long", ((*PYTEST, *PARALLEL, "-m", "long"), (*PYTEST, *PARALLEL, "tests/nightly/long"))),
        folder("realtime"),
        folder("api", *PARALLEL, *explore),
        folder("mqtt", *PARALLEL),
        folder("browser", *PARALLEL),
        folder("firmware", *PARALLEL),
        folder("fuzz", *PARALLEL),
        folder("homeassistant"),
        folder("metrics"),
        Tier("bench", ((*PYTEST, "tests/bench"),)),
        Tier("packages", ((*PYTEST, "tests/nightly/packages"), (".ci/deb",))),
        Tier("pi", ((".ci/deb",), (*PYTEST, "tests/nightly/pi"))),
    ]


def run(tier: Tier) -> Result:
    """Run a tier; its output goes to ours."""
    result = Result(tier.name)
    begun_s = time.monotonic()
    for command in tier.commands:
        print(f"\n== {tier.name}: {' '.join(command[:6])}{' …' if len(command) > 6 else ''}", flush=True)
        code, last = execute(command)
        if "pytest" not in command:
            counts = {"passed": int(code == 0)}
        else:
            counts = {word.removesuffix("s"): int(number) for number, word in COUNTS.findall(last)}
        result.passed += counts.get("passed", 0)
        result.skipped += counts.get("skipped", 0)
        failed = counts.get("failed", 0) + counts.get("error", 0)
        if code or not counts.get("passed"):
            result.failed += max(failed, 1)
            break
    result.seconds = time.monotonic() - begun_s
    return result


def execute(command: tuple[str, ...]) -> tuple[int, str]:
    """Run a command; returns its exit code and the last line that it printed."""
    reading, writing = os.pipe()
    try:
        process = subprocess.Popen(command, cwd=ROOT, stdout=writing, stderr=subprocess.STDOUT)
    except OSError as error:
        print(error, flush=True)
        return 127, ""
    finally:
        os.close(writing)
    decoder, tail = codecs.getincrementaldecoder("utf-8")("replace"), ""
    while data := os.read(reading, 65536):
        text = decoder.decode(data)
        sys.stdout.write(text)
        sys.stdout.flush()
        tail = (tail + text)[-2000:]
    os.close(reading)
    lines = tail.strip().splitlines()
    return process.wait(), lines[-1] if lines else ""


def main() -> int:
    """Run the tiers that are asked for; returns the exit code."""
    parser = argparse.ArgumentParser(description="Run tiers of tests and print one table of them.")
    parser.add_argument("list", choices=["test", "nightly"])
    parser.add_argument("tiers", nargs="*", metavar="TIER")
    parser.add_argument("--seed", type=int, help="of the nightly searches, as an earlier run printed it")
    options = parser.parse_args()
    seed = secrets.randbelow(1 << 31) if options.seed is None else options.seed
    tiers = gating() if options.list == "test" else nightly(seed)
    names = [tier.name for tier in tiers]
    if unknown := sorted(set(options.tiers) - set(names)):
        parser.error(f"no tier {', '.join(unknown)}; there are: {', '.join(names)}")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or pytest would rewrite the asserts of all tests in each run
    os.environ["PATH"] = f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"
    if options.list == "test":
        os.environ["PYTHONHASHSEED"] = "0"  # the order in sets, as all else, is the same every time
    else:
        os.environ["DISPENSER_SEED"] = str(seed)
        print(f"seed {seed}; again: .ci/nightly --seed {seed} {' '.join(options.tiers)}", flush=True)
    results = [run(tier) for tier in tiers if not options.tiers or tier.name in options.tiers]
    print(f"\n{'tier':<12}{'passed':>8}{'failed':>8}{'skipped':>9}{'seconds':>9}")
    for each in results:
        print(f"{each.name:<12}{each.passed:>8}{each.failed:>8}{each.skipped:>9}{each.seconds:>9.0f}")
    passed, failed = (sum(getattr(each, name) for each in results) for name in ("passed", "failed"))
    skipped = sum(each.skipped for each in results)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""), flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
