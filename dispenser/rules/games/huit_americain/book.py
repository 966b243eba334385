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
Ordinary playing cards: an 8 changes the suit, a 10 plays again, and aces pile up.

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
Your card fits if it has the same suit or the same rank as the top card of the discard pile. An 8 fits on everything.

H-05 Drawing instead of playing
If you cannot play, or would rather not, draw one card. If it fits, you may play it.

# The special cards

H-06 The 7
The next player misses a turn.

H-07 The 8
Whoever plays an 8 may ask for a different suit.

H-08 The 10
After a 10 you must play once more, under the same rules, and you may follow it with another 10. If you cannot, draw
one card, which you may play if it fits. So nobody goes out with a bare 10: it has to be covered.

H-09 The ace
The next player draws two cards, unless that player has an ace and plays it. Then the one after draws four, with a
third ace six, and so on.
Reading: The original text does not say whether whoever draws still plays. Here, drawing for the aces uses up the
turn. An ace laid as the last card ends the deal at once: nobody answers it, nobody draws.

H-10 Carte forgotten
When you lay your last card but one, you say “Carte!”. If you forget and are caught (G-03), you draw two cards.

# Points and winning

H-11 Points
Cards left in hand count as follows: an 8 is 50; a 7, a 10 or an ace is 25; a king, a queen or a jack is 10; any other
card is 5. Whoever wins the deal scores what the others hold.
Reading: The original text gives the joker no value. We count it as the 8 that it stands for: 50. Who scores is not
quite clear there either; the option lets each write down their own points.
The table may choose: scoring

H-12 One deal or a longer game
You play either a single deal, won by whoever has no card left first, or for points: the first to reach 500 wins.
Reading: Once somebody has no card left, the deal is over, and the last card does nothing any more: nobody misses a
turn for a 7. In a single deal only its winner scores, however you count.
The table may choose: match, target

# What the table may choose

packs: Packs of cards
How many packs are shuffled together.

jokers: With jokers
Whether each pack keeps its two jokers.

match: Length of the game
“single”: one deal decides. “points”: you play deal after deal, up to a total.

scoring: Counting
“winner”: whoever wins the deal scores what the others hold. “own-points”: everybody writes down what is left in their
own hand; when somebody has the points of the end, the lowest total wins. A game of a single deal is won by whoever
goes out first, either way.

target: Points to win
The total that wins, or with “own-points” ends, a game played for points.
""",
)
