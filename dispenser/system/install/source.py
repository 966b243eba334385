"""What is installed: the project's folder, a wheel, or the package that is running."""

from __future__ import annotations

import base64
import hashlib
import shutil
import sys
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Protocol

from dispenser.i18n import Text
from dispenser.system.install.place import Place
from dispenser.system.install.steps import CopyTree, InstallError, Run, Step
from dispenser.system.shipped import LOCK, SHARE, shipped, source_folder

NAME = "card_dispenser"
DISTRIBUTION = "card-dispenser"
_PARTS = ("dispenser", "systemd", "hardware", "firmware", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in", LOCK)
"""What a wheel is built from."""
_OF_INSTALLER = ("systemd/", "hardware/", LOCK)
"""Of what a wheel brings besides the package, what is used to install it."""
_DIGITS = 8
_OF_PIP = {"INSTALLER", "REQUESTED", "RECORD", "direct_url.json"}
"""What pip writes down about how it was told to install something."""


class Source(Protocol):
    """Something to install.

    :ivar packages: a folder with all that is needed; ``None`` when it comes from the network.
    """

    @property
    def packages(self) -> Path | None: ...

    def name(self, python: str) -> str:
        """The name of its version on this machine; ``python`` is the version of that."""

    def wheel(self, place: Place) -> Path:
        """The wheel, once the ``steps`` are done."""

    def steps(self, place: Place, pip: Sequence[str | Path]) -> list[Step]:
        """What makes the wheel.

        :param pip: the words that start it.
        """


def source_of(place: Place, wheels: Path | None = None, wheel: Path | None = None) -> Source:
    """What to install: what was asked for, else what is running.

    :param wheels: a folder with a wheel of ours and all that it needs.
    :param wheel: a wheel of ours; what it needs comes from the network.
    :raises InstallError: there is nothing.
    """
    if wheels is not None:
        ours = sorted(wheels.glob(f"{NAME}-*.whl"))
        if len(ours) != 1:
            raise InstallError(
                Text("{folder}: there must be one wheel {name}-….whl, and there are {number}").filled(
                    folder=wheels, name=NAME, number=len(ours)
                )
            )
        return WheelFile(ours[0].resolve(), wheels.resolve())
    if wheel is not None:
        return WheelFile(wheel.resolve())
    if folder := source_folder():
        return Project(folder)
    running = Path(sys.prefix).resolve()
    return Same(running.name) if running.parent == place.versions.resolve() else Installed(distribution(DISTRIBUTION))


def _named(version: str, python: str, parts: Iterable[bytes]) -> str:
    """Tells two sources of the same version apart, and two Pythons: a new one needs everything anew."""
    return f"{version}-{_short([python.encode(), *parts])}"


def _built(place: Place, version: str) -> Path:
    """Where a wheel that is made for this installation lies: pure Python, for every machine."""
    return place.cache / "wheels" / f"{NAME}-{version}-py3-none-any.whl"


def _short(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()[:_DIGITS]


@dataclass(frozen=True, slots=True)
class Project:
    """The project's folder, of which a copy is built, so that nothing is left in it."""

    folder: Path
    packages: None = None

    @property
    def version(self) -> str:
        return str(tomllib.loads((self.folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])

    def name(self, python: str) -> str:
        files = ((str(file).encode(), (self.folder / file).read_bytes()) for file in self._files())
        return _named(self.version, python, (part for file in files for part in file))

    def _files(self) -> Iterator[Path]:
        for name in _PARTS:
            one = self.folder / name
            for file in sorted(one.rglob("*")) if one.is_dir() else [one]:
                if file.is_file() and not {"__pycache__", "build"} & set(file.parts[len(self.folder.parts) :]):
                    yield file.relative_to(self.folder)

    def wheel(self, place: Place) -> Path:
        return _built(place, self.version)

    def steps(self, place: Place, pip: Sequence[str | Path]) -> list[Step]:
        copy = place.cache / "source"
        build = (*pip, "wheel", "--no-deps", "--wheel-dir", self.wheel(place).parent, copy)
        return [CopyTree(self.folder, _PARTS, copy), Run(build)]


@dataclass(frozen=True, slots=True)
class WheelFile:
    """A wheel."""

    file: Path
    packages: Path | None = None

    @property
    def version(self) -> str:
        """By the name, which pip goes by, too.

        :raises InstallError: it has not the name of a wheel of ours.
        """
        parts = self.file.name.removesuffix(".whl").split("-")
        if parts[0] != NAME or len(parts) not in (5, 6):  # name, version, perhaps a build, Python, ABI, platform
            text = Text("{file}: give the wheel the name that it was built with, such as {name}-0.1.0-py3-none-any.whl")
            raise InstallError(text.filled(file=self.file, name=NAME))
        return parts[1]

    def name(self, python: str) -> str:
        return _named(self.version, python, [self.file.read_bytes()])

    def wheel(self, _place: Place) -> Path:
        return self.file

    def steps(self, _place: Place, _pip: Sequence[str | Path]) -> list[Step]:
        return []

    def differs(self) -> bool:
        """Whether it brings other units, boards or a lock file than those that came with what is running.

        :raises InstallError: it is no wheel.
        """
        mine = shipped(LOCK).parent
        with self._opened() as packed:
            shared = {name.partition(f".data/data/{SHARE}/")[2]: packed.read(name) for name in packed.namelist()}
        used = [name for name in shared if name.startswith(_OF_INSTALLER)]
        return any(not (mine / name).is_file() or (mine / name).read_bytes() != shared[name] for name in used)

    def unpack(self, folder: Path) -> None:
        """Make a folder like the project's, from which it can be installed."""
        shutil.rmtree(folder, ignore_errors=True)
        with self._opened() as packed:
            packed.extractall(folder)
        for data in folder.glob(f"{NAME}-*.data/data"):
            for each in (data / SHARE).iterdir():
                each.rename(folder / each.name)

    @contextmanager
    def _opened(self) -> Iterator[zipfile.ZipFile]:
        try:
            with zipfile.ZipFile(self.file) as packed:
                yield packed
        except (OSError, zipfile.BadZipFile) as error:
            raise InstallError(Text("{file}: is no wheel ({error})").filled(file=self.file, error=error)) from error


@dataclass(frozen=True, slots=True)
class Installed:
    """The package as pip has installed it for somebody, of which a wheel is made again."""

    package: Distribution
    packages: None = None

    @property
    def version(self) -> str:
        return self.package.version

    def name(self, python: str) -> str:
        return _named(self.version, python, [(self.package.read_text("RECORD") or "").encode()])

    def wheel(self, place: Place) -> Path:
        return _built(place, self.version)

    def steps(self, place: Place, _pip: Sequence[str | Path]) -> list[Step]:
        return [Pack(self.package, self.wheel(place))]


@dataclass(frozen=True, slots=True)
class Same:
    """The version that is installed here, and is running this."""

    its_name: str
    packages: None = None

    def name(self, _python: str) -> str:
        return self.its_name

    def wheel(self, place: Place) -> Path:
        return place.versions / self.its_name

    def steps(self, _place: Place, _pip: Sequence[str | Path]) -> list[Step]:
        return []


@dataclass(frozen=True, slots=True)
class Pack:
    """Make a wheel of an installed package."""

    package: Distribution
    path: Path

    def __str__(self) -> str:
        return f"# pack {self.package.locate_file('')}{NAME} into {self.path}"

    def do(self) -> None:
        stem = f"{NAME}-{self.package.version}"
        rows = []
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED) as wheel:
            for name, file in self._files(stem):
                content = file.read_bytes()
                wheel.writestr(name, content)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                rows.append(f"{name},sha256={digest},{len(content)}\n")
            record = f"{stem}.dist-info/RECORD"
            wheel.writestr(record, "".join([*rows, f"{record},,\n"]))

    def _files(self, stem: str) -> Iterator[tuple[str, Path]]:
        """Each file by its name in a wheel; no commands, which pip makes, and nothing that Python has compiled."""
        prefix = Path(sys.prefix).resolve()
        for each in self.package.files or ():
            file = Path(str(self.package.locate_file(each))).resolve()
            if "__pycache__" in each.parts or each.name in _OF_PIP:
                continue
            if ".." not in each.parts:
                yield str(each), file
            elif file.is_relative_to(prefix / "share"):
                yield f"{stem}.data/data/{file.relative_to(prefix)}", file
