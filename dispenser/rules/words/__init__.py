"""Write moves, read them back, and describe events, in English and French.

Nothing here knows a game. What a game calls its cards and how it says things is its ``vocabulary.Vocabulary``.
"""
