"""Sentences that say why a move is not allowed. Each is raised with the ID of its rule."""

from __future__ import annotations

from typing import Final

from dispenser.i18n import Text

# Wrong time
NOTHING_OWED: Final = Text("nobody owes the launcher anything")
HAS_WON: Final = Text("that player has played their last card and won: nothing changes that")
NOTHING_ASKED: Final = Text("the table was not asked anything")
MATCH_IS_OVER: Final = Text("the match is over")
ROUND_UNDER_WAY: Final = Text("a round is under way")
NO_ROUND: Final = Text("no round is under way: deal first")
ANSWER_FIRST: Final = Text("the engine waits for an answer first")
NOT_YOUR_TURN: Final = Text("it is another player’s turn")
PAY_FIRST: Final = Text("the presses or cards that are owed come first")
NO_SUCH_SEAT: Final = Text("there is no such seat, or it no longer plays")
NO_LONGER_PLAYS: Final = Text("that player is out and no longer plays")

# Wrong cards
NOT_IN_HAND: Final = Text("that card is not in the hand")
NO_MATCH: Final = Text("that card does not match the one on top")
ONLY_DRAWN: Final = Text("only the card just drawn may be played now")
HAS_DRAWN: Final = Text("you draw only once in a turn")
NOT_UNSEEN: Final = Text("that card cannot be there: all of its kind have been seen elsewhere")
MAKE_A_CHOICE: Final = Text("say what the card asks for (a colour, a suit, a seat, a card)")
NOTHING_TO_ANNOUNCE: Final = Text("there is nothing to announce now")
NOT_FORGOTTEN: Final = Text("that player has forgotten nothing, or it is too late to catch them")
NO_SUCH_CARD: Final = Text("there is no such card in this game")
NO_SUCH_MOVE: Final = Text("that move does not exist here")

NAME_SUIT: Final = Text("say which suit you ask for")
NAME_FIRST: Final = Text("name the colour first")
DRAW_FIRST: Final = Text("draw a card before you pass")

# Wrong input from outside
NO_CHANCE: Final = Text("without a seed, give the order of the draw pile")
SAY_HOW_MANY: Final = Text("without a seed, say how many cards came out")
NO_ORDER: Final = Text("the order of the draw pile is given only without a seed and with open cards")
NO_DEALER: Final = Text("without a seed, say who deals")
NONE_TO_TURN_UP: Final = Text("no card is left to turn up")
MORE_DRAWS: Final = Text("give a card for each seat that draws for the deal, and again for those who tie")
FEWER_DRAWS: Final = Text("more cards are given than were drawn for the deal")
ONLY_AT_FIRST: Final = Text("a match is taken over at its first deal only")
WHOLE_POSITION: Final = Text("for the middle of a round say whose turn it is, the hands and the card on top")
HANDS_OF_ALL: Final = Text("give every seat its cards, one at least")
NO_RELOAD_HERE: Final = Text("this game reshuffles by itself when the draw pile is empty")
FINISH_FIRST: Final = Text("finish what is owed, asked or being chosen first")
SIZE_OR_CARDS: Final = Text("give the size of a hidden hand, or the cards of the hand")
NO_RELOAD: Final = Text("the discard pile has no card to reload")
NO_SUCH_COLOUR: Final = Text("give the {colour} in force as its number, 0 to {last}")
NO_DIRECTION: Final = Text("give the direction as 1, to the left, or -1, to the right")
POINTS_OF_ALL: Final = Text("say what each hand counts, a whole number for every seat")
ONLY_PLACES: Final = Text("here nothing is counted: say who went out first, and no points")
WHO_WON: Final = Text("say who went out first")
NOBODY_OUT: Final = Text("nobody can be out here, or not so many")
NO_STAND_IN: Final = Text("only a joker stands for another card")
SCORES_OF_ALL: Final = Text("give every seat its score, a whole number")
COLOUR_IN_FORCE: Final = Text("the {card} on top has no {colour} of its own: give the {colour} that is in force")

# With placeholders
NOT_IN_DECK: Final = Text("the deck has no {card} left for that")
NOT_IN_PILE: Final = Text("there is no {card} in the draw pile")
TOO_MANY: Final = Text(
    "only {number} card can come out: correct the counts first",
    plural="only {number} cards can come out: correct the counts first",
)
NO_SUCH_POINTS: Final = Text("that hand counts {least} to {most}")
HAND_HAS: Final = Text("that hand is known to hold {card}")
HAND_SIZE: Final = Text("that hand has {number} card", plural="that hand has {number} cards")
NO_OFFENCE: Final = Text("the table can declare: {known}")
NO_OFFENCES: Final = Text("nothing in this game")
NO_SUCH_SIZE: Final = Text("that hand can have {least} to {most} cards")
