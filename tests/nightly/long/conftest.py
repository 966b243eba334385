"""Fixtures that the gating tests define for themselves."""

from __future__ import annotations

from tests.cli.test_calibrate import config
from tests.system.test_backup import kept, place

__all__ = ["config", "kept", "place"]
