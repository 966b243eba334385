"""Write moves, read them back, and describe events, in English and French.

Independent of any game. A game's names and sentences are in its ``vocabulary.Vocabulary``.
"""
