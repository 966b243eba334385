"""Uno Extrême, before the first turn: the cards and the set-up (E-01 to E-12)."""

from __future__ import annotations

from dispenser.rules.book.entry import Rule, Section, Text

CARDS: Section = (
    Text("The cards"),
    (
        Rule(
            "E-01",
            Text("The deck"),
            Text(
                "There are 112 cards. Each of the four colours has every number from 1 to 9 twice, two Press 2, one "
                "Reverse, two Skip and two Discard All. The cards without a colour are four Wild, four Extreme Hit, "
                "three Customizable and a single Press 4."
            ),
        ),
        Rule(
            "E-02",
            Text("How many Customizable cards"),
            Text(
                "Before the game, the table agrees on how many of the three Customizable cards are shuffled in; none "
                "at all is possible, too. Unless you agree otherwise, it is all three."
            ),
            options=("customizable",),
        ),
    ),
)

SETTING_UP: Section = (
    Text("Setting up"),
    (
        Rule(
            "E-03",
            Text("Who deals"),
            Text(
                "Everybody draws one card, and whoever has the highest number deals. Action cards count as 0 for this. "
                "If several share the highest number, they draw again."
            ),
        ),
        Rule(
            "E-04",
            Text("Dealing and starting"),
            Text(
                "Each player receives seven cards, and one card is laid face up. All the others go into the launcher: "
                "shut the lid and switch on. One beep tells you that the lid is properly closed. The player on the "
                "dealer’s left begins, and turns go round clockwise."
            ),
        ),
        Rule(
            "E-05",
            Text("Reverse as the first card"),
            Text("The dealer takes the first turn, and from there play runs to the right."),
        ),
        Rule(
            "E-06",
            Text("Skip as the first card"),
            Text("The first player on the dealer’s left misses a turn, and the second on the left begins."),
        ),
        Rule(
            "E-07",
            Text("Press 2 as the first card"),
            Text("The first player on the dealer’s left presses the button twice, and the second on the left begins."),
        ),
        Rule(
            "E-08",
            Text("Wild as the first card"),
            Text("The first player on the dealer’s left names a colour and then plays."),
        ),
        Rule(
            "E-09",
            Text("Press 4 as the first card"),
            Text(
                "The first player on the dealer’s left presses the button four times, and the second on the left "
                "begins."
            ),
            reading=Text("The original text does not say who names the colour. We leave it to the player who begins."),
        ),
        Rule(
            "E-10",
            Text("Customizable as the first card"),
            Text("The first player on the dealer’s left chooses the colour and begins."),
        ),
        Rule(
            "E-11",
            Text("Extreme Hit as the first card"),
            Text("The card is put back among the others, and another one is turned up."),
            reading=Text(
                "The original text says nothing about this case. Since nobody has played the card, nobody could aim "
                "it, so we start with another one."
            ),
        ),
        Rule(
            "E-12",
            Text("Discard All as the first card"),
            Text("It counts as an ordinary card of its colour, and nobody lays anything down because of it."),
            reading=Text(
                "The original text says nothing about this case. We let the card set the colour and nothing more."
            ),
        ),
    ),
)
