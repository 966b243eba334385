"""The engine of all games: moves, dealing, demands on the launcher, undo, records.

Knows no game. ``game.Game`` is the face that it shows to the world, ``rules.Rules`` the one that it shows to a game.
"""
