"""``dispenser rules``: one module a command; importing them here makes them known."""

from __future__ import annotations

from dispenser.cli.rules import check, play, replay, simulate
from dispenser.cli.rules.book import rules_app

__all__ = ["check", "play", "replay", "rules_app", "simulate"]
