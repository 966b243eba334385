"""What an installation does, one step at a time: shown as a shell would have it, or carried out.

Each step can be carried out again, whether it was carried out before, or only half.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from dispenser.i18n import SpokenError, Text, why

APT_LOCKED: Final = "Could not get lock"
APT_TRIES: Final = 120
APT_RETRY_S: Final = 5.0
"""At its first boot Debian updates itself for minutes; ten are enough (assumed). apt's own ``DPkg::Lock::Timeout`` does
not wait for the lock of ``update`` (apt 2.6.1)."""
LAST_WORDS = 15
"""Lines of a program that failed which are shown."""


class InstallError(SpokenError, OSError):
    """It cannot be done. The text says why, and what to do."""


class Step(Protocol):
    """``str(step)`` is the step as a line of a shell."""

    def do(self) -> None:
        """Carry it out.

        :raises InstallError: it cannot be.
        """


@dataclass(frozen=True, slots=True)
class Stage:
    """Steps that are told in one sentence."""

    about: Text
    steps: Sequence[Step] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """Run a program.

    :param env: what it finds in its environment besides ours.
    :param may_fail: whether it goes on all the same.
    """

    words: tuple[str | Path, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    may_fail: bool = False
    remedy: Text | None = None

    def __str__(self) -> str:
        env = [f"{name}={shlex.quote(value)}" for name, value in self.env.items()]
        return " ".join([*env, *(shlex.quote(str(word)) for word in self.words)])

    def do(self) -> None:
        done = self._ran()
        if done.returncode and not self.may_fail:
            raise InstallError(
                Text("'{command}' failed:\n{output}\n{remedy}").filled(
                    command=shlex.join(map(str, self.words)),
                    output="\n".join(done.stdout.splitlines()[-LAST_WORDS:]),
                    remedy=self.remedy
                    or Text("Put that right, and run the same command again: it goes on from there."),
                )
            )

    def _ran(self) -> subprocess.CompletedProcess[str]:
        return ran(self.words, self.env)


@dataclass(frozen=True, slots=True)
class Apt(Run):
    """Run apt-get; wait while another program has its locks, and say which.

    :param tell: says it to whoever waits; it may take minutes.
    """

    tell: Callable[[Text], object] = print

    def _ran(self) -> subprocess.CompletedProcess[str]:
        for attempt in range(APT_TRIES):
            done = ran(self.words, {**self.env, "LC_ALL": "C"})
            if not done.returncode or APT_LOCKED not in done.stdout:
                break
            if attempt == 0:
                who = next(line for line in done.stdout.splitlines() if APT_LOCKED in line)
                self.tell(Text("Waiting until apt is free. {who}").filled(who=who))
            time.sleep(APT_RETRY_S)
        return done


def ran(
    words: Sequence[str | Path], env: Mapping[str, str] | None = None, *, longest_s: float | None = None
) -> subprocess.CompletedProcess[str]:
    """What a program did, all that it said in ``stdout``; 127, as of a shell, where it is not there.

    :param longest_s: after so long it is ended, seconds, and the code is 124, as of ``timeout``.
    """
    command = [str(word) for word in words]
    try:
        return subprocess.run(  # noqa: S603 - no shell
            command,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=longest_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "")
    except OSError as error:
        return subprocess.CompletedProcess(command, 127, f"{command[0]}: {error.strerror}")


@dataclass(frozen=True, slots=True)
class Show:
    """Run a program that speaks for itself, whatever comes of it.

    :param failed: is told when it has not done what it should.
    """

    words: tuple[str | Path, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    failed: Text | None = None
    tell: Callable[[Text], object] = print

    def __str__(self) -> str:
        return str(Run(self.words, self.env))

    def do(self) -> None:
        code = 127
        with suppress(OSError):
            code = subprocess.run(  # noqa: S603 - no shell
                [str(word) for word in self.words], env={**os.environ, **self.env}, check=False
            ).returncode
        if code and self.failed is not None:
            self.tell(self.failed)


@dataclass(frozen=True, slots=True)
class Folder:
    """Make a folder."""

    path: Path

    def __str__(self) -> str:
        return f"mkdir -p {self.path}"

    def do(self) -> None:
        with _told(self.path):
            self.path.mkdir(parents=True, exist_ok=True)


@dataclass(frozen=True, slots=True)
class Write:
    """Write a file, whole or not at all."""

    path: Path
    text: str
    mode: int = 0o644

    def __str__(self) -> str:
        return "\n".join([f"# write {self.path}:", *(f"#   {line}".rstrip() for line in self.text.splitlines())])

    def do(self) -> None:
        with _told(self.path):
            _replace(self.path, self.text.encode("utf-8", "surrogateescape"), self.mode)


@dataclass(frozen=True, slots=True)
class Copy:
    """Copy a file, whole or not at all."""

    source: Path
    path: Path

    def __str__(self) -> str:
        return f"install -D -m 644 {self.source} {self.path}"

    def do(self) -> None:
        with _told(self.path):
            _replace(self.path, self.source.read_bytes(), 0o644)


@dataclass(frozen=True, slots=True)
class CopyTree:
    """Copy some files and folders of a folder; of what was in their place nothing stays."""

    source: Path
    names: tuple[str, ...]
    path: Path

    def __str__(self) -> str:
        return f"cp -r {self.source}/{{{','.join(self.names)}}} {self.path}/"

    def do(self) -> None:
        litter = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
        with _told(self.path):
            shutil.rmtree(self.path, ignore_errors=True)
            self.path.mkdir(parents=True)
            for name in self.names:
                one = self.source / name
                if one.is_dir():
                    shutil.copytree(one, self.path / name, ignore=litter)
                else:
                    shutil.copy(one, self.path / name)


@dataclass(frozen=True, slots=True)
class Link:
    """Let a link lead somewhere else, at one stroke."""

    path: Path
    to: Path

    def __str__(self) -> str:
        return f"ln -sfn {self.to} {self.path}"

    def do(self) -> None:
        new = self.path.with_name(f".{self.path.name}.new")
        with _told(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            new.unlink(missing_ok=True)
            new.symlink_to(self.to)
            new.replace(self.path)


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove a file, a link, or a folder with all that is in it, if it is there."""

    path: Path

    def __str__(self) -> str:
        return f"rm -rf {self.path}"

    def do(self) -> None:
        with _told(self.path):
            if self.path.is_dir() and not self.path.is_symlink():
                shutil.rmtree(self.path)
            else:
                self.path.unlink(missing_ok=True)


class _told:  # noqa: N801 - used like a function
    """What the system says of a file becomes an ``InstallError``."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, OSError) and not isinstance(error, InstallError):
            raise InstallError(Text("{file}: {why}").filled(file=self._path, why=why(error))) from error


def _replace(path: Path, content: bytes, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        with suppress(PermissionError):  # the boot partition knows no modes
            os.fchmod(file.fileno(), mode)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
