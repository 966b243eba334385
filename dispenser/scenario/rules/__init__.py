"""Scenarios of the card games: a table, a deal, moves. See ``tests/scenarios/rules/README.md``."""
