"""Moved to ``engine``; to go when nobody asks here any more."""

from dispenser.rules.engine.scoring import *  # noqa: F403
