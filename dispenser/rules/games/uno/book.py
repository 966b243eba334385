"""Uno (U-01 to U-21)."""

from __future__ import annotations

from dispenser.rules.book.entry import GameBook, Option, Rule, Section, Text

_DEAL: Section = (
    Text("The cards and the deal"),
    (
        Rule(
            "U-01",
            Text("The deck"),
            Text(
                "There are 108 cards. Each of the four colours has a single 0, every number from 1 to 9 twice, two +2, "
                "two Reverse and two Skip. The cards without a colour are four Wild and four Wild +4."
            ),
        ),
        Rule(
            "U-02",
            Text("Who deals"),
            Text(
                "At the start of each round everybody draws one card, and whoever has the highest number deals. Action "
                "cards count as 0 for this."
            ),
        ),
        Rule(
            "U-03",
            Text("Dealing and starting"),
            Text(
                "Each player receives seven cards, and the next card is turned up to start the discard pile. The "
                "player on the dealer’s left begins."
            ),
        ),
    ),
)

_FIRST_CARD: Section = (
    Text("A special card to start with"),
    (
        Rule(
            "U-04",
            Text("+2 as the first card"),
            Text("The player who would begin draws two cards and misses that turn."),
        ),
        Rule(
            "U-05",
            Text("Reverse as the first card"),
            Text("The player on the dealer’s right begins, and play runs to the right."),
        ),
        Rule(
            "U-06",
            Text("Skip as the first card"),
            Text("The first player on the dealer’s left misses a turn, so the second on the left begins."),
            reading=Text(
                "The original text has the second player on the right begin, although it seats the first player on the "
                "left. We count on the left."
            ),
        ),
        Rule(
            "U-07",
            Text("Wild as the first card"),
            Text("The dealer names the colour to start with."),
        ),
        Rule(
            "U-08",
            Text("+4 as the first card"),
            Text("The +4 returns to the draw pile, and another card is turned up."),
        ),
    ),
)

_TURN: Section = (
    Text("Your turn"),
    (
        Rule(
            "U-09",
            Text("Which card fits"),
            Text(
                "Your card fits if it has the same colour, the same number or the same symbol as the top card of the "
                "discard pile. A Wild fits at any time."
            ),
        ),
        Rule(
            "U-10",
            Text("Drawing instead of playing"),
            Text(
                "If you cannot play, or would rather not, draw one card. If that card fits, you may play it at once; "
                "no other card may be played any more. Otherwise your turn is over."
            ),
        ),
    ),
)

_SPECIAL_CARDS: Section = (
    Text("The special cards"),
    (
        Rule(
            "U-11",
            Text("+2"),
            Text(
                "You play it on its own colour or on another +2. The next player draws two cards and misses a turn; "
                "adding another +2 to hand the draw on is not allowed."
            ),
        ),
        Rule(
            "U-12",
            Text("Reverse"),
            Text("From now on, turns go round the other way."),
            reading=Text("The original text does not say what it does when you are two. Here it works like a Skip."),
        ),
        Rule(
            "U-13",
            Text("Skip"),
            Text("The next player misses a turn."),
        ),
        Rule(
            "U-14",
            Text("Wild"),
            Text("Its player names the colour that counts next."),
        ),
        Rule(
            "U-15",
            Text("+4"),
            Text(
                "You name the colour; the next player draws four cards and misses a turn. It is lawful only if nothing "
                "else in your hand could be played. But nobody sees your hand, so you may bluff and hope that you are "
                "not challenged (U-16)."
            ),
            reading=Text(
                "A second +4 is not something else that could be played. A +4 that you have just drawn is a bluff all "
                "the same if an older card of yours would have fitted."
            ),
        ),
        Rule(
            "U-16",
            Text("Challenging a +4"),
            Text(
                "Before drawing, the next player may ask to see the hand that the +4 came from. If it was a bluff, the "
                "+4 returns to that hand, its player draws four cards and that turn is over. If it was not, the "
                "challenger draws six cards and misses a turn."
            ),
            reading=Text(
                "The original text does not say what lies on top after a bluff. It is the card beneath, with the "
                "colour that counted then, and the challenger plays on it; so that card is not shuffled in with the "
                "others while the +4 may be challenged (G-01). A +4 that was the last card may be challenged, too, and "
                "was never a bluff."
            ),
        ),
    ),
)

_END_OF_ROUND: Section = (
    Text("Penalties and the end of a round"),
    (
        Rule(
            "U-17",
            Text("UNO forgotten"),
            Text("If you are caught having forgotten to say “UNO” (G-03), you draw two cards."),
        ),
        Rule(
            "U-18",
            Text("Remarks and advice"),
            Text("An untimely remark, or advice to another player, costs four cards."),
        ),
        Rule(
            "U-19",
            Text("Ending on a +2 or +4"),
            Text(
                "If the last card is a +2 or a +4, the next player draws the cards first, and only then are the hands "
                "counted."
            ),
            reading=Text(
                "Whoever has laid the last card has won the round: nothing that comes afterwards takes that back."
            ),
        ),
    ),
)

_POINTS: Section = (
    Text("Points and winning"),
    (
        Rule(
            "U-20",
            Text("Points"),
            Text(
                "The numbers 0 to 9 count what they show. +2, Reverse and Skip count 20 each, Wild and +4 count 50 "
                "each. Whoever wins the round scores all the cards that are left in the other hands. The first to "
                "reach 500 wins the game."
            ),
            options=("scoring", "target"),
        ),
        Rule(
            "U-21",
            Text("The lowest total wins"),
            Text(
                "If you choose this way of scoring, everybody notes the points of their own hand after each round. "
                "When somebody reaches 500, the game is over and the smallest total wins."
            ),
            options=("scoring", "target"),
        ),
    ),
)

UNO = GameBook(
    "uno",
    Text("Uno"),
    seats=range(2, 11),
    summary=Text("The classic: match the colour, the number or the symbol, and bluff with a +4 if you dare."),
    sections=(
        _DEAL,
        _FIRST_CARD,
        _TURN,
        _SPECIAL_CARDS,
        _END_OF_ROUND,
        _POINTS,
    ),
    options=(
        Option(
            "scoring",
            rule="U-20",
            default="winner",
            values=("winner", "low-score"),
            label=Text("How points are kept"),
            text=Text(
                "“winner”: the winner of a round scores (U-20). “low-score”: all note their own hand, and the lowest "
                "total wins (U-21)."
            ),
        ),
        Option(
            "target",
            rule="U-20",
            default=500,
            values=range(50, 2001),
            label=Text("Points that end the game"),
            text=Text("The total that ends the game when somebody reaches it."),
        ),
    ),
)
