"""Two games on the same moves: one open, one hidden, as at a real table. They must never disagree."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from dispenser.rules import Game, from_json, new_game, to_json
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import PASS, Move
from dispenser.rules.engine.phases import DREW, IDLE, IN_ROUND, MATCH_OVER
from tests.rules.tables import any_move, conserved

SAME = ("turn", "phase", "demands", "sizes", "top", "colour", "direction", "exposed", "announced", "calling", "gone",
        "talon", "scores", "points", "going_out", "winners", "losers", "dealer", "round")  # fmt: skip


class Table:
    """An open game with a seed, and beside it what somebody at a real table would tell the engine."""

    def __init__(self, game_id: str, seats: int, options: Mapping[str, Any], seed: int) -> None:
        self.label = f"{game_id}, {seats} seats, {dict(options)}, seed {seed}"
        self.open: Game = new_game(game_id, seats, options, seed=seed)
        self.hidden: Game = new_game(game_id, seats, options, hidden=True)

    # What a driver of the table can do

    @property
    def over(self) -> bool:
        return self.open.phase == MATCH_OVER

    def step(self, random: Random) -> None:
        """One action, any that is possible: deal, deliver, or a random legal move of a random seat."""
        if self.open.phase == IDLE:
            self.begin()
        elif self.open.state.demands and random.random() < 0.8:
            self.deliver()
        else:
            actors = self.open.actors()
            if not actors:
                assert self.open.state.demands, f"{self.label}: nobody can act and nothing is owed"
                self.deliver()
                return
            seat = random.choice(actors)
            self.play(seat, any_move(self.open, seat, random))

    def begin(self) -> None:
        happened = self.open.begin()
        self.hidden.begin(dealer=self.open.state.dealer)
        self._follow(happened)

    def play(self, seat: int, move: Move) -> None:
        assert move in self.hidden.legal_moves(seat), (
            f"{self.label}: seat {seat} may play {move} in the open game and not in the hidden one"
        )
        happened = self.open.play(seat, move)
        self.hidden.play(seat, move)
        self._follow(happened)

    def deliver(self) -> None:
        happened = self.open.fulfil_by_chance()
        came = next(event.number for event in happened if event.what in {What.PRESSED, What.DREW})
        self.hidden.fulfil(came)
        self._follow(happened)

    def penalise(self, seat: int, offence: str) -> None:
        happened = self.open.penalise(seat, offence)
        self.hidden.penalise(seat, offence)
        self._follow(happened)

    # What the table tells the hidden game

    def _follow(self, happened: list[Event]) -> None:
        """Answer what the hidden game asks with what was seen in the open one."""
        turned = [event.card for event in happened if event.what in {What.PUT_BACK, What.TURNED_UP}]
        while self.hidden.question is not None:
            question = self.hidden.question
            match question.kind:
                case "turn-up":
                    self.hidden.answer(turned.pop(0))
                case "discarded":
                    self.hidden.answer([event.card for event in happened if event.what is What.DISCARDED])
                case "bluff":
                    self.hidden.answer(next(event.bluff is True for event in happened if event.what is What.CHALLENGED))
                case "points":
                    hand = self.open.state.hands[question.seat]
                    self.hidden.answer([card for card in range(self.open.state.unknown) for _ in range(hand[card])])
                case other:
                    raise AssertionError(f"{self.label}: nobody answers {other}")
        if self.hidden.phase == DREW and not self.hidden.state.demands and self.open.phase != DREW:
            self.hidden.play(self.hidden.turn, PASS)  # the drawn card did not fit
        if any(event.what is What.RELOADED for event in happened) and self.hidden.state.talon != self.open.state.talon:
            self.hidden.reload()

    # What must hold at any moment

    def check(self) -> None:
        """The two agree, the cards are all there, somebody can go on."""
        waits = self.hidden.phase == DREW and self.open.phase != DREW
        assert not waits or self.hidden.state.demands, f"{self.label}: the hidden game waits for a pass"
        for name in SAME:
            if waits and name in {"turn", "phase"}:
                continue  # the card drawn does not fit, which the table can say only when nothing is owed any more
            mine, theirs = getattr(self.open.state, name), getattr(self.hidden.state, name)
            assert mine == theirs, f"{self.label}, action {len(self.open.log)}: {name} is {mine}, hidden {theirs}"
        assert conserved(self.open.state), (
            f"{self.label}, action {len(self.open.log)}: cards were lost or appeared (G-04)"
        )
        assert conserved(self.hidden.state), f"{self.label}, action {len(self.open.log)}: hidden cards were lost (G-04)"
        self._check_knowledge()
        in_time = {self.open.turn} if not self.open.state.acts_out_of_turn else set(range(self.open.seats))
        assert self.open.state.calling <= in_time, f"{self.label}: what was said outlives its turn (G-03)"
        if self.open.phase in IN_ROUND:
            assert self.open.state.demands or self.open.legal_moves(self.open.turn), f"{self.label}: nobody can go on"
            for seat in range(self.open.seats):
                moves = self.open.legal_moves(seat)
                assert len(moves) == len(set(moves)), f"{self.label}: seat {seat} may do one thing twice, {moves}"

    def _check_knowledge(self) -> None:
        """What the hidden game knows of a hand is in that hand."""
        for seat in range(self.open.seats):
            for card in range(self.open.state.unknown):
                known, there = self.hidden.state.hands[seat][card], self.open.state.hands[seat][card]
                assert known <= there, f"{self.label}: seat {seat} is believed to hold {known} of {card}, has {there}"

    def check_undo(self, back: int) -> None:
        """Take ``back`` actions back one by one, do them again: the very same states, in both directions."""
        for game in (self.open, self.hidden):
            back = min(back, len(game.log))
            past = [game.state.save()]
            for _ in range(back):
                game.undo()
                past.append(game.state.save())
            for expected in past[-2::-1]:
                game.redo()
                assert game.state.save() == expected, f"{self.label}: undo and redo give another state"

    def check_record(self) -> None:
        """Written down and read back, both are the same match."""
        for game in (self.open, self.hidden):
            again = from_json(to_json(game))
            assert again.state.save() == game.state.save(), f"{self.label}: read back, the match is another"
            assert again.log == game.log
            assert again.undone == game.undone
