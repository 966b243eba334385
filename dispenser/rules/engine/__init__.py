"""The engine of all games: moves, dealing, demands on the launcher, undo, records.

Independent of any game. ``game.Game`` is its public API, ``rules.Rules`` the base class that a game extends.
"""
