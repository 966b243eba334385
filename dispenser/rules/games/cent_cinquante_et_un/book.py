"""151 (C-01 to C-16)."""

from __future__ import annotations

from dispenser.rules.book.entry import GameBook, Option, Rule, Section, Text

_DEAL: Section = (
    Text("The cards and the deal"),
    (
        Rule(
            "C-01",
            Text("The cards"),
            Text(
                "You play with packs of 54 cards, jokers included, and take as many packs as the table needs. Ten to "
                "twelve players take two."
            ),
            reading=Text(
                "The original text leaves the number to the table for fewer players. Unless you choose, it is one pack "
                "for up to six players and two for more."
            ),
            options=("packs",),
        ),
        Rule(
            "C-02",
            Text("Who deals"),
            Text("Whoever draws the lowest card deals first. After that, each player deals in turn."),
        ),
        Rule(
            "C-03",
            Text("Dealing"),
            Text("Each player receives five cards, dealt one at a time."),
        ),
        Rule(
            "C-04",
            Text("The first card"),
            Text(
                "The next card is turned up. If it is a special card (2, 6, 8, 10, queen, ace or joker), its effect is "
                "the same as if it were the dealer who played it."
            ),
        ),
    ),
)

_TURN: Section = (
    Text("Your turn"),
    (
        Rule(
            "C-05",
            Text("Which card fits"),
            Text("Your card fits if it has the same suit or the same rank as the top card of the discard pile."),
            reading=Text(
                "The original text does not say whether an 8 goes on anything. Here it has to match like any other "
                "card, except on a frozen pile (C-11); an option lets it go anywhere."
            ),
            options=("eight-anywhere",),
        ),
    ),
)

_SPECIAL_CARDS: Section = (
    Text("The special cards"),
    (
        Rule(
            "C-06",
            Text("The 2"),
            Text("The next player draws two cards and does not play."),
        ),
        Rule(
            "C-07",
            Text("The 6"),
            Text("The turn jumps to the player sitting opposite."),
            reading=Text(
                "The original text does not say who sits opposite at an odd table. We count half the number of "
                "players, rounded down, in the direction of play."
            ),
        ),
        Rule(
            "C-08",
            Text("The 8"),
            Text("Its player names the suit that counts next."),
        ),
        Rule(
            "C-09",
            Text("The 10"),
            Text("From now on, turns go round the other way."),
        ),
        Rule(
            "C-10",
            Text("The queen"),
            Text(
                "Its player may play once more, with a card that fits. In the very first turn that you play, however, "
                "you may not go out."
            ),
            reading=Text(
                "A turn that a 2 takes away from you (C-06) is not your first yet; one in which you only draw is."
            ),
        ),
        Rule(
            "C-11",
            Text("The ace"),
            Text(
                "An ace freezes the pile. What goes on it is another ace, which keeps it frozen, an 8, which thaws it "
                "and calls for a suit, or a joker used as one of the two. Nothing else is allowed."
            ),
        ),
        Rule(
            "C-12",
            Text("The joker"),
            Text(
                "A joker can be any card that would be allowed in its place. Its player says which one, and it acts as "
                "that card would."
            ),
        ),
        Rule(
            "C-13",
            Text("Drawing instead of playing"),
            Text(
                "If you cannot play, or would rather not, draw one card. You may play it if it fits; otherwise your "
                "turn is over. After a 2 this does not apply, since you owe two cards there (C-06)."
            ),
        ),
    ),
)

_END_OF_DEAL: Section = (
    Text("The end of a deal"),
    (
        Rule(
            "C-14",
            Text("Saying Carte"),
            Text(
                "Say “Carte” before you lay your last card but one. If you forget and are caught before the next "
                "player has played, you draw one card. If you have just played an 8 or a joker, you say your wish, "
                "suit or card, before you look at what you drew."
            ),
        ),
        Rule(
            "C-15",
            Text("Points"),
            Text(
                "Whoever goes out takes 10 points off their total. The others count their hands: an 8 is 32, an ace "
                "11, a king, queen or jack 10, and any other card its number. A joker counts the 150 printed in the "
                "original text, unless you set another value."
            ),
            reading=Text("The deal is over with the last card, which does nothing any more: nobody draws for a 2."),
            options=("joker-points",),
        ),
        Rule(
            "C-16",
            Text("Who loses"),
            Text(
                "The first player to reach 151 points or more has lost. If more than one gets there in the same deal, "
                "the loser is the one who is furthest over."
            ),
            options=("limit",),
        ),
    ),
)

CENT_CINQUANTE_ET_UN = GameBook(
    "151",
    Text("151"),
    seats=range(2, 13),
    summary=Text("Frozen piles, jokers that can be any card, and the first to 151 points loses."),
    sections=(
        _DEAL,
        _TURN,
        _SPECIAL_CARDS,
        _END_OF_DEAL,
    ),
    options=(
        Option(
            "packs",
            rule="C-01",
            default=0,
            values=range(5),
            label=Text("Packs of cards"),
            text=Text("How many packs are shuffled together; 0 takes as many as the number of players calls for."),
        ),
        Option(
            "eight-anywhere",
            rule="C-05",
            default=False,
            values=(False, True),
            label=Text("An 8 on anything"),
            text=Text("Whether an 8 may be played on any card at all."),
        ),
        Option(
            "joker-points",
            rule="C-15",
            default=150,
            values=range(201),
            label=Text("Points for a joker"),
            text=Text("What a joker counts when it is still in hand."),
        ),
        Option(
            "limit",
            rule="C-16",
            default=151,
            values=range(50, 1001),
            label=Text("Points that lose"),
            text=Text("The total at which a player has lost."),
        ),
    ),
)
