"""``dispenser rules``: one module a command; importing them here makes them known."""

from __future__ import annotations

from dispenser.cli.rules import book, check, play, replay, simulate
from dispenser.cli.rules.app import rules_app

__all__ = ["book", "check", "play", "replay", "rules_app", "simulate"]
