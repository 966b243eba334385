"""People at a table who hold real cards, and tell the table what people tell: not all of it, not always right.

Nothing here goes by the table's own account of the cards. A stack, a talon and hands of real cards stand beside it; the
launcher lets out real cards of the stack, and not always those that it says. In calm moments the two are compared.
"""
