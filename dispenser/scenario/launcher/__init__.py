"""Scenarios of the launcher: timed steps and expectations in a file, played on the simulated launcher in virtual time.

What a hobbyist puts into a bug report, and what the tests of this project are made of. The format is documented in
``tests/scenarios/README.md``.
"""

from __future__ import annotations

from dispenser.scenario.launcher.expectations import Finding
from dispenser.scenario.launcher.format import Scenario, parse
from dispenser.scenario.launcher.runner import Play, play

__all__ = ["Finding", "Play", "Scenario", "parse", "play"]
