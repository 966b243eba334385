"""What the tests in Chromium share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser import rig


@pytest.fixture(scope="session", autouse=True)
def _one_browser() -> Iterator[None]:
    rig.begin()
    yield
    rig.end()
