"""Uno vache (V-01 to V-24)."""

from dispenser.rules.book import GameBook

UNO_VACHE = GameBook.of(
    "uno-vache",
    seats=range(2, 11),
    choices={
        "white": (0, range(5)),
        "cancel-anyway": (False, (False, True)),
    },
    sheet="""
Uno vache
Uno with harsh house rules: “+” cards pile up, hands change owners, and players jump in out of turn.

# The cards and the deal

V-01 The deck
You play with the Uno deck. Up to four white cards may be added; normally there are none.
The table may choose: white

V-02 Dealing
Each player receives seven cards. The dealer decides which way round play goes.
Reading: The original text lets the others choose who deals. If the table names nobody, everybody draws a card, and
the highest one deals, as in Uno (U-02).

V-03 A special card to start with
If the first card is special, it acts before anybody has played, as in Uno (U-04 to U-08).
Reading: The list in the original text is lost, so we take the rules of Uno. A 0 or a white card turned up first does
nothing.

# Your turn

V-04 Which card fits
Your card fits if it has the same colour, the same number or the same symbol as the top card of the discard pile. A
Wild fits on any card except a “+” that nobody has drawn for yet.

V-05 Drawing instead of playing
If you cannot play, draw one card and your turn is over. You may not play the card that you have just drawn.

# The special cards

V-06 Wild
As in Uno: its player names the next colour.

V-07 Reverse
As in Uno: turns go round the other way from now on.

V-08 Skip
As in Uno: the next player misses a turn. You may play a Skip on another Skip, too.

# The “+” cards

V-09 Stacking a +2
After a +2, the next player may add another +2 or a +4; the total then passes on to the player after that. Whoever
adds nothing draws the whole total and misses a turn.

V-10 Stacking a +4
Once a +4 is on top, only another +4 may be added to it.

# Out of turn

V-11 Jump-in
Do you hold a card identical to the one just played, in value and colour, or the same wild? Then you may play it out
of turn, before the player whose turn it is has played. Play goes on from you.
Reading: Drawing or taking the cards counts as playing: after that, it is too late.

V-12 Jumping in on yourself
You may jump in on your own card, too.

# The 0

V-13 Hands go round
When a 0 is played, all players who have cards pass their whole hand to the next player in the direction of play.
Whoever then has one card says “UNO”. A player who had one card before, and again has one, need not say anything.

# Cancelling a “+” chain

V-14 Cancelling
If you hold no “+”, you can cancel a chain of “+” cards with a number card. Its colour must be that of the last +2, or
the one named with the +4, and its number must be the total to draw. If the total is over 9, add its digits until one
digit is left. The player who started the chain then draws the whole total.
Reading: The player who started the chain may cancel it too, even with their last card: then they draw the total and
are not out. If they are already out, nobody draws.
The table may choose: cancel-anyway

V-15 Cancelling out of turn
You may play the cancelling card even when it is not your turn. Play then goes on with the player after the last one
who played a “+”.

# White cards and conduct

V-16 White card
Whoever plays a white card swaps any two hands at the table. Their own may be one of them, and so may the empty hand
of a player who is already out.
Reading: Two hands must be swapped. On a white card, you may play a card of the colour from before it, or a wild card.

V-17 Breaking the rules of conduct
A wrong card, a card out of turn or a forgotten announcement costs one penalty card.
Reading: The list of faults is missing from the original text. So the table says when there is one, and the player at
fault draws one card.

# Going out

V-18 When the game stops
Once out, a player stays out, unless a white card brings them back (V-16). The game stops when only two players still
have cards, or three if you were six or more at the start.
Reading: The original text does not say how a small table ends. With fewer than four players, the game goes on until
only one still has cards.

V-19 No black card to finish
You cannot go out on a black card, Wild or +4. If it is your last card, play it, name a colour, draw one card and say
“UNO”.

V-20 A special card to finish
A special card played last still acts on the next players, as always.
Reading: When the game stops with it (V-18), nobody answers a “+” any more: the next player draws the whole total, and
the game is over.

V-21 A 0 to finish
If your last card is a 0, you are not out: you get the hand of the player before you. The player after you gets your
empty hand, and goes out instead.

V-22 Saying UNO
Say “UNO” when you play your last card but one. If you forget and are caught (G-03), you draw one card.
Reading: After a card played out of turn (V-11, V-15), as after any other card, it is too late to catch somebody.

V-23 Saying OU PAS
If you have said “UNO” and are about to get more cards, say “OU PAS” just before you take them. If you forget and are
caught, you draw one card.

V-24 The ranking
Players rank in the order in which they went out.

# What the table may choose

white: White cards
How many white cards are shuffled in.

cancel-anyway: Cancelling with a “+” in hand
Whether a player who holds a “+” may cancel a chain, too.
""",
)
