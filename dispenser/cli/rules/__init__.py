"""``dispenser rules``: import its modules, which register the commands."""

from __future__ import annotations

from dispenser.cli.rules import check, page, play, simulate
from dispenser.cli.rules.app import rules_app

__all__ = ["check", "page", "play", "rules_app", "simulate"]
