"""One match among bots, the launcher played by the odds, and what there is to tell about it afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any, Final

from dispenser.luck.odds import Odds
from dispenser.luck.presets import OddsDesign
from dispenser.rules import Game, new_game
from dispenser.rules.bots import Bot
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import ANNOUNCE
from dispenser.rules.engine.observation import Observation
from dispenser.rules.engine.phases import IDLE, IN_ROUND, MATCH_OVER

MOST_TURNS: Final = 2_000
"""Turns after which a round that does not end is given up; sensible players need fewer than a tenth of it."""
MOST_ROUNDS: Final = 200


@dataclass(slots=True)
class RoundTold:
    """What is kept of one round.

    :ivar turns: moves of the seats in turn.
    :ivar presses: presses of the launcher; in the games with exact draws, demands that were paid.
    :ivar cards_out: cards that left the launcher after the deal.
    :ivar hands: cards in all hands together, divided by the hands, after each turn.
    :ivar winner: the seat that went out first.
    """

    turns: int = 0
    presses: int = 0
    cards_out: int = 0
    hands: list[float] = field(default_factory=list)
    winner: int = -1


@dataclass(frozen=True, slots=True)
class MatchTold:
    """What is kept of a match.

    :ivar winners: several where they tie; where the game names only a loser, all the others.
    :ivar ended: it came to its end and was not given up.
    """

    rounds: tuple[RoundTold, ...]
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    ended: bool


class LaunchedByOdds:
    """The launcher of a game without cards: the odds decide what a press ejects, the game which cards they are."""

    def __init__(self, design: OddsDesign, seed: str) -> None:
        self._odds = Odds(design, sha256(seed.encode()).digest())

    def look(self, happened: Sequence[Event]) -> None:
        """When the lid was open for a reload, or for a new round, the odds begin anew."""
        for event in happened:
            if event.what in _LID_WAS_OPEN:
                self._odds.reset()
                return

    def deliver(self, game: Game) -> None:
        """Pay a press of the open demand of the game."""
        self.look(game.fulfil(min(self._odds.draw().cards, game.state.available())))


_LID_WAS_OPEN: Final = frozenset({What.DEALER, What.RELOADED, What.RESHUFFLED})


def play_match(
    game_id: str,
    bots: Sequence[Bot],
    *,
    seed: str,
    design: OddsDesign,
    options: Mapping[str, Any] | None = None,
) -> MatchTold:
    """Play a whole match; the same seed gives the same match.

    :param bots: one for each seat.
    """
    random = Random(seed)  # noqa: S311 - a game, not a secret
    game = new_game(game_id, len(bots), options, seed=random.getrandbits(60))
    launcher = LaunchedByOdds(design, seed) if game.state.draws is Owed.PRESSES else None
    rounds: list[RoundTold] = []
    while game.phase != MATCH_OVER and len(rounds) < MOST_ROUNDS:
        rounds.append(_play_round(game, bots, launcher, random))
        if game.phase not in {IDLE, MATCH_OVER}:
            break
    ended = game.phase == MATCH_OVER
    spared = tuple(seat for seat in range(game.seats) if ended and seat not in game.state.losers)
    return MatchTold(tuple(rounds), game.state.winners or spared, tuple(game.state.scores), ended)


def _play_round(game: Game, bots: Sequence[Bot], launcher: LaunchedByOdds | None, random: Random) -> RoundTold:
    told, state = RoundTold(), game.state
    happened = game.begin()
    if launcher:
        launcher.look(happened)
    eyes = [game.observe(seat) for seat in range(game.seats)]
    while state.phase in IN_ROUND and told.turns < MOST_TURNS:
        if (state.exposed or state.acts_out_of_turn) and _somebody_speaks_up(game, bots, eyes, random):
            continue
        if state.demands:
            held = sum(state.sizes)
            told.presses += 1
            if launcher:
                launcher.deliver(game)
            else:
                game.fulfil_by_chance()
            told.cards_out += sum(state.sizes) - held
            continue
        if len(told.hands) < told.turns:  # what the turn before brought has been paid
            told.hands.append(sum(state.sizes) / state.playing)
        seat = state.turn
        move = bots[seat](eyes[seat], random)
        if move is None:
            raise ValueError(f"the bot of seat {seat} does nothing though it is in turn")
        happened = game.play(seat, move)
        if launcher:
            launcher.look(happened)
        told.turns += move is not ANNOUNCE
    told.hands += [sum(state.sizes) / max(1, state.playing)] * (told.turns - len(told.hands))
    told.winner = state.round_winner if state.phase in {IDLE, MATCH_OVER} else -1
    return told


def _somebody_speaks_up(game: Game, bots: Sequence[Bot], eyes: Sequence[Observation], random: Random) -> bool:
    """Let those who may act out of turn do so, in any order: who is quicker at a table is chance."""
    waiting = game.turn if game.demand is None and game.question is None else -1
    others = [seat for seat in game.actors() if seat != waiting]
    random.shuffle(others)
    for seat in others:
        move = bots[seat](eyes[seat], random)
        if move is not None:
            game.play(seat, move)
            return True
    return False
