"""The five games a second time, written from the rule text alone by somebody who had not read the engine.

Both play the same matches, move by move and card by card, and must agree after each; see
:mod:`tests.nightly.search.second_rules.beside` for what is compared and what is tolerated.

By hand: ``python -m tests.nightly.search.second_rules GAME FROM TO``, with the first seed and the one after the last.
"""
