"""A match handed over to another game: told in another way from now on, in the middle of a round or between two.

>>> from dispenser.rules import new_game
>>> game, again = new_game("uno", 3, seed=7), new_game("uno", 3, hidden=True)
>>> events = game.begin()
>>> events = again.begin(**position_of(game, hidden=True))
>>> (again.turn, again.state.sizes) == (game.turn, game.state.sizes)
True
"""

from __future__ import annotations

from typing import Any

from dispenser.rules.engine.game import Game
from dispenser.rules.engine.phases import IDLE, PLAYING


def can_hand_over(game: Game) -> bool:
    """Whether nothing is owed, asked, or to be finished: then ``position_of`` says all that there is to say.

    What goes with no card and no seat is dropped: who can still be caught and who has said "UNO", on which card one may
    jump in (V-11), whose first turn it is (C-10).
    """
    return game.phase in {IDLE, PLAYING} and not game.demand and game.question is None


def position_of(game: Game, *, hidden: bool) -> dict[str, Any]:
    """What ``Game.begin`` of a new game with as many seats and the same options is to be given.

    :param hidden: whether the new game knows hands by their size only; from hidden hands to open ones, the caller puts
        the cards in: in ``hands``, unknown ones are the card set's ``kinds``.
    :raises ValueError: not now; see ``can_hand_over``.
    """
    if not can_hand_over(game):
        raise ValueError("a match is handed over when nothing is owed, asked or half done")
    state = game.state
    deal: dict[str, Any] = {"scores": tuple(state.scores)}
    if state.gone:
        deal["gone"] = state.order_of_leaving()
    if game.phase is IDLE:
        if state.deal_passes and state.dealer >= 0:
            deal["dealer"] = state.left[state.dealer]
        return deal
    if state.is_in(state.dealer):
        deal["dealer"] = state.dealer
    *beneath, first = state.talon
    hands = [tuple(state.held(seat)) for seat in range(game.seats)]
    if hidden and not state.hidden:
        hands = [(state.unknown,) * len(hand) for hand in hands]
    deal |= {"hands": hands, "first": first, "turn": state.turn, "direction": state.direction}
    if beneath:
        deal["talon"] = tuple(reversed(beneath))
    shows = first
    if first in state.stand_ins and state.top not in state.stand_ins:
        shows = deal["stands_for"] = state.top
    if state.colour >= 0 and (state.cards.colour[shows] != state.colour or state.matches != state.fits[state.top]):
        deal["colour"] = state.colour  # it was named: the symbol of the card counts no more
    return deal
