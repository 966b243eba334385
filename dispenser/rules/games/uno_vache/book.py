"""Uno vache, Uno with harsh house rules (V-01 to V-24)."""

from __future__ import annotations

from dispenser.rules.book.entry import GameBook, Option, Rule, Section, Text

_DEAL: Section = (
    Text("The cards and the deal"),
    (
        Rule(
            "V-01",
            Text("The deck"),
            Text("You play with the Uno deck. Up to four white cards may be added; normally there are none."),
            options=("white",),
        ),
        Rule(
            "V-02",
            Text("Dealing"),
            Text("Each player receives seven cards. The dealer decides which way round play goes."),
            reading=Text(
                "The original text lets the others choose who deals. If the table names nobody, everybody draws a "
                "card, and the highest one deals, as in Uno (U-02)."
            ),
        ),
        Rule(
            "V-03",
            Text("A special card to start with"),
            Text("If the first card is special, it acts before anybody has played, as in Uno (U-04 to U-08)."),
            reading=Text(
                "The list in the original text is lost, so we take the rules of Uno. A 0 or a white card turned up "
                "first does nothing."
            ),
        ),
    ),
)

_TURN: Section = (
    Text("Your turn"),
    (
        Rule(
            "V-04",
            Text("Which card fits"),
            Text(
                "Your card fits if it has the same colour, the same number or the same symbol as the top card of the "
                "discard pile. A Wild fits on everything except a “+” that nobody has drawn for yet."
            ),
        ),
        Rule(
            "V-05",
            Text("Drawing instead of playing"),
            Text(
                "If you cannot play, draw one card and your turn is over. You do not play the card that you have just "
                "drawn."
            ),
        ),
    ),
)

_SPECIAL_CARDS: Section = (
    Text("The special cards"),
    (
        Rule(
            "V-06",
            Text("Wild"),
            Text("As in Uno: whoever plays it names the colour that counts next."),
        ),
        Rule(
            "V-07",
            Text("Reverse"),
            Text("As in Uno: turns go round the other way from now on."),
        ),
        Rule(
            "V-08",
            Text("Skip"),
            Text("As in Uno: the next player misses a turn. A Skip may also go on another Skip."),
        ),
    ),
)

_PLUS_CARDS: Section = (
    Text("The “+” cards"),
    (
        Rule(
            "V-09",
            Text("Stacking a +2"),
            Text(
                "After a +2, the next player may add another +2 or a +4; the sum then passes on to the player after. "
                "Whoever adds nothing draws the whole sum and misses a turn."
            ),
        ),
        Rule(
            "V-10",
            Text("Stacking a +4"),
            Text("Once a +4 is on top, only another +4 may be added to it."),
        ),
    ),
)

_OUT_OF_TURN: Section = (
    Text("Out of turn"),
    (
        Rule(
            "V-11",
            Text("Jump-in"),
            Text(
                "Do you hold a card identical to the one just laid, in value and colour, or the same wild? Then you "
                "may lay it out of turn, before the player whose turn it is has played. Play goes on from you."
            ),
            reading=Text("To draw or to take the cards is to play, too: after that it is too late."),
        ),
        Rule(
            "V-12",
            Text("Jumping in on yourself"),
            Text("The card that you jump in on may be your own."),
        ),
    ),
)

_ZERO: Section = (
    Text("The 0"),
    (
        Rule(
            "V-13",
            Text("Hands go round"),
            Text(
                "When a 0 is played, everybody who has cards passes their whole hand to the next player in the "
                "direction of play. Announcements for one card are due after the exchange. A player who had one card, "
                "and again has one, need not say anything."
            ),
        ),
    ),
)

_CANCELLING: Section = (
    Text("Cancelling a “+” chain"),
    (
        Rule(
            "V-14",
            Text("Cancelling"),
            Text(
                "If you hold no “+”, you can cancel a run of “+” cards with a number card. Its colour must be that of "
                "the last +2, or the one named with the +4, and its number must be the sum to draw. If the sum is over "
                "9, add its digits until one digit is left. The player who started the run then draws the whole sum."
            ),
            reading=Text(
                "Whoever started the run may be the one who cancels it, even with a last card: then they draw the sum "
                "and are not out. If they are out already, nobody draws."
            ),
            options=("cancel-anyway",),
        ),
        Rule(
            "V-15",
            Text("Cancelling out of turn"),
            Text(
                "You may lay the cancelling card even when it is not your turn. The player after the last one who laid "
                "a “+” is then next."
            ),
        ),
    ),
)

_WHITE_CARDS: Section = (
    Text("White cards and conduct"),
    (
        Rule(
            "V-16",
            Text("White card"),
            Text(
                "Whoever plays a white card exchanges any two hands at the table. Their own may be one of them, and so "
                "may the empty hand of a player who is already out."
            ),
            reading=Text(
                "Two hands must be exchanged. What goes on a white card is the colour that counted before it, and a "
                "wild one."
            ),
        ),
        Rule(
            "V-17",
            Text("Breaking the rules of conduct"),
            Text("A wrong card, a card out of turn or a forgotten announcement costs one penalty card."),
            reading=Text(
                "The list of faults is missing from the original text. So it is the table that declares one, and the "
                "player at fault draws one card."
            ),
        ),
    ),
)

_GOING_OUT: Section = (
    Text("Going out"),
    (
        Rule(
            "V-18",
            Text("When the game stops"),
            Text(
                "Once out, a player remains out, unless a white card brings them back (V-16). The game stops when only "
                "two players still have cards, or three if you were six or more at the start."
            ),
            reading=Text(
                "The original text does not say how a small table ends. With fewer than four players, the game goes on "
                "until one is left."
            ),
        ),
        Rule(
            "V-19",
            Text("No black card to finish"),
            Text(
                "A black card, Wild or +4, cannot end your game. If it is your last one, you lay it, name a colour, "
                "draw one card and say “UNO”."
            ),
        ),
        Rule(
            "V-20",
            Text("A special card to finish"),
            Text("A special card that is laid last still acts on the players after, as always."),
            reading=Text(
                "When the game stops with it (V-18), nobody answers a “+” any more: the next player draws the whole "
                "sum, and then it is over."
            ),
        ),
        Rule(
            "V-21",
            Text("A 0 to finish"),
            Text(
                "If your last card is a 0, you are not out: you are given the hand of the player before you. The "
                "player after you is given your empty hand, and goes out instead."
            ),
        ),
        Rule(
            "V-22",
            Text("Saying UNO"),
            Text(
                "You say “UNO” when you lay your last card but one. If you forget and are caught (G-03), you draw one "
                "card."
            ),
            reading=Text(
                "A card laid out of turn (V-11, V-15) ends the moment to catch somebody, like any other card."
            ),
        ),
        Rule(
            "V-23",
            Text("Saying OU PAS"),
            Text(
                "If you have said “UNO” and are then about to get more cards, you say “OU PAS” just before you take "
                "them. If you forget and are caught, you draw one card."
            ),
        ),
        Rule(
            "V-24",
            Text("The ranking"),
            Text("You are ranked in the order in which you went out."),
        ),
    ),
)

UNO_VACHE = GameBook(
    "uno-vache",
    Text("Uno vache"),
    seats=range(2, 11),
    summary=Text(
        "Uno with harsh house rules: “+” cards pile up, hands change owners, and players jump in out of turn."
    ),
    sections=(
        _DEAL,
        _TURN,
        _SPECIAL_CARDS,
        _PLUS_CARDS,
        _OUT_OF_TURN,
        _ZERO,
        _CANCELLING,
        _WHITE_CARDS,
        _GOING_OUT,
    ),
    options=(
        Option(
            "white",
            rule="V-01",
            default=0,
            values=range(5),
            label=Text("White cards"),
            text=Text("How many white cards are shuffled in."),
        ),
        Option(
            "cancel-anyway",
            rule="V-14",
            default=False,
            values=(False, True),
            label=Text("Cancelling with a “+” in hand"),
            text=Text("Whether somebody who holds a “+” may cancel a chain as well."),
        ),
    ),
)
