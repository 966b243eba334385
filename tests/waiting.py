"""Waiting for what another process or thread does. The limit is no measure of speed: it ends a test that hangs."""

from __future__ import annotations

import time
from collections.abc import Callable

LIMIT_S = 120.0
_LOOK_S = 0.01


def wait_until(is_so: Callable[[], object], what: str = "") -> None:
    """Return as soon as a condition holds.

    :param what: is waited for; the failure names it.
    :raises AssertionError: it did not come in ``LIMIT_S``.
    """
    end_s = time.monotonic() + LIMIT_S
    while not is_so():
        assert time.monotonic() < end_s, f"not so after {LIMIT_S:g} s: {what or is_so}"
        time.sleep(_LOOK_S)
