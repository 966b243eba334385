"""A fixture that the gating tests define for themselves."""

from __future__ import annotations

from tests.cli.test_calibrate import config

__all__ = ["config"]
