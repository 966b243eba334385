"""Parameters of which the gating tier takes a sample; the nightly tier ``long`` takes the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(values: Iterable[Any], every: int, *, several: bool = False) -> list[Any]:
    """The first and every so many-th value stay; the others are marked ``long``.

    :param several: each value is a tuple of several arguments.
    """
    return [
        value if number % every == 0 else pytest.param(*(value if several else (value,)), marks=pytest.mark.long)
        for number, value in enumerate(values)
    ]
