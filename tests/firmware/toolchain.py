"""Builds what the firmware tests load: the core as a shared library, the simavr shim, the real ELF, the fuzzers.

Everything lands in ``out/firmware-tests``, named by a hash of its sources and flags, and is built once, whichever test
process comes first.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "firmware"
HERE = Path(__file__).parent
FUZZ = ROOT / "tests" / "nightly" / "fuzz"
OUT = ROOT / "out" / "firmware-tests"

WARNINGS = ("-Wall", "-Wextra", "-Werror")
INCLUDES = (f"-I{FIRMWARE / 'core'}", f"-I{HERE / 'host'}")
ODDS_BY_SCRIPT = "-Wl,--wrap=odds_draw"
CORE_FLAGS = (*INCLUDES, ODDS_BY_SCRIPT)
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g")

SANITIZED_FLAGS = ("-std=c11", *WARNINGS, "-O1", *SANITIZERS, *INCLUDES)
FUZZ_FLAGS = (
    "-std=c11",
    *WARNINGS,
    "-O2",
    "-fsanitize=fuzzer",
    "-fno-sanitize-coverage=trace-cmp",
    *SANITIZERS,
    *CORE_FLAGS,
)


class BuildError(RuntimeError):
    """A compiler said no; its words are in the text."""


def core_sources() -> list[Path]:
    return sorted((FIRMWARE / "core").glob("*.c"))


def host_sources() -> list[Path]:
    return [*core_sources(), *sorted((HERE / "host").glob("*.c"))]


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a tool; its output comes back, and its failure becomes a ``BuildError`` with everything it said."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"{' '.join(map(str, command))}\n{(done.stdout + done.stderr)[-4000:]}")
    return done.stdout


def built(name: str, sources: Iterable[Path], recipe: str, build: Callable[[Path], None]) -> Path:
    """The file ``name``, built from ``sources`` by ``build(path)`` unless that has been done already."""
    digest = hashlib.sha256(recipe.encode())
    for source in sorted(sources):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    OUT.mkdir(parents=True, exist_ok=True)
    stem, dot, suffix = name.partition(".")
    path = OUT / f"{stem}-{digest.hexdigest()[:16]}{dot}{suffix}"
    with (OUT / f"{stem}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            fresh = path.with_name(f"fresh-{os.getpid()}-{path.name}")
            build(fresh)
            fresh.rename(path)
    return path


def _headers(*folders: Path) -> list[Path]:
    return [header for folder in folders for header in sorted(folder.glob("*.h"))]


def _compile(compiler: str, sources: Iterable[Path], flags: Iterable[str]) -> Callable[[Path], None]:
    return lambda path: print(run(compiler, *flags, *sources, "-o", path), end="")


def core_library() -> Path:
    """The core with the host port, for cffi."""
    sources = host_sources()
    flags = ["-std=c11", *WARNINGS, "-O2", "-fPIC", "-shared", *CORE_FLAGS]
    return built(
        "libcore.so",
        [*sources, *_headers(FIRMWARE / "core", HERE / "host")],
        " ".join(flags),
        _compile("gcc", sources, flags),
    )


def simavr_shim() -> Path:
    """libsimavr behind a few plain functions, for cffi."""
    sources = [HERE / "simavr" / name for name in ("shim.c", "sweep.c", "inside.c")]
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O2", "-fPIC", "-shared"]
    return built(
        "libshim.so",
        [*sources, *_headers(HERE / "simavr")],
        " ".join(flags),
        lambda path: print(run("gcc", *flags, *sources, "-lsimavr", "-o", path), end=""),
    )


def fuzzer(name: str) -> Path:
    """A libFuzzer target of ``tests/nightly/fuzz`` with the core, under AddressSanitizer and UBSan; needs clang."""
    sources = [FUZZ / f"{name}.c", *host_sources()]
    return built(
        f"fuzz_{name}",
        [*sources, *_headers(FIRMWARE / "core", HERE / "host", FUZZ)],
        " ".join(FUZZ_FLAGS),
        _compile("clang", sources, FUZZ_FLAGS),
    )


def sanitized(name: str) -> Path:
    """A plain program of ``tests/nightly/fuzz`` with the core, under AddressSanitizer and UBSan; gcc is enough."""
    sources, flags = [FUZZ / f"{name}.c", *host_sources()], [*SANITIZED_FLAGS, ODDS_BY_SCRIPT]
    headers = _headers(FIRMWARE / "core", HERE / "host", FUZZ)
    return built(name, [*sources, *headers], " ".join(flags), _compile("gcc", sources, flags))


def declarations(header: Path) -> str:
    """What cffi reads of a C header: all but comments and preprocessor lines."""
    return re.sub(r"(?m)//.*$|^#.*$", "", header.read_text(encoding="utf-8"))


def firmware_files() -> list[Path]:
    """Everything that the Makefile builds from."""
    folders = (FIRMWARE, FIRMWARE / "core", FIRMWARE / "avr")
    return [path for folder in folders for path in sorted(folder.glob("*")) if path.suffix in {".c", ".h", ".S"}] + [
        FIRMWARE / "Makefile"
    ]


def _make(path: Path, *words: str) -> list[Path]:
    """Run the Makefile of ``firmware``; the program goes to ``path``.

    :returns: its objects.
    """
    run("make", "-C", FIRMWARE, f"BUILD={path.with_suffix('.build')}", *words)
    (program,) = path.with_suffix(".build").rglob("launcher.elf")
    program.rename(path)
    return sorted(path.with_suffix(".build").rglob("*.o"))


def elf(clock_mhz: int = 16) -> Path:
    """The real program, as ``make`` in ``firmware`` builds it."""

    def make(path: Path) -> None:
        _make(path, f"CLOCK={clock_mhz}")
        shutil.rmtree(path.with_suffix(".build"))

    return built(f"launcher-{clock_mhz}mhz.elf", firmware_files(), "make", make)


def elf_with_scripted_odds(clock_mhz: int = 16) -> Path:
    """The real program, but the outcomes of its odds are what a test has put into ``script`` (see avr_script.c)."""
    script = HERE / "simavr" / "avr_script.c"
    flags = ("-mmcu=atmega328p", "-std=gnu11", "-Os", *WARNINGS, f"-I{FIRMWARE / 'core'}", "-fshort-enums", "-mrelax")

    def make(path: Path) -> None:
        objects = _make(path, f"CLOCK={clock_mhz}")
        run("avr-gcc", *flags, "-Wl,--gc-sections", ODDS_BY_SCRIPT, script, *objects, "-o", path)
        shutil.rmtree(path.with_suffix(".build"))

    return built(f"scripted-{clock_mhz}mhz.elf", [*firmware_files(), script], "wrap odds_draw", make)


def sizes(program: Path) -> dict[str, int]:
    """Bytes of a program's sections."""
    lines = run("avr-size", "-A", program).splitlines()
    return {words[0]: int(words[1]) for line in lines if len(words := line.split()) == 3 and words[1].isdigit()}


def symbols(program: Path) -> dict[str, int]:
    """Addresses of a program's names."""
    return {
        words[2]: int(words[0], 16) for line in run("avr-nm", program).splitlines() if len(words := line.split()) == 3
    }
