"""``dispenser rules``: one module a command; importing them here makes them known."""

from __future__ import annotations

from dispenser.cli import rules_check, rules_play, rules_replay, rules_simulate
from dispenser.cli.rules_book import rules_app

__all__ = ["rules_app", "rules_check", "rules_play", "rules_replay", "rules_simulate"]
