"""151 (C-01 to C-16)."""

from dispenser.rules.book import GameBook

CENT_CINQUANTE_ET_UN = GameBook.of(
    "151",
    seats=range(2, 13),
    choices={
        "packs": (0, range(5)),
        "eight-anywhere": (False, (False, True)),
        "joker-points": (150, range(201)),
        "limit": (151, range(50, 1001)),
    },
    sheet="""
151
Frozen piles, jokers that can be any card, and the first to 151 points loses.

# The cards and the deal

C-01 The cards
You play with packs of 54 cards, jokers included, and take as many packs as the table needs. Ten to twelve players
take two.
Reading: The original text leaves the number to the table for fewer players. Unless you choose, it is one pack for up
to six players and two for more.
The table may choose: packs

C-02 Who deals
Whoever draws the lowest card deals first. After that, each player deals in turn.

C-03 Dealing
Each player receives five cards, dealt one at a time.

C-04 The first card
The next card is turned up. If it is a special card (2, 6, 8, 10, queen, ace or joker), it acts as if the dealer had
played it.

# Your turn

C-05 Which card fits
Your card fits if it has the same suit or the same rank as the top card of the discard pile.
Reading: The original text does not say whether an 8 fits on any card. Here it has to fit like any other card, except
on a frozen pile (C-11); with an option, it fits on any card.
The table may choose: eight-anywhere

# The special cards

C-06 The 2
The next player draws two cards and does not play.

C-07 The 6
The turn jumps to the player sitting opposite.
Reading: The original text does not say who sits opposite when the number of players is odd. We count half the number
of players, rounded down, in the direction of play.

C-08 The 8
Its player names the next suit.

C-09 The 10
From now on, turns go round the other way.

C-10 The queen
Its player may play again, with a card that fits. But in the very first turn that you play, you may not go out.
Reading: A turn that a 2 takes from you (C-06) does not count as your first; a turn in which you only draw does.

C-11 The ace
An ace freezes the discard pile. Only these may be played on it: another ace, which keeps it frozen; an 8, which thaws
it and names a suit; or a joker that stands for one of the two.

C-12 The joker
A joker stands for any card that you could play there. Its player says which one, and it acts as that card.

C-13 Drawing instead of playing
If you cannot play, or would rather not, draw one card. If it fits, you may play it; otherwise your turn is over. This
does not apply after a 2, where you draw two cards (C-06).

# The end of a deal

C-14 Saying Carte
Say “Carte” before you play your last card but one. If you forget and are caught before the next player has played,
you draw one card. If you have just played an 8 or a joker, name the suit or the card that you want before you look at
the card you drew.

C-15 Points
Whoever goes out takes 10 points off their total. The others count their hands: an 8 is 32, an ace 11, a king, queen
or jack 10, and any other card its number. A joker is 150, as in the original text, unless you set another value.
Reading: The last card ends the deal and has no effect: nobody draws for a 2.
The table may choose: joker-points

C-16 Who loses
The first player to reach 151 points or more loses. If several get there in the same deal, the one furthest over
loses.
The table may choose: limit

# What the table may choose

packs: Packs of cards
How many packs are shuffled together; 0 takes as many as the number of players needs.

eight-anywhere: An 8 on anything
Whether an 8 may be played on any card.

joker-points: Points for a joker
What a joker counts when it is still in hand.

limit: Points that lose
The total at which a player loses.
""",
)
