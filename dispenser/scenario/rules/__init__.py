"""Rule scenarios: a table, a deal and moves in a file, with what must follow from each.

What somebody writes who says "that is not how this card is played", and what the tests of the rules are made of. The
format is documented in ``tests/scenarios/rules/README.md``. Pure: a scenario comes in as the tables that a TOML reader
makes of its file.
"""

from __future__ import annotations

from dispenser.scenario.rules.format import Scenario, parse
from dispenser.scenario.rules.player import Finding, play

__all__ = ["Finding", "Scenario", "parse", "play"]
