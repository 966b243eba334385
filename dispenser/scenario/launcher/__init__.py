"""Scenarios of the launcher, played on the simulated one in virtual time: see ``tests/scenarios/README.md``."""
