"""Uno Extrême (E-01 to E-32)."""

from __future__ import annotations

from dispenser.rules.book.entry import FreeText, GameBook, Option, Rule, Section, Text
from dispenser.rules.games.uno_extreme.book_start import CARDS, SETTING_UP

_TURN: Section = (
    Text("Your turn"),
    (
        Rule(
            "E-13",
            Text("Which card fits"),
            Text(
                "Your card fits if it has the same colour, the same number or the same symbol as the top card of the "
                "discard pile."
            ),
        ),
        Rule(
            "E-14",
            Text("Pressing instead of playing"),
            Text(
                "If you cannot play, or would rather not, press the button once. Whatever comes out goes into your "
                "hand, even if it is nothing, and your turn is over. You do not play the cards that you have just "
                "received."
            ),
        ),
    ),
)

_ACTION_CARDS: Section = (
    Text("The action cards"),
    (
        Rule(
            "E-15",
            Text("Reverse"),
            Text("From now on, turns go round the other way."),
        ),
        Rule(
            "E-16",
            Text("Skip"),
            Text("The next player misses a turn, and has nothing to press."),
        ),
        Rule(
            "E-17",
            Text("Press 2"),
            Text("The next player presses the button twice and misses a turn."),
        ),
        Rule(
            "E-18",
            Text("Discard All"),
            Text(
                "Together with this card you lay down every card of its colour that you hold. The Discard All ends up "
                "on top, and no other symbol in the heap counts. You may play it on its own colour or on another "
                "Discard All."
            ),
            reading=Text(
                "The original text leaves open whether you may finish with it. You may: an empty hand wins the round. "
                "Wild cards have no colour, so they stay in your hand."
            ),
        ),
        Rule(
            "E-19",
            Text("Wild"),
            Text(
                "You may play it on any card, whenever it is your turn, even if something else would fit. You name the "
                "colour that counts next; it may be the one that counts already."
            ),
        ),
        Rule(
            "E-20",
            Text("Press 4"),
            Text(
                "This is a wild card, so you name the colour. The next player presses the button four times and misses "
                "a turn."
            ),
        ),
        Rule(
            "E-21",
            Text("Extreme Hit"),
            Text(
                "This is a wild card: name the colour and pick any other player. Turn the launcher towards that player "
                "and press the button twice yourself; what comes out goes to the player you picked. After that, the "
                "next player has a turn as usual, and nobody is skipped."
            ),
            reading=Text(
                "The original text lets “the second player from you” go on. We count the one who has played the card: "
                "the second is the next player."
            ),
        ),
        Rule(
            "E-22",
            Text("Customizable"),
            Text(
                "This is a wild card, so you name the colour. Its rule is the one that your table has written for it, "
                "and it is shown when the card is played. The table says when it has been carried out. Its effect can "
                "also be entered as presses that a player owes, for one player after the other; when all of them are "
                "made, it has been carried out."
            ),
            options=("custom-rule",),
        ),
    ),
)

_END_OF_ROUND: Section = (
    Text("The end of a round and penalties"),
    (
        Rule(
            "E-23",
            Text("When the round is over"),
            Text(
                "The round ends once somebody has no card left and the last card’s order has been carried out. A final "
                "Extreme Hit is played in full: its player still picks somebody and presses twice."
            ),
            reading=Text(
                "The original text speaks of the Extreme Hit alone. We treat a final Press 2, Press 4 and Customizable "
                "in the same way. Whoever has laid the last card has won: nothing that comes out afterwards takes that "
                "back, and no penalty can be given to them any more."
            ),
        ),
        Rule(
            "E-24",
            Text("UNO forgotten"),
            Text("If you are caught having forgotten to say “UNO” (G-03), you press the button twice."),
            reading=Text(
                "The original text does not say whether this uses up a turn. It does not: a penalty never costs you "
                "your turn. You can also say it along with a Discard All that leaves you one card."
            ),
        ),
        Rule(
            "E-25",
            Text("Giving advice"),
            Text("If you tell another player what to play, you press the button four times."),
            reading=Text(
                "The original text does not say whether this uses up a turn. It does not: a penalty never costs you "
                "your turn."
            ),
        ),
    ),
)

_POINTS: Section = (
    Text("Points and winning"),
    (
        Rule(
            "E-26",
            Text("What the cards count"),
            Text(
                "A number counts what it shows. Reverse, Skip and Press 2 count 20 each, Discard All 30, Press 4 40. "
                "Wild, Extreme Hit and Customizable count 50 each. Whoever wins the round scores all the cards that "
                "are left in the other hands."
            ),
        ),
        Rule(
            "E-27",
            Text("Winning the game"),
            Text("The first player to have 500 points or more wins the game."),
            options=("scoring", "target"),
        ),
        Rule(
            "E-28",
            Text("The lowest total wins"),
            Text(
                "If you choose this way of scoring, everybody notes the points of their own hand after each round. "
                "When somebody has more than 500, the game is over and the smallest total wins."
            ),
            reading=Text(
                "The original text says both “go over” and, a line above, “reach or go over”. With 500 exactly you "
                "play on."
            ),
            options=("scoring", "target"),
        ),
    ),
)

_VARIANTS: Section = (
    Text("Other ways to play"),
    (
        Rule(
            "E-29",
            Text("Two players"),
            Text(
                "When you are two, a Reverse or a Skip gives you another turn at once. With a Press 2, your opponent "
                "presses twice, and then you play again."
            ),
            reading=Text(
                "The original text does not mention Press 4 here. We treat it in the same way: your opponent presses "
                "four times, and you play again."
            ),
        ),
        Rule(
            "E-30",
            Text("Elimination"),
            Text(
                "If you choose this way of scoring, each player adds up, round after round, the points left in their "
                "own hand. Whoever goes over the limit, normally 500, is out. When only two are left, the rule for two "
                "players applies (E-29). The last player still in wins."
            ),
            reading=Text(
                "The original text does not say who wins when everybody still in goes over the limit in the same "
                "round. Whoever has won that round (E-23) stays in, and so wins the game."
            ),
            options=("scoring", "target"),
        ),
    ),
)

_LAUNCHER: Section = (
    Text("The launcher at the table"),
    (
        Rule(
            "E-31",
            Text("Reloading"),
            Text(
                "When the discard pile is as big as a pack of cards, normally 52, or when nothing is left in the "
                "launcher, the table is asked to reload. Leave the top card and pick up the rest of the discard pile. "
                "Shuffle, put the cards into the launcher and shut the lid. The game goes on."
            ),
            options=("reload-at",),
        ),
        Rule(
            "E-32",
            Text("Where the launcher points"),
            Text(
                "The launcher faces the player who has to press, no matter whose turn it is, and the table is told who "
                "that is. Only for an Extreme Hit does it face the target instead (E-21)."
            ),
        ),
    ),
)

UNO_EXTREME = GameBook(
    "uno-extreme",
    Text("Uno Extrême"),
    seats=range(2, 11),
    summary=Text(
        "A button instead of a draw pile: press it, and the launcher throws you several cards or none at all."
    ),
    sections=(
        CARDS,
        SETTING_UP,
        _TURN,
        _ACTION_CARDS,
        _END_OF_ROUND,
        _POINTS,
        _VARIANTS,
        _LAUNCHER,
    ),
    options=(
        Option(
            "customizable",
            rule="E-02",
            default=3,
            values=range(4),
            label=Text("Customizable cards"),
            text=Text("How many of these cards are in the deck."),
        ),
        Option(
            "custom-rule",
            rule="E-22",
            default="",
            values=FreeText(200),
            label=Text("The rule on the Customizable cards"),
            text=Text("The words that your table has written on these cards. They are shown when one is played."),
        ),
        Option(
            "scoring",
            rule="E-27",
            default="winner",
            values=("winner", "low-score", "elimination"),
            label=Text("How points are kept"),
            text=Text(
                "“winner”: the winner of a round scores (E-27). “low-score”: all note their own hand, and the lowest "
                "total wins (E-28). “elimination”: who goes over the limit is out (E-30)."
            ),
        ),
        Option(
            "target",
            rule="E-27",
            default=500,
            values=range(50, 2001),
            label=Text("Points that end the game"),
            text=Text(
                "The total that has to be reached (E-27); with “low-score” and “elimination”, the limit not to go over "
                "(E-28, E-30)."
            ),
        ),
        Option(
            "reload-at",
            rule="E-31",
            default=52,
            values=range(10, 113),
            label=Text("Cards before a reload"),
            text=Text("How many cards the discard pile may hold before the table is asked to reload."),
        ),
    ),
)
