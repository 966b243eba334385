"""The first seed of each search: another one every night, and the same again with ``.ci/nightly --seed N TIER``."""

from __future__ import annotations

import os

SEED = int(os.environ.get("DISPENSER_SEED", "0"))
