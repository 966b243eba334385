"""Scenarios of the launcher, played by the simulator in virtual time: see ``tests/scenarios/README.md``."""
