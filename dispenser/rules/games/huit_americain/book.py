"""Huit américain (H-01 to H-12)."""

from dispenser.rules.book import GameBook

HUIT_AMERICAIN = GameBook.of(
    "huit-americain",
    seats=range(2, 9),
    choices={
        "packs": (1, range(1, 5)),
        "jokers": (False, (False, True)),
        "match": ("single", ("single", "points")),
        "scoring": ("winner", ("winner", "own-points")),
        "target": (500, range(50, 2001)),
    },
    sheet="""
Huit américain
Ordinary playing cards: an 8 changes the suit, a 10 makes you play again, and aces pile up.

# The cards and the deal

H-01 The cards
You play with one pack of 52 cards, with two packs, or with packs of 54 that contain two jokers.
Reading: The original text has no rule for the jokers. If they are in, you play a joker as an 8.
The table may choose: packs, jokers

H-02 Dealing
Each player receives eight cards, and one more is turned up. If it is a special card (7, 8, 10 or ace), it goes to the
bottom of the draw pile, and the next one is turned up.
Reading: A joker that is turned up goes to the bottom as well.

H-03 Who begins
The player on the dealer’s left begins, and turns go round clockwise.
Reading: The original text does not say who deals. Everybody draws a card, and the highest one deals first; then the
deal passes to the left.

# Your turn

H-04 Which card fits
Your card fits if it has the same suit or the same rank as the top card of the discard pile. An 8 fits on any card.

H-05 Drawing instead of playing
If you cannot play, or would rather not, draw one card. If it fits, you may play it; otherwise your turn is over.

# The special cards

H-06 The 7
The next player misses a turn.

H-07 The 8
Whoever plays an 8 may ask for a different suit.

H-08 The 10
After a 10 you must play another card, by the same rules; it may be another 10. If you cannot, draw one card, which
you may play if it fits. So nobody goes out on a 10 alone: it has to be covered.

H-09 The ace
The next player draws two cards, or plays another ace. Then the player after that draws four, with a third ace six,
and so on.
Reading: The original text does not say whether a player who draws may still play. Here, drawing for the aces costs
the turn. An ace played as the last card ends the deal at once: nobody answers it, nobody draws.

H-10 Carte forgotten
Say “Carte!” when you play your last card but one. If you forget and are caught (G-03), you draw two cards.

# Points and winning

H-11 Points
Cards left in hand count as follows: an 8 is 50; a 7, a 10 or an ace is 25; a king, a queen or a jack is 10; any other
card is 5. Whoever wins the deal scores all the cards that the others still hold.
Reading: The original text gives the joker no value. We count it as the 8 that it stands for: 50. Nor does it say
clearly who scores; with an option, all players write down their own points.
The table may choose: scoring

H-12 One deal or a longer game
You play either a single deal, won by whoever goes out first, or for points: the first to reach 500 wins.
Reading: Once somebody has no cards left, the deal is over and the last card has no effect: nobody misses a turn for a
7. In a single deal, only the winner scores, whichever way you count.
The table may choose: match, target

# What the table may choose

packs: Packs of cards
How many packs are shuffled together.

jokers: With jokers
Whether each pack keeps its two jokers.

match: Length of the game
“single”: one deal decides. “points”: you play deal after deal, up to a total.

scoring: How points are kept
“winner”: the winner of a deal scores what the others still hold. “own-points”: all write down their own points; when
somebody reaches the total that ends the game, the lowest total wins. A single deal is won by whoever goes out first,
either way.

target: Points to win
The total that wins a game played for points; with “own-points”, the total that ends it.
""",
)
