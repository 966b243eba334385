"""Uno (U-01 to U-21)."""

from dispenser.rules.book import GameBook

UNO = GameBook.of(
    "uno",
    seats=range(2, 11),
    choices={
        "scoring": ("winner", ("winner", "low-score")),
        "target": (500, range(50, 2001)),
    },
    sheet="""
Uno
The classic: match the colour, the number or the symbol, and bluff with a +4 if you dare.

# The cards and the deal

U-01 The deck
There are 108 cards. Each of the four colours has a single 0, every number from 1 to 9 twice, two +2, two Reverse and
two Skip. The cards without a colour are four Wild and four +4.

U-02 Who deals
At the start of each round everybody draws one card, and whoever has the highest number deals. Action cards count as 0
for this.

U-03 Dealing and starting
Each player receives seven cards, and the next card is turned up to start the discard pile. The player on the dealer’s
left begins.

# A special card to start with

U-04 +2 as the first card
The player who would have begun draws two cards and misses a turn.

U-05 Reverse as the first card
The player on the dealer’s right begins, and play goes to the right.

U-06 Skip as the first card
The first player on the dealer’s left misses a turn, so the second on the left begins.
Reading: The original text lets the second player on the right begin, although it has the first player on the left. We
count to the left.

U-07 Wild as the first card
The dealer names the colour to start with.

U-08 +4 as the first card
The +4 returns to the draw pile, and another card is turned up.

# Your turn

U-09 Which card fits
Your card fits if it has the same colour, the same number or the same symbol as the top card of the discard pile. A
Wild always fits.

U-10 Drawing instead of playing
If you cannot play, or would rather not, draw one card. If it fits, you may play it at once, but no other card.
Otherwise your turn is over.

# The special cards

U-11 +2
You may play it on its own colour or on another +2. The next player draws two cards and misses a turn; answering with
another +2 is not allowed.

U-12 Reverse
From now on, turns go round the other way.
Reading: The original text does not say what it does with two players. Here it works like a Skip.

U-13 Skip
The next player misses a turn.

U-14 Wild
Its player names the next colour.

U-15 +4
You name the colour; the next player draws four cards and misses a turn. You may play it only if no other card in your
hand fits. But nobody sees your hand: you can bluff, and hope that nobody challenges it (U-16).
Reading: A second +4 does not count as another card that fits. A +4 that you have just drawn is a bluff too, if one of
your other cards fits.

U-16 Challenging a +4
Before drawing, the next player may ask to see the hand of whoever played the +4. If it was a bluff, that player takes
the +4 back and draws four cards, and their turn is over. If it was not, the challenger draws six cards and misses a
turn.
Reading: The original text does not say which card is on top after a bluff. It is the card beneath, with the colour
that it had, and the challenger plays. So this card is not shuffled with the others as long as the +4 can be
challenged (G-01). A +4 played as the last card can be challenged too, but is never a bluff.

# Penalties and the end of a round

U-17 UNO forgotten
If you forget to say “UNO” and are caught (G-03), you draw two cards.

U-18 Remarks and advice
A remark at the wrong moment, or advice to another player, costs four cards.

U-19 Ending on a +2 or +4
If the last card is a +2 or a +4, the next player draws the cards first, and only then are the hands counted.
Reading: Whoever has played their last card has won the round: nothing that comes afterwards changes that.

# Points and winning

U-20 Points
A card from 0 to 9 counts its number. +2, Reverse and Skip count 20 each, Wild and +4 count 50 each. Whoever wins the
round scores all the cards that the others still hold. The first to reach 500 wins the game.
The table may choose: scoring, target

U-21 The lowest total wins
If you choose this way of scoring, all players write down the points of their own hand after each round. When somebody
reaches 500, the game is over and the lowest total wins.
The table may choose: scoring, target

# What the table may choose

scoring: How points are kept
“winner”: the winner of a round scores (U-20). “low-score”: all write down their own points, and the lowest total wins
(U-21).

target: Points that end the game
The total that ends the game when somebody reaches it.
""",
)
