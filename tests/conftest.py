"""What several test folders share."""

from __future__ import annotations

import gc
import heapq
import inspect
import itertools
import os
import random
import secrets
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings

from tests.kernel_gpio import Board, Launchers, shim

# The gating tiers give the same answer every time. ``.ci/nightly properties`` explores, from a seed that it prints.
settings.register_profile("gating", deadline=None, derandomize=True, database=None, max_examples=25)
settings.register_profile("nightly", deadline=None, database=None, max_examples=1000, print_blob=True)
settings.load_profile("gating")

# A shell that starts the tests in the background, or by nohup, has them ignore Ctrl-C, or that the terminal closes, and
# so would every program they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
for _ending in (signal.SIGHUP, signal.SIGQUIT):
    signal.signal(_ending, signal.SIG_DFL)


def pytest_collection_finish() -> None:
    """Keep the ten thousand collected tests out of every later garbage collection: 8 % of the time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """An async test is played in virtual time."""
    test = pyfuncitem.obj
    if not inspect.iscoroutinefunction(test):
        return None
    from tests.service.test_service import play

    play(partial(test, **{name: pyfuncitem.funcargs[name] for name in inspect.signature(test).parameters}))
    return True


@pytest.fixture(autouse=True)
def _same_entropy_every_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Secrets, codes, shuffles and physics of a test are the same in each run: none is red by chance."""
    dice = random.Random(request.node.nodeid)
    monkeypatch.setattr(os, "urandom", dice.randbytes)
    monkeypatch.setattr(secrets, "token_hex", lambda size=32: dice.randbytes(size).hex())
    monkeypatch.setattr(secrets, "choice", dice.choice)
    monkeypatch.setattr(secrets, "randbits", dice.getrandbits)
    monkeypatch.setattr(secrets, "randbelow", dice.randrange)


@dataclass(order=True)
class _Timer:
    when: float
    number: int
    callback: Callable[[], object] = field(compare=False)
    cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        self.cancelled = True


class FakeScheduler:
    """A clock that stands still until it is told to go on; keeps the ``Scheduler`` contract of the drivers."""

    def __init__(self, now: float = 100.0) -> None:
        self._now = now
        self._heap: list[_Timer] = []
        self._number = itertools.count()

    def time(self) -> float:
        return self._now

    def call_at(self, when: float, callback: Callable[[], object]) -> _Timer:
        timer = _Timer(when, next(self._number), callback)
        heapq.heappush(self._heap, timer)
        return timer

    def call_soon_threadsafe(self, callback: Callable[[], object]) -> _Timer:
        return self.call_at(self._now, callback)

    def run_for(self, seconds: float) -> None:
        """Let time pass; timers fire in order, at their time."""
        end = self._now + seconds
        while self._heap and self._heap[0].when <= end:
            timer = heapq.heappop(self._heap)
            self._now = max(self._now, timer.when)
            if not timer.cancelled:
                timer.callback()
        self._now = end

    def hold_up(self, seconds: float) -> None:
        """Let time pass in which no timer fires; those that are due fire late."""
        self._now += seconds

    def settle(self) -> None:
        """Everything that is due now."""
        self.run_for(0.0)

    @property
    def pending(self) -> int:
        return sum(not timer.cancelled for timer in self._heap)


@pytest.fixture(scope="session")
def gpio_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shim(tmp_path_factory.mktemp("shim"))


@pytest.fixture
def board(gpio_library: Path, tmp_path: Path) -> Iterator[Board]:
    """A GPIO chip for programs under test."""
    (tmp_path / "board").mkdir()
    board = Board(tmp_path / "board", gpio_library)
    yield board
    board.close()


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    """A runtime directory."""
    (tmp_path / "runtime").mkdir()
    return tmp_path / "runtime"


@pytest.fixture
def launchers(board: Board, runtime: Path) -> Iterator[Launchers]:
    """Launchers on that chip, with that runtime directory."""
    launchers = Launchers(board, runtime)
    yield launchers
    launchers.end()
