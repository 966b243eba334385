"""What every game shares (G-01 to G-06)."""

from __future__ import annotations

from dispenser.rules.book.entry import Rule, Section, Text

SHARED: Section = (
    Text("What every game shares"),
    (
        Rule(
            "G-01",
            Text("When the draw pile runs out"),
            Text(
                "When there is nothing left to draw, the top card of the discard pile stays where it is. All the "
                "others are shuffled and become the new draw pile. A wild card that is shuffled in loses the colour "
                "that was named with it. If this still gives too little, you take what there is, the table hears how "
                "many cards are missing, and the game continues."
            ),
        ),
        Rule(
            "G-02",
            Text("Not playing is allowed"),
            Text(
                "You may keep a card that you could play. You then accept what it costs not to play: a draw, or a "
                "press on the button. You do not have this choice while a rule leaves you only one thing to do, such "
                "as drawing or pressing what you owe, or playing again after a card that obliges you to."
            ),
        ),
        Rule(
            "G-03",
            Text("Announcing the last card"),
            Text(
                "When you come down to one card, you say so aloud: “UNO” or “Carte”, depending on the game. If you "
                "forget, any other player may catch you until the next player has played, drawn or pressed. If you "
                "think of it before you are caught, you are safe."
            ),
            reading=Text(
                "Before the card that leaves you one, along with it, or right after it: all count, however that card "
                "is laid, also with a Discard All or out of turn. Said before, it holds for a card of that same turn. "
                "The next player has acted as soon as they say that they draw, press, take the cards or doubt the +4."
            ),
        ),
        Rule(
            "G-04",
            Text("No card gets lost"),
            Text(
                "At every moment, the hands, the draw pile, the discard pile and the cards that were set aside make up "
                "the complete deck."
            ),
        ),
        Rule(
            "G-05",
            Text("A single source of chance"),
            Text(
                "All that is left to chance comes from one generator, started from one seed: shuffling, drawing for "
                "the dealer, what the launcher throws. With the same seed and the same moves, the game turns out the "
                "same."
            ),
        ),
        Rule(
            "G-06",
            Text("A forbidden move changes nothing"),
            Text(
                "If a move is against the rules, everything stays as it was, and the answer gives the number of the "
                "rule that forbids it."
            ),
        ),
    ),
)
