"""People in turn, and out of it: what the rules allow and their real cards make possible, with slips of the finger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dispenser.rules import Game
from dispenser.rules.engine.demands import POINTS, TURN_UP, Owed
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import DRAW, LAYING, PASS, Act, Move
from dispenser.rules.engine.phases import AGAIN, DREW, PLAYING
from dispenser.table import commands as c
from dispenser.table.bots import takes_its_turn
from tests.nightly.search.people.presses import Payers

QUICK: Final = frozenset({Act.JUMP_IN, Act.CATCH, Act.CATCH_RETRACT})
"""What two of them may do at the same time, and the second comes too late."""


class Players(Payers):
    """See the module."""

    # --- questions ---

    def answer(self, game: Game) -> None:
        question = game.question
        assert question is not None
        value: Any
        if question.kind == TURN_UP:
            value = self.hands.stack.pop()
            self.hands.talon.append(value)
        elif question.kind == POINTS:
            value = self._points_of(game, question.seat)
        elif question.kind == "bluff":
            assert question.seat is not None
            fitted, _ = game.state.beneath  # type: ignore[attr-defined]
            wild = next(c for c, name in enumerate(game.state.cards.names) if name.en == "wild")
            value = any(card in self.held(question.seat) for card in (*fitted, wild))
        else:
            assert question.seat is not None
            hand = self.held(question.seat)
            of_colour = game.state.cards.of_colour[game.state.colour]
            value = tuple(sorted(card for card in hand if card in of_colour))
        self.act(Action(Deed.ANSWER, question.seat, value), self.anybody())

    def _points_of(self, game: Game, seat: int | None) -> int | tuple[int, ...]:
        """What a hand counts: the cards, or just a number; the table knows nothing of cards that nobody has noticed."""
        assert seat is not None
        values, hand = game.state.values(), self.held(seat)
        if self.unnoticed[self.person(seat)] and not self.virtual:
            return sum(sorted((values[card] for card in hand), reverse=True)[: game.state.sizes[seat]])
        return tuple(sorted(hand)) if self.maybe(0.5) else sum(values[card] for card in hand)

    # --- moves ---

    def move(self, game: Game) -> None:
        """Somebody does something that the rules allow and the real cards make possible."""
        actors = game.actors()
        assert actors, f"nobody can do anything in {game.phase}"
        seat = game.turn if game.turn in actors and not self.maybe(0.2) else self.dice.choice(actors)
        moves = self._possible(game, seat)
        if not moves:
            seat = game.turn
            moves = self._possible(game, seat)
        assert moves, f"seat {seat} can do nothing in {game.phase} with {self.held(seat)}"
        if self.virtual and seat == game.turn and self.is_bot(seat):
            self.did("bots' turns")
            self._do(game, seat, takes_its_turn(game, self.dice))
        else:
            self._do(game, seat, self._chosen(moves))

    def _possible(self, game: Game, seat: int) -> list[Move]:
        hand = self.held(seat)
        legal = list(game.legal_moves(seat))
        if not self.virtual:
            legal = [move for move in legal if move.act not in LAYING or move.card in hand]
            if game.phase is DREW and seat == game.turn:
                legal = [move for move in legal if move.act is not Act.LAY or move.card == self.drawn]
            if game.game_id == "uno-vache" and not game.state.options["cancel-anyway"]:
                plus = {c for c, name in enumerate(game.state.cards.names) if name.en.endswith(("+2", "+4"))}
                if plus & set(hand):
                    legal = [move for move in legal if move.act is not Act.CANCEL]
            if game.phase is AGAIN and any(move.act is Act.LAY for move in legal):
                legal = [move for move in legal if move != DRAW]
        if game.phase is not PLAYING and self.maybe(0.9):
            legal = [move for move in legal if move.act is not Act.EFFECT] or legal
        return legal

    def _chosen(self, moves: Sequence[Move]) -> Move:
        laying = [move for move in moves if move.act in LAYING]
        if laying and self.maybe(0.9):
            return self.dice.choice(laying)
        return self.dice.choice(list(moves))

    def _do(self, game: Game, seat: int, move: Move) -> None:
        by = self.teller(seat)
        if move == DRAW and game.state.draws is Owed.PRESSES:
            self._does_not_play(game, seat)
            return
        before = game.state.still_in(), game.state.direction
        quicker = self._as_quick(game, seat, move)
        if move.act in LAYING and move.card is not None and not self.virtual:
            self.held(seat).remove(move.card)
            self.hands.talon.append(move.card)
            if not self.match.by_itself:
                self._slip(game, seat, by, move)
        at = self.sitting.table.at
        if move == DRAW and not self.hands.stack and len(self.hands.talon) > game.state.stays():
            self.empty(game)
        happened = self.act(Action(Deed.PLAY, seat, move), by)
        if quicker is not None:
            self._too_late(*quicker, at)
        if move == DRAW and (demand := self.game.demand) is not None:  # one act: the tap is the push, too
            self.pay(self.game, demand)
            return
        if move.act in LAYING and not self.match.by_itself and self.maybe(0.05):
            self.did("tapped twice")
            assert self.sitting.refused(c.Act(self.match.notes.write(Action(Deed.PLAY, seat, move))), by, at=at)
        if self.virtual:
            return
        if move.act is not Act.ANNOUNCE and move != PASS:
            self.drawn = None
        self._hands_change(happened, before)

    def _as_quick(self, game: Game, seat: int, move: Move) -> tuple[int, Move] | None:
        """Somebody else who does the like at the same moment."""
        if self.match.by_itself or move.act not in QUICK or self.maybe(0.3):
            return None
        likes = [
            (other, each)
            for other in game.actors()
            if other != seat
            for each in self._possible(game, other)
            if each.act is move.act and (move.act is Act.JUMP_IN or each.seat == move.seat)
        ]
        return self.dice.choice(likes) if likes else None

    def _too_late(self, seat: int, move: Move, at: int) -> None:
        """Their tap arrives after another's, and was meant for the same moment."""
        self.did(f"two at once: {move.act}")
        told = c.Act(self.match.notes.write(Action(Deed.PLAY, seat, move)))
        word = self.sitting.refused(told, self.teller(seat), at=at)
        assert move.act is not Act.JUMP_IN or word == "too_late", f"the second jump-in was refused as {word}"

    def _hands_change(self, happened: Sequence[Event], before: tuple[list[int], int]) -> None:
        """V-13, V-16: hands go round, or two are swapped; each takes what is unnoticed along."""
        seats, direction = before
        for event in happened:
            takers: dict[int, int] = {}
            if event.what is What.PASSED_ON:
                takers = {seats[(i + direction) % len(seats)]: seat for i, seat in enumerate(seats)}
            elif event.what is What.SWAPPED and event.seat is not None and event.other is not None:
                takers = {event.seat: event.other, event.other: event.seat}
            hands = {taker: self.held(giver) for taker, giver in takers.items()}
            beside = {taker: self.unnoticed[self.person(giver)] for taker, giver in takers.items()}
            for taker, hand in hands.items():
                self.hands.of[self.person(taker)] = hand
                self.unnoticed[self.person(taker)] = beside[taker]

    def _slip(self, game: Game, seat: int, by: int, move: Move) -> None:
        """Another card is tapped than was laid; somebody takes that back. Or the tap is forgotten for a while."""
        others = [each for each in game.legal_moves(seat) if each.act is Act.LAY and each.card != move.card]
        if others and self.maybe(0.05):
            self.did("wrong card")
            before = game.state.position()
            self.say(c.Act(self.match.notes.write(Action(Deed.PLAY, seat, self.dice.choice(others)))), by)
            self.say(c.Undo(), self.anybody())
            assert self.match.game.state.position() == before, "taken back, the game is another"
        elif self.maybe(0.05):
            self.did("forgot to tell")
            after = game.state.following[seat]
            if self.held(after) and after not in (seat, game.turn):  # whoever jumped in did so in somebody's turn
                card = game.state.cards.names[self.dice.choice(self.held(after))].en
                said = ["play", after, {"act": "lay", "card": card}]
                assert self.sitting.refused(c.Act(said), self.teller(after))

    def _does_not_play(self, game: Game, seat: int) -> None:
        """E-14: the press says it."""
        if not self.hands.stack:
            if len(self.hands.talon) > game.state.stays():
                self.empty(game)
            if not self.hands.stack:
                return
        if self.match.by_itself:
            game.play(seat, DRAW)
        else:
            refused = self.sitting.refused(c.Act(["play", seat, {"act": "draw"}]), self.teller(seat))
            assert refused == "press_instead"
        self.push_for(self.person(seat), None)
