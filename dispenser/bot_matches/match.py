"""Play one match among bots; the odds replace the launcher."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any, Final

from dispenser.bot_matches.figures import Figures
from dispenser.odds.odds import Odds
from dispenser.odds.presets import OddsDesign
from dispenser.rules import Game, new_game
from dispenser.rules.bots import Bot
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import ANNOUNCE
from dispenser.rules.engine.observation import Observation
from dispenser.rules.engine.phases import IDLE, IN_ROUND, MATCH_OVER

MOST_TURNS: Final = 2_000
"""Limit of turns in a round, after which the match is given up; sensible players need fewer than a tenth of it."""
MOST_ROUNDS: Final = 200
TURNS_KEPT: Final = 400  # turns of a round for which hand sizes are recorded
_LID_WAS_OPEN: Final = {What.DEALER, What.RELOADED, What.RESHUFFLED}


def play_match(
    game_id: str,
    bots: Sequence[Bot],
    *,
    seed: str,
    design: OddsDesign,
    options: Mapping[str, Any] | None = None,
) -> Figures:
    """Play a whole match; the same seed gives the same match.

    :param bots: one for each seat.
    """
    random = Random(seed)  # noqa: S311 - a game, not a secret
    game = new_game(game_id, len(bots), options, seed=random.getrandbits(60))
    presses = game.state.draws is Owed.PRESSES
    odds = Odds(design, sha256(seed.encode()).digest()) if presses else None
    figures = Figures(game.seats, matches=1)
    while game.phase != MATCH_OVER and figures.rounds < MOST_ROUNDS:
        _play_round(game, bots, odds, random, figures)
        if game.phase not in {IDLE, MATCH_OVER}:
            break
    ended = game.phase == MATCH_OVER
    figures.given_up = not ended
    spared = [seat for seat in range(game.seats) if ended and seat not in game.state.losers]
    winners = game.state.winners or spared
    figures.wins.update(dict.fromkeys(winners, 1 / max(1, len(winners))))
    figures.scores.update(game.state.scores)
    return figures


def update_odds(odds: Odds | None, happened: Sequence[Event]) -> None:
    """Reset the odds if the lid was open, which is so for a reload and for a new round."""
    if odds is not None and any(event.what in _LID_WAS_OPEN for event in happened):
        odds.reset()


def deliver(odds: Odds | None, game: Game) -> None:
    """Pay one press of the open demand with as many cards as the odds draw; without odds, pay all of it."""
    if odds is None:
        game.fulfil_by_chance()
    else:
        update_odds(odds, game.fulfil(min(odds.draw().cards, game.state.available())))


def _play_round(game: Game, bots: Sequence[Bot], odds: Odds | None, random: Random, figures: Figures) -> None:
    state = game.state
    turns = presses = cards_out = 0
    hands: list[float] = []
    update_odds(odds, game.begin())
    eyes = [game.observe(seat) for seat in range(game.seats)]
    while state.phase in IN_ROUND and turns < MOST_TURNS:
        if (state.exposed or state.acts_out_of_turn) and _somebody_moves_out_of_turn(game, bots, eyes, random):
            continue
        if state.demands:
            presses += 1
            cards_out -= sum(state.sizes)
            deliver(odds, game)
            cards_out += sum(state.sizes)
            continue
        if len(hands) < turns:  # the demands of the previous turn have been paid
            hands.append(sum(state.sizes) / state.playing)
        seat = state.turn
        move = bots[seat](eyes[seat], random)
        if move is None:
            raise ValueError(f"the bot of seat {seat} does nothing though it is in turn")
        update_odds(odds, game.play(seat, move))
        turns += move is not ANNOUNCE
    hands += [sum(state.sizes) / max(1, state.playing)] * (turns - len(hands))
    figures.rounds += 1
    for counted, number in ((figures.turns, turns), (figures.presses, presses), (figures.cards_out, cards_out)):
        counted[number] += 1
    for turn, cards in enumerate(hands[:TURNS_KEPT]):
        figures.hand_sums[turn] += cards
        figures.hand_rounds[turn] += 1
    if state.phase in {IDLE, MATCH_OVER} and state.round_winner >= 0:
        figures.round_wins[state.round_winner] += 1


def _somebody_moves_out_of_turn(game: Game, bots: Sequence[Bot], eyes: Sequence[Observation], random: Random) -> bool:
    """Let seats act out of turn, in random order, as who is fastest is chance; return whether one did."""
    waiting = game.turn if game.demand is None and game.question is None else -1
    others = [seat for seat in game.actors() if seat != waiting]
    random.shuffle(others)
    for seat in others:
        move = bots[seat](eyes[seat], random)
        if move is not None:
            game.play(seat, move)
            return True
    return False
