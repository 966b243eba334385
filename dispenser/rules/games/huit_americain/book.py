"""Huit américain (H-01 to H-12)."""

from __future__ import annotations

from dispenser.rules.book.entry import GameBook, Option, Rule, Section, Text

_DEAL: Section = (
    Text("The cards and the deal"),
    (
        Rule(
            "H-01",
            Text("The cards"),
            Text("You play with one pack of 52 cards, with two packs, or with packs of 54 that contain two jokers."),
            reading=Text("The original text has no rule for the jokers. If they are in, you play a joker as an 8."),
            options=("packs", "jokers"),
        ),
        Rule(
            "H-02",
            Text("Dealing"),
            Text(
                "Each player receives eight cards, and one more is turned up. If it is a special card (7, 8, 10 or "
                "ace), it goes to the bottom of the draw pile, and the next one is turned up."
            ),
            reading=Text("A joker that is turned up goes to the bottom as well."),
        ),
        Rule(
            "H-03",
            Text("Who begins"),
            Text("The player on the dealer’s left begins, and turns go round clockwise."),
            reading=Text(
                "The original text does not say who deals. Everybody draws a card, and the highest one deals first; "
                "then the deal passes to the left."
            ),
        ),
    ),
)

_TURN: Section = (
    Text("Your turn"),
    (
        Rule(
            "H-04",
            Text("Which card fits"),
            Text(
                "Your card fits if it has the same suit or the same rank as the top card of the discard pile. An 8 "
                "fits on everything."
            ),
        ),
        Rule(
            "H-05",
            Text("Drawing instead of playing"),
            Text("If you cannot play, or would rather not, draw one card. If it fits, you may play it."),
        ),
    ),
)

_SPECIAL_CARDS: Section = (
    Text("The special cards"),
    (
        Rule(
            "H-06",
            Text("The 7"),
            Text("The next player misses a turn."),
        ),
        Rule(
            "H-07",
            Text("The 8"),
            Text("Whoever plays an 8 may ask for a different suit."),
        ),
        Rule(
            "H-08",
            Text("The 10"),
            Text(
                "After a 10 you must play once more, under the same rules, and you may follow it with another 10. If "
                "you cannot, draw one card, which you may play if it fits. So nobody goes out with a bare 10: it has "
                "to be covered."
            ),
        ),
        Rule(
            "H-09",
            Text("The ace"),
            Text(
                "The next player draws two cards, unless that player has an ace and plays it. Then the one after draws "
                "four, with a third ace six, and so on."
            ),
            reading=Text(
                "The original text does not say whether whoever draws still plays. Here, drawing for the aces uses up "
                "the turn. An ace laid as the last card ends the deal at once: nobody answers it, nobody draws."
            ),
        ),
        Rule(
            "H-10",
            Text("Carte forgotten"),
            Text(
                "When you lay your last card but one, you say “Carte!”. If you forget and are caught (G-03), you draw "
                "two cards."
            ),
        ),
    ),
)

_POINTS: Section = (
    Text("Points and winning"),
    (
        Rule(
            "H-11",
            Text("Points"),
            Text(
                "Cards left in hand count as follows: an 8 is 50; a 7, a 10 or an ace is 25; a king, a queen or a jack "
                "is 10; any other card is 5. Whoever wins the deal scores what the others hold."
            ),
            reading=Text(
                "The original text gives the joker no value. We count it as the 8 that it stands for: 50. Who scores "
                "is not quite clear there either; the option lets each write down their own points."
            ),
            options=("scoring",),
        ),
        Rule(
            "H-12",
            Text("One deal or a longer game"),
            Text(
                "You play either a single deal, won by whoever has no card left first, or for points: the first to "
                "reach 500 wins."
            ),
            reading=Text(
                "Once somebody has no card left, the deal is over, and the last card does nothing any more: nobody "
                "misses a turn for a 7. In a single deal only its winner scores, however you count."
            ),
            options=("match", "target"),
        ),
    ),
)

HUIT_AMERICAIN = GameBook(
    "huit-americain",
    Text("Huit américain"),
    seats=range(2, 9),
    summary=Text("Ordinary playing cards: an 8 changes the suit, a 10 plays again, and aces pile up."),
    sections=(
        _DEAL,
        _TURN,
        _SPECIAL_CARDS,
        _POINTS,
    ),
    options=(
        Option(
            "packs",
            rule="H-01",
            default=1,
            values=range(1, 5),
            label=Text("Packs of cards"),
            text=Text("How many packs are shuffled together."),
        ),
        Option(
            "jokers",
            rule="H-01",
            default=False,
            values=(False, True),
            label=Text("With jokers"),
            text=Text("Whether each pack keeps its two jokers."),
        ),
        Option(
            "match",
            rule="H-12",
            default="single",
            values=("single", "points"),
            label=Text("Length of the game"),
            text=Text("“single”: one deal decides. “points”: you play deal after deal, up to a total."),
        ),
        Option(
            "scoring",
            rule="H-11",
            default="winner",
            values=("winner", "own-points"),
            label=Text("Counting"),
            text=Text(
                "“winner”: whoever wins the deal scores what the others hold. “own-points”: everybody writes down what "
                "is left in their own hand; when somebody has the points of the end, the lowest total wins. A game "
                "of a single deal is won by whoever goes out first, either way."
            ),
        ),
        Option(
            "target",
            rule="H-12",
            default=500,
            values=range(50, 2001),
            label=Text("Points to win"),
            text=Text("The total that wins, or with “own-points” ends, a game played for points."),
        ),
    ),
)
