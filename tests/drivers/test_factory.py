"""Opening a pin factory: the one that was asked for, or an error that says what to do."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import pytest
from gpiozero import BadPinFactory
from pytest_mock import MockerFixture

from dispenser.drivers.base import DriverError, PinsUnavailableError
from dispenser.drivers.pins.factory import open_pin_factory

CLASSES = {"lgpio": "LGPIOFactory", "rpigpio": "RPiGPIOFactory", "pigpio": "PiGPIOFactory"}


def pretend_module(mocker: MockerFixture, name: str, factory: object) -> None:
    module = ModuleType(f"gpiozero.pins.{name}")
    setattr(module, CLASSES[name], factory)
    mocker.patch.dict(sys.modules, {module.__name__: module})


@pytest.mark.parametrize("name", CLASSES)
def test_the_factory_that_was_asked_for_is_opened(mocker: MockerFixture, name: str) -> None:
    mocker.patch.dict(os.environ)
    pretend_module(mocker, name, lambda: f"the {name} factory")
    assert open_pin_factory(name) == f"the {name} factory"


@pytest.mark.parametrize("name", CLASSES)
def test_a_missing_module_names_the_package_and_never_falls_back(mocker: MockerFixture, name: str) -> None:
    mocker.patch.dict(os.environ)
    mocker.patch.dict(sys.modules, {f"gpiozero.pins.{name}": None})
    with pytest.raises(PinsUnavailableError, match=rf"'{name}' is missing.*apt install python3-.*dispenser demo"):
        open_pin_factory(name)


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
    pretend_module(mocker, "lgpio", refuse)
    with pytest.raises(PinsUnavailableError, match=r"no GPIO here.*dispenser demo") as caught:
        open_pin_factory("lgpio")
    assert str(error) in str(caught.value)
    assert isinstance(caught.value, OSError)
    assert isinstance(caught.value, DriverError)


def test_a_mistake_of_ours_is_not_taken_for_a_missing_chip(mocker: MockerFixture) -> None:
    def mistaken() -> None:
        raise TypeError("a mistake")

    mocker.patch.dict(os.environ)
    pretend_module(mocker, "lgpio", mistaken)
    with pytest.raises(TypeError, match="a mistake"):
        open_pin_factory("lgpio")


@pytest.mark.parametrize(
    ("before", "expected"),
    [({"RUNTIME_DIRECTORY": "/run/dispenser"}, "/run/dispenser"), ({"LG_WD": "/elsewhere"}, "/elsewhere")],
)
def test_lgpio_leaves_its_fifos_where_it_may(mocker: MockerFixture, before: dict[str, str], expected: str) -> None:
    mocker.patch.dict(os.environ, before, clear=True)
    pretend_module(mocker, "lgpio", lambda: None)
    open_pin_factory("lgpio")
    assert os.environ["LG_WD"] == expected


def test_a_library_that_changes_the_working_directory_is_brought_back(mocker: MockerFixture, tmp_path: Path) -> None:
    mocker.patch.dict(os.environ, {"RUNTIME_DIRECTORY": str(tmp_path)})
    os.environ.pop("LG_WD", None)
    before = Path.cwd()

    def wandering(_: str) -> object:
        os.chdir(os.environ["LG_WD"])
        raise ImportError("no lgpio")

    mocker.patch("dispenser.drivers.pins.factory.importlib.import_module", side_effect=wandering)
    with pytest.raises(PinsUnavailableError):
        open_pin_factory("lgpio")
    assert os.environ["LG_WD"] == str(tmp_path)
    assert Path.cwd() == before
