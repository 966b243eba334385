"""The sentences of ``narrator``; a game's vocabulary may replace some.

In a template, ``[says|say]`` is the form for others and for the listener. ``{who}`` is the acting seat as subject,
``{whom}`` the same seat as object, ``{other}`` the other seat of the event.
"""

from __future__ import annotations

from typing import Final

from dispenser.i18n import Text
from dispenser.rules.engine.demands import POINTS, TURN_UP, Owed
from dispenser.rules.engine.events import What

EVENTS: Final[dict[What, Text]] = {
    What.DEALER_DREW: Text("{who} [draws|draw] {card} to see who deals."),
    What.DEALER: Text("{who} [deals|deal]."),
    What.TURNED_UP: Text("The first card is {card}."),
    What.PUT_BACK: Text("{card} may not be the first card: it goes back into the pile, and another is turned up."),
    What.TURN: Text("It is {whose} turn."),
    What.DISCARDED: Text("{who} [plays|play] {card} along with it."),
    What.TAKEN_BACK: Text("{who} [takes|take] {card} back."),
    What.PASSED: Text("{whose} turn is over."),
    What.OWES: Text("{who} [owes|owe] {owed}."),
    What.PRESSED: Text("{who} [presses|press]{aim}{why}: {cards}!"),
    What.DREW: Text("{who} [draws|draw] {cards}{why}."),
    What.SHORT: Text("{cards} short for {whom}: there are none left."),
    What.RESHUFFLED: Text("The discard pile is shuffled: {cards} to draw again."),
    What.RELOAD_ASKED: Text(
        "Leave the top card, pick up the rest of the discard pile ({cards}), shuffle, reload and shut the lid."
    ),
    What.RELOADED: Text("The launcher is loaded again: {cards}."),
    What.REVERSED: Text("Play now goes to the {side}."),
    What.DIRECTION_CHOSEN: Text("{who} [chooses|choose] the direction: play goes to the {side}."),
    What.SKIPPED: Text("{who} [misses|miss] a turn."),
    What.AGAIN: Text("{who} must play again."),
    What.NAMED: Text("{who} [names|name] {colour}."),
    What.STOOD: Text("{who} [says|say] that the joker is {stands}{choice}."),
    What.FROZE: Text("The discard pile is frozen."),
    What.THAWED: Text("{who} [thaws|thaw] the discard pile."),
    What.ANNOUNCED: Text("{who} [says|say] “{word}”."),
    What.RETRACTED: Text("{who} [says|say] “OU PAS”."),
    What.CAUGHT: Text("{other} [catches|catch] {whom}, who forgot to say “{word}”."),
    What.PENALISED: Text("{who} [is|are] at fault: {offence}."),
    What.CHALLENGED: Text("{who} [challenges|challenge] the +4: it was legal."),
    What.CANCELLED: Text(  # {other} began it and draws now; the card's own sentence says that the chain is cancelled
        "The chain turns back on {other}."
    ),
    What.PASSED_ON: Text("Every hand goes to the next player."),
    What.SWAPPED: Text(  # the listener, if one of them, is {who}
        "[{who} and {other}|{other} and you] swap hands."
    ),
    What.WENT_OUT: Text("{who} [has|have] no cards left and [finishes|finish] {place}."),
    What.OUT_AGAIN: Text(
        "{who} [has|have] cards again and [is|are] back in the game; all who went out later move up a place."
    ),
    What.ROUND_ENDED: Text("{who} [wins|win] {round} {number}."),
    What.SCORED: Text("{who} [scores|score] {points}."),
    What.ELIMINATED: Text("{who} [is|are] over the limit and out of the match."),
    What.MATCH_ENDED: Text("{who} [wins|win] the match!"),
    What.CORRECTED: Text("Set right: {who} [has|have] {cards}."),
}
# Variants of these events
UNDER_THE_PILE: Final = Text("{card} may not be the first card: it goes back under the pile, and another is turned up.")
NO_CARD: Final = Text("No card came.")
TAKES: Final = Text("{who} [takes|take] {cards}.")
DUD: Final = Text("{who} [presses|press]{aim}{why}: nothing.")
OWES_AND_MISSES: Final = {
    Owed.PRESSES: Text("{who} must press {times} and [misses|miss] a turn."),
    Owed.CARDS: Text("{who} must draw {owed} and [misses|miss] a turn."),
}
YOU_FORGOT: Final = Text("{other} catches you: you forgot to say “{word}”.")
BLUFF: Final = Text("{who} [challenges|challenge] the +4: it was a bluff!")
NOBODY_DRAWS: Final = Text("The player who started the chain is out: nobody draws.")
NOBODY_WON: Final = Text("{round} {number} is over.")
ONLY_LOST: Final = Text("The match is over. Lost: {losers}.")

LAID: Final = Text("{who} [plays|play] {card}{choice}.")
JUMPED_IN: Final = Text("{who} [jumps|jump] in with {card}{choice}.")
CANCELLED: Final = Text("{who} [cancels|cancel] with {card}.")
NAMING: Final = Text(" and [names|name] {colour}")
AIMING: Final = Text(" at {other}")
STANDING: Final = Text(" as {stands}")

PLACES: Final = Text("first second third fourth fifth sixth seventh eighth ninth tenth")
AND: Final = Text(" and ")
SEPARATOR: Final = Text("; ")
YOU_DO: Final = Text("you", context="who does it")

DEMANDS: Final = {
    Owed.PRESSES: Text("{who} must {adverb}press {times}{aim}{why}."),
    Owed.CARDS: Text("{who} must {adverb}draw {owed}{aim}{why}."),
}
FOR_ANOTHER: Final = Text(" for {other}")
AS_A_PENALTY: Final = Text(" as a penalty")
STILL: Final = Text("still ")
FIRST: Final = Text("first ")

CARDS: Final = Text("{number} card", plural="{number} cards")
SO_MANY_POINTS: Final = Text("{number} point", plural="{number} points")
TIMES: Final = Text("{number} times")
FEW_TIMES: Final = {1: Text("once"), 2: Text("twice")}

NOT_ALLOWED: Final = Text("Not allowed by {rule}: {reason}.")
CAN: Final = Text("{who} can: {moves}.")
NOT_IN_YOUR_HAND: Final = Text("{card} is not in your hand")
NONE_IN_YOUR_HAND: Final = Text("your hand has no {card}")
ON_TOP: Final = Text("{reason} ({top})")

QUESTIONS: Final[dict[str, Text]] = {
    TURN_UP: Text("Turn up the first card. Which one is it?"),
    POINTS: Text("[{who}, count|Count] your hand."),
}
