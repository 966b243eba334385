"""Mau-Mau (M-01 to M-08)."""

from dispenser.rules.book import GameBook

MAU_MAU = GameBook.of(
    "mau-mau",
    seats=range(2, 7),
    choices={"packs": (1, range(1, 3))},
    sheet="""
Mau-Mau
A jack asks for a suit.

# How it is played

M-01 The cards
A pack of 52.
The table may choose: packs

M-02 The deal
Five cards each.

M-03 Which card fits
The same suit or the same rank.

M-04 Drawing
Who does not play draws one card, and may play it.

M-05 The 7
The next player draws two.

M-06 The jack
It asks for a suit.

M-07 The end
First out wins.

M-08 “Mau”
Forgotten: one card.

# What the table may choose

packs: Packs of cards
How many packs are shuffled together.
""",
)
