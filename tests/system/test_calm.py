"""Garbage is collected at rest and at no other time."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from dispenser.system import calm


@pytest.fixture(autouse=True)
def calmly() -> Iterator[None]:
    switch_s = sys.getswitchinterval()
    calm.begin()
    yield
    calm.end()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    assert sys.getswitchinterval() == switch_s


@pytest.fixture
def collections() -> Iterator[list[int]]:
    """The generation of each collection from now on."""
    seen: list[int] = []

    def note(phase: str, about: dict[str, int]) -> None:
        if phase == "start":
            seen.append(about["generation"])

    gc.callbacks.append(note)
    yield seen
    gc.callbacks.remove(note)


def litter(objects: int) -> None:
    """Objects that only a collection can free."""
    for _ in range(objects // 2):
        here: list[object] = []
        here.append([here])


def test_what_was_there_at_the_start_is_there_to_stay() -> None:
    assert gc.get_freeze_count() > 10_000


def test_nothing_is_collected_when_it_happens_to_be_time_for_it(collections: list[int]) -> None:
    litter(200_000)
    assert collections == []


def test_nothing_is_collected_while_the_motor_may_turn(collections: list[int]) -> None:
    litter(100_000)
    calm.tidy(resting=False)
    assert collections == []


def test_at_rest_it_is_and_once_is_enough(collections: list[int]) -> None:
    litter(100_000)
    frozen = gc.get_freeze_count()
    calm.tidy(resting=True)
    calm.tidy(resting=True)
    assert collections == [2]
    assert gc.get_freeze_count() == frozen, "garbage is not there to stay"


def test_little_garbage_is_no_reason(collections: list[int]) -> None:
    litter(calm.WORTH_COLLECTING // 2)
    calm.tidy(resting=True)
    assert collections == []


def test_much_that_stays_is_put_aside_once() -> None:
    frozen = gc.get_freeze_count()
    kept = [[number] for number in range(2 * calm.LASTING)]
    calm.tidy(resting=True)
    assert gc.get_freeze_count() - frozen >= len(kept)


def test_a_thread_waits_less_for_the_interpreter() -> None:
    assert sys.getswitchinterval() == pytest.approx(calm.SWITCH_S)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module that needs another one."""
    name = f"needs_another_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(f"import another_{tmp_path.name} as another\n")
    (tmp_path / f"another_{tmp_path.name}.py").write_text("VALUE = 7\n")
    monkeypatch.syspath_prepend(tmp_path)
    return name


def test_an_import_waits_before_each_module_for_as_long_as_the_motor_may_turn(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calm, "LOOK_S", 0.0)
    moments = iter([True, True, True, False, True, False])
    module = calm.import_at_rest(package, lambda: next(moments), lambda: True)
    assert module.another.VALUE == 7
    assert next(moments, "both were waited for") == "both were waited for"


def test_other_threads_import_as_usual_meanwhile(package: str) -> None:
    others: list[object] = []

    def look() -> bool:
        other = threading.Thread(target=lambda: others.append(import_module("this_is_not_there_either")))
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, "this_is_not_there_either", sys)
            other.start()
            other.join()
        return False

    calm.import_at_rest(package, look, lambda: True)
    assert others == [sys, sys]


def test_an_import_that_is_not_wanted_any_more_ends(package: str) -> None:
    wanted = iter([True, False])
    before = list(sys.meta_path)
    with pytest.raises(ImportError, match="not wanted any more"):
        calm.import_at_rest(package, lambda: False, lambda: next(wanted))
    assert sys.meta_path == before
