"""Many matches among bots: how long a game is, who wins, and what the odds of the launcher change in it.

Joins ``dispenser.rules`` and ``dispenser.odds.odds``, which know nothing of each other.
"""
