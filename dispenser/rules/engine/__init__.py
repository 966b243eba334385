"""What all games are played with: moves, cards on the move, demands on the launcher, undo, records.

Knows no game. ``game.Game`` is the face that it shows to the world, ``rules.Rules`` the one that it shows to a game.
"""
