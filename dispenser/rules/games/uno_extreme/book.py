"""Uno Extrême (E-01 to E-32)."""

from dispenser.rules.book import FreeText, GameBook

UNO_EXTREME = GameBook.of(
    "uno-extreme",
    seats=range(2, 11),
    choices={
        "customizable": (3, range(4)),
        "custom-rule": ("", FreeText(200)),
        "scoring": ("winner", ("winner", "low-score", "elimination")),
        "target": (500, range(50, 2001)),
        "reload-at": (52, range(10, 113)),
    },
    sheet="""
Uno Extrême
A button instead of a draw pile: press it, and the launcher throws you several cards or none at all.

# The cards

E-01 The deck
There are 112 cards. Each of the four colours has every number from 1 to 9 twice, two Press 2, one Reverse, two Skip
and two Discard All. The cards without a colour are four Wild, four Extreme Hit, three Customizable and a single
Press 4.

E-02 How many Customizable cards
Before the game, the table agrees how many of the three Customizable cards are shuffled in; it may be none. Unless you
agree otherwise, all three are in.
The table may choose: customizable

# Setting up

E-03 Who deals
Everybody draws one card, and whoever has the highest number deals. Action cards count as 0 for this. If several share
the highest number, they draw again.

E-04 Dealing and starting
Each player receives seven cards, and the next card is turned up to start the discard pile. All the others go into the
launcher: shut the lid and switch on. One beep tells you that the lid is shut. The player on the dealer’s left begins,
and turns go round clockwise.

E-05 Reverse as the first card
The dealer plays first, and play goes to the right.

E-06 Skip as the first card
The first player on the dealer’s left misses a turn, and the second on the left begins.

E-07 Press 2 as the first card
The first player on the dealer’s left presses the button twice, and the second on the left begins.

E-08 Wild as the first card
The first player on the dealer’s left names a colour and then plays.

E-09 Press 4 as the first card
The first player on the dealer’s left presses the button four times, and the second on the left begins.
Reading: The original text does not say who names the colour. We leave it to the player who begins.

E-10 Customizable as the first card
The first player on the dealer’s left names the colour and begins.

E-11 Extreme Hit as the first card
The card is put back among the others, and another one is turned up.
Reading: The original text says nothing about this case. Nobody has played the card, so nobody could pick a player: we
start with another one.

E-12 Discard All as the first card
It counts as an ordinary card of its colour; nobody plays other cards with it.
Reading: The original text says nothing about this case. Here the card sets the colour and nothing more.

# Your turn

E-13 Which card fits
Your card fits if it has the same colour, the same number or the same symbol as the top card of the discard pile.

E-14 Pressing instead of playing
If you cannot play, or would rather not, press the button once. The cards that come out go into your hand; there may
be none. Either way, your turn is over, and you may not play the cards that you have just received.

# The action cards

E-15 Reverse
From now on, turns go round the other way.

E-16 Skip
The next player misses a turn and does not press.

E-17 Press 2
The next player presses the button twice and misses a turn.

E-18 Discard All
With this card you play every other card of its colour in your hand. The Discard All ends up on top, and only its own
symbol counts. You may play it on its own colour or on another Discard All.
Reading: The original text does not say whether you may finish with it. You may: an empty hand wins the round. Wild
cards have no colour, so they stay in your hand.

E-19 Wild
You may play it on any card, whenever it is your turn, even if another of your cards fits. You name the next colour;
it may stay the same.

E-20 Press 4
This is a wild card, so you name the colour. The next player presses the button four times and misses a turn.

E-21 Extreme Hit
This is a wild card: name the colour and pick any other player. Turn the launcher towards them and press the button
twice yourself; the cards that come out are theirs. After that, the next player plays as usual, and nobody misses a
turn.
Reading: The original text says that “the second player from you” goes on. We count the one who played the card as the
first: the second is the next player.

E-22 Customizable
This is a wild card, so you name the colour. Your table has written its rule, which is shown when the card is played.
Do what it says; the table says when it is done. You can also enter its effect as presses for one player after the
other; once they are all made, it is done.
The table may choose: custom-rule

# The end of a round and penalties

E-23 When the round is over
The round ends once somebody has no cards left and the effect of the last card has been carried out. A last Extreme
Hit is played in full: its player still picks somebody and presses twice.
Reading: The original text speaks only of the Extreme Hit. We treat a last Press 2, Press 4 or Customizable in the
same way. Whoever has played their last card has won: nothing that comes out afterwards changes that, and they can no
longer get a penalty.

E-24 UNO forgotten
If you forget to say “UNO” and are caught (G-03), you press the button twice.
Reading: The original text does not say whether this costs you your turn. Here, a penalty never does.

E-25 Giving advice
If you tell another player what to play, you press the button four times.
Reading: The original text does not say whether this costs you your turn. Here, a penalty never does.

# Points and winning

E-26 What the cards count
A card from 1 to 9 counts its number. Reverse, Skip and Press 2 count 20 each, Discard All 30, Press 4 40. Wild,
Extreme Hit and Customizable count 50 each. Whoever wins the round scores all the cards that the others still hold.

E-27 Winning the game
The first player with 500 points or more wins the game.
The table may choose: scoring, target

E-28 The lowest total wins
If you choose this way of scoring, all players write down the points of their own hand after each round. When somebody
has more than 500, the game is over and the lowest total wins.
Reading: The original text says both “go over” and, a line above, “reach or go over”. With exactly 500, the game goes
on.
The table may choose: scoring, target

# Other ways to play

E-29 Two players
With two players, a Reverse or a Skip gives you another turn at once. With a Press 2, your opponent presses twice, and
then you play again.
Reading: The original text does not mention Press 4 here. We treat it in the same way: your opponent presses four
times, and you play again.

E-30 Elimination
If you choose this way of scoring, all players add up, round after round, the points left in their own hand. Whoever
goes over the limit, normally 500, is out. When only two are left, the rule for two players applies (E-29). The last
player still in wins.
Reading: The original text does not say who wins when everybody still in goes over the limit in the same round.
Whoever has won that round (E-23) stays in, and so wins the game.
The table may choose: scoring, target

# The launcher at the table

E-31 Reloading
When the discard pile is as big as a pack of cards, normally 52, or when the launcher is empty, the table is asked to
reload. Leave the top card and pick up the rest of the discard pile. Shuffle, put the cards into the launcher and shut
the lid. The game goes on.
The table may choose: reload-at

E-32 Where the launcher points
Turn the launcher towards the player who has to press, no matter whose turn it is; the table is told who that is. Only
for an Extreme Hit, turn it towards the player who was picked (E-21).

# What the table may choose

customizable: Customizable cards
How many of these cards are in the deck.

custom-rule: The rule on the Customizable cards
The words that your table has written on these cards. They are shown when one is played.

scoring: How points are kept
“winner”: the winner of a round scores (E-27). “low-score”: all write down their own points, and the lowest total wins
(E-28). “elimination”: whoever goes over the limit is out (E-30).

target: Points that end the game
The total to reach (E-27); with “low-score” and “elimination”, the limit not to go over (E-28, E-30).

reload-at: Cards before a reload
How many cards the discard pile may hold before the table is asked to reload.
""",
)
