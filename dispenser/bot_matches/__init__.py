"""Simulate many matches among bots: length of a game, wins by seat, effect of the odds.

Joins ``dispenser.rules`` and ``dispenser.odds.odds``, which know nothing of each other.
"""
