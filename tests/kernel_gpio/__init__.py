"""GPIO chips for programs under test, where the kernel has none: a library in C that is loaded before theirs.

``shim.c`` says what it plays. The compiler is the one that CI has for the firmware's tests.
"""

from __future__ import annotations

import mmap
import os
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.kernel_gpio.launcher import MOTOR

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PATIENCE_S = 60
LABEL = "pinctrl-bcm2711"
_CHIPS, _LINES = 8, 54
_LINE = struct.Struct("3B")  # level, output, pull
_LOG_AT = _CHIPS * _LINES * _LINE.size
_BOARD_BYTES = _LOG_AT + 4 + (1 << 18)


def compiled(source: str, folder: Path, *options: str) -> Path:
    """A C file of this folder, compiled."""
    made = folder / source.removesuffix(".c")
    command = ["gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", *options, "-o", str(made), str(HERE / source)]
    subprocess.run(command, check=True)
    return made


def shim(folder: Path) -> Path:
    """The library, compiled."""
    return compiled("shim.c", folder, "-shared", "-fPIC", "-ldl")


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that a program asked of a chip: ``output 25 0``, ``input 25 d`` (pulled down), ``close 25``."""

    at_ns: int
    what: str


@dataclass
class Board:
    """Chips that several processes share; a line keeps its level when its process dies.

    :param folder: an empty folder for it.
    :param library: the compiled shim.
    """

    folder: Path
    library: Path

    def __post_init__(self) -> None:
        (self.folder / "gpiochip0").write_text(LABEL)
        (self.folder / "board").write_bytes(bytes(_BOARD_BYTES))
        with (self.folder / "board").open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), _BOARD_BYTES)

    def environment(self, **more: str) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "LD_PRELOAD": str(self.library), "GPIO_SHIM": str(self.folder), **more}

    def level(self, offset: int) -> int:
        """Of a line of the first chip."""
        level: int = _LINE.unpack_from(self._shared, offset * _LINE.size)[0]
        return level

    def log(self) -> list[Asked]:
        """All that was asked so far, and what was opened for writing."""
        used = struct.unpack_from("I", self._shared, _LOG_AT)[0]
        rows = self._shared[_LOG_AT + 4 : _LOG_AT + 4 + used].decode().splitlines()
        return [Asked(int(row.split(" ", 1)[0]), row.split(" ", 1)[1]) for row in rows]

    def clear_log(self) -> None:
        struct.pack_into("I", self._shared, _LOG_AT, 0)

    def close(self) -> None:
        self._shared.close()


def bare_python(*arguments: str) -> list[str]:
    """This Python with nothing of this project, and nothing that is installed."""
    return [getattr(sys, "_base_executable", sys.executable), "-I", "-S", "-B", *arguments]


class Launchers:
    """Starts launchers that drive their motor and hang; ends those that are left.

    :param runtime: where they leave their note.
    """

    def __init__(self, board: Board, runtime: Path) -> None:
        self._env = board.environment(PYTHONPATH=str(ROOT), RUNTIME_DIRECTORY=str(runtime))
        self._started: list[subprocess.Popen[bytes]] = []

    def start(self, lines: int = 3) -> subprocess.Popen[bytes]:
        """One that got to claim so many of its motor's lines."""
        command = [sys.executable, str(HERE / "launcher.py"), str(lines)]
        process = subprocess.Popen(command, env=self._env, stdout=subprocess.PIPE)
        self._started.append(process)
        assert process.stdout is not None
        assert process.stdout.read(1) == b"!", "it did not come so far"
        return process

    def crash(self, lines: int = 3) -> None:
        process = self.start(lines)
        process.kill()
        process.wait(PATIENCE_S)

    def end(self) -> None:
        for process in self._started:
            process.kill()
            process.wait(PATIENCE_S)
            assert process.stdout is not None
            process.stdout.close()


def levels(board: Board) -> list[int]:
    """Of the motor's lines, enable first."""
    return [board.level(offset) for offset in MOTOR.values()]


class OtherOs:
    """The module ``os`` with some of it made up, for one module that uses it."""

    def __init__(self, **made_up: object) -> None:
        self.__dict__ |= made_up

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)
