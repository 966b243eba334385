"""What is said of a game at the table: moves that are written and read back, and what happens, in sentences.

Nothing here knows a game. What a game calls its cards and how it says things is its ``vocabulary.Vocabulary``.
"""
