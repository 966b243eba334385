"""``dispenser rules``: importing its modules here makes the commands known."""

from __future__ import annotations

from dispenser.cli.rules import check, page, play, simulate
from dispenser.cli.rules.app import rules_app

__all__ = ["check", "page", "play", "rules_app", "simulate"]
