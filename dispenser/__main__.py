"""``python -m dispenser``: the same as the command ``dispenser``."""

from __future__ import annotations

from dispenser.cli import main

main()
