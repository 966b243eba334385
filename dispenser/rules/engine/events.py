"""Events: what a move has changed, as named tuples.

``dispenser.rules.words.narrator`` describes them in French or English.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import NamedTuple

from dispenser.rules.engine.demands import Demand
from dispenser.rules.engine.moves import Move


class What(StrEnum):
    """Type of an event; the comments name the details that it has."""

    DEALER_DREW = "dealer drew"  # `seat` drew `card` for the deal
    DEALER = "dealer"  # `seat` deals
    TURNED_UP = "turned up"  # `card` was turned up as the first of the talon
    PUT_BACK = "put back"  # `card` was turned up and went back; another is turned
    TURN = "turn"  # It is the turn of `seat`
    LAID = "laid"  # `seat` laid a card: `move`
    DISCARDED = "discarded"  # `seat` laid `card` along with the card on top
    TAKEN_BACK = "taken back"  # `seat` took `card` back into the hand
    PASSED = "passed"  # `seat` does not play the card drawn, or does not play again
    OWES = "owes"  # `seat` owes what `demand` says
    PRESSED = "pressed"  # `seat` pressed for `demand`, and `number` cards came out (0 is a dud)
    DREW = "drew"  # `seat` got `number` cards for `demand`
    SHORT = "short"  # `seat` should have got `number` cards more for `demand`, and there are none (G-01)
    RESHUFFLED = "reshuffled"  # `number` cards of the talon are the draw pile again
    RELOAD_ASKED = "reload asked"
    """Lift the talon but its top card, shuffle, reload, shut the lid; ``number`` cards would go in."""
    RELOADED = "reloaded"  # The talon was reloaded: `number` cards
    REVERSED = "reversed"  # Play goes the other way, now in `direction`, +1 to the left or -1 to the right
    DIRECTION_CHOSEN = "direction chosen"  # The dealer, `seat`, has chosen `direction` (V-02)
    SKIPPED = "skipped"  # `seat` loses a turn
    AGAIN = "again"  # `seat` plays again
    NAMED = "named"  # `seat` named `colour`
    STOOD = "stood"  # `seat` said what the joker turned up stands for (C-12): `move`
    FROZE = "froze"  # `seat` froze the pile
    THAWED = "thawed"  # `seat` freed it
    ANNOUNCED = "announced"  # `seat` said "UNO" or "Carte"
    RETRACTED = "retracted"  # `seat` said "OU PAS"
    CAUGHT = "caught"  # `seat` was caught by `other`; `move` says for what
    PENALISED = "penalised"  # The table declared an `offence` of `seat`
    CHALLENGED = "challenged"  # `seat` challenges the +4, which was a `bluff` or not
    CANCELLED = "cancelled"  # `seat` cancelled the chain; `other` draws, `None` when who began it is out
    PASSED_ON = "passed on"  # Every hand went to the next seat
    SWAPPED = "swapped"  # Hands of `seat` and of `other` were exchanged
    RULE_SHOWN = "rule shown"  # A customizable card of `seat` waits for the table's own rule to be carried out
    WENT_OUT = "went out"  # `seat` has no card left; `number` is its place from 1
    OUT_AGAIN = "out again"  # `seat` had gone out and has cards again
    ROUND_ENDED = "round ended"  # `seat` won the round; `number` is the round's, from 1
    SCORED = "scored"  # `seat` writes down `number` points
    ELIMINATED = "eliminated"  # `seat` is over the limit and out of the match
    MATCH_ENDED = "match ended"  # `seat` won the match (`None` when only a loser is named)
    CORRECTED = "corrected"  # The table corrected the hand of `seat`: it has `number` cards now


class Event(NamedTuple):
    """An event; details that do not apply are ``None``. Seats are numbered from 0."""

    what: What
    seat: int | None = None
    number: int | None = None
    card: int | None = None
    colour: int | None = None
    move: Move | None = None
    other: int | None = None
    demand: Demand | None = None
    direction: int | None = None
    offence: str | None = None
    bluff: bool | None = None

    def __repr__(self) -> str:
        parts = [f"{name}={value!r}" for name, value in self._asdict().items() if name != "what" and value is not None]
        return f"Event({', '.join([str(self.what), *parts])})"


event = cache(Event)  # cached constructor, because most events occur many times
