"""Opening a pin factory: the one that was asked for, or an error that says what to do."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gpiozero import BadPinFactory
from pytest_mock import MockerFixture

from dispenser.drivers.base import DriverError, PinsUnavailableError
from dispenser.drivers.gpio.factory import open_pin_factory


def pretend_module(mocker: MockerFixture, factory: object) -> None:
    module: Any = ModuleType("gpiozero.pins.lgpio")
    module.LGPIOFactory = factory
    mocker.patch.dict(sys.modules, {module.__name__: module})


def test_a_missing_module_names_the_package_and_never_falls_back(mocker: MockerFixture) -> None:
    mocker.patch.dict(os.environ)
    mocker.patch.dict(sys.modules, {"gpiozero.pins.lgpio": None})
    with pytest.raises(PinsUnavailableError, match=r"lgpio is missing.*apt install python3-lgpio.*dispenser demo"):
        open_pin_factory()


class LibraryError(Exception):
    """As lgpio's own: a bare exception of its module."""


LibraryError.__module__ = "lgpio"


@pytest.mark.parametrize(
    "error",
    [
        BadPinFactory("not a Pi"),
        OSError(2, "No such file"),
        PermissionError(13, "no"),
        LibraryError("cannot open gpiochip"),
    ],
)
def test_a_chip_that_cannot_be_opened_says_so_with_a_remedy(mocker: MockerFixture, error: Exception) -> None:
    def refuse() -> None:
        raise error

    mocker.patch.dict(os.environ)
    pretend_module(mocker, refuse)
    with pytest.raises(PinsUnavailableError, match=r"no GPIO here.*dispenser demo") as caught:
        open_pin_factory()
    assert str(error) in str(caught.value)
    assert isinstance(caught.value, OSError)
    assert isinstance(caught.value, DriverError)


@pytest.mark.parametrize("service", [True, False])
@pytest.mark.parametrize("error", [None, ImportError("no lgpio"), OSError("no chip")])
def test_lgpio_has_a_folder_of_its_own_and_nothing_is_left_of_it(
    mocker: MockerFixture, tmp_path: Path, service: bool, error: Exception | None
) -> None:
    """Of two programs in one folder, each would hear edges of the other."""
    runtime, temporary = tmp_path / "runtime", tmp_path / "temporary"
    runtime.mkdir()
    temporary.mkdir()
    mocker.patch("tempfile.tempdir", str(temporary))
    mocker.patch.dict(os.environ, {"RUNTIME_DIRECTORY": f"{runtime}:/other"} if service else {}, clear=True)
    before, environment = Path.cwd(), dict(os.environ)
    home: list[Path] = []

    def lgpio() -> object:
        """As when it is imported: it changes into its folder and makes a FIFO there."""
        os.chdir(os.environ["LG_WD"])
        home.append(Path.cwd())
        os.mkfifo(".lgd-nfy0")
        if error is not None:
            raise error
        return mocker.Mock()

    pretend_module(mocker, lgpio)
    for _ in range(2):
        try:
            open_pin_factory()
        except PinsUnavailableError:
            assert error is not None
    assert {path.parent for path in home} == {runtime if service else temporary}
    assert len(set(home)) == 2
    assert sorted(tmp_path.rglob("*")) == [runtime, temporary]
    assert Path.cwd() == before
    assert os.environ == environment
