"""What forks often, in a process that is quick to fork."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


def in_a_small_process(function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """The result of a function of a module, from a fresh interpreter.

    ``Mcu.sweep`` forks at each phase. That takes as long as there is memory: 20 ms of a test run, 1 ms of this.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *args, **kwargs).result()
