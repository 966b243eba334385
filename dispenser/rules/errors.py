"""Moved to ``engine``; to go when nobody asks here any more."""

from dispenser.rules.engine.errors import *  # noqa: F403
